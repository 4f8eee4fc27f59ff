"""Texts and names that the child sends, cut to what the parent accepts.

The parent rejects a whole message if one of its fields is too long, so a long one is cut or left out here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .wire_data import OpStep, PlanData

__all__ = ["MOST_STEPS", "MOST_UNKNOWN", "cut", "describe", "presentable", "short_expansions", "short_files"]

LONGEST = 300  # characters of what an error says
LONGEST_NAME = 1_000  # characters that the parent takes for a name
LONGEST_PATH = 4_096
MOST_FILES = 1_000
MOST_UNKNOWN = 12  # methods that are no op that is known; each is tried three times
MOST_UNTRIED = 100
MOST_STEPS = 100  # ops that one op is composed of


def cut(text: str, longest: int = LONGEST) -> str:
    """The beginning of a text; dots stand for what is left out."""
    return text if len(text) <= longest else text[: longest - 3] + "..."


def describe(error: BaseException) -> str:
    """An error as Python prints it, in one piece of bounded length; its `__str__` may fail too."""
    kind = type(error).__name__
    try:
        said = str(error)
    except Exception:
        said = "?"
    return cut(f"{kind}: {said}")


def presentable(plan: PlanData) -> str:
    """Shorten the lists of a plan in place; the first name that is too long to be sent, else ""."""
    plan["broken"] = {key: cut(said) for key, said in plan.get("broken", {}).items()}
    for op, ways in [*plan["ops"].items()]:
        plan["ops"][op] = {p: way for p, way in ways.items() if all(len(w) <= LONGEST_NAME for w in way)}
        if not plan["ops"][op]:
            del plan["ops"][op]
    plan["unknown"] = _short_names(plan.get("unknown", []), MOST_UNKNOWN)
    plan["untried"] = _short_names(plan.get("untried", []), MOST_UNTRIED)
    names = [plan["class"], plan.get("tape") or "", *plan["data"], *plan["grad"], *plan["leaf"]["keywords"]]
    names += [plan["backward"].get("name", ""), plan["backward"].get("children", "")]
    return next((cut(name) for name in names if len(name) > LONGEST_NAME), "")


def short_expansions(found: dict[str, list[OpStep]]) -> dict[str, list[OpStep]]:
    return {key: steps for key, steps in found.items() if len(steps) <= MOST_STEPS}


def short_files(files: list[str]) -> list[str]:
    return [file for file in files if len(file) <= LONGEST_PATH][:MOST_FILES]


def _short_names(names: list[str], most: int) -> list[str]:
    return [name for name in names if len(name) <= LONGEST_NAME][:most]
