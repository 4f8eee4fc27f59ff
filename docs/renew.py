"""Renews what is computed in the docs: the pictures, the outputs, the tables of ops, faults and choices.

    python docs/renew.py            writes what is out of date
    python docs/renew.py --check    says what is out of date, exit code 1 if anything is

Marks in the Markdown files:
    <!-- output: minigrad ... -->   the ```text block below holds what the command prints;
                                    a time in it (1.0 s) and the versions of Python and the library stay as
                                    they were, since no two runs and machines have the same; the folder of
                                    minigrad is written /path/to/minigrad;
                                    of several, with && between them, it holds what the last one prints
                                    (they run in a folder with nothing in it but docs)
    <!-- run -->                    the ```python block below is run; <!-- prints --> and a
                                    ```text block below it hold what it prints
    <!-- runs -->                   the ```python block below is run in an empty folder; none of it is shown
    <!-- not run: WHY -->           nobody runs the ```python or ```console block below; every other block is
                                    run; tests/project/site/test_blocks.py finds one that nobody has marked
    155<!-- number of faults -->    how many there are, of faults or ops
    <!-- ops: en --> ... <!-- /ops -->   the table of ops, in that language
    <!-- faults: en --> ... <!-- /faults -->   the catalogue of faults, a heading and a table per family
    <!-- choices: en --> ... <!-- /choices -->   what the doctor calls a choice and not a bug
    <!-- ranking: en --> ... <!-- /ranking -->   how long each fault hides, from docs/hiding.json, which
                                    `minigrad duel --on moons --out docs/hiding.json` writes in some minutes
    <!-- compared: en --> ... <!-- /compared -->   what four checkers say about the same rules, from
                                    docs/compared/found.json, which docs/compared/compare.py writes
    <!-- layers: en --> ... <!-- /layers -->   the packages by layer, bottom first (tests/project/layers.toml)
    <!-- layers --> ... <!-- /layers -->   the same in one line, packages only
"""

from __future__ import annotations

import json
import re
import shlex
import sys
import tomllib
from collections import Counter
from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory, gettempdir
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))
sys.path.insert(1, str(Path(__file__).parent / "compared"))

from pictures import FOLDER, pictures
from table import compared
from warm import Ran, run
from website.optable import written

from minigrad.faults import FAULTS, Fault
from minigrad.ops import OPS
from minigrad.text.numerals import from_json_number
from minigrad.text.translation import LANGUAGES, catalogue, pick, say, speaking
from minigrad.training.duel.report import angle_words, loss_words, percent

ROOT = Path(__file__).resolve().parent.parent
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")])

OUTPUT = re.compile(r"(<!-- output: (minigrad .+?) -->\n```text\n)(.*?)(```\n)", re.DOTALL)
RUN = re.compile(r"(<!-- run -->\n```python\n(.*?)```\n<!-- prints -->\n```text\n)(.*?)(```\n)", re.DOTALL)
VARYING = re.compile(r"\b\d+\.\d s\b|^ +Python 3\.\S+, (?:torch|jax) \S+$", re.MULTILINE)
NUMBER = re.compile(r"\d+(?=<!-- number of (ops|faults) -->)")
TABLE = re.compile(r"(<!-- ops: (en|es) -->\n)(.*?)(<!-- /ops -->\n)", re.DOTALL)
CATALOGUE = re.compile(r"(<!-- faults: (en|es) -->\n)(.*?)(<!-- /faults -->\n)", re.DOTALL)
RANKING = re.compile(r"(<!-- ranking: (en|es) -->\n)(.*?)(<!-- /ranking -->\n)", re.DOTALL)
COMPARED = re.compile(r"(<!-- compared: (en|es) -->\n)(.*?)(<!-- /compared -->\n)", re.DOTALL)
LAYERS = re.compile(r"(<!-- layers: (en|es) -->\n)(.*?)(<!-- /layers -->\n)", re.DOTALL)
LAYERS_LINE = re.compile(r"(<!-- layers -->)(.*?)(<!-- /layers -->)")
CHOICES = re.compile(r"(<!-- choices: (en|es) -->\n)(.*?)(<!-- /choices -->\n)", re.DOTALL)


