"""What one training step of the small GPT costs: forward, backward and Adam, seven ways, in one run.

    python bench/training.py [--json FILE] [--rounds N] [--engines a,b] [--gc] [--quick] [--budget SECONDS]

The model is the program `gpt` of programs.py: one layer, width 16, four heads, one name.  Ways:

    native, plain         minigrad's two engines, every product and sum a node, as in examples/microgpt.py
    nn-native, nn-plain   minigrad.nn.GPT and nn.Adam on them: a node per dot product
    microgpt              the plain Python class of reference.py, in the style of the well-known file
    numpy                 matrices, the gradients derived by hand (by_hand.py)
    torch                 PyTorch's own modules in float64, one thread, Adam with fused=True

All start from the same weights.  The gradients of a step and of the step after it are compared with those
of plain minigrad before anything is timed (measure.py, which also says how the rounds are kept fair).
Scalars and matrices are not rivals: the last two rows say what it costs that every number can be explained.

The exit code is 0 however long it takes: this is a benchmark and not a test.
"""

from __future__ import annotations

import argparse
import datetime
import importlib
import importlib.util
import json
import platform
from importlib.metadata import version
from types import ModuleType
from typing import Any

from by_hand import SHAPES, OnMatrices, tokens_of
from engines import Engine, Run, is_native, load_plain, own_engines
from measure import Limits, measure_program, with_large_stack
from programs import BLOCK, HEADS, VOCABULARY, WIDTH, Adam, Program
from speed import figures, program_lines

import minigrad

__all__ = ["KEYS", "measure", "table", "ways"]

KEYS = ["native", "plain", "nn-native", "nn-plain", "microgpt", "numpy", "torch"]
RULE = {"lr": Adam.rate, "betas": (Adam.first, Adam.second), "eps": Adam.epsilon}


def starts(program: Program, size: int) -> dict[str, list[list[float]]]:
    """The weights that the program starts from, by matrix."""
    numbers: list[float] = []
    program.build(numbers.append, size)
    rest = iter(numbers)
    return {
        name: [[next(rest) for _ in range(columns)] for _ in range(rows)]
        for name, (rows, columns) in SHAPES.items()
    }


# ---- minigrad.nn --------------------------------------------------------------------------------


class OfModule(Run):
    """minigrad.nn.GPT and nn.Adam, as a user writes a step with them."""

    def __init__(self, package: ModuleType, program: Program, size: int) -> None:
        nn = importlib.import_module(f"{package.__name__}.nn")
        self.model = nn.GPT(VOCABULARY, block=BLOCK, layers=1, width=WIDTH, heads=HEADS, seed=1)
        state = starts(program, size)
        found = self.model.state_dict()
        sizes = [(len(rows), len(rows[0])) for rows in found.values()]
        if sizes != list(SHAPES.values()):  # the names are its own, the order is that of the program
            raise ValueError(f"nn.GPT has matrices {sizes}, the program {list(SHAPES.values())}")
        self.model.load_state_dict(dict(zip(found, state.values(), strict=True)))
        self.rule = nn.Adam(self.model.parameters(), **RULE)
        self.tokens = tokens_of(size)
        self.loss: Any = None

    def forward(self) -> None:
        self.loss = self.model.loss(self.tokens)

    def backward(self) -> None:
        self.loss.backward()

    def update(self) -> None:
        self.rule.step()
        self.rule.zero_grad()

    def free(self) -> None:
        self.loss = None

    def gradients(self) -> list[float]:
        return [p.grad for p in self.model.parameters()]


# ---- PyTorch ------------------------------------------------------------------------------------


