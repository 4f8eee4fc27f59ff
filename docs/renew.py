"""Renews what is computed in the docs: the picture, the outputs in the README, the op tables.

    python docs/renew.py            writes what is out of date
    python docs/renew.py --check    says what is out of date, exit code 1 if anything is

Marks in the Markdown files:
    <!-- output: minigrad ... -->   the ```text block below holds what the command prints
    <!-- run -->                    the ```python block below is run; <!-- prints --> and a
                                    ```text block below it hold what it prints
    <!-- ops: en --> ... <!-- /ops -->   the table of ops, in that language
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from picture import TARGETS, picture

from minigrad.messages import LANGUAGES, speaking
from minigrad.ops import MANY, OPS, Op

ROOT = Path(__file__).resolve().parent.parent
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")])

OUTPUT = re.compile(r"(<!-- output: (minigrad .+?) -->\n```text\n)(.*?)(```\n)", re.DOTALL)
RUN = re.compile(r"(<!-- run -->\n```python\n(.*?)```\n<!-- prints -->\n```text\n)(.*?)(```\n)", re.DOTALL)
TABLE = re.compile(r"(<!-- ops: (en|es) -->\n)(.*?)(<!-- /ops -->\n)", re.DOTALL)


def _printed(command: list[str]) -> str:
    environment = {**os.environ, "MINIGRAD_LANG": "en"}  # whatever the language of who renews it
    run = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", cwd=ROOT, env=environment)
    if run.returncode:
        raise SystemExit(f"{shlex.join(command)} failed:\n{run.stderr}")
    return run.stdout


def _command_output(match: re.Match[str]) -> str:
    words = shlex.split(match[2])[1:]
    return match[1] + _printed([sys.executable, "-m", "minigrad", *words]) + match[4]


def _program_output(match: re.Match[str]) -> str:
    return match[1] + _printed([sys.executable, "-c", match[2]]) + match[4]


_HEAD = {
    "en": "| op | written | local rule |\n|---|---|---|\n",
    "es": "| op | se escribe | regla local |\n|---|---|---|\n",
}


def _written(op: Op) -> str:
    least, most = op.arity
    if most == MANY:
        return f"{op.name}(a, b, ..., p, q, ...)" if op.paired else f"{op.name}(a, b, ...)"
    names = list("abc"[:most])
    for i, default in enumerate(op.defaults):
        names[least + i] += f"={default:g}"
    call = f"{op.name}({', '.join(names)})"
    return f"{op.write(*names)}, {call}" if op.text else call


def _escaped(words: str) -> str:
    return words.format(a="a", b="b", c="c").replace(" | ", "; ").replace("*", "\\*")


def _op_table(match: re.Match[str]) -> str:
    words = LANGUAGES.index(match[2])
    rows = [f"| {op.name} | `{_written(op)}` | {_escaped(op.rule[words])} |\n" for op in OPS.values()]
    return match[1] + _HEAD[match[2]] + "".join(rows) + match[4]


RENEWALS: list[tuple[re.Pattern[str], Callable[[re.Match[str]], str]]] = [
    (OUTPUT, _command_output),
    (RUN, _program_output),
    (TABLE, _op_table),
]


def renewed() -> dict[Path, str]:
    """The files that are out of date, with what they should hold."""
    current = {}
    for lang, target in TARGETS.items():
        with speaking(lang):
            current[target] = picture()
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        for pattern, renew in RENEWALS:
            text = pattern.sub(renew, text)
        current[page] = text
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
            path.write_text(text, encoding="utf-8")
    return 1 if check and stale else 0


if __name__ == "__main__":
    sys.exit(main())
