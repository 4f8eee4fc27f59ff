"""Child processes, the runner of code that may do anything.

A fenced program gets its request as JSON on its standard input, and writes its messages as JSON objects, one
to a line, to the file descriptor whose number is in the environment as MINIGRAD_RESULTS.  It has a folder of
its own that is removed, a clean environment, limits on time, memory, processes and all that it writes, and
whatever it started is ended with it.  Calls may run side by side in threads.

This is a fence against accidents, not a wall against an enemy: a program can still read the user's
files and use the network.  What holds depends on the system.

Linux has all of it.  Whatever a program started ends with it, and all of it ends when minigrad is killed: see
`supervisor.py`, which also says what a program can do against that where PID namespaces are not permitted.

macOS knows no address space limit and counts no processes.  The process group of the program is killed, and
what has left the group lives on.  If minigrad is killed, the alarm ends the program a few seconds after its
time is up, and nothing ends what it started.

Windows has the time limit, the limits on output and messages and the clean environment, nothing else, and
MINIGRAD_RESULTS is the path of a file to append to.  A program that is ended is ended with those of its
descendants whose parents still live; what a program started and left when it ended by itself lives on, and so
does the program when minigrad is killed.  A Job Object could end all of them; there is none so far.
"""

from __future__ import annotations

import contextlib
import json
import os
import selectors
import signal
import subprocess
import sys
import tempfile
import time
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path
from pkgutil import get_data
from typing import TYPE_CHECKING, Final, Generic, TypeVar

from .cpu_affinity import reserve_processor
from .limits import MARK, RESULTS, clean_environment, limited_command
from .pipes import MessageStream, OutputStream
from .process_tree import Census, Descendants
from .runner import (
    Accept,
    ChildProgram,
    Command,
    Ended,
    Job,
    Kind,
    Limits,
    Reply,
    StopRequest,
    WorkerGoneError,
)
from .working_folder import occupied_bytes, remove

if TYPE_CHECKING:
    import asyncio

    from .runner import RawMessage

__all__ = ["PROCESSES", "ChildProcesses"]

FENCES = os.name == "posix"
NO_RANDOM_ADDRESSES = 0x0040000  # of personality(2)
TICK = 0.02  # seconds between two looks at the processes
FOLDER_TICK = 0.25  # and at the folder
FEW_LOOKS = 20  # do not show that a program sleeps
CHUNK = 1 << 16
LONGEST_REPLY = 256 << 20  # bytes of a worker's reply

M = TypeVar("M")


