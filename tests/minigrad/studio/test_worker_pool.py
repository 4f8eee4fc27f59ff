"""The processes that work for the studio: one that fails costs an answer, and never the next one."""

import asyncio
import json
import os
import subprocess
import sys
import time

import pytest

from minigrad.doctor.sandbox.process import PROCESSES
from minigrad.doctor.sandbox.runner import Command, Reply
from minigrad.studio import worker_pool
from minigrad.studio.worker_pool import PROGRAM, Pool

OBEDIENT = """
import json, os, sys, time
kept = []
for line in sys.stdin.buffer:
    fields = json.loads(line)["fields"]
    match fields.get("do"):
        case "sleep": time.sleep(fields["pause"])
        case "loop":
            while True: pass
        case "leave": os._exit(3)
        case "babble": sys.stdout.buffer.write(b"this is no answer\\n"); sys.stdout.buffer.flush()
        case "boast": sys.stdout.buffer.write(b"200 99999999999\\n"); sys.stdout.buffer.flush()
        case "eat":
            kept.append(bytearray(fields["bytes"]))
            time.sleep(fields.get("pause", 0))
    body = json.dumps({"ok": True, "pid": os.getpid(), "serial": fields.get("serial", 0)}).encode()
    sys.stdout.buffer.write(b"200 %d\\n" % len(body) + body)
    sys.stdout.buffer.flush()
"""  # a worker that does what it is told, also what no worker should


def pooled(scenario, **how):
    """Run a scenario with a pool of obedient workers."""

    async def run():
        async with Pool(program=Command((sys.executable, "-c", OBEDIENT)), **how) as pool:
            return await asyncio.wait_for(scenario(pool), 60)

    return asyncio.run(run())


async def ask(pool, api="explain", seconds=20.0, language=None, **fields):
    status, body = await pool.ask(api, fields, seconds=seconds, language=language)
    assert status == 200
    return json.loads(body)


def alive(pid):
    try:
        os.kill(pid, 0)
        return True
    except ProcessLookupError:
        return False


def test_a_question_is_answered_and_the_process_is_kept():
    async def scenario(pool):
        return [await ask(pool) for _ in range(6)], pool.numbers

    answers, pids = pooled(scenario)
    assert all(answer["ok"] for answer in answers)
    assert {answer["pid"] for answer in answers} == set(pids)
    assert len(pids) == 2


def test_one_that_takes_too_long_is_ended_and_the_next_question_is_answered():
    async def scenario(pool):
        before = pool.numbers
        begun = time.monotonic()
        late = await ask(pool, do="loop", seconds=0.3)
        took = time.monotonic() - begun
        return before, late, took, [await ask(pool) for _ in range(4)]

    before, late, took, after = pooled(scenario)
    assert late["error"]["code"] == "time"
    assert "longer than 0 s" in late["error"]["message"]
    assert took < 5.0
    assert all(answer["ok"] for answer in after)
    ended = set(before) - {answer["pid"] for answer in after}
    assert len(ended) == 1
    assert not any(map(alive, ended))


@pytest.mark.parametrize("do", ["leave", "babble", "boast"])
def test_one_that_ends_or_talks_nonsense_is_replaced(do):
    async def scenario(pool):
        return await ask(pool, do=do), [await ask(pool) for _ in range(4)], pool.numbers

    failed, after, pids = pooled(scenario)
    assert failed["error"]["code"] == "crashed"
    assert all(answer["ok"] for answer in after)
    assert len(pids) == 2


def test_one_that_was_killed_while_it_waited_is_not_asked():
    async def scenario(pool):
        for pid in pool.numbers:
            os.kill(pid, 9)
        await asyncio.sleep(0.3)
        return [await ask(pool) for _ in range(3)]

    assert all(answer["ok"] for answer in pooled(scenario))


@pytest.mark.skipif(not os.path.exists("/proc/self/statm"), reason="needs /proc, which Linux has")
def test_one_that_takes_too_much_memory_is_ended():
    async def scenario(pool):
        return await ask(pool, do="eat", bytes=300 << 20, pause=20), await ask(pool), await ask(pool)

    eaten, *after = pooled(scenario, resident=150 << 20)
    assert eaten["error"]["code"] == "memory"
    assert all(answer["ok"] for answer in after)


