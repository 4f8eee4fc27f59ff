"""minigrad xray: what it says of a program, and its exit codes."""

import json

import pytest

from minigrad.cli import main
from minigrad.doctor.sandbox.runner import Ended
from minigrad.text.translation import LANGUAGES
from minigrad.xray.program import examine_program
from torch_programs import FOLDER

RIGHT = """
import torch
model = torch.nn.Linear(3, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
x, y = torch.randn(5, 3), torch.randn(5, 1)
def make_loss():
    return torch.nn.functional.mse_loss(model(x), y)
def named():
    return make_loss() * 2
if __name__ == "__main__":
    raise SystemExit("must not run")
"""


def test_findings_facts_and_lines_come_as_json(capsys):
    assert main(["xray", str(FOLDER / "column_against_row.py"), "--json"]) == 1
    report = json.loads(capsys.readouterr().out)
    assert report["verdict"] == "suspect"
    (finding,) = report["findings"]
    assert (finding["family"], finding["line"]) == ("loss-shape", 17)
    assert finding["what"]
    assert finding["instead"]


@pytest.mark.parametrize("function", ["", ":named"])
def test_a_right_program_is_healthy(tmp_path, capsys, function):
    path = tmp_path / "train.py"
    path.write_text(RIGHT, encoding="utf-8")
    assert main(["xray", f"{path}{function}"]) == 0
    assert "HEALTHY" in capsys.readouterr().out


def test_a_program_that_raises_has_no_verdict(tmp_path, capsys):
    path = tmp_path / "train.py"
    path.write_text("import torch\nraise KeyError('no data')\n", encoding="utf-8")
    assert main(["xray", str(path), "--lang", "es"]) == 3
    out = capsys.readouterr().out
    assert "NO EXAMINADO" in out
    assert "train.py:2: KeyError: 'no data'" in out


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("import torch", "make_loss"),
        ("import torch\ndef make_loss(batch): ...", "needs arguments"),
        ("import torch\ndef make_loss(): return 3", "int"),
    ],
)
def test_what_cannot_be_examined_is_said_in_words(tmp_path, capsys, text, words):
    path = tmp_path / "train.py"
    path.write_text(text, encoding="utf-8")
    assert main(["xray", str(path)]) == 2
    complaint = capsys.readouterr().err
    assert words in complaint
    assert "Traceback" not in complaint


@pytest.mark.parametrize(
    "words", [[], ["a.py", "b.py"], ["train.txt"], ["nowhere.py"], ["a.py", "--seconds", "x"]]
)
@pytest.mark.parametrize("lang", LANGUAGES)
def test_words_that_name_no_program_are_refused(capsys, words, lang):
    assert main(["xray", *words, "--lang", lang]) == 2
    assert capsys.readouterr().err.startswith("minigrad: ")


class NoProcesses:
    """A runner that starts nothing and keeps the job that it was given."""

    def run(self, job, accept, *, on_message=None, stop=None):
        self.job = job
        return Ended("timeout", None, None, (), 0, "", 0.0)


@pytest.mark.parametrize("seconds", [None, 5.0, 1000.0])
def test_who_gives_more_seconds_gives_as_much_of_the_processor(tmp_path, seconds):
    path = tmp_path / "train.py"
    path.write_text(RIGHT, encoding="utf-8")
    runner = NoProcesses()
    report = examine_program(str(path), seconds=seconds, runner=runner)
    assert report.verdict == "not examined"
    limits = runner.job.limits
    assert limits.cpu >= limits.wall >= (seconds or 0.0)
