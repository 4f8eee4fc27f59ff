"""A roster becomes sheets: other numbers for each, the same bytes for the same seed, nothing overwritten."""

import json
import os
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from minigrad.cli import main
from minigrad.cli.arguments import UsageError
from minigrad.learn.classroom.answer_key import key_markdown
from minigrad.learn.classroom.class_folder import FORMS
from minigrad.learn.classroom.roster import roster
from minigrad.learn.classroom.sheet import SheetPlan, class_sheets, fingerprint
from minigrad.learn.questions import KINDS
from minigrad.text.translation import speaking
from question_oracles import Silent

NAMES = "Ada Lovelace\nSofía Núñez\nMoses ibn Tibbon\n"


def names(text: str | bytes) -> list[tuple[str, str]]:
    octets = text.encode() if isinstance(text, str) else text
    return [(learner.name, learner.slug) for learner in roster(octets).learners]


# ---- the roster ---------------------------------------------------------------------------------


def test_a_roster_is_one_name_per_line():
    assert names(NAMES) == [
        ("Ada Lovelace", "ada-lovelace"),
        ("Sofía Núñez", "sofia-nunez"),
        ("Moses ibn Tibbon", "moses-ibn-tibbon"),
    ]


@pytest.mark.parametrize(
    "octets",
    [
        b"\xef\xbb\xbfAda\r\n\r\nBo\r\n",
        "Ada\nBo".encode("utf-16"),
        b'"Ada"\n"Bo"\n',
        b"name,e-mail\nAda,a@x\nBo,b@x\n",
        b"Nombre;Correo\nAda;a@x\nBo;b@x\n",
        b"id\tstudent\n1\tAda\n2\tBo\n",
        b'"name"\n"Ada"\n"Bo"\n',
    ],
    ids=["BOM", "UTF-16", "quotes", "CSV", "semicolons", "tabs", "one column"],
)
def test_rosters_as_programs_save_them(octets):
    assert [name for name, _ in names(octets)] == ["Ada", "Bo"]


def test_first_and_last_names_are_put_together():
    assert names("First name,Last name\nAda,Lovelace\n") == [("Ada Lovelace", "ada-lovelace")]
    assert names("Apellidos;Nombre\nNúñez;Sofía\n") == [("Sofía Núñez", "sofia-nunez")]


def test_a_name_with_a_comma_is_one_name():
    assert names("Lovelace, Ada\nNúñez, Sofía\n")[0] == ("Lovelace, Ada", "lovelace-ada")


def test_a_roster_of_an_old_spreadsheet_is_read_and_told():
    found = roster("Sofía Núñez\n".encode("cp1252"))
    assert found.learners[0].name == "Sofía Núñez"
    assert "Windows-1252" in found.notices[0]


@pytest.mark.parametrize(
    ("name", "slug"),
    [
        ("../../etc/passwd", "etc-passwd"),
        ("..", "sheet-1"),
        ("CON", "sheet-con"),
        ("key", "sheet-key"),
        ("عائشة", "sheet-1"),
        ("李雷", "sheet-1"),
        ("x" * 5000, "x" * 40),
        ("a\u202egpj.exe", "a-gpj-exe"),
        ("<script>alert(1)</script>", "script-alert-1-script"),
    ],
)
def test_hostile_names_have_files_that_are_safe(name, slug):
    learner = roster(name.encode()).learners[0]
    assert learner.slug == slug
    assert learner.name.isprintable()
    assert len(learner.name) <= 80


def test_names_that_are_the_same_or_look_so_have_files_of_their_own():
    found = roster("Ana Pérez\nAna Perez\nANA PEREZ\nAna Pérez\n".encode())
    assert [learner.slug for learner in found.learners] == [
        "ana-perez", "ana-perez-2", "ana-perez-3", "ana-perez-4",
    ]  # fmt: skip
    assert len({learner.identity for learner in found.learners}) == 4
    assert len(found.notices) == 1


