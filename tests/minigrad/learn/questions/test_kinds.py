"""Five hundred generated questions: each has one right answer, no wrong one is accepted, mistakes are named.

What is right is found by other means than the questions use (`question_oracles.py`).  Each check is seen to
fail on a question that was spoiled on purpose.  `--questions=5000` generates more.
"""

from __future__ import annotations

import math
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pytest

from minigrad.faults import diagnose
from minigrad.faults.order_runs import run_orders
from minigrad.graph import CONSTANT
from minigrad.graph.trace import trace
from minigrad.learn.inline_marks import marks
from minigrad.learn.questions import KINDS, Judgement, generate, kinds
from minigrad.learn.questions.gradient import GradientQuestion
from minigrad.learn.questions.random_graphs import LEVELS, Lot, _number
from minigrad.text.translation import LANGUAGES, speaking
from question_oracles import (
    ONE_ANSWER,
    accepted,
    bug_has_one_answer,
    expose_has_one_answer,
    gradient_has_one_answer,
    share_named,
)


def test_every_kind_has_a_file_of_its_name_or_says_which():
    folder = Path(kinds.__file__).parent
    for kind in KINDS.values():
        assert kind.file != kind.name, "a file of the kind's own name needs no saying"
        source = (folder / f"{kind.file or kind.name}.py").read_text(encoding="utf-8")
        assert f"Question kind `{kind.name}`" in source


@pytest.fixture(scope="module")
def seeds(request: pytest.FixtureRequest) -> range:
    """So many of each kind and level that all together are at least as many as --questions says."""
    total = request.config.getoption("questions")
    return range(math.ceil(total / (len(KINDS) * len(LEVELS))))


@cache
def generated(kind: str, seeds: range) -> tuple[Any, ...]:
    return tuple(generate(kind, level, seed) for level in LEVELS for seed in seeds)


@pytest.mark.parametrize("kind", KINDS)
def test_every_generated_question_has_exactly_one_right_answer(kind: str, seeds: range) -> None:
    for q in generated(kind, seeds):
        assert q.judge(q.solution).right, q.key
        assert not any(f"{name}={text}" in q.ask().example.split() for name, text in q.solution.items()), (
            q.key
        )
        ONE_ANSWER[kind](q)


@pytest.mark.parametrize("kind", KINDS)
def test_no_wrong_answer_is_accepted(kind: str, seeds: range) -> None:
    random = Random(kind)
    for q in generated(kind, seeds):
        assert accepted(q, random) == [], q.key


@pytest.mark.parametrize("kind", ["gradient", "order", "running"])
def test_forensics_names_the_mistake_behind_at_least_nine_wrong_answers_in_ten(
    kind: str, seeds: range
) -> None:
    named, asked = share_named(generated(kind, seeds), Random(f"faults of {kind}"))
    print(f"{kind}: {named} of {asked} answers made by one known fault were named ({named / asked:.1%})")
    assert asked > 100
    assert named / asked >= 0.9


def test_the_numbers_of_a_bug_question_lead_forensics_to_the_bug(seeds: range) -> None:
    named = asked = 0
    for q in generated("bug", seeds):
        graph, true = q.subject, q.suspects[q.right]
        got = dict(zip((graph.names[i] for i in graph.inputs), q.observed, strict=True))
        diagnoses = diagnose(graph, got).diagnoses
        asked += 1
        named += any(each.suspects[0].fault.slug == true.fault.slug for each in diagnoses)
    print(f"bug: {named} of {asked} bugs were found from their numbers ({named / asked:.1%})")
    assert named / asked >= 0.9