@pytest.mark.skipif(not os.path.exists("/proc/self/statm"), reason="needs /proc, which Linux has")
def test_one_that_has_grown_large_gives_its_answer_and_is_not_kept():
    async def scenario(pool):
        return await ask(pool, do="eat", bytes=150 << 20), [await ask(pool) for _ in range(3)]

    grown, after = pooled(scenario, size=1, resident=200 << 20)
    assert grown["ok"]
    assert grown["pid"] not in {answer["pid"] for answer in after}


# ---- which question matters ---------------------------------------------------------------------


def test_of_the_questions_that_wait_only_the_newest_of_a_page_and_kind_is_answered():
    async def scenario(pool):
        busy = asyncio.create_task(ask(pool, do="sleep", pause=0.5, page="other", serial=1))
        await asyncio.sleep(0.1)
        edits = [asyncio.create_task(ask(pool, page="mine", serial=n)) for n in range(1, 8)]
        trials = [asyncio.create_task(ask(pool, "check", page="mine", serial=n)) for n in (8, 9)]
        nobodys = [asyncio.create_task(ask(pool)) for _ in range(2)]
        return await busy, *[await asyncio.gather(*each) for each in (edits, trials, nobodys)]

    busy, edits, trials, nobodys = pooled(scenario, size=1)
    assert busy["ok"]
    assert [answer["ok"] for answer in edits] == [False] * 6 + [True]
    assert {answer["error"]["code"] for answer in edits[:6]} == {"superseded"}
    assert [answer["serial"] for answer in edits] == list(range(1, 8))
    assert [answer["ok"] for answer in trials] == [False, True]
    assert all(answer["ok"] for answer in nobodys)


def test_a_question_that_comes_after_a_newer_one_is_not_worked_on():
    async def scenario(pool):
        return await ask(pool, page="mine", serial=5), await ask(pool, page="mine", serial=4)

    newer, older = pooled(scenario)
    assert newer["ok"]
    assert older["error"]["code"] == "superseded"


def test_one_that_has_been_worked_on_for_a_while_makes_room_for_a_newer_one(monkeypatch):
    monkeypatch.setattr(worker_pool, "PATIENCE", 0.2)

    async def scenario(pool):
        older = asyncio.create_task(ask(pool, do="loop", page="mine", serial=1))
        await asyncio.sleep(0.1)
        return await ask(pool, page="mine", serial=2), await older

    newer, older = pooled(scenario, size=1)
    assert newer["ok"]
    assert older["error"]["code"] == "superseded"


def test_fifty_questions_at_once_are_all_answered_by_two_processes():
    async def scenario(pool):
        return await asyncio.gather(*(ask(pool, do="sleep", pause=0.01, serial=n) for n in range(50)))

    answers = pooled(scenario)
    assert [answer["serial"] for answer in answers] == list(range(50))
    assert len({answer["pid"] for answer in answers}) == 2


def test_where_too_many_wait_the_next_is_told_so(monkeypatch):
    monkeypatch.setattr(worker_pool, "WAITING", 3)

    async def scenario(pool):
        tasks = [asyncio.create_task(ask(pool, do="sleep", pause=0.2)) for _ in range(10)]
        return await asyncio.gather(*tasks)

    answers = pooled(scenario, size=1)
    busy = [answer for answer in answers if not answer["ok"]]
    assert {answer["error"]["code"] for answer in busy} == {"busy"}
    assert 0 < len(busy) < 10


def test_a_question_for_which_nobody_gets_free_in_time_is_told_so():
    async def scenario(pool):
        long = asyncio.create_task(ask(pool, do="sleep", pause=1))
        await asyncio.sleep(0.1)
        return await ask(pool, seconds=0.2), await long

    waited, worked = pooled(scenario, size=1)
    assert waited["error"]["code"] == "busy"
    assert worked["ok"]


