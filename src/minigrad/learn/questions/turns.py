"""Question kind `turns`: the one among four orders in which a right pass may walk the graph."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice

from ...graph import Graph
from ...graph.trace import Trace
from ...graph.wording import name, names
from ...text.translation import say
from .parameters import Parameters
from .question import Prompt, QuestionHead
from .question_bases import ChoiceQuestion, GraphQuestion, graph_text
from .random_graphs import Lot, draw_graph

__all__ = ["TurnsQuestion", "draw", "write"]

CHOICES = 4
SIZES = {1: (5, 6), 2: (6, 7), 3: (7, 9)}
KNOWN = 200  # valid orders of which one is picked
TRIES = 200  # mixed orders that are tried


@dataclass(frozen=True)
class TurnsQuestion(GraphQuestion, ChoiceQuestion):
    """In which of these orders may the ops take their turns?"""

    orders: tuple[tuple[int, ...], ...]

    @property
    def options(self) -> Sequence[str]:
        return tuple(f"`{names(self.subject, order)}`" for order in self.orders)

    @property
    def right(self) -> int:
        return next(
            place for place, order in enumerate(self.orders) if _too_early(self.subject, order) is None
        )

    def prompt(self) -> Prompt:
        return Prompt(
            (say("question.turns"),),
            statements=graph_text(self.subject),
            blanks=("choice",),
            choices=self.choices,
            example="A",
        )

    def why_not(self, place: int) -> tuple[tuple[str, ...], str]:
        return (self._reason(place),), ""

    def _reason(self, place: int) -> str:
        early = _too_early(self.subject, self.orders[place])
        assert early is not None
        node, user = (f"`{name(self.subject, i)}`" for i in early)
        return say("question.turns.early", order=self.options[place], node=node, user=user)

    def reveal(self) -> tuple[str, ...]:
        letter = self.choices[self.right].letter
        others = (self._reason(place) for place in range(len(self.orders)) if place != self.right)
        return f"{letter}: {self.options[self.right]}", say("question.reveal.turns"), *others


def _too_early(graph: Graph, order: Sequence[int]) -> tuple[int, int] | None:
    """The first node whose turn comes before that of one that uses it, and that one."""
    done: set[int] = set()
    for node in order:
        for user in graph.consumers[node]:
            if user not in done:
                return node, user
        done.add(node)
    return None


def _placed(head: QuestionHead, graph: Graph, lot: Lot) -> TurnsQuestion | None:
    """A question about the graph; None where it has too few orders that are not valid."""
    valid = list(islice(graph.orders(), KNOWN))
    true = lot.pick(valid)
    wrong: dict[tuple[int, ...], None] = {}
    for _ in range(TRIES):
        mixed = list(true)
        first, second = lot.below(len(mixed)), lot.below(len(mixed))
        mixed[first], mixed[second] = mixed[second], mixed[first]
        if lot.chance(0.3):
            mixed = lot.shuffled(mixed)
        if _too_early(graph, mixed) is not None:
            wrong[tuple(mixed)] = None
        if len(wrong) == CHOICES - 1:
            break
    else:
        return None
    placed = list(wrong)
    placed.insert(lot.below(CHOICES), tuple(true))
    return TurnsQuestion(head, graph, tuple(placed))


def write(head: QuestionHead, graph: Graph, given: Parameters) -> TurnsQuestion:
    """One that a lesson writes about the graph on stage."""
    question = _placed(head, graph, Lot(head.key))
    if question is None:
        raise ValueError(say("question.turns.few"))
    return question


def draw(head: QuestionHead, lot: Lot, level: int) -> TurnsQuestion:
    """One drawn by lot."""
    found: list[TurnsQuestion] = []

    def suits(graph: Graph, right: Trace) -> bool:
        question = _placed(head, graph, lot)
        found[:] = [question] if question else []
        return bool(found)

    draw_graph(lot, level, shared=(True,), sizes=SIZES[level], suits=suits)
    return found[0]