def test_the_same_person_twice_has_one_sheet():
    found = roster(b"name,id\nAna,7\nAna,7\nAna,8\n")
    assert [(learner.name, learner.id) for learner in found.learners] == [("Ana", "7"), ("Ana", "8")]
    assert len(found.notices) == 2


@pytest.mark.parametrize(
    ("octets", "words"),
    [
        (b"", "no names"),
        (b"\n \n\r\n", "no names"),
        (b"name,id\n", "no names"),
        (b"PK\x03\x04\0\0", "no text"),
        (b"a\n" * 600_000, "KiB"),
        (b"a\n" * 5000, "5000 names"),
    ],
)
def test_what_is_no_roster_is_refused(octets, words):
    with speaking("en"), pytest.raises(UsageError, match=words):
        roster(octets)


# ---- the sheets ---------------------------------------------------------------------------------

PLAN = SheetPlan("Monday", 7, (("gradient", 1), ("gradient", 2), ("lost", 1), ("bug", 1)))


def test_everybody_has_the_same_kinds_and_levels_and_other_questions():
    learners = roster("\n".join(f"Learner {at}" for at in range(20)).encode()).learners
    sheets = list(class_sheets(learners, PLAN))
    for sheet in sheets:
        assert [item.question.key.rpartition(":")[0] for item in sheet.items] == [
            f"{kind}:{level}" for kind, level in PLAN.slots
        ]
    for at in range(len(PLAN.slots)):
        assert len({fingerprint(sheet.items[at].prompt) for sheet in sheets}) == len(sheets)
    assert len({sheet.code for sheet in sheets}) == len(sheets)


def test_who_joins_later_changes_nobody_elses_sheet():
    before = list(class_sheets(roster(NAMES.encode()).learners, PLAN))
    after = list(class_sheets(roster((NAMES + "Bo\n").encode()).learners, PLAN))
    assert [sheet.code for sheet in after[:3]] == [sheet.code for sheet in before]


# ---- the folder ---------------------------------------------------------------------------------


@pytest.fixture
def class_of_three(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MINIGRAD_LANG", "en")
    Path("names.txt").write_text(NAMES, encoding="utf-8")
    return ["learn", "--class", "names.txt", "--seed", "7", "--questions", "4", "--out", "monday"]


def content(folder: str) -> dict[str, bytes]:
    return {str(path): path.read_bytes() for path in sorted(Path(folder).rglob("*")) if path.is_file()}


def test_a_folder_has_a_sheet_for_each_in_each_form_and_a_key(class_of_three, capsys):
    assert main(class_of_three) == 0
    assert sorted(content("monday")) == sorted(
        ["monday/README.md", "monday/key.json", "monday/key.md"]
        + [
            f"monday/sheets/{slug}.{form}"
            for slug in ("ada-lovelace", "sofia-nunez", "moses-ibn-tibbon")
            for form in ("md", "html", "ipynb")
        ]
    )
    assert "seed: 7" in capsys.readouterr().out


def test_the_same_seed_gives_the_same_bytes_in_another_process(class_of_three):
    assert main(class_of_three) == 0
    words = [*class_of_three[:-1], "again"]
    run = [sys.executable, "-m", "minigrad", *words]
    subprocess.run(run, check=True, capture_output=True, env={**os.environ, "PYTHONHASHSEED": "5"})
    first, second = content("monday"), content("again")
    assert len(first) == 12
    for (_, one), (_, other) in zip(first.items(), second.items(), strict=True):
        assert one.replace(b"monday", b"again") == other


def test_no_sheet_holds_an_answer_or_a_key(class_of_three):
    assert main(class_of_three) == 0
    rows = json.loads(Path("monday/key.json").read_text())["sheets"]
    keys = [key for row in rows for key, _ in row["questions"]]
    assert len(keys) == 12
    for path, octets in content("monday/sheets").items():
        assert not any(key.encode() in octets for key in keys), path


def test_making_it_again_leaves_it_as_it_is(class_of_three, capsys):
    assert main(class_of_three) == 0
    before = {path: os.stat(path).st_mtime_ns for path in content("monday")}
    assert main(class_of_three) == 0
    assert {path: os.stat(path).st_mtime_ns for path in content("monday")} == before
    assert "already" in capsys.readouterr().out


def test_a_sheet_that_was_filled_in_is_not_overwritten(class_of_three, capsys):
    assert main(class_of_three) == 0
    sheet = Path("monday/sheets/ada-lovelace.md")
    sheet.write_text("my answers")
    before = content("monday")
    assert main(class_of_three) == 2
    assert content("monday") == before
    assert "--force" in capsys.readouterr().err
    assert main([*class_of_three, "--force"]) == 0
    assert sheet.read_text() != "my answers"


def test_a_learner_who_joins_gets_a_sheet_and_the_key_is_renewed(class_of_three):
    assert main(class_of_three) == 0
    before = content("monday/sheets")
    with Path("names.txt").open("a") as file:
        file.write("Bo\n")
    assert main(class_of_three) == 0
    after = content("monday/sheets")
    assert {path: after[path] for path in before} == before
    assert len(json.loads(Path("monday/key.json").read_text())["sheets"]) == 4


def test_another_seed_does_not_replace_a_key(class_of_three):
    assert main(class_of_three) == 0
    before = content("monday")
    assert main([word if word != "7" else "8" for word in class_of_three]) == 2
    assert content("monday") == before


def test_a_file_that_cannot_be_written_leaves_nothing_behind(class_of_three):
    """A limit on the size of files stands in for a disk that is full."""
    program = (
        "import resource, signal, sys\n"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (20000, 20000))\n"
        "from minigrad.cli import main\n"
        f"sys.exit(main({class_of_three!r}))\n"
    )
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert run.returncode == 2
    assert "Traceback" not in run.stderr
    assert "monday" in run.stderr
    assert sorted(os.listdir(".")) == ["names.txt"]


