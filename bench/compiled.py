"""minigrad.compile against everything else: four tasks and the cost of compiling, in one run on one core.

    python bench/compiled.py [--json FILE] [--svg FILE] [--rounds N] [--only RACE] [--ways WAY,WAY]
                             [--quick] [--no-growth]

Races (race_*.py): `gpt` and `gpt-64`, a training step of the small GPT on one name and on 64; `moons`, an
epoch of the MLP on two moons; `rosenbrock`, value and gradient in 1,000 variables; `options`, a call option
over a million paths with five Greeks.  What each way is, and what it is charged for, is said at the top of
its file; how the turns are kept fair at the top of races.py.  Results are compared before anything is timed.
Compiling is timed by growth.py.

The process keeps to one core and every library to one thread.  A library or compiler that is not there is
named with what to install.  The exit code is 0 whether or not the targets are met: this is a benchmark and
not a test.
"""

from __future__ import annotations

import argparse
import datetime
import json
import platform
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from races import Figure, Race

__all__ = ["TARGETS", "Target", "chart_of", "judged", "main", "table", "target_line"]


class Target(NamedTuple):
    """`slower` takes at least, or at most, so many times what `faster` takes; or it is only said."""

    race: str
    faster: str
    slower: str
    at_least: float = 0.0
    at_most: float = float("inf")

    @property
    def asks(self) -> bool:
        return self.at_least > 0.0 or self.at_most < float("inf")


AHEAD = ("torch", "jax", "casadi", "casadi-c")
TARGETS = [
    Target("gpt", "compiled", "python", at_least=1_500.0),
    Target("gpt", "compiled", "numpy", at_least=5.0),
    Target("gpt", "compiled", "tape", at_least=3.0),
    Target("gpt", "loops", "compiled", at_most=3.0),
    Target("gpt", "vectors", "compiled"),
    Target("gpt-64", "compiled", "python", at_least=10_000.0),
    Target("gpt-64", "loops", "compiled"),
    Target("gpt-64", "vectors", "compiled"),
    *(
        Target(race, "compiled", other, at_least=1.0)
        for race in ("moons", "rosenbrock", "options")
        for other in AHEAD
    ),
    Target("moons", "compiled-calls", "jax-calls", at_least=1.0),
    Target("options", "hand", "compiled", at_most=2.0),
]
SECONDS, LINEAR = 1.0, 1.5  # of compiling one name; per node of the largest by the smallest
GROUPS = {
    "ours": ("minigrad", ("compiled", "compiled-calls", "compiled-exact", "eager")),
    "style": ("written by hand", ("python", "numpy", "tape", "loops", "vectors", "hand", "read")),
    "library": ("libraries", ("torch", "jax", "jax-calls", "casadi", "casadi-c")),
}


def races(quick: bool) -> dict[str, Callable[[], Race]]:
    """Made when they are run: each takes memory."""
    import race_gpt
    import race_moons
    import race_options
    import race_rosenbrock

    letters = 1 if quick else len(race_gpt.NAME)
    return {
        "gpt": lambda: race_gpt.race(1, letters),
        "gpt-64": lambda: race_gpt.race(2 if quick else 64, letters),
        "moons": lambda: race_moons.race(8 if quick else 100),
        "rosenbrock": lambda: race_rosenbrock.race(20 if quick else 1_000),
        "options": lambda: race_options.race(640 if quick else race_options.PATHS),
    }


# ---- the figures --------------------------------------------------------------------------------


def figures(race: Race, found: dict[str, Figure]) -> dict[str, Any]:
    """What the JSON says of one race; the chart reads the same."""
    from races import ratio

    base = race.base if race.base in found and found[race.base].seconds else None
    rows: dict[str, Any] = {}
    for key, figure in found.items():
        if not figure.seconds:
            rows[key] = {"why_not": figure.missing}
            continue
        rows[key] = {
            "rounds": len(figure.seconds),
            "seconds": figure.median,
            "whole": 1e3 * figure.median,  # ms
            "size": 1,
            "version": figure.version,
            "note": figure.note,
        }
        if base is not None:
            rows[key]["ratio"] = ratio(figure, found[base])
            if figure.collecting:
                rows[key]["ratio_and_collect"] = ratio(figure, found[base], collected=True)
    return {"title": race.title, "unit": "ms per step", "size": 1, "base": base, "engines": rows}


