"""The course: eight units that say the same in both languages, have no number of their own, and run.

Each check has a test in which it must find something.
"""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from lesson_checks import differences, numbers, typed_digits
from minigrad.learn import course
from minigrad.learn.course import LESSONS, SLUGS, file_of, number_of, questions, source, titles, unit
from minigrad.learn.lesson import Code, Items, LabWork, LessonCheckpoint, Paragraph, Picture, Stage
from minigrad.learn.lesson_reader import LessonError, read_text
from minigrad.learn.lesson_renderer import commands
from minigrad.text.translation import LANGUAGES, speaking
from source_trees import ROOT

NUMBERS = range(1, len(SLUGS) + 1)


# ---- what there is ------------------------------------------------------------------------------


def missing(folder: Path) -> list[str]:
    """Lessons that a language lacks, and files that are no lesson."""
    wanted = {f"{lang}/{number:02}-{slug}.md" for lang in LANGUAGES for number, slug in enumerate(SLUGS, 1)}
    found = {f"{path.parent.name}/{path.name}" for path in folder.rglob("*") if path.is_file()}
    return sorted(wanted ^ found)


def test_every_unit_has_its_file_in_every_language():
    assert missing(LESSONS) == []


def test_a_missing_translation_is_found(tmp_path):
    for lang in LANGUAGES:
        (tmp_path / lang).mkdir()
        for number in NUMBERS:
            (tmp_path / lang / file_of(number, lang).name).touch()
    assert missing(tmp_path) == []
    (tmp_path / "es" / "04-diamonds.md").unlink()
    (tmp_path / "en" / "09-more.md").touch()
    assert missing(tmp_path) == ["en/09-more.md", "es/04-diamonds.md"]


def test_titles_cost_no_computation(monkeypatch):
    monkeypatch.setattr(course, "fill_blocks", None)
    for lang in LANGUAGES:
        rows = titles(lang)
        assert [row[:2] for row in rows] == list(enumerate(SLUGS, 1))
        assert all(row[4] <= 10 for row in rows), "a unit is read in ten minutes"


@pytest.mark.parametrize(
    ("which", "number"),
    [("diamonds", 4), ("4", 4), (4, 4), (" DIA ", 4), ("data", 1), ("b", None), ("by", 3), ("0", None),
     ("9", None), ("", None), ("nonsense", None), ("../4", None), ("\x1b[31m", None), ("9" * 5000, None)],
)  # fmt: skip
def test_a_unit_is_called_by_number_or_by_the_beginning_of_its_name(which, number):
    if number is not None:
        assert number_of(which) == number
        return
    with speaking("en"), pytest.raises(ValueError, match=r"there is no unit|could be") as caught:
        number_of(which)
    assert str(caught.value).isprintable()
    assert len(str(caught.value)) < 300


def test_a_unit_is_called_by_its_title_too_in_the_language_of_its_reader():
    with speaking("es"):
        assert number_of("Rombos") == 4
        assert number_of("una pasada a") == 3
    with speaking("en"), pytest.raises(ValueError, match="there is no unit"):
        number_of("Rombos")


# ---- each unit ----------------------------------------------------------------------------------


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("number", NUMBERS)
def test_a_unit_has_one_idea_a_graph_a_picture_a_lab_and_a_checkpoint(number, lang):
    found = unit(number, lang)
    kinds = [type(block) for block in found.blocks]
    assert (found.number, found.slug, found.language) == (number, SLUGS[number - 1], lang)
    assert Stage in kinds
    assert Picture in kinds
    assert kinds.count(LabWork) >= 1
    assert kinds.count(LessonCheckpoint) == 1
    asked = next(block.questions for block in found.blocks if isinstance(block, LessonCheckpoint))
    assert len(asked) >= 3
    assert sum(":" in question.key for question in asked) == 1, "one is generated"
    assert isinstance(found.blocks[-1], (Paragraph, Items)), "it ends by saying what one can do now"
    assert all(isinstance(lab.lab.shows, bool) for lab in found.blocks if isinstance(lab, LabWork))


@pytest.mark.parametrize("number", NUMBERS)
def test_a_lab_shows_a_bug_and_a_checkpoint_judges_its_own_answers(number):
    for block in unit(number, "en").blocks:
        if isinstance(block, LabWork):
            assert block.lab.shows, "a lab in which nothing goes wrong teaches nothing"
        if isinstance(block, LessonCheckpoint):
            assert all(question.judge(question.solution).right for question in block.questions)


def test_questions_come_without_running_the_lesson(monkeypatch):
    course._makers.cache_clear()
    monkeypatch.setattr("minigrad.learn.lesson_renderer.printed_by", None)
    monkeypatch.setattr("minigrad.learn.lesson_renderer.lab", None)
    for number in NUMBERS:
        keys = [question.key for question in questions(number, "en", seed=3)]
        assert len(set(keys)) == len(keys)


def test_a_learners_seed_changes_the_generated_questions_alone():
    for number in NUMBERS:
        first, again, other = (
            [question.key for question in questions(number, lang, seed=seed)]
            for lang, seed in (("en", 1), ("es", 1), ("en", 2))
        )
        assert first == again
        assert {key for key in first if ":" not in key} == {key for key in other if ":" not in key}
        assert {key for key in first if ":" in key}.isdisjoint(key for key in other if ":" in key)


# ---- no number is typed -------------------------------------------------------------------------


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("number", NUMBERS)
def test_no_digit_is_typed_in_the_prose(number, lang):
    assert typed_digits(source(number, lang)) == []


