"""What is right about a generated question, by other means than the questions use.

The court, exact fractions, and passes that are walked one by one; `ONE_ANSWER` has a check for each kind,
which raises AssertionError unless the question has exactly one right answer and its solution is that.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from fractions import Fraction
from random import Random
from re import findall
from typing import Any

from minigrad import verify
from minigrad.faults import FAULTS
from minigrad.faults.catalogue.traversal import WalkTooLongError
from minigrad.faults.fault import Suspect
from minigrad.graph import CONSTANT, INPUT, Graph, Node
from minigrad.graph.trace import trace
from minigrad.language import parse
from minigrad.learn.questions import Question
from minigrad.learn.questions.bug import BugQuestion
from minigrad.learn.questions.expose import ExposeChoiceQuestion
from minigrad.learn.questions.order import OrderQuestion
from minigrad.learn.questions.partial_gradient import PartialGradientQuestion
from minigrad.learn.questions.rule import RuleQuestion

CLOSE = 1e-6


# ---- exact passes, by hand ----------------------------------------------------------------------

RULES = {
    "add": lambda x, y: (1, 1),
    "sub": lambda x, y: (1, -1),
    "mul": lambda x, y: (y, x),
    "neg": lambda x: (-1,),
    "square": lambda x: (2 * x,),
}
VALUES = {
    "add": lambda x, y: x + y,
    "sub": lambda x, y: x - y,
    "mul": lambda x, y: x * y,
    "neg": lambda x: -x,
    "square": lambda x: x * x,
}
SUMS = {
    "right": lambda old, new: old + new,
    "overwrite": lambda old, new: new,
    "keep-first": lambda old, new: old or new,
}


def values(graph: Graph) -> list[Fraction]:
    found: list[Fraction] = []
    for node in graph.nodes:
        found.append(
            VALUES[node.op](*(found[arg] for arg in node.args)) if node.args else Fraction(node.data)
        )
    return found


def walked(graph: Graph, order: Iterable[int], how: str = "right") -> list[list[Fraction]]:
    """The gradients after each turn of a pass, in fractions."""
    data, grads, turns = values(graph), [Fraction(0)] * len(graph), []
    grads[graph.output] = Fraction(1)
    for node in order:
        row = graph.nodes[node]
        for arg, local in zip(row.args, RULES[row.op](*(data[i] for i in row.args)), strict=True):
            grads[arg] = SUMS[how](grads[arg], local * grads[node])
        turns.append(list(grads))
    return turns


def newest_first(graph: Graph) -> tuple[int, ...]:
    return tuple(i for i in graph.order if graph.nodes[i].args)


def numbers(answer: Mapping[str, str]) -> dict[str, float]:
    return {name: float(text) for name, text in answer.items()}


def same(x: float, y: float) -> bool:
    return math.isfinite(x - y) and abs(x - y) <= CLOSE * max(1.0, abs(x), abs(y))


# ---- one right answer ---------------------------------------------------------------------------


def court_says(graph: Graph, claimed: Mapping[str, float], ask: str = "mpmath,exact") -> str:
    return verify.court(graph, claimed=dict(claimed), ask=ask).verdict


def gradient_has_one_answer(q: Any) -> None:
    assert court_says(q.graph, numbers(q.solution), "quick") == "right", q.key
    for answer, _ in q.anticipated_mistakes():
        assert court_says(q.graph, numbers(answer)) == "wrong", (q.key, answer)


def data_has_one_answer(q: Any) -> None:
    output = q.graph.names[q.graph.output]
    assert verify.court(q.graph, value=numbers(q.solution)[output], ask="quick").verdict == "right", q.key
    for answer, _ in q.anticipated_mistakes():
        verdict = verify.court(q.graph, value=numbers(answer)[output], ask="mpmath,exact").verdict
        assert verdict == "wrong", (q.key, answer)


def cut(q: PartialGradientQuestion) -> Graph:
    """The graph in which only those who had their turn use the node: its gradient is the total so far."""
    graph, turns = q.subject, q.order[: q.order.index(q.after) + 1]
    data = [float(x) for x in values(graph)]
    nodes = []
    for i, node in enumerate(graph.nodes):
        if i == q.about:
            nodes.append(Node(INPUT, (), node.label, data[i]))
        elif node.op == INPUT:
            nodes.append(Node(CONSTANT, (), node.label, data[i]))
        else:
            nodes.append(node)
    nodes = [
        node._replace(
            args=tuple(len(nodes) if arg == q.about and i not in turns else arg for arg in node.args)
        )
        for i, node in enumerate(nodes)
    ]
    late = Node(CONSTANT, (), "late", data[q.about])  # must stand in front of those who use it
    nodes = [
        late,
        *(node._replace(args=tuple((arg + 1) % (len(nodes) + 1) for arg in node.args)) for node in nodes),
    ]
    return Graph(nodes, graph.output + 1)


def running_has_one_answer(q: PartialGradientQuestion) -> None:
    graph = cut(q)
    assert court_says(graph, numbers(q.solution), "quick") == "right", q.key
    for answer, _ in q.anticipated_mistakes():
        assert court_says(graph, numbers(answer)) == "wrong", (q.key, answer)


def order_has_one_answer(q: OrderQuestion) -> None:
    graph = q.subject
    graph.refuse_invalid(q.order)
    end = walked(graph, q.order, q.suspect.fault.slug)[-1]
    due = {graph.names[i]: float(end[i]) for i in graph.inputs}
    assert numbers(q.solution) == due, q.key
    assert court_says(graph, due, "quick") == "wrong", q.key  # it is what a broken pass gives
    for answer, _ in q.anticipated_mistakes():
        assert numbers(answer) != due, (q.key, answer)


def difference_has_one_answer(q: Any) -> None:
    table = [tuple(map(Fraction, row)) for row in q.ask().table[1:]]
    slope = (table[2][1] - table[0][1]) / (table[2][0] - table[0][0])
    assert numbers(q.solution) == {q.ask().blanks[0]: float(slope)}, q.key
    assert court_says(q.graph, numbers(q.solution), "quick") == "right", q.key
    for answer, _ in q.anticipated_mistakes():
        assert court_says(q.graph, numbers(answer)) == "wrong", (q.key, answer)


def letters(q: Question, fitting: Iterable[bool]) -> None:
    """Exactly one choice fits, and it is the solution."""
    choices = q.ask().choices
    right = [choice.letter for choice, fits in zip(choices, fitting, strict=True) if fits]
    assert right == [q.solution["choice"]], q.key
    assert len({choice.words for choice in choices}) == len(choices), q.key


def lost_has_one_answer(q: Any) -> None:
    graph, about = q.graph, q.about
    grads, data = walked(graph, newest_first(graph))[-1], values(graph)
    got = Fraction(dict(zip(*q.ask().table, strict=True))[f"`{graph.names[about]}`"])
    sent = []
    for i in sorted(graph.consumers[about]):
        row = graph.nodes[i]
        rule = RULES[row.op](*(data[arg] for arg in row.args))
        sent += [local * grads[i] for arg, local in zip(row.args, rule, strict=True) if arg == about]
    letters(q, [grads[about] - x == got for x in (*sent, 0)])


def turns_has_one_answer(q: Any) -> None:
    """Walked in that order, exact fractions come to the right gradients; in the others, they do not."""
    graph = q.graph
    due = walked(graph, newest_first(graph))[-1]
    letters(q, [walked(graph, order)[-1] == due for order in q.orders])


def results(suspect: Suspect, graph: Graph) -> list[tuple[float, ...]]:
    """What a bug gives in each valid order, walked one by one."""
    if suspect.variant not in list(suspect.fault.variants(graph)):
        return [tuple(trace(graph).grads[i] for i in graph.inputs)]
    orders = list(graph.orders())
    passes = [trace(graph, pieces=suspect.pieces(), order=order) for order in orders]
    return [tuple(each.grads[i] for i in graph.inputs) for each in passes]


def bug_has_one_answer(q: BugQuestion) -> None:
    head, row = q.ask().table
    observed = [float(x) for x in row]
    assert head == tuple(f"`{q.subject.names[i]}`" for i in q.subject.inputs)
    due = dict(zip((q.subject.names[i] for i in q.subject.inputs), observed, strict=True))
    assert court_says(q.subject, due) == "wrong", q.key

    def gives(suspect: Suspect) -> bool:
        return any(all(map(same, grads, observed)) for grads in results(suspect, q.subject))

    letters(q, map(gives, q.suspects))


def expose_has_one_answer(q: ExposeChoiceQuestion) -> None:
    def wrong(graph: Graph) -> set[bool]:
        names = [graph.names[i] for i in graph.inputs]
        return {
            court_says(graph, dict(zip(names, grads, strict=True))) == "wrong"
            for grads in {*results(q.suspect, graph)}
        }

    found = [wrong(graph) for graph in q.graphs]
    assert all(len(each) == 1 for each in found), q.key  # in no order otherwise than in another
    letters(q, [each == {True} for each in found])


def leverage_has_one_answer(q: Any) -> None:
    graph = q.graph
    step = Fraction(1, 10**6)
    moves = []
    for i in graph.inputs:
        nodes = list(graph.nodes)
        nodes[i] = nodes[i]._replace(data=Fraction(nodes[i].data) + step)
        moves.append(values(Graph(nodes, graph.output))[graph.output] - values(graph)[graph.output])
    most = max(map(abs, moves))
    letters(q, [fits for x in moves for fits in (x == most, -x == most)])


FUNCTIONS: dict[str, Any] = {
    **VALUES,
    "div": lambda x, y: x / y,
    "reciprocal": lambda x: 1 / x,
    "sqrt": math.sqrt,
    "exp": math.exp,
    "log": math.log,
    "relu": lambda x: max(x, 0.0),
    "tanh": math.tanh,
    "sigmoid": lambda x: 1 / (1 + math.exp(-x)),
    "sin": math.sin,
    "cos": math.cos,
    "softplus": lambda x: math.log(1 + math.exp(x)),
    "arctan": math.atan,
    "hypot": math.hypot,
    "silu": lambda x: x / (1 + math.exp(-x)),
}


POSITIVE = ("log", "sqrt")  # that have no slope elsewhere


def rule_holds(q: RuleQuestion, text: str) -> bool:
    """Is the expression the slope of the op, at points of both signs, by differences of Python's own math?"""
    function, random = FUNCTIONS[q.op], Random(q.key)
    for _ in range(8):
        signs = (1,) if q.op in POSITIVE else (1, -1)
        point = [random.choice(signs) * random.uniform(0.3, 3.0) for _ in q.names]
        ends = [[x + (h if i == q.slot else 0.0) for i, x in enumerate(point)] for h in (1e-5, -1e-5)]
        slope = (function(*ends[0]) - function(*ends[1])) / 2e-5
        names = {**dict(zip(q.names, point, strict=True)), "y": function(*point)}
        graph = parse(text, {each: names[each] for each in set(findall(r"[a-z_]\w*", text)) & set(names)})
        if not abs(graph.evaluate()[graph.output] - slope) < 1e-4:
            return False
    return True


