"""Asks four checkers about the same twelve rules, and keeps what they say word for word.

    python docs/compared/compare.py     writes docs/compared/found.json, in about a minute

Everybody is called as their own documentation calls them: float64, the defaults, the inputs of the bug.
"""

from __future__ import annotations

import json
import random
import sys
import warnings
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))

from bugs import BUGS, Bug, as_autograd, as_jax, as_torch

FOUND = Path(__file__).with_name("found.json")


def torch_gradcheck(bug: Bug) -> str:
    import torch

    torch.manual_seed(0)
    inputs = [torch.tensor(x, dtype=torch.float64, requires_grad=True) for x in bug.inputs]
    torch.autograd.gradcheck(as_torch(bug).apply, inputs)
    return ""


def jax_check_grads(bug: Bug) -> str:
    import jax
    import numpy as np
    from jax.test_util import check_grads

    jax.config.update("jax_enable_x64", True)
    np.random.seed(0)
    check_grads(as_jax(bug), [jax.numpy.array(x) for x in bug.inputs], order=1, modes=["rev"])
    return ""


def autograd_check_grads(bug: Bug) -> str:
    import autograd.numpy as anp
    import numpy as np
    from autograd.test_util import check_grads

    np.random.seed(0)
    every = list(range(len(bug.inputs)))  # it looks at the first input only, unless it is told
    check_grads(as_autograd(bug), every, modes=["rev"], order=1)(*[anp.array(x) for x in bug.inputs])
    return ""


def minigrad_doctor(bug: Bug, language: str = "en") -> str:
    import torch

    from minigrad.doctor import examine_function
    from minigrad.text.translation import say, speaking

    inputs = tuple(torch.tensor(x, dtype=torch.float64) for x in bug.inputs)
    with speaking(language):
        report = examine_function(as_torch(bug), inputs)
        said = [f"`{finding.fault}`: {finding.story()}" for finding in report.findings]
        said += [f"`{remark.code}`: {remark.choice()}" for remark in report.design_choices]
        verdict = say(f"rules.verdict.{report.verdict.replace(' ', '_')}")
    return "\n".join([verdict, *said])


CHECKERS: dict[str, Callable[[Bug], str]] = {
    "torch": torch_gradcheck,
    "jax": jax_check_grads,
    "autograd": autograd_check_grads,
    "minigrad": minigrad_doctor,
    "minigrad-es": lambda bug: minigrad_doctor(bug, "es"),
}


def asked(checker: Callable[[Bug], str], bug: Bug) -> str:
    """What a checker says: its error's words, or "" if it finds nothing."""
    random.seed(0)
    try:
        return checker(bug).strip()
    except Exception as error:
        return f"{type(error).__name__}: {error}".strip()


def versions() -> dict[str, str]:
    from importlib.metadata import version

    return {name: version(name).partition("+")[0] for name in ("torch", "jax", "autograd")}


def main() -> None:
    warnings.simplefilter("ignore")
    rows: list[dict[str, Any]] = [
        {"bug": bug.name, **{name: asked(checker, bug) for name, checker in CHECKERS.items()}} for bug in BUGS
    ]
    found = {"date": date.today().isoformat(), "versions": versions(), "rows": rows}
    FOUND.write_text(json.dumps(found, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
