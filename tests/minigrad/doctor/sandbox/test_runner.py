"""The runner interface: whoever needs code to run apart depends on nothing else, and processes keep it."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace

import pytest

from doctor_reports import CLOSURES
from memory_runner import MemoryRunner
from minigrad.doctor import examine
from minigrad.doctor.engine.child_protocol import CHILD as ENGINE_CHILD
from minigrad.doctor.engine.expected import expected
from minigrad.doctor.engine.probe_outcomes import change_detector
from minigrad.doctor.engine.probes import probes
from minigrad.doctor.rules.by_name import CHILD as RULE_CHILD
from minigrad.doctor.rules.by_name import examine_named
from minigrad.doctor.rules.report import RuleReport, Unseen
from minigrad.doctor.sandbox.process import PROCESSES
from minigrad.doctor.sandbox.runner import ChildProgram, Command, Job, Limits, Runner, WorkerGoneError
from minigrad.doctor.suites import mutation
from minigrad.studio.worker_pool import PROGRAM, Pool

PROBES = {probe.id: probe for probe in probes()}
PLAN = {
    "class": "Value",
    "leaf": {"how": "class", "keywords": {}, "wrap": ""},
    "tape": None,
    "data": ["attribute", "data"],
    "grad": ["attribute", "grad"],
    "blank": 0.0,
    "backward": {"on": "value", "name": "backward", "given": [], "seed": False},
    "ops": {op: {pattern: ["operator", op] for pattern in ("vv", "vk", "kv")} for op in ("add", "sub", "mul")}
    | {"neg": {"v": ["operator", "neg"]}, "tanh": {"v": ["method", "tanh"]}},
    "broken": {},
    "unknown": [],
    "untried": [],
}


@pytest.fixture(autouse=True)
def no_process(monkeypatch, request):
    """Nobody starts a process behind the back of the runner in memory."""
    if "memory" in request.node.name:
        monkeypatch.setattr("subprocess.Popen", None)
        monkeypatch.setattr("asyncio.create_subprocess_exec", None)


# ---- the four who use it --------------------------------------------------------------------------


def engine(*, tanh: float = 1.0):
    """The answers of a child that uses an engine in which the rule of tanh is scaled."""
    for probe in PROBES.values():
        expected(probe)  # here, where the doctor asks for it too; it is kept

    def answer(job: Job):
        assert job.what == ENGINE_CHILD
        if "candidates" in job.request:
            return [{"green": 0}]
        found = [] if job.request["plan"] else [{"plan": PLAN, "expansions": {}, "files": []}]
        wrong = tanh if "grad += (1 - t ** 2) * out.grad" in job.request["subject"]["source"] else 1.0
        answers = [
            message
            for row in job.request["probes"]
            for message in ({"begin": "probe", "probe": row["id"]}, numbers(PROBES[row["id"]], wrong))
        ]
        return [*found, *answers, {"end": True}]

    return answer


def numbers(probe, tanh: float):
    """What our own pass gives; a gradient through a single tanh is scaled."""
    right = expected(probe)
    if right is None:  # the witnesses do not agree: nobody looks at it
        return {"probe": probe.id, "failed": "missing"}
    alone = probe.op == "tanh" and len(probe.graph.inputs) == 1 and len(probe.graph) == 2
    grads = {leaf: right.grads.get(leaf, 0.0) * (tanh if alone else 1.0) for leaf in probe.leaves}
    once = {"once": {"a": 3.0, "b": 3.0}} if probe.kind == "twice" else {}
    return {"probe": probe.id, "value": right.value, "grads": grads, **once}


def test_an_engine_is_examined_by_a_runner_in_memory():
    runner = MemoryRunner(engine())
    report = examine(CLOSURES, runner=runner)
    assert (report.verdict, report.findings) == ("correct", ())
    assert report.exam.unreached == 0
    assert len(runner.jobs) >= 5  # in a row, alone, shuffled, deep
    assert {job.hash_seed for job in runner.jobs} == {0, 1, 2, 3}


def test_a_wrong_engine_is_found_and_mended_by_a_runner_in_memory():
    runner = MemoryRunner(engine(tanh=2.0))
    report = examine(CLOSURES, runner=runner)
    assert report.verdict == "wrong"
    (finding,) = report.findings
    assert finding.ops == ("tanh",)
    assert finding.fix.confirmed  # as the runner said
    assert any("candidates" in job.request for job in runner.jobs)
    assert report.html()
    detects = change_detector(str(CLOSURES), runner=MemoryRunner(engine()))
    assert not detects(CLOSURES.read_text())


def test_an_engine_whose_child_ends_is_not_examined_by_a_runner_in_memory():
    report = examine(CLOSURES, runner=MemoryRunner(lambda job: "memory"))
    assert (report.verdict, report.trouble.code) == ("not examined", "ended.memory")


def test_a_rule_is_examined_by_a_runner_in_memory():
    sent = RuleReport("torch", "Scale", "correct", comparisons=12).to_json()
    runner = MemoryRunner(lambda job: [{"schema": "forged"}, sent])
    assert examine_named("rules.py:Scale", runner=runner).to_json() == sent
    (job,) = runner.jobs
    assert (job.what, job.request["name"]) == (RULE_CHILD, "rules.py:Scale")
    silent = examine_named("rules.py:Scale", runner=MemoryRunner(lambda job: "exit"))
    assert (silent.verdict, silent.not_examined) == ("not examined", (Unseen("ended", "exit; last words"),))


def test_a_suite_is_mutated_by_a_runner_in_memory(tmp_path):
    source = CLOSURES.read_text()
    (tmp_path / "engine.py").write_text(source)
    (tmp_path / "pyproject.toml").write_text("")

    def answer(job: Job):
        text = Path(job.project, "engine.py").read_text()
        if job.what == mutation.LINE_TRIALS:  # each line passes with the engine and fails with a bug
            letter = "p" if text == source else "f"
            return [{"answers": "z"}, {"answers": letter * len(job.request["lines"])}]
        assert job.what == Command((sys.executable, "check.py"))
        return "timeout" if "+= -" in text else "exit" if text == mutation.CANARY else []

    found = mutation.mutate(
        str(tmp_path / "engine.py"),
        "python check.py",
        only=["tanh-plus", "no-seed"],
        runner=MemoryRunner(answer),
    )
    assert {trial.mutant.kind for trial in found.survived} == {"tanh-plus", "no-seed"}
    assert all(trial.test for trial in found.survived)


def test_questions_are_answered_by_workers_in_memory():
    def worker(question):
        return {"ok": True, "api": question["api"], "text": question["fields"]["text"]}

    async def run():
        async with Pool(runner=MemoryRunner(worker=worker)) as pool:
            return pool.numbers, [await pool.ask("explain", {"text": "a*a"}, seconds=5.0) for _ in range(4)]

    pool_numbers, replies = asyncio.run(run())
    assert pool_numbers == [1, 2]
    assert {(status, json.loads(body)["text"]) for status, body in replies} == {(200, "a*a")}


# ---- processes ------------------------------------------------------------------------------------


def processes() -> Runner:
    return PROCESSES  # mypy would refuse it if it were none


@pytest.fixture
def program(tmp_path):
    """A program of one module in a folder of its own."""

    def written(text: str) -> ChildProgram:
        (tmp_path / "home").mkdir(exist_ok=True)
        (tmp_path / "home" / "own_program.py").write_text(text)
        return ChildProgram("own_program", str(tmp_path / "home"))

    return written


ECHO = """
import os, sys
def main(request, send):
    print("to the output")
    send({"x": request["x"], "stdin": sys.stdin.read(), "path": sys.path[0], "folder": os.getcwd()})
    send({"x": "refused"})
