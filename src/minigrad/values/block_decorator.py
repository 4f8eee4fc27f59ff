"""Decorator that runs the body of a function inside a `with` block, whatever kind of function it is.

`contextlib.ContextDecorator` wraps the call.  The call of a generator or of an async function
only makes it, and the block would be over before the first line of the body: here the body
itself runs inside, and between two items of a generator the caller is outside again.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable, Generator
from contextlib import AbstractContextManager
from functools import partial, wraps
from inspect import isasyncgenfunction, iscoroutinefunction, isgeneratorfunction
from typing import Any, TypeVar, cast

__all__ = ["inside"]

F = TypeVar("F", bound=Callable[..., Any])


def inside(block: Callable[[], AbstractContextManager[object]], function: F) -> F:
    """`function`, with a fresh `block()` around its body."""

    @wraps(function)
    def plain(*args: object, **named: object) -> object:
        with block():
            return function(*args, **named)

    @wraps(function)
    async def awaited(*args: object, **named: object) -> object:
        with block():
            return await function(*args, **named)

    @wraps(function)
    def generated(*args: object, **named: object) -> Generator[object, object, object]:
        body = function(*args, **named)
        resume = partial(next, body)
        while True:
            with block():
                try:
                    item = resume()
                except StopIteration as end:
                    return end.value
            try:
                resume = partial(body.send, (yield item))
            except BaseException as error:  # thrown in from outside: the body's to handle
                resume = partial(body.throw, error)

    @wraps(function)
    async def streamed(*args: object, **named: object) -> AsyncGenerator[object, object]:
        body = function(*args, **named)
        resume = partial(anext, body)
        while True:
            with block():
                try:
                    item = await resume()
                except StopAsyncIteration:
                    return
            try:
                resume = partial(body.asend, (yield item))
            except BaseException as error:
                resume = partial(body.athrow, error)

    for kind, wrapper in (
        (isgeneratorfunction, generated),
        (iscoroutinefunction, awaited),
        (isasyncgenfunction, streamed),
    ):
        if kind(function):
            return cast("F", wrapper)
    return cast("F", plain)
