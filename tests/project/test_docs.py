"""What the docs show is what the program does: outputs, pictures, tables, links."""

import re
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from source_trees import ROOT

sys.path.insert(0, str(ROOT / "docs"))

import renew
import warm

from minigrad.faults import FAULTS
from minigrad.ops import OPS

PAGES = [path.relative_to(ROOT) for path in renew.PAGES]


@pytest.mark.slow
def test_the_pictures_are_current():
    assert [path.name for path in renew.stale_pictures()] == [], "run: make docs"


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted({renew.name_of(page) for page in renew.PAGES}))
def test_everything_computed_in_the_docs_is_current(name):
    pages = [page for page in renew.PAGES if renew.name_of(page) == name]
    assert [str(path.relative_to(ROOT)) for path in renew.stale_pages(pages)] == [], "run: make docs"


def test_a_stale_output_is_noticed(tmp_path, monkeypatch):
    page = tmp_path / "page.md"
    page.write_text('<!-- output: minigrad explain "a" a=1 --view order -->\n```text\nold\n```\n')
    program = tmp_path / "program.md"
    program.write_text("<!-- run -->\n```python\nprint(1 + 1)\n```\n<!-- prints -->\n```text\n3\n```\n")
    monkeypatch.setattr(renew, "PAGES", [page, program])
    stale = renew.stale_pages(renew.PAGES)
    assert set(stale) == {page, program}
    assert "\n2\n```" in stale[program]


@pytest.mark.parametrize("page", PAGES, ids=str)
def test_links_to_headings_lead_somewhere(page):
    text = (ROOT / page).read_text(encoding="utf-8")
    for target, anchor in re.findall(r"\]\((?!https?:)([^)#\s]*)#([^)\s]+)\)", text):
        path = (ROOT / page).parent / target if target else ROOT / page
        headings = re.findall(r"^#+ (.+)$", path.read_text(encoding="utf-8"), re.MULTILINE)
        known = [re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings]
        assert anchor in known


@pytest.mark.parametrize("page", PAGES, ids=str)
def test_links_to_files_lead_somewhere(page):
    text = (ROOT / page).read_text(encoding="utf-8")
    targets = re.findall(r"\]\((?!https?:|#)([^)#\s]+)", text)
    missing = [target for target in targets if not ((ROOT / page).parent / target).exists()]
    assert missing == []


ENGLISH = Path("docs/en")
TRANSLATED = ["README", *(str(path.with_suffix("")) for path in PAGES if ENGLISH in path.parents)]


@pytest.mark.parametrize("page", TRANSLATED)
def test_spanish_pages_have_the_structure_and_numbers_of_the_english_ones(page):
    spanish = f"{page}.es.md" if page == "README" else f"docs/es/{Path(page).relative_to(ENGLISH)}.md"
    texts = [(ROOT / name).read_text(encoding="utf-8") for name in (f"{page}.md", spanish)]
    shapes = [re.findall(r"^(#+|```\w*|\||\*|\d+\.)(?= |\n)", text, re.MULTILINE) for text in texts]
    assert shapes[0] == shapes[1]
    codes = [sorted(set(re.findall(r"`([^`\n]+)`", text))) for text in texts]
    assert len(codes[0]) == len(codes[1])
    assert typed_numbers(texts[0]) == typed_numbers(texts[1])


COMPUTED = re.compile(
    r"^```.*?^```|<!-- (\w+).*?<!-- /\1 -->|`[^`\n]*`|\]\([^)]*\)|https?://\S+", re.MULTILINE | re.DOTALL
)


def typed_numbers(text: str) -> Counter[str]:
    """The numbers of the prose, whichever way a language groups their digits; not those of code or links."""
    grouped = re.sub(r"(?<=\d)[,.\u00a0 ](?=\d{3}\b)", "", COMPUTED.sub("", text))
    return Counter(re.findall(r"(?<![\w.])\d+(?:\.\d+)?(?!\w)", re.sub(r"(?<=\d),(?=\d)", ".", grouped)))


def test_another_number_in_a_translation_is_found():
    assert typed_numbers("1,500 words in 0.5 s, `4`, [x](6)") == typed_numbers(
        "1500 palabras en 0,5 s, `5`, [x](7)"
    )
    assert typed_numbers("a page of 500 words") != typed_numbers("una página de 501 palabras")


