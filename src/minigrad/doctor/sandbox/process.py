"""Runs a program that may do anything in a child process, and says how it ended.

The program gets its request as JSON on its standard input, and writes its results as JSON objects,
one to a line, to the file descriptor whose number is in the environment as MINIGRAD_RESULTS.  It has
a folder of its own that is removed, a clean environment, limits on time, memory, processes and all
that it writes, and whatever it started is ended with it.  Calls may run side by side in threads.

This is a fence against accidents, not a wall against an enemy: a program can still read the user's
files and use the network.  Linux has all of it.  macOS knows no address space limit and counts no
processes, and what leaves the process group lives on.  Windows has the time limit, the limits on
output and results and the clean environment, nothing else, and MINIGRAD_RESULTS is the path of a file
to append to.
"""

from __future__ import annotations

import contextlib
import json
import os
import selectors
import signal
import subprocess
import tempfile
import threading
import time
import uuid
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from .limits import MARK, RESULTS, Limits, clean_environment, held
from .pipes import OutputStream, ResultStream
from .process_tree import Census, Descendants
from .processor import a_processor
from .working_folder import occupied, remove

__all__ = ["Ending", "Kind", "Limits", "confined"]

FENCES = os.name == "posix"
TICK = 0.02  # seconds between two looks at the processes
FOLDER_TICK = 0.25  # and at the folder
CHUNK = 1 << 16

