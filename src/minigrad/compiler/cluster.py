"""Gradients over a Dask cluster: more data than one machine has time for, in one fixed order.

    with Client(cluster) as client:
        value, gradient = program.map_gradient(batches, client, held=(weights,))

Each batch holds the arguments of f after the held ones, each with one more axis in front: f(*held, *sample)
is summed over the samples of all batches.  A worker is sent the program as the bytes that `save` writes,
never a pickled function.  The sums of the batches are added one after the other, by their number, from 0.0
on; a batch is summed as in any batched call.  So the bits do not depend on how many workers there are, or on
which of them die: Dask runs again what a lost worker had, and gives the same.

A batch is asked for when there is room for it: `in_flight` batches are sent and not yet added, no more.
"""

from __future__ import annotations

from collections import OrderedDict, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from hashlib import sha256
from itertools import count
from threading import Lock
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

from ..errors import MinigradError
from ..text.escape import visible
from ..text.excerpts import describe
from ..text.translation import say
from .numpy_loader import numpy
from .structure import is_array, put_together, take_apart

if TYPE_CHECKING:
    from .numpy_loader import Doubles
    from .program import Program
    from .structure import Tree

__all__ = ["BatchError", "map_gradient"]

Argnums = int | Sequence[int]
_Sums: TypeAlias = "tuple[float, Doubles, Tree]"  # of a batch: the value, the gradient, and its tree
_serial = count().__next__


class Future(Protocol):
    """What a cluster will have computed."""

    def result(self) -> Any: ...

    def cancel(self) -> object: ...


class Client(Protocol):
    """What is used of a client of Dask."""

    def submit(self, function: Callable[..., object], *args: object, key: str, pure: bool) -> Future: ...

    def scheduler_info(self, n_workers: int) -> dict[str, Any]: ...


class BatchError(MinigradError, ValueError):
    """A batch that could not be computed: `number` says which, and the cause is chained."""

    def __init__(self, number: int, reason: str) -> None:
        super().__init__(say("compile.cluster.batch", number=number, reason=reason))
        self.number = number


def map_gradient(
    program: Program,
    batches: Iterable[object],
    client: Client,
    *,
    held: Sequence[object] = (),
    argnums: Argnums = 0,
    in_flight: int = 0,
    retries: int = 3,
) -> tuple[float, Any]:
    """The sum of f over all samples of all batches, and its gradient by the held arguments `argnums`.

    `in_flight`: how many batches are sent and not yet added; 0 for twice the threads of the cluster.
    `retries`: how often a batch is sent again whose workers were lost.
    """
    held = tuple(held)
    chosen = (argnums,) if isinstance(argnums, int) else tuple(argnums)
    for n in chosen:
        if isinstance(n, bool) or not isinstance(n, int) or not 0 <= n < len(held):
            raise ValueError(say("compile.cluster.argnum", given=describe(n), count=len(held)))
    if not callable(getattr(client, "submit", None)) or not hasattr(client, "scheduler_info"):
        raise TypeError(say("compile.cluster.client", given=describe(client)))
    work = _Work(program, client, held, argnums, retries)
    most = in_flight or max(2, 2 * _threads(client))
    total, gradient, tree = 0.0, None, None
    waiting: deque[_Sent] = deque()
    source = enumerate(batches)
    try:
        for sent in work.sent(source, waiting, most):
            value, vector, tree = work.result(sent)
            total = total + value
            gradient = numpy().zeros(len(vector)) + vector if gradient is None else gradient + vector
    finally:
        for sent in waiting:  # after an error: nobody will ask for these
            sent.future.cancel()
    if gradient is None:
        raise ValueError(say("compile.cluster.empty"))
    return float(total), put_together(tree, gradient.tolist())


class _Sent:
    """A batch on its way."""

    def __init__(self, number: int, arguments: tuple[object, ...], future: Future, variants: int) -> None:
        self.number, self.arguments, self.future = number, arguments, future
        self.variants = variants  # that the program had which was sent with it


