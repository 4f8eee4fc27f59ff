"""What the x-ray costs beside a plain step, and whether what it explains is right, in one run.

    python bench/xray.py [--device cpu|cuda] [--model 10M|124M] [--batch N] [--autocast] [--whole]
                         [--rounds N] [--numbers N] [--json FILE] [--quick]

A GPT of ten million parameters (or of 124 million, the size of GPT-2) makes its loss and its gradients,
plainly and under the trace of the x-ray, in turn.  On the CPU the time of a round is that of the processor,
since the machine may be busy, and the clock's is beside it; on a GPU it is the clock's, after everything
there has ended.  A ratio is the median of the ratios within rounds.  Memory is the peak of a process that
does one of the two, above what it had before: resident memory on the CPU, what PyTorch allocated on a GPU.

Losses and gradients of both are compared bit for bit before anything is timed.  Kernels of a GPU may add in
another order each time, so this is done with those that do not; whether the quick ones repeat themselves
is printed beside it.  `--whole` also makes the whole report, with its probes, and compares the bits of a
plain step before and after.  Then random single numbers of the five small models of
tests/support/xray_models.py are explained down to scalars, and compared with PyTorch's gradient.

It needs PyTorch and this repository, and nothing installed: PYTHONPATH=src python bench/xray.py.

Targets: at most 4 times the time, at most twice the memory, every number within 1e-10.  The exit code is 1
where bits or a number are wrong, 2 where there is no such device, and 0 however long it takes.
"""

from __future__ import annotations

import argparse
import gc
import json
import os
import random
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

os.environ.setdefault("CUBLAS_WORKSPACE_CONFIG", ":4096:8")  # without it no product of matrices repeats

import torch
from torch import nn
from torch.nn import functional
from torch.nn.attention import SDPBackend, sdpa_kernel

from minigrad.xray import xray
from minigrad.xray.forward_record import record_forward
from minigrad.xray.scalar_cone import scalar_cone
from minigrad.xray.tensor_trace import trace_gradients

SUPPORT = Path(__file__).resolve().parents[1] / "tests" / "support"
MIB = 1 << 20


@dataclass(frozen=True)
class Size:
    """The sizes of a GPT, and the batch of a step."""

    width: int
    layers: int
    heads: int
    words: int
    length: int
    batch: int


SIZES = {
    "10M": Size(320, 8, 8, 1000, 128, 4),  # 10.2 million parameters
    "124M": Size(768, 12, 12, 50257, 1024, 4),  # those of GPT-2
    "quick": Size(32, 2, 8, 1000, 128, 4),
}


class Attention(nn.Module):
    def __init__(self, width: int, heads: int) -> None:
        super().__init__()
        self.mix, self.out, self.heads = nn.Linear(width, 3 * width), nn.Linear(width, width), heads

    def forward(self, x: Any) -> Any:
        count, length, width = x.shape
        parts = [t.view(count, length, self.heads, -1).transpose(1, 2) for t in self.mix(x).chunk(3, -1)]
        mixed = functional.scaled_dot_product_attention(*parts, is_causal=True)
        return self.out(mixed.transpose(1, 2).reshape(count, length, width))


class Block(nn.Module):
    def __init__(self, width: int, heads: int) -> None:
        super().__init__()
        self.before, self.attention = nn.LayerNorm(width), Attention(width, heads)
        self.between = nn.LayerNorm(width)
        self.mlp = nn.Sequential(nn.Linear(width, 4 * width), nn.GELU(), nn.Linear(4 * width, width))

    def forward(self, x: Any) -> Any:
        x = x + self.attention(self.before(x))
        return x + self.mlp(self.between(x))


class Gpt(nn.Module):
    """Its table is used at both ends."""

    def __init__(self, size: Size) -> None:
        super().__init__()
        self.table = nn.Embedding(size.words, size.width)
        self.places = nn.Embedding(size.length, size.width)
        self.blocks = nn.Sequential(*(Block(size.width, size.heads) for _ in range(size.layers)))
        self.norm, self.head = nn.LayerNorm(size.width), nn.Linear(size.width, size.words, bias=False)
        self.head.weight = self.table.weight

    def forward(self, tokens: Any) -> Any:
        x = self.table(tokens) + self.places(torch.arange(tokens.shape[1], device=tokens.device))
        return self.head(self.norm(self.blocks(x)))