RULES_GONE_WRONG = {  # written by hand, from what the rows of the catalogue say
    ("mul", 0): {"mul-own-factor": "{a}", "mul-as-add": "1", "mul-by-output": "{a}*{b}"},
    ("mul", 1): {"mul-own-factor": "{b}", "mul-as-add": "1", "mul-by-output": "y"},
    ("sub", 1): {"sub-sign": "1"},
    ("add", 0): {"add-as-mul": "{b}"},
    ("neg", 0): {"neg-sign": "1"},
    ("square", 0): {"square-no-two": "{a}"},
    ("div", 0): {"div-numerator-one": "1", "div-numerator-times-b": "{b}"},
    ("div", 1): {"div-sign": "{a}/{b}**2", "div-by-b": "-{a}/{b}", "div-no-numerator": "-1/{b}**2"},
    ("reciprocal", 0): {"reciprocal-sign": "1/{a}**2", "reciprocal-not-squared": "-1/{a}"},
    ("sqrt", 0): {"sqrt-no-half": "1/y", "sqrt-by-input": "1/(2*{a})", "sqrt-upside-down": "y/2"},
    ("exp", 0): {"exp-by-input": "{a}", "exp-as-power": "{a}*exp({a}-1)", "exp-of-output": "exp(y)"},
    ("log", 0): {"log-no-reciprocal": "{a}", "log-by-output": "1/y"},
    ("relu", 0): {"relu-open": "1", "relu-inverted": "1 - ({a} > 0)", "relu-by-value": "y"},
    ("tanh", 0): {"tanh-no-square": "1 - y", "tanh-from-input": "1 - {a}**2", "tanh-plus": "1 + y*y"},
    ("sigmoid", 0): {"sigmoid-from-input": "{a}*(1-{a})", "sigmoid-half": "y", "sigmoid-as-tanh": "1-y**2"},
    ("sin", 0): {"sin-sign": "-cos({a})", "sin-of-output": "cos(y)"},
    ("cos", 0): {"cos-sign": "sin({a})"},
    ("softplus", 0): {"softplus-complement": "1 - sigmoid({a})"},
    ("arctan", 0): {"arctan-not-squared": "1/(1+{a})"},
    ("silu", 0): {"silu-as-sigmoid": "sigmoid({a})"},
}


def test_a_wrong_local_rule_is_named(seeds: range) -> None:
    named = asked = 0
    for q in generated("rule", seeds):
        for slug, text in RULES_GONE_WRONG.get((q.op, q.slot), {}).items():
            fields = dict(zip("ab", q.names, strict=False))
            judgement = q.judge({"expression": text.format(**fields)})
            assert not judgement.right, (q.key, text)
            asked += 1
            named += judgement.fault == slug or (judgement.fault == "local-ignored" and text == "1")
    print(f"rule: {named} of {asked} wrong rules were named ({named / asked:.1%})")
    assert asked > 40
    assert named / asked >= 0.9


@pytest.mark.parametrize("kind", ["data", "difference"])
def test_a_slip_of_the_pencil_is_named(kind: str, seeds: range) -> None:
    named = asked = 0
    for q in generated(kind, seeds):
        for answer, judgement in q.anticipated_mistakes():
            asked += 1
            named += "What is off" not in judgement.words[0]
            assert len(answer) == 1
    print(f"{kind}: {named} of {asked} slips were named ({named / asked:.1%})")
    assert named / asked >= 0.9


# ---- small enough to be done by hand ------------------------------------------------------------


def test_graphs_are_of_the_size_of_their_level_and_share_nodes_from_the_second_on(seeds: range) -> None:
    for q in generated("gradient", seeds):
        graph, level = q.graph, int(q.key.split(":")[1])
        named = [i for i, node in enumerate(graph.nodes) if node.op != CONSTANT]
        least, most = {1: (3, 4), 2: (5, 6), 3: (7, 9)}[level]
        assert least <= len(named) <= most, q.key
        assert (max(len(graph.consumers[i]) for i in named) > 1) == (level > 1), q.key


@pytest.mark.parametrize("kind", ["lost", "running"])
def test_graphs_in_which_a_sum_is_followed_are_of_the_size_of_their_level_too(kind: str) -> None:
    """But for the first level, on which a node has to be shared: that takes a fourth one."""
    for level, (least, most) in {1: (4, 5), 2: (5, 6), 3: (7, 9)}.items():
        sizes = set()
        for seed in range(6):
            graph = generate(kind, level, seed).subject
            sizes.add(sum(1 for node in graph.nodes if node.op != CONSTANT))
        assert least <= min(sizes) <= max(sizes) <= most, level


