"""Any server of static files: Python's own, in a thread; it notes what it was asked for."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

__all__ = ["StaticServer", "static_server"]


class StaticServer:
    """A folder at an address; `asked` are the paths of all requests, whatever became of them."""

    def __init__(self, folder: Path, port: int = 0) -> None:
        self.asked: list[str] = []
        asked = self.asked

        class Noting(SimpleHTTPRequestHandler):
            def parse_request(self) -> bool:
                understood = super().parse_request()
                asked.append(getattr(self, "path", "?"))
                return understood

            def log_message(self, *words: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", port), partial(Noting, directory=str(folder)))
        self.port = self._server.server_port
        self.address = f"http://127.0.0.1:{self.port}/"
        self._thread = Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.05})
        self._thread.start()

    def end(self) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


@contextmanager
def static_server(folder: Path) -> Iterator[StaticServer]:
    server = StaticServer(folder)
    try:
        yield server
    finally:
        server.end()
