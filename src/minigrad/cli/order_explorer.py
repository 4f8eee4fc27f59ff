"""The order explorer on a terminal: keys move between frames; without a terminal, all frames are printed."""

from __future__ import annotations

import sys
from contextlib import suppress
from shutil import get_terminal_size

from ..faults.break_lab import Lab
from ..faults.order_explorer import frame, frames
from ..learn.lesson_screens import tall
from ..text.page import Page
from ..text.translation import say
from .output import fitting

__all__ = ["next_frame", "scrub"]

FORTH = {"n", "l", " ", "\x1b[C", "\x1bOC"}
BACK = {"p", "h", "\x1b[D", "\x1bOD"}
LEAVE = {"q", "Q", "\x1b", "\x03", "\x04", ""}


def next_frame(index: int, key: str, count: int) -> int | None:
    """The frame that a key leads to; None to leave.  The first follows the last."""
    if key in LEAVE:
        return None
    if key in FORTH:
        return (index + 1) % count
    if key in BACK:
        return (index - 1) % count
    return index


def scrub(lab: Lab, page: Page) -> None:
    count = frames(lab)
    if count and sys.stdin is not None and sys.stdin.isatty() and sys.stdout.isatty():
        with suppress(ImportError):  # a system without termios
            _interactive(lab, page, count)
            return
    shown = ["\n".join(frame(lab, index, page)) for index in range(max(1, count))]
    print(fitting("\n\n".join(shown)))


def _interactive(lab: Lab, page: Page, count: int) -> None:
    import termios
    import tty

    old = termios.tcgetattr(sys.stdin)
    index: int | None = 0
    height = 0
    try:
        tty.setcbreak(sys.stdin)
        while index is not None:
            lines = [*frame(lab, index, page), "", page.ink("faint", "  " + say("lab.scrub.keys"))]
            up = f"\x1b[{height}A\r" if height else ""
            sys.stdout.write(up + "\x1b[J" + fitting("\n".join(lines)) + "\n")
            sys.stdout.flush()
            height = tall(lines, get_terminal_size().columns)
            index = next_frame(index, _key(), count)
    except KeyboardInterrupt:
        pass  # as good as q
    finally:
        termios.tcsetattr(sys.stdin, termios.TCSADRAIN, old)


def _key() -> str:
    """One key; an arrow is three characters."""
    import os
    from select import select

    descriptor = sys.stdin.fileno()
    key = os.read(descriptor, 1).decode("latin-1")
    while key.startswith("\x1b") and len(key) < 3 and select([descriptor], [], [], 0.05)[0]:
        key += os.read(descriptor, 1).decode("latin-1")
    return key
