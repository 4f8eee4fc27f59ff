"""Place of a finding: the line that has to change.

For an op of a built-in layer that the program only names, such as `nn.ReLU()` or `nn.CTCLoss()`, that is the
line that makes the layer; for every other op the line that calls it.
"""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..program_place import NOWHERE, ProgramPlace

if TYPE_CHECKING:
    from ..forward_record import TorchCall
    from ..subject import XrayEvidence

__all__ = ["built_place", "function_tree", "made_place", "parameter_place"]


def built_place(evidence: XrayEvidence, call: TorchCall) -> ProgramPlace:
    module = call.module
    if module is None or not type(module.module).__module__.startswith("torch.nn."):
        return call.place
    if not any(step.startswith("0:nn/modules/") for step in call.through):
        return call.place
    return made_place(evidence, module.module) or call.place


def parameter_place(evidence: XrayEvidence, name: str) -> ProgramPlace:
    """The line that registered a parameter, or that made the layer of PyTorch that has it."""
    model = evidence.subject.model
    path, _, last = name.rpartition(".")
    owner = dict(model.named_modules()).get(path) if model is not None else None
    if owner is None:
        return NOWHERE
    if type(owner).__module__.startswith("torch."):
        return made_place(evidence, owner) or NOWHERE
    return evidence.subject.build.attribute(owner, last) or NOWHERE


def made_place(evidence: XrayEvidence, module: Any) -> ProgramPlace | None:
    """Where a module was made: as recorded, or the one line of the program that makes one of its class."""
    made = evidence.subject.build.made(module)
    if made is not None:
        return made
    lines = _makers(evidence.files(), type(module).__name__)
    return lines[0] if len(lines) == 1 else None


@cache
def _makers(files: tuple[str, ...], name: str) -> list[ProgramPlace]:
    found = []
    for file in files:
        tree = function_tree(file)
        for node in ast.walk(tree) if tree is not None else ():
            if isinstance(node, ast.Call):
                called = node.func
                word = called.attr if isinstance(called, ast.Attribute) else getattr(called, "id", "")
                if word == name:
                    found.append(ProgramPlace(file, node.lineno))
    return found


@cache
def function_tree(file: str) -> ast.Module | None:
    """The syntax tree of a file; None where it cannot be read."""
    try:
        return ast.parse(Path(file).read_text(encoding="utf-8"))
    except (OSError, SyntaxError, ValueError):
        return None