def test_an_order_question_may_have_two_results_and_no_more() -> None:
    """One whose numbers depend on the order at all is a question; it need not depend on it twice."""
    counts = set()
    for seed in range(12):
        q = generate("order", 1, seed)
        runs = run_orders(q.subject, q.suspect.pieces(), True, trace(q.subject)).listed
        counts.add(len({tuple(run.grads[i] for i in q.subject.inputs) for run in runs}))
    assert 2 in counts


def test_the_numbers_of_inputs_are_few_and_from_the_second_level_on_some_are_halved() -> None:
    whole = {2.0, 3.0, 4.0, 5.0, 6.0, -2.0, -3.0, -4.0}
    first = [_number(Lot(f"first {seed}"), 1) for seed in range(300)]
    assert {*first} == whole
    second = [_number(Lot(f"second {seed}"), 2) for seed in range(300)]
    assert {*second} <= whole | {x / 2.0 for x in whole}
    assert 0.02 < sum(x not in whole for x in second) / 300 < 0.2  # 15%, of which 2, 4, 6 and -4 stay whole


@pytest.mark.parametrize("kind", ["gradient", "leverage", "running", "data", "difference"])
def test_numbers_are_small_and_none_is_there_by_accident(kind: str, seeds: range) -> None:
    for q in generated(kind, seeds):
        right, inputs = trace(q.graph), q.graph.inputs
        for x in (*right.values, *(right.grads[i] for i in q.graph.order)):
            assert x, q.key
            assert abs(x) < 50, q.key
            assert (4 * x).is_integer(), q.key
        assert len({abs(right.grads[i]) for i in inputs}) == len(inputs), q.key
        assert all(right.grads[i] != right.values[i] for i in inputs), q.key


# ---- the checks are seen to fail ----------------------------------------------------------------


@dataclass(frozen=True)
class WrongSolution(GradientQuestion):
    @property
    def solution(self) -> dict[str, str]:
        first, *rest = super().solution.items()
        return {first[0]: repr(float(first[1]) + 1.0), **dict(rest)}


@dataclass(frozen=True)
class AcceptsAll(GradientQuestion):
    def judge(self, answer: Mapping[str, str]) -> Judgement:
        return Judgement(True, ("Right.",))


@dataclass(frozen=True)
class Blind(GradientQuestion):
    def judge(self, answer: Mapping[str, str]) -> Judgement:
        return replace(super().judge(answer), fault="")


def spoiled(kind: type, key: str = "gradient") -> Any:
    q = generate(key, 2, 5)
    return kind(q.head, q.subject, q.nodes)


def test_a_planted_wrong_solution_is_seen():
    gradient_has_one_answer(spoiled(GradientQuestion))
    with pytest.raises(AssertionError):
        gradient_has_one_answer(spoiled(WrongSolution))


def test_a_planted_second_right_choice_is_seen():
    q = generate("bug", 2, 5)
    bug_has_one_answer(q)
    true = q.suspects[q.right]
    twice = tuple(true if at == (q.right + 1) % 4 else each for at, each in enumerate(q.suspects))
    with pytest.raises(AssertionError):
        bug_has_one_answer(replace(q, suspects=twice))
    q = generate("expose", 2, 5)
    expose_has_one_answer(q)
    twice_shown = tuple(q.graphs[q.right] if at == (q.right + 1) % 4 else g for at, g in enumerate(q.graphs))
    with pytest.raises(AssertionError):
        expose_has_one_answer(replace(q, graphs=twice_shown))


