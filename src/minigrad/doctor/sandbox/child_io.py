"""Pipes of a child process on the inside, and the `main` of one of our programs that uses them.

The text of this file is what `python -c` runs in the child, followed by a call of `run` or `serve`.  It
imports nothing of minigrad, and binds `main` and its pipes before anything of a user's is imported.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterator

__all__ = ["run", "serve"]


def run(module: str, home: str) -> None:
    """Call main(request, send): one request from standard input, messages as lines of JSON.

    MINIGRAD_RESULTS is the number of a pipe to write them to, or the path of a file to append to.
    """
    main = _main(module, home)
    request, results = json.loads(sys.stdin.buffer.read()), os.environ.pop("MINIGRAD_RESULTS")
    sys.stdin = open(os.devnull, encoding="utf-8")  # noqa: SIM115 it stays open until the process ends
    main(request, _sender(results))


def serve(module: str, home: str) -> None:
    """Call main(requests, reply): a request per line of standard input, replies to standard output.

    A reply is a line with its status and the length of its body, and then the body.  When standard input
    ends, whoever asks is gone, and this process ends at once, also in the middle of a reply.
    """
    replies = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # whatever a library prints is no reply

    def reply(status: int, body: bytes) -> None:
        replies.write(b"%d %d\n" % (status, len(body)))
        replies.write(body)
        replies.flush()

    _main(module, home)(_requests(), reply)


def _requests() -> Iterator[object]:
    from queue import SimpleQueue  # only whoever stays needs these
    from threading import Thread

    lines: SimpleQueue[bytes] = SimpleQueue()

    def read() -> None:
        with open(os.dup(0), "rb") as given:
            for line in given:
                lines.put(line)
        os._exit(0)

    Thread(target=read, daemon=True).start()
    while True:
        yield json.loads(lines.get())


def _main(module: str, home: str) -> Callable[[object, object], None]:
    sys.path.insert(0, home)
    __import__(module.partition(".")[0])
    if home in sys.path:  # its own modules are found from now on, in the folder of the package
        sys.path.remove(home)
    main: Callable[[object, object], None] = __import__(module, fromlist=("main",)).main
    return main


def _sender(results: str) -> Callable[[object], None]:
    """Everything that user code could replace later is bound now."""
    encode, write = json.JSONEncoder().encode, os.write
    appending = os.O_WRONLY | os.O_APPEND | getattr(os, "O_BINARY", 0)
    descriptor = int(results) if results.isdigit() else os.open(results, appending)

    def send(message: object) -> None:
        line = (encode(message) + "\n").encode()
        while line:
            line = line[write(descriptor, line) :]

    return send
