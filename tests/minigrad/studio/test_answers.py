"""Questions and answers of the studio, without any web: numbers of facts.md, places of errors, limits."""

import json
from base64 import b64decode
from xml.etree import ElementTree

import pytest

from minigrad.faults import FAULTS
from minigrad.language import LanguageError, parse
from minigrad.studio.answers import answer
from minigrad.studio.requests import APIS, RequestError, read_body, read_request
from minigrad.studio.typed_graph import place_of, read_graph, slider
from minigrad.text.translation import LANGUAGES
from studio_requests import FIELDS, ODD

CLASSIC = "ab = a*b; e = ab + c; f = a - c; L = e*f"
AT = {"a": 2, "b": 3, "c": 4}
FIRST = "c = a*b; d = a + b; e = c + d"
FIRST_AT = {"a": 2, "b": -3}
RELU_AT = {"a": 2, "b": -3, "d": 10}


def ask(api, text=CLASSIC, inputs=None, **fields):
    """The answer to a question that is one, as it would travel."""
    status, found = answer(api, {"text": text, "inputs": AT if inputs is None else inputs, **fields})
    assert status == 200
    return json.loads(json.dumps(found, allow_nan=False))


def gradients(told):
    nodes = told["trace"]["nodes"]
    return {row["name"]: row["grad"] for row in nodes if row["op"] == "input"}


# ---- explaining ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "inputs", "forward", "expected"),
    [
        (CLASSIC, AT, {"ab": 6, "e": 10, "f": -2, "L": -20}, {"a": 4, "b": -4, "c": -12}),
        (FIRST, FIRST_AT, {"c": -6, "d": -1, "e": -7}, {"a": -2, "b": 3}),
        ("L = a + a", {"a": 5}, {"L": 10}, {"a": 2}),
        ("c = a*b; e = c + d; f = relu(e)", RELU_AT, {"c": -6, "e": 4, "f": 4}, {"a": -3, "b": 2, "d": 1}),
        ("z = x*y", {"x": 3, "y": 5}, {"z": 15}, {"x": 5, "y": 3}),
    ],
)  # fmt: skip
def test_the_numbers_are_those_of_the_facts(text, inputs, forward, expected):
    found = ask("explain", text, inputs)
    (told,) = found["document"]["traces"]
    data = {row["name"]: row["data"] for row in told["trace"]["nodes"]}
    assert {name: data[name] for name in forward} == forward
    assert gradients(told) == expected
    assert found["document"]["source"]["text"] == text


def test_the_text_may_hold_its_own_numbers_and_a_slider_replaces_them():
    text = "a = 2; b = 3\nL = a*b"
    found = ask("explain", text, {})
    assert [(row["name"], row["value"], row["written"]) for row in found["inputs"]] == [
        ("a", 2, 2),
        ("b", 3, 3),
    ]
    assert [text[slice(*row["where"])] for row in found["inputs"]] == ["2", "3"]
    moved = ask("explain", text, {"b": 5})
    assert [(row["name"], row["value"], row["written"]) for row in moved["inputs"]] == [
        ("a", 2, 2),
        ("b", 5, 3),
    ]
    assert gradients(moved["document"]["traces"][0]) == {"a": 5, "b": 2}


def test_a_name_without_a_value_is_assumed_to_be_one():
    found = ask("explain", "L = a*b + c", {"b": 3})
    rows = {row["name"]: (row["value"], row["assumed"]) for row in found["inputs"]}
    assert rows == {"a": (1, True), "b": (3, False), "c": (1, True)}
    assert ask("explain", "pi*r**2", {"r": 2})["inputs"][0]["value"] == pytest.approx(3.14159265)


def test_a_value_for_a_name_that_is_gone_is_left_aside():
    assert ask("explain", "a*a", {"a": 3, "gone": 1, "a b": 2})["ok"]


def test_a_name_that_is_computed_cannot_be_moved():
    found = ask("explain", "a = 2; c = a*a; L = c + a", {"c": 7})
    assert [row["name"] for row in found["inputs"]] == ["a"]
    assert gradients(found["document"]["traces"][0]) == {"a": 5}


@pytest.mark.parametrize(
    ("value", "shown"), [("1/3", 1 / 3), ("inf", "inf"), ("-inf", "-inf"), ("nan", "nan"), ("2**3", 8)]
)
def test_a_value_may_be_a_word_or_an_expression_of_numbers(value, shown):
    assert ask("explain", "a*2", {"a": value})["inputs"][0]["value"] == shown


def test_notes_say_what_a_reader_should_know():
    assert any("relu" in note for note in ask("explain", "relu(a)", {"a": 0})["notes"])
    assert ask("explain")["notes"] == []


