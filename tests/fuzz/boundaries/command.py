"""Command line of the fuzzers: names, how long, which seed; prints what came of it, and saves what failed."""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence
from pathlib import Path

from . import NAMES, boundary
from .campaign import Campaign, Outcome

__all__ = ["main", "save", "summary"]

SCRATCH = Path(__file__).resolve().parents[3] / "build" / "fuzz"
KINDS = {"crash": "crashes", "hang": "hangs", "wrong acceptance": "wrong acceptances"}


def arguments(words: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="fuzzers, one for each boundary of minigrad")
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(NAMES)}; all without one")
    parser.add_argument("--seconds", type=float, default=60.0, help="for each (default: 60)")
    parser.add_argument("--count", type=int, help="so many inputs each, however long they take")
    parser.add_argument("--seed", type=int, default=1, help="another number gives other inputs (default: 1)")
    parser.add_argument("--only", type=int, metavar="NUMBER", help="the input of this number and no other")
    parser.add_argument("--list", action="store_true", help="print the names and end")
    given = parser.parse_args(words)
    if unknown := set(given.names) - set(NAMES):
        parser.error(f"no such boundary: {', '.join(sorted(unknown))}; there are {', '.join(NAMES)}")
    return given


def summary(name: str, seed: int, found: Outcome) -> str:
    """One line for a campaign, and one for what it was refused with."""
    counts = ", ".join(f"{words} {found.count(kind)}" for kind, words in KINDS.items())
    refused = sum(found.refusals.values())
    lines = [
        f"{name} (seed {seed}): tried {found.tried}, accepted {found.accepted}, refused {refused}, {counts}; "
        f"{found.seconds:.1f} s"
    ]
    if found.refusals:
        kinds = ", ".join(f"{kind} {count}" for kind, count in found.refusals.most_common())
        lines.append(f"    refused with: {kinds}")
    return "\n".join(lines)


def save(campaign: Campaign, folder: Path) -> list[Path]:
    """Write each input that failed to a file, with what happened and how to see it again."""
    folder.mkdir(parents=True, exist_ok=True)
    name, paths = campaign.boundary.name, []
    for failure in campaign.outcome.failures:
        path = folder / f"{name}-{campaign.seed}-{failure.number}.txt"
        again = f"python tests/fuzz/run.py {name} --seed {campaign.seed} --only {failure.number}"
        try:
            given = campaign.boundary.shown(campaign.input(failure.number))
        except Exception as error:
            given = f"it could not be made: {error!r}"
        text = f"{failure.kind}\n{again}\n\n{failure.detail}\n\ninput:\n{given}\n"
        path.write_text(text, encoding="utf-8", errors="backslashreplace")
        paths.append(path)
    return paths


def main(words: Sequence[str] | None = None) -> int:
    given = arguments(words)
    if given.list:
        print("\n".join(NAMES))
        return 0
    failed = False
    for name in given.names or NAMES:
        campaign = Campaign(boundary(name), given.seed)
        if given.only is not None:
            found = campaign.run(count=1, first=given.only)
        elif given.count is not None:
            found = campaign.run(count=given.count)
        else:
            found = campaign.run(seconds=given.seconds)
        print(summary(name, given.seed, found), flush=True)
        for path, failure in zip(save(campaign, SCRATCH), found.failures, strict=True):
            failed = True
            last = failure.detail.strip().splitlines()[-1] if failure.detail.strip() else ""
            print(f"    {failure.kind} at {failure.number}: {ascii(last)[:200]}")
            print(f"        {os.path.relpath(path)}", flush=True)
    return int(failed)
