"""Child processes: a fenced program can do what it likes, ends in time, and leaves nothing.

The hostile engines are those of tests/data/hostile, run by a small driver that says which step it is at.
What is left of a program is looked for by the mark in its environment, with code of this file alone.
"""

from __future__ import annotations

import contextlib
import os
import signal
import site
import subprocess
import sys
import threading
import time
import tracemalloc
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from minigrad.doctor.sandbox import cpu_affinity, limits, process
from minigrad.doctor.sandbox.limits import clean_environment
from minigrad.doctor.sandbox.pipes import CUT
from minigrad.doctor.sandbox.process import PROCESSES
from minigrad.doctor.sandbox.runner import Command, Ended, Job, Limits
from source_trees import DATA
from strange_files import strange_files

HOSTILE = DATA / "hostile"
MIB = 1 << 20
LIMITS = Limits(wall=20.0, cpu=2.0, resident=400 * MIB, file=8 * MIB, folder=32 * MIB)

# Everything that the driver needs is bound before the file is loaded; its lines are written by hand.
START = """
import importlib.util, json, os, sys
request = json.load(sys.stdin)
number, write = int(os.environ["MINIGRAD_RESULTS"]), os.write
def send(line, write=write, number=number):
    write(number, line.encode() + b"\\n")
send('{"mark": "%s", "folder": "%s"}' % (os.environ["MINIGRAD_CONFINED"], os.getcwd()))
"""
DRIVER = (
    START
    + """
send('{"begin": "load"}')
spec = importlib.util.spec_from_file_location("engine", request["path"])
module = importlib.util.module_from_spec(spec)
spec.loader.exec_module(module)
send('{"begin": "forward"}')
a, b = module.Value(2.0), module.Value(3.0)
out = a * b + a
send('{"begin": "backward"}')
out.backward()
send('{"begin": "end", "data": %s, "grads": [%s, %s]}' % (out.data, a.grad, b.grad))
"""
)


def python(program: str) -> list[str]:
    return [sys.executable, "-B", "-P", "-c", program]


def confined(argv, request, limits=None, *, hash_seed=0, path=(), **options) -> Ended[dict]:
    """How a command ends behind the fences; every message that is a JSON object is accepted."""
    job = Job(Command(tuple(argv)), request, limits or Limits(), hash_seed, tuple(path))
    return PROCESSES.run(job, lambda raw: raw, **options)


def run(program: str, limits: Limits = LIMITS, **options) -> Ended[dict]:
    """How a program ends that is written after START, with nothing left of it."""
    return without_remains(confined(python(START + program), {"x": 1}, limits, **options))


def examine(path: Path, limits: Limits = LIMITS) -> Ended[dict]:
    ending = without_remains(confined(python(DRIVER), {"path": str(path)}, limits))
    assert ending.seconds < limits.wall + 5
    return ending


def without_remains(ending: Ended[dict]) -> Ended[dict]:
    assert living(ending.messages[0]["mark"]) == []
    assert not Path(ending.messages[0]["folder"]).exists()
    return ending


def living(mark: str) -> list[int]:
    """The processes with this mark in their environment that have not ended."""
    found = []
    for folder in Path("/proc").iterdir():
        try:
            if folder.name.isdigit() and mark.encode() in (folder / "environ").read_bytes():
                found.append(int(folder.name))
        except OSError:
            continue
    return found


def begun(ending: Ended[dict]) -> str:
    """The last step that a program said it was at."""
    return [result["begin"] for result in ending.messages if "begin" in result][-1]


def test_a_process_that_is_left_would_be_seen():
    process = subprocess.Popen(["sleep", "100"], env={"MINIGRAD_CONFINED": "a mark of this test"})
    try:
        deadline = time.monotonic() + 10  # Popen returns a moment before its environment can be read
        while not (found := living("a mark of this test")) and time.monotonic() < deadline:
            time.sleep(0.01)
        assert found == [process.pid]
    finally:
        process.kill()
        process.wait()
    assert living("a mark of this test") == []


# ---- hostile engines ----------------------------------------------------------------------------

