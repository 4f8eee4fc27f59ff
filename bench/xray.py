"""What the x-ray costs beside a plain step, and whether what it explains is right, in one run.

    python bench/xray.py [--rounds N] [--numbers N] [--json FILE] [--quick]

A GPT of ten million parameters makes its loss and its gradients, plainly and under the trace of the
x-ray, in turn: the time of a round is that of the processor, since the machine may be busy, and the
clock's is beside it; a ratio is the median of the ratios within rounds. Memory is the peak of a process
that does one of the two, above what it had before. Losses and gradients of both are compared bit for bit
before anything is timed. Then random single numbers of the five small models of
tests/support/xray_models.py are explained down to scalars, and compared with PyTorch's gradient.

Targets: at most 4 times the time, at most twice the memory, every number within 1e-10. The exit code is 1
where bits or a number are wrong, and 0 however long it takes.
"""

from __future__ import annotations

import argparse
import gc
import json
import random
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import Any

import torch
from torch import nn
from torch.nn import functional

from minigrad.xray.forward_record import record_forward
from minigrad.xray.scalar_cone import scalar_cone
from minigrad.xray.tensor_trace import trace_gradients

SUPPORT = Path(__file__).resolve().parents[1] / "tests" / "support"


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
    """10.2 million parameters, its table used at both ends."""

    def __init__(self, width: int = 320, layers: int = 8, words: int = 1000, length: int = 128) -> None:
        super().__init__()
        self.table, self.places = nn.Embedding(words, width), nn.Embedding(length, width)
        self.blocks = nn.Sequential(*(Block(width, 8) for _ in range(layers)))
        self.norm, self.head = nn.LayerNorm(width), nn.Linear(width, words, bias=False)
        self.head.weight = self.table.weight

    def forward(self, tokens: Any) -> Any:
        x = self.table(tokens) + self.places(torch.arange(tokens.shape[1]))
        return self.head(self.norm(self.blocks(x)))


def gpt_step(quick: bool) -> tuple[Any, Callable[[], Any]]:
    torch.manual_seed(0)
    model = Gpt(32, 2) if quick else Gpt()
    tokens = torch.randint(0, 1000, (4, 128))

    def make_loss() -> Any:
        return functional.cross_entropy(model(tokens).flatten(0, 1), tokens.roll(-1, 1).flatten())

    return model, make_loss


def run_plain(model: Any, make_loss: Callable[[], Any]) -> tuple[Any, list[Any]]:
    loss = make_loss()
    return loss.detach(), list(torch.autograd.grad(loss, list(model.parameters())))


def run_traced(model: Any, make_loss: Callable[[], Any]) -> tuple[Any, list[Any]]:
    record = record_forward(make_loss, model)
    found = trace_gradients(record, tensors=True)
    return record.loss.detach(), [found.tensors[name] for name, _ in model.named_parameters()]


RUNS = {"plain": run_plain, "x-ray": run_traced}


def same_bits(model: Any, make_loss: Callable[[], Any]) -> bool:
    (loss, gradients), (other, others) = (run(model, make_loss) for run in RUNS.values())
    return torch.equal(loss, other) and all(map(torch.equal, gradients, others))


def time_rounds(
    model: Any, make_loss: Callable[[], Any], rounds: int
) -> dict[str, list[tuple[float, float]]]:
    """Seconds of the processor and of the clock, by way and round."""
    found: dict[str, list[tuple[float, float]]] = {name: [] for name in RUNS}
    for turn in range(rounds):
        for name in sorted(RUNS, reverse=bool(turn % 2)):
            gc.collect()
            start = time.process_time(), time.perf_counter()
            RUNS[name](model, make_loss)
            found[name].append((time.process_time() - start[0], time.perf_counter() - start[1]))
    return found


def peak_alone(name: str, quick: bool) -> int:
    """The peak of a process that does one of the two, in KiB above what it had before."""
    words = [sys.executable, __file__, "--alone", name, *(["--quick"] if quick else [])]
    done = subprocess.run(words, check=True, capture_output=True, text=True)
    return int(done.stdout)


def alone(name: str, quick: bool) -> None:
    model, make_loss = gpt_step(quick)
    Path("/proc/self/clear_refs").write_text("5")  # forget the peak of the imports
    before = status_of("VmRSS")
    RUNS[name](model, make_loss)
    print(status_of("VmHWM") - before)


def status_of(name: str) -> int:
    """A figure of this process in KiB, as Linux gives it."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith(name))


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
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--numbers", type=int, default=200)
    parser.add_argument("--json", default="")
    parser.add_argument("--quick", action="store_true", help="a small model")
    parser.add_argument("--alone", choices=sorted(RUNS), help=argparse.SUPPRESS)
    options = parser.parse_args()
    torch.set_num_threads(1)
    if options.alone:
        alone(options.alone, options.quick)
        return 0
    model, make_loss = gpt_step(options.quick)
    count = sum(parameter.numel() for parameter in model.parameters())
    same = same_bits(model, make_loss)
    print(f"{count:,} parameters; losses and gradients with the same bits: {'yes' if same else 'NO'}")
    found = time_rounds(model, make_loss, options.rounds)
    ratios = [b[0] / a[0] for a, b in zip(found["plain"], found["x-ray"], strict=True)]
    peaks = {name: peak_alone(name, options.quick) for name in RUNS}
    for name, rows in found.items():
        cpu, wall = (median(row[at] for row in rows) for at in range(2))
        print(
            f"{name:6} {cpu:.3f} s of the processor, {wall:.3f} s by the clock, {peaks[name] / 1024:.0f} MiB"
        )
    print(f"time {median(ratios):.2f} times, memory {peaks['x-ray'] / max(peaks['plain'], 1):.2f} times")
    right, worst, seconds = explain_numbers(options.numbers)
    print(
        f"{right} of {options.numbers} single numbers as in PyTorch; largest difference {worst:.1e}; "
        f"{seconds:.0f} s"
    )
    if options.json:
        Path(options.json).write_text(
            json.dumps(
                {
                    "parameters": count,
                    "same_bits": same,
                    "seconds": found,
                    "ratio": median(ratios),
                    "kib": peaks,
                    "numbers": options.numbers,
                    "right": right,
                    "worst": worst,
                },
                indent=1,
            )
        )
    return 0 if same and right == options.numbers else 1


if __name__ == "__main__":
    sys.exit(main())