def of_torch(program: Program, size: int) -> Run:
    """The model as a user of PyTorch writes it, with its own layers."""
    import torch
    from torch.nn import functional

    torch.set_num_threads(1)

    class Model(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            for name, (rows, columns) in SHAPES.items():
                table = name in ("tokens", "positions")
                made = torch.nn.Embedding(rows, columns) if table else torch.nn.Linear(columns, rows, False)
                setattr(self, name, made)

        def forward(self, given: Any, places: Any) -> Any:
            def norm(x: Any) -> Any:
                return functional.rms_norm(x, (WIDTH,), eps=1e-5)

            def heads(x: Any) -> Any:
                return x.view(len(given), HEADS, -1).transpose(0, 1)

            before = norm(self.tokens(given) + self.positions(places))
            x = norm(before)
            query, key, value = heads(self.query(x)), heads(self.key(x)), heads(self.value(x))
            found = functional.scaled_dot_product_attention(query, key, value, is_causal=True)
            x = self.attended(found.transpose(0, 1).reshape(len(given), WIDTH)) + before
            return self.logits(x + self.down(functional.relu(self.up(norm(x)))))

    class OfTorch(Run):
        def __init__(self) -> None:
            self.model = Model().double()
            with torch.no_grad():
                for name, rows in starts(program, size).items():
                    getattr(self.model, name).weight.copy_(torch.tensor(rows, dtype=torch.float64))
            self.rule = torch.optim.Adam(self.model.parameters(), **RULE, fused=True)
            tokens = torch.tensor(tokens_of(size))
            self.given, self.wanted, self.places = tokens[:-1], tokens[1:], torch.arange(len(tokens) - 1)

        def forward(self) -> None:
            self.loss = functional.cross_entropy(self.model(self.given, self.places), self.wanted)

        def backward(self) -> None:
            self.loss.backward()

        def update(self) -> None:
            self.rule.step()
            self.rule.zero_grad()

        def free(self) -> None:
            self.loss = None

        def gradients(self) -> list[float]:
            return [x for p in self.model.parameters() for x in p.grad.flatten().tolist()]

    return OfTorch()


# ---- the figures --------------------------------------------------------------------------------


def ways() -> dict[str, Engine]:
    """Each way to run the step; what is not there is listed with the reason."""
    own = own_engines()
    plain = load_plain()
    unbuilt = "" if is_native() else "not built: `import minigrad` gave the plain engine"

    def of_module(name: str, package: ModuleType, missing: str = "") -> Engine:
        prepare = None if missing else lambda program, size: OfModule(package, program, size)
        return Engine(name, prepare, package.__version__, missing)

    found = {
        "native": own["native"],
        "plain": own["plain"],
        "nn-native": of_module("minigrad.nn, native", minigrad, unbuilt),
        "nn-plain": of_module("minigrad.nn, plain", plain),
        "microgpt": own["microgpt"],
        "numpy": Engine("NumPy by hand", OnMatrices, version("numpy")),
        "torch": Engine("PyTorch modules", None, missing="not installed: pip install torch"),
    }
    if importlib.util.find_spec("torch"):
        found["torch"] = Engine("PyTorch modules", of_torch, version("torch"))
    return found


def measure(engines: dict[str, Engine], limits: Limits) -> dict[str, Any]:
    """Compared, timed and put into words for JSON."""
    rows = measure_program("gpt", engines, limits)
    return {
        "schema": "minigrad.bench.training/1",
        "date": datetime.date.today().isoformat(),
        "python": f"{platform.python_implementation()} {platform.python_version()}",
        "collector": "on" if limits.collector else "off",
        "quick": limits.quick,
        "rounds": {"gpt": max((len(row.times) for row in rows.values()), default=0)},
        "engines": {
            name: {"name": engine.name, "version": engine.version, "missing": engine.missing}
            for name, engine in engines.items()
        },
        "programs": {"gpt": figures("gpt", rows, engines, limits)},
    }


def table(found: dict[str, Any]) -> str:
    lines = [f"{found['python']}, {found['date']}, collector {found['collector']}; medians, in turn"]
    for engine in found["engines"].values():
        state = engine["missing"] or f"version {engine['version']}" * bool(engine["version"])
        lines.append(f"  {engine['name']:22}{state}".rstrip())
    return "\n".join([*lines, "", *program_lines("gpt", found["programs"]["gpt"], found)])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--json", metavar="FILE", help="write the figures here as well")
    parser.add_argument("--rounds", type=int, help="15 if not said")
    parser.add_argument("--engines", metavar="a,b", help=", ".join(KEYS))
    parser.add_argument("--gc", action="store_true", help="leave the cyclic collector on")
    parser.add_argument("--quick", action="store_true", help="one letter and one round, to see that it runs")
    parser.add_argument("--budget", type=float, default=25.0, help="seconds of one of them")
    options = parser.parse_args()
    keys = options.engines.split(",") if options.engines else KEYS
    for key in keys:
        if key not in KEYS:
            raise SystemExit(f"there is no engine {key!r}; there are {', '.join(KEYS)}")
    limits = Limits(options.rounds, options.quick, options.gc, options.budget)
    engines = ways()
    found = with_large_stack(lambda: measure({key: engines[key] for key in KEYS if key in keys}, limits))
    print(table(found))
    if options.json:
        with open(options.json, "w", encoding="utf-8") as file:
            json.dump(found, file, indent=1)


if __name__ == "__main__":
    main()