# How each ends, and the step that it dies in.
ENDS = {
    "asks_at_import": ("exit", "load"),
    "closes_results": ("exit", "load"),
    "crashes_in_add": ("signal", "forward"),
    "deletes_builtins": ("finished", "end"),
    "equals_everything": ("finished", "end"),
    "exits_at_import": ("exit", "load"),
    "fills_a_file": ("output", "backward"),
    "fills_the_folder": ("output", "backward"),
    "floods_results": ("output", "backward"),
    "forges_results": ("finished", "end"),
    "forges_transcript": ("finished", "end"),
    "forks_at_import": ("processes", "load"),
    "forks_in_add": ("processes", "forward"),
    "garbles_results": ("finished", "end"),
    "grows_in_backward": ("memory", "backward"),
    "ignores_signals": ("cpu", "backward"),
    "interrupts": ("signal", "backward"),
    "keeps_a_thread": ("timeout", "end"),
    "kills_its_group": ("signal", "backward"),
    "leaves_a_daemon": ("finished", "end"),
    "leaves_a_stranger": ("finished", "end"),
    "leaves_an_orphan": ("finished", "end"),
    "leaves_quietly": ("finished", "backward"),
    "leaves_with_seven": ("exit", "load"),
    "loops_at_import": ("cpu", "load"),
    "loops_in_backward": ("cpu", "backward"),
    "nests_folders": ("output", "load"),
    "patches_builtins": ("finished", "end"),
    "patches_math": ("finished", "end"),
    "prints_a_gigabyte": ("output", "load"),
    "prints_its_environment": ("finished", "end"),
    "recurses_in_backward": ("exit", "backward"),
    "recurses_past_the_stack": ("signal", "forward"),
    "replaces_streams": ("exit", "end"),
    "sleeps_in_backward": ("timeout", "backward"),
    "starts_threads": ("processes", "forward"),
    "takes_memory_at_once": ("memory", "load"),
}
WAIT_FOR = {
    "keeps_a_thread": Limits(wall=1.5),  # the clock alone ends this one
    "sleeps_in_backward": Limits(idle=1.0),
}
WAIT_FOR |= dict.fromkeys(("ignores_signals", "loops_at_import", "loops_in_backward"), Limits(cpu=0.5))
WRONG = {  # worked out by hand
    "equals_everything": [1.0, 0.0],
    "forges_results": [5.0, 0.0],
    "forges_transcript": [3.0, 2.0],
}


@pytest.mark.parametrize("namespaces", [True, False], ids=["namespace", "subreaper"])
@pytest.mark.parametrize("name", sorted(path.stem for path in HOSTILE.glob("*.py")))
def test_a_hostile_engine_ends_as_it_must_and_leaves_nothing(monkeypatch, name, namespaces):
    monkeypatch.setattr(limits, "NAMESPACES", namespaces)
    ending = examine(HOSTILE / f"{name}.py", WAIT_FOR.get(name, LIMITS))
    kind, step = ENDS[name]
    assert (ending.kind, begun(ending)) == (kind, step), ending
    if step == "end":
        assert ending.messages[-1]["grads"] == WRONG.get(name, [4.0, 2.0])


@pytest.mark.parametrize("name", ["forks_at_import", "forks_in_add"])
@pytest.mark.parametrize("may", [True, False], ids=["going first", "keeping off its processor"])
@pytest.mark.parametrize("namespaces", [True, False], ids=["namespace", "subreaper"])
def test_a_fork_bomb_is_over_soon(monkeypatch, name, may, namespaces):
    """Not every caller may go before all others."""
    monkeypatch.setattr(limits, "NAMESPACES", namespaces)
    if not may:
        monkeypatch.setattr(cpu_affinity, "_ahead", lambda: contextlib.nullcontext(False))
    ending = examine(HOSTILE / f"{name}.py")
    assert ending.kind == "processes"
    assert ending.seconds < 10


def test_a_program_has_one_processor_and_two_programs_have_two():
    program = "import time; time.sleep(0.5); print(*os.sched_getaffinity(0))"
    with ThreadPoolExecutor(2) as threads:
        used = [ending.output.split() for ending in threads.map(run, [program, program])]
    assert [len(numbers) for numbers in used] == [1, 1]
    assert len({*used[0], *used[1]}) == min(2, len(os.sched_getaffinity(0)))


