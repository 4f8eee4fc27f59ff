"""Campaign: many inputs of one boundary, tried in child processes that are watched, and what came of them.

    found = Campaign(boundary, seed=1).run(count=5000)
    found.tried, found.accepted, found.refusals, found.failures

Each input is made from the name of its boundary, the seed and its number, and from nothing else.  The inputs
are tried in a process of their own, a batch at a time: a process that dies is a crash of the input that it
had begun, and one that does not finish an input in time is ended and counts as a hang.  That time is the
processor's, so that the outcome does not depend on what else the machine does; an input that only waits has
a longer time of the clock, of which the time that it waits for a processor is taken off.
"""

from __future__ import annotations

import faulthandler
import json
import os
import resource
import select
import shutil
import signal
import tempfile
import time
import traceback
import warnings
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import IO, Any

from .boundary import ACCEPTED, Boundary, WrongAcceptanceError

__all__ = ["Campaign", "Failure", "Outcome"]

PATIENCE = 5.0  # seconds of the processor for one input
WALL = 60.0  # seconds for one input on a busy machine, or for one that only waits
MEMORY = 6 << 30  # bytes of addresses that a process may use beyond those that it begins with
MEMORY_DISK = Path("/dev/shm")
MOST = 10  # failures after which a campaign, or one of its processes, ends


@dataclass(frozen=True)
class Failure:
    """An input that a boundary did not stand."""

    kind: str  # crash, hang or wrong acceptance
    number: int
    detail: str


@dataclass
class Outcome:
    """What came of the inputs that were tried."""

    tried: int = 0
    accepted: int = 0
    refusals: Counter[str] = field(default_factory=Counter)
    failures: list[Failure] = field(default_factory=list)
    seconds: float = 0.0

    def count(self, kind: str) -> int:
        return sum(failure.kind == kind for failure in self.failures)


