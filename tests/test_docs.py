"""What the docs show is what the program does: outputs, pictures, tables, links."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "docs"))

import renew  # noqa: E402

PAGES = [path.relative_to(ROOT) for path in renew.PAGES]


def test_everything_computed_in_the_docs_is_current():
    assert [path.name for path in renew.renewed()] == [], "run: make docs"


def test_a_stale_output_is_noticed(tmp_path, monkeypatch):
    page = tmp_path / "page.md"
    page.write_text('<!-- output: minigrad explain "a" a=1 --view order -->\n```text\nold\n```\n')
    program = tmp_path / "program.md"
    program.write_text("<!-- run -->\n```python\nprint(1 + 1)\n```\n<!-- prints -->\n```text\n3\n```\n")
    monkeypatch.setattr(renew, "PAGES", [page, program])
    stale = renew.renewed()
    assert set(stale) == {page, program}
    assert "\n2\n```" in stale[program]


@pytest.mark.parametrize("page", PAGES, ids=str)
def test_links_to_files_lead_somewhere(page):
    text = (ROOT / page).read_text(encoding="utf-8")
    targets = re.findall(r"\]\((?!https?:|#)([^)#\s]+)", text)
    missing = [target for target in targets if not ((ROOT / page).parent / target).exists()]
    assert missing == []


@pytest.mark.parametrize(
    "page", ["README", "docs/language", "docs/numerics", "docs/architecture", "docs/python"]
)
def test_spanish_pages_have_the_structure_and_numbers_of_the_english_ones(page):
    spanish = f"{page}.es.md" if page == "README" else f"docs/es/{Path(page).name}.md"
    texts = [(ROOT / name).read_text(encoding="utf-8") for name in (f"{page}.md", spanish)]
    shapes = [re.findall(r"^(#+|```\w*|\||\*|\d+\.)(?= |\n)", text, re.MULTILINE) for text in texts]
    assert shapes[0] == shapes[1]
    codes = [sorted(set(re.findall(r"`([^`\n]+)`", text))) for text in texts]
    assert len(codes[0]) == len(codes[1])


def test_console_commands_in_the_docs_run_as_shown():
    """Every `$ minigrad ...` of every page; exit code 2 is allowed where the page shows an error."""
    import shlex

    commands = set()
    for page in PAGES:
        text = (ROOT / page).read_text(encoding="utf-8")
        commands |= set(re.findall(r"^\$ (minigrad .+)$", text, re.MULTILINE))
    assert len(commands) >= 3
    for command in sorted(commands):
        words = shlex.split(command)[1:]
        run = subprocess.run([sys.executable, "-m", "minigrad", *words], capture_output=True, text=True)
        assert run.returncode == (2 if "^" in command else 0), command


def test_no_page_names_a_machine_or_a_registry():
    pattern = re.compile(r"/(work|home|root|opt|tmp)/|pypi\.org|files\.pythonhosted|registry\.npmjs")
    tracked = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True).stdout.split()
    assert tracked
    for name in tracked:
        path = ROOT / name
        if path.suffix in (".md", ".py", ".toml", "") and path.is_file() and name != "tests/test_docs.py":
            assert not pattern.search(path.read_text(encoding="utf-8", errors="replace")), name


@pytest.mark.parametrize("page", ["README.md", "README.es.md", "CHANGELOG.md"])
def test_the_number_of_primitives_is_that_of_the_table(page):
    from minigrad.ops import OPS

    text = (ROOT / page).read_text(encoding="utf-8")
    assert re.findall(r"(\d+) primiti", text) == [str(len(OPS))]


def test_the_help_lists_every_view():
    from minigrad.explain import VIEWS
    from minigrad.messages import catalogue

    for words in catalogue()["help.explain"]:
        listed = " ".join(words.split()).partition("--view")[2].partition("--json")[0]
        assert all(view in listed for view in VIEWS)
