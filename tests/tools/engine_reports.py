"""Reports on engines, compared: three runs each, one of them beside two busy processes, and proofs pasted.

    python tests/tools/engine_reports.py LIST [--runs 3] [--seeds 10] [--out FILE]

LIST is a file with the path of an engine on each line, and behind a tab the cell of a notebook.  For each
engine `minigrad doctor --json` runs three times; what differs is printed, and with --seeds every printed
proof that does not give its numbers under that many hash seeds.  The processor time of each run is kept.
Exit code 0 if all runs said the same and every proof gave its numbers.
"""

from __future__ import annotations

import argparse
import json
import resource
import statistics
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
from minigrad.doctor import SubjectError, examine
from pasted_proofs import proofs_of, said

BUSY = "while True: pass"


@dataclass
class Compared:
    """What the runs of one engine said."""

    path: str
    cell: int | None
    reports: list[object] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)  # of processor time, with all children

    @property
    def differences(self) -> list[str]:
        """The parts of the report that are not the same in all runs."""
        first = self.reports[0]
        if not all(isinstance(report, dict) for report in self.reports):
            return [] if all(report == first for report in self.reports) else ["report"]
        assert isinstance(first, dict)
        return [key for key in first if any(other[key] != first[key] for other in self.reports[1:])]


def read(path: Path) -> list[Compared]:
    rows = [line.split("\t") for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
    return [Compared(row[0], int(row[1]) if len(row) > 1 and row[1] else None) for row in rows]


@contextmanager
def two_busy_processes() -> Iterator[None]:
    busy = [subprocess.Popen([sys.executable, "-c", BUSY]) for _ in range(2)]
    try:
        yield
    finally:
        for process in busy:
            process.kill()
            process.wait()


def run(one: Compared) -> None:
    """One more report of the command, as JSON."""
    cell = [] if one.cell is None else ["--cell", str(one.cell)]
    command = [sys.executable, "-m", "minigrad", "doctor", one.path, "--json", *cell]
    before = _computed()
    ended = subprocess.run(command, capture_output=True, text=True, check=False)
    one.seconds.append(_computed() - before)
    try:
        one.reports.append(json.loads(ended.stdout))
    except ValueError:
        one.reports.append(ended.stderr.splitlines()[-1:])


def _computed() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def proofs_that_fail(path: str, cell: int | None, seeds: int) -> Iterator[tuple[str, str]]:
    """(The bug, what came out) of each printed proof that does not give its numbers under every hash seed."""
    try:
        report = examine(path, cell=cell)
    except SubjectError:
        return
    for proof in proofs_of(report):
        came = {answer for seed in range(seeds) if (answer := said(report, proof, seed))}
        if came:
            yield proof.finding.name, "; ".join(sorted(came))


def main(words: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("list", type=Path)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--seeds", type=int, default=0)
    parser.add_argument("--out", type=Path)
    asked = parser.parse_args(words)
    engines, failed = read(asked.list), 0
    for number in range(asked.runs):
        if number and number == asked.runs - 1:
            with two_busy_processes():
                for one in engines:
                    run(one)
        else:
            for one in engines:
                run(one)
    for one in engines:
        if one.differences:
            print(f"{one.path}: {', '.join(one.differences)} differ")
    if asked.seeds:
        for one in engines:
            for name, came in proofs_that_fail(one.path, one.cell, asked.seeds):
                failed += 1
                print(f"{one.path}: {name}: {came}")
    differing = sum(bool(one.differences) for one in engines)
    typical = [statistics.median(one.seconds) for one in engines]
    print(f"{len(engines) - differing} of {len(engines)} said the same in {asked.runs} runs")
    if asked.seeds:
        print(f"{failed} proofs did not give their numbers under {asked.seeds} hash seeds")
    print(f"processor time: median {statistics.median(typical):.2f} s, slowest {max(typical):.2f} s")
    if asked.out:
        rows = [{"path": one.path, "cell": one.cell, "seconds": one.seconds} for one in engines]
        asked.out.write_text("\n".join(map(json.dumps, rows)) + "\n", encoding="utf-8")
    return 1 if differing or failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