@pytest.mark.parametrize(
    ("server", "page", "words"),
    [
        (None, "es", "terminó sin respuesta"),
        ("es", None, "terminó sin respuesta"),
        ("es", "en", "ended before"),
    ],
)
def test_what_went_wrong_is_told_in_the_language_of_the_question_else_of_the_server(server, page, words):
    async def scenario(pool):
        return await ask(pool, do="leave", language=server, **({"wish": 1} if page is None else {}))

    async def in_its_own(pool):
        _, body = await pool.ask("explain", {"do": "leave", "language": page}, seconds=5, language=server)
        return json.loads(body)

    answer = pooled(scenario if page is None else in_its_own)
    assert words in answer["error"]["message"]


def test_leaving_ends_every_process_also_one_that_works():
    async def run():
        async with Pool(program=Command((sys.executable, "-c", OBEDIENT))) as pool:
            task = asyncio.create_task(ask(pool, do="loop"))
            await asyncio.sleep(0.2)
            pids = pool.numbers
        assert (await task)["error"]["code"] == "crashed"
        return pids

    assert not any(map(alive, asyncio.run(run())))


def test_a_pool_whose_program_is_not_there_says_so_at_once():
    async def run():
        async with Pool(program=Command(("/nowhere/python",))):
            pass

    with pytest.raises(OSError, match="nowhere"):
        asyncio.run(run())


# ---- the real worker ----------------------------------------------------------------------------


async def replies(worker, questions):
    found = [await worker.ask({"language": None, "seconds": 10.0, **question}) for question in questions]
    await worker.end()
    return [(status, json.loads(body)) for status, body in found]


def conversation(*questions, program=PROGRAM):
    """What a worker answers to these questions, one after the other."""

    async def run():
        return await asyncio.wait_for(replies(await PROCESSES.start(program), questions), 60)

    return asyncio.run(run())


def test_a_worker_answers_in_order():
    questions = [{"api": "explain", "fields": {"text": "L = a*a", "inputs": {"a": n}}} for n in (2, 3)]
    answers = conversation(*questions, {"api": "explain", "fields": {"text": 5}})
    assert [status for status, _ in answers] == [200, 200, 400]
    grads = [answer["document"]["traces"][0]["trace"]["nodes"][0]["grad"] for _, answer in answers[:2]]
    assert grads == [4, 6]


def test_a_worker_ends_with_its_input():
    """So that it does not outlive the server, however that ended."""
    text = f"from minigrad.doctor.sandbox.child_io import serve; serve({PROGRAM.module!r}, {PROGRAM.home!r})"
    line = json.dumps({"api": "explain", "fields": {"text": "a*a"}, "language": None, "seconds": 10.0}) + "\n"
    pipe = subprocess.PIPE
    with subprocess.Popen([sys.executable, "-c", text], stdin=pipe, stdout=pipe, stderr=pipe) as worker:
        worker.stdin.write(line.encode())
        worker.stdin.flush()
        assert worker.stdout.readline().startswith(b"200 ")
        worker.stdin.close()
        assert worker.wait(60) == 0


def test_a_mistake_of_ours_is_an_answer_too_and_so_is_an_end_of_memory():
    program = (
        "from minigrad.doctor.sandbox.child_io import serve\n"
        "from minigrad.studio import worker_process\n"
        "def answer(api, fields, language=None):\n"
        "    if fields.get('text') == 'mistake': raise ZeroDivisionError\n"
        "    if fields.get('text') == 'memory': raise MemoryError\n"
        "    print('a library that prints')\n"
        "    return 200, {'ok': True}\n"
        "worker_process.answer = answer\n"
        f"serve('minigrad.studio.worker_process', {PROGRAM.home!r})\n"
    )
    questions = [{"api": "explain", "fields": {"text": text}} for text in ("mistake", "memory", "fine")]
    answers = conversation(*questions, program=Command((sys.executable, "-c", program)))
    assert [(status, answer["ok"]) for status, answer in answers] == [(500, False), (200, False), (200, True)]
    assert [answer["error"]["code"] for _, answer in answers[:2]] == ["internal", "memory"]


