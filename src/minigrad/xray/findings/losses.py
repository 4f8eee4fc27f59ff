"""Inputs of a loss: shapes that broadcast, probabilities where logits are meant, labels of padding."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from math import prod
from typing import TYPE_CHECKING, Any

from ..report import XrayEntry
from .placement import built_place, function_tree

if TYPE_CHECKING:
    from ..forward_record import TensorNote, TorchCall
    from ..program_place import ProgramPlace
    from ..subject import XrayEvidence

__all__ = ["broadcast_losses", "padded_labels", "wrong_inputs"]

PAIRS = {
    "sub", "__sub__", "rsub", "mul", "__mul__", "mse_loss", "l1_loss", "smooth_l1_loss", "huber_loss", "div",
    "binary_cross_entropy", "add", "pairwise_distance", "binary_cross_entropy_with_logits", "__rsub__", "eq",
}  # fmt: skip
KEEPING = {
    "view", "reshape", "flatten", "squeeze", "unsqueeze", "transpose", "permute", "contiguous",
    "__getitem__", "float",
    "to", "t", "double", "clone", "dropout", "get T", "movedim", "squeeze_", "unsqueeze_", "select", "type",
}  # fmt: skip
# Ops that need two axes: of (N, 1), as it would be without the broadcast, they make nothing of use.
MATRICES = {
    "matmul", "mm", "mv", "bmm", "__matmul__", "__rmatmul__", "einsum", "diagonal", "diag", "triu", "tril",
    "trace", "linear_sum_assignment", "slogdet", "logdet", "det", "inverse", "linalg_solve",
    "cholesky", "linalg_cholesky",
}  # fmt: skip
CHOICES = {
    "min", "max", "amin", "amax", "argmin", "argmax", "logsumexp", "softmax", "log_softmax", "softmin",
    "sort", "argsort", "topk", "kthvalue", "cumsum", "logcumsumexp", "median", "cummax", "cummin",
}  # fmt: skip
KERNELS = {"exp", "exp_"}
# Losses of one number with one other, whose inputs should have one shape.
ELEMENTWISE = {
    "mse_loss", "l1_loss", "smooth_l1_loss", "huber_loss", "binary_cross_entropy",
    "binary_cross_entropy_with_logits",
}  # fmt: skip
SUMS = {"sum", "mean", "nansum", "nanmean"}
SPREADS = {"std", "var", "prod"}  # with CHOICES, of no use where there is one number
POWERS = {"pow", "__pow__", "square", "abs", "__abs__", "norm"}
THRESHOLDS = {"sigmoid", "tanh", "erf", "relu", "softplus", "logsigmoid", "hardsigmoid", "sigmoid_"}
DIFFERENCES = {"sub", "__sub__", "rsub", "__rsub__"}
OPERATORS = {"sub": ast.Sub, "mul": ast.Mult, "add": ast.Add, "div": ast.Div}
SOFTMAXES = {"softmax", "sigmoid", "softmax_"}
SUMMED = 1e-3  # how far a sum may be from 1


def broadcast_losses(evidence: XrayEvidence) -> Iterator[XrayEntry]:
    """A column and a row in one op of the loss: (N, 1) with (N,) gives (N, N), all samples with all.

    That is a mistake where one of the two is data, the program has not made the column in the expression of
    the op, pairs nothing else alike, and does nothing afterwards that needs two axes; where it does, nothing
    is said; otherwise it is a fact. What takes one shape, such as mse_loss, is meant for no pairs.
    """
    for call in evidence.forward.calls:
        if call.name not in PAIRS or call.index not in evidence.reaching or len(call.inputs) < 2:
            continue
        one, other = call.inputs[:2]
        if not (one.floating and other.floating) or (one.depends == 0 and other.depends == 0):
            continue
        tall, flat = (one, other) if len(one.shape) > len(other.shape) else (other, one)
        if len(tall.shape) != len(flat.shape) + 1 or not flat.shape or prod(tall.shape) != prod(flat.shape):
            continue
        count = flat.shape[0]
        if count < 2 or tall.shape[0] != count or 1 not in tall.shape[1:]:
            continue
        if tuple(n for n in tall.shape if n != 1) != tuple(n for n in flat.shape if n != 1):
            continue
        if prod(_stretched(tall.shape, flat.shape)) <= prod(tall.shape):
            continue
        if (source := _source(one)) is not None and source is _source(other):
            continue  # all pairs within one tensor, as in a ranking loss
        both = (one.depends & evidence.trained != 0) == (other.depends & evidence.trained != 0)
        if both and call.name in ("mul", "add", "div", "__mul__"):
            continue
        if not _is_reduced(evidence, call) or _has_two_axes(evidence, call):
            continue
        meant = _follows(evidence, call, KERNELS) or _is_paired_within(evidence, call)
        if call.name not in ELEMENTWISE:
            meant = meant or both or _is_column_of_call(call, tall)
        yield XrayEntry(
            "loss-shape",
            "loss.pairs" if meant else "loss.broadcast",
            "fact" if meant else "finding",
            call.place,
            {
                "one": _size(one.shape),
                "other": _size(other.shape),
                "made": _size(_stretched(tall.shape, flat.shape)),
            },
            45.0 if meant else 75.0,
        )


def _is_column_of_call(call: TorchCall, tall: TensorNote) -> bool:
    """Does the expression of an op give an operand its axis of 1, as `x[:, None] - y` does?"""
    note = tall
    while (made := note.producer) is not None and made.name in KEEPING and made.inputs:
        before = made.inputs[0]
        if len(before.shape) < len(note.shape):
            return _is_operand(made, call)
        note = before
    return False


def _is_operand(made: TorchCall, call: TorchCall) -> bool:
    """Is what one op gave written as an operand of another, not as a variable?"""
    if (made.place.file, made.place.function) != (call.place.file, call.place.function):
        return False
    tree = function_tree(call.place.file)
    if tree is None:
        return made.place.line == call.place.line
    return any(
        _is_written(each, made)
        for node in ast.walk(tree)
        for operand in _operands(node, call)
        for each in _spine(operand)
    )


def _operands(node: ast.AST, call: TorchCall) -> list[ast.expr]:
    """The operands of an expression that may be an op."""
    name = call.name.strip("_")
    name = name[1:] if name[1:] in OPERATORS else name
    if isinstance(node, ast.BinOp) and _spans(node, call) and name in OPERATORS:
        return [node.left, node.right] if isinstance(node.op, OPERATORS[name]) else []
    if isinstance(node, ast.Call) and _spans(node, call) and _word(node.func) == name:
        return [*node.args, *([node.func.value] if isinstance(node.func, ast.Attribute) else [])]
    return []


def _spine(node: ast.expr) -> Iterator[ast.expr]:
    """An expression, and what its methods, attributes and indices are taken of."""
    yield node
    if isinstance(node, ast.Call):
        yield from _spine(node.func)
    elif isinstance(node, (ast.Attribute, ast.Subscript)):
        yield from _spine(node.value)


def _is_written(node: ast.expr, call: TorchCall) -> bool:
    if isinstance(node, ast.Subscript):
        return call.name == "__getitem__" and _spans(node, call)
    return isinstance(node, ast.Call) and _word(node.func) == call.name and _spans(node, call)


def _word(node: ast.expr) -> str:
    return node.attr if isinstance(node, ast.Attribute) else str(getattr(node, "id", ""))


def _spans(node: ast.expr, call: TorchCall) -> bool:
    return node.lineno <= call.place.line <= (node.end_lineno or node.lineno)


def _is_paired_within(evidence: XrayEvidence, call: TorchCall) -> bool:
    """Does the loss do the same with all pairs of one of the two tensors, as an energy distance does?"""
    full = call.outputs[0].shape if call.outputs else ()
    keys = {_base(each).key for each in call.inputs[:2]}
    after = {user.name for note in call.outputs for user in evidence.users.get(note.key, ())}
    for other in evidence.forward.calls:
        if other is call or other.index not in evidence.reaching or len(other.inputs) < 2:
            continue
        one, two = other.inputs[:2]
        if not other.outputs or other.outputs[0].shape != full or full in (one.shape, two.shape):
            continue
        bases = {_base(one).key, _base(two).key}
        # A row and a column of two axes each are not made by mistake.
        if not bases & keys or (len(bases) == 2 and len(one.shape) != len(two.shape)):
            continue
        if other.name == "cdist" or (other.name == call.name and call.name in ELEMENTWISE):
            return True
        users = {user.name for user in evidence.users.get(other.outputs[0].key, ())}
        if other.name in PAIRS and users & after:
            return True
    return False


def _has_two_axes(evidence: XrayEvidence, call: TorchCall) -> bool:
    """Does the loss treat what an op gave as rows and columns?

    It does where it chooses or normalises along one of its axes, takes its diagonal, multiplies it by a
    matrix, combines it with numbers of its own shape that come from elsewhere, or sums it along one axis and
    uses the sums as numbers of N things.
    """
    full = call.outputs[0].shape if call.outputs else ()
    if _has_sums_of_use(evidence, call):
        return True
    rest, seen = list(call.outputs), {call.index}
    while rest:
        note = rest.pop()
        for user in evidence.users.get(note.key, ()):
            if user.index in seen or user.index not in evidence.reaching:
                continue
            seen.add(user.index)
            if user.name in MATRICES or (user.name in CHOICES and _has_axis(user)):
                return True
            for each in user.inputs:
                if each.key != note.key and each.shape == full and not _comes_from(each, call):
                    return True
            rest += user.outputs
    return False


def _has_sums_of_use(evidence: XrayEvidence, call: TorchCall) -> bool:
    """Is what an op gave summed along one axis, and does the loss use the sums as N numbers?

    Of (N, 1), as it would be without the broadcast, sums over the samples are one number, and sums over the
    other axis are the losses of N samples, which may be weighted and summed on.
    """
    full = call.outputs[0].shape if call.outputs else ()
    rest, seen = [(note, False) for note in call.outputs], {call.index}
    while rest:
        note, bounded = rest.pop()
        for user in evidence.users.get(note.key, ()):
            if user.index in seen or user.index not in evidence.reaching:
                continue
            seen.add(user.index)
            axis = _axis(user, len(full)) if user.name in SUMS else None
            if axis == 0 and bounded:
                return True  # the share of the samples above each of N thresholds
            if axis in (0, 1) and any(_are_of_use(evidence, each, full, axis == 0) for each in user.outputs):
                return True
            now = bounded or (call.name in DIFFERENCES and user.name in THRESHOLDS)
            rest += [(each, now) for each in user.outputs if each.shape == full]
    return False


def _are_of_use(evidence: XrayEvidence, sums: TensorNote, full: tuple[int, ...], first: bool) -> bool:
    """Do sums along the first axis, or the second, go into an op that does not suit losses of samples?"""
    size = _long_axes(sums)
    rest, seen = [sums], set()
    while rest:
        note = rest.pop()
        for user in evidence.users.get(note.key, ()):
            if user.index in seen or user.index not in evidence.reaching:
                continue
            seen.add(user.index)
            if first and user.name in CHOICES | SPREADS:
                return True
            if any(_long_axes(each) == size and not _is_of_pairs(each, sums, full) for each in user.inputs):
                compared = user.name in DIFFERENCES and any(
                    after.name in POWERS
                    for each in user.outputs
                    for after in evidence.users.get(each.key, ())
                )
                if first or compared or user.name in ELEMENTWISE:
                    return True
            rest += [each for each in user.outputs if _long_axes(each) == size]
    return False


def _long_axes(note: TensorNote) -> tuple[int, ...]:
    return tuple(n for n in note.shape if n != 1)


def _is_of_pairs(note: TensorNote, sums: TensorNote, full: tuple[int, ...]) -> bool:
    """Was a value computed from these sums, or from numbers of the same shape as those that were summed?"""
    rest, seen = [note], set()
    while rest:
        each = rest.pop()
        if each.key == sums.key or each.shape == full:
            return True
        if each.producer is not None and each.producer.index not in seen:
            seen.add(each.producer.index)
            rest += each.producer.inputs
    return False


def _axis(call: TorchCall, axes: int) -> int | None:
    """The one axis that an op goes along."""
    given = call.options.get("dim", call.arguments[1] if len(call.arguments) > 1 else None)
    if isinstance(given, (tuple, list)) and len(given) == 1:
        given = given[0]
    return given % axes if type(given) is int else None


def _has_axis(call: TorchCall) -> bool:
    """Is an op told along which axis it goes?"""
    return call.options.get("dim") is not None or any(type(x) is int for x in call.arguments[1:])


def _comes_from(note: TensorNote, call: TorchCall) -> bool:
    """Does a value depend on what an op took or gave?"""
    keys = {each.key for each in call.inputs}
    sources = {source.index for each in call.inputs if (source := _source(each)) is not None}
    rest, seen = [note], set()
    while rest:
        each = rest.pop()
        if each.key in keys:
            return True
        made = each.producer
        if made is None or made.index in seen:
            continue
        if made is call or made.index in sources:
            return True
        seen.add(made.index)
        rest += made.inputs
    return False


def _follows(evidence: XrayEvidence, call: TorchCall, names: set[str]) -> bool:
    """Does one of these ops come between an op and the loss?"""
    rest, seen = list(call.outputs), set()
    while rest:
        for user in evidence.users.get(rest.pop().key, ()):
            if user.index in seen or user.index not in evidence.reaching:
                continue
            if user.name in names:
                return True
            seen.add(user.index)
            rest += user.outputs
    return False


def _stretched(tall: tuple[int, ...], flat: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(max(a, b) for a, b in zip(tall, (1, *flat), strict=True))


def _size(shape: tuple[int, ...]) -> str:
    return "(" + ", ".join(map(str, shape)) + ("," if len(shape) == 1 else "") + ")"


def _is_reduced(evidence: XrayEvidence, call: TorchCall) -> bool:
    """Do only ops without parameters follow, down to the one number of the loss?"""
    rest, seen = list(call.outputs), set()
    while rest:
        note = rest.pop()
        for user in evidence.users.get(note.key, ()):
            if user.index in seen or user.index not in evidence.reaching:
                continue
            seen.add(user.index)
            if any(each.leaf and each.requires_grad for each in user.inputs):
                return False
            if any(module.inside and module.name for module in user.modules):
                return False
            rest += user.outputs
    return True


# ---- probabilities and logits -------------------------------------------------------------------


def wrong_inputs(evidence: XrayEvidence) -> Iterator[XrayEntry]:
    """Losses that are given probabilities for logits, or numbers that are no log-probabilities."""
    import torch

    for call in evidence.forward.calls:
        if call.index not in evidence.reaching or not call.inputs or not call.inputs[0].reaches:
            continue
        given = call.inputs[0].value
        source = _source(call.inputs[0])
        if given is None or given.dim() < 1 or given.numel() < 2:
            continue
        with torch.no_grad():
            code = _wrong_input(call, given.detach(), source)
        if code:
            place = _source_place(evidence, source, call)
            size = given.shape[1] if given.dim() > 1 else 1
            yield XrayEntry(
                "loss-input",
                f"loss.{code}",
                "finding",
                place,
                {"loss": call.name, "classes": float(size)},
                65.0,
            )


def _wrong_input(call: TorchCall, given: Any, source: TorchCall | None) -> str:
    axis = 1 if given.dim() > 1 else 0
    if call.name == "cross_entropy":
        return "softmax_twice" if given.shape[axis] > 1 and _are_probabilities(given, axis) else ""
    if call.name == "nll_loss" and given.shape[axis] > 1:
        if _are_probabilities(given, axis):
            return "no_logarithm"
        unnormalised = (given.exp().sum(axis) - 1).abs() > 0.05
        return "no_logarithm" if bool(unnormalised.all()) and bool((given > 0).any()) else ""
    if call.name == "binary_cross_entropy_with_logits":
        return "sigmoid_twice" if source is not None and source.name in SOFTMAXES else ""
    if call.name == "ctc_loss" and given.dim() >= 2:
        if _are_probabilities(given, -1):
            return "no_logarithm"
        unnormalised = (given.exp().sum(-1) - 1).abs() > 0.05
        return "no_logarithm" if bool(unnormalised.all()) else ""
    if call.name == "kl_div" and bool((given > 0).any()):
        return "no_logarithm" if _are_probabilities(given, -1) else ""
    if call.name in ("softmax", "log_softmax") and source is not None and source.name == "softmax":
        return "softmax_twice" if call.name == "log_softmax" and _are_probabilities(given, -1) else ""
    return ""


def _are_probabilities(given: Any, axis: int) -> bool:
    if bool((given < 0).any()) or bool((given > 1).any()):
        return False
    sums = given.float().sum(axis)
    return sums.numel() > 1 and bool(((sums - 1).abs() < SUMMED).all())


def _source(note: TensorNote) -> TorchCall | None:
    """The op that made the numbers, behind ops that only arrange them."""
    return _base(note).producer


def _base(note: TensorNote) -> TensorNote:
    """The numbers as they were before ops that only arrange them."""
    while (call := note.producer) is not None and call.name in KEEPING and call.inputs:
        note = call.inputs[0]
    return note


def _source_place(evidence: XrayEvidence, source: TorchCall | None, call: TorchCall) -> ProgramPlace:
    if source is not None and source.name in SOFTMAXES:
        return built_place(evidence, source)
    return built_place(evidence, call)


# ---- padding ------------------------------------------------------------------------------------


def padded_labels(evidence: XrayEvidence) -> Iterator[XrayEntry]:
    """Labels that are the padding of their rows, in a loss that does not leave them out."""
    import torch

    model = evidence.subject.model
    if model is None:
        return
    pads = {
        (module.padding_idx, module.num_embeddings)
        for module in model.modules()
        if isinstance(module, torch.nn.Embedding) and module.padding_idx is not None
    }
    for call in evidence.forward.calls:
        if call.name not in ("cross_entropy", "nll_loss") or call.index not in evidence.reaching:
            continue
        if len(call.inputs) < 2 or call.inputs[1].floating:
            continue
        labels, logits = call.inputs[1].value, call.inputs[0]
        left_out = call.options.get("ignore_index", call.arguments[4] if len(call.arguments) > 4 else -100)
        if labels is None or labels.numel() < 4 or call.options.get("reduction") == "none":
            continue
        rows = _rows(call.inputs[1])
        for pad, size in pads:
            if pad == left_out or len(logits.shape) < 2 or logits.shape[1] != size or rows is None:
                continue
            if call.options.get("weight") is not None:
                continue
            tail = _tail(rows, pad)
            if tail < 2:
                continue
            share = float((labels == pad).float().mean())
            yield XrayEntry(
                "loss-shape",
                "loss.padding",
                "finding",
                built_place(evidence, call),
                {"pad": float(pad), "share": f"{share:.0%}"},
                60.0 + share,
            )
            return


def _rows(note: TensorNote) -> Any:
    """The labels as rows, before they were laid out in one line."""
    call = note.producer
    while len(note.shape) < 2 and call is not None and call.name in KEEPING and call.inputs:
        note = call.inputs[0]
        call = note.producer
    return note.value if len(note.shape) == 2 else None


def _tail(rows: Any, pad: int) -> int:
    """How many rows end in two of the padding or more."""
    return int(((rows[:, -2:] == pad).all(1) & (rows[:, 0] != pad)).sum()) if rows.shape[1] >= 3 else 0
