"""`minigrad diagnose`: what it prints, as text and as JSON, and what it refuses."""

from __future__ import annotations

import json

import pytest

from minigrad.cli import main

pytestmark = pytest.mark.both_engines

FIRST = "c = a*b; d = a + b; e = c + d"


def run(capsys, *words: str) -> tuple[int, str, str]:
    code = main(["diagnose", *words])
    captured = capsys.readouterr()
    return code, captured.out, captured.err


def test_the_command(capsys):
    code, out, _ = run(capsys, FIRST, "a=2", "b=-3", "--got", "a=1", "b=1", "--lang", "en")
    assert code == 1
    for line in ("= in place of +=", "the pass walked e, c, d", "kept 1 via d; lost -3 via c", "How to tell"):
        assert line in out
    code, out, _ = run(capsys, FIRST, "a=2", "b=-3", "--got", "a=-2", "b=3", "--lang", "es")
    assert code == 0
    assert "gradientes correctos" in out


def test_the_command_as_json_says_the_same_in_both_languages(capsys):
    words = (FIRST, "a=2", "b=-3", "--got", "a=1,b=1", "--json")
    _, english, _ = run(capsys, *words, "--lang", "en")
    _, spanish, _ = run(capsys, *words, "--lang", "es")
    assert english == spanish
    document = json.loads(english)
    assert document["schema"] == "minigrad.forensics/1"
    assert document["verdict"] == "wrong"
    assert document["expected"] == {"a": -2.0, "b": 3.0}
    assert {"fault", "order", "kept", "lost"} <= document["diagnoses"][0].keys()
    assert document["diagnoses"][0]["fault"] == "overwrite"
    assert document["distinguish"]["faults"]


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        ([], "nothing to examine"),
        ([FIRST, "a=2", "b=-3"], "no gradients to examine"),
        ([FIRST, "a=2", "b=-3", "--got", "a=one"], "'one'"),
        ([FIRST, "a=2", "b=-3", "--got", "z=1"], "z"),
        ([FIRST, "a=2", "b=-3", "--got", "a"], "'a'"),
        ([FIRST, "a=2", "b=-3", "--got", "a=1", "a=2"], "a was given twice"),
        ([FIRST, "a=2", "--got", "a=1"], "b"),
        (["a*(", "a=2", "--got", "a=1"], ""),
        (["k = 2*3; a*k", "a=2", "--got", "k=1", "--out", "x.pdf"], "x.pdf"),
        ([FIRST, "a=2", "b=-3", "--gott", "a=1"], "--got"),
    ],
)
def test_bad_input_gets_a_sentence(capsys, words, complaint):
    code, out, err = run(capsys, *words, "--lang", "en")
    assert (code, out) == (2, "")
    assert err.startswith("minigrad: ")
    assert complaint in err
    assert "Traceback" not in err