def test_the_caller_is_scheduled_afterwards_as_before():
    before = os.sched_getscheduler(0), os.sched_getaffinity(0)
    ending = run("print(os.sched_getscheduler(0)); sys.stdout.flush(); os.kill(os.getpid(), 9)")
    assert int(ending.output) == before[0]  # and the program itself never goes first
    assert (os.sched_getscheduler(0), os.sched_getaffinity(0)) == before


def test_who_computes_or_answers_or_has_time_left_is_not_ended_for_sleeping():
    now_and_then = "import time\nfor _ in range(8): time.sleep(0.2); sum(range(2_000_000))"
    assert run(now_and_then, Limits(idle=1.0)).kind == "finished"
    assert run("import time; time.sleep(1.5)", Limits()).kind == "finished"
    assert run("import time; time.sleep(1.5)", Limits(idle=4.0)).kind == "finished"


def test_children_that_compute_keep_their_parent_from_being_ended():
    child = "import sys; sum(range(60_000_000))"
    program = f"import subprocess; subprocess.run([sys.executable, '-c', {child!r}])"
    assert run(program, Limits(idle=0.5)).kind == "finished"
    asleep = "import time; time.sleep(60)"
    program = f"import subprocess; subprocess.run([sys.executable, '-c', {asleep!r}])"
    assert run(program, Limits(idle=1.0)).kind == "timeout"


def test_every_hostile_engine_is_there():
    assert {path.stem for path in HOSTILE.glob("*.py")} == ENDS.keys()


def test_codes_and_signals_are_those_of_the_program():
    codes = {
        name: (ending.code, ending.signal)
        for name in ("crashes_in_add", "exits_at_import", "interrupts", "leaves_quietly", "leaves_with_seven")
        for ending in [examine(HOSTILE / f"{name}.py")]
    }
    assert codes == {
        "crashes_in_add": (None, signal.SIGSEGV),
        "exits_at_import": (1, None),
        "interrupts": (None, signal.SIGINT),
        "leaves_quietly": (0, None),
        "leaves_with_seven": (7, None),
    }


def test_a_crash_says_in_which_line():
    assert "crashes_in_add.py" in examine(HOSTILE / "crashes_in_add.py").output


def test_nonsense_among_the_results_is_counted_and_forged_ones_are_not_our_business():
    assert examine(HOSTILE / "garbles_results.py").rejected == 8
    assert {"verdict": "correct"} in examine(HOSTILE / "forges_results.py").messages


def test_a_secret_of_the_caller_is_not_in_the_environment(monkeypatch):
    monkeypatch.setenv("API_TOKEN", "a secret of this test")
    printed = examine(HOSTILE / "prints_its_environment.py").output
    assert "PYTHONHASHSEED" in printed
    assert "API_TOKEN" not in printed
    assert "a secret of this test" not in printed


def test_a_program_without_an_environment_is_found_by_its_parent():
    """It has no mark, so it is looked for by what it is: a sleep that nobody else would start."""
    examine(HOSTILE / "leaves_a_stranger.py")
    commands = [path.read_bytes() for path in Path("/proc").glob("[0-9]*/cmdline") if path.exists()]
    assert b"sleep\x00100000\x00" not in commands


def test_strange_files_end_like_any_other(tmp_path):
    paths = strange_files(tmp_path)
    ends = {name: examine(path, Limits()) for name, path in paths.items()}
    assert {name: (end.kind, begun(end)) for name, end in ends.items()} == {
        "syntax_error": ("exit", "load"),
        "empty": ("exit", "forward"),
        "binary": ("exit", "load"),
        "large": ("finished", "end"),
    }
    assert "SyntaxError" in ends["syntax_error"].output
    assert paths["large"].stat().st_size > 5_000_000


# ---- ordinary programs --------------------------------------------------------------------------