class Campaign:
    def __init__(
        self,
        boundary: Boundary,
        seed: int,
        *,
        patience: float = PATIENCE,
        wall: float = WALL,
        most: int = MOST,
    ) -> None:
        self.boundary, self.seed, self.most = boundary, seed, most
        self.patience, self.wall = patience, wall
        self.outcome = Outcome()

    def input(self, number: int) -> Any:
        """The input of this number; always the same one."""
        return self.boundary.input(Random(f"{self.boundary.name} {self.seed} {number}"))

    def run(self, count: int | None = None, seconds: float | None = None, first: int = 0) -> Outcome:
        """Try so many inputs, or as many as there is time for."""
        begun = time.monotonic()
        self.boundary.prepare()
        number, end = first, None if count is None else first + count
        deadline = None if seconds is None else begun + seconds
        while (end is None or number < end) and len(self.outcome.failures) < self.most:
            if deadline is not None and time.monotonic() >= deadline:
                break
            stop = number + self.boundary.batch
            number = self._batch(number, stop if end is None else min(stop, end), deadline)
        self.outcome.seconds = time.monotonic() - begun
        return self.outcome

    def _batch(self, first: int, stop: int, deadline: float | None) -> int:
        """Try the inputs of one process; the number of the first that is left."""
        reading, writing = os.pipe()
        with tempfile.TemporaryFile() as complaints, _folder() as folder:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # a fork beside threads; the child starts none of them again
                child = os.fork()
            if not child:
                os.close(reading)
                self._be_the_child(range(first, stop), deadline, writing, complaints, folder)
            os.close(writing)
            try:
                with open(reading, "rb", buffering=0) as results:
                    return self._watch(child, results, first, complaints)
            except BaseException:
                os.kill(child, signal.SIGKILL)
                os.waitpid(child, 0)
                raise

    # ---- the child ------------------------------------------------------------------------------

    def _be_the_child(
        self, numbers: range, deadline: float | None, writing: int, complaints: IO[bytes], folder: Path
    ) -> None:
        """Never returns: what the parent would do afterwards is not for this process to do."""
        status, failed = 1, 0
        try:
            faulthandler.enable(complaints.fileno())
            os.dup2(os.open(os.devnull, os.O_RDWR), 0)
            os.dup2(complaints.fileno(), 2)
            _limit_memory()
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))  # a crash is told in words; a dump takes seconds
            self.boundary.begin(folder)
            for number in numbers:
                if failed >= self.most or (deadline is not None and time.monotonic() >= deadline):
                    break
                os.write(writing, b'{"begun": %d}\n' % number)
                verdict = self._verdict(number)
                failed += "failure" in verdict
                os.write(writing, json.dumps(verdict).encode() + b"\n")
            status = 0
        except BaseException:
            os.write(complaints.fileno(), traceback.format_exc().encode())
        finally:
            os._exit(status)

    def _verdict(self, number: int) -> dict[str, str]:
        given = self.input(number)
        try:
            refusal = self.boundary.check(given)
        except WrongAcceptanceError as error:
            return {"failure": "wrong acceptance", "detail": str(error)[:10_000]}
        except BaseException as error:
            last = "".join(traceback.format_exception(error))
            return {"failure": "crash", "detail": last[-10_000:]}
        return {"accepted": ""} if refusal == ACCEPTED else {"refused": refusal}

    # ---- the parent -----------------------------------------------------------------------------

    def _watch(self, child: int, results: IO[bytes], first: int, complaints: IO[bytes]) -> int:
        """Read what the child says until it has ended or has to be ended."""
        begun, done, rest = None, first, b""  # the last that was begun; the first that is not done
        since, used, queued = time.monotonic(), _processor_seconds(child), _queued_seconds(child)
        while True:
            if not select.select([results], [], [], min(self.patience, self.wall) / 4)[0]:
                busy = _processor_seconds(child) - used
                waited = time.monotonic() - since - (_queued_seconds(child) - queued)
                spent = begun is not None and busy > self.patience
                if spent or waited > self.wall:
                    os.kill(child, signal.SIGKILL)
                    os.waitpid(child, 0)
                    limit = f"{self.patience} s of the processor" if spent else f"{self.wall} s of the clock"
                    self._fail(
                        "hang", done, f"no end within {limit} (processor {busy:.1f} s, clock {waited:.1f} s)"
                    )
                    return done + 1
                continue
            piece = os.read(results.fileno(), 1 << 16)
            *lines, rest = (rest + piece).split(b"\n")
            for line in map(json.loads, lines):
                if "begun" in line:
                    begun = line["begun"]
                else:
                    assert begun is not None
                    self._note(begun, line)
                    done = begun + 1
            if not piece:
                break
            since, used, queued = time.monotonic(), _processor_seconds(child), _queued_seconds(child)
        _, status = os.waitpid(child, 0)
        code = os.waitstatus_to_exitcode(status)
        if code == 0 and begun != done:
            return max(done, first + 1)
        complaints.seek(0)
        said = complaints.read().decode("utf-8", "replace")[-10_000:] or "left without a word"
        self._fail("crash", done, f"the process ended with {code}\n{said}")
        return done + 1

    def _note(self, number: int, line: dict[str, str]) -> None:
        if "failure" in line:
            self._fail(line["failure"], number, line["detail"])
            return
        self.outcome.tried += 1
        if "accepted" in line:
            self.outcome.accepted += 1
        else:
            self.outcome.refusals[line["refused"]] += 1

    def _fail(self, kind: str, number: int, detail: str) -> None:
        self.outcome.tried += 1
        self.outcome.failures.append(Failure(kind, number, detail))


@contextmanager
def _folder() -> Iterator[Path]:
    """An empty folder, in memory where there is such a disk: some files are written through to the disk."""
    folder = tempfile.mkdtemp(prefix="minigrad-fuzz-", dir=MEMORY_DISK if MEMORY_DISK.is_dir() else None)
    try:
        yield Path(os.path.realpath(folder))
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _processor_seconds(process: int) -> float:
    """What a process has used of the processor; 0 for one that has ended."""
    try:
        fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _queued_seconds(process: int) -> float:
    """How long a process could have run and had no processor; 0 where the system does not say."""
    try:
        return int(Path(f"/proc/{process}/schedstat").read_text().split()[1]) / 1e9
    except OSError:
        return 0.0


def _limit_memory() -> None:
    """An input for which a terabyte is asked is a crash of its own process, not of the machine."""
    with open("/proc/self/statm") as file:
        used = int(file.read().split()[0]) * resource.getpagesize()
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    wanted = used + MEMORY
    resource.setrlimit(
        resource.RLIMIT_AS, (wanted if hard == resource.RLIM_INFINITY else min(wanted, hard), hard)
    )