@pytest.mark.parametrize(
    "kind", ["lost", "leverage", "order", "running", "difference", "data", "rule", "turns"]
)
def test_a_question_whose_graph_was_exchanged_is_seen(kind: str):
    """The solution of one question is not that of another of its kind."""
    q, other = (
        generate(kind, 2, 5),
        next(
            each
            for n in range(6, 60)
            if dict((each := generate(kind, 2, n)).solution) != dict(generate(kind, 2, 5).solution)
            and set(each.solution) == set(generate(kind, 2, 5).solution)
        ),
    )
    solution = dict(other.solution)

    class Exchanged(type(q)):  # type: ignore[misc]
        @property
        def solution(self) -> dict[str, str]:
            return solution

    spoilt = Exchanged(**{name: getattr(q, name) for name in q.__dataclass_fields__})
    ONE_ANSWER[kind](q)
    with pytest.raises(AssertionError):
        ONE_ANSWER[kind](spoilt)


def test_a_planted_judge_that_accepts_everything_is_seen():
    assert accepted(spoiled(GradientQuestion), Random(1)) == []
    assert len(accepted(spoiled(AcceptsAll), Random(1))) > 20


def test_a_planted_blind_judge_is_seen():
    sighted, asked = share_named([spoiled(GradientQuestion)], Random(1))
    blind, _ = share_named([spoiled(Blind)], Random(1))
    assert blind == 0 < sighted <= asked


# ---- the same for everybody ---------------------------------------------------------------------


def test_a_question_is_the_same_in_every_process(seeds: range) -> None:
    keys = [(kind, level, 7) for kind in KINDS for level in LEVELS]
    program = (
        "from minigrad.learn.questions import generate; from minigrad.text.translation import speaking\n"
        f"with speaking('en'):\n  for key in {keys}: q = generate(*key); print(q.ask(), dict(q.solution))"
    )
    with speaking("en"):
        here = "".join(f"{(q := generate(*key)).ask()} {dict(q.solution)}\n" for key in keys)
    run = [sys.executable, "-c", program]
    there = subprocess.run(run, capture_output=True, text=True, env={"PYTHONHASHSEED": "3"}, check=True)
    assert there.stdout == here


def test_questions_differ_from_seed_to_seed():
    for kind in KINDS:
        texts = {str(generate(kind, 2, seed).ask()) for seed in range(12)}
        assert len(texts) >= (6 if kind == "rule" else 11), kind


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_said_can_be_shown_in_both_languages(kind: str):
    """Every text has the marks of a lesson, and the two languages have the same parts and numbers."""
    for level in LEVELS:
        q = generate(kind, level, 3)
        shapes = []
        for lang in LANGUAGES:
            with speaking(lang):
                prompt, told = (
                    q.ask(),
                    [words for _, found in q.anticipated_mistakes() for words in found.words],
                )
                texts = [*prompt.paragraphs, *q.reveal(), *told, *(c.words for c in prompt.choices)]
                for text in texts:
                    assert marks(text), text
                shapes.append((prompt.statements, prompt.table, prompt.blanks, len(texts), dict(q.solution)))
        assert shapes[0] == shapes[1], q.key


@pytest.mark.parametrize(
    ("key", "graph", "right"),
    [
        ("lost:1:7", "a = -2; b = -3\nc = a * b\nd = c + b", "what comes via `d`"),
        ("lost:2:7", "a = -3; b = 5\nc = b * a\nd = c + a\ne = d - b", "what comes via `c`"),
        ("lost:2:9", "a = 2; b = -3; c = 4\nd = a * c\ne = a + d\nf = b + e", "what comes via `e`"),
        ("leverage:1:8", "a = -4; b = 5\nc = b * a", "`a`: as it grows, `c` grows"),
        ("leverage:2:7", "a = -2; b = 3\nc = b * a\nd = b * c\ne = c + d", "`b`: as it grows, `e` falls"),
        ("expose:1:9", "", "`a = -4; b = -3; c = a * b; d = b - c`"),
        ("expose:2:8", "", "`a = 2; b = 3; c = a - b; d = c * b`"),
    ],
)
def test_an_answer_key_of_minigrad_0_1_means_the_questions_that_it_printed(key: str, graph: str, right: str):
    """What 0.1 asked, and what was right there, as it said itself."""
    with speaking("en"):
        asked = kinds.question(key, edition=1)
        assert asked.prompt().statements == graph
        assert asked.options[asked.right] == right
