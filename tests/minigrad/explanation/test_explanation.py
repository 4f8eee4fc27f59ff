"""Explanations: every number out of the trace, every awkward graph still readable."""

import json
import os
import re
import subprocess
import sys

import pytest

import minigrad
from minigrad import Value, explain, parse, trace
from minigrad.explanation import VIEWS, Explanation, Ink, Page
from minigrad.graph.trace import Trace
from minigrad.text.translation import LANGUAGES

DIAMOND = ("ab = a*b; e = ab + c; f = a - c; L = e*f", {"a": 2, "b": 3, "c": 4})


def view(name, text, lang="en", **inputs):
    return explain(text, inputs).text([name], lang=lang)


def test_a_value_a_graph_and_a_text_are_explained_alike():
    a, b, c = (Value(x, label=name) for name, x in DIAMOND[1].items())
    ab, nodes = a * b, {}
    nodes = {"ab": ab, "e": ab + c, "f": a - c}
    nodes["L"] = nodes["e"] * nodes["f"]
    for label, node in nodes.items():
        node.label = label
    from_value = explain(nodes["L"])
    from_text = explain(*DIAMOND)
    assert from_value.text() == from_text.text() == str(explain(parse(*DIAMOND)))
    assert from_value.to_json() == from_text.to_json()


def test_explaining_touches_no_grad():
    a = Value(2.0)
    loss = a * a
    explain(loss).text()
    assert (a.grad, loss.grad) == (0.0, 0.0)


def test_the_package_is_the_function():
    assert isinstance(minigrad.explain(Value(1.0) * 2), Explanation)
    assert callable(minigrad.trace)
    assert minigrad.explanation.VIEWS == VIEWS


def test_every_number_in_the_text_is_in_the_json():
    """Round numbers, so that six shown digits are all of them."""
    explanation = explain("p = a*b; q = p - c; L = q*a/4", {"a": 3, "b": 5, "c": 7})
    document = json.dumps(explanation.to_json())
    known = {float(x) for x in re.findall(r"-?\d+\.?\d*(?:e-?\d+)?", document)}
    known |= {-x for x in known}
    shown = {float(x) for x in re.findall(r"(?<![\w.])-?\d+\.?\d*(?![\w.])", explanation.text(VIEWS[:5]))}
    counts = {1.0, 2.0}  # "one of 2 valid orders"
    assert shown - known - counts == set()


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("name", VIEWS)
def test_each_view_shows_something_in_both_languages(name, lang):
    lines = view(name, *DIAMOND[:1], lang=lang, **DIAMOND[1]).splitlines()
    assert len(lines) >= 2


@pytest.mark.parametrize("name", VIEWS)
def test_each_view_runs_alone(name):
    command = [sys.executable, "-W", "error", "-m", f"minigrad.explanation.{name}"]
    run = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", check=True)
    assert run.stdout == explain(*DIAMOND).text([name])


def test_an_unknown_view_is_refused():
    with pytest.raises(ValueError, match=r"stream.*ledger"):
        explain(*DIAMOND).text(["stream"])
    with pytest.raises(ValueError, match=r"river is a drawing.*river\.svg"):
        explain(*DIAMOND).text(["river"])


# ---- views ----------------------------------------------------------------------------------


def test_forward_puts_negative_numbers_in_parentheses():
    out = view("forward", "L = a*b - c**2 + relu(b)", a=2, b=-3, c=-4)
    assert "2 * (-3)" in out
    assert "(-4) ** 2" in out
    assert "relu(-3)" in out


def test_constants_are_their_numbers():
    out = view("forward", "L = 3*a + exp(0.5)", a=2)
    assert re.search(r"3 \* a +(= 3 \* 2)", out)
    assert "exp(0.5)" in out
    assert "k1" not in out


def test_the_ledger_tells_two_uses_in_one_node_apart():
    assert "a: 14 = 7 via s [slot 1] + 7 via s [slot 2]" in view("ledger", "s = a*a", a=7)