def rule_has_one_answer(q: RuleQuestion) -> None:
    assert rule_holds(q, q.solution["expression"]), q.key
    for answer, _ in q.anticipated_mistakes():
        assert not rule_holds(q, answer["expression"]), (q.key, answer)


ONE_ANSWER = {
    "data": data_has_one_answer,
    "gradient": gradient_has_one_answer,
    "running": running_has_one_answer,
    "order": order_has_one_answer,
    "lost": lost_has_one_answer,
    "bug": bug_has_one_answer,
    "rule": rule_has_one_answer,
    "expose": expose_has_one_answer,
    "leverage": leverage_has_one_answer,
    "difference": difference_has_one_answer,
    "turns": turns_has_one_answer,
}


# ---- no wrong answer is accepted ----------------------------------------------------------------


def wrong_answers(q: Question, random: Random) -> Iterable[dict[str, str]]:
    """Answers next to the right one, and answers at random; none of them right."""
    solution = dict(q.solution)
    if "choice" in solution:
        yield from ({"choice": c.letter} for c in q.ask().choices if c.letter != solution["choice"])
    elif "expression" in solution:
        right = solution["expression"]
        for change in (
            "{} + 0.001",
            "1.001 * ({})",
            "({}) * (1 + 1e-5)",
            "-({})",
            "({}) + where({} > 9, 1, 0) + 1",
        ):
            yield {"expression": change.replace("{}", f"({right})")}
        yield from ({"expression": f"{random.uniform(-3, 3):.3f}"} for _ in range(5))
    else:
        truths = numbers(solution)
        for name, x in truths.items():
            for other in (x + 1, x - 1, x + 0.01, x - 0.001, 2 * x, -x, x / 3, 1e-9, 1e9):
                if other != x:
                    yield {**solution, name: repr(other)}
        for _ in range(10):
            guess = {name: random.randint(-30, 30) for name in truths}
            if guess != truths:
                yield {name: str(x) for name, x in guess.items()}


