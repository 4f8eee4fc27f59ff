"""Process tree of one program: all processes that come from it, however they were started.

On Linux a program runs below a supervisor, and its processes are found in /proc by their parents, of which
the supervisor is the first.  For the case that a program has ended its supervisor, they are also known by the
folder that they work in, by a mark in the environment that the program was started with, and once seen by
their number and time of start.  Elsewhere only the process group is known: nothing is counted, and what left
the group lives on.
"""

from __future__ import annotations

import contextlib
import os
import signal
import time
from dataclasses import dataclass

from .cpu_affinity import Processor

__all__ = ["Census", "Descendants", "threads_of_user"]

PROC = "/proc"
# False also where it shows the numbers of another namespace than ours.
HAS_PROC = os.path.exists(f"{PROC}/self/stat") and os.readlink(f"{PROC}/self") == str(os.getpid())
SPACE_NAME = b"minigrad-space"  # of a supervisor that made a PID namespace; `supervisor.py` gives it
GONE = (OSError, ValueError, IndexError)  # what reading about a process gives when it has just vanished


@dataclass(frozen=True, slots=True)
class Census:
    """What the living processes of one program amount to."""

    processes: int = 0
    threads: int = 0
    cpu: float = 0.0  # seconds, with those of children that have been waited for
    resident: int = 0  # bytes; pages that processes share count for each
    asleep: bool = False  # do all of them wait for something else than a processor or a disk?


@dataclass(frozen=True, slots=True)
class _ProcessRow:
    """The fields of /proc/N/stat that matter here."""

    state: bytes
    parent: int
    session: int
    ticks: int
    waited: int  # those of the ticks that are of children which have ended
    threads: int
    start: int
    pages: int


class Descendants:
    """What comes from the process `pid`; make this before that is started.

    On Linux `pid` is the supervisor.  The processes of its session are that and nothing else: a program has a
    session of its own, and nobody can enter one.  They count for nothing but the time of those whom they have
    waited for.

    Whoever runs already is a stranger and is not looked at again, so that a look costs little even on
    a machine with a thousand processes.
    """

    def __init__(self, mark: str, folder: str, processor: Processor) -> None:
        self.mark = mark.encode()
        self.processor = processor
        self.folder = os.path.realpath(folder)
        self.pid = 0
        self._strangers = _numbers()
        self._start = 0  # when the program was started; whoever is older is a stranger
        self._ours: dict[int, int] = {}  # process number and time of start
        self._waited = 0  # ticks of those whom the supervisor has waited for

    def census(self) -> Census:
        rows = self._look().values()
        return Census(
            len(rows),
            sum(row.threads for row in rows),
            (sum(row.ticks for row in rows) + self._waited) / _TICKS,
            sum(row.pages for row in rows) * _PAGE,
            bool(rows) and all(row.state == b"S" for row in rows),
        )

    def kill(self, patience: float = 10.0) -> bool:
        """End all of them; False if some are left when patience is.

        The supervisor is asked to, and they are looked for besides until there is none.  All are stopped
        before one is killed: a child is known by its parent as long as that lives.  The process `pid` itself
        must not have been waited for yet: until then its number belongs to nobody else.
        """
        if self._ended_with_its_namespace():
            return True
        deadline = time.monotonic() + patience
        with self.processor.met():
            if HAS_PROC:
                _signal(self.pid, signal.SIGTERM)
                _signal(self.pid, signal.SIGCONT)  # the program may have stopped it
            else:
                self._signal_group(signal.SIGSTOP)
            found = self._look()
            while found or self._look(afresh=True) or not self._supervisor_has_ended():
                for what in (signal.SIGSTOP, signal.SIGKILL):
                    for number in self._ours:
                        _signal(number, what)
                if time.monotonic() > deadline:
                    break
                time.sleep(0.005)  # they need the processor to end
                found = self._look()
        self._signal_group(signal.SIGKILL)  # all there is to do where nobody can be looked for
        return not found

    def _signal_group(self, what: signal.Signals) -> None:
        with contextlib.suppress(OSError):
            os.killpg(self.pid, what)

    def _ended_with_its_namespace(self) -> bool:
        """Is there a supervisor that has ended, and did it end as it should, when nothing was left?

        Nobody but a process itself can change its name, and nobody in the namespace can kill a supervisor.
        """
        ended = _end_of(self.pid) if HAS_PROC else None
        return ended is not None and ended.si_status != signal.SIGKILL and _name(self.pid) == SPACE_NAME

    def _supervisor_has_ended(self) -> bool:
        return not HAS_PROC or _end_of(self.pid) is not None

    def _look(self, *, afresh: bool = False) -> dict[int, _ProcessRow]:
        """Those that live now; `afresh` looks at strangers too, whose numbers may be others' by now."""
        numbers = _numbers()
        self._strangers = set() if afresh else self._strangers & numbers
        looked = {number: _row(number) for number in numbers - self._strangers}
        rows = {number: row for number, row in looked.items() if row is not None}
        if self.pid in rows:
            self._start = rows[self.pid].start
        ours = _with_children(
            rows,
            {
                number
                for number, row in rows.items()
                if number == self.pid or row.session == self.pid or self._ours.get(number) == row.start
            },
        )
        marked, undecided = set(), set()
        for number in rows.keys() - ours:
            if rows[number].start < self._start:
                continue
            if _working_folder(number).startswith(self.folder):
                marked.add(number)
                continue
            # To read the environment of a process that is just forking is to wait for it, and in a fork
            # bomb it waits for a thousand others: so that comes last.
            environment = _environment(number)
            if self.mark in environment:
                marked.add(number)
            elif not environment:  # so it reads for a moment while a process becomes another program
                undecided.add(number)
        ours = _with_children(rows, ours | marked)
        self._strangers |= looked.keys() - ours - undecided
        program = {number for number in ours if rows[number].session != self.pid}
        self._waited = sum(rows[number].waited for number in ours - program)
        self._ours = {number: rows[number].start for number in program}
        return {number: rows[number] for number in program}