def test_a_worker_finds_minigrad_from_any_folder_and_nothing_of_that_folder(tmp_path, monkeypatch):
    (tmp_path / "json.py").write_text("raise SystemExit('imported from the folder that it was started in')")
    monkeypatch.chdir(tmp_path)
    answers = conversation({"api": "explain", "fields": {"text": "a*a"}})
    assert answers[0][1]["ok"]


def test_slow_questions_leave_a_process_for_the_quick_ones():
    async def scenario(pool):
        kinds = ("check", "diagnose", "export", "faults")
        slow = [asyncio.create_task(ask(pool, kind, do="sleep", pause=0.3)) for kind in kinds]
        await asyncio.sleep(0.1)
        quick = await ask(pool)
        before = [task.done() for task in slow]
        return quick, before, await asyncio.gather(*slow)

    quick, before, slow = pooled(scenario)
    assert quick["ok"]
    assert not any(before)
    assert all(answer["ok"] for answer in slow)
    assert len({answer["pid"] for answer in slow} | {quick["pid"]}) == 2


def test_a_slow_question_gives_its_turn_back_whatever_becomes_of_it(monkeypatch):
    monkeypatch.setattr(worker_pool, "PATIENCE", 0.1)

    async def scenario(pool):
        found = [await ask(pool, "check", do="leave"), await ask(pool, "check", seconds=0.2, do="loop")]
        older = asyncio.create_task(ask(pool, "check", do="loop", page="mine", serial=1))
        waiting = asyncio.create_task(ask(pool, "faults", seconds=0.1))
        await asyncio.sleep(0.3)
        newest = await ask(pool, "check", page="mine", serial=2)
        return [*found, await older, await waiting], newest

    failed, newest = pooled(scenario)
    assert [answer["error"]["code"] for answer in failed] == ["crashed", "time", "superseded", "busy"]
    assert newest["ok"]


# ---- what is counted, with workers that are no processes -----------------------------------------


class Clerk:
    """A worker that says yes to everything, and uses as much memory as a question wants."""

    alive = True

    def __init__(self, number):
        self.number, self.resident = number, 0

    async def ask(self, message):
        self.resident = message["fields"].get("bytes", 0)
        return Reply(200, json.dumps({"ok": True, "pid": self.number}).encode())

    async def end(self):
        self.alive = False


class Clerks:
    """A runner that starts clerks, with the numbers from 1."""

    def __init__(self):
        self.started = 0

    async def start(self, program):
        self.started += 1
        return Clerk(self.started)


def with_clerks(scenario, **how):
    async def run():
        async with Pool(runner=Clerks(), **how) as pool:
            return await asyncio.wait_for(scenario(pool), 20)

    return asyncio.run(run())


@pytest.mark.parametrize(("used", "next_one"), [(49, 1), (50, 2), (40, 1), (99, 2)])
def test_one_that_uses_less_than_half_of_the_memory_allowed_is_kept(used, next_one):
    async def scenario(pool):
        return (await ask(pool, bytes=used))["pid"], (await ask(pool))["pid"]

    assert with_clerks(scenario, size=1, resident=100) == (1, next_one)


def test_a_question_that_was_answered_does_not_count_among_those_that_wait(monkeypatch):
    monkeypatch.setattr(worker_pool, "WAITING", 1)

    async def scenario(pool):
        return [(await ask(pool))["ok"] for _ in range(3)]

    assert with_clerks(scenario) == [True] * 3


def test_of_so_many_pages_the_newest_question_is_remembered_and_no_more(monkeypatch):
    monkeypatch.setattr(worker_pool, "PAGES", 2)

    async def scenario(pool):
        for page in ("first", "second", "third"):
            assert (await ask(pool, page=page, serial=5))["ok"]
        return [(await ask(pool, page=page, serial=4))["ok"] for page in ("third", "second", "first")]

    assert with_clerks(scenario) == [False, False, True], "of the first page nothing is known any more"


def test_a_start_that_is_over_is_forgotten():
    async def scenario(pool):
        for _ in range(3):
            await ask(pool, bytes=100)  # each of them is replaced
        await ask(pool)
        await asyncio.sleep(0)  # what is to be done at the end of a start is done after it
        return pool.numbers, len(pool._starting)

    assert with_clerks(scenario, size=1, resident=100) == ([4], 0)