def is_solution(q: Any, answer: Mapping[str, str]) -> bool:
    """Does an answer say the same as the solution?"""
    if "expression" in answer:
        return rule_holds(q, answer["expression"])
    if "choice" in answer:
        return answer == q.solution
    found, right = numbers(answer), numbers(q.solution)
    return all(same(found[name], right[name]) for name in right)


def accepted(q: Any, random: Random) -> list[dict[str, str]]:
    """The wrong answers that are judged right: next to the right one, at random, or by a known mistake."""
    mistaken = [dict(answer) for answer in q.mistaken_answers() if not is_solution(q, answer)]
    wrong = [*wrong_answers(q, random), *mistaken]
    assert len(wrong) >= 2 or q.kind == "data", q.key
    return [answer for answer in wrong if q.judge(answer).right]


class Silent:
    """A question that answers nothing: whoever asks it for its solution before time is caught."""

    TELLING: tuple[str, ...] = (
        "solution",
        "reveal",
        "judge",
        "anticipated_mistakes",
        "mistaken_answers",
        "truths",
        "right",
    )

    def __init__(self, question: Question) -> None:
        self.question = question

    def __getattr__(self, name: str) -> Any:
        assert name not in self.TELLING, f"{name} was asked for"
        return getattr(self.question, name)


