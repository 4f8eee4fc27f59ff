"""Mistakes of the track: each is wrong, is told from the others by its probes, and has its words."""

import pytest

from minigrad.learn.track.mistakes import MISTAKES, Mistake, mistake_like, slug_of_fault
from minigrad.learn.track.probes import PREDICTIONS, PROBES, agree, expected, outcomes_in
from minigrad.learn.track.textbook_parts import STEPS, solution
from minigrad.text.translation import catalogue

TOLD = [one for one in MISTAKES if not one.endless]


@pytest.mark.parametrize("step", STEPS)
def test_a_right_engine_keeps_what_the_earlier_steps_asked(step):
    for name, outcome in expected(step).items():
        assert "error" not in outcome, (name, outcome)
        first = expected(name.partition("/")[0])[name]
        assert agree(outcome, first), name


@pytest.mark.parametrize("step", STEPS)
def test_each_mistake_of_a_step_fails_a_probe_and_is_recognised(step):
    probes = tuple(probe for probe in PROBES if probe.step == step)
    mine = [one for one in TOLD if one.step == step]
    for mistake in mine:
        outcomes = outcomes_in(mistake.source, probes)
        assert not all(agree(outcome, expected(step)[name]) for name, outcome in outcomes.items())
        assert mistake.slug in mistake_like(step, outcomes).exact, mistake


@pytest.mark.parametrize("step", STEPS)
def test_a_right_engine_is_like_no_mistake(step):
    probes = tuple(probe for probe in PROBES if probe.step == step)
    found = mistake_like(step, outcomes_in(solution(step), probes))
    assert found.best == ""


def test_every_mistake_has_its_words_in_both_languages():
    for mistake in MISTAKES:
        assert f"track.mistake.{mistake.slug}" in catalogue(), mistake.slug


def test_a_mistake_whose_passage_is_not_there_is_refused():
    with pytest.raises(RuntimeError, match="no passage"):
        _ = Mistake("number", "data-missing", (("nowhere", ""),)).source


def test_faults_without_words_of_their_own_get_general_ones():
    assert slug_of_fault("overwrite-one-op") == "overwrite"
    assert slug_of_fault("log-no-reciprocal") == "rule-wrong"
    assert slug_of_fault("wrong-pass") == "gradient-wrong"


def test_predictions_are_one_number_each():
    assert list(PREDICTIONS) == list(STEPS)
    # By hand: 0; b; a; 2**11 - 1 calls; 11 nodes; 1 + 1; -1; 0; 6 + 6; 8*3 + 9; (3.1**2 - 2.9**2) / 0.2.
    right = [0.0, -3.0, 2.0, 2047.0, 11.0, 2.0, -1.0, 0.0, 12.0, 33.0, 6.0]
    found = [expected(step)[PREDICTIONS[step].id]["numbers"] for step in STEPS]
    assert found == [[pytest.approx(number)] for number in right]
