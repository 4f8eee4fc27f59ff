"""The player's scripts without a browser: their numbers, clock and frames are Python's, and types hold."""

from __future__ import annotations

import math
import random
import re
import shutil
import struct
import subprocess
from typing import Any

import pytest

from browser import node_modules
from minigrad import parse, trace
from minigrad.drawing.timeline import steps
from minigrad.explanation.explanation import CLASSIC
from minigrad.graph.trace import Flow, Trace
from minigrad.player.page import SCRIPTS
from minigrad.text.numerals import show
from minigrad.text.translation import catalogue
from random_graphs import random_graph
from script_runner import PLAYER
from script_runner import in_node as run_in_node

PURE = ("numerals.js", "frame.js", "play_timer.js")  # what needs no page


def in_node(program: str, given: Any) -> Any:
    """What a program over the pure scripts makes of some JSON."""
    return run_in_node(program, given, [PLAYER / name for name in PURE])


# ---- numbers ------------------------------------------------------------------------------------


def numbers() -> list[float]:
    """Floats of every size, and those that lie exactly between two roundings to six digits."""
    source = random.Random(6)
    found = [
        0.0,
        -0.0,
        1e10,
        -1e10,
        1e10 - 1,
        9999999999.5,
        1e16,
        1e21,
        1e22,
        5e-324,
        1.7e308,
        0.1,
        1 / 3,
        1e-4,
        1e-5,
    ]
    found += [struct.unpack("<d", source.randbytes(8))[0] for _ in range(8000)]
    found += [source.uniform(-1, 1) * 10.0 ** source.randint(-12, 14) for _ in range(6000)]
    found += [
        (2 * source.randint(10**6 // 2, 10**7 // 2) + 1) / 2**k for k in range(1, 9) for _ in range(500)
    ]
    found += [float(source.randint(-(10**11), 10**11)) for _ in range(1500)]
    found += [float(f"{source.randint(100000, 999999)}5e{source.randint(-30, 30)}") for _ in range(1000)]
    return [x for x in found if math.isfinite(x)]


def test_numbers_look_as_in_python():
    given = numbers()
    assert len(given) > 20_000
    assert in_node("(xs) => xs.map((x) => show(x))", given) == [show(x) for x in given]
    assert in_node("(xs) => xs.map((x) => show(x, 3))", given) == [show(x, 3) for x in given]


def test_an_exact_half_goes_to_the_even_digit_as_in_python():
    given = [12345.25, 12345.75, 100000.5, 100001.5, 0.5000005, 1234565e-1, -2.5]
    assert in_node("(xs) => xs.map((x) => show(x))", given[:4]) == ["12345.2", "12345.8", "100000", "100002"]
    assert in_node("(xs) => xs.map((x) => show(x))", given) == [show(x) for x in given]


def test_numbers_that_json_lacks_have_their_names():
    words = ["inf", "-inf", "nan"]
    assert in_node("(xs) => xs.map((x) => show(fromJsonNumber(x)))", words) == words


@pytest.mark.parametrize(
    ("text", "number"),
    [("4", 4), (" -0.25 ", -0.25), ("−6", -6), ("1/3", 1 / 3), ("0,5", 0.5), ("1e3", 1000), ("-.5", -0.5)],
)
def test_a_person_may_write_a_number_in_several_ways(text, number):
    assert in_node("typed", text) == number


@pytest.mark.parametrize("text", ["", "four", "1/2/3", "1 2", "--1", "0x10", "1e", "/", "constructor", "a*b"])
def test_what_is_no_number_is_not_taken_for_one(text):
    assert in_node("typed", text) is None


def test_an_answer_may_be_rounded_but_not_wrong():
    judge = "([answer, wanted]) => near(answer, wanted)"
    assert in_node(judge, [0.333, 1 / 3])
    assert in_node(judge, [-6, -6])
    assert not in_node(judge, [6, -6])
    assert not in_node(judge, [0, 1e-9])
    assert not in_node(judge, [0.3, 1 / 3])


@pytest.mark.parametrize(
    ("answer", "wanted", "right"),
    [(1005, 1000, True), (1006, 1000, False), (-995, -1000, True), (-994, -1000, False), (1040, 1000, False)],
)
def test_an_answer_may_be_off_by_half_a_per_cent_and_by_no_more(answer, wanted, right):
    assert in_node("([answer, wanted]) => near(answer, wanted)", [answer, wanted]) is right


def test_no_answer_but_infinity_is_near_infinity():
    program = "(pairs) => pairs.map((pair) => near(...pair.map(fromJsonNumber)))"
    pairs = [["inf", "inf"], [5, "inf"], ["-inf", "inf"], ["inf", 5], ["nan", "inf"], ["nan", "nan"]]
    assert in_node(program, pairs) == [True, False, False, False, False, True]


# ---- the clock ----------------------------------------------------------------------------------

CLASSIC_TRACE = trace(parse(*CLASSIC))


def overwritten() -> Trace:
    return trace(parse(*CLASSIC), accumulate=lambda before, amount: amount)


def traces() -> list[Trace]:
    found = [CLASSIC_TRACE, overwritten(), trace(parse("a + a", {"a": 3.0})), trace(parse("2 * 3"))]
    return found + [trace(random_graph(number)) for number in range(25)]


def frames(traced: Trace) -> list[dict[str, Any]]:
    """What is to be seen at each moment, the slow way: everything up to step t, again for each t."""
    graph, timeline = traced.graph, steps(traced)
    last, starts = len(timeline) - 1, len(timeline) - len(traced.events)
    first: dict[int, float] = {}
    for event in traced.events:
        if isinstance(event, Flow):
            first.setdefault(event.target, event.before)
    found = []
    for t in range(len(timeline)):
        data: list[float | None] = [
            x if not node.args else None for x, node in zip(traced.values, graph.nodes, strict=True)
        ]
        grads: list[float | None] = [None] * len(graph)
        if t >= starts:
            grads = [first.get(i, 0.0 if i == graph.output else traced.grads[i]) for i in range(len(graph))]
        for step in timeline[: t + 1]:
            if step.kind == "forward":
                data[step.node] = traced.values[step.node]
            elif step.event is not None:
                event = traced.events[step.event]
                grads[step.node] = event.after if isinstance(event, Flow) else event.grad
        found.append({"data": data, "grad": list(traced.grads) if t == last and t >= starts else grads})
    return found


def test_the_steps_are_those_of_the_timeline():
    told = in_node("(docs) => docs.map((doc) => storyOf(doc).steps)", [each.to_json() for each in traces()])
    for each, found in zip(traces(), told, strict=True):
        assert found == [{"kind": step.kind, "node": step.node, "event": step.event} for step in steps(each)]


def test_a_frame_is_everything_up_to_its_step():
    program = """(docs) => docs.map((doc) => {
        const story = storyOf(doc);
        const frames = story.steps.map((_, t) => frameOf(story, t));
        return frames.map(({ data, grad }) => ({ data, grad }));
    })"""
    told = in_node(program, [each.to_json() for each in traces()])
    for each, found in zip(traces(), told, strict=True):
        assert found == frames(each)


def test_time_outside_the_pass_is_its_start_or_its_end():
    program = "(doc) => [-3, 2.9, 1e9].map((t) => frameOf(storyOf(doc), t).time)"
    assert in_node(program, CLASSIC_TRACE.to_json()) == [0, 2, 13]


def test_the_last_frame_has_the_gradients_of_the_facts():
    program = "(doc) => frameOf(storyOf(doc), 1e9).grad"
    grads = dict(zip(CLASSIC_TRACE.graph.names, in_node(program, CLASSIC_TRACE.to_json()), strict=True))
    assert grads == {"a": 4, "b": -4, "c": -12, "ab": -2, "e": -2, "f": 10, "L": 1}


BADGES = """(doc) => {
    const story = storyOf(doc);
    const a = story.nodes.findIndex((node) => node.name === "a");
    return story.steps.map((_, t) => badgeOf(story, frameOf(story, t), a));
}"""


def test_a_running_total_goes_from_10_to_10_minus_6_to_4():
    told = in_node(BADGES, CLASSIC_TRACE.to_json())
    assert [badge for at, badge in enumerate(told) if badge and badge != told[at - 1]] == [
        "10",
        "10 - 6",
        "4",
    ]
    assert not any(told[:8])  # nothing has arrived


def test_where_a_total_is_overwritten_the_badge_does_not_claim_a_sum():
    told = in_node(BADGES, overwritten().to_json())
    assert [badge for at, badge in enumerate(told) if badge and badge != told[at - 1]] == [
        "10",
        "10 → -6",
        "-6",
    ]


def test_a_badge_is_gone_once_the_total_has_been_seen():
    """y = h + h sends 1 and 1 to h; four contributions follow, and the total is seen for one step of them."""
    program = """(doc) => {
        const story = storyOf(doc);
        const h = story.nodes.findIndex((node) => node.name === "h");
        const last = story.arrivals[h].at(-1);
        return [-1, 0, 1, 2].map((later) => badgeOf(story, frameOf(story, last + later), h));
    }"""
    found = trace(parse("x = 2\ng = x*x\nh = g*g\ny = h + h"))
    assert in_node(program, found.to_json()) == ["1", "1 + 1", "2", ""]


def test_the_active_path_of_a_contribution_runs_from_the_output_to_its_target():
    program = """(doc) => {
        const story = storyOf(doc);
        const t = story.arrivals[story.nodes.findIndex((node) => node.name === "a")].at(-1);
        const path = pathOf(story, frameOf(story, t), null);
        return [[...path.nodes].map((i) => story.nodes[i].name).sort(), path.edges.size];
    }"""
    assert in_node(program, CLASSIC_TRACE.to_json()) == [["L", "a", "ab", "e"], 3]


def test_a_chosen_node_has_all_its_paths():
    program = """(doc) => {
        const story = storyOf(doc);
        const path = pathOf(story, frameOf(story, 0), story.nodes.findIndex((node) => node.name === "a"));
        return [...path.nodes].map((i) => story.nodes[i].name).sort();
    }"""
    assert in_node(program, CLASSIC_TRACE.to_json()) == ["L", "a", "ab", "e", "f"]


def test_two_passes_share_one_clock_and_turn_together():
    program = """(docs) => {
        const clock = clockOf(docs.map(storyOf));
        const turned = [clock.at(0, clock.backward), clock.at(1, clock.backward)];
        return [clock.length, clock.backward, ...turned, clock.at(1, 1e6)];
    }"""
    short = trace(parse("a + a", {"a": 3.0}))  # leaves, add; seed, two flows
    assert in_node(program, [CLASSIC_TRACE.to_json(), short.to_json()]) == [14, 5, 5, 2, 4]


@pytest.mark.parametrize(
    ("speed", "length", "pace"),
    [
        ("normal", 14, [1500, 1]),  # a short pass: the usual pause
        ("slow", 14, [2600, 1]),
        ("normal", 100, [600, 1]),  # 60,000 ms for all of it
        ("fast", 100, [240, 1]),  # 600 / 1500 of that
        ("fastest", 1_000_000, [16, 2667]),  # 0.006 ms a step: 16 / 0.006 = 2666.7 of them in a frame
    ],
)
def test_a_long_pass_is_played_in_about_a_minute(speed, length, pace):
    program = (
        "([speed, length]) => { const found = paceOf(speed, length); return [found.pause, found.stride]; }"
    )
    assert in_node(program, [speed, length]) == pace


# ---- types and words ----------------------------------------------------------------------------


def test_a_planted_mistake_of_types_is_seen(tmp_path):
    """That they hold is checked by `make lint`."""
    for name in (*SCRIPTS, "types.d.ts", "tsconfig.json"):
        shutil.copy(PLAYER / name, tmp_path)
    (tmp_path / "planted.js").write_text('"use strict";\nshow("four");\n', encoding="utf-8")
    tsc = node_modules() / ".bin" / "tsc"
    done = subprocess.run([tsc, "--project", tmp_path], capture_output=True, text=True, timeout=300)
    assert "planted.js" in done.stdout
    assert done.returncode != 0


def sources() -> str:
    return "\n".join((PLAYER / name).read_text(encoding="utf-8") for name in (*SCRIPTS, "start.js"))


def said(code: str) -> set[str]:
    """The keys that scripts say; one with a hole stands for all that begin as it does."""
    whole = set(re.findall(r'"((?:player|meaning)\.[a-z_.]+)"', code))
    stems = re.findall(r"`((?:player|meaning)\.(?:[a-z_]+\.)*)\$\{", code)
    return whole | {key for key in catalogue() for stem in stems if key.startswith(stem)}


def test_every_key_that_the_scripts_say_exists_and_every_key_of_the_player_is_said():
    rows = catalogue()
    keys = said(sources())
    assert keys - rows.keys() == set()
    elsewhere = {"player.noscript"}  # page.py says it
    assert {key for key in rows if key.startswith("player.")} - keys == elsewhere


def test_a_planted_key_is_seen():
    assert "player.plya" in said('words.say("player.plya")') - catalogue().keys()


def test_every_script_is_listed_and_none_is_long():
    assert {path.name for path in PLAYER.glob("*.js")} == {*SCRIPTS, "start.js"}
    for path in PLAYER.glob("*.js"):
        text = path.read_text(encoding="utf-8")
        assert text.startswith('"use strict";\n// '), path.name  # and what it promises
        assert len(text.splitlines()) < 400 or "do not edit" in text
        assert "innerHTML" not in text
