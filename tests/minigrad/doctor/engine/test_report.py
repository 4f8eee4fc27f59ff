"""The doctor from the outside: what is examined, what is said, and what it costs."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import time
from html.parser import HTMLParser

import pytest
from markdown_it import MarkdownIt

from doctor_reports import CLOSURES, remembered
from engine_cases import CASES, write
from minigrad import cli
from minigrad.doctor import SubjectError, examine
from minigrad.doctor.engine.child_protocol import CHILD, ask
from minigrad.doctor.engine.expected import close, is_confirmed, is_fair
from minigrad.doctor.engine.probes import probes
from minigrad.doctor.engine.source import SourcePlace, subject_of
from minigrad.doctor.engine.usage_plan import FieldAccess
from minigrad.player.page import policy
from minigrad.text.translation import LANGUAGES


@pytest.fixture
def known(monkeypatch):
    """The command with reports that have been made already: what is tried is how it tells them."""

    def report(path: str, *, pins, cell):
        assert not pins
        assert cell is None
        return remembered(path)

    monkeypatch.setattr("minigrad.doctor.engine.examination.examine", report)


@pytest.fixture(scope="module")
def overwriting(tmp_path_factory):
    """An engine with a planted bug that several tests tell of."""
    return write(CASES["sub-overwrites"], tmp_path_factory.mktemp("overwriting"))


def run(capsys, *words: str) -> tuple[int, str, str]:
    code = cli.main(["doctor", *words])
    said = capsys.readouterr()
    return code, said.out, said.err


# ---- the command ----------------------------------------------------------------------------------


def test_exit_codes_are_the_verdict(capsys, broken):
    assert run(capsys, str(CLOSURES))[0] == 0
    assert run(capsys, str(broken("exp-without-parents")))[0] == 1
    assert run(capsys, str(broken("no-neg")))[0] == 3
    assert run(capsys, "no/such/engine.py")[0] == 2


def test_the_report_has_the_bug_the_proof_the_line_and_the_change(capsys, known, overwriting):
    code, out, _ = run(capsys, str(overwriting), "--lang", "en")
    assert code == 1
    assert "= in place of += in sub only" in out
    assert "a = Value(3.0)" in out
    assert "confirmed by changing line 35" in out
    assert "- other.grad = -out.grad" in out
    assert "+ other.grad += -out.grad" in out
    assert "other.grad = -out.grad" in overwriting.read_text(), "nothing is written to the file"


def test_both_languages_say_it(capsys, known, overwriting):
    texts = {lang: run(capsys, str(overwriting), "--lang", lang)[1] for lang in LANGUAGES}
    assert "WRONG: one bug" in texts["en"]
    assert "INCORRECTO: un error" in texts["es"]
    assert "confirmado al cambiar la línea 35" in texts["es"]
    for english in ("confirmed", "Design choices", "smallest proof"):
        assert english not in texts["es"]


def test_json_has_what_a_program_needs(capsys, known, overwriting):
    code, out, _ = run(capsys, str(overwriting), "--json")
    document = json.loads(out)
    assert code == 1
    assert document["verdict"] == "wrong"
    (finding,) = document["findings"]
    assert finding["fault"] == "overwrite-one-op"
    assert finding["ops"] == ["sub"]
    assert finding["line"] == 35
    assert finding["confirmed"] is True
    assert finding["got"]["grads"] != finding["expected"]["grads"]
    assert finding["graph"]
    assert {"design_choices", "not_examined", "limits"} <= document.keys()
    assert "caller_seeds" in document["design_choices"]


class Tags(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.opened: list[str] = []
        self.met: list[tuple[str, list[tuple[str, str | None]]]] = []

    def handle_starttag(self, tag, attrs):
        self.met.append((tag, attrs))
        if tag not in ("meta", "link"):
            self.opened.append(tag)

    def handle_endtag(self, tag):
        assert self.opened.pop() == tag


def test_the_page_stands_alone(capsys, known, overwriting, tmp_path):
    out = tmp_path / "report.html"
    assert run(capsys, str(overwriting), "--out", str(out))[0] == 1
    page = out.read_text(encoding="utf-8")
    tags = Tags()
    tags.feed(page)
    assert tags.opened == []
    assert {tag for tag, _ in tags.met}.isdisjoint({"script", "img", "iframe"})
    assert [attrs for tag, attrs in tags.met if tag == "link"] == [[("rel", "icon"), ("href", "data:,")]]
    style = re.search(r"<style>(.*?)</style>", page, re.DOTALL).group(1)
    (rule,) = [dict(attrs)["content"] for tag, attrs in tags.met if dict(attrs).get("http-equiv")]
    assert rule == policy("", style)  # nothing but this style sheet has an effect
    assert "script-src 'none'" in rule
    assert "http" not in page.replace("http-equiv", "")
    assert "other.grad += -out.grad" in page


def test_what_a_stranger_wrote_is_escaped(tmp_path):
    text = CLOSURES.read_text().replace(
        "out.data * out.grad", "1 * out.grad  # <script>alert('x')</script> \x1b[31m"
    )
    assert text != CLOSURES.read_text()
    (tmp_path / "engine.py").write_text(text)
    report = examine(tmp_path / "engine.py")
    assert report.verdict == "wrong"
    assert "<script>" not in report.html()
    assert "&lt;script&gt;" in report.html()
    assert "\x1b" not in report.text()


def test_markdown_and_text_are_written(capsys, known, tmp_path):
    for ending in (".md", ".txt", ".json"):
        out = tmp_path / f"report{ending}"
        assert run(capsys, str(CLOSURES), "--out", str(out))[0] == 0
        assert "CORRECT" in out.read_text() or '"correct"' in out.read_text()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ((), "nothing to examine"),
        (("a.py", "b.py"), "too much"),
        (("--cell", "x", "a.ipynb"), "--cell is a whole number"),
        (("--grod", "x", str(CLOSURES)), "--grad"),
        ((str(CLOSURES) + ":Nobody",), "no class Nobody"),
    ],
)
def test_bad_words_get_a_sentence(capsys, words, said):
    code, out, err = run(capsys, *words, "--lang", "en")
    assert (code, out) == (2, "")
    assert said in err


# ---- what is examined -----------------------------------------------------------------------------


def test_a_file_a_folder_a_module_and_a_class_are_one_subject(monkeypatch, tmp_path):
    (tmp_path / "house").mkdir()
    (tmp_path / "house" / "__init__.py").write_text("")
    (tmp_path / "house" / "engine.py").write_text(CLOSURES.read_text())
    (tmp_path / "house" / "plots.py").write_text("class Plot:\n    def __add__(self, other): ...\n")
    monkeypatch.chdir(tmp_path)
    whole = subject_of("house/engine.py")
    assert whole.classes[0] == "Value"
    assert (whole.name, whole.package) == ("house.engine", "house")
    for given in ("house", "house.engine", "house/engine.py:Value", str(tmp_path)):
        assert subject_of(given).path == whole.path, given


def test_a_notebook_is_its_code_cells_with_the_fullest_definition(tmp_path):
    small = "class Value:\n    def __init__(self, data):\n        self.data = data\n        self.grad = 0\n"
    cells = [
        {"cell_type": "markdown", "source": ["# a lesson"]},
        {"cell_type": "code", "source": ["import math\n", "%matplotlib inline\n"]},
        {"cell_type": "code", "source": small},
        {"cell_type": "code", "source": CLOSURES.read_text()},
        {"cell_type": "code", "source": ["this is no python !!"]},
        {"cell_type": "code", "source": small},
    ]
    path = tmp_path / "lesson.ipynb"
    path.write_text(json.dumps({"cells": cells, "nbformat": 4}))
    subject = subject_of(str(path))
    first = subject.source.splitlines().index("class Value:") + 1
    assert subject.place(first).cell == 3
    assert subject.place(first) == SourcePlace(CLOSURES.read_text().splitlines().index("class Value:") + 1, 3)
    assert subject.source.count("class Value") == 1
    assert subject_of(f"{path}:Value", cell=2).source.count("__add__") == 0
    assert examine(path).verdict == "correct"


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("empty.py", "", "looks like the values of an engine"),
        ("broken.py", "class Value(:\n", "is no Python"),
        ("plain.py", "x = 1\n", "looks like the values of an engine"),
        ("notes.txt", "x", "neither a Python file"),
        ("lesson.ipynb", "{}", "is no notebook"),
        ("lesson2.ipynb", "[1, 2]", "is no notebook"),
        ("deep.py", "x = " + "(" * 5000 + ")" * 5000, "is no Python"),
    ],
)
def test_what_cannot_be_examined_is_refused_with_a_reason(tmp_path, name, text, said):
    (tmp_path / name).write_text(text)
    with pytest.raises(SubjectError, match=said):
        examine(tmp_path / name)


def test_a_file_that_is_no_text_is_refused(tmp_path):
    (tmp_path / "binary.py").write_bytes(bytes(range(256)))
    with pytest.raises(SubjectError, match="cannot be read"):
        examine(tmp_path / "binary.py")
    (tmp_path / "large.py").write_text("# " + "x" * 5_000_000)
    with pytest.raises(SubjectError, match="too large"):
        examine(tmp_path / "large.py")
    (tmp_path / "nothing").mkdir()
    with pytest.raises(SubjectError, match="no file in the folder"):
        examine(tmp_path / "nothing")


def test_syntax_of_a_later_python_is_left_out_and_said(tmp_path):
    later = CLOSURES.read_text() + "\n\ntype Number = float\n\n\ndef first[T](x: T) -> T:\n    return x\n"
    (tmp_path / "engine.py").write_text(later)
    report = examine(tmp_path / "engine.py")
    assert report.verdict == "correct"
    if sys.version_info < (3, 12):
        assert "this Python cannot read it" in report.text()


def test_the_parent_imports_nothing_of_it(tmp_path):
    witness = tmp_path / "witness.txt"
    text = f"import os\nopen({str(witness)!r}, 'a').write(f'{{os.getpid()}} ')\n" + CLOSURES.read_text()
    text = text.replace("class Value:", "def noted():\n    pass\n\n\nclass Value:", 1)
    text = text.replace("open(", "NOTE = open(", 1).replace(
        "def noted():\n    pass", "def noted():\n    return NOTE", 1
    )
    (tmp_path / "engine_of_a_stranger.py").write_text(text)
    report = examine(tmp_path / "engine_of_a_stranger.py")
    assert report.verdict == "correct"
    assert "engine_of_a_stranger" not in sys.modules


def test_training_loops_and_plots_at_the_top_of_the_file_are_not_run(tmp_path):
    extra = "\nimport a_library_that_nobody_has as plt\nfor step in range(10**12):\n    pass\nplt.show()\n"
    (tmp_path / "engine.py").write_text(CLOSURES.read_text() + extra)
    report = examine(tmp_path / "engine.py")
    assert report.verdict == "correct"
    assert "were not run (2, the first at line" in " ".join(report.text().split())


def test_a_library_that_is_missing_is_missed_only_where_it_is_used(tmp_path):
    text = CLOSURES.read_text().replace("math.exp(self.data)", "nobody.exp(self.data)", 1)
    (tmp_path / "engine.py").write_text("import nobody\n" + text)
    report = examine(tmp_path / "engine.py")
    assert report.verdict == "limited"
    assert "No module named 'nobody'" in report.text()


def test_a_file_beside_the_engine_is_not_taken_for_one_of_pythons(tmp_path):
    (tmp_path / "engine.py").write_text(CLOSURES.read_text())
    for name in ("token", "inspect", "dis"):
        (tmp_path / f"{name}.py").write_text("class Token:\n    pass\n")
    assert examine(tmp_path / "engine.py").verdict == "correct"


def test_for_a_file_that_is_not_there_the_folder_is_named(elsewhere, capsys):
    assert cli.main(["doctor", "engine.py"]) == 2
    told = capsys.readouterr().err
    assert f"looked for in {elsewhere.resolve()}" in told
    assert "path/to/engine.py" in told
    assert cli.main(["doctor", "/nowhere/engine.py"]) == 2
    assert "looked for in /nowhere)" in capsys.readouterr().err
    assert cli.main(["doctor", "--torch", ":Mul"]) == 2  # a function of no module
    assert "minigrad doctor --torch my_rules:Mul" in capsys.readouterr().err


# ---- what a person can pin ------------------------------------------------------------------------

ODD = """
class Thing:
    def __init__(self, n):
        self.n, self.slope, self.other, self.from_ = n, 0.0, n, []
    def __add__(self, o):
        r = Thing(self.n + o.n); r.from_ = [(self, 1.0), (o, 1.0)]; return r
    def __mul__(self, o):
        r = Thing(self.n * o.n); r.from_ = [(self, o.n), (o, self.n)]; return r
    def __sub__(self, o):
        r = Thing(self.n - o.n); r.from_ = [(self, 1.0), (o, -1.0)]; return r
    def __neg__(self):
        r = Thing(-self.n); r.from_ = [(self, -1.0)]; return r
    def unroll(self, weight):
        self.slope += weight
        for child, local in self.from_:
            child.unroll(weight * local)