_known: dict[tuple[tuple[str, ...], str], Ran] = {}  # several pages show one output


def ran(words: tuple[str, ...], folder: str = str(ROOT), *together: tuple[str, ...]) -> Ran:
    """What comes of `python` with these words, and of others that are run with them."""
    environment = {"MINIGRAD_LANG": "en"}  # whatever the language of who renews it
    environment["MINIGRAD_PROGRESS"] = str(Path(gettempdir()) / "minigrad-docs-no-progress.json")
    environment["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"  # a suite of the docs that is run needs none of ours
    group = [each for each in dict.fromkeys((words, *together)) if (each, folder) not in _known]
    if group:
        found = run(group, folder, environment)
        _known.update(((each, folder), one) for each, one in zip(group, found, strict=True))
    return _known[words, folder]


def _printed(words: tuple[str, ...], codes: tuple[int, ...] = (0,), folder: str = str(ROOT)) -> str:
    code, printed, complaint = ran(words, folder)
    if code not in codes or (code and complaint):
        raise SystemExit(f"{shlex.join(words)} failed:\n{complaint}")
    return printed


def words_of(command: str) -> tuple[str, ...]:
    """`minigrad ...` as the words after `python`."""
    return "-m", *shlex.split(command, comments=True)


@cache
def _session(commands: tuple[str, ...]) -> str:
    """What the last of some commands prints."""
    codes = (0, 1, 3)  # a check that failed, or an engine with limits, is something to show
    with TemporaryDirectory() as folder:
        Path(folder, "docs").symlink_to(ROOT / "docs")  # with files of ours that a command may be about
        for command in commands:
            printed = _printed(words_of(command), codes, folder if len(commands) > 1 else str(ROOT))
    return printed.replace(str(ROOT), "/path/to/minigrad")


def _command_output(match: re.Match[str]) -> str:
    printed = _session(tuple(match[2].split(" && ")))
    same = VARYING.sub("", printed) == VARYING.sub("", match[3])
    return match[1] + (match[3] if same else printed) + match[4]


def _program_output(match: re.Match[str]) -> str:
    return match[1] + _printed(("-c", match[2])) + match[4]


_HEAD = {
    "en": "| op | written | local rule |\n|---|---|---|\n",
    "es": "| op | se escribe | regla local |\n|---|---|---|\n",
}


def _escaped(words: str) -> str:
    return words.format(a="a", b="b", c="c").replace(" | ", "; ").replace("*", "\\*")


def _op_table(match: re.Match[str]) -> str:
    words = LANGUAGES.index(match[2])
    rows = [f"| {op.name} | `{written(op)}` | {_escaped(op.rule[words])} |\n" for op in OPS.values()]
    return match[1] + _HEAD[match[2]] + "".join(rows) + match[4]


# ---- the catalogue of faults --------------------------------------------------------------------

_FAULT_HEAD = {
    "en": "| fault | what is wrong | smallest graph | seen | public case |\n|---|---|---|--:|---|\n",
    "es": "| fallo | qué está mal | grafo más pequeño | vistos | caso público |\n|---|---|---|--:|---|\n",
}
_CASE = re.compile(r"([\w.-]+/[\w.-]+)#(\d+)")


def _plain(words: str) -> str:
    """Words as they stand, though they are formulas: Markdown takes * and _ for marks."""
    return words.replace("*", "\\*").replace("_", "\\_").replace("<", "&lt;").replace("|", "\\|")


def _fault_row(fault: Fault) -> str:
    name = _plain(pick(fault.name).format(what=say("listing.what")))
    found = _CASE.fullmatch(fault.case)
    case = f"[{fault.case}](https://github.com/{found[1]}/issues/{found[2]})" if found else fault.case
    cells = [
        f"`{fault.slug}`", f"**{name}**: {_plain(pick(fault.story))}", f"`{fault.smallest}`",
        str(fault.seen or ""), case,
    ]  # fmt: skip
    return f"| {' | '.join(cells)} |\n"


def _fault_tables(match: re.Match[str]) -> str:
    families: dict[str, list[Fault]] = {}
    for fault in FAULTS.values():
        families.setdefault(fault.family, []).append(fault)
    with speaking(match[2]):
        parts = [
            f"### {say(f'family.{family}')}\n\n{_plain(say(f'lesson.{family}'))}\n\n"
            + _FAULT_HEAD[match[2]]
            + "".join(map(_fault_row, faults))
            for family, faults in families.items()
        ]
    return match[1] + "\n".join(parts) + match[4]


# ---- the doctor ---------------------------------------------------------------------------------

_CHOICE_HEAD = {
    "en": "| in JSON | what the report says |\n|---|---|\n",
    "es": "| en JSON | lo que dice el informe |\n|---|---|\n",
}


def _choice_table(match: re.Match[str]) -> str:
    words = LANGUAGES.index(match[2])
    prefix = "doctor.choice."
    rows = [
        f"| `{key.removeprefix(prefix)}` | {_plain(row[words])} |\n"
        for key, row in catalogue().items()
        if key.startswith(prefix)
    ]
    return match[1] + _CHOICE_HEAD[match[2]] + "".join(rows) + match[4]


# ---- the duel -----------------------------------------------------------------------------------

HIDING = Path(__file__).with_name("hiding.json")
_HIDING_HEAD = {
    "en": "| fault | noticed | loss, broken and right | accuracy, broken and right | angle |\n",
    "es": "| fallo | se nota | pérdida, roto y correcto | exactitud, roto y correcto | ángulo |\n",
}


def _ranking(match: re.Match[str]) -> str:
    """How many faults hide, and a row for each that is at work, what hides longest first."""
    found = json.loads(HIDING.read_text(encoding="utf-8"))
    kinds = Counter(bout["status"] for bout in found["bouts"])
    half = int(median(bout["noticed"] for bout in found["bouts"] if bout["noticed"]))
    about = {"all": len(found["bouts"]), "steps": found["settings"]["steps"], "median": half}
    with speaking(match[2]):
        text = say(
            "duel.counts", hidden=kinds["hidden"], noticed=kinds["noticed"], equal=kinds["equal"], **about
        )
        rows = [_hiding_row(bout) for bout in found["bouts"] if bout["status"] != "equal"]
    return f"{match[1]}{text}\n\n{_HIDING_HEAD[match[2]]}|---|---|--:|--:|--:|\n{''.join(rows)}{match[4]}"


def _hiding_row(bout: dict[str, Any]) -> str:
    what = [bout["variant"], bout["activation"] if bout["activation"] != "relu" else ""]
    behind = f" ({_plain(', '.join(filter(None, what)))})" if any(what) else ""
    step = bout["noticed"]
    cells = [
        f"`{bout['fault']}`{behind}",
        say("duel.cell.step", step=step) if step else say("duel.cell.never"),
        ", ".join(loss_words(from_json_number(bout["final"][side])) for side in ("broken", "right")),
        ", ".join(percent(bout["accuracy"][side]) for side in ("broken", "right")),
        angle_words(bout["angle"]),
    ]
    return f"| {' | '.join(cells)} |\n"


# ---- the layers of the package ------------------------------------------------------------------

_LAYERS_HEAD = {
    "en": "| layer | unit | what it is |\n|--:|---|---|\n",
    "es": "| capa | unidad | qué es |\n|--:|---|---|\n",
}


@cache
def _layers() -> list[dict[str, list[str]]]:
    text = (ROOT / "tests" / "project" / "layers.toml").read_text(encoding="utf-8")
    layers: list[dict[str, list[str]]] = tomllib.loads(text)["layer"]
    return layers


def _path_of(unit: str) -> str:
    """`graph/` or `ops.py`: what a unit is called in a listing."""
    path = unit.replace(".", "/")
    return f"{path}/" if (ROOT / "src" / "minigrad" / path).is_dir() else f"{path}.py"


def _layer_table(match: re.Match[str]) -> str:
    language = LANGUAGES.index(match[2])
    rows = [
        f"| {number} | `{_path_of(unit)}` | {words[language]} |\n"
        for number, layer in enumerate(_layers(), 1)
        for unit, words in layer.items()
    ]
    return match[1] + _LAYERS_HEAD[match[2]] + "".join(rows) + match[4]


def _layers_in_a_line(match: re.Match[str]) -> str:
    layers = [[unit for unit in layer if "." not in unit and unit[:2] != "__"] for layer in _layers()]
    names = [layer[0] if len(layer) == 1 else f"{{{', '.join(layer)}}}" for layer in layers if layer]
    return f"{match[1]}`{' <- '.join(names)}`{match[3]}"


RENEWALS: list[tuple[re.Pattern[str], Callable[[re.Match[str]], str]]] = [
    (OUTPUT, _command_output),
    (RUN, _program_output),
    (NUMBER, lambda match: str(len({"ops": OPS, "faults": FAULTS}[match[1]]))),
    (TABLE, _op_table),
    (CATALOGUE, _fault_tables),
    (CHOICES, _choice_table),
    (LAYERS, _layer_table),
    (LAYERS_LINE, _layers_in_a_line),
    (RANKING, _ranking),
    (COMPARED, lambda match: match[1] + compared(match[2]) + match[4]),
]


def renewed() -> dict[Path, str]:
    """The files that are out of date, with what they should hold."""
    return stale_pictures() | stale_pages(PAGES)


def stale_pictures() -> dict[Path, str]:
    """The pictures that are out of date; a file that nobody draws is a mistake."""
    current = pictures()
    strays = [path for path in FOLDER.glob("*") if path not in current]
    if strays:
        raise SystemExit(f"nobody draws {strays[0].name}: delete it")
    return _stale(current)


def stale_pages(pages: Iterable[Path]) -> dict[Path, str]:
    """Those of the pages that are out of date."""
    current, pages = {}, list(pages)
    _run_with_translations(pages)
    for page in pages:
        text = page.read_text(encoding="utf-8")
        for pattern, renew in RENEWALS:
            text = pattern.sub(renew, text)
        current[page] = text
    return _stale(current)


def name_of(page: Path) -> str:
    """The same for a page in both languages."""
    return page.name.replace(".es.md", ".md")


def _run_with_translations(pages: Iterable[Path]) -> None:
    """Run each command or program of a page with the one at its place in the other language: what the two
    tell is worked out once."""
    for name in {name_of(page): None for page in pages}:
        texts = [page.read_text(encoding="utf-8") for page in pages if name_of(page) == name]
        for pattern, words in ((OUTPUT, words_of), (RUN, lambda text: ("-c", text))):
            rows = [pattern.findall(text) for text in texts]
            if len({len(row) for row in rows}) == 1:
                for group in zip(*([words(found[1]) for found in row] for row in rows), strict=True):
                    if "&&" not in {word for each in group for word in each}:
                        ran(group[0], str(ROOT), *group[1:])


def _stale(current: dict[Path, str]) -> dict[Path, str]:
    return {
        path: text
        for path, text in current.items()
        if not path.exists() or path.read_text(encoding="utf-8") != text
    }


def main() -> int:
    stale = renewed()
    check = "--check" in sys.argv[1:]
    for path, text in stale.items():
        print(f"{'out of date' if check else 'renewed'}: {path.relative_to(ROOT)}")
        if not check:
            path.parent.mkdir(exist_ok=True)
            path.write_text(text, encoding="utf-8")
    return 1 if check and stale else 0


if __name__ == "__main__":
    sys.exit(main())
