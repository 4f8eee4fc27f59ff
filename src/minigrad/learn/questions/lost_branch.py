"""Question kind `lost`: the contribution that is missing in the given gradients of a broken pass."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from ...faults.catalogue import FAULTS
from ...faults.contribution_text import account_in_words
from ...faults.contributions import Account, ContributionTerm, accounts, told_apart
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
from .question_text import bug_name
from .random_graphs import Lot, draw_graph

__all__ = ["LostBranchQuestion", "draw", "write"]

FAULTY = ("overwrite", "keep-first", "keep-largest")
ELSEWHERE = (  # bugs that can leave one node right, however many contributions it gets
    "overwrite-one-op", "sub-sign", "neg-sign", "mul-own-factor", "mul-as-add", "add-as-mul",
)  # fmt: skip
COUNT = 2  # contributions to the node; of three, a pass that keeps one loses two


@dataclass(frozen=True)
class LostBranchQuestion(GraphQuestion, ChoiceQuestion):
    """Which contribution is missing in these gradients?"""

    about: int
    suspect: Suspect
    order: tuple[int, ...]

    @cached_property
    def broken(self) -> Trace:
        return trace(self.subject, pieces=self.suspect.pieces(), order=self.order)

    @cached_property
    def _account(self) -> Account:
        twin = trace(self.subject, pieces=told_apart(self.suspect.pieces()), order=self.order)
        return accounts(self._right, self.broken, twin)[self.about]

    @cached_property
    def terms(self) -> tuple[ContributionTerm, ...]:
        """The contributions that are due, in the order of their nodes."""
        return tuple(sorted(self._account.owed, key=lambda term: (term.source, term.slot)))

    def without(self, place: int) -> float:
        """The gradient with one contribution missing; with none of them missing for the last choice."""
        missing = self.terms[place].amount if place < len(self.terms) else 0.0
        return self._right.grads[self.about] - missing

    @property
    def clear(self) -> bool:
        """Was one contribution lost at most, and do the numbers say which?"""
        account = self._account
        if len(account.lost) > 1 or account.changed or account.extra or len(account.owed) < 2:
            return False
        fitting = [p for p in range(len(self.terms) + 1) if same(self.without(p), account.got)]
        return fitting == [self.right]

    @property
    def shows(self) -> bool:
        """Is some number of the table wrong?"""
        return any(not same(self.broken.grads[i], self._right.grads[i]) for i in self.subject.inputs)

    @property
    def right(self) -> int:
        lost = self._account.lost
        return self.terms.index(lost[0]) if lost else len(self.terms)

    @property
    def options(self) -> Sequence[str]:
        graph = self.subject
        several = len({term.source for term in self.terms}) < len(self.terms)
        found = []
        for term in self.terms:
            slot = " " + say("ledger.slot", slot=term.slot + 1) if several else ""
            found.append(say("question.lost.via", node=f"`{name(graph, term.source)}`") + slot)
        return (*found, say("question.lost.nothing"))

    def prompt(self) -> Prompt:
        graph = self.subject
        shown = list(graph.inputs) + ([] if self.about in graph.inputs else [self.about])
        return Prompt(
            (say("question.lost", about=f"`{name(graph, self.about)}`"),),
            statements=graph_text(graph),
            table=(
                tuple(f"`{name(graph, i)}`" for i in shown),
                tuple(show(self.broken.grads[i]) for i in shown),
            ),
            blanks=("choice",),
            choices=self.choices,
            example="A",
        )

    def why_not(self, place: int) -> tuple[tuple[str, ...], str]:
        about = f"`{name(self.subject, self.about)}`"
        slug = self.suspect.fault.slug
        if place == len(self.terms):
            return (say("question.lost.not_nothing", about=about),), slug
        via = f"`{name(self.subject, self.terms[place].source)}`"
        number = f"`{show(self.without(place))}`"
        words = (say("question.lost.otherwise", about=about, via=via, number=number),)
        return words, slug if self._account.lost else ""

    def reveal(self) -> tuple[str, ...]:
        graph = self.subject
        order = f"`{names(graph, self.order)}`"
        return (
            f"{self.choices[self.right].letter}: {self.options[self.right]}",
            f"`{account_in_words(graph, self._account)}`",
            say("question.reveal.bug", bug=bug_name(self.suspect, graph), order=order),
        )


@dataclass(frozen=True)
class KeptBranchQuestion(LostBranchQuestion):
    """Which contribution is still there?"""

    def without(self, place: int) -> float:
        """The gradient with one contribution alone; with all of them for the last choice."""
        if place < len(self.terms):
            return self.terms[place].amount
        return self._right.grads[self.about]

    @property
    def right(self) -> int:
        kept = self._account.kept
        return self.terms.index(kept[0]) if len(kept) == 1 else len(self.terms)

    @property
    def options(self) -> Sequence[str]:
        return (*super().options[:-1], say("question.kept.all"))

    def prompt(self) -> Prompt:
        words = (say("question.kept", about=f"`{name(self.subject, self.about)}`"),)
        return replace(super().prompt(), paragraphs=words)

    def why_not(self, place: int) -> tuple[tuple[str, ...], str]:
        if place == len(self.terms):
            return super().why_not(place)
        about = f"`{name(self.subject, self.about)}`"
        via = f"`{name(self.subject, self.terms[place].source)}`"
        number = f"`{show(self.without(place))}`"
        words = say("question.kept.otherwise", about=about, via=via, number=number)
        return (words,), self.suspect.fault.slug


ASKED = {"lost": LostBranchQuestion, "kept": KeptBranchQuestion}


def write(head: QuestionHead, graph: Graph, given: Parameters) -> LostBranchQuestion:
    """One that a lesson writes about the graph on stage."""
    asked = given.text("ask", "lost")
    if asked not in ASKED:
        raise ValueError(say("question.lost.ask", given=ascii(asked), known=", ".join(ASKED)))
    question = ASKED[asked](head, graph, given.node("about"), given.suspect("overwrite"), given.order())
    if not question.clear or question.right == len(question.terms):
        raise ValueError(say("question.lost.unclear", about=name(graph, question.about)))
    return question


def draw(head: QuestionHead, lot: Lot, level: int) -> LostBranchQuestion:
    """One drawn by lot: first which answer is to be right, then a graph and a pass in which it is."""
    if not lot.even:
        return _draw_any(head, lot, level)
    right = lot.below(COUNT + 1)
    slugs = lot.shuffled(ELSEWHERE if right == COUNT else FAULTY)
    found: list[LostBranchQuestion] = []

    def suits(graph: Graph, _: Trace) -> bool:
        found.clear()
        several = [i for i in graph.inputs if len(graph.consumers[i]) == COUNT]
        for slug in slugs if several else ():
            for suspect in FAULTS[slug].suspects(graph):
                for outcome in outcomes(graph, suspect.pieces(), suspect.fault.ordered).found:
                    for about in several:
                        question = LostBranchQuestion(head, graph, about, suspect, outcome.order)
                        if question.shows and question.clear and question.right == right:
                            found.append(question)
            if found:
                return True
        return False

    draw_graph(lot, level, shared=(True,), sizes=(4, 5) if level == 1 else None, suits=suits)
    return lot.pick(found)


def _draw_any(head: QuestionHead, lot: Lot, level: int) -> LostBranchQuestion:
    """One drawn by lot as minigrad 0.1 did: whatever comes, and always with something lost."""
    suspect = Suspect(FAULTS["overwrite" if level == 1 else lot.pick(FAULTY)])
    found: list[LostBranchQuestion] = []

    def suits(graph: Graph, _: Trace) -> bool:
        found.clear()
        for outcome in outcomes(graph, suspect.pieces(), ordered=True).found:
            questions = [
                LostBranchQuestion(head, graph, about, suspect, outcome.order) for about in graph.inputs
            ]
            found.extend(each for each in questions if each.clear and each.right < len(each.terms))
        return bool(found)

    draw_graph(lot, level, shared=(True,), sizes=(4, 5) if level == 1 else None, suits=suits)
    return lot.pick(found)
