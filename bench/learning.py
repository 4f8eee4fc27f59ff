"""What the models learn, so that anybody can repeat the figures that the docs state.

    python bench/learning.py [--names FILE] [--seeds 1,2,3] [--only moons|own|file] [--json FILE] [--quick]

* moons: the demo of the well-known engine, MLP 2-16-16-1 on 100 points of two moons, hinge loss with
  regularisation, 100 steps of SGD on all of them: the part that is classified right at the end.
* own: the small GPT on our own names, 1,000 steps of one name each: the mean loss of the last 100 steps.
* file: the same on the names in FILE, one on a line.  The well-known file of 32,033 names is not in this
  repository.  Both means have to be under 2.55.

These are the runs of `minigrad train moons` and `minigrad train names`, with their defaults.  A run is a
function of its settings, so the figures are the same on every machine whose exp and log round alike.  The
exit code is 1 where one misses what is stated for it, except with --quick, which takes 5 steps.
"""

from __future__ import annotations

import argparse
import datetime
import json
import sys
from statistics import fmean
from time import perf_counter
from typing import Any

import minigrad
from minigrad.training import Run, defaults

__all__ = ["STATED", "learn", "measure", "missed", "table"]

LAST = 100  # steps whose losses are averaged
QUICK = 5  # steps
STATED = {"moons": 1.0, "own": 2.55, "file": 2.55}  # an accuracy, and the most that a mean loss may be


def learn(key: str, seed: int, path: str, quick: bool) -> dict[str, Any]:
    """One run to its end, and what came of it."""
    task = {"moons": "moons", "own": "names", "file": "text"}[key]
    changes = {"data": path} if key == "file" else {}
    run = Run(defaults(task, seed=seed, **changes, **({"steps": QUICK} if quick else {})))
    began = perf_counter()
    while not run.finished:
        if not run.advance().taken:
            raise SystemExit(
                f"{key}, seed {seed}: step {run.step + 1} has a loss or gradient that is no number"
            )
    found = {
        "seed": seed,
        "steps": run.step,
        "examples": run.task.examples,
        "parameters": len(run.parameters),
        "first_loss": run.losses[0],
        "last_losses": fmean(run.losses[-LAST:]),
        "seconds": perf_counter() - began,
    }
    return found if run.settings.language else {**found, "accuracy": run.task.accuracy()}


def measure(keys: list[str], seeds: list[int], path: str, quick: bool) -> dict[str, Any]:
    return {
        "schema": "minigrad.bench.learning/1",
        "date": datetime.date.today().isoformat(),
        "engine": minigrad.ENGINE,
        "quick": quick,
        "stated": STATED,
        "runs": {key: [learn(key, seed, path, quick) for seed in seeds] for key in keys},
    }


def missed(found: dict[str, Any]) -> list[str]:
    """The runs that do not reach what is stated for them."""
    lines = []
    for key, runs in found["runs"].items():
        for run in runs:
            stated = found["stated"][key]
            if "accuracy" in run and run["accuracy"] < stated:
                lines.append(
                    f"{key}, seed {run['seed']}: {run['accuracy']:.0%} right, {stated:.0%} is stated"
                )
            elif "accuracy" not in run and not run["last_losses"] < stated:
                lines.append(f"{key}, seed {run['seed']}: {run['last_losses']:.4f}, under {stated} is stated")
    return lines


def table(found: dict[str, Any]) -> str:
    lines = [f"{found['date']}, minigrad {found['engine']}"]
    titles = {
        "moons": "two moons, MLP 2-16-16-1",
        "own": "small GPT, our own names",
        "file": "small GPT, the file's names",
    }
    for key, runs in found["runs"].items():
        lines += [
            "",
            f"{titles[key]}: {runs[0]['examples']:,} examples, {runs[0]['parameters']:,} parameters",
            f"  {'seed':>6}{'steps':>8}{'first loss':>12}{f'last {LAST}':>12}{'right':>8}{'seconds':>10}",
        ]
        for run in runs:
            right = f"{run['accuracy']:.0%}" if "accuracy" in run else "-"
            lines.append(
                f"  {run['seed']:>6}{run['steps']:>8,}{run['first_loss']:>12.4f}{run['last_losses']:>12.4f}"
                f"{right:>8}{run['seconds']:>10.1f}"
            )
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--names", metavar="FILE", default="", help="a file of names, one on a line")
    parser.add_argument("--seeds", default="1,2,3", help="1,2,3 if not said")
    parser.add_argument("--only", choices=list(STATED), help="one of them")
    parser.add_argument("--json", metavar="FILE", help="write the figures here as well")
    parser.add_argument("--quick", action="store_true", help=f"{QUICK} steps, to see that it runs")
    options = parser.parse_args()
    if options.only == "file" and not options.names:
        raise SystemExit("--only file needs --names FILE")
    keys = [options.only] if options.only else ["moons", "own", *(["file"] if options.names else [])]
    try:
        seeds = [int(seed) for seed in options.seeds.split(",")]
        found = measure(keys, seeds, options.names, options.quick)
    except (ValueError, OSError) as error:
        raise SystemExit(str(error)) from None
    print(table(found))
    if options.json:
        with open(options.json, "w", encoding="utf-8") as file:
            json.dump(found, file, indent=1)
    lacking = [] if options.quick else missed(found)
    if lacking:
        sys.exit("\n".join(["", *lacking]))


if __name__ == "__main__":
    main()