def test_both_languages_say_the_same_numbers():
    spoken = [ask("explain", language=language) for language in LANGUAGES]
    assert [each["document"]["language"] for each in spoken] == list(LANGUAGES)
    assert spoken[0]["document"]["traces"][0]["trace"] == spoken[1]["document"]["traces"][0]["trace"]
    wrong = [ask("explain", "a +", language=language)["error"]["message"] for language in LANGUAGES]
    assert wrong == ["a value is missing after +", "falta un valor después de +"]


def test_the_server_has_a_language_for_questions_without_one():
    assert answer("explain", {"text": "a +"}, "es")[1]["error"]["message"] == "falta un valor después de +"
    assert "not of its kind" in answer("explain", {"text": 1}, "en")[1]["error"]["message"]
    assert "no es de su tipo" in answer("explain", {"text": 1}, "es")[1]["error"]["message"]


# ---- what is wrong, and where -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("a*b + foo(a)", "foo"),
        ("a b", "b"),
        ("x = y; y = x", "y"),
        ("a*(b", "("),
        ("a = 2\r\nb = a ^ 2", "^"),
        ("a = 2\nb = 3\n\nc = a*b + 2x", "x"),
        ("a = 2; a = 3", "a"),
        ("é = 1", "é"),
        ("# 😀 comment\na ** ", "*"),
        ("a +", "+"),
        ("a + \nb", "+"),
        ("softmax(5, a, b)", "5"),
    ],
)
def test_an_error_says_where_it_is(text, wrong):
    error = ask("explain", text, {})["error"]
    assert error["code"] == "language"
    start, end = error["where"]
    assert text[start:end].strip().endswith(wrong) or text[start:end] == wrong
    assert error["hint"]


def test_every_error_of_the_grammar_has_its_place_inside_the_text():
    for text in (
        "(",
        ")",
        "a)",
        "a(",
        "exp",
        "exp()",
        "1 2",
        "a,",
        "a = b = 1",
        "if a",
        "=",
        "a == b",
        "\\",
        "\r",
        "9" * 500,
    ):
        with pytest.raises(LanguageError) as caught:
            parse(
                text,
                {"a": 1.0, "b": 1.0} if "a" in text and "b" in text else {"a": 1.0} if "a" in text else {},
            )
        place = place_of(text, caught.value)
        assert place is None or 0 <= place[0] <= place[1] <= len(text), text


def test_a_text_that_says_nothing_has_no_place():
    for text in ("", "   ", "# only a comment", "\n\n"):
        error = ask("explain", text, {})["error"]
        assert error["code"] == "language"
        assert "where" not in error


def test_what_is_too_much_is_refused_with_the_limit():
    long = ask("explain", "a" + "+a" * 40_000)["error"]
    assert (long["code"], "60,000" in long["message"]) == ("limit", True)
    many = ask("explain", "a" + "+1" * 15_000)["error"]
    assert (many["code"], "20,000" in many["message"]) == ("limit", True)


# ---- breaking -----------------------------------------------------------------------------------


def test_overwriting_depends_on_the_order_and_no_order_is_right():
    found = ask("break", fault="overwrite")
    orders = {tuple(row["order"]): row["gradients"] for row in found["orders"]}
    assert orders == {
        ("L", "f", "e", "ab"): {"a": -6, "b": -4, "c": -2},
        ("L", "e", "f", "ab"): {"a": -6, "b": -4, "c": -10},
        ("L", "e", "ab", "f"): {"a": 10, "b": -4, "c": -10},
    }
    assert (found["total"], found["complete"], found["expected"]) == (3, True, {"a": 4, "b": -4, "c": -12})
    right, broken = found["document"]["traces"]
    assert gradients(right) == {"a": 4, "b": -4, "c": -12}
    assert gradients(broken) == {"a": -6, "b": -4, "c": -2}
    assert [row["name"] for row in found["accounts"] if not row["right"]] == ["a", "c"]
    assert "child.grad = amount" in found["diff"]


@pytest.mark.parametrize(
    ("order", "expected"), [(0, (-6, -4, -2)), (1, (-6, -4, -10)), (2, (10, -4, -10)), (99, (-6, -4, -2))]
)
def test_each_order_can_be_looked_at(order, expected):
    found = ask("break", fault="overwrite", order=order)
    assert found["order"] == (order if order < 3 else 0)
    right, broken = found["document"]["traces"]
    assert tuple(gradients(broken).values()) == expected
    assert (
        right["trace"]["order"][:4]
        == broken["trace"]["order"][:4]
        == found["orders"][found["order"]]["order"]
    )


def test_the_first_graph_has_its_two_outcomes():
    found = ask("break", FIRST, FIRST_AT, fault="overwrite")
    assert {tuple(row["order"]): tuple(row["gradients"].values()) for row in found["orders"]} == {
        ("e", "d", "c"): (-3, 2),
        ("e", "c", "d"): (1, 1),
    }