@pytest.mark.parametrize(
    "text",
    [
        "The gradient is 4.",
        "The gradient is `4`.",
        "* an item with 10\n",
        "## Two of 3",
        "| a |\n|---|\n| -6 |\n",
        "```picture river\nA caption with 2.\n```\n",
        "```lab overwrite\nPredict all 3.\n```\n",
        "```question gradient one\nLead 1.\n```\n",
        "It is **-0.5** here.",
    ],
)
def test_a_typed_digit_is_found(text):
    head = "# T\n\n> I.\n\nminutes: 5\n\n"
    assert len(typed_digits(read_text(head + text, "en/x.md"))) == 1
    assert typed_digits(read_text("# T 2\n\n> I.\n\nminutes: 5\n", "en/x.md"))


def test_a_digit_of_a_field_a_name_an_address_or_of_code_is_no_typed_digit():
    text = (
        "# T\n\n> I.\n\nminutes: 5\n\n{{running a 2}}, `v1`, [x](https://e.org/2)\n\n```text\na = 2\n```\n\n"
        "```python\nx = 2\n```\n\n```question difference one about=a h=0.001\n```\n"
    )
    assert typed_digits(read_text(text, "en/x.md")) == []


# ---- both languages say the same ----------------------------------------------------------------


@pytest.mark.parametrize("number", NUMBERS)
def test_both_languages_have_the_same_structure(number):
    assert differences(source(number, "en"), source(number, "es")) == []


@pytest.mark.parametrize("number", NUMBERS)
def test_both_languages_have_the_same_numbers(number):
    assert numbers(unit(number, "en")) == numbers(unit(number, "es"))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("minutes: 8", "minutes: 9"),
        ("{{paths a}}", "{{paths b}}"),
        ("ab = a*b", "ab = a + b"),
        ("```picture ledger a", "```picture ledger b"),
        ("```lab overwrite", "```lab no-seed"),
        ("order=e,c,d", "order=e,d,c"),
        ("a = Value(3.0", "a = Value(2.0"),
        ("a.zero_grad()", ""),
        ("## Laboratorio", "### Laboratorio"),
        ("* `{{path a 1}}`", "`{{path a 1}}`"),
    ],
)
def test_a_difference_between_languages_is_found(old, new):
    text = file_of(4, "es").read_text(encoding="utf-8")
    assert old in text
    changed = read_text(text.replace(old, new, 1), "es/04-diamonds.md")
    assert differences(source(4, "en"), changed) != []


def test_a_paragraph_that_was_left_in_english_is_found():
    english, spanish = source(4, "en"), source(4, "es")
    at = next(i for i, raw in enumerate(spanish.blocks) if raw.kind == "paragraph")
    left = (*spanish.blocks[:at], english.blocks[at], *spanish.blocks[at + 1 :])
    assert differences(english, replace(spanish, blocks=left)) != []


def test_another_number_in_one_language_is_found():
    spanish = unit(4, "es")
    at = next(
        i for i, block in enumerate(spanish.blocks) if isinstance(block, Paragraph) and "10" in block.text
    )
    wrong = Paragraph(spanish.blocks[at].text.replace("10", "11"))
    changed = replace(spanish, blocks=(*spanish.blocks[:at], wrong, *spanish.blocks[at + 1 :]))
    assert numbers(changed) != numbers(unit(4, "en"))


def test_the_numbers_of_the_lesson_are_those_worked_out_by_hand():
    """On L = (a*b + c) * (a - c): 10 via f and -6 via ab make 4; c gets -10 and -2."""
    words = " ".join(block.text for block in unit(4, "en").blocks if isinstance(block, Paragraph))
    assert "10 - 6" in words
    assert "-10 via f - 2 via e" in words


# ---- code runs ----------------------------------------------------------------------------------


def quiet(number: int) -> list[tuple[str, str]]:
    """The blocks that are shown without having been run, but could be; Spanish has the same ones."""
    found = []
    for raw in source(number, "en").blocks:
        if raw.kind in ("python", "console") and raw.words == ("quiet",):
            found += [
                (raw.kind, text) for text in ([raw.text] if raw.kind == "python" else commands(raw.text))
            ]
    return found


PAGES = [path.read_text(encoding="utf-8") for path in sorted((ROOT / "docs/en").rglob("*.md"))]
WITH_OUTPUT = {f"$ {text}" for page in PAGES for text in re.findall(r"<!-- output: (minigrad .+?) -->", page)}
QUIET = [  # those that a page of the docs shows with their output are run by test_docs
    found for number in NUMBERS for found in quiet(number) if found[1] not in WITH_OUTPUT
]


@pytest.mark.parametrize(("kind", "text"), QUIET)
def test_what_is_shown_and_not_run_runs_all_the_same(kind, text, tmp_path):
    words = [sys.executable, "-c", text]
    if kind == "console":
        words = [sys.executable, "-m", "minigrad", *shlex.split(text.removeprefix("$ "))[1:]]
    done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, timeout=60)
    assert done.returncode in (0, 1, 3), done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("number", NUMBERS)
def test_spanish_commands_speak_spanish(number):
    """A reader of the Spanish lesson types what it shows, on a machine of any language."""
    for block in unit(number, "es").blocks:
        if isinstance(block, Code) and block.language == "console" and block.text.startswith("$ minigrad"):
            assert "--lang es" in block.text


def test_a_block_that_does_not_run_is_found():
    text = file_of(4, "en").read_text(encoding="utf-8").replace("a.zero_grad()", "a.zero_gradient()")
    with speaking("en"), pytest.raises(LessonError, match=r"en/04-diamonds.md, line \d+: AttributeError"):
        course.fill_blocks(read_text(text, "en/04-diamonds.md"), 4, "diamonds")
