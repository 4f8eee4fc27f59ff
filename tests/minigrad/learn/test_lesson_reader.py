"""Reading and filling lesson files: what comes of what is written, and what is refused, with its line."""

from __future__ import annotations

import pytest

from minigrad.learn.inline_marks import marks, plain, refuse_stray, runs
from minigrad.learn.lesson import Code, Items, LabWork, Paragraph, Picture, Stage, Table
from minigrad.learn.lesson_context import LessonContext, StagedGraph
from minigrad.learn.lesson_fields import FIELDS, fill
from minigrad.learn.lesson_reader import LessonError, read_text
from minigrad.learn.lesson_renderer import PendingCheckpoint, commands, fill_blocks
from minigrad.text.translation import speaking

HEAD = "# A title\n\n> An idea.\n\nminutes: 5\n\n"
GRAPH = "```graph\na = 2; b = 3; c = 4\nab = a*b\ne = ab + c\nf = a - c\nL = e*f\n```\n\n"


def blocks(text: str) -> tuple:
    with speaking("en"):
        return fill_blocks(read_text(HEAD + text, "en/99-sample.md"), 1, "sample")


def refusal(text: str, head: str = HEAD) -> LessonError:
    with speaking("en"), pytest.raises(LessonError) as caught:
        fill_blocks(read_text(head + text, "en/99-sample.md"), 1, "sample")
    assert str(caught.value) == f"en/99-sample.md, line {caught.value.line}: {caught.value.what}"
    return caught.value


# ---- what is read -------------------------------------------------------------------------------


def test_the_head_is_a_title_an_idea_and_minutes():
    source = read_text(HEAD, "x")
    assert (source.title, source.idea, source.minutes, source.blocks) == ("A title", "An idea.", 5, ())


def test_prose_is_paragraphs_lists_and_tables():
    found = blocks("One\ntwo.\n\n* x\n  goes on\n* y\n\n1. p\n2. q\n\n| h | i |\n|---|---|\n| 1 | 2 |\n")
    assert found == (
        Paragraph("One two."),
        Items(("x goes on", "y")),
        Items(("p", "q"), numbered=True),
        Table(("h", "i"), (("1", "2"),)),
    )


def test_a_list_ends_a_paragraph_without_an_empty_line_between_them():
    assert blocks("One:\n* x\n* y\n") == (Paragraph("One:"), Items(("x", "y")))


def test_a_graph_is_on_stage_for_what_stands_below_it():
    stage, text, again, other = blocks(
        GRAPH + "{{grad a}}\n\n```graph\na = 3\ns = a + a\n```\n\n{{grad a}}\n"
    )
    assert isinstance(stage, Stage)
    assert stage.trace.gradients == {"a": 4.0, "b": -4.0, "c": -12.0}
    assert (text, other) == (Paragraph("4"), Paragraph("2"))
    assert again.text == "a = 3\ns = a + a"


def test_python_blocks_share_their_names_and_show_what_they_print():
    first, second, text = blocks(
        "```python\nx = 2\n```\n\n```python\nprint(x + 1)\n```\n\nIt is {{python x * 2}}.\n"
    )
    assert first == Code("python", "x = 2", "")
    assert second == Code("python", "print(x + 1)", "3\n")
    assert text == Paragraph("It is 4.")


def test_a_console_block_shows_what_each_command_prints():
    first, second, third = blocks(
        '```console\n$ minigrad explain "a*b" a=2 b=3 --view ledger\n$ minigrad --version\n```\n\n'
        "```console still\n$ minigrad studio\n```\n"
    )
    assert "a: 3 = 3 via out" in first.output or "3 = 3" in first.output
    assert second.output.startswith("minigrad ")
    assert third == Code("console", "$ minigrad studio", "", run=False)


def test_pictures_and_labs_are_about_the_graph_on_stage():
    _, picture, lab = blocks(
        GRAPH + "```picture ledger a\nThe ledger.\n```\n\n```lab overwrite\nPredict.\n```\n"
    )
    assert isinstance(picture, Picture)
    assert (picture.view, picture.node, picture.caption) == ("ledger", "a", "The ledger.")
    assert isinstance(lab, LabWork)
    assert lab.lead == "Predict."
    assert lab.lab.broken is not None
    assert lab.lab.broken.gradients == {"a": -6.0, "b": -4.0, "c": -2.0}


def test_questions_in_a_row_are_one_checkpoint_and_hide_the_graph_above_them():
    stage, _, pending = blocks(
        GRAPH
        + "Think.\n\n```question gradient one\nA lead.\n```\n\n```question generated gradient level=1\n```\n"
    )
    assert stage.asked
    assert isinstance(pending, PendingCheckpoint)
    written, generated = (maker(7) for maker in pending.makers)
    assert written.key == "sample/one"
    assert written.solution == {"a": "4", "b": "-4", "c": "-12"}
    assert generated.key == "gradient:1:7012"
    assert [maker(8).key for maker in pending.makers] == ["sample/one", "gradient:1:8012"]


