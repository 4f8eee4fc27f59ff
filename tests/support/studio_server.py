"""A real studio for tests: the command in a process of its own, and ways to ask it, polite or not."""

from __future__ import annotations

import asyncio
import http.client
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

TOKEN = "a-token-that-only-the-tests-know"


@dataclass
class Studio:
    process: subprocess.Popen[str]
    host: str
    port: int
    said: str  # the line with the link

    @property
    def address(self) -> str:
        return f"{self.host}:{self.port}"

    @property
    def link(self) -> str:
        found = re.search(r"http://\S+", self.said)
        assert found
        return found[0]

    def get(self, path: str, **headers: str) -> tuple[int, dict[str, str], bytes]:
        return self.ask("GET", path, **headers)

    def ask(
        self, method: str, path: str, body: bytes | None = None, **headers: str
    ) -> tuple[int, dict[str, str], bytes]:
        connection = http.client.HTTPConnection(self.host, self.port, timeout=60)
        given = {"Authorization": f"token {TOKEN}"} | {
            name.replace("_", "-"): each for name, each in headers.items()
        }
        try:
            connection.request(method, path, body, {name: each for name, each in given.items() if each})
            answer = connection.getresponse()
            return answer.status, {name.lower(): value for name, value in answer.getheaders()}, answer.read()
        finally:
            connection.close()

    def question(self, api: str, **fields: Any) -> dict[str, Any]:
        """The answer to a question of somebody who may ask."""
        status, _, body = self.ask(
            "POST", f"/api/{api}", json.dumps(fields).encode(), Content_Type="application/json"
        )
        assert status == 200, body
        found: dict[str, Any] = json.loads(body)
        return found

    async def say(self, octets: bytes, seconds: float = 30.0, hold: float = 30.0) -> bytes | None:
        """Whatever comes back for these bytes until the connection is closed; None if it is not.

        After `hold` seconds we say that nothing more will come from us.
        """
        try:
            async with asyncio.timeout(seconds):
                reader, writer = await asyncio.open_connection(self.host, self.port)
                got = b""
                try:
                    writer.write(octets)
                    await writer.drain()
                    ending = asyncio.get_running_loop().call_later(hold, _ended, writer)
                    while piece := await reader.read(1 << 16):
                        got += piece
                    ending.cancel()
                except OSError:  # it hung up on us, which is its right
                    pass
                finally:
                    writer.transport.abort()
                return got
        except TimeoutError:
            return None


def _ended(writer: asyncio.StreamWriter) -> None:
    if not writer.is_closing():
        writer.write_eof()


@contextmanager
def studio(*words: str, token: str | None = TOKEN, before: str = "", **environment: str) -> Iterator[Studio]:
    """`minigrad studio` on a free port, until the block ends; `before` are statements that it runs first."""
    program = f"{before}\nimport sys\nfrom minigrad.cli import main\nraise SystemExit(main(sys.argv[1:]))"
    command = [sys.executable, "-c", program, "studio", "--no-browser", *words]
    if not any(word.startswith("--port") for word in words):
        command += ["--port", "0"]
    kept = os.environ | {"MINIGRAD_LANG": "en"} | environment
    if token is not None:
        kept["MINIGRAD_STUDIO_TOKEN"] = token
    with tempfile.TemporaryFile("w+") as complaints, tempfile.TemporaryDirectory() as folder:
        kept.setdefault("MINIGRAD_PROGRESS", os.path.join(folder, "progress.json"))  # nobody's own file
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=complaints, text=True, env=kept)
        assert process.stdout is not None
        try:
            said = process.stdout.readline()
            found = re.search(r"http://([^:/]+|\[[^\]]+\]):(\d+)/", said)
            if not found:
                complaints.seek(0)
                raise RuntimeError(f"no link: {said!r} {complaints.read()!r}")
            yield Studio(process, found[1].strip("[]"), int(found[2]), said)
        finally:
            if process.poll() is None:
                process.send_signal(signal.SIGINT)
            try:
                process.wait(timeout=20)
            finally:
                process.kill()
                process.stdout.close()
            complaints.seek(0)
            assert "Traceback" not in complaints.read()