def test_a_place_that_is_a_file_is_told(class_of_three, capsys):
    Path("monday").write_text("mine")
    assert main(class_of_three) == 2
    assert Path("monday").read_text() == "mine"
    told = capsys.readouterr().err
    assert f"{Path.cwd()}/monday is a file" in told


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--class", "nowhere.txt", "--out", "m"], "nowhere.txt"),
        (["--class", ".", "--out", "m"], "is not a file"),
        (["--class", "names.txt"], "--out monday"),
        (["--class", "names.txt", "--out", "m", "--kinds", "grdient"], "gradient"),
        (["--class", "names.txt", "--out", "m", "--units", "9"], "from 1 to 8"),
        (["--class", "names.txt", "--out", "m", "--units", "4-1"], "from 1 to 8"),
        (["--class", "names.txt", "--out", "m", "--questions", "0"], "from 1 to 40"),
        (["--class", "names.txt", "--out", "m", "--questions", "٣"], "from 1 to 40"),
        (["--class", "names.txt", "--out", "m", "--seed", "-1"], "--seed"),
        (["--class", "names.txt", "--out", "m", "--forms", "pdf"], "ipynb"),
        (["--class", "names.txt", "--out", "m", "--title", "x" * 200], "120"),
        (["--class", "names.txt", "--out", "m", "Ada"], "Ada"),
        (["--class", "names.txt", "--out", "m", "--handout", "overwrite"], "--handout"),
        (["--class", "names.txt", "--out", "m", "--answers"], "--answers"),
        (["--handout", "overwrite"], "--out lab.md"),
        (["--handout", "overwrite", "--out", "lab.pdf"], ".ipynb"),
        (["--handout", "ovrwrite", "--out", "lab.md"], "overwrite"),
        (["--handout", "overwrite", "a*", "--out", "lab.md"], "a*"),
        (["--handout", "overwrite", "a*b", "a=x", "--out", "lab.md"], "a"),
    ],
)
def test_bad_input_is_told_in_one_sentence(words, told, class_of_three, capsys):
    assert main(["learn", *words]) == 2
    captured = capsys.readouterr()
    assert told in captured.err
    assert captured.err.startswith("minigrad: ")
    assert "Traceback" not in captured.err
    assert not Path("m").exists()