def test_paths_that_part_further_up_are_told_apart_by_the_node_where_they_part():
    shown = view("ledger", "y = w*x; z = y + b; miss = z - t; loss = miss*miss", w=2, x=3, b=1, t=5)
    assert "w: 12 = 6 via y [slot 1 of loss] + 6 via y [slot 2 of loss]" in shown
    assert "w > y > z > miss > loss  [slot 2 of loss]" in shown
    assert "t: -4 = -2 via miss [slot 1 of loss] - 2 via miss [slot 2 of loss]" in shown
    both = view("ledger", "s = a*a; L = s*s", a=1)
    assert "a: 4 = 1 via s [slot 1 of s, slot 1 of L] + 1 via s [slot 1 of s, slot 2 of" in both
    assert "1 = 1 * 1   a > s > L  [slot 2 of s, slot 1 of L]" in both


def test_the_ledger_goes_on_until_paths_differ():
    out = view("ledger", "s = a*2; u = s*3; v = s*5; L = u + v", a=1)
    assert "a: 16 = 10 via s > v + 6 via s > u" in out


def test_the_ledger_of_very_many_paths_lists_a_few_and_the_exact_rest():
    text = "x0 = a; " + "; ".join(f"x{i + 1} = x{i} + x{i}" for i in range(1, 40))
    out = view("ledger", "x1 = a*1; " + text.partition("; ")[2], a=1)
    assert "a: 549755813888 = " in out or "a: 5.49756e+11 = " in out  # 2**39
    assert "in 549,755,813,883 more paths" in " ".join(out.split())


def test_an_input_that_the_output_ignores_has_no_ledger_and_is_noted():
    out = explain("p = a*b; q = a + 1", {"a": 1, "b": 2}).text()
    assert "b: 0, the output does not depend on it" in out
    assert "note: the output does not depend on b, p" in out


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("L = 2.5*a", "L grows 2.5 times as much"),
        ("L = -0.25*a", "L falls 0.25 times as much"),
        ("L = a", "a grows just as much"),
        ("L = 1 - a", "L falls just as much"),
        ("L = 0*a", "L does not move"),
        ("L = sqrt(a - 4)", "L rises infinitely fast with a here"),
        ("L = log(a - 5)", "how L responds to a is undefined here"),
    ],
)
def test_meanings_in_words(text, sentence):
    assert sentence in view("meaning", text, a=4)


def test_the_thermometer_has_a_bar_for_every_gradient_that_is_not_zero():
    out = view("thermometer", "L = 1e6*a + b - 0.001*c + 0*d", a=1, b=1, c=1, d=1)
    bars = {line.split()[0]: line.count("━") for line in out.splitlines() if "│" in line}
    assert bars["a"] > 10
    assert bars["b"] == bars["c"] == 1
    assert bars["d"] == 0
    left = next(line for line in out.splitlines() if line.strip().startswith("c"))
    assert left.index("━") < left.index("│")


def test_the_thermometer_draws_infinity_and_nan_without_failing():
    out = view("thermometer", "L = sqrt(a) - sqrt(b) + log(c)", a=0, b=0, c=-1)
    assert "▶" in out
    assert "◀" in out
    assert "?" in out


def test_the_check_says_when_it_cannot_judge():
    out = view("check", "L = relu(a)", a=0)
    assert "a: differences cannot judge here: the output has a kink" in out
    for kinked, names in (
        ("abs(a)", "a"),
        ("maximum(a, b)", "ab"),
    ):  # where the convention happens to agree, it is one still
        assert "cannot judge" in explain(kinked, dict.fromkeys(names, 0)).text()


def test_at_a_kink_the_meaning_tells_both_sides():
    out = view("meaning", "L = relu(a)", a=0)
    assert "a kink: L changes by a factor of 1 if a grows, 0 if it falls" in " ".join(out.split())
    assert "jumps here" in view("meaning", "L = a > 0", a=0)
    assert "is undefined here" in view("meaning", "L = a*b", a=1e300, b=1e300)