@pytest.mark.slow
def test_console_commands_in_the_docs_run_as_shown(tmp_path):
    """Every `$ minigrad ...` of every page, in an empty folder; the studio is stopped.

    The exit code is 2 where the page shows an error, 1 where it shows wrong gradients, 3 for an engine
    with limits.  What is run for its output above, where our files are, is not run a second time.
    """
    wrong = {"--got", "mutate", "docs/patients/engine.py", "docs/patients/rules.py:Scale"}
    wrong.add("docs/patients/distances.py")
    limited = {"docs/patients/course/value.py"}

    slow = {"doctor", "duel", "mutate", "train", "xray"}
    commands: dict[str, None] = {}  # in the order of the pages: one may use what another has written
    shown: set[tuple[str, ...]] = set()
    for page in PAGES:
        text = (ROOT / page).read_text(encoding="utf-8")
        commands |= dict.fromkeys(re.findall(r"^\$ (minigrad .+)$", text, re.MULTILINE))
        shown |= {renew.words_of(match[2]) for match in renew.OUTPUT.finditer(text)}
    assert len(commands) >= 3
    (tmp_path / "docs").symlink_to(ROOT / "docs")
    own = {"MINIGRAD_PROGRESS": str(tmp_path / "progress.json")}  # not the reader's
    for command in commands:
        whole = renew.words_of(command)
        words = whole[2:]
        if words[0] == "studio":
            starts_and_stops(words)
            continue
        if words[0] in slow and whole in shown:
            continue
        if whole in shown:
            run = renew.ran(whole)
        else:
            ours = words[0] in ("doctor", "mutate", "xray")  # those read files of ours
            folder = ROOT if ours else tmp_path
            (run,) = warm.run([whole], folder, own)
        code = 2 if "^" in command else 1 if wrong & {*words} else 3 if limited & {*words} else 0
        code = 0 if words[0] == "grade" else code  # a wrong engine is a result, not an error
        assert run.code == code, command


def test_what_is_run_without_starting_python_is_as_if_it_were_started(tmp_path):
    """In its own folder, with its own modules, words, streams and end; and nothing is left of it."""
    program = (
        "import sys, os; sys.path.append('x'); os.left = 1; print(sys.argv, sys.stdin.read(), os.getcwd())"
    )
    first, second = warm.run([("-c", program, "a"), ("-c", "import os; print(os.left); 1 / 0")], tmp_path, {})
    assert first == (0, f"['-c', 'a']  {tmp_path.resolve()}\n", "")
    assert (second.code, second.out) == (1, "1\n")  # what is run together shares a process
    assert second.err.endswith("ZeroDivisionError: division by zero\n")
    others = [
        ("import os, sys; print(hasattr(os, 'left'), 'x' in sys.path)", 0, "False False\n", ""),
        (
            "class A: pass\nprint(A.__module__, 'minigrad.nn' in __import__('sys').modules)",
            0,
            "__main__ False\n",
            "",
        ),
        ("raise SystemExit('no')", 1, "", "no\n"),
        ("import atexit; atexit.register(print, 'last'); raise SystemExit(3)", 3, "last\n", ""),
        ("import os; print(os.environ['MINIGRAD_LANG'])", 0, "es\n", ""),
    ]
    for text, *wanted in others:
        (found,) = warm.run([("-c", text)], tmp_path, {"MINIGRAD_LANG": "es"})
        assert found == tuple(wanted), text
    (killed,) = warm.run([("-c", "import os; os.abort()")], tmp_path, {})
    assert killed.code == -1
    words = ("-m", "minigrad", "explain", "a*", "--lang", "es")
    (found,) = warm.run([words], tmp_path, {})
    started = subprocess.run([sys.executable, *words], capture_output=True, text=True, cwd=tmp_path)
    assert found == (started.returncode, started.stdout, started.stderr)


def starts_and_stops(words: Sequence[str]) -> None:
    """The studio says where it is, and ends when it is interrupted."""
    with subprocess.Popen(
        [sys.executable, "-m", "minigrad", *words, "--no-browser"],
        stdout=subprocess.PIPE,
        text=True,
        cwd=ROOT,
    ) as studio:
        try:
            assert studio.stdout is not None
            assert "http://127.0.0.1:" in studio.stdout.readline()
            studio.send_signal(signal.SIGINT)
            assert studio.wait(timeout=20) == 0
        finally:
            studio.kill()


def test_no_page_names_a_machine_or_a_registry():
    pattern = re.compile(r"/(work|home|root|opt|tmp)/|pypi\.org|files\.pythonhosted|registry\.npmjs")
    tracked = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True).stdout.split()
    assert tracked
    for name in tracked:
        path = ROOT / name
        if (
            path.suffix in (".md", ".py", ".toml", "")
            and path.is_file()
            and name != "tests/project/test_docs.py"
        ):
            assert not pattern.search(path.read_text(encoding="utf-8", errors="replace")), name