class ChildProcesses:
    """The runner of a computer that has processes."""

    def run(
        self,
        job: Job,
        accept: Accept[M],
        *,
        on_message: Callable[[M], object] | None = None,
        stop: StopRequest | None = None,
    ) -> Ended[M]:
        limits = job.limits
        messages = MessageStream(
            accept, on_message, count=limits.results, line=limits.result_line, size=limits.results_size
        )
        if job.project is not None:
            return _run_in_project(job, job.project, messages, stop)
        folder = tempfile.mkdtemp(prefix="minigrad-")
        try:
            mark = uuid.uuid4().hex
            usual = clean_environment(folder, mark, job.hash_seed, job.path)
            environment = {name: x for name, x in {**usual, **job.variables}.items() if x is not None}
            run = (_Fenced if FENCES else _Timed)(limits, folder, f"{MARK}={mark}", messages, stop)
            return run.ending(_argv(job.what, "run", "-B"), json.dumps(job.request).encode(), environment)
        finally:
            remove(folder)

    def side_by_side(self) -> ThreadPoolExecutor:
        return ThreadPoolExecutor(2)

    async def start(self, what: ChildProgram | Command) -> ProcessWorker:
        import asyncio  # only whoever has workers needs it

        # in a session of its own: Ctrl-C is for the server, which then ends its workers
        process = await asyncio.create_subprocess_exec(
            *_argv(what, "serve"),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        return ProcessWorker(process)

    def __repr__(self) -> str:
        return "ChildProcesses()"


PROCESSES: Final = ChildProcesses()  # it has no state


def _argv(what: ChildProgram | Command, how: str, *options: str) -> list[str]:
    """The command line; a Python of ours finds nothing in the folder that it is started in."""
    if isinstance(what, Command):
        return list(what.words)
    text = f"{_child_io()}\n{how}({what.module!r}, {what.home!r})\n"
    return [sys.executable, *options, "-P", "-c", text]


@cache
def _child_io() -> str:
    text = get_data(__package__ or "", "child_io.py")
    assert text is not None
    return text.decode("utf-8")


# ---- jobs behind fences ---------------------------------------------------------------------------


class _ProcessRun(Generic[M]):
    """One run of a program: what it has said so far, and why it is being ended, if it is."""

    def __init__(
        self, limits: Limits, folder: str, mark: str, messages: MessageStream[M], stop: StopRequest | None
    ) -> None:
        self.limits = limits
        self.folder = folder
        self.mark = mark
        self.stop = stop
        self.output = OutputStream(limits.output_kept, limits.output)
        self.messages = messages
        self.census = Census()
        self.begun = time.monotonic()
        self._awake = (self.begun, 0.0, 0)  # when it was seen so last, what it had computed, looks since
        self._next_folder = self.begun + FOLDER_TICK

    def ending(self, argv: Sequence[str], request: bytes, environment: dict[str, str]) -> Ended[M]:
        raise NotImplementedError

    def excess(self) -> Kind | None:
        """The first limit that is exceeded now."""
        now, limits, census = time.monotonic(), self.limits, self.census
        if self.stop is not None and self.stop.is_set():
            return "stopped"
        if self.output.full or self.messages.full:
            return "output"
        if census.processes > limits.processes or census.threads > limits.threads:
            return "processes"
        if census.resident > limits.resident:
            return "memory"
        if census.cpu > limits.cpu:
            return "cpu"
        if now - self.begun > limits.wall or self._sleeps(now):
            return "timeout"
        if now >= self._next_folder:
            self._next_folder = now + FOLDER_TICK
            if occupied_bytes(self.folder, limits.folder) > limits.folder:
                return "output"
        return None

    def _sleeps(self, now: float) -> bool:
        """Has it slept at every look for as long as it may, and computed nothing?

        On a busy machine a program that is kept waiting is ready to run, and we may come to few looks.
        """
        since, computed, looks = self._awake
        if not self.census.asleep or self.census.cpu != computed:
            self._awake = now, self.census.cpu, 0
            return False
        self._awake = since, computed, looks + 1
        return looks > FEW_LOOKS and now - since > self.limits.idle

    def close(self, returned: int | None, kind: Kind | None) -> Ended[M]:
        self.messages.close()
        output = self.output.text()
        return Ended(
            kind=kind or self._own_end(returned, output),
            code=returned if kind is None and returned is not None and returned >= 0 else None,
            signal=-returned if returned is not None and returned < 0 else None,
            messages=tuple(self.messages.found),
            rejected=self.messages.rejected,
            output=output,
            seconds=time.monotonic() - self.begun,
        )

    def _own_end(self, returned: int | None, output: str) -> Kind:
        """Why a program ended that nobody ended: a limit that the system holds shows in how it fails."""
        if self.output.full or self.messages.full:  # seen only when the rest was read
            return "output"
        if returned == 0:
            return "finished"
        if returned is not None and returned < 0:
            name = signal.Signals(-returned).name if -returned in set(signal.Signals) else ""
            if name == "SIGXCPU" or (name == "SIGKILL" and self.census.cpu > self.limits.cpu - 1):
                return "cpu"
            return "memory" if name == "SIGABRT" and "std::bad_alloc" in output else "signal"
        last = output.rstrip().rpartition("\n")[2]
        return next((kind for words, kind in LAST_WORDS.items() if last.startswith(words)), "exit")


LAST_WORDS: Mapping[str, Kind] = {
    "MemoryError": "memory",
    "OSError: [Errno 27]": "output",  # a file beyond the limit for one
    "BlockingIOError: [Errno 11]": "processes",  # from fork
    "RuntimeError: can't start new thread": "processes",
}


@contextlib.contextmanager
def _same_addresses() -> Iterator[None]:
    """What this thread starts meanwhile has its memory at the same addresses every time, on Linux.

    An object's hash is made of its address, and a set is walked by hashes: a program that hangs on the order
    of a set would do something else in every run.  Where the system refuses, it does.
    """
    if sys.platform != "linux":
        yield
        return
    import ctypes

    personality = ctypes.CDLL(None).personality
    personality.argtypes = [ctypes.c_ulong]
    before = personality(0xFFFFFFFF)  # which asks, and changes nothing
    if before != -1:
        personality(before | NO_RANDOM_ADDRESSES)
    try:
        yield
    finally:
        if before != -1:
            personality(before)


class _Fenced(_ProcessRun[M]):
    """A run with limits that the system holds, in a session of its own, over pipes."""

    def ending(self, argv: Sequence[str], request: bytes, environment: dict[str, str]) -> Ended[M]:
        with contextlib.ExitStack() as opened:
            processor = opened.enter_context(reserve_processor())
            descendants = Descendants(self.mark, self.folder, processor)
            # From a file it is read at once.  Pieces from a pipe come as the machine is busy, and lie
            # elsewhere every time, as does then all that the program makes later.
            given = opened.enter_context(tempfile.TemporaryFile())
            given.write(request)
            given.seek(0)
            reading, writing = os.pipe()
            results = opened.enter_context(open(reading, "rb", buffering=0))
            try:
                with _same_addresses():
                    process = subprocess.Popen(
                        limited_command(argv, self.limits, processor.number),
                        bufsize=0,
                        stdin=given.fileno(),
                        stdout=subprocess.PIPE,
                        stderr=subprocess.STDOUT,
                        cwd=self.folder,
                        env=environment | {RESULTS: f"{writing:04}"},
                        pass_fds=(writing,),
                        start_new_session=True,
                    )
            finally:
                os.close(writing)
            descendants.pid = process.pid
            assert process.stdout is not None
            opened.enter_context(process.stdout)
            try:
                for pipe in (process.stdout, results):
                    os.set_blocking(pipe.fileno(), False)
                kind = self._watch(process, descendants, results.fileno())
            finally:
                descendants.kill()
                process.wait(timeout=10.0)
            for pipe, take in ((process.stdout, self.output.take), (results, self.messages.take)):
                while _pour(pipe.fileno(), take):
                    pass
            return self.close(process.returncode, kind)

    def _watch(self, process: subprocess.Popen[bytes], descendants: Descendants, results: int) -> Kind | None:
        """Read what it says until it has ended or is to be ended."""
        assert process.stdout is not None
        next_look = self.begun + TICK
        with contextlib.ExitStack() as opened:
            selector = opened.enter_context(selectors.DefaultSelector())
            selector.register(process.stdout, selectors.EVENT_READ, self.output.take)
            selector.register(results, selectors.EVENT_READ, self.messages.take)
            with contextlib.suppress(AttributeError, OSError):  # Linux: wakes us when the program ends
                watched = os.pidfd_open(process.pid)
                opened.callback(os.close, watched)
                selector.register(watched, selectors.EVENT_READ)
            while True:
                for key, _ in selector.select(TICK):
                    if key.data is not None and not _pour(key.fd, key.data):
                        selector.unregister(key.fileobj)
                if time.monotonic() >= next_look:
                    self.census = descendants.census()
                    next_look = time.monotonic() + TICK
                if (kind := self.excess()) is not None:
                    return kind
                if _has_ended(process):
                    return None


class _Timed(_ProcessRun[M]):
    """A run with a time limit and no fences, over files in the folder: all that is left on Windows."""

    def ending(self, argv: Sequence[str], request: bytes, environment: dict[str, str]) -> Ended[M]:
        names = [os.path.join(self.folder, name) for name in ("request", "output", "results")]
        for name in names:
            with open(name, "wb") as file:
                file.write(request if name is names[0] else b"")
        with contextlib.ExitStack() as opened:
            given = opened.enter_context(open(names[0], "rb"))
            printed = opened.enter_context(open(names[1], "ab"))
            output = opened.enter_context(open(names[1], "rb", buffering=0))
            results = opened.enter_context(open(names[2], "rb", buffering=0))
            pairs = ((output.fileno(), self.output.take), (results.fileno(), self.messages.take))
            process = subprocess.Popen(
                list(argv),
                stdin=given,
                stdout=printed,
                stderr=subprocess.STDOUT,
                cwd=self.folder,
                env=environment | {RESULTS: names[2]},
            )
            kind: Kind | None = None
            try:
                while kind is None and process.poll() is None:
                    with contextlib.suppress(subprocess.TimeoutExpired):
                        process.wait(TICK)
                    for number, take in pairs:
                        while not (self.output.full or self.messages.full) and _pour(number, take):
                            pass
                    kind = self.excess()
            finally:
                if kind is not None or process.poll() is None:
                    _end_tree(process)
            for number, take in pairs:
                while _pour(number, take):
                    pass
            return self.close(process.returncode, kind)


def _pour(number: int, take: Callable[[bytes], bool]) -> bool:
    """One helping from a pipe to whoever takes it; False if there is none, or no more is wanted."""
    try:
        piece = os.read(number, CHUNK)
    except BlockingIOError:
        return False
    return take(piece) if piece else False


def _has_ended(process: subprocess.Popen[bytes]) -> bool:
    """Its number stays its own where it can be asked about without being waited for."""
    if not hasattr(os, "waitid"):
        return process.poll() is not None
    return os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None


def _end_tree(process: subprocess.Popen[bytes]) -> None:
    if os.name == "nt":
        number = str(process.pid)
        subprocess.run(["taskkill", "/F", "/T", "/PID", number], capture_output=True, check=False)
    process.kill()
    process.wait(timeout=10.0)


# ---- a user's own commands ------------------------------------------------------------------------


def _run_in_project(job: Job, folder: str, messages: MessageStream[M], stop: StopRequest | None) -> Ended[M]:
    """A run in a given folder with a time limit and no fence; what is printed last is kept."""
    older = os.environ.get("PYTHONPATH", "")
    environment = {
        **os.environ,
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONHASHSEED": str(job.hash_seed),
        "PYTHONPATH": os.pathsep.join([*job.path, *([older] if older else [])]),
    }
    with contextlib.ExitStack() as opened:
        printed = opened.enter_context(tempfile.TemporaryFile())
        stdin, results = subprocess.DEVNULL, ""
        if isinstance(job.what, ChildProgram):
            request = opened.enter_context(tempfile.TemporaryFile())
            request.write(json.dumps(job.request).encode())
            request.seek(0)
            stdin = request.fileno()
            number, results = tempfile.mkstemp(prefix="minigrad-")
            os.close(number)
            opened.callback(os.remove, results)
            environment[RESULTS] = results
        begun = time.monotonic()
        process = subprocess.Popen(
            _argv(job.what, "run"),
            cwd=folder,
            env=environment,
            stdin=stdin,
            stdout=printed,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        try:
            kind = _wait(process, begun + job.limits.wall, stop)
        finally:
            _end_group(process)
        seconds = time.monotonic() - begun
        printed.seek(max(0, printed.seek(0, os.SEEK_END) - job.limits.output_kept))
        output = printed.read().decode("utf-8", errors="replace")
        if results:
            with open(results, "rb", buffering=0) as file:
                while _pour(file.fileno(), messages.take):
                    pass
            messages.close()
    returned = process.returncode if kind is None else None
    return Ended(
        kind=kind or ("signal" if process.returncode < 0 else "exit" if process.returncode else "finished"),
        code=returned if returned is not None and returned >= 0 else None,
        signal=-returned if returned is not None and returned < 0 else None,
        messages=tuple(messages.found),
        rejected=messages.rejected,
        output=output,
        seconds=seconds,
    )


def _wait(process: subprocess.Popen[bytes], until: float, stop: StopRequest | None) -> Kind | None:
    """None when the process has ended by itself, else why it is not waited for any longer."""
    while True:
        left = until - time.monotonic()
        try:
            process.wait(timeout=max(0.0, left if stop is None else min(left, TICK)))
            return None
        except subprocess.TimeoutExpired:
            if stop is not None and stop.is_set():
                return "stopped"
            if time.monotonic() >= until:
                return "timeout"


def _end_group(process: subprocess.Popen[bytes]) -> None:
    """End the whole group, also what the command left running."""
    if hasattr(os, "killpg"):
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
    elif process.poll() is None:
        process.kill()
    process.wait(timeout=10.0)


# ---- programs that stay ---------------------------------------------------------------------------


class ProcessWorker:
    """A process that answers messages; `child_io.serve` is its other side."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process
        assert process.stdin is not None
        assert process.stdout is not None
        self._requests, self._replies = process.stdin, process.stdout

    @property
    def number(self) -> int:
        return self._process.pid

    @property
    def alive(self) -> bool:
        return self._process.returncode is None

    @property
    def resident(self) -> int:
        try:
            pages = Path(f"/proc/{self._process.pid}/statm").read_text().split()[1]
            return int(pages) * os.sysconf("SC_PAGE_SIZE")
        except (AttributeError, OSError, IndexError, ValueError):
            return 0

    async def ask(self, message: RawMessage) -> Reply:
        try:
            self._requests.write(json.dumps(message).encode() + b"\n")
            await self._requests.drain()
            status, length = map(int, (await self._replies.readline()).split())
            if not (100 <= status <= 599 and 0 <= length <= LONGEST_REPLY):
                raise WorkerGoneError
            return Reply(status, await self._replies.readexactly(length))
        except (OSError, ValueError, EOFError):  # an IncompleteReadError is an EOFError
            raise WorkerGoneError from None

    async def end(self) -> None:
        import asyncio

        with contextlib.suppress(ProcessLookupError):
            self._process.kill()
        self._requests.close()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(5.0):
                await self._process.wait()