"""


def test_names_that_nobody_would_guess_are_found_by_trying(tmp_path):
    (tmp_path / "odd.py").write_text(ODD)
    report = examine(tmp_path / "odd.py:Thing", pins={"backward": "unroll"})
    assert report.exam.plan.grad == FieldAccess("attribute", "slope")
    assert report.verdict == "limited"  # it takes no plain numbers


def test_a_doctor_toml_says_the_same(tmp_path):
    (tmp_path / "odd.py").write_text(ODD)
    (tmp_path / "doctor.toml").write_text('data = "n"\ngrad = "slope"\nbackward = "unroll"\n')
    assert examine(tmp_path / "odd.py:Thing").verdict == "limited"
    (tmp_path / "doctor.toml").write_text('class = "Nobody"\n')
    with pytest.raises(SubjectError, match="no class Nobody"):
        examine(tmp_path / "odd.py")
    (tmp_path / "doctor.toml").write_text("date = 3\n")
    with pytest.raises(SubjectError, match="date, which is not known"):
        examine(tmp_path / "odd.py:Thing")
    (tmp_path / "doctor.toml").write_text("data = \n")
    with pytest.raises(SubjectError, match=r"doctor\.toml cannot be read"):
        examine(tmp_path / "odd.py:Thing")


def test_a_pin_that_is_not_there_is_not_examined_and_not_wrong(tmp_path):
    report = examine(CLOSURES, pins={"grad": "nowhere"})
    assert report.verdict == "not examined"
    assert "doctor.toml" in report.text()


# ---- probes and truth -----------------------------------------------------------------------------


def test_there_are_enough_probes_and_each_is_confirmed_by_witnesses():
    assert len(probes()) >= 60
    assert sum(probe.topic == "structure" for probe in probes()) >= 30
    unconfirmed = [probe.id for probe in probes() if not is_confirmed(probe)]
    assert unconfirmed == []


def test_truth_does_not_take_a_wrong_number():
    probe = next(probe for probe in probes() if probe.id == "relu-at-zero")
    assert is_fair(probe, 0.0, {"a": 1.0})
    assert is_fair(probe, 0.0, {"a": 0.0})
    assert not is_fair(probe, 0.0, {"a": 2.0})
    assert not close(None, 1.0)
    assert close(None, 0.0)
    assert not close(1.001, 1.0)


def test_a_probe_that_kills_the_process_does_not_take_the_others_along(tmp_path):
    text = CLOSURES.read_text().replace(
        "    def tanh(self):", "    def tanh(self):\n        import os; os._exit(3)", 1
    )
    assert text != CLOSURES.read_text()
    (tmp_path / "engine.py").write_text(text)
    subject = subject_of(str(tmp_path / "engine.py"))
    plan = remembered(str(CLOSURES)).exam.plan
    chosen = [probe for probe in probes() if probe.id in ("add", "tanh-alone", "mul")]
    answer = ask(subject, chosen, plan=plan)
    assert answer.numbers["tanh-alone"].failed == "died"
    assert answer.numbers["mul"].grads == {"a": 2.0, "b": 3.0}


# ---- what it costs --------------------------------------------------------------------------------


def test_importing_the_doctor_loads_no_examination():
    program = "import sys, minigrad.doctor; print('minigrad.doctor.engine.examination' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"


def test_a_right_engine_takes_seconds():
    begun = time.process_time()
    examine(CLOSURES)
    assert time.process_time() - begun < 5.0  # of this process; the children have their own limits


def test_what_runs_in_the_child_needs_the_standard_library_alone():
    program = (
        f"import sys; sys.path.insert(0, {CHILD.home!r}); import {CHILD.module}\n"
        "print([m for m in sys.modules if m.startswith('minigrad')])"
    )
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout == "[]\n"


@pytest.mark.parametrize("name", ["[x](http:evil) <img src=x>.py", "`code` *strong*.py"])
def test_the_name_of_a_file_is_text_in_the_headings_of_a_report(tmp_path, name):
    shutil.copy(CLOSURES, tmp_path / name)
    headings = [line for line in examine(tmp_path / name).markdown("en").splitlines() if line[:1] == "#"]
    assert headings
    for heading in headings:
        (inline,) = [token for token in MarkdownIt().parse(heading) if token.type == "inline"]
        assert {piece.type for piece in inline.children} <= {"text", "text_special"}


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_library_that_is_missing_is_named_with_what_to_do(tmp_path, lang):
    text = CLOSURES.read_text(encoding="utf-8").replace(
        "        self.data = data\n", "        import a_library_with_a_long_name_that_nobody_has\n", 1
    )
    (tmp_path / "engine.py").write_text(text, encoding="utf-8")
    told = " ".join(examine(tmp_path / "engine.py").text(lang).split())
    assert "No module named 'a_library_with_a_long_name_that_nobody_has'" in told
    assert ("It needs a library" in told) == (lang == "en")
    assert "doctor.toml" not in told