def uncounted(text: str) -> list[str]:
    """Numbers of faults and ops that are typed, where a mark would keep them current."""
    prose = re.sub(r"```text\n.*?```", "", text, flags=re.DOTALL)
    known = f"{len(FAULTS)} (?:bugs|faults|fallos|errores)|{len(OPS)} (?:primiti|ops|rows|operaciones|filas)"
    return re.findall(rf"\b(?:{known})", prose)


@pytest.mark.parametrize("page", renew.PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_the_numbers_of_faults_and_ops_are_computed(page):
    if page.name != "CHANGELOG.md":  # which tells what was
        assert uncounted(page.read_text(encoding="utf-8")) == []


def test_a_number_that_is_typed_is_seen_and_one_with_a_mark_is_renewed(tmp_path):
    typed = f"{len(FAULTS)} faults", f"{len(OPS)} ops"
    assert uncounted(f"all {typed[0]}, of {typed[1]}") == [*typed]
    page = tmp_path / "page.md"
    page.write_text("1<!-- number of ops --> ops, 2<!-- number of faults --> faults\n")
    (current,) = renew.stale_pages([page]).values()
    assert re.findall(r"\d+", current) == [str(len(OPS)), str(len(FAULTS))]


@pytest.mark.parametrize("page", ["docs/en/faults.md", "docs/es/faults.md"])
def test_the_number_of_public_engines_is_that_of_the_report(page):
    from minigrad.faults.lab_report_text import ENGINES

    text = (ROOT / page).read_text(encoding="utf-8")
    assert set(re.findall(r"(\d+) (?:public engines|motores públicos)", text)) == {str(ENGINES)}


@pytest.mark.parametrize("page", ["docs/en/court.md", "docs/es/court.md"])
def test_the_page_of_the_court_has_every_witness_status_and_reason(page):
    from minigrad.text.translation import catalogue
    from minigrad.verify import WITNESSES

    spanish = "es" in Path(page).parts
    text = (ROOT / page).read_text(encoding="utf-8")
    assert re.findall(r"^\| `(\w+)` \|", text, re.MULTILINE)[: len(WITNESSES)] == list(WITNESSES)
    words = {
        row[spanish] for key, row in catalogue().items() if key.startswith(("court.status.", "court.short."))
    }
    assert words <= set(re.findall(r"^\| ([^`|]+?) \|", text, re.MULTILINE))


@pytest.mark.parametrize("page", ["docs/en/faults.md", "docs/es/faults.md"])
def test_the_page_of_the_faults_has_every_piece_with_a_fault_that_swaps_it(page):
    from minigrad.graph.trace import Pieces

    text = (ROOT / page).read_text(encoding="utf-8")
    rows = re.findall(r"^\| `(\w+)` \| [^|]+ \| `([\w-]+)`", text, re.MULTILINE)
    assert [piece for piece, _ in rows] == list(Pieces._fields)
    assert {slug: FAULTS[slug].piece for _, slug in rows} == {slug: piece for piece, slug in rows}


@pytest.mark.parametrize("page", ["docs/en/doctor.md", "docs/es/doctor.md"])
def test_the_page_of_the_doctor_has_every_choice_pattern_verdict_pin_and_limit(page):
    from minigrad.doctor.engine.child_protocol import BUSY, CPU, IDLE
    from minigrad.doctor.engine.configuration import KEYS
    from minigrad.doctor.rules.by_name import LIMITS, PROGRAM_LIMITS, PROGRAM_SECONDS
    from minigrad.doctor.sandbox.limits import Limits
    from minigrad.text.translation import catalogue

    text = (ROOT / page).read_text(encoding="utf-8")
    shown = set(re.findall(r"`([^`\n]+)`", text))

    def coded(prefix):
        return {key.removeprefix(prefix) for key in catalogue() if key.startswith(prefix)}

    for prefix in ("doctor.choice.", "rules.story."):
        assert len(coded(prefix)) > 9
        assert coded(prefix) <= shown, prefix
    verdicts = [row["es" in Path(page).parts].partition(":")[0] for key, row in catalogue().items()
                if key.startswith("doctor.verdict.")]  # fmt: skip
    assert len(verdicts) >= 4
    assert all(f"| {verdict} |" in text for verdict in verdicts)
    pins = [pin for pin in KEYS if pin != "class"]  # which is written behind the path
    assert all(f"`{pin} = " in text or f"`--{pin} " in text for pin in pins)
    amount = r" (\d+)(?: (\w+))? \|"
    rows = re.findall(rf"^\| [^|]+ \|{amount * 3}$", text, re.MULTILINE)
    unit = {"GiB": 1 << 30, "MiB": 1 << 20}
    names = ("cpu", "resident", "memory", "processes", "threads", "open_files", "file", "folder", "output")
    program = replace(PROGRAM_LIMITS, wall=PROGRAM_LIMITS.wall + PROGRAM_SECONDS)
    columns = Limits(wall=BUSY * CPU, cpu=CPU, idle=IDLE), LIMITS, program
    for name, row in zip(("wall", "idle", *names), rows, strict=True):
        numbers = [int(row[k]) * unit.get(row[k + 1], 1) for k in (0, 2, 4)]
        amounts = [getattr(limits, name) for limits in columns]
        if name == "idle":  # which may be left to the clock
            amounts = [min(limits.idle, limits.wall) for limits in columns]
        assert numbers == amounts, name


def test_a_time_is_left_as_it_was_and_what_stands_beside_it_is_not(tmp_path, monkeypatch):
    page = tmp_path / "page.md"
    monkeypatch.setattr(renew, "PAGES", [page])
    monkeypatch.setattr(renew, "_printed", lambda *_: "it takes 1.5 s\n")
    page.write_text("<!-- output: minigrad mutate -->\n```text\nit takes 0.9 s\n```\n")
    assert page not in renew.stale_pages(renew.PAGES)
    page.write_text("<!-- output: minigrad mutate -->\n```text\nit took 0.9 s\n```\n")
    assert "it takes 1.5 s" in renew.stale_pages(renew.PAGES)[page]


def test_versions_are_left_as_they_were_and_the_folder_of_minigrad_is_not_shown(tmp_path, monkeypatch):
    page = tmp_path / "page.md"
    monkeypatch.setattr(renew, "PAGES", [page])
    shown = f"examined\n  Python 3.14.2, torch 2.99.0+cpu\n  sys.path.insert(0, '{ROOT}/docs')\n"
    monkeypatch.setattr(renew, "_printed", lambda *_: shown)
    text = "<!-- output: minigrad doctor --torch versions -->\n```text\n{}```\n"
    old = "examined\n  Python 3.11.7, torch 2.13.0\n  sys.path.insert(0, '/path/to/minigrad/docs')\n"
    page.write_text(text.format(old))
    assert page not in renew.stale_pages(renew.PAGES)
    page.write_text(text.format(old.replace("examined", "looked at")))
    renewed = renew.stale_pages(renew.PAGES)[page]
    assert "3.14.2" in renewed
    assert str(ROOT) not in renewed


def test_a_stale_table_of_choices_is_noticed(tmp_path, monkeypatch):
    page = tmp_path / "page.md"
    page.write_text("<!-- choices: es -->\nold\n<!-- /choices -->\n")
    monkeypatch.setattr(renew, "PAGES", [page])
    renewed = renew.stale_pages(renew.PAGES)[page]
    assert "old" not in renewed
    assert renewed.count("| `caller_seeds` | quien llama") == 1


def test_a_stale_catalogue_is_noticed(tmp_path, monkeypatch):
    page = tmp_path / "page.md"
    page.write_text("<!-- faults: es -->\nold\n<!-- /faults -->\n")
    monkeypatch.setattr(renew, "PAGES", [page])
    renewed = renew.stale_pages(renew.PAGES)[page]
    assert "old" not in renewed
    assert renewed.count("| `overwrite` |") == 1
    assert "en lugar de" in renewed


def test_an_output_of_a_wrong_gradient_is_shown_and_one_of_a_bad_command_is_not(tmp_path, monkeypatch):
    page = tmp_path / "page.md"
    monkeypatch.setattr(renew, "PAGES", [page])
    page.write_text('<!-- output: minigrad check "-a" a=3 --got a=1 --ask quick -->\n```text\n```\n')
    assert "WRONG" in renew.stale_pages(renew.PAGES)[page]
    page.write_text('<!-- output: minigrad check "-a" a=3 --got b=1 -->\n```text\n```\n')
    with pytest.raises(SystemExit, match="failed"):
        renew.stale_pages(renew.PAGES)


def test_the_help_lists_every_view():
    from minigrad.explanation import VIEWS
    from minigrad.text.translation import catalogue

    for words in catalogue()["help.explain"]:
        listed = " ".join(words.split()).partition("--view")[2].partition("--json")[0]
        assert all(view in listed for view in VIEWS)
