"""Asks five checkers about wrong PyTorch programs, the same made right, and right ones that look odd.

    python docs/compared/torch_checkers.py FOLDER [--json FILE]

FOLDER holds cases.jsonl and the programs that it lists, each with `model`, `optimizer` and `make_loss()`.
Everybody is called as their own documentation calls them, in a process of its own for each program:

    anomaly mode   torch.autograd.detect_anomaly() around a forward and a backward pass; what it raises
    gradcheck      torch.autograd.gradcheck of the loss in float64, of all parameters, with its defaults
    torchdiag      verify_step and check_dead_neurons, then check_gradients; what stands below ISSUES FOUND
    torchmortem    Autopsy around 40 steps; the findings of its report that are no mere information
    minigrad       the x-ray; the first three entries of its report

A checker tells a bug apart where it says something of the wrong program that it does not say of the right
one.  It flags a right program where it says anything of it; the x-ray, where it has a finding.  torchdiag and
torchmortem come from PyPI: pip install torchdiag==0.1.0 torchmortem==0.1.1.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import os
import resource
import sys
import warnings
from collections.abc import Callable
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

CPU = 120  # seconds of a process
STEPS = 40  # that torchmortem sees


def loaded(path: Path) -> Any:
    spec = spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    sys.modules[path.stem] = module
    spec.loader.exec_module(module)
    return module


def anomaly_mode(path: Path) -> list[str]:
    import torch

    program = loaded(path)
    with torch.autograd.detect_anomaly():
        program.make_loss().backward()
    return []


def gradcheck(path: Path) -> list[str]:
    import torch

    torch.set_default_dtype(torch.float64)
    program = loaded(path)
    inputs = [each for each in program.model.double().parameters() if each.requires_grad]

    def loss(*_: Any) -> Any:
        torch.manual_seed(0)
        return program.make_loss()

    torch.autograd.gradcheck(loss, inputs)
    return []


def torchdiag(path: Path) -> list[str]:
    import torch
    import torchdiag as tool
    from torch import nn

    program = loaded(path)

    class Whole(nn.Module):
        """The model as it stands in its loss, since the tool calls a model with one input."""

        def __init__(self) -> None:
            super().__init__()
            self.model = program.model

        def forward(self, _: Any) -> Any:
            return program.make_loss()

    whole, nothing = Whole(), torch.zeros(1)
    shown = io.StringIO()
    with contextlib.redirect_stdout(shown):
        tool.check_dead_neurons(whole, nothing)
        tool.verify_step(whole, program.optimizer, lambda out, _: out, nothing, nothing)
        tool.check_gradients(program.model)
    return sorted({line.strip("• ") for line in shown.getvalue().splitlines() if line.startswith("  •")})


def torchmortem(path: Path) -> list[str]:
    import torchmortem as tool

    program = loaded(path)
    with tool.Autopsy(program.model, optimizer=program.optimizer) as autopsy:
        for _ in range(STEPS):
            program.optimizer.zero_grad()
            loss = program.make_loss()
            loss.backward()
            program.optimizer.step()
            autopsy.step(loss=loss.item())
    report = autopsy.get_report()
    return sorted(
        f"{each.detector}: {each.category}" for each in report.findings if each.severity != tool.Severity.INFO
    )


def minigrad(path: Path) -> list[str]:
    from minigrad.xray.child import examined

    request = {"file": str(path), "folder": str(path.parent), "function": "", "intended": [], "seconds": None}
    report = examined(request)
    return [f"{each.grade} {each.family}:{each.place.line}" for each in report.entries[:3]]


CHECKERS: dict[str, Callable[[Path], list[str]]] = {
    "anomaly mode": anomaly_mode,
    "gradcheck": gradcheck,
    "torchdiag": torchdiag,
    "torchmortem": torchmortem,
    "minigrad": minigrad,
}


def asked(checker: Callable[[Path], list[str]], path: Path) -> list[str]:
    """What a checker says, in a fork of this process; what it raises counts as said."""
    reading, writing = os.pipe()
    number = os.fork()
    if not number:
        os.close(reading)
        resource.setrlimit(resource.RLIMIT_CPU, (CPU, CPU))
        silent = os.open(os.devnull, os.O_WRONLY)
        os.dup2(silent, 1)
        os.dup2(silent, 2)
        warnings.simplefilter("ignore")
        try:
            said = checker(path)
        except BaseException as error:
            said = [f"{type(error).__name__}: {str(error).splitlines()[0] if str(error) else ''}"]
        with os.fdopen(writing, "w") as file:
            file.write(json.dumps(said))
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as file:
        raw = file.read()
    os.waitpid(number, 0)
    answer: list[str] = json.loads(raw) if raw else [f"ended after {CPU} s of the processor"]
    return answer


def load_once() -> None:
    """What every process would load again; nothing is computed, since threads do not outlive a fork."""
    import torch
    import torchdiag  # noqa: F401
    import torchmortem  # noqa: F401

    import minigrad.doctor.rules
    import minigrad.xray.examination
    import minigrad.xray.findings  # noqa: F401

    torch.optim.Adam(torch.nn.Linear(1, 1).parameters())


def flags(name: str, said: list[str]) -> bool:
    return any(each.startswith("finding") for each in said) if name == "minigrad" else bool(said)


def tabulate(cases: list[dict[str, Any]], said: dict[str, dict[str, list[str]]]) -> list[str]:
    """A row for each checker."""
    bugs = [case for case in cases if case["kind"] == "bug"]
    right = [case["fixed"] for case in bugs] + [case["file"] for case in cases if case["kind"] != "bug"]
    rows = ["| | says something | told apart | right programs flagged |", "|---|--:|--:|--:|"]
    for name in said:
        own = said[name]
        something = sum(bool(own[case["file"]]) for case in bugs)
        apart = sum(bool(set(own[case["file"]]) - set(own[case["fixed"]])) for case in bugs)
        flagged = sum(flags(name, own[file]) for file in right)
        counts = f"{something} of {len(bugs)} | {apart} of {len(bugs)} | {flagged} of {len(right)}"
        rows.append(f"| {name} | {counts} |")
    return rows


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    import torch

    torch.set_num_threads(1)
    load_once()
    cases = [json.loads(line) for line in (options.folder / "cases.jsonl").read_text().splitlines()]
    files = [case[key] for case in cases for key in ("file", "fixed") if case.get(key)]
    said: dict[str, dict[str, list[str]]] = {}
    for name, checker in CHECKERS.items():
        said[name] = {file: asked(checker, options.folder.resolve() / file) for file in files}
        print(f"{name}: {len(files)} programs", file=sys.stderr)
    print("\n".join(tabulate(cases, said)))
    if options.json:
        options.json.write_text(json.dumps(said, indent=1) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
