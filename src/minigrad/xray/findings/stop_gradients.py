"""Stop-gradients that are missing: a detach thrown away, a target or a baseline that is trained.

Where a target ends and a second branch begins cannot be seen from outside, so these are facts.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from ...text.excerpts import listed
from ..program_place import ProgramPlace
from ..report import XrayEntry
from .placement import function_tree

if TYPE_CHECKING:
    from ..forward_record import TensorNote, TorchCall
    from ..subject import XrayEvidence

__all__ = ["assignment_place", "discarded_results", "same_modules", "trained_baselines", "trained_targets"]

LOSSES = {
    "mse_loss", "smooth_l1_loss", "l1_loss", "huber_loss", "kl_div", "cross_entropy", "binary_cross_entropy",
    "binary_cross_entropy_with_logits", "poisson_nll_loss", "gaussian_nll_loss",
}  # fmt: skip
LOGARITHMS = {"log_softmax", "logsigmoid", "logsumexp", "log_prob", "log"}
SHAPING = {
    "__getitem__", "gather", "squeeze", "unsqueeze", "view", "reshape", "neg", "sum", "mean", "exp",
    "sub", "flatten",
    "mul", "div", "select", "index_select", "clamp", "add", "rsub", "__neg__", "to", "float", "min",
    "minimum",
}  # fmt: skip


def discarded_results(evidence: XrayEvidence) -> Iterator[XrayEntry]:
    """`x.detach()` as a statement of its own has no effect."""
    for call in evidence.forward.calls:
        if call.name != "detach" or not call.lost or any(note.key in evidence.users for note in call.outputs):
            continue
        if not _is_statement(call):
            continue
        names = evidence.forward.names(call.lost)
        yield XrayEntry(
            "missing-stop-gradient",
            "stop.discarded",
            "finding",
            call.place,
            {"names": listed(names, 4)},
            60.0,
        )


def _is_statement(call: TorchCall) -> bool:
    tree = function_tree(call.place.file)
    return tree is not None and any(
        isinstance(node, ast.Expr)
        and node.lineno <= call.place.line <= (node.end_lineno or node.lineno)
        and isinstance(node.value, ast.Call)
        and isinstance(node.value.func, ast.Attribute)
        and node.value.func.attr == "detach"
        for node in ast.walk(tree)
    )


def trained_targets(evidence: XrayEvidence) -> Iterator[XrayEntry]:
    """The target of a loss that gets a gradient itself, through parameters that the prediction has not."""
    for call in evidence.forward.calls:
        if call.index not in evidence.reaching or len(call.inputs) < 2:
            continue
        first, second = call.inputs[0], call.inputs[1]
        if call.name in LOSSES or (call.name in ("sub", "__sub__") and _is_squared(evidence, call)):
            pairs = ((first, second),)
        else:
            continue
        for prediction, target in pairs:
            own = target.reaches & ~prediction.reaches & evidence.trained
            if not own or not prediction.reaches & evidence.trained or not target.requires_grad:
                continue
            if not _is_copy(evidence, own, prediction.reaches) and call.name not in LOSSES:
                continue
            producer = target.producer
            yield XrayEntry(
                "missing-stop-gradient",
                "stop.target",
                "fact",
                producer.place if producer is not None else call.place,
                {"names": listed(evidence.forward.names(own), 4)},
                40.0 + 10.0 * _is_copy(evidence, own, prediction.reaches),
            )


def _is_squared(evidence: XrayEvidence, call: TorchCall) -> bool:
    return any(
        user.name in ("pow", "__pow__", "square", "abs")
        for note in call.outputs
        for user in evidence.users.get(note.key, ())
    )


def _is_copy(evidence: XrayEvidence, own: int, others: int) -> bool:
    """Are these parameters, shape by shape, the same as some of the others?"""
    leaves = evidence.forward.leaves

    def shapes(bits: int) -> list[tuple[int, ...]]:
        return [tuple(leaf.shape) for at, leaf in enumerate(leaves) if bits >> at & 1]

    mine, theirs = shapes(own), shapes(others)
    return len(mine) > 1 and all(mine.count(shape) <= theirs.count(shape) for shape in mine)


def trained_baselines(evidence: XrayEvidence) -> Iterator[XrayEntry]:
    """A log-probability times an advantage that gets a gradient of its own."""
    for call in evidence.forward.calls:
        if call.name not in ("mul", "__mul__", "mul_") or call.index not in evidence.reaching:
            continue
        if len(call.inputs) < 2:
            continue
        for chances, weight in (call.inputs[:2], call.inputs[1::-1]):
            own = weight.reaches & ~chances.reaches & evidence.trained
            if not own or not chances.reaches & ~weight.reaches & evidence.trained:
                continue
            if not _is_logarithm(chances) or _is_logarithm(weight) or not weight.requires_grad:
                continue
            if not _is_trained_elsewhere(evidence, call, own):
                continue
            producer = weight.producer
            yield XrayEntry(
                "missing-stop-gradient",
                "stop.baseline",
                "fact",
                producer.place if producer is not None else call.place,
                {"names": listed(evidence.forward.names(own), 4)},
                45.0,
            )


def _is_logarithm(note: TensorNote, depth: int = 0) -> bool:
    call = note.producer
    if call is None or depth > 8:
        return False
    if call.name in LOGARITHMS:
        return True
    return call.name in SHAPING and any(_is_logarithm(each, depth + 1) for each in call.inputs[:2])


def _is_trained_elsewhere(evidence: XrayEvidence, call: TorchCall, own: int) -> bool:
    """Does the loss reach these parameters by another term too, as a critic's own loss does?"""
    for other in evidence.forward.calls:
        if (
            other is call
            or other.index not in evidence.reaching
            or other.name not in LOSSES | {"pow", "square"}
        ):
            continue
        if other.outputs and other.outputs[0].reaches & own and not _leads_to(other, call):
            return True
    return False