"""


def accept(raw):
    return raw if isinstance(raw.get("x"), int) else None


def test_a_program_gets_its_request_and_what_it_sends_is_accepted_or_counted(program):
    seen = []
    ended = processes().run(Job(program(ECHO), {"x": 3}), accept, on_message=seen.append)
    (message,) = ended.messages
    assert (ended.kind, ended.code, ended.rejected, ended.output) == ("finished", 0, 1, "to the output\n")
    assert (message["x"], message["stdin"]) == (3, "")
    assert message["path"] != program(ECHO).home  # nothing else is imported from there
    assert not os.path.exists(message["folder"])
    assert seen == [message]


def test_a_program_sends_its_messages_also_where_there_are_no_fences(program, monkeypatch):
    """What is left on Windows: they go through a file."""
    monkeypatch.setattr("minigrad.doctor.sandbox.process.FENCES", False)
    ended = processes().run(Job(program(ECHO), {"x": 3}), accept)
    assert (ended.kind, ended.rejected, ended.messages[0]["x"]) == ("finished", 1, 3), ended.output


def test_in_a_project_a_program_runs_there_with_the_environment_of_the_caller(program, tmp_path, monkeypatch):
    monkeypatch.setenv("OF_THE_CALLER", "seen")
    text = "import os, beside\ndef main(request, send):\n    send({'x': 1, 'e': os.environ['OF_THE_CALLER'],"
    text += " 'b': beside.NAME, 'cwd': os.getcwd(), 'seed': os.environ['PYTHONHASHSEED']})\n"
    project = tmp_path / "project"
    (project / "src").mkdir(parents=True)
    (project / "src" / "beside.py").write_text("NAME = 'beside'\n")
    job = Job(program(text), {}, hash_seed=7, path=(str(project / "src"),), project=str(project))
    ended = processes().run(job, accept)
    assert ended.kind == "finished", ended.output
    assert ended.messages == ({"x": 1, "e": "seen", "b": "beside", "cwd": str(project), "seed": "7"},)
    assert sorted(path.name for path in project.iterdir()) == ["src"]


@pytest.mark.parametrize(
    ("text", "kind", "code", "signal"),
    [
        ("print('x' * 10_000); print('end')", "finished", 0, None),
        ("raise SystemExit(5)", "exit", 5, None),
        ("import os; os.kill(os.getpid(), 9)", "signal", None, 9),
        ("import time; time.sleep(100)", "timeout", None, None),
    ],
)
def test_a_command_in_a_project_ends_as_it_does_and_its_end_is_kept(tmp_path, text, kind, code, signal):
    limits = Limits(wall=1.0 if kind == "timeout" else 20.0, output_kept=100)
    job = Job(Command((sys.executable, "-c", text)), limits=limits, project=str(tmp_path))
    ended = processes().run(job, accept)
    assert (ended.kind, ended.code, ended.signal) == (kind, code, signal)
    assert ended.seconds < 15
    if kind == "finished":
        assert len(ended.output) == 100
        assert ended.output.endswith("x\nend\n")


def runs(number: str) -> bool:
    """Does a process live?  One that has ended may wait to be asked about."""
    try:
        return Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except OSError:
        return False


def test_a_command_in_a_project_is_ended_with_all_that_it_started_when_the_caller_wants(tmp_path):
    marker = tmp_path / "pid"
    child = (
        f"import os, time; open('new', 'w').write(str(os.getpid())); os.rename('new', {str(marker)!r})\n"
        "time.sleep(100)"
    )
    text = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {child!r}])"
    job = Job(Command((sys.executable, "-c", text)), project=str(tmp_path), limits=Limits(wall=60.0))
    ended = processes().run(job, accept, stop=SimpleNamespace(is_set=marker.exists))
    assert ended.kind == "stopped"
    number = marker.read_text()
    until = time.monotonic() + 10
    while runs(number) and time.monotonic() < until:
        time.sleep(0.05)
    assert not runs(number)


def test_a_worker_answers_and_is_gone_when_it_ends_or_says_what_is_no_reply(program):
    text = (
        "import sys\ndef main(requests, reply):\n    for request in requests:\n        print('not a reply')\n"
        "        if request['x'] == 3: return\n"
        "        reply(200 if request['x'] < 2 else 7, b'{\"x\": %d}' % request['x'])\n"
    )

    async def run(last):
        worker = await processes().start(program(text))
        try:
            assert worker.alive
            assert await worker.ask({"x": 1}) == (200, b'{"x": 1}')
            with pytest.raises(WorkerGoneError):
                await worker.ask({"x": last})
        finally:
            await worker.end()
        assert not worker.alive

    for last in (2, 3):
        asyncio.run(run(last))


def test_the_program_of_the_studio_is_found_where_this_minigrad_is():
    assert Path(PROGRAM.home, *PROGRAM.module.split(".")).with_suffix(".py").is_file()


def test_a_worker_ends_with_whoever_started_it_also_while_it_is_busy(program, tmp_path):
    asked = tmp_path / "asked"
    what = program(
        "import time\ndef main(requests, reply):\n    next(requests)\n"
        f"    open({str(asked)!r}, 'w').close()\n    time.sleep(1000)\n"
    )
    caller = f"""
import asyncio
from minigrad.doctor.sandbox.process import PROCESSES
from minigrad.doctor.sandbox.runner import ChildProgram
async def run():
    worker = await PROCESSES.start(ChildProgram({what.module!r}, {what.home!r}))
    print(worker.number, flush=True)
    await worker.ask({{"x": 1}})
asyncio.run(run())
"""
    process = subprocess.Popen([sys.executable, "-c", caller], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    with process.stdout:
        number = process.stdout.readline().strip()
    until = time.monotonic() + 30
    while not asked.exists() and time.monotonic() < until:
        time.sleep(0.02)
    assert asked.exists()
    assert runs(number)
    process.kill()
    process.wait()
    until = time.monotonic() + 10
    while runs(number) and time.monotonic() < until:
        time.sleep(0.05)
    assert not runs(number)


def test_of_the_search_path_only_what_was_added_is_removed(program):
    """A package may put a folder of its own in front while it is imported."""
    what = program(
        "import sys\nsys.path.insert(0, 'in front')\n"
        "def main(request, send):\n    send({'x': 1, 'path': [*sys.path]})\n"
    )
    (message,) = processes().run(Job(what, {}), accept).messages
    assert message["path"][0] == "in front"
    assert what.home not in message["path"]
