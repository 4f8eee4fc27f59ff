"""What a duel says of its bouts: they are made by hand, and nothing is trained."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

import html5lib
import pytest

from drawings import SVG, classed, tree, words_in
from minigrad.faults import FAULTS, Suspect
from minigrad.text.page import Ink, Page
from minigrad.training import Settings
from minigrad.training.duel import Duel
from minigrad.training.duel.bouts import Bout, Idle
from minigrad.training.duel.charts import picture
from minigrad.training.duel.detection import PATIENCE, Band
from minigrad.training.duel.duel_run import Course
from minigrad.training.duel.models import arena
from minigrad.training.duel.report import angle_words, counts, percent
from minigrad.training.duel.report_text import end_rows, ranking_rows
from sentences import sentence

STEPS = 40
MOONS = replace(arena("moons", steps=STEPS), points=4, hidden=(2,), batch=2)
NAMES = replace(arena("names", steps=STEPS), width=2, heads=1, block=4)
HIDDEN, EARLY = [1.0] * STEPS, [9.0] * STEPS  # right runs are between 1 and 2
LATE = [1.0] * 20 + [9.0] * 20  # two of ten lift the mean of step 22 to 2.6, above 2.5
EQUAL = [1.5] * STEPS


def bout(slug: str, losses: Sequence[float], on: Settings = MOONS) -> Bout:
    language = on.language
    right = Course(
        tuple(EQUAL), None if language else 0.75, ("ana",) * language, {}, ratios=(), angles=(), equal=True
    )
    broken = Course(
        tuple(losses),
        None if language else 0.5,
        ("bob",) * language,
        {},
        angles=(90.0,) * STEPS,
        ratios=(2.0,) * STEPS,
        equal=losses is EQUAL,
    )
    band = Band((1, 2), (1.0,) * STEPS, (2.0,) * STEPS)
    return Bout(Suspect(FAULTS[slug]), on, right, broken, band)


def fought(*bouts: Bout, whole: bool = False, idle: Sequence[str] = ()) -> Duel:
    rows = tuple(Idle(FAULTS[slug], "one-graph") for slug in idle)
    return Duel(bouts[0].settings if bouts else MOONS, bouts, rows, whole)


ALL = [
    bout("zero-seed", EQUAL),
    bout("overwrite", EARLY),
    bout("subtract", HIDDEN),
    bout("float32", LATE),
    bout("relu-at-zero", [2.0] * STEPS),
]


# ---- order and counts -----------------------------------------------------------------------------


def test_what_hides_longest_stands_first_and_of_what_is_never_noticed_the_worst():
    found = fought(*ALL, whole=True)
    assert [row.fault.slug for row in found.ranked] == [
        "relu-at-zero", "subtract", "float32", "overwrite", "zero-seed"
    ]  # fmt: skip
    assert [row.noticed for row in found.ranked] == [None, None, 22 + PATIENCE - 1, PATIENCE, None]


def test_the_counts_are_of_each_kind_and_the_median_of_those_that_were_noticed():
    told = sentence("duel.counts", all=5, hidden=2, noticed=2, equal=1, steps=STEPS, median=(36 + 15) // 2)
    assert re.fullmatch(told, counts(fought(*ALL, whole=True)))
    none = sentence("duel.counts.none", all=2, hidden=1, equal=1, steps=STEPS)
    assert re.fullmatch(none, counts(fought(ALL[0], ALL[2], whole=True)))


def test_the_numbers_of_every_step_are_in_the_document_where_faults_were_named():
    (row,) = fought(bout("overwrite", EARLY)).to_json()["bouts"]
    assert [row[name] for name in ("losses", "angles", "ratios")] == [EARLY, [90.0] * STEPS, [2.0] * STEPS]
    (row,) = fought(bout("overwrite", EARLY), whole=True).to_json()["bouts"]
    assert row.keys().isdisjoint({"losses", "angles", "ratios"})


# ---- cells and tables -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("x", "words"),
    [(None, "-"), (0.0, "0°"), (0.009, "<0.01°"), (0.01, "0.01°"), (9.94, "9.9°"), (45.4, "45°")],
)
def test_an_angle_has_two_digits_below_ten_degrees(x, words):
    assert angle_words(x) == words


def test_a_share_that_there_is_not_is_a_dash():
    assert [percent(x) for x in (None, 0.5, 1.0)] == ["-", "50%", "100%"]


def test_only_where_there_are_classes_the_right_pass_is_told_with_its_activation():
    head, right, broken = ranking_rows(fought(bout("overwrite", EARLY), whole=True))
    assert len(head) == len(right) == len(broken) == 5
    assert right[:4] == ["right pass [relu]", "", "1.5", "75%"]
    assert broken == ["overwrite", "step 15", "9", "50%", "90°"]
    head, right, broken = ranking_rows(fought(bout("overwrite", EARLY, NAMES), whole=True))
    assert right[:3] == ["right pass", "", "1.5"]
    assert broken == ["overwrite", "step 15", "9", "90°"]


@pytest.mark.parametrize("width", range(20, 30))
def test_a_table_is_as_wide_as_it_has_to_be_and_no_wider_than_the_page(width):
    duel = fought(bout("overwrite", EARLY))
    (lines,) = (lines for title, lines in duel.sections(Page(width)) if "broken" in lines[0])
    assert [line.split() for line in lines] == [row[row[0] == "" :] for row in end_rows(duel.bouts[0])]
    assert max(map(len, lines)) == 2 + len("accuracy") + 2 + len("right") + 2 + len("broken")


def test_names_of_faults_are_whole_where_there_is_room():
    slug = "default-arguments-outlive"
    duel = fought(bout(slug, EARLY), whole=True)
    assert slug in duel.text(page=Page(100))
    assert slug not in duel.text(page=Page(55))
    assert max(map(len, duel.text(page=Page(55)).splitlines())) <= 55


def test_the_head_of_a_table_is_faint_and_the_rows_are_not():
    lines = fought(bout("overwrite", EARLY)).text(page=Page(ink=Ink(True))).splitlines()
    (head,) = (at for at, line in enumerate(lines) if re.search("right +broken", line))
    assert lines[head].startswith("\x1b[2m")
    assert all(line.startswith("  ") for line in lines[head + 1 : head + 3])


def test_the_page_has_the_same_table_with_a_head_for_each_row_and_column():
    found = bout("overwrite", EARLY, NAMES)  # a model of text has no plane to draw
    page = html5lib.parse(fought(found).to_html("en"), namespaceHTMLElements=False)
    (table,) = (table for table in page.iter("table") if table.get("class") == "end")
    rows = [[("".join(cell.itertext()), cell.tag, cell.get("scope")) for cell in row]
            for row in table.iter("tr")]  # fmt: skip
    assert [[words.strip() for words, *_ in row] for row in rows] == end_rows(found)
    assert {cell[1:] for cell in rows[0]} == {("th", "col")}
    assert {row[0][1:] for row in rows[1:]} == {("th", "row")}
    assert {cell[1:] for row in rows[1:] for cell in row[1:]} == {("td", None)}


def test_the_page_of_the_ranking_has_a_bar_for_each_fault_with_its_words():
    found = fought(*ALL, whole=True)
    page = html5lib.parse(found.to_html("en"), namespaceHTMLElements=False)
    bars = [e for e in page.iter() if e.tag.endswith("svg") and e.get("class") == "hides-of"]
    told = ["never", "never", "step 36", "step 15", "cannot show"]
    assert ["".join(bar.itertext()).strip() for bar in bars] == told
    boxes = [next(e for e in bar.iter() if e.get("class") == "box") for bar in bars]
    assert {(box.get("width"), box.get("height")) for box in boxes} == {("160", "12")}


# ---- drawings -------------------------------------------------------------------------------------


def test_a_row_of_the_ranking_has_a_name_a_bar_and_a_step_on_one_line():
    root = tree(picture(fought(bout("overwrite", EARLY), bout("subtract", HIDDEN), whole=True)))
    lines = {"".join(text.itertext()): float(text.get("y")) for text in root.iter(f"{SVG}text")}
    assert lines["subtract"] == lines["never"] < lines["overwrite"] == lines["step 15"]
    boxes = [e for e in classed(root, "box") if "hides" not in e.get("class")]
    for name, box in zip(("subtract", "overwrite"), boxes, strict=True):
        assert float(box.get("y")) < lines[name] < float(box.get("y")) + float(box.get("height"))
    never, noticed = (float(e.get("width")) for e in classed(root, "hides"))
    assert noticed / never == PATIENCE / STEPS


def test_a_drawing_of_nothing_has_room_for_its_reasons():
    idle = Duel(
        MOONS,
        (),
        (
            Idle(FAULTS["stale-intermediates"], "one-graph"),
            Idle(FAULTS["sin-sign"], "no-op"),
            Idle(FAULTS["overwrite"], "edges"),
        ),
        False,
    )
    drawing = picture(idle)
    ys = [float(text.get("y")) for text in tree(drawing).iter(f"{SVG}text")]
    assert len(ys) == 1 + 3
    assert ys == sorted(ys)
    assert 0.0 < drawing.height - ys[-1] < 40.0
    assert "stale-intermediates" in " ".join(words_in(tree(drawing)))