def _leads_to(call: TorchCall, later: TorchCall) -> bool:
    rest: list[Any] = list(later.inputs)
    seen: set[int] = set()
    while rest:
        producer = rest.pop().producer
        if producer is None or producer.index in seen:
            continue
        if producer is call:
            return True
        seen.add(producer.index)
        rest += producer.inputs
    return False


def same_modules(evidence: XrayEvidence) -> Iterator[XrayEntry]:
    """A target network that is the online network itself, under a second name."""
    model = evidence.subject.model
    if model is None:
        return
    names: dict[int, list[tuple[Any, str, str]]] = {}
    for path, module in model.named_modules(remove_duplicate=False):
        for name, child in module._modules.items():
            if child is not None and any(True for _ in child.parameters()):
                names.setdefault(id(child), []).append((module, name, f"{path}.{name}".lstrip(".")))
    stopped = {
        module.name
        for call in evidence.forward.calls
        if not call.grad_enabled and call.index in evidence.reaching
        for module in call.modules
        if module.inside
    }
    trained = {
        module.name
        for call in evidence.forward.calls
        if call.grad_enabled and call.index in evidence.reaching
        for module in call.modules
        if module.inside
    }
    for rows in names.values():
        paths = [path for _, _, path in rows]
        if len(rows) < 2 or not any(_within(path, stopped) for path in paths):
            continue
        if not any(_within(path, trained) for path in paths):
            continue
        owner, name, _ = rows[-1]
        place = evidence.subject.build.attribute(owner, name) or assignment_place(owner, name)
        if place is not None:
            yield XrayEntry(
                "missing-stop-gradient",
                "stop.same",
                "fact",
                place,
                {"names": listed(paths, 4)},
                50.0,
            )


def _within(path: str, names: set[str]) -> bool:
    return any(name == path or name.startswith(path + ".") for name in names)


def assignment_place(owner: Any, name: str) -> ProgramPlace | None:
    """The line of `self.name = ...` in the class of a module."""
    import inspect

    try:
        lines, first = inspect.getsourcelines(type(owner))
        file = inspect.getsourcefile(type(owner)) or ""
    except (OSError, TypeError):
        return None
    for number, line in enumerate(lines, first):
        if line.strip().startswith(f"self.{name} ="):
            return ProgramPlace(file, number)
    return None
