"""The benchmark of the x-ray runs, and refuses a trace that computes something else.  No time is judged."""

import json
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import pytest
import torch

BENCH = Path(__file__).resolve().parents[2] / "bench"


@pytest.fixture
def bench(monkeypatch):
    """The benchmark, without the processes in which it measures memory."""
    import sys

    spec = spec_from_file_location("bench_xray", BENCH / "xray.py")
    module = module_from_spec(spec)
    monkeypatch.setitem(sys.modules, "bench_xray", module)
    spec.loader.exec_module(module)
    monkeypatch.setattr(module, "peak_alone", lambda name, words: [1 << 20, 2 << 20])
    threads = torch.get_num_threads()
    yield module
    torch.set_num_threads(threads)


def started(bench, monkeypatch, *words):
    monkeypatch.setattr("sys.argv", ["xray.py", *words])
    return bench.main()


def test_a_small_model_has_the_same_bits_with_and_without_the_x_ray(bench, monkeypatch, capsys, tmp_path):
    found = tmp_path / "found.json"
    words = "--quick", "--whole", "--rounds", "1", "--numbers", "2", "--json", str(found)
    assert started(bench, monkeypatch, *words) == 0
    shown, raw = capsys.readouterr().out, json.loads(found.read_text())
    assert "NO" not in shown.split()
    assert raw["same_bits"]["trace"] is raw["same_bits"]["after the whole report"] is True
    assert raw["right"] == raw["numbers"] == 2
    assert set(raw["seconds"]) == {"plain", "x-ray"}


def test_a_gradient_with_another_bit_is_refused(bench, monkeypatch, capsys):
    def changed(step):
        loss, gradients = bench.run_plain(step)
        gradients[3].view(-1)[5] *= 1 + 2**-23
        return loss, gradients

    monkeypatch.setitem(bench.RUNS, "x-ray", changed)
    monkeypatch.setattr(bench, "run_traced", changed)
    assert started(bench, monkeypatch, "--quick", "--rounds", "1", "--numbers", "0") == 1
    assert "the same bits, trace: NO" in capsys.readouterr().out


def test_where_there_is_no_gpu_it_says_so(bench, monkeypatch, capsys):
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    assert started(bench, monkeypatch, "--device", "cuda") == 2
    assert capsys.readouterr().err == "PyTorch finds no GPU here\n"
