"""Wrong engines of the track: one for each way in which a learner gets a step wrong.

The catalogue's faults are planted into each step's solution by the machinery of `mutate`, and the mistakes
that the track knows of itself are made in the textbook.  Each comes with the sentence that names it and with
its lines.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from difflib import SequenceMatcher

from minigrad.doctor.patches.planted_bugs import mutants
from minigrad.doctor.patches.planted_bugs.field_names import read_anatomy
from minigrad.learn.track.mistakes import MISTAKES, NO_MISTAKE, planted, slug_of_fault
from minigrad.learn.track.textbook_parts import CLASS, STEPS, solution

__all__ = ["WrongEngine", "changed_lines", "gives_away", "rewritten", "wrong_engines"]


@dataclass(frozen=True)
class WrongEngine:
    step: str
    slug: str  # of the sentence that names its mistake
    source: str
    planted: str  # the fault of the catalogue; "" for a mistake of the track's own
    where: str  # own: in what the step adds; before: in what an earlier step added
    right: str  # the right engine, written as this one is


def wrong_engines() -> list[WrongEngine]:
    """All of them, each text once."""
    found: dict[str, WrongEngine] = {}
    for mistake in MISTAKES:
        found.setdefault(
            mistake.source,
            WrongEngine(mistake.step, mistake.slug, mistake.source, "", "own", solution(mistake.step)),
        )
    for step in STEPS:
        for engine in _planted(step):
            found.setdefault(engine.source, engine)
    return list(found.values())


def _planted(step: str) -> Iterator[WrongEngine]:
    for slug, source in planted(step):
        yield WrongEngine(step, slug, source, slug, "own", solution(step))
    if step == STEPS[-1]:  # what the earlier steps have added can be broken later as well
        source = solution(step)
        for mutant in mutants(source, read_anatomy(source, CLASS)):
            if mutant.kind not in NO_MISTAKE:
                yield WrongEngine(
                    step, slug_of_fault(mutant.kind), mutant.apply(source), mutant.kind, "before", source
                )


_RENAMED = {
    "out": "result", "other": "right", "order": "nodes", "visited": "known", "node": "each", "child": "below",
    "product": "first", "total": "last", "seen": "met", "t": "bent", "e": "grown", "values": "given",
    "weight": "w", "at": "output_at", "_backward": "_backward",
}  # fmt: skip


class _Rewriter(ast.NodeTransformer):
    """Other names, and sums written out."""

    def visit_Name(self, node: ast.Name) -> ast.Name:
        return ast.Name(_RENAMED.get(node.id, node.id), node.ctx)

    def visit_arg(self, node: ast.arg) -> ast.arg:
        return ast.arg(_RENAMED.get(node.arg, node.arg))

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        self.generic_visit(node)
        node.name = _RENAMED.get(node.name, node.name)
        return node

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.Assign:
        self.generic_visit(node)
        read = ast.parse(ast.unparse(node.target), mode="eval").body
        return ast.Assign([node.target], ast.BinOp(read, node.op, node.value))


def rewritten(engine: WrongEngine) -> WrongEngine:
    """The same engine as somebody else would write it."""
    return replace(engine, source=_rewritten(engine.source), right=_rewritten(engine.right))


def _rewritten(source: str) -> str:
    return ast.unparse(ast.fix_missing_locations(_Rewriter().visit(ast.parse(source)))) + "\n"


def changed_lines(engine: WrongEngine) -> set[int]:
    """Lines of the wrong engine that are not as in the right one, and those beside lines that are missing."""
    wrong, right = engine.source.splitlines(), engine.right.splitlines()
    found: set[int] = set()
    for kind, start, end, _, _ in SequenceMatcher(None, wrong, right, autojunk=False).get_opcodes():
        if kind in ("replace", "delete"):
            found |= set(range(start + 1, end + 1))
        if kind == "insert" or (kind == "replace" and not "".join(wrong[start:end]).strip()):
            found |= {_written(wrong, range(start, 0, -1)), _written(wrong, range(start + 1, len(wrong) + 1))}
    return found


def _written(lines: list[str], numbers: range) -> int:
    """The first of these lines that is not empty."""
    return next((number for number in numbers if lines[number - 1].strip()), 0)


def gives_away(text: str, engine: WrongEngine) -> list[str]:
    """Pieces of code that the right engine has in place of the wrong one's, and that stand in a text."""
    wrong, right = engine.source.splitlines(), engine.right.splitlines()
    pieces: list[str] = []
    for kind, start, end, first, last in SequenceMatcher(None, wrong, right, autojunk=False).get_opcodes():
        if kind == "equal" or kind == "delete":
            continue
        old, new = " ".join(wrong[start:end]), "\n".join(right[first:last])
        pieces += [line.strip() for line in new.splitlines() if line.strip()]
        before, after = _tokens(old), _tokens(new)
        for how, _, _, i, j in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
            if how in ("replace", "insert"):
                pieces.append(" ".join(after[i:j]))
    said = _squeezed(text)
    return [piece for piece in pieces if _is_code(piece) and _squeezed(piece) in said]


def _tokens(text: str) -> list[str]:
    return re.findall(r"\w+|[^\w\s]+", text)


def _squeezed(text: str) -> str:
    return re.sub(r"\s+", "", text)


def _is_code(piece: str) -> bool:
    """Would it tell what to write?  A name, sign or number that a sentence can have anyway would not."""
    tokens = _tokens(piece)
    return len(tokens) > 1 or piece in ("+=", "reversed", "**", "0.0", "1.0")