class _Work:
    def __init__(
        self, program: Program, client: Client, held: tuple[object, ...], argnums: Argnums, retries: int
    ) -> None:
        self.program, self.client, self.argnums, self.retries = program, client, argnums, retries
        self.held = _plain(held, (argnums,) if isinstance(argnums, int) else tuple(argnums))
        self.name = f"minigrad-{_serial()}"
        self.known: set[object] = set()  # structures that the bytes hold a program for
        self.payload: Future | None = None
        self.variants = 0  # of the program in the payload
        self._given = self._kept("held", self.held)

    def sent(self, source: Iterator[tuple[int, object]], waiting: deque[_Sent], most: int) -> Iterator[_Sent]:
        """The batches in their order, each handed out when its turn to be added has come."""
        more = True
        while more or waiting:
            while more and len(waiting) < most:
                found = next(source, None)
                more = found is not None
                if found is not None:
                    waiting.append(self.send(*found))
            if waiting:
                yield waiting.popleft()

    def send(self, number: int, batch: object) -> _Sent:
        arguments = tuple(batch) if isinstance(batch, (tuple, list)) else (batch,)
        try:
            self._prepare(arguments)
        except Exception as error:
            raise BatchError(number, _reason(error)) from error
        return _Sent(number, arguments, self._submitted(number, arguments, 0), self.variants)

    def _submitted(self, number: int, arguments: tuple[object, ...], attempt: int) -> Future:
        return self.client.submit(
            _batch_on_worker,
            self.payload,
            self._given,
            arguments,
            self.argnums,
            key=f"{self.name}-batch-{number}-{attempt}",
            pure=False,
        )

    def _prepare(self, arguments: tuple[object, ...]) -> None:
        """Trace the structure of a batch here, where the function is; what has grown is sent anew."""
        sample = _first_sample(arguments)
        if sample is None:  # an empty batch: any program will do
            if self.payload is None:
                self._encode()
            return
        parts = take_apart(sample)
        key = (parts.tree, parts.kinds)
        if key not in self.known:
            self.known.add(key)
            self.program.traced(*self.held, *sample)
            self._encode()

    def _encode(self) -> None:
        from .program_file import encoded

        self.variants = len(self.program.variants)
        self.payload = self._kept("program", encoded(self.program))

    def _kept(self, name: str, what: object) -> Future:
        """Something on the cluster that Dask can make again, unlike scattered data, if its worker is lost."""
        return self.client.submit(_itself, what, key=f"{self.name}-{name}-{_serial()}", pure=False)

    def result(self, sent: _Sent) -> _Sums:
        """What came of a batch; one whose workers were lost is sent again."""
        from distributed import KilledWorker

        attempt = 0
        while True:
            try:
                value, vector, tree = sent.future.result()
                return value, vector, tree
            except KilledWorker as error:
                attempt += 1
                if attempt > self.retries:
                    raise BatchError(sent.number, say("compile.cluster.lost", times=attempt)) from error
                sent.future = self._submitted(sent.number, sent.arguments, attempt)
            except Exception as error:
                if isinstance(error, (ValueError, IndexError)) and self.program.f is not None:
                    return self._here(sent, error)
                raise BatchError(sent.number, _reason(error)) from error

    def _here(self, sent: _Sent, error: Exception) -> _Sums:
        """A batch with samples that no variant on the worker holds for, computed where the function is.

        The bits are the same.  Where nothing had to be traced, the worker failed for some other reason.
        """
        try:
            found = _sums(self.program, self.held, sent.arguments, self.argnums)
        except Exception as ours:
            raise BatchError(sent.number, _reason(ours)) from ours
        now = len(self.program.variants)
        if now == sent.variants:
            raise BatchError(sent.number, _reason(error)) from error
        if now != self.variants:
            self._encode()
        return found


# ---- on a worker ------------------------------------------------------------------------------------

_loaded: OrderedDict[bytes, Program] = OrderedDict()  # programs by their digest: a worker gets one many times
_lock = Lock()
_MOST_LOADED = 8


def _itself(x: object) -> object:
    return x


def _batch_on_worker(
    payload: bytes, held: tuple[object, ...], arguments: tuple[object, ...], argnums: Argnums
) -> _Sums:
    return _sums(_program(payload), held, arguments, argnums)


def _program(payload: bytes) -> Program:
    from .program_file import decoded

    digest = sha256(payload).digest()
    with _lock:
        if digest not in _loaded:
            _loaded[digest] = decoded(payload)
            while len(_loaded) > _MOST_LOADED:
                _loaded.popitem(last=False)
        _loaded.move_to_end(digest)
        return _loaded[digest]


def _sums(
    program: Program, held: tuple[object, ...], arguments: tuple[object, ...], argnums: Argnums
) -> _Sums:
    """The sum of the values, that of the gradients as one array, and the tree of the latter."""
    np = numpy()
    many = program.batched(*range(len(held), len(held) + len(arguments)))
    values, gradient = many.value_and_grad(*held, *map(_aligned, arguments), argnums=argnums)
    total = 0.0
    for value in np.asarray(values, dtype=float).ravel().tolist():
        total += value
    parts = take_apart((gradient,))
    return total, np.array(parts.numbers, dtype=float), parts.tree[2][0]


# ---- the parts --------------------------------------------------------------------------------------


def _plain(held: tuple[object, ...], chosen: Sequence[int]) -> tuple[object, ...]:
    """The held arguments as plain numbers: no Value travels, and what a gradient is taken by is a float."""
    parts = take_apart(held, chosen)
    found: tuple[object, ...] = put_together(parts.tree, parts.numbers)
    return found


def _aligned(part: object) -> object:
    """Arrays that came over a wire may begin anywhere in memory; programs read whole numbers."""
    if is_array(part):
        return numpy().require(part, requirements="A")
    if isinstance(part, dict):
        return {key: _aligned(x) for key, x in part.items()}
    if type(part) is list:
        return list(map(_aligned, part))
    return tuple(map(_aligned, part)) if type(part) is tuple else part


def _first_sample(arguments: tuple[object, ...]) -> tuple[object, ...] | None:
    """One sample of a batch; None of an empty one."""

    def first(part: Any) -> Any:
        if isinstance(part, dict):
            return {key: first(x) for key, x in part.items()}
        if isinstance(part, tuple):
            return tuple(map(first, part))
        return part[0].tolist() if is_array(part[0]) else part[0]

    if not all(_length(argument) for argument in arguments):
        return None
    return tuple(map(first, arguments))


def _length(part: Any) -> int:
    if isinstance(part, dict):
        return min(map(_length, part.values()), default=0)
    if isinstance(part, tuple):
        return min(map(_length, part), default=0)
    return len(part)


def _threads(client: Client) -> int:
    workers = client.scheduler_info(n_workers=-1).get("workers", {}).values()
    return sum(worker.get("nthreads", 1) for worker in workers)


def _reason(error: BaseException) -> str:
    return visible(f"{type(error).__name__}: {error}")[:300]
