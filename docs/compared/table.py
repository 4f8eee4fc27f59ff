"""What `compare.py` found, as the table and the quotations of comparisons.md in docs/en and docs/es."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))

from bugs import BUGS
from compare import FOUND

QUOTED = "factor"  # the bug of which everybody is quoted in full
_HEAD = {
    "en": ("what is wrong with the rule", "`gradcheck` of PyTorch", "`check_grads` of JAX",
           "`check_grads` of autograd", "`minigrad doctor`, in its words"),
    "es": ("qué está mal en la regla", "`gradcheck` de PyTorch", "`check_grads` de JAX",
           "`check_grads` de autograd", "`minigrad doctor`, con sus palabras"),
}  # fmt: skip
_WORDS = {
    "en": {"passed": "**passes it**", "rejected": "rejects it"},
    "es": {"passed": "**la acepta**", "rejected": "la rechaza"},
}
_NAMES = {
    "torch": "torch.autograd.gradcheck, PyTorch",
    "jax": "jax.test_util.check_grads, JAX",
    "autograd": "autograd.test_util.check_grads, autograd",
    "minigrad": "minigrad.doctor.examine_function",
}


def _cell(row: dict[str, str], name: str, language: str) -> str:
    if name.startswith("minigrad"):
        return row[name].replace("\n", " ", 1).replace("\n", "; ")
    return _WORDS[language]["rejected" if row[name] else "passed"]


def compared(language: str) -> str:
    """The table and the quotations, in a language."""
    found: dict[str, Any] = json.loads(FOUND.read_text(encoding="utf-8"))
    rows = {row["bug"]: row for row in found["rows"]}
    assert list(rows) == [bug.name for bug in BUGS], "run: python docs/compared/compare.py"
    asked = ["torch", "jax", "autograd", "minigrad" if language == "en" else "minigrad-es"]
    lines = [f"| {' | '.join(_HEAD[language])} |", "|---|---|---|---|---|"]
    for bug in BUGS:
        cells = [_cell(rows[bug.name], name, language) for name in asked]
        words = bug.words[language == "es"].replace("*", "\\*")
        lines.append(f"| {words} | {' | '.join(cells)} |")
    lines.append("")
    for name in asked:
        version = found["versions"].get(name, "")
        said = "\n".join(line.rstrip() for line in rows[QUOTED][name].splitlines())
        lines += [f"```text\n{_NAMES[name.removesuffix('-es')]} {version}".rstrip() + f"\n\n{said}\n```", ""]
    return "\n".join(lines)