def test_results_come_through_in_order_and_as_they_come():
    came: list[dict] = []
    program = "for n in range(1000): send('{\"n\": %d}' % n)\nsend('{\"x\": %d}' % request['x'])"
    ending = run(program, on_message=came.append)
    assert (ending.kind, ending.code, ending.signal, ending.rejected) == ("finished", 0, None, 0)
    assert [result["n"] for result in ending.messages[1:-1]] == list(range(1000))
    assert ending.messages[-1] == {"x": 1}
    assert tuple(came) == ending.messages


def test_a_result_comes_while_the_program_runs():
    stop = threading.Event()

    def hear(result: dict) -> None:
        if result == {"begin": "sleep"}:
            stop.set()

    program = 'import time\nsend(\'{"begin": "sleep"}\')\ntime.sleep(1000)'
    ending = run(program, on_message=hear, stop=stop)
    assert ending.kind == "stopped"
    assert ending.seconds < 10


def test_output_is_both_streams_and_the_last_line_needs_no_end():
    ending = run(
        "print('out')\nprint('error', file=sys.stderr)\nwrite(number, b'{\"last\": 1}')\nsys.exit(3)"
    )
    assert (ending.kind, ending.code, ending.output) == ("exit", 3, "out\nerror\n")
    assert ending.messages[-1] == {"last": 1}


def test_a_request_larger_than_a_pipe_arrives_and_one_that_nobody_reads_does_no_harm():
    request = {"numbers": list(range(300_000))}
    program = "import json, os, sys\nprint(sum(json.load(sys.stdin)['numbers']))"
    assert confined(python(program), request, hash_seed=0).output == "44999850000\n"
    assert confined(python("print(1)"), request, hash_seed=0).output == "1\n"


def test_the_hash_seed_the_path_and_the_folder_are_the_programs_own(tmp_path):
    (tmp_path / "neighbour.py").write_text("NAME = 'neighbour'\n")
    program = "import os, neighbour; print(hash('a'), neighbour.NAME, os.getcwd() == os.environ['HOME'])"

    def printed(seed: int) -> str:
        return confined(python(program), None, hash_seed=seed, path=[str(tmp_path)]).output

    assert printed(1) == printed(1) != printed(2)
    assert printed(1).endswith(" neighbour True\n")


@pytest.mark.parametrize("library", ["numpy", "torch"])
def test_large_libraries_work_within_the_limits(library):
    product = "float((lib.ones((50, 50)) @ lib.ones((50, 50))).sum())"
    program = f"import {library} as lib\nsend('{{\"sum\": %s}}' % {product})"
    ending = run(program, Limits(wall=120.0, cpu=60.0))
    assert (ending.kind, ending.messages[-1]) == ("finished", {"sum": 125000.0}), ending.output


@pytest.mark.parametrize("more", [[], ["an argument"]], ids=["in the Python that sets them", "in another"])
def test_the_system_is_told_the_limits(more):
    numbers = "(resource.getrlimit(getattr(resource, 'RLIMIT_' + name))[0] for name in names)"
    program = (
        f"import resource, sys; names = sys.stdin.read()[1:-1].split(); print(*{numbers}, sys.argv, __name__)"
    )
    ending = confined([*python(program), *more], "CPU FSIZE NOFILE CORE AS", LIMITS, hash_seed=0)
    assert ending.output == f"2 {8 * MIB} 256 0 {LIMITS.memory} {['-c', *more]} __main__\n"


def test_a_program_that_cannot_be_started_is_an_exit():
    ending = confined(["/nowhere/python"], None, hash_seed=0)
    assert (ending.kind, ending.code) == ("exit", 1)
    assert "FileNotFoundError" in ending.output


def test_starting_a_child_costs_little_more_than_the_interpreter():
    def seconds(call) -> float:
        times = []
        for _ in range(5):
            begin = time.perf_counter()
            call()
            times.append(time.perf_counter() - begin)
        return min(times)

    plain = seconds(lambda: subprocess.run(python("pass"), check=True))
    assert seconds(lambda: confined(python("pass"), None, hash_seed=0)) < plain + 0.25


