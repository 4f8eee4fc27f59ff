"""Parameters that the model, the optimizer and the loss do not agree on; and what is frozen by mistake."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from ...text.excerpts import listed
from ..program_place import NOWHERE, ProgramPlace
from ..report import XrayEntry
from .placement import made_place

if TYPE_CHECKING:
    from ..subject import XrayEvidence

__all__ = ["frozen_by_name", "lost_parameters", "optimizer_without_effect", "unregistered_parameters"]


def _held(evidence: XrayEvidence) -> dict[int, Any]:
    optimizer = evidence.subject.optimizer
    groups = optimizer.param_groups if optimizer is not None else ()
    held = {id(each): each for group in groups for each in group["params"]}
    for made in evidence.subject.build.optimizers:
        held |= {id(each): each for group in made.optimizer.param_groups for each in group["params"]}
    return held


def unregistered_parameters(evidence: XrayEvidence) -> Iterator[XrayEntry]:
    """Parameters that get gradients, in a list or another attribute that the model does not look into."""
    model, forward = evidence.subject.model, evidence.forward
    if model is None or evidence.backward is None or forward.loss_note is None:
        return
    held = _held(evidence)
    known = {id(each) for each in model.parameters()}
    for owner in model.modules():
        for name, value in vars(owner).items():
            if name.startswith("_"):
                continue
            lost = [
                (each, module)
                for each, module in _parameters_in(value)
                if id(each) not in known and id(each) not in held and each.requires_grad
            ]
            fed = [
                (each, module)
                for each, module in lost
                if each.is_leaf and any(each is leaf for leaf in forward.leaves) and each.grad is not None
            ]
            if not fed:
                continue
            module = fed[0][1]
            place = (made_place(evidence, module) if module is not None else None) or _assigned(owner, name)
            yield XrayEntry(
                "parameter-wiring",
                "wiring.unregistered",
                "finding",
                place or NOWHERE,
                {"count": float(len(fed)), "name": name, "kind": type(owner).__name__},
                88.0,
            )


def _parameters_in(value: Any, depth: int = 0) -> Iterator[tuple[Any, Any]]:
    import torch

    if isinstance(value, torch.Tensor):
        if value.requires_grad and value.is_leaf:
            yield value, None
        elif value.requires_grad and value.grad_fn is not None and depth == 0:
            for node, _ in value.grad_fn.next_functions:
                variable = getattr(node, "variable", None)
                if variable is not None:
                    yield variable, None
    elif isinstance(value, torch.nn.Module):
        if depth:
            yield from ((each, value) for each in value.parameters())
    elif depth < 3 and isinstance(value, (list, tuple)):
        for each in value:
            yield from _parameters_in(each, depth + 1)
    elif depth < 3 and isinstance(value, Mapping):
        for each in value.values():
            yield from _parameters_in(each, depth + 1)


def _assigned(owner: Any, name: str) -> ProgramPlace | None:
    from .stop_gradients import assignment_place

    return assignment_place(owner, name)


def lost_parameters(evidence: XrayEvidence) -> Iterator[XrayEntry]:
    """Parameters that get gradients and that no optimizer holds, because they came too late for it."""
    subject, forward = evidence.subject, evidence.forward
    optimizer, model = subject.optimizer, subject.model
    if optimizer is None or model is None or evidence.backward is None:
        return
    held = _held(evidence)
    fed = [
        at
        for at in range(forward.registered)
        if (count := evidence.backward.gradients.get(at)) is not None
        and not count.all_zero
        and id(forward.leaves[at]) not in held
    ]
    if not fed:
        return
    names = [forward.leaf_names[at] for at in fed]
    made = next((each for each in subject.build.optimizers if each.optimizer is optimizer), None)
    thawed = [at for at in fed if id(forward.leaves[at]) in subject.build.thawed]
    fields: dict[str, str | float] = {"names": listed(names, 4), "count": float(len(names))}
    place = made.places[0] if made is not None and made.places else NOWHERE
    if made is not None and thawed and _after(evidence, thawed, optimizer):
        yield XrayEntry("parameter-wiring", "wiring.thawed", "finding", place, fields, 85.0)
        return
    known = {id(each) for each in model.parameters()}
    stale = [each for group in optimizer.param_groups for each in group["params"] if id(each) not in known]
    unused = [
        each for each in stale if each.grad is None and not any(each is leaf for leaf in forward.leaves)
    ]
    shapes = [tuple(each.shape) for each in unused]
    replaced = [forward.leaf_names[at] for at in fed if tuple(forward.leaves[at].shape) in shapes] or names
    elsewhere = _holds_others(evidence, stale)  # which may be copies that are carried over by hand
    if unused and (_after(evidence, fed, optimizer) if made is not None else not elsewhere):
        fields["names"] = listed(replaced, 4)
        yield XrayEntry("parameter-wiring", "wiring.replaced", "finding", place, fields, 85.0)
    elif made is not None and _after(evidence, fed, optimizer):
        yield XrayEntry("parameter-wiring", "wiring.late", "finding", place, fields, 84.0)
    elif elsewhere:
        yield XrayEntry("parameter-wiring", "wiring.elsewhere", "fact", place, fields, 90.0)
    elif {name.partition(".")[0] for name in names} & _tops_held(evidence, held):
        # a whole network that is not held, such as the critic in a generator's step, is as it should be
        yield XrayEntry("parameter-wiring", "wiring.not_held", "fact", place, fields, 5.0)


def _holds_others(evidence: XrayEvidence, stale: list[Any]) -> bool:
    """Does the optimizer hold nothing of the model, and nothing that the loss gives a gradient?"""
    optimizer = evidence.subject.optimizer
    own = [each for group in optimizer.param_groups for each in group["params"]] if optimizer else []
    used = {id(leaf) for leaf in evidence.forward.leaves}
    return bool(own) and len(stale) == len(own) and not any(id(each) in used for each in own)


def _tops_held(evidence: XrayEvidence, held: Mapping[int, Any]) -> set[str]:
    """The parts of the model of which an optimizer holds something."""
    model = evidence.subject.model
    assert model is not None
    return {name.partition(".")[0] for name, each in model.named_parameters() if id(each) in held}


def _after(evidence: XrayEvidence, bits: list[int], optimizer: Any) -> bool:
    """Were these made, or made trainable, after the optimizer?"""
    orders = evidence.subject.build.orders
    begun = orders.get(id(optimizer))
    return begun is not None and any(orders.get(id(evidence.forward.leaves[at]), -1) > begun for at in bits)


def optimizer_without_effect(evidence: XrayEvidence) -> Iterator[XrayEntry]:
    """An optimizer that holds only what is frozen, while what is trainable is not in it."""
    subject, forward = evidence.subject, evidence.forward
    optimizer, model = subject.optimizer, subject.model
    if optimizer is None or model is None:
        return
    own = [each for group in optimizer.param_groups for each in group["params"]]
    names = {id(each): name for name, each in model.named_parameters()}
    frozen = [each for each in own if not each.requires_grad]
    if not frozen or len(subject.build.optimizers) > 1:
        return
    places = [subject.build.frozen[id(each)] for each in frozen if id(each) in subject.build.frozen]
    place = places[-1][0] if places and places[-1] else (subject.build.made(optimizer) or NOWHERE)
    fields: dict[str, str | float] = {
        "names": listed([names.get(id(each), "?") for each in frozen], 4),
        "count": float(len(frozen)),
    }
    begun = subject.build.orders.get(id(optimizer), 0)
    later = any(subject.build.orders.get(id(each), -1) > begun for each in frozen)
    if len(frozen) == len(own):
        yield XrayEntry("freeze", "freeze.all", "fact", place, fields, 95.0)
    elif later and forward.loss_note is not None:
        yield XrayEntry("freeze", "freeze.some", "fact", place, fields, 12.0)


def frozen_by_name(evidence: XrayEvidence) -> Iterator[XrayEntry]:
    """`requires_grad` set where it has no effect: on a module, or under a name that is misspelt."""
    from difflib import get_close_matches

    model = evidence.subject.model
    if model is None:
        return
    for path, module in model.named_modules():
        if module.__dict__.get("requires_grad") is False and any(
            p.requires_grad for p in module.parameters()
        ):
            place = _set_place(evidence, "requires_grad") or NOWHERE
            yield XrayEntry("freeze", "freeze.module", "finding", place, {"names": path or "model"}, 86.0)
    for name, parameter in model.named_parameters():
        for given, value in vars(parameter).items():
            if (
                value is False
                and parameter.requires_grad
                and get_close_matches(given, ["requires_grad"], 1, 0.85)
            ):
                place = _set_place(evidence, given) or NOWHERE
                fields: dict[str, str | float] = {"names": name, "given": given}
                yield XrayEntry("freeze", "freeze.misspelt", "finding", place, fields, 86.0)
                return


def _set_place(evidence: XrayEvidence, name: str) -> ProgramPlace | None:
    """The line of a file of the program that assigns False to an attribute of this name."""
    import ast

    from .placement import function_tree

    for file in evidence.files():
        tree = function_tree(file)
        for node in ast.walk(tree) if tree is not None else ():
            if (
                isinstance(node, ast.Assign)
                and isinstance(node.value, ast.Constant)
                and node.value.value is False
            ) and any(isinstance(each, ast.Attribute) and each.attr == name for each in node.targets):
                return ProgramPlace(file, node.lineno)
    return None