@dataclass(frozen=True)
class Step:
    """A model and its loss, on a device."""

    model: Any
    make_loss: Callable[[], Any]
    device: str

    @classmethod
    def of(cls, options: argparse.Namespace) -> Step:
        torch.manual_seed(0)
        size, device = SIZES["quick" if options.quick else options.model], options.device
        model = Gpt(size).to(device)
        tokens = torch.randint(0, size.words, (options.batch or size.batch, size.length)).to(device)

        def make_loss() -> Any:
            with torch.autocast(device, torch.bfloat16) if options.autocast else nullcontext():
                return functional.cross_entropy(model(tokens).flatten(0, 1), tokens.roll(-1, 1).flatten())

        return cls(model, make_loss, device)

    def wait(self) -> None:
        """Until the device has done what it was asked."""
        if self.device == "cuda":
            torch.cuda.synchronize()


def run_plain(step: Step) -> tuple[Any, list[Any]]:
    loss = step.make_loss()
    return loss.detach(), list(torch.autograd.grad(loss, list(step.model.parameters())))


def run_traced(step: Step) -> tuple[Any, list[Any]]:
    record = record_forward(step.make_loss, step.model)
    found = trace_gradients(record, tensors=True)
    return record.loss.detach(), [found.tensors[name] for name, _ in step.model.named_parameters()]


RUNS = {"plain": run_plain, "x-ray": run_traced}


@contextmanager
def repeatable() -> Iterator[None]:
    """A block in which every kernel gives the same bits each time."""
    torch.use_deterministic_algorithms(True)
    try:
        with sdpa_kernel(SDPBackend.MATH):
            yield
    finally:
        torch.use_deterministic_algorithms(False)


def same_bits(one: tuple[Any, list[Any]], other: tuple[Any, list[Any]]) -> bool:
    return torch.equal(one[0], other[0]) and all(map(torch.equal, one[1], other[1]))


def compare_bits(step: Step, whole: bool) -> dict[str, bool]:
    """What the bits are the same of."""
    found = {}
    with repeatable():
        before = run_plain(step)
        found["trace"] = same_bits(before, run_traced(step))
        if whole:
            report = xray(step.make_loss, model=step.model)
            found["after the whole report"] = same_bits(before, run_plain(step))
            print(report)
    before = run_plain(step)
    found["plain again, quick kernels"] = same_bits(before, run_plain(step))
    found["trace, quick kernels"] = same_bits(before, run_traced(step))
    return found


def time_rounds(step: Step, rounds: int) -> dict[str, list[tuple[float, float]]]:
    """Seconds of the processor and of the clock, by way and round."""
    found: dict[str, list[tuple[float, float]]] = {name: [] for name in RUNS}
    for turn in range(rounds):
        for name in sorted(RUNS, reverse=bool(turn % 2)):
            gc.collect()
            step.wait()
            start = time.process_time(), time.perf_counter()
            RUNS[name](step)
            step.wait()
            found[name].append((time.process_time() - start[0], time.perf_counter() - start[1]))
    return found


def peak_alone(name: str, words: list[str]) -> list[int]:
    """The peak of a process that does one of the two, in bytes: above what it had before, and in all.

    What is freed goes back to the system at once there, or the peak would be that of the allocator's habits.
    """
    line = [sys.executable, __file__, *words, "--alone", name]
    own = {**os.environ, "MALLOC_MMAP_THRESHOLD_": "65536"}
    done = subprocess.run(line, check=True, capture_output=True, text=True, env=own)
    return [int(word) for word in done.stdout.split()]


def run_alone(name: str, step: Step) -> tuple[int, int]:
    if step.device == "cuda":
        before = torch.cuda.memory_allocated()
        torch.cuda.reset_peak_memory_stats()
        RUNS[name](step)
        peak = torch.cuda.max_memory_allocated()
    else:
        Path("/proc/self/clear_refs").write_text("5")  # forget the peak of the imports
        before = status_of("VmRSS")
        RUNS[name](step)
        peak = status_of("VmHWM")
    return peak - before, peak


