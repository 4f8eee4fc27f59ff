"""What tests of `minigrad learn` do: answers for a file, sessions in a process, a person at a terminal."""

from __future__ import annotations

import fcntl
import json
import os
import pty
import re
import select
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from minigrad.learn import course
from minigrad.learn.lesson import LabWork, LessonCheckpoint

UNIT = "data-and-grad"
MINIGRAD = [sys.executable, "-m", "minigrad"]
PROMPTS = re.compile(r"(?:\?|:|=)\s$")  # how every prompt ends, with nothing behind it


def begun(path: Path, seed: int = 7, **parts: object) -> None:
    """A progress file with this seed."""
    empty = {"schema": "minigrad.progress/1", "seed": seed, "units": {}, "answers": []}
    path.write_text(json.dumps({**empty, **parts}))


def typed(answer: dict[str, str]) -> str:
    """An answer on one line."""
    if set(answer) in ({"choice"}, {"expression"}):
        return next(iter(answer.values()))
    return " ".join(f"{name}={value}" for name, value in answer.items())


def answers(slug: str, seed: int, lang: str = "en") -> list[str]:
    """The lines that take a unit to its end: nothing for each input of a lab, and the right answers."""
    lines = []
    for block in course.unit(slug, lang, seed=seed).blocks:
        if isinstance(block, LabWork):
            lines += [""] * len(block.lab.graph.inputs)
        elif isinstance(block, LessonCheckpoint):
            lines += [typed(dict(question.solution)) for question in block.questions]
    return lines


def environment(progress: Path, **more: str) -> dict[str, str]:
    kept = {
        name: value for name, value in os.environ.items() if not name.startswith(("MINIGRAD", "LANG", "LC_"))
    }
    return kept | {"MINIGRAD_PROGRESS": str(progress), "TERM": "xterm", "PYTHONIOENCODING": "utf-8", **more}


def piped(words: Sequence[str], lines: Sequence[str], progress: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*MINIGRAD, "learn", *words],
        input="".join(f"{line}\n" for line in lines),
        env=environment(progress),
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=60,
    )


class Person:
    """Somebody at a terminal of so many lines and columns."""

    def __init__(self, words: Sequence[str], progress: Path, rows: int = 24, columns: int = 80) -> None:
        master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        surroundings = environment(progress, NO_COLOR="1")
        for name in ("COLUMNS", "LINES"):
            surroundings.pop(name, None)

        def own_terminal() -> None:  # so that it is told when the terminal closes
            os.setsid()
            fcntl.ioctl(0, termios.TIOCSCTTY, 0)

        self.process = subprocess.Popen(
            [*MINIGRAD, "learn", *words],
            stdin=slave, stdout=slave, stderr=slave, env=surroundings, preexec_fn=own_terminal,
        )  # fmt: skip
        os.close(slave)
        self.master = master
        self.screens: list[str] = []  # what came between two keys

    def reads(self) -> str:
        """What is shown until something is asked, or all of it at the end."""
        shown, end = b"", time.monotonic() + 30
        while time.monotonic() < end:
            if not select.select([self.master], [], [], 0.05)[0]:
                text = shown.decode("utf-8", "ignore")
                if PROMPTS.search(text):
                    break
                continue
            try:
                chunk = os.read(self.master, 65536)
            except OSError:  # the other end is closed
                break
            if not chunk:
                break
            shown += chunk
        self.screens.append(shown.decode("utf-8").replace("\r\n", "\n"))
        return self.screens[-1]

    def types(self, line: str) -> str:
        os.write(self.master, (line + "\n").encode())
        return self.reads()

    def presses(self, key: bytes) -> str:
        os.write(self.master, key)
        return self.reads()

    def leaves(self) -> int:
        """The exit code, when it has come to an end by itself."""
        code = self.process.wait(timeout=30)
        os.close(self.master)
        return code

    def closes_the_terminal(self) -> int:
        os.close(self.master)
        return self.process.wait(timeout=30)


def through(person: Person, lines: Sequence[str], asked: Callable[[str], bool]) -> str:
    """Enter at every pause, the next of these lines at everything that is asked, until the unit is done."""
    rest, shown = list(lines), person.reads()
    while person.process.poll() is None and rest:
        shown = person.types(rest.pop(0) if asked(shown) else "")
    return shown
