"""Repairs for someone's engine: small edits of its source, the likeliest first.

    for found in repairs(source, anatomy(source, "Value"), Suspicion("overwrite-one-op", "tanh")):
        found.line, found.before, found.after, found.apply(source)

None of them is known to help: whoever asks applies one after the other, runs what comes out and takes
the first that does.  What the suspected fault suggests comes first, then what is wrong on paper, then
the rest; among equals, the smaller edit.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from itertools import chain
from typing import NamedTuple

from ....faults import FAULTS
from ..anatomy import Anatomy
from ..patch import Patch, make_patch
from . import (
    accumulation,
    graph_record,
    local_rules,
    node_fields,
    op_compositions,
    op_rewrite,
    stale_state,
    traversal,
)

__all__ = ["Patch", "Suspicion", "likely", "repairs"]

MOST = 400  # candidates in all


class Suspicion(NamedTuple):
    fault: str = ""  # a slug of the catalogue; "" where none is suspected
    op: str = ""  # an op of the table; "" for all of them


ANYTHING = Suspicion()
Maker = Callable[[Anatomy, str], Iterator[Patch | None]]

_MAKERS: dict[str, Maker] = {
    "accumulate": accumulation.repair_accumulation,
    "wrong-rule": partial(local_rules.correct_rule, wrong=True),
    "composed": partial(op_compositions.compose_op, wrong=True),
    "wrong-value": partial(local_rules.correct_value, wrong=True),
    "mirrored": op_compositions.mirror_operands,
    "attach": graph_record.attach_closure,
    "target": accumulation.repair_target,
    "upstream": accumulation.repair_upstream,
    "chain": accumulation.repair_chain_rule,
    "all-rules": local_rules.correct_all_rules,
    "order": traversal.repair_order,
    "handed-down": traversal.hand_down_share,
    "guard": traversal.repair_guard,
    "seed": traversal.repair_seed,
    "closure": graph_record.add_closure,
    "children": graph_record.connect_operands,
    "rules-added": local_rules.add_missing_rule,
    "flags": stale_state.reset_flags,
    "defaults": stale_state.renew_defaults,
    "distinct": stale_state.compare_by_identity,
    "in-place": op_compositions.replace_in_place,
    "on-output": graph_record.record_on_output,
    "kept": node_fields.ask_node_itself,
    "decided": node_fields.decide_by_any_operand,
    "by-slot": node_fields.keep_locals_by_slot,
    "textbook": traversal.write_textbook_pass,
    "keyed": stale_state.add_repeated_entries,
    "swap": local_rules.swap_slots,
    "sign": accumulation.repair_sign,
    "doubled": local_rules.remove_doubled_statement,
    "spelled-out": accumulation.spell_out_addition,
    "stored": stale_state.store_number_whole,
    "cut": partial(op_compositions.compose_op, wrong=False),
    "rule": partial(local_rules.correct_rule, wrong=False),
    "value": partial(local_rules.correct_value, wrong=False),
    "written": op_rewrite.write_op_out,
    "several": lambda anatomy, op: _several(anatomy),
}  # in the order in which they are tried where nothing is suspected

_BY_FAMILY = {
    "sum": ("accumulate", "wrong-rule", "sign", "doubled", "spelled-out", "chain", "all-rules"),
    "order": ("handed-down", "guard", "order", "textbook"),
    "seed": ("seed",),
    "upstream": ("upstream", "chain", "wrong-rule", "all-rules", "rule"),
    "data-or-grad": ("upstream", "wrong-rule", "chain", "all-rules", "rule"),
    "slots": ("by-slot", "keyed", "swap", "rules-added", "children", "wrong-rule"),
    "record": ("attach", "decided", "children", "closure", "cut", "written", "on-output", "distinct"),
    "state": ("flags", "defaults", "seed", "guard"),
    "rule": ("wrong-rule", "rules-added", "rule"),
    "reflected": ("composed", "mirrored", "wrong-rule", "wrong-value", "written"),
    "forward": ("wrong-value", "composed", "value"),
    "numeric": ("stored", "wrong-value", "value", "wrong-rule"),
}
_BY_FAULT = {
    "relu-zeroes": ("accumulate", "rule"),
    "aliased-upstream": ("spelled-out", "accumulate"),
    "subtract": ("sign",),
    "accumulate-twice": ("doubled", "wrong-rule"),
    "hash-by-content": ("distinct", "guard"),
    "equal-leaves-merged": ("distinct",),
    "op-on-operand": ("on-output", "kept"),
    "one-parent": ("on-output", "kept"),
    "closure-on-input": ("attach",),
    "closure-never-attached": ("attach",),
    "op-without-rule": ("attach", "closure", "cut", "written"),
    "op-cut-from-graph": ("attach", "decided", "children", "closure", "cut", "written"),
    "pow-exponent-missing": ("rules-added", "written"),
    "second-operand-cut": ("rules-added", "children", "decided"),
    "guard-misplaced": ("handed-down", "guard", "order", "textbook"),
    "not-reversed": ("order",),
    "pre-order": ("order", "guard", "textbook"),
    "default-arguments-outlive": ("defaults", "flags"),
    "visited-flags-outlive": ("flags", "defaults", "textbook"),
    "children-in-a-set": ("keyed", "by-slot"),
    "locals-by-operand": ("by-slot", "keyed"),
    "zero-grad-in-the-loop": ("seed",),
}

_DESCRIBED = {  # what no row of the catalogue explains; the first is about what is wrong on paper
    "wrong-rule": (
        "wrong-rule",
        "target",
        "rules-added",
        "attach",
        "children",
        "closure",
        "composed",
        "cut",
        "rule",
    ),
    "wrong-composition": ("composed", "mirrored", "wrong-value", "cut"),
    "wrong-value": ("wrong-value", "composed", "value"),
    "wrong-pass": ("guard", "order", "handed-down", "textbook", "attach", "children"),
}


def _several(anatomy: Anatomy) -> Iterator[Patch | None]:
    """Two or three bugs that hide each other: what holds for all ops, together with a new pass."""
    whole = [
        max((r for r in make(anatomy, "") if r is not None), key=lambda r: len(r.edits), default=None)
        for make in (accumulation.repair_accumulation, graph_record.attach_closure)
    ]
    walks = [r for r in traversal.write_textbook_pass(anatomy, "") if r is not None][:3]
    found = [r for r in whole if r is not None]
    walks += [r for r in traversal.repair_guard(anatomy, "") if r is not None and r.kind in GUARDS][:3]
    if len(found) == 2:
        yield _together(anatomy, *found)
    for walk in walks:
        for one in found:
            yield _together(anatomy, one, walk)
        if len(found) == 2:
            yield _together(anatomy, *found, walk)


GUARDS = ("mark-added", "guard-asked", "guard")


def _together(anatomy: Anatomy, *parts: Patch) -> Patch | None:
    edits = [edit for part in parts for edit in part.edits]
    whole = make_patch(anatomy, "several", *edits)
    return None if whole is None else replace(whole, parts=parts)


def repairs(
    source: str, anatomy: Anatomy, suspicion: Suspicion | tuple[str, str] = ANYTHING
) -> Iterator[Patch]:
    """Candidates, each once: for the op that is suspected, then for all."""
    fault, op = suspicion
    family = FAULTS[fault].family if fault in FAULTS else ""
    first = (*_BY_FAULT.get(fault, ()), *_BY_FAMILY.get(family, ()), *_DESCRIBED.get(fault, ()))
    names = list(dict.fromkeys((*first, *_MAKERS)))
    pointed = list(dict.fromkeys(first))
    calls = [(name, op) for name in pointed]
    if op:
        calls += [(name, op) for name in names]
        calls += [(name, "") for name in pointed]
    calls += [(name, "") for name in names]
    found = chain.from_iterable(_MAKERS[name](anatomy, what) for name, what in dict.fromkeys(calls))
    seen: set[str] = set()
    for candidate in found:
        if candidate is None:
            continue
        patched = candidate.apply(source)
        if patched not in seen:
            seen.add(patched)
            yield candidate
            if len(seen) >= MOST:
                return


def likely(source: str, anatomy: Anatomy, suspicion: Suspicion | tuple[str, str]) -> Iterator[Patch]:
    """Only those that the suspected fault itself suggests: where to look when nothing could be confirmed."""
    fault, op = suspicion
    family = FAULTS[fault].family if fault in FAULTS else ""
    on_paper = _DESCRIBED.get(fault, ())[:1] if op else ()
    for name in _BY_FAULT.get(fault) or _BY_FAMILY.get(family) or on_paper:
        for candidate in _MAKERS[name](anatomy, op):
            if candidate is not None and candidate.apply(source) != source:
                yield candidate
