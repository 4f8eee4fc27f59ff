"""Table of the kinds of questions, one row and one file each; a question by its key, by lot, or of a lesson.

What a lesson may write behind `question KIND NAME`, about the graph on stage; [...] may be left out:

    data        [about=e]                            the data of these nodes; of the output without it
    gradient    [about=a,b]                          the gradients of these nodes; of all inputs without it
    running     about=a after=f [order=L,f,e,ab]     what stands in the gradient of a after the turn of f
    order       fault=overwrite [order=e,c,d] [variant=mul] [about=a,b]
                                                     what that pass leaves behind, walked in that order
    turns                                            which of these orders is valid: a choice
    lost        about=a [fault=overwrite] [order=e,c,d] [variant=mul] [ask=kept]
                                                     which contribution to a was lost, or was kept: a choice
    bug         fault=overwrite [order=e,c,d] [variant=mul] [among=keep-first,recursion,sub-sign]
                                                     which bug gave these numbers: a choice
    rule        op=tanh [slot=1]                     the missing local rule, as an expression; no graph
    expose      fault=overwrite [variant=mul]        a graph that exposes the bug, written freely; no graph
    leverage                                         which input moves the output most, which way: a choice
    difference  about=a [h=0.001]                    the central difference from values that are given

`order` is newest first where it is left out; `variant` is worded as in `minigrad break --variant`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from re import fullmatch
from typing import Protocol

from ...graph import Graph
from ...text.translation import say
from .parameters import Parameters
from .question import Question, QuestionHead
from .random_graphs import EDITION, LEVELS, Lot

__all__ = ["KINDS", "Kind", "generate", "lesson_question", "question"]


class KindModule(Protocol):
    """The file of a kind: it draws a question by lot, and makes one of what a lesson writes."""

    def draw(self, head: QuestionHead, lot: Lot, level: int, /) -> Question: ...

    def write(self, head: QuestionHead, graph: Graph, parameters: Parameters, /) -> Question: ...


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of question, as one row of the table."""

    name: str
    unit: str  # the unit that it is taught in
    needs: tuple[str, ...] = ()  # parameters that a lesson must give
    may: tuple[str, ...] = ()  # and those that it may
    staged: bool = True  # is it about the graph on stage?
    file: str = ""  # the module beside this one, if it has another name than the kind

    def draw(self, head: QuestionHead, lot: Lot, level: int) -> Question:
        return self._module.draw(head, lot, level)

    def write(self, head: QuestionHead, graph: Graph, parameters: Parameters) -> Question:
        return self._module.write(head, graph, parameters)

    @property
    def _module(self) -> KindModule:
        module: KindModule = import_module(f".{self.file or self.name}", __package__)
        return module


# fmt: off
_ROWS = (
    Kind("data",       "data-and-grad", may=("about",)),
    Kind("gradient",   "by-hand",       may=("about",)),
    Kind("running",    "by-hand",       needs=("about", "after"), may=("order",), file="partial_gradient"),
    Kind("order",      "order",         needs=("fault",), may=("order", "variant", "about")),
    Kind("lost",       "diamonds",      needs=("about",), may=("fault", "order", "variant", "ask"),
         file="lost_branch"),
    Kind("bug",        "break",         needs=("fault",), may=("variant", "order", "among")),
    Kind("rule",       "local-rules",   needs=("op",), may=("slot",), staged=False),
    Kind("expose",     "break",         needs=("fault",), may=("variant",), staged=False),
    Kind("leverage",   "data-and-grad"),
    Kind("difference", "three-ways",    needs=("about",), may=("h",)),
    Kind("turns",      "order"),
)
# fmt: on
KINDS: dict[str, Kind] = {row.name: row for row in _ROWS}
_NOTHING = "0"


def _kind(name: str) -> Kind:
    if name not in KINDS:
        raise ValueError(say("question.kind", given=ascii(name), known=", ".join(KINDS)))
    return KINDS[name]


def generate(kind: str, level: int, seed: int | str, edition: int = EDITION) -> Question:
    """The question of that kind, level and seed: always the same one in one edition."""
    row = _kind(kind)
    if level not in LEVELS or isinstance(level, bool):
        raise ValueError(say("question.level", given=ascii(level), known=", ".join(map(str, LEVELS))))
    if not fullmatch(r"[\w.-]{1,80}", str(seed)):
        raise ValueError(say("question.seed", given=ascii(str(seed)[:40])))
    key = f"{kind}:{level}:{seed}"
    return row.draw(QuestionHead(key, kind, row.unit), Lot(key, edition), level)


def lesson_question(
    unit: str, kind: str, name: str, graph: Graph | None, parameters: Mapping[str, str], lead: str = ""
) -> Question:
    """A question of a lesson; ValueError says what is wrong with what the lesson writes."""
    row = _kind(kind)
    known = (*row.needs, *row.may)
    for each in parameters:
        if each not in known:
            names = ", ".join(known) or say("question.parameter.none")
            raise ValueError(say("question.parameter", kind=kind, given=ascii(each), known=names))
    for each in row.needs:
        if each not in parameters:
            raise ValueError(say("question.parameter.missing", kind=kind, key=each))
    if graph is None:
        if row.staged:
            raise ValueError(say("question.stage", kind=kind))
        from ...language import parse

        graph = parse(_NOTHING)
    return row.write(
        QuestionHead(f"{unit}/{name}", kind, unit, lead), graph, Parameters(kind, graph, parameters)
    )


def question(key: str, edition: int = EDITION) -> Question:
    """The question of a key, `gradient:2:17` or `diamonds/lost-branch`."""
    if (found := fullmatch(r"([a-z]+):(\d+):(.+)", key)) is not None:
        return generate(found[1], int(found[2][:3]), found[3], edition)
    unit, slash, _ = key.partition("/")
    if slash:
        from ..course import questions

        for each in questions(unit):
            if each.key == key:
                return each
    raise ValueError(say("question.key", given=ascii(key[:60])))
