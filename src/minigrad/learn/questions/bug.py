"""Question kind `bug`: four bugs are offered, and only one of them gives these numbers, in whatever order."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from ...faults.break_lab import lab
from ...faults.catalogue import FAULTS
from ...faults.contribution_text import account_in_words
from ...faults.contributions import Account, accounts, told_apart
from ...faults.distinction import gives
from ...faults.fault import Suspect
from ...faults.order_outcomes import outcomes
from ...graph import Graph
from ...graph.trace import Trace, trace
from ...graph.wording import name, names
from ...text.numerals import show
from ...text.translation import say
from .mistakes import same
from .parameters import Parameters
from .question import Prompt, QuestionHead
from .question_bases import ChoiceQuestion, GraphQuestion, graph_text
from .question_text import bug_name, bug_words
from .random_graphs import Lot, draw_graph

__all__ = ["BugQuestion", "draw", "write"]

CHOICES = 4
KNOWN = (  # bugs whose names a learner of the course can make something of
    "overwrite", "keep-first", "keep-largest", "average", "accumulate-twice", "subtract", "recursion",
    "not-reversed", "pre-order", "seed-is-data", "upstream-ignored", "upstream-added", "data-for-grad",
    "second-operand-cut", "slots-swapped", "sub-sign", "neg-sign", "add-as-mul", "mul-own-factor",
    "mul-as-add", "mul-by-output", "square-no-two", "one-parent",
)  # fmt: skip


@dataclass(frozen=True)
class BugQuestion(GraphQuestion, ChoiceQuestion):
    """Which of these bugs gave these gradients?"""

    suspects: tuple[Suspect, ...]
    true: int  # the place of the bug that gave the numbers
    order: tuple[int, ...]

    @property
    def right(self) -> int:
        return self.true

    @cached_property
    def observed(self) -> tuple[float, ...]:
        """What the broken pass left in the inputs."""
        walked = trace(self.subject, pieces=self.suspects[self.right].pieces(), order=self.order)
        return tuple(walked.grads[i] for i in self.subject.inputs)

    @property
    def _accounts(self) -> Iterator[Account]:
        """What each input was owed, and what it got."""
        pieces = self.suspects[self.right].pieces()
        broken = trace(self.subject, pieces=pieces, order=self.order)
        twin = trace(self.subject, pieces=told_apart(pieces), order=self.order)
        found = accounts(trace(self.subject), broken, twin)
        return (found[i] for i in self.subject.inputs)

    @property
    def options(self) -> Sequence[str]:
        return tuple(bug_words(suspect, self.subject) for suspect in self.suspects)

    def prompt(self) -> Prompt:
        graph = self.subject
        return Prompt(
            (say("question.bug"),),
            statements=graph_text(graph),
            table=(tuple(f"`{name(graph, i)}`" for i in graph.inputs), tuple(map(show, self.observed))),
            blanks=("choice",),
            choices=self.choices,
            example="A",
        )

    def why_not(self, place: int) -> tuple[tuple[str, ...], str]:
        suspect = self.suspects[place]
        results = gives(suspect, self.subject)
        key = "question.bug.gives" if len(results) == 1 else "question.bug.gives.several"
        return (say(key, numbers=self._numbers(results[0])),), suspect.fault.slug

    def _numbers(self, grads: Iterable[float]) -> str:
        pairs = zip(self.subject.inputs, grads, strict=True)
        return "`" + ", ".join(f"{name(self.subject, i)} = {show(x)}" for i, x in pairs) + "`"

    def reveal(self) -> tuple[str, ...]:
        graph, suspect = self.subject, self.suspects[self.right]
        due = trace(graph).grads
        lines = [f"{self.choices[self.right].letter}: {self.options[self.right]}"]
        if suspect.fault.ordered:
            order = f"`{names(graph, self.order)}`"
            lines.append(say("question.reveal.bug", bug=bug_name(suspect, graph), order=order))
        lines.append(say("question.reveal.due", numbers=self._numbers(due[i] for i in graph.inputs)))
        lines += (f"`{account_in_words(graph, account)}`" for account in self._accounts if not account.right)
        return tuple(lines)


def _among(results: Iterable[Sequence[float]], observed: Sequence[float]) -> bool:
    return any(all(same(x, y) for x, y in zip(each, observed, strict=True)) for each in results)


def others(graph: Graph, true: Suspect, observed: Sequence[float], lot: Lot) -> list[Suspect]:
    """Three other bugs that show on the graph and give these numbers in no order."""
    right = trace(graph)
    due = tuple(right.grads[i] for i in graph.inputs)
    found: list[Suspect] = []
    for slug in lot.shuffled(KNOWN):
        fault = FAULTS[slug]
        if slug == true.fault.slug or len(found) == CHOICES - 1:
            continue
        for suspect in lot.shuffled(fault.suspects(graph)):
            results = gives(suspect, graph)
            if not _among(results, observed) and not _among(results, due):
                found.append(suspect)
                break
    return found


def _placed(
    head: QuestionHead, graph: Graph, true: Suspect, rest: Sequence[Suspect], order: tuple[int, ...], lot: Lot
) -> BugQuestion:
    suspects = lot.shuffled((true, *rest))
    return BugQuestion(head, graph, tuple(suspects), suspects.index(true), order)


def write(head: QuestionHead, graph: Graph, given: Parameters) -> BugQuestion:
    """One that a lesson writes about the graph on stage."""
    true, order, lot = given.suspect(), given.order(), Lot(head.key)
    walked = trace(graph, pieces=true.pieces(), order=order)
    observed = tuple(walked.grads[i] for i in graph.inputs)
    if _among([observed], [trace(graph).grads[i] for i in graph.inputs]):
        raise ValueError(say("question.bug.hides", slug=true.fault.slug))
    wanted = [each.strip() for each in given.text("among", "").split(",") if each.strip()]
    if not wanted:
        rest = others(graph, true, observed, lot)
    else:
        rest = [lab(graph, slug).suspect for slug in wanted]
        for suspect in rest:
            if _among(gives(suspect, graph), observed):
                raise ValueError(say("question.bug.too", slug=suspect.fault.slug))
    if not rest:
        raise ValueError(say("question.bug.alone", slug=true.fault.slug))
    return _placed(head, graph, true, rest, order, lot)


def draw(head: QuestionHead, lot: Lot, level: int) -> BugQuestion:
    """One drawn by lot."""
    found: list[BugQuestion] = []

    def suits(graph: Graph, right: Trace) -> bool:
        found.clear()
        due = tuple(right.grads[i] for i in graph.inputs)
        for slug in lot.shuffled(KNOWN)[:6]:
            for suspect in lot.shuffled(FAULTS[slug].suspects(graph))[:1]:
                outcome = lot.pick(outcomes(graph, suspect.pieces(), suspect.fault.ordered).found or (None,))
                if outcome is None:
                    continue
                observed = tuple(outcome.grads[i] for i in graph.inputs)
                if _among([observed], due) or not any(observed) or not all(map(_short, observed)):
                    continue
                rest = others(graph, suspect, observed, lot)
                if len(rest) == CHOICES - 1:
                    order = outcome.order if suspect.fault.ordered else _newest_first(graph)
                    found.append(_placed(head, graph, suspect, rest, order, lot))
                    return True
        return False

    draw_graph(lot, level, sizes=(4, 5) if level == 1 else None, shared=(True,), suits=suits)
    return found[0]


def _short(x: float) -> bool:
    """A number that a table can show whole."""
    return abs(x) < 1000.0 and (8.0 * x).is_integer()


def _newest_first(graph: Graph) -> tuple[int, ...]:
    return tuple(i for i in graph.order if graph.nodes[i].args)