def test_only_inputs_that_all_move_the_output_are_said_to_move_it_equally():
    assert "equally" in view("thermometer", "L = a + b", a=1, b=2)
    assert "equally" not in view("thermometer", "L = a + b + 0*c", a=1, b=2, c=3)


def test_a_constant_output_has_nothing_to_check():
    explanation = explain("2*3")
    assert "nothing to check" in explanation.text()
    assert explanation.gradients == {}


def test_a_branch_not_taken_is_said_to_send_no_message():
    out = explain("y = where(x > 0, log(x), 2*x)", {"x": 0}).text()
    assert "no message" in out
    assert explain("y = where(x > 0, log(x), 2*x)", {"x": 0}).gradients == {"x": 2.0}


# ---- layout ---------------------------------------------------------------------------------


def test_labels_cannot_break_a_terminal_or_a_page():
    evil = "\x1b[31mred\x07\n`````\u202e" + "x" * 100
    a = Value(2.0, label=evil)
    explanation = explain(a * a)
    for text in (explanation.text(), explanation.markdown()):
        assert "\x1b" not in text
        assert "\x07" not in text
        assert "\u202e" not in text
        assert "\\x1b[31mred\\x07\\n" in text
    page = explanation.markdown()
    for fence, body in re.findall(r"^(`{3,})text\n(.*?)\n\1$", page, re.MULTILINE | re.DOTALL):
        assert fence not in body
    outside = re.sub(r"^(`{3,})text\n.*?\n\1$", "", page, flags=re.MULTILINE | re.DOTALL)
    assert "red" not in outside
    assert json.loads(json.dumps(explanation.to_json()))["nodes"][0]["label"] == evil


def test_long_explanations_are_clipped_and_say_so():
    text = "; ".join(["x0 = a*1", *(f"x{i + 1} = x{i} + 1" for i in range(200))])
    explanation = explain(text, {"a": 1})
    clipped = explanation.text(["forward"], page=Page(rows=10))
    assert len(clipped.splitlines()) == 1 + 10 + 1
    assert "192 more lines" in clipped
    assert len(explanation.text(["forward"]).splitlines()) == 1 + 202


def test_ink_colours_and_plain_text_say_the_same():
    explanation = explain(*DIAMOND)
    coloured = explanation.text(page=Page(ink=Ink(True)))
    assert "\x1b[34m" in coloured
    assert re.sub(r"\x1b\[\d+m", "", coloured) == explanation.text()


def test_markdown_has_a_heading_per_view():
    text = explain(*DIAMOND).markdown()
    assert text.startswith("# The gradients of `L`, explained\n")
    assert text.count("\n## ") == len(VIEWS)
    assert explain(*DIAMOND).markdown(lang="es").startswith("# Los gradientes de `L`, explicados\n")


def test_the_json_holds_the_trace():
    document = explain(*DIAMOND).to_json()
    expected = trace(parse(*DIAMOND)).to_json()
    for key in ("nodes", "order", "events", "output"):
        assert document[key] == expected[key]
    assert document["paths"]["a"]["listed"][0]["nodes"] == ["a", "f", "L"]
    assert list(document["gradients"]) == ["a", "b", "c"]
    assert document["schema"] == "minigrad.explanation/1"


def test_rules_name_the_nodes_that_they_are_about():
    out = view("walk", "p = w**2; L = log(p)", w=3)
    assert "the base gets upstream times 2 * w**(2-1)" in out
    assert "upstream / p" in out


def test_a_smooth_point_is_not_noted_as_a_convention():
    assert "note" not in explain("L = a**2", {"a": -3}).text()
    assert "note: L is relu exactly" in explain("L = relu(a)", {"a": 0}).text()