# ---- fields: every expected number is of shared facts, worked out by hand -----------------------------


@pytest.mark.parametrize(
    ("field", "shown"),
    [
        ("data ab", "6"),
        ("grad a", "4"),
        ("local ab a", "3"),
        ("flow ab a", "-6"),
        ("flow f c", "-10"),
        ("running a 0", "0"),
        ("running a 1", "10"),
        ("running a 2", "4"),
        ("sum a", "10 - 6"),
        ("terms a", "10 via f - 6 via ab"),
        ("paths a", "2"),
        ("path a 1", "a > f > L"),
        ("product a 2", "3 * 1 * (-2)"),
        ("amount a 2", "-6"),
        ("order", "L, f, e, ab"),
        ("orders", "3"),
        ("nodes", "7"),
        ("recipe ab", "a * b"),
        ("worked L", "10 * (-2)"),
        ("broken overwrite a", "-6"),
        ("broken overwrite c", "-2"),
        ("broken overwrite a in L,e,ab,f", "10"),
        ("broken overwrite c in L,e,ab,f", "-10"),
        ("at a=3 L", "-13"),
        ("central a", "4"),
        ("calc (a + b) * c", "20"),
        ("calc 0.001", "0.001"),
        ("count units", "8"),
    ],
)
def test_a_field_is_computed_from_the_graph(field, shown):
    scene = LessonContext(StagedGraph.of("a = 2; b = 3; c = 4; ab = a*b; e = ab + c; f = a - c; L = e*f"))
    with speaking("en"):
        assert fill(f"[{{{{{field}}}}}]", scene) == f"[{shown}]"


def test_the_second_slot_of_a_shared_operand_has_its_own_field():
    scene = LessonContext(StagedGraph.of("a = 3; s = a - a"))
    assert fill("{{local s a}} {{local s a#2}}", scene) == "1 -1"


def test_every_field_word_is_tried_above_or_below():
    tried = {"data", "grad", "local", "flow", "running", "sum", "terms", "paths", "path", "product", "amount"}
    tried |= {"order", "orders", "nodes", "recipe", "worked", "broken", "at", "central", "calc", "count"}
    assert set(FIELDS) == tried | {"python", "gpt"}


def test_the_small_gpt_is_counted_from_its_own_graph():
    from minigrad.graph import Graph
    from minigrad.training import defaults, task_of

    task = task_of(defaults("names"))
    loss = task.loss([0])
    with speaking("en"):
        assert fill("{{gpt nodes}}", LessonContext()) == f"{len(Graph.of(loss)):,}"
        assert fill("{{gpt parameters}}", LessonContext()) == f"{len(list(task.model.parameters())):,}"


def test_the_counts_of_the_project_are_its_own():
    from minigrad.faults import FAULTS
    from minigrad.learn.course import SLUGS
    from minigrad.ops import OPS

    found = fill("{{count faults}} {{count ops}} {{count units}}", LessonContext())
    assert found == f"{len(FAULTS)} {len(OPS)} {len(SLUGS)}"


def test_fields_speak_the_language_in_use():
    scene = LessonContext(StagedGraph.of("a = 2; b = -3; c = a*b; d = a + b; e = c + d"))
    with speaking("es"):
        assert fill("{{terms a}}", scene) == "-3 vía c + 1 vía d"


# ---- what is refused, with its line ------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "line", "word"),
    [
        (GRAPH + "It is {{grad z}}.\n", 15, "no node z"),
        (GRAPH + "It is {{gradient a}}.\n", 15, "gradient a"),
        (GRAPH + "It is {{grad a b}}.\n", 15, "too few or too many"),
        (GRAPH + "It is {{grad}}.\n", 15, "too few or too many"),
        (GRAPH + "It is {{grad a}.\n", 15, "opened or closed alone in: It is {{grad a}."),
        (GRAPH + "{{running a 3}}\n", 15, "from 0 to 2"),
        (GRAPH + "{{path a 3}}\n", 15, "from 1 to 2"),
        (GRAPH + "{{broken nonsense a}}\n", 15, "nonsense"),
        (GRAPH + "{{broken overwrite a in ab,e,f,L}}\n", 15, "order"),
        (GRAPH + "{{local ab c}}\n", 15, "not made from c"),
        (GRAPH + "{{calc a +}}\n", 15, "calc a +"),
        (GRAPH + "{{python missing}}\n", 15, "missing"),
        (GRAPH + "{{count sheep}}\n", 15, "sheep"),
        ("It is {{grad a}}.\n", 7, "no graph is on stage"),
        ("```picture river\n```\n", 7, "no graph is on stage"),
        (GRAPH + "```picture photo\n```\n", 15, "photo"),
        (GRAPH + "```picture ledger z\n```\n", 15, "no node z"),
        (GRAPH + "```lab nonsense\n```\n", 15, "nonsense"),
        ("```graph\na = \n```\n", 7, "a value is missing"),
        ("```python\n1 / 0\n```\n", 7, "ZeroDivisionError"),
        ("```python\nprint(\n```\n", 7, "SyntaxError"),
        ("```console\n$ minigrad explian\n```\n", 7, "exit code 2"),
        ("```console\n$ ls\n```\n", 7, "only commands of minigrad"),
        ("```console\nminigrad\n```\n", 7, "begins with $"),
        ("```python loudly\nx = 1\n```\n", 7, "loudly"),
        (GRAPH + "```question riddle one\n```\n", 15, "riddle"),
        (GRAPH + "```question gradient one about\n```\n", 15, "name=value"),
        (GRAPH + "```question gradient one depth=3\n```\n", 15, "depth"),
        (GRAPH + "```question generated gradient level=1\nA lead.\n```\n", 15, "generated question"),
        (GRAPH + "```question generated riddle level=1\n```\n", 15, "riddle"),
        ("A `mark that is open.\n", 7, "mark `"),
        ("Some **strong words.\n", 7, "mark **"),
        ("Some *emphasis\n", 7, "mark *"),
    ],
)
def test_what_cannot_be_computed_is_refused_with_its_line(text, line, word):
    error = refusal(text)
    assert error.line == line
    assert word in error.what


