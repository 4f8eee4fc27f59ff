"""`kill -9` at random moments: the progress file is always whole, and has every answer that was acknowledged.

pytest tests/minigrad/learn/test_progress_file_kill.py --kills=500
"""

from __future__ import annotations

import json
import os
import select
import signal
import subprocess
import sys
import time
from pathlib import Path
from random import Random

from learn_sessions import MINIGRAD, environment, typed
from minigrad.learn.progress import Progress
from minigrad.learn.questions import generate

# One session that answers as fast as it can, and says so when an answer is kept.
ANSWERING = """
import sys
from types import SimpleNamespace
from minigrad.learn.progress import Progress
from minigrad.learn.questions.question import Judgement
progress = Progress.open(sys.argv[1])
first = int(sys.argv[2])
print("ready", flush=True)
for number in range(first, first + 100_000):
    question = SimpleNamespace(key=f"order/{number}", kind="gradient", unit="order")
    progress.record(question, {"a": str(number)}, Judgement(number % 3 != 0, ()))
    print(number, flush=True)
"""


def killed_after(path: Path, first: int, lines: int, seconds: float) -> list[int]:
    """Kill a session so long after it has said so many lines; the answers that it acknowledged."""
    said = path.parent.parent / "said"
    with said.open("wb") as file:
        process = subprocess.Popen([sys.executable, "-c", ANSWERING, str(path), str(first)], stdout=file)
    end = time.monotonic() + 60
    while said.read_bytes().count(b"\n") < lines and time.monotonic() < end:
        time.sleep(0.002)
    time.sleep(seconds)
    os.kill(process.pid, signal.SIGKILL)
    process.wait(timeout=30)
    whole = [line for line in said.read_text().splitlines(keepends=True) if line.endswith("\n")]
    return [int(line) for line in whole[1:]]


def lost(path: Path, acknowledged: list[int]) -> list[int]:
    """The acknowledged answers that are not in the file, which must be JSON."""
    rows = json.loads(path.read_text(encoding="utf-8"))["answers"] if path.exists() else []
    kept = {row["question"] for row in rows}
    return [number for number in acknowledged if f"order/{number}" not in kept]


def test_every_answer_that_was_acknowledged_survives_every_kill(tmp_path, request):
    path = tmp_path / "mine" / "progress.json"
    random = Random("kills of a session")
    acknowledged: list[int] = []
    for kill in range(request.config.getoption("kills")):
        lines = random.choice((1, 2, 2, 3))  # when it is ready, or after an answer or two
        acknowledged += killed_after(path, kill * 100_000, lines, random.uniform(0.0, 0.02))
        assert lost(path, acknowledged) == []
        progress = Progress.open(path)
        assert progress.notices == []
        progress.arrive("order", kill)  # whoever writes next clears away what the killed one left
        assert [entry.name for entry in path.parent.iterdir()] == [path.name]
    assert len(acknowledged) >= request.config.getoption("kills") // 2


def test_a_lost_answer_would_be_seen(tmp_path):
    """The comparison above has teeth."""
    path = tmp_path / "mine" / "progress.json"
    acknowledged = killed_after(path, 0, 4, 0.0)
    document = json.loads(path.read_text(encoding="utf-8"))
    document["answers"] = [row for row in document["answers"] if row["question"] != "order/1"]
    path.write_text(json.dumps(document), encoding="utf-8")
    assert lost(path, acknowledged) == [1]


def test_a_session_of_minigrad_learn_that_is_killed_keeps_what_it_said_was_right(tmp_path):
    path = tmp_path / "progress.json"
    questions = [generate("data", 1, 5 + number) for number in range(3)]
    words = ["learn", "--practice", "data", "--seed", "5", "--questions", "3", "--lang", "en"]
    process = subprocess.Popen(
        [*MINIGRAD, *words],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment(path, PYTHONUNBUFFERED="1"),
    )  # fmt: skip
    assert process.stdin is not None
    assert process.stdout is not None
    for question in questions[:2]:
        process.stdin.write((typed(dict(question.solution)) + "\n").encode())
    process.stdin.flush()
    shown, end = b"", time.monotonic() + 30
    while b"Question 3" not in shown and time.monotonic() < end:
        if select.select([process.stdout], [], [], 0.1)[0]:
            shown += os.read(process.stdout.fileno(), 65536)
    os.kill(process.pid, signal.SIGKILL)
    process.communicate(timeout=30)
    assert [(row.question, row.right) for row in Progress.open(path).answers] == [
        (question.key, True) for question in questions[:2]
    ]