def judged(target: Target, found: dict[str, Figure]) -> dict[str, Any]:
    """Whether a target is met; None where one of the two was not timed, or nothing is asked."""
    from races import ratio

    ours, other = found.get(target.faster), found.get(target.slower)
    result: dict[str, Any] = {**target._asdict(), "ratio": None, "met": None}
    if ours is not None and other is not None and ours.seconds and other.seconds:
        result["ratio"] = ratio(other, ours)
        if target.asks:
            result["met"] = target.at_least <= result["ratio"] <= target.at_most
        if other.collecting:
            result["ratio_and_collect"] = ratio(other, ours, collected=True)
    return result


def judged_growth(found: dict[str, Any]) -> list[dict[str, Any]]:
    """The targets of growth.py: seconds of one name, and linear in nodes."""
    from growth import per_node

    first = found["rows"][0].get("seconds")
    results = [{"what": f"compiling one name in {SECONDS:g} s", "found": first, "met": None}]
    results[0]["met"] = None if first is None else first <= SECONDS
    for kind, ratio in per_node(found["rows"]).items():
        what = f"seconds per node of the largest {kind}, at most {LINEAR:g} times the smallest"
        results.append({"what": what, "found": ratio, "met": ratio <= LINEAR})
    for row in found["rows"]:
        if "why_not" in row:
            results.append({"what": f"{row['kind']} of size {row['size']:,}", "found": None, "met": None})
    return results


def measure(
    keys: list[str],
    quick: bool,
    rounds: int | None,
    growth: bool,
    core: int | None,
    ways: str | None = None,
) -> dict[str, Any]:
    import races as timing

    known = races(quick)
    programs, targets = {}, []
    for key in keys:
        race = known[key]()
        if ways:
            race.makers = {name: make for name, make in race.makers.items() if name in ways.split(",")}
        found = timing.run(race, 1 if quick and rounds is None else rounds, 1e-4 if quick else timing.TURN)
        programs[key] = figures(race, found)
        targets += [judged(target, found) for target in TARGETS if target.race == key]
    result: dict[str, Any] = {
        "schema": "minigrad.bench.compiled/1",
        "date": datetime.date.today().isoformat(),
        "python": f"{platform.python_implementation()} {platform.python_version()}",
        "core": core,
        "quick": quick,
        "executor": executor_name(),
        "rounds": {
            key: max((row.get("rounds", 0) for row in p["engines"].values()), default=0)
            for key, p in programs.items()
        },
        "programs": programs,
        "targets": targets,
    }
    if growth:
        from growth import measure as measure_growth

        result["growth"] = measure_growth(quick)
        result["growth_targets"] = judged_growth(result["growth"])
    return result


def executor_name() -> str:
    """Which instructions the compiled programs run on."""
    from minigrad.compiler import executors

    return str(getattr(executors, "ISA", "unknown"))


# ---- the table ----------------------------------------------------------------------------------


def table(found: dict[str, Any]) -> str:
    core = "" if found["core"] is None else f", core {found['core']} alone"
    lines = [f"{found['python']}, {found['date']}{core}, vectors: {found['executor']}; medians, in turn"]
    for key, program in found["programs"].items():
        lines += ["", f"{program['title']} ({key}), {found['rounds'][key]} rounds"]
        lines.append(f"  {'':32}{'time':>10}   times {program['base'] or 'nothing'}")
        lines += [row_line(name, row) for name, row in program["engines"].items()]
    if not found["quick"]:
        lines += ["", "targets: how many times as long the second takes as the first"]
        lines += [target_line(target) for target in found["targets"]]
    if "options" in found["programs"]:
        lines += ["", *limits(found["programs"]["options"])]
    if "growth" in found:
        from growth import table as growth_table

        lines += ["", growth_table(found["growth"])]
        for target in found["growth_targets"] if not found["quick"] else ():
            number = "not measured" if target["found"] is None else f"{target['found']:.2f}"
            lines.append(f"  {target['what']}: {number}  {verdict(target['met'])}")
    return "\n".join(lines)


def row_line(name: str, row: dict[str, Any]) -> str:
    from chart import duration

    label = NAMES.get(name, name)
    if "why_not" in row:
        return f"  {label:32}{row['why_not']}"
    line = f"  {label:32}{duration(row['seconds'], 1.0):>10}"
    if "ratio" in row:
        line += f"{ratio_text(row['ratio']):>11}"
    if "ratio_and_collect" in row:
        line += f" ({ratio_text(row['ratio_and_collect'])} with what it leaves to the collector)"
    return line + (f"   {row['note']}" if row["note"] else "")