@pytest.mark.parametrize(
    ("text", "line", "word"),
    [
        ("```grpah\na = 1\n```\n", 7, "grpah"),
        ("```\nx\n```\n", 7, "one of"),
        ("```graph\na = 1\n", 7, "never closed"),
        ("```graph\n```\n", 7, "empty"),
        ("```graph now\na = 1\n```\n", 7, "words"),
        ("```picture\n```\n", 7, "words"),
        ("# Another title\n", 7, "# Another"),
        ("Fine.\n\n- a dash\n", 9, "- a dash"),
        ("<b>bold</b>\n", 7, "<b>"),
        ("> a second idea\n", 7, "> a second"),
        ("    code\n", 7, "    code"),
        ("| a |\n", 7, "a head"),
        ("| a | b |\n|---|---|\n| 1 |\n", 9, "1 cells"),
        ("| a\n", 7, "ends with |"),
        ("* one\ntwo\n", 8, "two"),
    ],
)
def test_what_is_not_known_is_refused_with_its_line(text, line, word):
    error = refusal(text)
    assert error.line == line
    assert word in error.what


def test_of_a_long_row_its_first_40_characters_are_told():
    assert refusal("| " + "a" * 38 + "b\n").what.endswith(" |: | " + "a" * 38)


@pytest.mark.parametrize(
    ("head", "line", "word"),
    [
        ("No title\n", 1, "title"),
        ("# T\n\nNo idea\n", 3, "idea"),
        ("# T\n\n> I\n\nsix minutes\n", 5, "minutes"),
        ("# T\n\n> I\n\nminutes: 0\n", 5, "minutes"),
        ("", 1, "title"),
    ],
)
def test_a_lesson_needs_its_head(head, line, word):
    error = refusal("", head)
    assert error.line == line
    assert word in error.what


def test_refusals_are_said_in_spanish_too():
    with (
        speaking("es"),
        pytest.raises(LessonError, match=r"^es/99\.md, línea 7: el campo grad a no se puede"),
    ):
        fill_blocks(read_text(HEAD + "{{grad a}}\n", "es/99.md"), 1, "sample")


# ---- marks --------------------------------------------------------------------------------------------


def test_the_four_marks_and_what_is_none():
    text = "x `a*b` **strong** *soft* [go](https://e.org) 2 * 3 * 4"
    assert [(mark.kind, mark.text) for mark in marks(text)] == [
        ("text", "x "), ("code", "a*b"), ("text", " "), ("strong", "strong"), ("text", " "),
        ("emphasis", "soft"), ("text", " "), ("link", "go"), ("text", " 2 * 3 * 4"),
    ]  # fmt: skip
    assert plain("**a `b`** c") == "a b c"
    assert runs("**a `b`**") == (("strong", "a ", ""), ("strong code", "b", ""))
    assert runs("[a `b`](x)")[1] == ("link code", "b", "x")


def test_a_stray_mark_is_text_for_readers_and_an_error_for_writers():
    assert [mark.kind for mark in marks("a*b")] == ["text"]
    for text in ("a *b", "a `b", "**a", "*a **b*"):
        with pytest.raises(ValueError, match="mark"):
            refuse_stray(text)
    refuse_stray("2 * 3, `a*b`, **x**, *y*")


def test_a_long_command_goes_on_in_the_next_line():
    assert commands('$ minigrad explain "a*b" \\\n    a=2 b=3\n$ minigrad') == [
        '$ minigrad explain "a*b" \\\n    a=2 b=3',
        "$ minigrad",
    ]
