"""What somebody who only guesses gets right: no letter, and no length of an answer, is right more often."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any

import pytest

from minigrad.learn.questions import KINDS, generate
from minigrad.learn.questions.leverage import LeverageQuestion
from minigrad.learn.questions.lost_branch import COUNT
from minigrad.learn.questions.question import QuestionHead
from minigrad.learn.questions.question_bases import ChoiceQuestion
from minigrad.learn.questions.random_graphs import LEVELS, Lot, draw_graph

SEEDS = range(1000, 1072)
# chi-square with so many degrees of freedom is above this once in 1,000 times
ONCE_IN_A_THOUSAND = {1: 10.83, 2: 13.82, 3: 16.27, 5: 20.52, 7: 24.32}
CHOSEN = [kind for kind in KINDS if isinstance(generate(kind, 1, 0), ChoiceQuestion)]


def uneven_positions(questions: Iterable[Any]) -> dict[int, float]:
    """Chi-square of the places of right answers by number of choices, where it cannot be chance."""
    places: dict[int, Counter[int]] = {}
    for q in questions:
        places.setdefault(len(q.options), Counter())[q.right] += 1
    found = {}
    for count, seen in places.items():
        due = seen.total() / count
        if due >= 5.0:  # below that, chi-square says nothing
            square = sum((seen[place] - due) ** 2 / due for place in range(count))
            if square > ONCE_IN_A_THOUSAND[count - 1]:
                found[count] = square
    return found


def test_the_kinds_whose_answer_is_a_letter_are_these():
    assert CHOSEN == ["lost", "bug", "expose", "leverage", "turns"]


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("kind", CHOSEN)
def test_every_letter_is_right_as_often_as_the_others(kind: str, level: int) -> None:
    questions = [generate(kind, level, seed) for seed in SEEDS]
    assert uneven_positions(questions) == {}
    counted = Counter(len(q.options) for q in questions)
    assert max(counted.values()) >= 5 * max(counted), "too few of one size for the test to say anything"


@pytest.mark.parametrize("pick", [max, min])
@pytest.mark.parametrize("kind", ["bug", "expose"])
def test_neither_the_longest_nor_the_shortest_answer_is_a_good_guess(
    kind: str, pick: Callable[..., int]
) -> None:
    """One in four by chance; with 216 questions, 40% would be chance less than once in 100,000 times."""
    questions: list[Any] = [generate(kind, level, seed) for level in LEVELS for seed in SEEDS]
    lucky = sum(
        q.right == pick(range(len(q.options)), key=lambda place: len(q.options[place])) for q in questions
    )
    assert lucky / len(questions) < 0.4


def test_none_is_an_answer_that_is_right_and_one_that_is_wrong():
    found = [generate("lost", level, seed) for level in LEVELS for seed in SEEDS]
    right = [q for q in found if q.right == COUNT]
    assert 0.25 < len(right) / len(found) < 0.42
    for q in right:
        assert q.choices[q.right].words.startswith("none")
        assert q.shows, "a broken pass is what the question speaks of"
    named = {q.judge({"choice": "C"}).words[0] for q in found if q.right != COUNT}
    assert all("is not what a right pass gives" in words for words in named)


def test_a_kind_that_draws_whatever_comes_is_seen_to_be_uneven():
    """Inputs of small graphs push the output up more often than down, and the first one most."""

    def drawn(seed: int) -> LeverageQuestion:
        key = f"leverage:1:{seed}"
        return LeverageQuestion(QuestionHead(key, "leverage", ""), draw_graph(Lot(key), 1))

    assert list(uneven_positions(drawn(seed) for seed in range(400))) == [4]


def test_a_kind_in_which_none_is_never_right_is_seen_to_be_uneven():
    found = [generate("lost", 1, seed) for seed in range(1000, 1150)]
    assert list(uneven_positions(q for q in found if q.right != COUNT)) == [3]