def _with_children(rows: dict[int, _ProcessRow], found: set[int]) -> set[int]:
    """Those that are found, and all that come from them."""
    children: dict[int, list[int]] = {}
    for number, row in rows.items():
        children.setdefault(row.parent, []).append(number)
    reached, waiting = set(found), list(found)
    while waiting:
        for child in children.get(waiting.pop(), ()):
            if child not in reached:
                reached.add(child)
                waiting.append(child)
    return reached


_TICKS = os.sysconf("SC_CLK_TCK") if HAS_PROC else 1
_PAGE = os.sysconf("SC_PAGE_SIZE") if HAS_PROC else 1


def _numbers() -> set[int]:
    if not HAS_PROC:
        return set()
    return {int(name) for name in os.listdir(PROC) if name.isdigit()}


def _row(number: int) -> _ProcessRow | None:
    """None for a process that has ended, waited for or not."""
    try:
        with open(f"{PROC}/{number}/stat", "rb") as file:
            # The name of a program stands in brackets and may hold anything, brackets too.
            field = file.read().rpartition(b")")[2].split()
        if field[0] in (b"Z", b"X"):
            return None
        return _ProcessRow(
            state=field[0],
            parent=int(field[1]),
            session=int(field[3]),
            ticks=sum(int(ticks) for ticks in field[11:15]),
            waited=sum(int(ticks) for ticks in field[13:15]),
            threads=int(field[17]),
            start=int(field[19]),
            pages=int(field[21]),
        )
    except GONE:
        return None


def _end_of(number: int) -> os.waitid_result | None:
    """How a child of ours ended, which can be asked again; None as long as it lives."""
    return os.waitid(os.P_PID, number, os.WEXITED | os.WNOHANG | os.WNOWAIT)


def _name(number: int) -> bytes:
    try:
        with open(f"{PROC}/{number}/comm", "rb") as file:
            return file.read().rstrip(b"\n")
    except GONE:
        return b""


def _working_folder(number: int) -> str:
    try:
        return os.readlink(f"{PROC}/{number}/cwd")
    except GONE:
        return ""


def _environment(number: int) -> bytes:
    try:
        with open(f"{PROC}/{number}/environ", "rb") as file:
            return file.read()
    except PermissionError:
        return b"?"  # of another user
    except GONE:
        return b""


def _signal(number: int, what: signal.Signals) -> None:
    with contextlib.suppress(OSError):
        os.kill(number, what)


def threads_of_user(user: int) -> int:
    """How many threads a user has on the whole machine; 0 where that is not known."""
    found = 0
    for number in _numbers():
        with contextlib.suppress(OSError):
            if os.stat(f"{PROC}/{number}").st_uid == user and (row := _row(number)) is not None:
                found += row.threads
    return found
