"""Scalar autograd engines side by side: five programs, one process, one table.

    python bench/speed.py [--json FILE] [--svg FILE] [--rounds N] [--only PROGRAM] [--engines a,b]
                          [--alone] [--gc] [--quick] [--budget SECONDS] [--longest SECONDS]

Programs (programs.py): chain, long, mlp, gpt, rosenbrock.  Engines (engines.py, foreign.py): native,
native-dot, plain, microgpt, micrograd, torch, autograd, xad, casadi; one that is not installed is listed
with what to install.  Gradients are compared before anything is timed.  How the rounds are kept fair is
said at the top of measure.py, and what is charged to each library at the top of foreign.py.

`whole` is forward + backward + update + free.  `+ collect` adds the cyclic collector's time for an
engine that leaves its graph to it.  An op is one that the user writes.  Without --only, all five
programs take about twelve minutes.

The exit code is 0 whether or not the targets are met: this is a benchmark and not a test.
"""

from __future__ import annotations

import argparse
import datetime
import json
import platform
from statistics import median
from typing import Any, NamedTuple

from alone import alone_table, measure_alone
from chart import chart
from engines import Engine, own_engines
from foreign import LIBRARIES, foreign_engines
from measure import STEPS, Limits, Row, measure_program, median_ratio, with_large_stack
from programs import PROGRAMS, nodes_made

KEYS = ["native", "native-dot", "plain", "microgpt", "micrograd", *LIBRARIES]


class Target(NamedTuple):
    """The other takes at least so many times as long as native; 1 means that native is faster."""

    program: str
    other: str
    at_least: float


TARGETS = [
    *(Target(program, "microgpt", 25.0) for program in ("chain", "long")),
    Target("gpt", "microgpt", 15.0),
    *(Target(program, "torch", 80.0) for program in ("chain", "long")),
    *(Target(program, other, 1.0) for other in ("xad", "casadi") for program in PROGRAMS),
]


# ---- the figures --------------------------------------------------------------------------------


def figures(key: str, rows: dict[str, Row], engines: dict[str, Engine], limits: Limits) -> dict[str, Any]:
    """What the JSON says of one program."""
    program = PROGRAMS[key]
    size = program.quick if limits.quick else program.size
    base = base_of(rows)
    return {
        "title": program.title.format(size=size),
        "size": size,
        "unit": "ns per op" if program.per_op else "ms per step",
        "nodes": nodes_made(program, size) if size < 100_000 else None,
        "base": base,
        "engines": {name: _row(key, name, row, rows, base, engines[name]) for name, row in rows.items()},
    }


def base_of(rows: dict[str, Row]) -> str | None:
    """The engine that the others are compared with: the native one, else the plain one, else the first."""
    timed = [name for name, row in rows.items() if row.times]
    return next((name for name in ("native", "plain", *timed) if name in timed), None)


def _row(
    key: str, name: str, row: Row, rows: dict[str, Row], base: str | None, engine: Engine
) -> dict[str, Any]:
    if not row.times:
        return {"why_not": row.why_not}
    program = PROGRAMS[key]
    scale = row.ops if program.per_op else 1e6
    steps = {step: median(times[i] for times in row.times.values()) / scale for i, step in enumerate(STEPS)}
    again = None if row.again is None else row.again / scale
    per = row.ops / scale
    found = {
        "rounds": len(row.times),
        "size": row.size,
        "ops": row.ops,
        **steps,
        "whole": per * median(row.whole(turn, False) for turn in row.times),
        "whole_and_collect": per * median(row.whole(turn, True) for turn in row.times),
        "left_to_the_collector": row.left,
        "ratio": median_ratio(row, rows[base]),
        "ratio_and_collect": median_ratio(row, rows[base], True),
        "note": engine.notes.get(key, ""),
    }
    return found if again is None else {**found, "again": again}


def judged(programs: dict[str, Any], rows: dict[str, dict[str, Row]]) -> list[dict[str, Any]]:
    """The targets of the programs that were run; met is None where one of the two was not timed."""
    found = []
    for target in TARGETS:
        if target.program not in programs:
            continue
        here = rows[target.program]
        ours, theirs = here.get("native"), here.get(target.other)
        both = ours is not None and theirs is not None and ours.times and theirs.times
        ratio = median_ratio(theirs, ours) if both else None
        found.append(
            {
                **target._asdict(),
                "ratio": ratio,
                "ratio_and_collect": median_ratio(theirs, ours, True) if both else None,
                "met": None if ratio is None else ratio >= target.at_least,
            }
        )
    return found


def measure(keys: list[str], engines: dict[str, Engine], limits: Limits, alone: bool) -> dict[str, Any]:
    rows = {key: measure_program(key, engines, limits) for key in keys}
    programs = {key: figures(key, rows[key], engines, limits) for key in keys}
    rounds = {key: max((len(row.times) for row in here.values()), default=0) for key, here in rows.items()}
    found = {
        "schema": "minigrad.bench.speed/1",
        "date": datetime.date.today().isoformat(),
        "python": f"{platform.python_implementation()} {platform.python_version()}",
        "collector": "on" if limits.collector else "off",
        "quick": limits.quick,
        "rounds": rounds,
        "engines": {
            name: {"name": engine.name, "version": engine.version, "missing": engine.missing}
            for name, engine in engines.items()
        },
        "programs": programs,
        "targets": judged(programs, rows),
    }
    if alone:
        chosen = {name: e for name, e in engines.items() if name in own_engines() and not e.only}
        found["alone"] = measure_alone(chosen, limits)
    return found