def test_children_run_side_by_side():
    programs = [f"import time; time.sleep(0.3); send('{{\"n\": {n}}}')" for n in range(8)]
    with ThreadPoolExecutor(8) as threads:
        endings = list(threads.map(run, programs))
    assert [ending.messages[1:] for ending in endings] == [({"n": n},) for n in range(8)]


def test_one_that_is_killed_leaves_its_neighbours_alone():
    bomb = "import time\nend = time.monotonic() + 3\nwhile time.monotonic() < end: os.fork()\nos._exit(1)"
    programs = [bomb, "import time; time.sleep(1.2)", "import time; time.sleep(1.2)"]
    with ThreadPoolExecutor(3) as threads:
        assert [end.kind for end in threads.map(run, programs)] == ["processes", "finished", "finished"]


# ---- the caller ---------------------------------------------------------------------------------


def test_what_a_callback_raises_comes_out_after_all_has_been_removed():
    seen: list[dict] = []

    def refuse(result: dict) -> None:
        seen.append(result)
        raise LookupError("refused")

    with pytest.raises(LookupError, match="refused"):
        confined(python(START + "import time; time.sleep(1000)"), None, hash_seed=0, on_message=refuse)
    assert living(seen[0]["mark"]) == []
    assert not Path(seen[0]["folder"]).exists()


def test_an_interrupted_caller_takes_the_program_with_it():
    caller = f"""
from minigrad.doctor.sandbox.process import PROCESSES
from minigrad.doctor.sandbox.runner import Command, Job
PROCESSES.run(Job(Command({tuple(python(START + "import time; time.sleep(1000)"))!r})), lambda raw: raw,
              on_message=lambda result: print(result["mark"], result["folder"], flush=True))
"""
    process = subprocess.Popen(python(caller), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stdout is not None
    mark, folder = process.stdout.readline().split()
    assert living(mark)
    process.send_signal(signal.SIGINT)
    _, error = process.communicate(timeout=20)
    assert error.rstrip().endswith("KeyboardInterrupt")
    assert living(mark) == []
    assert not Path(folder).exists()


def test_the_caller_needs_little_memory_however_much_is_said():
    tracemalloc.start()
    try:
        endings = [examine(HOSTILE / f"{name}.py") for name in ("prints_a_gigabyte", "floods_results")]
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert [ending.kind for ending in endings] == ["output", "output"]
    assert len(endings[0].output) <= LIMITS.output_kept + len(CUT)
    assert peak < 20 * MIB


@pytest.mark.parametrize(
    ("program", "kind"),
    [
        ("send('{\"x\": %d}' % request['x']); print('out')", "finished"),
        ("sys.exit(3)", "exit"),
        ("import time; time.sleep(1000)", "timeout"),
        ("while True: print('x' * 100_000)", "output"),
    ],
)
def test_without_fences_there_is_still_a_time_limit_and_one_on_output(monkeypatch, program, kind):
    """What is left on Windows: results are appended to a file."""
    monkeypatch.setattr(process, "FENCES", False)
    start = START.replace('int(os.environ["MINIGRAD_RESULTS"])', "None").replace(
        "write(number,", "open(os.environ['MINIGRAD_RESULTS'], 'ab').write("
    )
    limits = Limits(wall=1.5 if kind == "timeout" else 20.0, output=MIB)
    ending = confined(python(start + program), {"x": 1}, limits, hash_seed=0)
    without_remains(ending)
    assert ending.kind == kind
    if kind == "finished":
        assert (ending.messages[-1], ending.output) == ({"x": 1}, "out\n")


@pytest.mark.parametrize(
    ("enabled", "base", "kept"), [(True, "/x", True), (False, "/x", False), (True, "", False)]
)
def test_packages_of_the_user_are_found_below_a_strange_home_if_they_are_in_use(
    enabled, base, kept, monkeypatch
):
    monkeypatch.setattr(site, "ENABLE_USER_SITE", enabled)
    monkeypatch.setattr(site, "USER_BASE", base)
    environment = clean_environment("/folder", "mark", 0, [])
    assert environment["HOME"] == "/folder"
    assert environment.get("PYTHONUSERBASE") == (base if kept else None)
