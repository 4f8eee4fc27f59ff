"""How long the studio takes: from its start to the first page, and from an edit to its answer on loopback.

    python bench/studio.py [--json FILE] [--rounds N] [--quick]

The real command in a process of its own, asked as its page asks it, one connection per question.  An edit
changes a number, so that nothing can be remembered from the one before.  Medians.

The exit code is 0 whether or not the targets are met: this is a benchmark and not a test.
"""

from __future__ import annotations

import argparse
import http.client
import json
import os
import platform
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from statistics import median
from time import perf_counter
from typing import Any
from urllib.parse import urlsplit

TOKEN = "the-token-of-the-benchmark"
TWENTY = (
    "h1 = tanh(w1*x + b1); h2 = tanh(w2*x + b2); o = h1*v1 + h2*v2; L = (o - 1)**2",
    {"w1": 0.5, "b1": 0.1, "w2": -0.3, "b2": 0.2, "v1": 1.5, "v2": -0.7},
)  # 20 nodes with x
LARGE = 2000


def ladder(nodes: int) -> str:
    rungs = (f"v{i} = v{i - 1}*b + v{i - 2}" for i in range(2, nodes // 2))
    return "\n".join(["v0 = x*b + c", "v1 = v0*b + c", *rungs])


class Studio:
    """The command, and what it was like to wait for it."""

    def __init__(self) -> None:
        words = [sys.executable, "-m", "minigrad", "studio", "--no-browser", "--port", "0"]
        began = perf_counter()
        self.process = subprocess.Popen(
            words, stdout=subprocess.PIPE, text=True, env={**os.environ, "MINIGRAD_STUDIO_TOKEN": TOKEN}
        )
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        link = next(word for word in line.split() if word.startswith("http"))
        self.address = urlsplit(link).netloc
        self.ask("GET", "/")
        self.started = perf_counter() - began

    def ask(self, method: str, path: str, question: dict[str, Any] | None = None) -> bytes:
        connection = http.client.HTTPConnection(self.address, timeout=60)
        headers = {"Authorization": f"token {TOKEN}", "Content-Type": "application/json"}
        connection.request(method, path, json.dumps(question) if question else None, headers)
        answer = connection.getresponse()
        body = answer.read()
        connection.close()
        if answer.status != 200:
            raise SystemExit(f"{path}: {answer.status} {body[:200]!r}")
        return body

    def edit(self, text: str, inputs: dict[str, float]) -> float:
        began = perf_counter()
        answer = json.loads(self.ask("POST", "/api/explain", {"text": text, "inputs": inputs}))
        spent = perf_counter() - began
        if not answer["ok"]:
            raise SystemExit(str(answer["error"]))
        return spent


@contextmanager
def studio() -> Iterator[Studio]:
    opened = Studio()
    try:
        yield opened
    finally:
        opened.process.send_signal(signal.SIGINT)
        opened.process.wait(timeout=30)


def measure(rounds: int, large: int) -> dict[str, Any]:
    starts = []
    for _ in range(max(1, rounds // 4)):
        with studio() as opened:
            starts.append(opened.started)
    spent: dict[str, list[float]] = {"small": [], "large": []}
    with studio() as opened:
        for n in range(rounds + 1):
            x = 0.5 + n / 1000
            spent["small"].append(opened.edit(TWENTY[0], {**TWENTY[1], "x": x}))
            spent["large"].append(opened.edit(ladder(large), {"x": x, "b": 0.5, "c": 0.25}))
    figures = {
        "start to first page": (median(starts), 2.0),
        "an edit of 20 nodes": (median(spent["small"][1:]), 0.1),
        f"an edit of {large:,} nodes": (median(spent["large"][1:]), None),
    }
    return {
        "schema": "minigrad.bench.studio/1",
        "python": f"{platform.python_implementation()} {platform.python_version()}",
        "rounds": rounds,
        "figures": {name: {"seconds": s, "target": target} for name, (s, target) in figures.items()},
    }


def table(found: dict[str, Any]) -> str:
    lines = [f"{found['python']}, medians of {found['rounds']} rounds, ms"]
    for name, row in found["figures"].items():
        line = f"  {name:24}{1000 * row['seconds']:8.1f}"
        if row["target"] is not None:
            verdict = "met" if row["seconds"] <= row["target"] else "NOT MET"
            line += f"   at most {1000 * row['target']:.0f}: {verdict}"
        lines.append(line)
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--json", metavar="FILE", help="write the figures here as well")
    parser.add_argument("--rounds", type=int, default=21)
    parser.add_argument("--quick", action="store_true", help="tiny sizes, to see that it runs")
    options = parser.parse_args()
    found = measure(1, 100) if options.quick else measure(options.rounds, LARGE)
    print(table(found))
    if options.json:
        with open(options.json, "w", encoding="utf-8") as file:
            json.dump(found, file, indent=1)


if __name__ == "__main__":
    main()
