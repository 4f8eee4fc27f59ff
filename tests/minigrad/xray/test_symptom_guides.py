"""The guides by symptom: each cure, as printed, makes its program healthy; both languages print the same."""

import re

import pytest

from source_trees import ROOT
from torch_programs import examined

GUIDES = {
    "loss-does-not-move": "zero-derivative",
    "nan-after-some-steps": "non-finite",
    "no-gradient": "graph-cut",
    "trains-badly": "loss-shape",
    "my-custom-layer": "custom-backward",
}
DIFF = re.compile(r"^```diff\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def guide(name, language="en"):
    return (ROOT / "docs" / language / "guides" / f"{name}.md").read_text(encoding="utf-8")


def patient_of(text):
    (name,) = set(re.findall(r"\]\(\.\./\.\./patients/(\w+\.py)\)", text))
    return (ROOT / "docs" / "patients" / name).read_text(encoding="utf-8")


def cured(text):
    program = patient_of(text)
    for diff in DIFF.findall(text):
        lines = diff.splitlines(keepends=True)
        old, new = ("".join(line[1:] for line in lines if line[0] == sign) for sign in "-+")
        assert program.count(old) == 1
        program = program.replace(old, new)
    assert program != patient_of(text)
    return program


@pytest.mark.parametrize("name", GUIDES)
def test_the_cure_of_a_guide_makes_its_program_healthy(name, folder):
    text = guide(name)
    program = cured(text)
    assert DIFF.findall(text) == DIFF.findall(guide(name, "es"))
    if name == "nan-after-some-steps":  # not only at the start
        program += "\n\nfor _ in range(60):\n    assert torch.isfinite(step())\n"
    report = examined(program, folder)
    assert (report["verdict"], report["facts"], report["not_examined"]) == ("healthy", [], [])
    assert any(GUIDES[name] in line for line in text.splitlines() if line.startswith("  "))


def test_a_cure_that_cures_nothing_would_be_seen(folder):
    text = guide("trains-badly").replace("+    optimizer.zero_grad()\n", "+    optimizer.zero_grad\n")
    assert [each["family"] for each in examined(cured(text), folder)["findings"]] == ["loop-order"]