# ---- the table ----------------------------------------------------------------------------------


def amount(x: float) -> str:
    """Three digits that count."""
    return f"{x:,.0f}" if x >= 100 else f"{x:.1f}" if x >= 10 else f"{x:.2f}"


def ratio_text(x: float) -> str:
    return amount(x) + "x"


def table(found: dict[str, Any]) -> str:
    lines = [
        f"{found['python']}, {found['date']}, collector {found['collector']}; medians, engines in turn",
    ]
    for engine in found["engines"].values():
        state = engine["missing"] or f"version {engine['version']}" * bool(engine["version"])
        lines.append(f"  {engine['name']:22}{state}".rstrip())
    for key, program in found["programs"].items():
        lines += ["", *program_lines(key, program, found)]
    if not found["quick"]:  # tiny sizes say nothing about speed
        lines += ["", "targets: how many times as long as native, whole (and with the collector's share)"]
        lines += [_target_line(target, found) for target in found["targets"]]
    return "\n".join(lines)


def program_lines(key: str, program: dict[str, Any], found: dict[str, Any]) -> list[str]:
    names = found["engines"]
    columns = ("forward", "backward", "update", "free", "whole", "collect", "whole_and_collect")
    heads = ("forward", "backward", "update", "free", "whole", "collect", "+ collect")
    shown = [i for i, column in enumerate(columns) if column != "update" or PROGRAMS[key].update is not None]
    base = names[program["base"]]["name"] if program["base"] else "none"
    made = f"; {program['nodes']:,} nodes in the microgpt style" if program["nodes"] else ""
    lines = [
        f"{program['title']} ({key}), {program['unit']}, {found['rounds'][key]} rounds{made}",
        f"  {'':22}" + "".join(f"{heads[i]:>10}" for i in shown) + f"   times {base}",
    ]
    for name, row in program["engines"].items():
        label = names[name]["name"]
        if "why_not" in row:
            lines.append(f"  {label:22}{row['why_not']}")
            continue
        numbers = []
        for i in shown:
            idle = columns[i] == "collect" and not row["left_to_the_collector"]
            numbers.append(f"{'-' if idle else amount(row[columns[i]]):>10}")
        notes = [row["note"]] if row["note"] else []
        if row["size"] != program["size"]:
            notes.append(f"at {row['size']:,} nodes")
        if row["rounds"] < found["rounds"][key]:
            notes.append(f"{row['rounds']} rounds")
        if "again" in row:
            notes.append(f"a call of the compiled Function: {amount(row['again'])}")
        lines.append(
            f"  {label:22}{''.join(numbers)}{ratio_text(row['ratio']):>10}"
            + (f"   {'; '.join(notes)}" if notes else "")
        )
    return lines


def _target_line(target: dict[str, Any], found: dict[str, Any]) -> str:
    name = (
        found["engines"][target["other"]]["name"] if target["other"] in found["engines"] else target["other"]
    )
    asked = "slower" if target["at_least"] == 1.0 else f"at least {target['at_least']:g}x"
    line = f"  {target['program']:12}{name:18}{asked:14}"
    if target["met"] is None:
        return line + "not measured"
    both = f"{ratio_text(target['ratio'])} ({ratio_text(target['ratio_and_collect'])})"
    return line + f"{both}  {'met' if target['met'] else 'NOT MET'}"


# ---- the command --------------------------------------------------------------------------------


def chosen_engines(named: str | None) -> dict[str, Engine]:
    keys = named.split(",") if named else KEYS
    for key in keys:
        if key not in KEYS:
            raise SystemExit(f"there is no engine {key!r}; there are {', '.join(KEYS)}")
    found = {**own_engines(), **foreign_engines(keys)}
    return {key: found[key] for key in KEYS if key in keys}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--json", metavar="FILE", help="write the figures here as well")
    parser.add_argument("--svg", metavar="FILE", help="draw them here")
    parser.add_argument("--rounds", type=int, help="for every program; each has its own number otherwise")
    parser.add_argument(
        "--only", metavar="PROGRAM", choices=PROGRAMS, action="append", help=", ".join(PROGRAMS)
    )
    parser.add_argument("--engines", metavar="a,b", help=", ".join(KEYS))
    parser.add_argument("--alone", action="store_true", help="each op alone too, on our own classes")
    parser.add_argument("--gc", action="store_true", help="leave the cyclic collector on")
    parser.add_argument("--quick", action="store_true", help="tiny sizes, to see that it runs")
    parser.add_argument("--budget", type=float, default=25.0, help="seconds of an engine in a program")
    parser.add_argument("--longest", type=float, default=35.0, help="seconds of one run of the long chain")
    options = parser.parse_args()
    limits = Limits(options.rounds, options.quick, options.gc, options.budget, options.longest)
    engines = chosen_engines(options.engines)
    keys = options.only or list(PROGRAMS)
    found = with_large_stack(lambda: measure(keys, engines, limits, options.alone))
    print(table(found))
    if options.alone:
        print("\n" + alone_table(found["alone"]))
    if options.json:
        with open(options.json, "w", encoding="utf-8") as file:
            json.dump(found, file, indent=1)
    if options.svg:
        with open(options.svg, "w", encoding="utf-8") as file:
            file.write(chart(found))


if __name__ == "__main__":
    main()