# ---- the mistake is named -----------------------------------------------------------------------


def broken_answers(q: Any, random: Random) -> Iterable[tuple[Suspect, dict[str, str]]]:
    """Answers that one known fault leads to, each walked by itself."""
    graph = q.graph
    order = getattr(q, "order", newest_first(graph))
    suspects = [Suspect(fault, variant) for fault in FAULTS.values() for variant in fault.variants(graph)]
    random.shuffle(suspects)
    right = numbers(q.solution)
    nothing = observed(q, trace(graph, order=order))  # a fault that does not show is nothing to name
    for suspect in suspects[:12]:
        try:
            passed = trace(graph, pieces=suspect.pieces(), order=order)
        except WalkTooLongError:
            continue
        found = observed(q, passed)
        if found is None or not all(map(math.isfinite, found.values())):
            continue
        if not any(all(same(found[name], other[name]) for name in right) for other in (right, nothing)):
            yield suspect, {name: repr(x) for name, x in found.items()}


def observed(q: Any, passed: Any) -> dict[str, float] | None:
    if not isinstance(q, PartialGradientQuestion):
        return {name: passed.grads[q.graph.index(name)] for name in q.solution}
    sent = [event for event in passed.events if getattr(event, "source", None) == q.after]
    if not sent:
        return None
    until = passed.events[: 1 + max(at for at, event in enumerate(passed.events) if event is sent[-1])]
    total = [event.after for event in until if getattr(event, "target", None) == q.about]
    return {q.graph.names[q.about]: total[-1] if total else 0.0}


def names_it(q: Any, suspect: Suspect, answer: dict[str, str]) -> bool:
    """Does the judgement name that fault, or one that gives the very same numbers?"""
    named = q.judge(answer).fault
    if named == suspect.fault.slug:
        return True
    if not named:
        return False
    orders = [q.order] if isinstance(q, PartialGradientQuestion) else list(q.graph.orders())
    variants = [*FAULTS[named].variants(q.graph)]
    if FAULTS[named].fit is not None:
        pairs = [(trace(q.graph).grads[q.graph.index(name)], float(x)) for name, x in answer.items()]
        variants += FAULTS[named].fit(pairs)
    for variant in variants:
        for order in orders:
            passed = trace(q.graph, pieces=Suspect(FAULTS[named], variant).pieces(), order=order)
            found = observed(q, passed)
            if found is not None and all(same(found[name], float(x)) for name, x in answer.items()):
                return True
    return False


def share_named(questions: Iterable[Any], random: Random) -> tuple[int, int]:
    named = asked = 0
    for q in questions:
        for suspect, answer in broken_answers(q, random):
            asked += 1
            named += names_it(q, suspect, answer)
    return named, asked