def test_a_variant_can_be_asked_for():
    found = ask("break", fault="overwrite-one-op")
    assert {"mul", "add"} <= set(found["variants"])
    for variant in found["variants"]:
        assert ask("break", fault="overwrite-one-op", variant=variant)["variant"] == variant


def test_without_a_text_a_fault_brings_its_own_graph():
    found = ask("break", "", {}, fault="overwrite")
    assert found["text"] == FAULTS["overwrite"].smallest
    assert found["shows"]


def test_every_fault_can_be_looked_at_on_its_own_graph():
    for slug in FAULTS:
        found = ask("break", "", {}, fault=slug)
        assert found["ok"], slug
        assert len(found["document"]["traces"]) == 1 + (not found["endless"]), slug


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"fault": "overwrit"}, "overwrite"),
        ({"fault": "nothing-like-it-at-all"}, "there is no fault"),
        ({"fault": ""}, "there is no fault"),
        ({"fault": "overwrite", "variant": "mul"}, "overwrite"),
    ],
)
def test_a_fault_that_is_none_is_refused_in_words(fields, words):
    error = ask("break", **fields)["error"]
    assert error["code"] == "refused"
    assert words in error["message"]


def test_the_catalogue_comes_in_both_languages_with_what_shows_here():
    found = ask("faults")
    rows = {row["slug"]: row for row in found["faults"]}
    assert rows.keys() == FAULTS.keys()
    assert rows["overwrite"]["applies"] == "shows"
    assert {row["applies"] for row in found["faults"]} >= {"shows", "idle"}
    assert all(row["name"][0] != row["name"][1] for row in found["faults"] if row["slug"] != "relu")
    assert all("{" not in name for row in found["faults"] for name in row["name"])
    assert {row["family"] for row in found["faults"]} == found["families"].keys()
    assert {row["applies"] for row in ask("faults", "")["faults"]} == {"idle"}


# ---- groups -------------------------------------------------------------------------------------

LONG = "\n".join(["x0 = a*b", *(f"x{i} = tanh(x{i - 1} + a)" for i in range(1, 200))])


def test_a_large_graph_comes_without_its_groups_and_each_can_be_asked_for():
    found = ask("explain", LONG)
    rows = found["document"]["traces"][0]["groups"]
    assert rows
    assert not any(row["svg"] for row in rows.values())
    for key in list(rows)[:3]:
        drawn = ElementTree.fromstring(ask("group", LONG, group=key)["svg"])
        assert drawn.tag.endswith("svg")
        assert drawn.findall(".//*[@data-node]")


def test_a_group_is_that_of_the_pass_that_is_looked_at():
    key = next(iter(ask("explain", LONG)["document"]["traces"][0]["groups"]))
    right, same, broken = (
        ask("group", LONG, group=key, **fields)["svg"]
        for fields in ({}, {"fault": "overwrite", "key": "right"}, {"fault": "overwrite", "key": "overwrite"})
    )
    assert right == same != broken


def test_a_group_that_is_none_is_refused_in_words():
    assert ask("group", group="1")["error"]["code"] == "refused"


# ---- the court and the diagnosis ----------------------------------------------------------------


def test_the_court_finds_our_own_pass_right():
    found = ask("check")
    assert found["verdict"] == "right"
    assert found["columns"] == ["L", "dL/da", "dL/db", "dL/dc"]
    first, *others = found["rows"]
    assert first["cells"] == ["-20", "4", "-4", "-12"]
    assert {"agrees"} == {row["status"] for row in others}
    assert any("dL/da" in line for line in found["by_hand"])


def test_the_court_finds_claimed_numbers_wrong():
    found = ask("check", claimed={"a": "-6", "b": "-4", "c": -2})
    assert found["verdict"] == "wrong"
    assert found["rows"][0]["cells"][-3:] == ["-6", "-4", "-2"]


def test_a_witness_that_nobody_knows_is_refused_in_words():
    assert "nobody" in ask("check", ask="nobody")["error"]["message"]


def test_wrong_numbers_lead_to_their_bug_and_to_the_order_that_gives_them():
    found = ask("diagnose", FIRST, FIRST_AT, observed={"a": 1, "b": 1})
    best = found["diagnoses"][0]
    assert (found["verdict"], best["fault"], best["order"]) == ("wrong", "overwrite", ["e", "c", "d"])
    lab = ask("break", FIRST, FIRST_AT, fault=best["fault"], order=best["order_index"])
    assert gradients(lab["document"]["traces"][1]) == {"a": 1, "b": 1}
    assert found["sections"][0]["title"] == "Verdict"


def test_right_numbers_are_found_right_also_rounded():
    assert ask("diagnose", observed={"a": "4", "b": "-4", "c": "-12"})["verdict"] == "right"
    assert ask("diagnose", "a/3", {"a": 1}, observed={"a": "0.33"})["verdict"] == "right"


