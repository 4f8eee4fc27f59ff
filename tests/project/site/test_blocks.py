"""Every block of code on the pages is run by somebody, or says why not."""

import subprocess
import sys

import pytest

from source_trees import ROOT

sys.path.insert(0, str(ROOT / "docs"))

from website.blocks import blocks, unmarked

PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/e[ns]/**/*.md"), *ROOT.glob("bench/*.md")])


@pytest.mark.parametrize("page", PAGES, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_program_on_a_page_is_run_or_says_why_not(page):
    assert unmarked(page.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("```python\nprint(1)\n```\n", ["line 1: python"]),
        ("words\n\n```console\n$ make demo\n```\n", ["line 3: console"]),
        ("```console\n$ minigrad\n$ pip install x\n```\n", ["line 1: console"]),
        ("<!-- not run: -->\n```python\nprint(1)\n```\n", ["line 2: python"]),  # without a reason
        ("<!-- run -->\n\n```python\nprint(1)\n```\n", ["line 3: python"]),  # the mark is not above it
        # and what is marked
        ("<!-- run -->\n```python\nprint(1)\n```\n", []),
        ("<!-- runs -->\n```python\nprint(1)\n```\n", []),
        ("<!-- not run: it takes an hour -->\n```console\n$ make test\n```\n", []),
        ('```console\n$ minigrad explain "a" a=1\n```\n```text\n```\n', []),
    ],
)
def test_a_planted_program_without_a_mark_is_found(text, found):
    assert unmarked(text) == found


RUNNING = [
    pytest.param(block.text, id=f"{page.relative_to(ROOT)}:{block.line}")
    for page in PAGES
    for block in blocks(page.read_text(encoding="utf-8"))
    if block.mark == "<!-- runs -->"
]


@pytest.mark.parametrize("program", RUNNING)
def test_programs_of_which_nothing_is_shown_run(program, tmp_path):
    run = subprocess.run([sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr


def test_there_are_such_programs():
    assert len(RUNNING) >= 2
