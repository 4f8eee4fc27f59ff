"""no_grad: where ops make constants, and how far that reaches."""

from __future__ import annotations

import asyncio
import gc
import threading
from contextvars import copy_context

import pytest

from minigrad import Value, no_grad


def records() -> bool:
    """Does an op make a node here and now?"""
    return (Value(1.0) * 2).requires_grad


@pytest.fixture(autouse=True)
def _nothing_leaks():
    assert records()
    yield
    assert records()


def test_inside_the_block_ops_make_constants():
    a = Value(3.0)
    with no_grad():
        y = a * a + 1
        y += a.exp() * 0
    assert (y.data, y.requires_grad, y._children, y._op) == (10.0, False, (), "")
    assert a.requires_grad
    assert (a * a).requires_grad


def test_a_leaf_made_inside_is_a_leaf_like_any_other():
    with no_grad():
        a = Value(3.0)
    assert a.requires_grad
    (a * a).backward()
    assert a.grad == 6.0


def test_a_constant_made_inside_stays_one_outside():
    a = Value(3.0)
    with no_grad():
        square = a * a
    y = square * a
    y.backward()
    assert a.grad == 9.0  # not 27: the square is a number here


def test_backward_through_a_graph_that_was_built_outside_works_inside():
    a = Value(3.0)
    y = a * a
    with no_grad():
        y.backward()
    assert a.grad == 6.0


def test_blocks_nest():
    with no_grad():
        assert not records()
        with no_grad():
            assert not records()
        assert not records()
    assert records()


def test_one_no_grad_can_be_entered_inside_itself_and_used_again():
    pause = no_grad()
    with pause:
        with pause:
            assert not records()
        assert not records()
    assert records()
    with pause:
        assert not records()


def test_an_exception_ends_the_block():
    with pytest.raises(ZeroDivisionError), no_grad():
        1 / 0  # noqa: B018
    assert records()


def test_as_a_decorator_it_covers_the_body_and_keeps_the_name():
    @no_grad()
    def evaluate(x, *, times=1):
        """What it does."""
        assert not records()
        return x * times

    y = evaluate(Value(2.0), times=3)
    assert (y.data, y.requires_grad) == (6.0, False)
    assert (evaluate.__name__, evaluate.__doc__) == ("evaluate", "What it does.")


def test_a_decorated_function_may_call_itself():
    @no_grad()
    def countdown(x, n):
        return x if n == 0 else countdown(x * 2, n - 1)

    assert countdown(Value(1.0), 5).data == 32.0


def test_a_decorated_generator_is_covered_and_its_caller_is_not():
    """A decorator around the call alone would be over before the first line of the body."""

    @no_grad()
    def stream(x):
        for _ in range(3):
            assert not records()
            x = x * 2
            yield x

    seen = []
    for y in stream(Value(1.0)):
        assert records()
        seen.append((y.data, y.requires_grad))
    assert seen == [(2.0, False), (4.0, False), (8.0, False)]


def test_a_decorated_generator_passes_on_what_is_sent_thrown_and_returned():
    @no_grad()
    def echo():
        heard = []
        try:
            while True:
                try:
                    heard.append((yield len(heard)))
                except KeyError:
                    heard.append("caught")
                assert not records()
        except GeneratorExit:
            heard.append("closed")
            log.extend(heard)
            raise

    log: list = []
    generator = echo()
    assert next(generator) == 0
    assert generator.send("first") == 1
    assert generator.throw(KeyError("x")) == 2
    generator.close()
    assert log == ["first", "caught", "closed"]

    @no_grad()
    def answer():
        yield 1
        return 42

    def delegate():
        return (yield from answer())

    generator = delegate()
    next(generator)
    with pytest.raises(StopIteration) as end:
        next(generator)
    assert end.value.value == 42


def test_generators_that_open_blocks_may_end_in_any_order():
    def pausing():
        with no_grad():
            yield
            yield

    first, second = pausing(), pausing()
    next(first)
    next(second)
    first.close()  # before second, which was opened later
    assert not records()
    second.close()
    assert records()


def test_an_abandoned_generator_gives_back_its_block():
    def pausing():
        with no_grad():
            yield

    generator = pausing()
    next(generator)
    assert not records()
    del generator
    gc.collect()
    assert records()


def test_a_block_in_one_thread_does_not_reach_another():
    inside, checked = threading.Event(), threading.Event()
    seen = {}

    def pausing():
        with no_grad():
            inside.set()
            checked.wait(10)
            seen["pausing"] = records()

    def working():
        inside.wait(10)
        a = Value(3.0)
        (a * a).backward()
        seen["working"] = (records(), a.grad)
        checked.set()

    threads = [threading.Thread(target=work) for work in (pausing, working)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert seen == {"pausing": False, "working": (True, 6.0)}


def test_a_thread_started_inside_a_block_is_outside_it():
    seen = []
    with no_grad():
        thread = threading.Thread(target=lambda: seen.append(records()))
        thread.start()
        thread.join()
    assert seen == [True]


def test_a_block_in_one_task_does_not_reach_another():
    async def main():
        ready, done = asyncio.Event(), asyncio.Event()

        @no_grad()
        async def pausing():
            ready.set()
            await done.wait()
            return records()

        async def working():
            await ready.wait()
            answer = records()
            done.set()
            return answer

        return await asyncio.gather(pausing(), working())

    assert asyncio.run(main()) == [False, True]


def test_a_decorated_async_generator_is_covered_and_its_caller_is_not():
    @no_grad()
    async def stream():
        for _ in range(2):
            await asyncio.sleep(0)
            yield records()

    async def main():
        return [(item, records()) async for item in stream()]

    assert asyncio.run(main()) == [(False, True), (False, True)]


def test_a_block_that_ends_in_another_context_does_no_harm():
    pause = no_grad()
    copy_context().run(pause.__enter__)
    assert records()
    pause.__exit__(None, None, None)
    assert records()
    with no_grad():
        assert not records()


def test_a_task_sees_the_block_that_it_was_made_in_end():
    """Whatever other threads are doing: a block that is over pauses nobody."""
    import contextvars

    with no_grad():
        context = contextvars.copy_context()
        assert not context.run(lambda: (Value(1.0) * 2).requires_grad)
    with no_grad():  # some other block, elsewhere
        assert context.run(lambda: (Value(1.0) * 2).requires_grad)