Kind = Literal[
    "finished", "exit", "signal", "timeout", "cpu", "memory", "output", "processes", "stopped"
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Ending:
    """How a program ended, and what it said until then.

    finished: with exit code 0; that says nothing about the results, which may be none.
    exit, signal: with another code, or by a signal that is not the work of a limit.
    timeout, cpu, memory, processes: it used too much, or failed for want of more.
    output: it printed too much, or too many results, or filled its folder.
    stopped: the caller asked for it.
    """

    kind: Kind
    code: int | None  # if it ended by itself, and not by a signal
    signal: int | None
    results: tuple[dict[str, Any], ...]
    undecoded: int  # lines among the results that are no JSON objects
    output: str
    seconds: float


def confined(
    argv: Sequence[str],
    request: object,
    limits: Limits | None = None,
    *,
    hash_seed: int,
    path: Sequence[str] = (),
    on_result: Callable[[dict[str, Any]], object] | None = None,
    stop: threading.Event | None = None,
) -> Ending:
    """Run `argv` to its end, or end it.

    `path` is where its Python looks for modules first.  `on_result` gets each result as it comes; what
    it raises comes out here, after all has been ended and removed, and so does KeyboardInterrupt.
    `stop` is for callers with several threads: Ctrl-C reaches only the main one, which then sets it.
    """
    limits = limits or Limits()
    folder = tempfile.mkdtemp(prefix="minigrad-")
    try:
        mark = uuid.uuid4().hex
        environment = clean_environment(folder, mark, hash_seed, path)
        run = (_Fenced if FENCES else _Timed)(limits, folder, f"{MARK}={mark}", on_result, stop)
        return run.ending(argv, json.dumps(request).encode(), environment)
    finally:
        remove(folder)


class _ProcessRun:
    """One run of a program: what it has said so far, and why it is being ended, if it is."""

    def __init__(
        self,
        limits: Limits,
        folder: str,
        mark: str,
        on_result: Callable[[dict[str, Any]], object] | None,
        stop: threading.Event | None,
    ) -> None:
        self.limits = limits
        self.folder = folder
        self.mark = mark
        self.stop = stop
        self.output = OutputStream(limits.output_kept, limits.output)
        self.results = ResultStream(limits.results, limits.result_line, limits.results_size, on_result)
        self.census = Census()
        self.begun = time.monotonic()
        self._next_folder = self.begun + FOLDER_TICK

    def ending(self, argv: Sequence[str], request: bytes, environment: dict[str, str]) -> Ending:
        raise NotImplementedError

    def excess(self) -> Kind | None:
        """The first limit that is exceeded now."""
        now, limits, census = time.monotonic(), self.limits, self.census
        if self.stop is not None and self.stop.is_set():
            return "stopped"
        if self.output.full or self.results.full:
            return "output"
        if census.processes > limits.processes or census.threads > limits.threads:
            return "processes"
        if census.resident > limits.resident:
            return "memory"
        if census.cpu > limits.cpu:
            return "cpu"
        if now - self.begun > limits.wall:
            return "timeout"
        if now >= self._next_folder:
            self._next_folder = now + FOLDER_TICK
            if occupied(self.folder, limits.folder) > limits.folder:
                return "output"
        return None

    def close(self, returned: int | None, kind: Kind | None) -> Ending:
        self.results.close()
        output = self.output.text()
        return Ending(
            kind=kind or self._own_end(returned, output),
            code=returned if kind is None and returned is not None and returned >= 0 else None,
            signal=-returned if returned is not None and returned < 0 else None,
            results=tuple(self.results.found),
            undecoded=self.results.undecoded,
            output=output,
            seconds=time.monotonic() - self.begun,
        )

    def _own_end(self, returned: int | None, output: str) -> Kind:
        """Why a program ended that nobody ended: a limit that the system holds shows in how it fails."""
        if self.output.full or self.results.full:  # seen only when the rest was read
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


class _Fenced(_ProcessRun):
    """A run with limits that the system holds, in a session of its own, over pipes."""

    def ending(self, argv: Sequence[str], request: bytes, environment: dict[str, str]) -> Ending:
        with contextlib.ExitStack() as opened:
            processor = opened.enter_context(a_processor())
            descendants = Descendants(self.mark, self.folder, processor)
            reading, writing = os.pipe()
            results = opened.enter_context(open(reading, "rb", buffering=0))
            try:
                process = subprocess.Popen(
                    held(argv, self.limits, processor.number),
                    bufsize=0,
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.STDOUT,
                    cwd=self.folder,
                    env=environment | {RESULTS: str(writing)},
                    pass_fds=(writing,),
                    start_new_session=True,
                )
            finally:
                os.close(writing)
            descendants.pid = process.pid
            assert process.stdin is not None
            assert process.stdout is not None
            opened.enter_context(process.stdout)
            opened.enter_context(process.stdin)
            try:
                for pipe in (process.stdin, process.stdout, results):
                    os.set_blocking(pipe.fileno(), False)
                kind = self._watch(process, descendants, results.fileno(), request)
            finally:
                descendants.kill()
                process.wait(timeout=10.0)
            for pipe, take in ((process.stdout, self.output.take), (results, self.results.take)):
                while _pour(pipe.fileno(), take):
                    pass
            return self.close(process.returncode, kind)

    def _watch(
        self, process: subprocess.Popen[bytes], descendants: Descendants, results: int, request: bytes
    ) -> Kind | None:
        """Read what it says until it has ended or is to be ended."""
        assert process.stdin is not None
        assert process.stdout is not None
        stdin, rest, next_look = process.stdin, memoryview(request), self.begun + TICK
        with contextlib.ExitStack() as opened:
            selector = opened.enter_context(selectors.DefaultSelector())
            selector.register(stdin, selectors.EVENT_WRITE)
            selector.register(process.stdout, selectors.EVENT_READ, self.output.take)
            selector.register(results, selectors.EVENT_READ, self.results.take)
            with contextlib.suppress(AttributeError, OSError):  # Linux: wakes us when the program ends
                watched = os.pidfd_open(process.pid)
                opened.callback(os.close, watched)
                selector.register(watched, selectors.EVENT_READ)
            while True:
                for key, _ in selector.select(TICK):
                    if key.fileobj is stdin:
                        rest = _push(key.fd, rest)
                        if not rest:
                            selector.unregister(stdin)
                            stdin.close()
                    elif key.data is not None and not _pour(key.fd, key.data):
                        selector.unregister(key.fileobj)
                if time.monotonic() >= next_look:
                    self.census = descendants.census()
                    next_look = time.monotonic() + TICK
                if (kind := self.excess()) is not None:
                    return kind
                if _has_ended(process):
                    return None


class _Timed(_ProcessRun):
    """A run with a time limit and no fences, over files in the folder: all that is left on Windows."""

    def ending(self, argv: Sequence[str], request: bytes, environment: dict[str, str]) -> Ending:
        names = [os.path.join(self.folder, name) for name in ("request", "output", "results")]
        for name in names:
            with open(name, "wb") as file:
                file.write(request if name is names[0] else b"")
        with contextlib.ExitStack() as opened:
            given = opened.enter_context(open(names[0], "rb"))
            printed = opened.enter_context(open(names[1], "ab"))
            output = opened.enter_context(open(names[1], "rb", buffering=0))
            results = opened.enter_context(open(names[2], "rb", buffering=0))
            pairs = ((output.fileno(), self.output.take), (results.fileno(), self.results.take))
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
                        while not (self.output.full or self.results.full) and _pour(number, take):
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


def _push(number: int, rest: memoryview) -> memoryview:
    """What is left of a request after the pipe took some; nothing if nobody reads it any more."""
    try:
        return rest[os.write(number, rest[:CHUNK]) :]
    except BlockingIOError:
        return rest
    except OSError:
        return rest[:0]


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