def status_of(name: str) -> int:
    """A figure of this process in bytes, as Linux gives it."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) << 10 for line in lines if line.startswith(name))


def explain_numbers(count: int) -> tuple[int, float, float]:
    """How many of so many numbers are within 1e-10, the largest difference, and seconds of the processor."""
    sys.path.insert(0, str(SUPPORT))
    from xray_models import MODELS, model_of

    choose, right, worst, start = random.Random(0), 0, 0.0, time.process_time()
    for at in range(count):
        model, make_loss = model_of(sorted(MODELS)[at % len(MODELS)])
        name, parameter = choose.choice(list(model.named_parameters()))
        place = tuple(choose.randrange(n) for n in parameter.shape)
        cone = scalar_cone(make_loss, parameter, place, name)
        worst = max(worst, abs(cone.remainder))
        right += abs(cone.remainder) <= 1e-10 and not cone.omissions
    return right, worst, time.process_time() - start


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--device", choices=("cpu", "cuda"), default="cpu")
    parser.add_argument("--model", choices=("10M", "124M"), default="10M")
    parser.add_argument("--batch", type=int, default=0, help="sequences of a step")
    parser.add_argument("--autocast", action="store_true", help="in bfloat16, where PyTorch takes it")
    parser.add_argument("--whole", action="store_true", help="also the whole report, with its probes")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--numbers", type=int, default=200)
    parser.add_argument("--json", default="")
    parser.add_argument("--quick", action="store_true", help="a small model")
    parser.add_argument("--alone", choices=sorted(RUNS), help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.device == "cuda" and not torch.cuda.is_available():
        print("PyTorch finds no GPU here", file=sys.stderr)
        return 2
    torch.set_num_threads(1)
    step = Step.of(options)
    if options.alone:
        print(*run_alone(options.alone, step))
        return 0
    count = sum(parameter.numel() for parameter in step.model.parameters())
    where = torch.cuda.get_device_name() if options.device == "cuda" else "CPU, one thread"
    print(f"{count:,} parameters; {where}; PyTorch {torch.__version__}")
    start = time.perf_counter()
    same = compare_bits(step, options.whole)
    for name, yes in same.items():
        print(f"the same bits, {name}: {'yes' if yes else 'NO'}")
    print(f"the comparison took {time.perf_counter() - start:.1f} s by the clock")
    found = time_rounds(step, options.rounds)
    by = 1 if options.device == "cuda" else 0
    ratios = [b[by] / a[by] for a, b in zip(found["plain"], found["x-ray"], strict=True)]
    words = [f"--{key}={getattr(options, key)}" for key in ("device", "model", "batch")]
    words += [f"--{key}" for key in ("autocast", "quick") if getattr(options, key)]
    peaks = {name: peak_alone(name, words) for name in RUNS}
    for name, rows in found.items():
        cpu, wall = (median(row[at] for row in rows) for at in range(2))
        above, total = (each / MIB for each in peaks[name])
        print(
            f"{name:6} {cpu:.4f} s of the processor, {wall:.4f} s by the clock, "
            f"{above:.0f} MiB, {total:.0f} MiB with what was there before"
        )
    memory, total = (b / max(a, 1) for a, b in zip(*peaks.values(), strict=True))
    print(f"time {median(ratios):.2f} times, memory {memory:.2f} times, {total:.2f} times in all")
    right, worst, seconds = explain_numbers(options.numbers)
    print(
        f"{right} of {options.numbers} single numbers as in PyTorch; largest difference {worst:.1e}; "
        f"{seconds:.0f} s"
    )
    if options.json:
        result = {
            "parameters": count, "device": where, "torch": torch.__version__, "same_bits": same,
            "seconds": found, "ratio": median(ratios), "bytes": peaks, "numbers": options.numbers,
            "right": right, "worst": worst,
        }  # fmt: skip
        Path(options.json).write_text(json.dumps(result, indent=1))
    sure = [yes for name, yes in same.items() if "quick kernels" not in name]
    return 0 if all(sure) and right == options.numbers else 1


if __name__ == "__main__":
    sys.exit(main())
