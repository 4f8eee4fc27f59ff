"""What the page may ask: each question has its own fields, and each field its kind."""

from __future__ import annotations

from dataclasses import FrozenInstanceError, fields

import pytest

from minigrad.errors import MinigradError
from minigrad.studio.requests import APIS, LEARNED, OWN, RequestError, read_request

ALWAYS = {"language", "page", "serial"}
GRAPH = {"text", "inputs"}
BROKEN = {"fault", "variant", "order"}
TAKEN = {  # besides what every question says
    "start": GRAPH,
    "explain": GRAPH,
    "faults": GRAPH,
    "break": GRAPH | BROKEN,
    "group": GRAPH | BROKEN | {"key", "group"},
    "check": GRAPH | {"ask", "claimed"},
    "diagnose": GRAPH | {"observed"},
    "export": GRAPH | BROKEN | {"format", "view", "node", "theme"},
    "lessons": set(),
    "arrive": {"unit", "block"},
    "unit": {"unit", "seed"},
    "question": {"key"},
    "judge": {"key", "answer", "review", "seed"},
    "reveal": {"key", "review", "seed"},
    "review": {"seed", "due"},
}
GOOD = {
    "language": "es",
    "page": "p",
    "serial": 3,
    "text": "a*b",
    "inputs": {"a": "1/4"},
    "fault": "overwrite",
    "variant": None,
    "order": 2,
    "key": "k",
    "group": "g",
    "ask": "all",
    "claimed": {"a": "1.50"},
    "observed": {"a": 2},
    "format": "png",
    "view": "river",
    "node": 1,
    "theme": "dark",
    "unit": "order",
    "block": 4,
    "seed": 5,
    "answer": {"a": "1"},
    "review": "gradient",
    "due": [{"item": "gradient", "step": 1}],
}
READ = GOOD | {"inputs": {"a": 0.25}, "due": ({"item": "gradient", "step": 1},)}


def test_every_question_takes_its_own_fields_and_no_other():
    assert {api: {each.name for each in fields(kind)} - ALWAYS for api, kind in APIS.items()} == TAKEN
    assert {*OWN, *LEARNED} <= APIS.keys()


@pytest.mark.parametrize("api", APIS)
def test_every_field_of_a_question_is_read_and_every_other_refused(api):
    for name, given in GOOD.items():
        if name in TAKEN[api] | ALWAYS:
            assert getattr(read_request(api, {name: given}), name) == READ[name]
            with pytest.raises(RequestError, match=name):
                read_request(api, {name: object()})
        else:
            with pytest.raises(RequestError, match=name):
                read_request(api, {name: given})


@pytest.mark.parametrize("api", APIS)
def test_a_question_without_fields_has_its_defaults(api):
    found = read_request(api, {})
    assert found == APIS[api]()
    assert (found.language, found.page, found.serial) == (None, "", 0)
    with pytest.raises(FrozenInstanceError):
        found.page = "other"


def test_null_is_the_default_of_what_a_page_may_leave_open():
    found = read_request(
        "export", {"text": None, "fault": None, "variant": None, "order": None, "node": None}
    )
    assert found == APIS["export"]()
    assert issubclass(RequestError, MinigradError)
    with pytest.raises(RequestError):
        read_request("export", {"view": None})


def test_a_gradient_may_be_written_with_four_hundred_characters_and_no_more():
    longest = "1." + "0" * 398
    assert read_request("diagnose", {"observed": {"a": longest}}).observed == {"a": longest}
    with pytest.raises(RequestError, match="observed"):
        read_request("diagnose", {"observed": {"a": longest + "0"}})
