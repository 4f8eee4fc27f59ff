"""The command `minigrad`, and `python -m minigrad`: Ctrl-C ends it without a traceback, whenever it comes.

Nothing is imported here before `main` has seen to that: what a command needs takes a moment to import.
"""

import sys
from importlib import import_module  # the package has already imported it

TYPE_CHECKING = False  # as in typing, which is not imported
if TYPE_CHECKING:
    from types import FrameType

INTERRUPTED = 130


def main() -> int:
    """Run the command of sys.argv; the exit code is the result.

    While modules are imported, and after the command, Ctrl-C ends the process as the operating system does.
    In between it is a KeyboardInterrupt, so that files and child processes are seen to.
    """
    signals = import_module("_signal")  # `signal` would import enum first
    number, usual = signals.SIGINT, signals.default_int_handler
    if signals.getsignal(number) is not usual:  # ignored, as under nohup: it stays so
        usual = at_once = signals.getsignal(number)
    else:
        at_once = signals.SIG_DFL
        signals.signal(number, at_once)
    from .cli import main as run

    def hold_on_to(unraisable: "sys.UnraisableHookArgs") -> None:
        """Python prints and forgets a KeyboardInterrupt that comes while it frees something."""
        if issubclass(unraisable.exc_type, KeyboardInterrupt):
            sys.setprofile(raise_again)
        else:
            sys.__unraisablehook__(unraisable)

    def raise_again(frame: "FrameType", event: str, what: object) -> None:
        """Called at the next call or return, where the KeyboardInterrupt can go its way."""
        if frame.f_code is not hold_on_to.__code__:
            sys.setprofile(None)
            raise KeyboardInterrupt

    code = INTERRUPTED
    sys.unraisablehook = hold_on_to
    try:
        signals.signal(number, usual)
        code = run()
        signals.signal(number, at_once)
    except BaseException as error:
        signals.signal(number, at_once)
        if not _interrupted(error):
            raise
    return code


def _interrupted(error: BaseException | None) -> bool:
    """Is it a KeyboardInterrupt, or a RuntimeError that Python 3.11 makes of one in the body of a class?"""
    return error is not None and (isinstance(error, KeyboardInterrupt) or _interrupted(error.__cause__))


if __name__ == "__main__":
    sys.exit(main())