@pytest.mark.parametrize("observed", [{}, {"nobody": 1}])
def test_a_diagnosis_needs_numbers_of_nodes_that_there_are(observed):
    assert ask("diagnose", observed=observed)["error"]["code"] == "refused"


# ---- exporting ----------------------------------------------------------------------------------


@pytest.mark.parametrize("fault", ["", "overwrite"])
@pytest.mark.parametrize(
    ("form", "opening"),
    [
        ("svg", "<svg"),
        ("html", "<!doctype html>"),
        ("md", "# "),
        ("tex", "% en\n\\documentclass"),
        ("json", "{\n"),
        ("txt", ""),
    ],
)
def test_each_form_can_be_saved(form, opening, fault):
    found = ask("export", format=form, fault=fault)
    assert found["encoding"] == "text"
    assert found["body"].startswith(opening)
    assert found["name"] == f"minigrad-L{'-' + fault if fault else ''}.{form}"
    if form == "json":
        expected = json.loads(found["body"])["expected" if fault else "gradients"]
        assert expected == {"a": 4, "b": -4, "c": -12}


def test_a_picture_is_bytes():
    found = ask("export", format="png", view="river")
    assert (found["type"], found["encoding"]) == ("image/png", "base64")
    assert b64decode(found["body"]).startswith(b"\x89PNG")


@pytest.mark.parametrize("theme", ["auto", "light", "dark", "print"])
@pytest.mark.parametrize("view", ["graph", "river", "waterfall", "thermometer", "ledger"])
def test_each_drawing_can_be_saved_in_each_theme(view, theme):
    found = ask("export", format="svg", view=view, theme=theme)
    assert ElementTree.fromstring(found["body"]).tag.endswith("svg")


def test_the_ledger_of_one_node():
    whole, one = (ask("export", view="ledger", node=node)["body"] for node in (None, 0))
    assert len(one) < len(whole)
    assert ask("export", view="ledger", node=99)["error"]["code"] == "refused"
    assert ask("export", view="portrait")["error"]["code"] == "refused"


# ---- requests -----------------------------------------------------------------------------------


@pytest.mark.parametrize("api", [api for api in APIS if api != "start"])
@pytest.mark.parametrize("field", FIELDS)
def test_a_field_of_any_kind_is_answered_or_refused_and_nothing_breaks(api, field):
    for odd in ODD:
        fields = {"text": "a*b", "fault": "overwrite"} if api == "break" else {"text": "a*b"}
        if api == "diagnose":
            fields["observed"] = {"a": 1}
        status, found = answer(api, {**fields, field: odd})
        assert status in (200, 400), (api, field, odd)
        json.dumps(found, allow_nan=False)
        if status == 400:
            assert found["error"]["code"] == "request"


def test_a_field_that_an_api_does_not_take_is_refused():
    assert answer("explain", {"text": "a", "fault": "overwrite"})[0] == 400
    with pytest.raises(RequestError, match="nobody asked for"):
        read_request("explain", {"text": "a", "\x1b[31m": 1})


@pytest.mark.parametrize(
    "body", [b"", b"[]", b"{", b"\xff", b'{"a": NaN}', b'{"a": 1, "a": 1}', b"[" * 50_000, b"1" * 5000]
)
def test_what_is_no_json_object_is_no_question(body):
    with pytest.raises(RequestError):
        read_body(body)


def test_a_question_may_hold_any_character():
    found = ask("explain", "a # \ud800 \u2028 </script> \x00")
    assert found["ok"]
    assert "\ud800" in found["document"]["source"]["text"]


# ---- sliders ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "bound"),
    [
        (0, 2),
        (1, 2),
        (2, 5),
        (-3, 10),
        (4, 10),
        (0.5, 2),
        (0.01, 0.02),
        (1e-5, 2e-5),
        (100, 200),
        (6e22, 2e23),
    ],
)
def test_a_slider_has_room_on_both_sides_and_round_ends(value, bound):
    low, high, step = slider(value)
    assert (low, high) == pytest.approx((-bound, bound))
    assert step == pytest.approx(bound / 100)
    assert low <= value <= high


@pytest.mark.parametrize("value", [float("inf"), float("nan"), 1e308, 5e-324, -1e308])
def test_a_slider_for_a_number_that_is_hardly_one_is_a_usual_one(value):
    assert all(abs(each) < 1e300 and each == each for each in slider(value))


def test_a_range_stays_while_a_value_moves_inside_it():
    ends = {
        (row["low"], row["high"])
        for x in (0.1, 1, 4.9, -5)
        for row in read_graph("a = 2; a*a", {"a": x}).rows()
    }
    assert ends == {(-5, 5)}
    (row,) = read_graph("a = 2; a*a", {"a": 300.0}).rows()
    assert row["low"] <= 300 <= row["high"]
