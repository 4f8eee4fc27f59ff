"""Scripts that reproduce a finding: short, examined again, never over another file, and honest failures."""

import dataclasses
import json

import pytest

from minigrad.cli import main
from minigrad.doctor.sandbox.runner import Ended
from minigrad.xray.program import ProgramSource, examine_program
from minigrad.xray.report import HEALTHY, SUSPECT, XrayReport
from minigrad.xray.reproduction import ReproductionError, reproduce
from torch_programs import FOLDER, examined

CUT = '''
"""A column beside a row."""
import torch
from helper import width
torch.manual_seed(0)
def describe(model):
    return sum(each.numel() for each in model.parameters())
model = torch.nn.Sequential(torch.nn.Linear(width, 24), torch.nn.Tanh(), torch.nn.Linear(24, 1))
print(describe(model))
x, y = torch.randn(32, width), torch.randn(32)
def make_loss():
    prediction = model(x)
    return ((prediction - y) ** 2).mean()
'''


@pytest.fixture
def program(tmp_path):
    (tmp_path / "helper.py").write_text("width = 12\n", encoding="utf-8")
    path = tmp_path / "train.py"
    path.write_text(CUT, encoding="utf-8")
    return path


def test_a_program_shrinks_to_a_script_that_shows_the_same_by_itself(program, tmp_path, capsys):
    (tmp_path / "elsewhere").mkdir()
    target = tmp_path / "elsewhere" / "repro.py"
    assert main(["xray", str(program), "--reproduce", str(target), "--json"]) == 1
    shown = capsys.readouterr()
    assert json.loads(shown.out)["findings"][0]["line"] == 13
    assert "loss-shape again, in line" in shown.err
    text = target.read_text(encoding="utf-8")
    assert text.splitlines()[0] == "# minigrad xray repro.py shows: loss-shape"
    assert len(text.splitlines()) <= 10
    assert "describe" not in text
    assert "helper" not in text or "width" in text
    for part in ("docs", '"""', "print"):
        assert part not in text
    again = examine_program(str(target))
    assert again.entries[0].family == "loss-shape"
    assert "mean()" in again.entries[0].place.text


def test_a_program_that_asks_for_its_own_x_ray_keeps_asking(tmp_path, monkeypatch, capsys):
    path = tmp_path / "train.py"
    text = CUT.replace("from helper import width", "width = 12\nfrom minigrad.xray import xray")
    text += "report = xray(make_loss, model=model)\nprint('what follows does not run')\n"
    path.write_text(text, encoding="utf-8")
    scope = {"__name__": "__main__"}
    exec(compile(text, str(path), "exec"), scope)
    made = scope["report"].reproduce(tmp_path / "repro.py", seconds=60.0)
    assert (made.family, made.path) == ("loss-shape", str(tmp_path / "repro.py"))
    written = (tmp_path / "repro.py").read_text(encoding="utf-8")
    assert "print(xray(" in written
    assert made.lines == len(written.splitlines()) < made.lines_before
    capsys.readouterr()
    exec(compile(written, str(tmp_path / "repro.py"), "exec"), {"__name__": "__main__"})
    assert "loss-shape" in capsys.readouterr().out


class Answers:
    """A runner that starts nothing, and whose children answer this."""

    def __init__(self, *answers):
        self.answers, self.jobs = list(answers), []

    def run(self, job, accept, *, on_message=None, stop=None):
        self.jobs.append(job)
        raw = self.answers.pop(0)
        if isinstance(raw, str):
            return Ended(raw, None, None, (), 0, "", 0.0)
        found = accept(raw)
        return Ended("finished", 0, None, () if found is None else (found,), found is None, "", 0.0)


def answer(**changed):
    plain = {"text": "x = 1\n", "line": 1, "lines_before": 9, "tried": 5, "accepted": 2, "spent": False}
    return {**plain, **changed}


@pytest.fixture(scope="module")
def report():
    program = FOLDER / "column_against_row.py"
    raw = examined(program.read_text(encoding="utf-8"), FOLDER, program.name)
    return dataclasses.replace(XrayReport.from_json(raw), source=ProgramSource(str(program)))


