"""`minigrad studio [EXPR name=value ...]`: a local page where one types statements and sees them live.

`--learn` opens its second page, the course.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path
from threading import Thread

from ...text.translation import language, say
from .. import argument_values
from ..arguments import Arguments, UsageError, take_apart
from . import EVERYWHERE, RIGHT

__all__ = ["run"]

OPTIONS = {
    "port": "N",
    "host": "ADDRESS",
    "no-browser": "",
    "learn": "[UNIT]",
    "progress": "FILE",
    **EVERYWHERE,
}


def run(words: Sequence[str]) -> int:
    arguments = take_apart(words, OPTIONS)
    unit, progress = _course(arguments)
    words = arguments.words if unit is None else []
    text = argument_values.expression(words, "") if words else ""
    inputs = argument_values.inputs(words[1:])
    port, host = argument_values.whole(arguments, "port", 0, 65535, None), arguments.options.get("host", "")
    try:
        from ...studio.server import ServerOptions, serve
    except ImportError as error:
        raise UsageError(say("server.missing", library=error.name)) from None
    if host and not _this_machine(host):
        print(say("server.open", host=argument_values.quoted(host)[1:-1]), file=sys.stderr, flush=True)

    def ready(link: str, ticket: str) -> None:
        print(say("server.ready", link=link), flush=True)
        if not arguments.flag("no-browser") and _has_browser():
            Thread(target=_open, args=(ticket,), daemon=True).start()

    try:
        serve(ServerOptions(text, inputs, host, port, language(), unit, progress), ready)
    except ImportError as error:
        raise UsageError(say("server.missing", library=error.name)) from None
    except KeyboardInterrupt:
        print("\n" + say("server.stopped"))
    return RIGHT


def _course(arguments: Arguments) -> tuple[str | None, Path | None]:
    """The unit to begin with, None without --learn; and the learner's file.  Both are looked at now."""
    from ...learn import course
    from ...learn.progress import Progress

    file = arguments.options.get("progress")
    progress = None if file is None else Path(file).absolute()
    try:
        if progress is None and not arguments.flag("learn"):
            return None, None
        for notice in Progress.open(progress).notices:
            print(notice, file=sys.stderr, flush=True)
        if not arguments.flag("learn"):
            return None, progress
        named = [word for word in (arguments.options["learn"], *arguments.words) if word]
        if len(named) > 1:
            raise UsageError(say("server.learn.one", given=argument_values.quoted(" ".join(named))))
        return course.SLUGS[course.number_of(named[0]) - 1] if named else "", progress
    except ValueError as error:
        raise UsageError(str(error)) from None


def _this_machine(host: str) -> bool:
    from ipaddress import ip_address

    try:
        return host.lower() == "localhost" or ip_address(host).is_loopback
    except ValueError:
        return False


def _has_browser() -> bool:
    """Is there a screen to show one on?  A browser of the terminal would take the terminal over."""
    if os.name != "posix" or sys.platform == "darwin":
        return True
    return any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER"))


def _open(link: str) -> None:
    import webbrowser

    webbrowser.open(link)