def test_a_trace_is_read_back_from_the_json_of_an_explanation():
    explanation = explain("L = relu(a)*b", {"a": 0, "b": 2})
    document = json.loads(json.dumps(explanation.to_json()))
    assert Trace.from_json(document) == explanation.trace
    del document["notes"]
    with pytest.raises(ValueError, match="notes"):
        Trace.from_json(document)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_json_is_the_same_in_every_language(lang, monkeypatch):
    monkeypatch.setenv("MINIGRAD_LANG", lang)
    document = explain("L = relu(a) + exp(b)", {"a": 0, "b": 1000}).to_json()
    assert [(note["note"], note["op"]) for note in document["notes"]] == [
        ("kink", "relu"),
        ("overflow", "exp"),
    ]


def test_a_broken_pass_is_shown_as_it_was_walked():
    graph = parse(*DIAMOND)
    early = [graph.index(label) for label in ("ab", "L", "f", "e")]  # ab before its gradient arrived
    out = Explanation(trace(graph, order=early)).text(["walk"])
    assert out.index("ab = a * b   upstream 0") < out.index("L = e * f   upstream 1")
    again = [graph.index(label) for label in ("L", "f", "e", "ab", "e")]  # e visited twice
    out = Explanation(trace(graph, order=again)).text(["walk"])
    assert "c: -10 -> -12" in out
    assert "c: -12 -> -14" in out
    overwritten = trace(graph, accumulate=lambda before, amount: amount)
    assert "a: -6 != 10 via f - 6 via ab" in Explanation(overwritten).text(["ledger"])


def test_the_sentences_fit_a_narrow_page():
    explanation = explain("L = relu(a)*b", {"a": 0, "b": 2})
    for lang in LANGUAGES:
        lines = explanation.text(["order", "meaning", "check"], lang=lang, page=Page(width=56)).splitlines()
        assert max(map(len, lines)) <= 56


def test_a_failure_to_save_names_the_file_that_was_asked_for(tmp_path):
    shown = explain("a*b", {"a": 2.0, "b": 3.0})
    (tmp_path / "file").write_text("")
    for path in (tmp_path / "missing" / "x.svg", tmp_path / "file" / "x.svg"):
        with pytest.raises((FileNotFoundError, NotADirectoryError)) as failure:
            shown.save(path)
        assert failure.value.filename == str(path)


def test_saving_follows_no_link_that_somebody_put_beside_the_file(tmp_path, monkeypatch):
    monkeypatch.setattr(os, "urandom", lambda count: bytes(count))
    precious = tmp_path / "precious"
    precious.write_text("kept")
    (tmp_path / f".minigrad-{'00' * 8}.part").symlink_to(precious)
    with pytest.raises(FileExistsError):
        explain("a*b", {"a": 2.0, "b": 3.0}).save(tmp_path / "x.svg")
    assert precious.read_text() == "kept"


def test_the_order_is_printed_with_the_topological_order_that_it_is_the_reverse_of():
    out = view("order", "ab = a*b; e = ab + c; f = a - c; L = e*f", a=2, b=3, c=4)
    assert "L, f, e, ab, c, b, a" in out
    assert "a topological order: a, b, c, ab, e, f, L" in out


def test_the_meaning_of_named_nodes_in_between_and_of_the_output():
    out = " ".join(view("meaning", "c = a*b; e = c + d; f = relu(e)", a=2, b=-3, d=10).split())
    assert "c -6 1 if c grows a little, f grows just as much" in out
    assert "f 4 1 the output itself: the seed" in out
    assert "v1" not in view("meaning", "a*b + c", a=2, b=3, c=4)  # nobody gave it this name


def test_nothing_is_said_of_a_node_behind_a_kink():
    """The gradient of e is 0 by convention, and f grows if e does."""
    assert "if e grows" not in view("meaning", "e = a + b; f = relu(e)", a=1, b=-1)


def test_the_thermometer_compares_any_two_inputs_of_a_few():
    out = view("thermometer", "12*c - 4*a + 4*b", a=1, b=1, c=1)
    for sentence in ("c moves out 3 times as much as a", "3 times as much as b", "a moves out as much as b"):
        assert sentence in out
    assert view("thermometer", "a + 2*b + 4*c + 8*d + 16*e", a=1, b=1, c=1, d=1, e=1).count("times") == 4