NAMES = {
    "python": "plain Python class",
    "eager": "minigrad, eager",
    "numpy": "NumPy, by hand",
    "tape": "C tape, a node per op",
    "loops": "C by hand, loops",
    "vectors": "C by hand, vector types",
    "hand": "C by hand (a limit)",
    "read": "C, reading the draws (a limit)",
    "torch": "PyTorch",
    "jax": "JAX, jit, warm",
    "jax-calls": "JAX, jit, a call each",
    "casadi": "CasADi",
    "casadi-c": "CasADi, its C by gcc",
    "compiled": "minigrad compiled",
    "compiled-calls": "minigrad compiled, a call each",
    "compiled-exact": "minigrad compiled, exact",
}


def limits(program: dict[str, Any]) -> list[str]:
    """How near the option is to what the core can do, with the count."""
    from race_options import COUNTED, PATHS

    rows = program["engines"]
    lines = [
        f"a path: {COUNTED['operations']} operations at the least, {COUNTED['exponential']} of them its "
        f"exponential, and {COUNTED['bytes']} bytes read"
    ]
    for key in ("hand", "read", "compiled", "compiled-exact"):
        row = rows.get(key, {})
        if "seconds" in row and not program["title"].startswith("call option, 640 "):
            per = 1e9 * row["seconds"] / PATHS
            lines.append(
                f"  {NAMES[key]:32}{per:6.2f} ns a path, {COUNTED['operations'] / per:6.1f} Gop/s, "
                f"{COUNTED['bytes'] / per:6.1f} GB/s"
            )
    return lines


def ratio_text(x: float) -> str:
    return f"{x:,.0f}x" if x >= 100 else f"{x:.1f}x" if x >= 10 else f"{x:.2f}x" if x >= 0.1 else f"{x:.2g}x"


def target_line(target: dict[str, Any]) -> str:
    names = f"{NAMES[target['faster']]}, {NAMES[target['slower']]}"
    if not Target(*(target[name] for name in Target._fields)).asks:
        asked = ""
    elif target["at_most"] != float("inf"):
        asked = f"at most {target['at_most']:g}x"
    else:
        asked = "slower" if target["at_least"] == 1.0 else f"at least {target['at_least']:,g}x"
    line = f"  {target['race']:12}{names:56}{asked:18}"
    if target["ratio"] is None:
        return line + "not measured"
    more = f" ({ratio_text(target['ratio_and_collect'])} collected)" if "ratio_and_collect" in target else ""
    return line + f"{ratio_text(target['ratio'])}{more}  {verdict(target['met'])}"


def verdict(met: bool | None) -> str:
    return "" if met is None else "met" if met else "NOT MET"


def chart_of(found: dict[str, Any]) -> str:
    from chart import chart

    known = {name: {"name": NAMES[name], "missing": ""} for name in NAMES}
    for program in found["programs"].values():
        for name, row in program["engines"].items():
            if "why_not" in row:
                known[name] = {**known[name], "missing": row["why_not"]}
    shown = {name for program in found["programs"].values() for name in program["engines"]}
    engines = {name: known[name] for name in NAMES if name in shown}
    foot = "whole steps on one core; a way that can run many steps without Python in between does so"
    return chart({**found, "engines": engines}, GROUPS, foot)


# ---- the command --------------------------------------------------------------------------------


def main() -> None:
    keys = ["gpt", "gpt-64", "moons", "rosenbrock", "options"]
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--json", metavar="FILE", help="write the figures here as well")
    parser.add_argument("--svg", metavar="FILE", help="draw them here")
    parser.add_argument("--rounds", type=int, help="for every race; each has its own number otherwise")
    parser.add_argument("--only", metavar="RACE", choices=keys, help=", ".join(keys))
    parser.add_argument("--ways", metavar="WAY,WAY", help="only these, such as compiled,jax")
    parser.add_argument("--quick", action="store_true", help="tiny sizes, to see that it runs")
    parser.add_argument("--no-growth", action="store_true", help="leave out what compiling costs")
    options = parser.parse_args()
    from races import one_core

    core = one_core()  # before NumPy, PyTorch and JAX count the cores
    from measure import with_large_stack

    chosen = [options.only] if options.only else keys
    growth = not options.no_growth and not options.only
    found = with_large_stack(
        lambda: measure(chosen, options.quick, options.rounds, growth, core, options.ways)
    )
    print(table(found))
    if options.json:
        Path(options.json).write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    if options.svg:
        Path(options.svg).write_text(chart_of(found), encoding="utf-8")


if __name__ == "__main__":
    main()
