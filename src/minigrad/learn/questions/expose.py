"""Question kind `expose`: a graph that exposes a bug, written freely, or chosen among four.

A graph exposes a bug when a pass with the bug leaves a wrong number in it whichever valid order it walks.
Where it does so in some orders only, that is told with one of each.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import isfinite

from ...faults.break_lab import fault_called
from ...faults.catalogue import FAULTS
from ...faults.fault import Suspect
from ...faults.hiding_place import LINEAR
from ...faults.order_outcomes import Outcome, outcomes
from ...graph import Graph
from ...graph.trace import RIGHT, Trace, trace
from ...graph.wording import name, names, statement
from ...language import LanguageError, parse
from ...text.numerals import show
from ...text.translation import say
from .mistakes import same
from .number_parser import UnreadableError
from .parameters import Parameters
from .question import Answer, Judgement, Prompt, Question, QuestionHead
from .question_bases import ChoiceQuestion, unreadable_judgement
from .question_text import as_code, bug_name, bug_words, mark_formulas
from .random_graphs import Lot, draw_graph

__all__ = ["ExposeChoiceQuestion", "ExposeQuestion", "draw", "exposure", "write"]

LONGEST = 2000  # characters of an answer
LARGEST = 40  # nodes of it
CHOICES = 4
POOL = 7  # graphs in which a bug hides, of which three are offered
HIDING = {  # bugs that show on some small graphs and hide on others
    1: ("overwrite", "average", "sub-sign", "neg-sign", "add-as-mul"),
    2: ("overwrite", "keep-first", "average", "upstream-ignored", "sub-sign", "one-parent"),
    3: ("recursion", "pre-order", "stack-revisits", "upstream-ignored", "one-parent"),
}


def exposure(suspect: Suspect, graph: Graph) -> tuple[list[Outcome], list[Outcome]]:
    """What a bug leaves in a graph over the valid orders: results with a wrong number, and right ones."""
    right = trace(graph)
    variants = list(suspect.fault.variants(graph))
    if suspect.portable:
        variants = [suspect.variant] if suspect.variant in variants else []
    quiet = Outcome(right.grads, tuple(i for i in graph.order if graph.nodes[i].args), 1)
    found: tuple[list[Outcome], list[Outcome]] = ([], [quiet])
    for variant in variants:
        results = outcomes(graph, suspect.fault.swap(RIGHT, variant), suspect.fault.ordered)
        if not results.complete and not results.found:
            return [Outcome((), (), 1)], []  # it does not come to an end, which everybody notices
        if not results.complete:
            raise UnreadableError(say("question.expose.orders"))
        split: tuple[list[Outcome], list[Outcome]] = ([], [])
        for outcome in results.found:
            fine = all(same(outcome.grads[i], right.grads[i]) for i in graph.inputs)
            split[fine].append(outcome)
        if split[0] and not split[1]:
            return split
        found = split if split[0] and not found[0] else found
    return found


# ---- in one's own words -------------------------------------------------------------------------


@dataclass(frozen=True)
class ExposeQuestion(Question):
    """Write a graph that exposes this bug."""

    suspect: Suspect

    def prompt(self) -> Prompt:
        graph = self.suspect.fault.graph
        text = say("question.expose", bug=bug_words(self.suspect, graph))
        return Prompt((text, say("question.expose.how")), blanks=("expression",), example=self._example)

    @cached_property
    def _example(self) -> str:
        """A graph to show how one is written: one in which the bug hides, if there is such a one."""
        return next((text for text in LINEAR if not exposure(self.suspect, parse(text))[0]), LINEAR[0])

    def judge(self, answer: Answer) -> Judgement:
        try:
            graph = self._read(answer.get("expression", ""))
            wrong, right = self._exposure(graph)
        except UnreadableError as error:
            return unreadable_judgement(error)
        slug = self.suspect.fault.slug
        if wrong and not right:
            return Judgement(True, (say("question.right"), *self._comparison(graph, wrong[0])))
        if wrong:
            walked = {"wrong": _order(graph, wrong[0]), "right": _order(graph, right[0])}
            return Judgement(False, (say("question.expose.sometimes", **walked),), slug)
        return Judgement(False, (say("question.expose.hides"), *self._hint(graph)), slug)

    def _read(self, text: str) -> Graph:
        if not text.strip():
            raise UnreadableError(say("question.expose.missing", example=as_code(self._example)))
        if len(text) > LONGEST:
            raise UnreadableError(say("question.expose.long", limit=LONGEST))
        try:
            graph = parse(text)
        except LanguageError as error:
            raise UnreadableError(f"{mark_formulas(error.reason)}; {mark_formulas(error.hint)}") from None
        if not graph.inputs or not graph.active[graph.output]:
            raise UnreadableError(say("question.expose.no_input"))
        if len(graph) > LARGEST:
            raise UnreadableError(say("question.expose.large", count=len(graph), limit=LARGEST))
        return graph

    def _exposure(self, graph: Graph) -> tuple[list[Outcome], list[Outcome]]:
        right = trace(graph)
        if not all(isfinite(x) for x in (*right.values, *(right.grads[i] for i in graph.inputs))):
            raise UnreadableError(say("question.expose.infinite"))
        return exposure(self.suspect, graph)

    def _comparison(self, graph: Graph, outcome: Outcome) -> Iterator[str]:
        if outcome.grads:
            both = {"broken": _numbers(graph, outcome.grads), "right": _numbers(graph, trace(graph).grads)}
            yield say("question.expose.shows", **both)

    def _hint(self, graph: Graph) -> Iterator[str]:
        fault = self.suspect.fault
        if not list(fault.variants(graph)) or (
            self.suspect.portable and self.suspect.variant not in fault.variants(graph)
        ):
            yield say("question.expose.untouched")
        else:
            yield say(f"question.expose.hint.{fault.family if fault.family in HINTS else 'rule'}")

    @property
    def solution(self) -> Answer:
        return {"expression": self.suspect.fault.smallest}

    def reveal(self) -> tuple[str, ...]:
        graph = self.suspect.fault.graph
        wrong = exposure(self.suspect, graph)[0]
        return (as_code(self.suspect.fault.smallest), *(self._comparison(graph, wrong[0]) if wrong else ()))

    def mistaken_answers(self) -> Iterator[Answer]:
        for text in LINEAR:
            yield {"expression": text}


HINTS = ("sum", "order", "upstream", "record", "slots")


def _order(graph: Graph, outcome: Outcome) -> str:
    return f"`{names(graph, outcome.order)}`"


def _numbers(graph: Graph, grads: Sequence[float]) -> str:
    return "`" + ", ".join(f"{name(graph, i)} = {show(grads[i])}" for i in graph.inputs) + "`"


# ---- among four ---------------------------------------------------------------------------------


@dataclass(frozen=True)
class ExposeChoiceQuestion(ChoiceQuestion):
    """Which of these graphs exposes the bug?"""

    suspect: Suspect
    graphs: tuple[Graph, ...]
    true: int

    @property
    def right(self) -> int:
        return self.true

    @property
    def options(self) -> Sequence[str]:
        return tuple(f"`{statement(graph)}`" for graph in self.graphs)

    def prompt(self) -> Prompt:
        text = say("question.expose.among", bug=bug_words(self.suspect, self.graphs[self.true]))
        return Prompt((text,), blanks=("choice",), choices=self.choices, example="A")

    def why_not(self, place: int) -> tuple[tuple[str, ...], str]:
        graph = self.graphs[place]
        numbers = _numbers(graph, trace(graph).grads)
        bug = bug_name(self.suspect, self.graphs[self.true])
        return (say("question.expose.quiet", numbers=numbers, bug=bug),), self.suspect.fault.slug

    def reveal(self) -> tuple[str, ...]:
        graph = self.graphs[self.true]
        broken = exposure(self.suspect, graph)[0][0]
        both = {"broken": _numbers(graph, broken.grads), "right": _numbers(graph, trace(graph).grads)}
        letter = self.choices[self.right].letter
        return f"{letter}: {self.options[self.right]}", say("question.expose.shows", **both)


def write(head: QuestionHead, graph: Graph, given: Parameters) -> ExposeQuestion:
    """One that a lesson writes."""
    fault = fault_called(given.text("fault"))
    wished = given.given.get("variant")
    suspects = fault.suspects(fault.graph)
    chosen = [each for each in suspects if wished in (None, each.what(fault.graph))]
    if not chosen:
        known = ", ".join(each.what(fault.graph) for each in suspects)
        raise ValueError(say("lab.variant.unknown", slug=fault.slug, given=ascii(wished), known=known))
    question = ExposeQuestion(head, chosen[0])
    if not question.judge(question.solution).right:
        raise ValueError(say("question.expose.never", slug=fault.slug))
    return question


def draw(head: QuestionHead, lot: Lot, level: int) -> ExposeChoiceQuestion:
    """One drawn by lot; by its length, none of the four is more likely to be the right one."""
    fault = FAULTS[lot.pick(HIDING[level])]
    suspect = Suspect(fault, next(iter(fault.sample)))
    graphs: dict[bool, dict[str, Graph]] = {True: {}, False: {}}
    wanted = {True: 1, False: POOL if lot.even else CHOICES - 1}

    def suits(graph: Graph, right: Trace) -> bool:
        """Exposes it in every order, or hides it in every one; and one of these is still wanted."""
        wrong, fine = exposure(suspect, graph)
        shows = bool(wrong)
        if (wrong and fine) or len(graphs[shows]) == wanted[shows]:
            return False
        if wrong and not (wrong[0].grads and all(map(isfinite, wrong[0].grads))):
            return False
        graphs[shows][statement(graph)] = graph
        return True

    while any(len(graphs[shows]) < wanted[shows] for shows in wanted):
        sizes = (3 if level == 1 else 4, level + (4 if lot.even else 3))
        draw_graph(lot, level, shared=(True, False), sizes=sizes, suits=suits)
    ((text, exposing),) = graphs[True].items()
    beside = _beside(graphs[False], len(text), lot) if lot.even else graphs[False].values()
    placed = lot.shuffled((exposing, *beside))
    return ExposeChoiceQuestion(head, suspect, tuple(placed), placed.index(exposing))


def _beside(pool: Mapping[str, Graph], length: int, lot: Lot) -> list[Graph]:
    """Three of a pool, so many of them shorter than the right one as the lot says, as far as there are."""
    shorter = [graph for text, graph in pool.items() if len(text) < length]
    longer = [graph for text, graph in pool.items() if len(text) >= length]
    count = min(max(lot.below(CHOICES), CHOICES - 1 - len(longer)), len(shorter))
    return [*shorter[:count], *longer[: CHOICES - 1 - count]]