def test_units_choose_the_kinds(class_of_three):
    assert main([*class_of_three[:-1], "units", "--units", "4"]) == 0
    rows = json.loads(Path("units/key.json").read_text())["sheets"]
    assert {key.partition(":")[0] for row in rows for key, _ in row["questions"]} == {"lost"}


# ---- what is on a sheet -------------------------------------------------------------------------


@pytest.mark.parametrize("lang", ["en", "es"])
def test_a_name_is_text_in_every_form(class_of_three, lang):
    name = "<b>Bo</b> `$(x)` [a](b) **c** | & #"
    Path("names.txt").write_text(name, encoding="utf-8")
    assert main([*class_of_three, "--lang", lang, "--title", "<i>T</i> & *U*"]) == 0
    files = {Path(path).suffix: octets.decode() for path, octets in content("monday/sheets").items()}
    assert "<b>Bo" not in files[".html"]
    assert "<i>T" not in files[".html"]
    assert "&lt;b&gt;Bo&lt;/b&gt;" in files[".html"]
    for text in (files[".md"], json.loads(files[".ipynb"])["cells"][0]["source"][2]):
        assert re.search(r"(?<!\\)<b>Bo", text) is None
        assert r"\[a\]\(b\)" in text


def test_a_page_runs_nothing_but_its_own_script(class_of_three):
    assert main(class_of_three) == 0
    page = Path("monday/sheets/ada-lovelace.html").read_text(encoding="utf-8")
    assert "default-src 'none'; script-src 'sha256-" in page
    assert not re.search(r"\son\w+=|https?://(?!www\.w3\.org/2000/svg)", page)


def test_a_notebook_is_one_and_runs_by_itself(class_of_three):
    import nbformat

    assert main(class_of_three) == 0
    notebook = nbformat.read("monday/sheets/ada-lovelace.ipynb", as_version=4)
    nbformat.validate(notebook)
    namespace: dict[str, object] = {}
    for cell in notebook.cells:
        if cell.cell_type == "code":
            exec(cell.source, namespace)


def test_a_sheet_is_written_without_asking_for_an_answer():
    """Whatever form it has, nothing in it can depend on a solution; the key does, and is caught at it."""
    plan = SheetPlan("Monday", 7, tuple((kind, 2) for kind in KINDS))
    (sheet,) = class_sheets(roster(b"Ada").learners, plan)
    silent = replace(sheet, items=tuple(replace(i, question=Silent(i.question)) for i in sheet.items))
    for form in FORMS.values():
        assert form(silent) == form(sheet)
    with pytest.raises(AssertionError, match="solution was asked for"):
        key_markdown(plan, [silent])


def test_the_key_says_which_sheet_and_which_files_are_whose(class_of_three):
    assert main(class_of_three) == 0
    code = json.loads(Path("monday/key.json").read_text())["sheets"][1]["sheet"]
    key = Path("monday/key.md").read_text(encoding="utf-8")
    assert f"## Sofía Núñez\n\nSheet `{code}`, files `sofia-nunez`\n" in key


def test_a_key_that_would_lose_sheets_is_kept_and_the_learners_are_named(class_of_three, capsys):
    assert main(class_of_three) == 0
    before = content("monday")
    Path("names.txt").write_text("Ada Lovelace\n")
    assert main(class_of_three) == 2
    told = capsys.readouterr().err
    assert "key.json is the key of a class" in told
    assert "Sofía Núñez" in told
    assert "Moses ibn Tibbon" in told
    assert "Ada" not in told
    assert content("monday") == before


def test_a_class_has_at_most_2000_learners():
    names = [f"Learner {at}" for at in range(2001)]
    assert len(roster("\n".join(names[:2000]).encode()).learners) == 2000
    with speaking("en"), pytest.raises(UsageError, match="2001 names"):
        roster("\n".join(names).encode())