def test_what_is_written_is_what_was_examined_again(report, tmp_path):
    runner = Answers(answer(), answer(line=2))
    made = reproduce(report, tmp_path / "repro.py", runner=runner)
    assert (made.entry_line, made.lines, made.spent) == (2, 2, False)
    assert (tmp_path / "repro.py").read_text(encoding="utf-8").endswith("\nx = 1\n")
    first, second = (job.request for job in runner.jobs)
    assert first["entry"]["line"] == 17
    assert first["entry"]["own"] is True
    assert second["trials"] == 0
    assert second["file"] != first["file"]
    assert second["file"].endswith("repro.py")


@pytest.mark.parametrize("lang", ["en", "es"])
def test_what_was_not_reached_is_said(report, tmp_path, lang):
    long = "".join(f"x = {n}\n" for n in range(40))
    runner = Answers(answer(text=long, spent=True), answer(line=0))
    shown = reproduce(report, tmp_path / "repro.py", runner=runner).text(lang=lang)
    assert "41" in shown
    assert "30" in shown
    assert ("segundos" if lang == "es" else "seconds") in shown


@pytest.mark.parametrize(
    ("answers", "words"),
    [
        (["timeout"], "timeout"),
        ([{"failed": "other_finding"}], "by itself, without its comments"),
        ([answer(), {"failed": "other_finding"}], "a smaller program was found"),
        ([{"failed": "no_torch"}], "pip install"),
        ([answer(line="17")], "finished"),
        ([answer(text=3)], "finished"),
        ([{"failed": "<other>"}], "finished"),
    ],
)
def test_nothing_is_written_where_the_finding_does_not_come_again(report, tmp_path, answers, words):
    with pytest.raises(ReproductionError, match=words):
        reproduce(report, tmp_path / "repro.py", runner=Answers(*answers))
    assert list(tmp_path.iterdir()) == []


def test_no_file_is_written_over_unless_it_is_asked_for(report, tmp_path):
    path = tmp_path / "repro.py"
    path.write_text("mine", encoding="utf-8")
    runner = Answers(answer(), answer())
    with pytest.raises(ReproductionError, match="is there already"):
        reproduce(report, path, runner=runner)
    assert path.read_text(encoding="utf-8") == "mine"
    assert runner.jobs == []
    reproduce(report, path, overwrite=True, runner=runner)
    assert path.read_text(encoding="utf-8") != "mine"


@pytest.mark.parametrize(
    ("name", "words"), [("repro.txt", "does not end in .py"), ("no/such/repro.py", "no folder"), ("", "py")]
)
def test_a_name_that_is_no_script_is_refused(report, tmp_path, name, words):
    with pytest.raises(ReproductionError, match=words):
        reproduce(report, tmp_path / name, runner=Answers())


def test_a_healthy_report_has_nothing_to_reproduce(tmp_path):
    with pytest.raises(ReproductionError, match="nothing to reproduce"):
        reproduce(XrayReport(HEALTHY), tmp_path / "repro.py", runner=Answers())


def test_an_entry_of_another_report_is_refused(report, tmp_path):
    other = dataclasses.replace(report.entries[0], family="graph-cut")
    with pytest.raises(ReproductionError, match="not of this report"):
        reproduce(report, tmp_path / "repro.py", other, runner=Answers())


def test_a_loss_without_a_file_is_refused(report, tmp_path):
    loose = XrayReport(SUSPECT, report.entries)
    with pytest.raises(ReproductionError, match="does not come from a file"):
        reproduce(loose, tmp_path / "repro.py", runner=Answers())


def test_the_command_refuses_a_file_that_is_there_before_it_examines(tmp_path, capsys):
    path = tmp_path / "repro.py"
    path.write_text("mine", encoding="utf-8")
    assert main(["xray", "nowhere.py", "--reproduce", str(path)]) == 2
    assert "is there already" in capsys.readouterr().err


def test_the_command_says_why_nothing_was_written(tmp_path, capsys):
    path = tmp_path / "train.py"
    path.write_text(
        "import torch\nmodel = torch.nn.Linear(2, 1)\n"
        "def make_loss(): return model(torch.ones(1, 2)).sum()\n",
        encoding="utf-8",
    )
    assert main(["xray", str(path), "--reproduce", str(tmp_path / "repro.py")]) == 0
    assert "nothing to reproduce" in capsys.readouterr().out
    assert not (tmp_path / "repro.py").exists()
