"""Question kind `rule`: a missing local rule, written as an expression and judged by running it.

It is run at many points and held against slopes that come from no derivative formula: differences of the
textbook's definition with fifty digits where mpmath is installed, else central differences.  How it is
written does not matter.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from math import isfinite, pi
from re import DOTALL, findall, fullmatch

from ...faults.fault import Suspect
from ...graph import INPUT, Graph, Node
from ...graph.trace import trace
from ...graph.wording import rule_of
from ...language import LanguageError, parse
from ...ops import MANY, OPS
from ...text.numerals import show
from ...text.translation import say
from ...values.differences import slope
from ...verify.definitions import define
from .mistakes import lineup
from .number_parser import UnreadableError
from .parameters import Parameters
from .question import Answer, Judgement, Prompt, Question, QuestionHead
from .question_bases import unreadable_judgement
from .question_text import as_code, bug_name, list_names, mark_formulas
from .random_graphs import Lot

__all__ = ["RuleQuestion", "draw", "slope_at", "write"]

LONGEST = 1000  # characters of an answer
EXACT, CLOSE = 1e-9, 1e-6  # relative; with mpmath, and without
TINY = 1e-12  # what roundings leave of 1 - y**2 where y is almost 1
FAR = 50.0  # operands beyond this are left out: slopes there are too flat or too steep to tell rules apart
NAMES = (("a", "b"), ("u", "v"), ("x", "z"))
OUTPUT = "y"
FAMILIES = ("rule", "forward", "numeric", "upstream")  # faults that a person can make on one rule
TAUGHT = {
    1: (("mul", 0), ("mul", 1), ("sub", 1), ("add", 0), ("neg", 0), ("square", 0)),
    2: (("div", 0), ("div", 1), ("reciprocal", 0), ("sqrt", 0), ("exp", 0), ("log", 0), ("relu", 0)),
    3: (("tanh", 0), ("sigmoid", 0), ("sin", 0), ("cos", 0), ("softplus", 0), ("arctan", 0), ("hypot", 0),
        ("silu", 0)),
}  # fmt: skip


def graph_of(op: str, names: Sequence[str], point: Sequence[float]) -> Graph:
    """y = op(a, b) by itself."""
    leaves = [Node(INPUT, (), each, x) for each, x in zip(names, point, strict=True)]
    return Graph([*leaves, Node(op, tuple(range(len(leaves))), OUTPUT)])


@lru_cache(maxsize=64)
def points(op: str) -> tuple[tuple[float, ...], ...]:
    """Smooth points of an op: those of the table, others close to them, and the same with operands swapped.

    With those alone of the table, -1 and sign(b)*sign(y) would both be the rule of a - b for b.
    """
    found: dict[tuple[float, ...], None] = {}
    for sample in OPS[op].samples:
        near = [tuple(x * factor for x in sample) for factor in (1.0, 1.25, 0.8125)]
        for point in (*near, sample[::-1], tuple(-x for x in sample[::-1])):
            usable = all(abs(x) <= FAR for x in point) and not OPS[op].kink(*point)
            if usable and isfinite(graph_of(op, "abc"[: len(point)], point).evaluate()[-1]):
                found[point] = None
    return tuple(found)


@lru_cache(maxsize=512)
def slope_at(op: str, slot: int, point: tuple[float, ...]) -> tuple[float, float]:
    """The derivative by one operand, from no formula, and how close an answer has to be."""
    try:
        from ...verify.witnesses.high_precision import nearest, numbers

        n = numbers()
    except ImportError:
        return _by_differences(op, slot, point)
    with n.mp.workprec(400):
        step = n.mp.mpf(2) ** -100
        sides = []
        for way in (step, -step):
            moved = [n.number(x) + (way if place == slot else 0) for place, x in enumerate(point)]
            sides.append(define(n, op, *moved))
        above, below = sides
        if above is None or below is None:
            return _by_differences(op, slot, point)
        return nearest((above - below) / (2 * step)), EXACT


def _by_differences(op: str, slot: int, point: tuple[float, ...]) -> tuple[float, float]:
    names = "abc"[: len(point)]
    graph = graph_of(op, names, point)

    def output(x: float) -> float:
        value: float = graph.evaluate(inputs={names[slot]: x})[graph.output]
        return value

    return slope(output, point[slot]).value, CLOSE


@dataclass(frozen=True)
class RuleQuestion(Question):
    """What is the local derivative of this op, as an expression?"""

    op: str
    slot: int
    names: tuple[str, ...]  # of the operands

    @property
    def _operand(self) -> str:
        return self.names[self.slot]

    @cached_property
    def _points(self) -> tuple[tuple[float, ...], ...]:
        return points(self.op)

    def _slopes(self, slot: int) -> list[tuple[float, float]]:
        return [slope_at(self.op, slot, point) for point in self._points]

    def _made(self) -> str:
        return f"{OUTPUT} = {OPS[self.op].write(*self.names)}"

    def prompt(self) -> Prompt:
        text = say(
            "question.rule",
            operand=f"`{self._operand}`",
            output=f"`{OUTPUT}`",
            names=list_names(self.names),
        )
        return Prompt((text,), statements=self._made(), blanks=("expression",), example=self._example())

    def _example(self) -> str:
        """How an expression is written; never the answer."""
        return f"3*{self.names[0]} - exp({OUTPUT})"

    # ---- judging ------------------------------------------------------------------------

    def judge(self, answer: Answer) -> Judgement:
        try:
            got = self._run(_bare(answer.get("expression", "")))
        except UnreadableError as error:
            return unreadable_judgement(error)
        due = self._slopes(self.slot)
        off = [place for place, (x, exact) in enumerate(due) if not _near(got[place], x, exact)]
        if not off:
            return Judgement(True, (say("question.right"),))
        words, fault = self._explained(got, off)
        return Judgement(False, words, fault)

    def _run(self, text: str) -> list[float]:
        """The expression at every point."""
        if not text:
            raise UnreadableError(say("question.rule.missing", example=as_code(self._example())))
        if len(text) > LONGEST:
            raise UnreadableError(say("question.rule.long", limit=LONGEST))
        known = (*self.names, OUTPUT)
        used = {*findall(r"[^\W\d]\w*", text)}
        try:
            graph = parse(text, {each: 1.0 for each in known if each in used})
        except LanguageError as error:
            about = {
                "given": as_code(text),
                "why": mark_formulas(error.reason),
                "names": as_code(", ".join(known)),
            }
            raise UnreadableError(say("question.rule.unreadable", **about)) from None
        inputs = {graph.names[i] for i in graph.inputs}
        found = []
        for point in self._points:
            y = graph_of(self.op, self.names, point).evaluate()[-1]
            given = dict(zip(known, (*point, y), strict=True))
            there = {each: x for each, x in given.items() if each in inputs}
            found.append(graph.evaluate(inputs=there)[graph.output])
        return found

    def _explained(self, got: Sequence[float], off: Sequence[int]) -> tuple[tuple[str, ...], str]:
        due = [x for x, _ in self._slopes(self.slot)]
        values = [graph_of(self.op, self.names, point).evaluate()[-1] for point in self._points]

        def are(numbers: Sequence[float]) -> bool:
            return all(_near(x, y, CLOSE) for x, y in zip(got, numbers, strict=True))

        place = off[0]
        where = zip((*self.names, OUTPUT), (*self._points[place], values[place]), strict=True)
        at = "`" + ", ".join(f"{each} = {show(x)}" for each, x in where) + "`"
        numbers = {"got": f"`{show(got[place])}`", "due": f"`{show(due[place])}`"}
        sentence = say("question.rule.at", at=at, **numbers)
        if are([-x for x in due]):
            return (say("question.rule.sign"),), self._slug(got)
        for slot, other in enumerate(self.names):
            if slot != self.slot and are([x for x, _ in self._slopes(slot)]):
                about = {"other": f"`{other}`", "operand": f"`{self._operand}`"}
                return (say("question.rule.other", **about),), self._slug(got)
        if (suspect := self._suspect(got)) is not None:
            graph = graph_of(self.op, self.names, self._points[0])
            bug = bug_name(suspect, graph)  # without its story, which says the right rule
            return (say("question.fault", bug=bug), sentence), suspect.fault.slug
        if are(values):
            return (say("question.rule.value"), sentence), ""
        if all(due) and are([1.0 / x for x in due]):
            return (say("question.rule.upside_down"), sentence), ""
        return (sentence,), ""

    def _slug(self, got: Sequence[float]) -> str:
        suspect = self._suspect(got)
        return suspect.fault.slug if suspect is not None else ""

    def _suspect(self, got: Sequence[float]) -> Suspect | None:
        """The fault of the catalogue that gives the same at every point."""
        graphs = [graph_of(self.op, self.names, point) for point in self._points]
        suspects = [each for each in lineup(graphs[0]).suspects if each.fault.family in FAMILIES]
        for suspect in sorted(suspects, key=lambda each: FAMILIES.index(each.fault.family)):
            pieces = suspect.pieces()
            numbers = (trace(graph, pieces=pieces).grads[self.slot] for graph in graphs)
            if all(_near(x, y, CLOSE) for x, y in zip(got, numbers, strict=True)):
                return suspect
        return None

    # ---- what is right ------------------------------------------------------------------

    def _paper(self, slot: int) -> str:
        fields = dict(zip("abc", self.names, strict=False))
        return OPS[self.op].paper[slot].format(**fields, y=OUTPUT, pi=repr(pi))

    @property
    def solution(self) -> Answer:
        return {"expression": self._paper(self.slot)}

    def reveal(self) -> tuple[str, ...]:
        graph = graph_of(self.op, self.names, self._points[0])
        made = f"`∂{OUTPUT}/∂{self._operand} = {self._paper(self.slot)}`"
        return made, mark_formulas(rule_of(graph, graph.output))

    def mistaken_answers(self) -> Iterator[Answer]:
        right = self._paper(self.slot)
        texts = [f"-({right})", OUTPUT, self._operand, "1", f"1 / ({right})", f"2 * ({right})"]
        texts += [self._paper(slot) for slot in range(len(self.names)) if slot != self.slot]
        texts += [f"1 - {OUTPUT}", f"{OUTPUT}**2", f"1 - {self._operand}**2", f"1 / {self._operand}"]
        for text in texts:
            yield {"expression": text}


def _bare(text: str) -> str:
    """Without dy/da = in front."""
    found = fullmatch(r"\s*[d∂]\w+\s*/\s*[d∂]\w+\s*=(?!=)(.*)", text, DOTALL)
    return (found[1] if found else text).strip()


def _near(x: float, y: float, close: float) -> bool:
    return isfinite(x - y) and abs(x - y) <= close * max(abs(x), abs(y)) + TINY


def write(head: QuestionHead, graph: Graph, given: Parameters) -> RuleQuestion:
    """One that a lesson writes."""
    op = given.text("op")
    if op not in OPS or OPS[op].arity[1] == MANY or OPS[op].defaults or not points(op):
        known = ", ".join(dict.fromkeys(each for rows in TAUGHT.values() for each, _ in rows))
        raise ValueError(say("question.rule.op", given=ascii(op), known=known))
    count, slot = OPS[op].arity[1], int(given.number("slot", "1"))
    if not 1 <= slot <= count:
        raise ValueError(say("question.rule.slot", op=op, given=slot, count=count))
    return RuleQuestion(head, op, slot - 1, ("a", "b", "c")[:count])


def draw(head: QuestionHead, lot: Lot, level: int) -> RuleQuestion:
    """One drawn by lot."""
    op, slot = lot.pick(TAUGHT[level])
    return RuleQuestion(head, op, slot, lot.pick(NAMES)[: OPS[op].arity[1]])
