"""A gradient over a cluster has the bits of one machine's, whatever the workers do.

On real processes, on the loopback alone.
"""

from __future__ import annotations

import os
import pickle
import signal
from collections.abc import Iterator
from threading import Lock
from time import monotonic
from types import SimpleNamespace

import numpy as np
import pytest

import minigrad
from minigrad.compiler import cluster
from minigrad.compiler.cluster import BatchError, map_gradient
from minigrad.text.translation import speaking

pytestmark = pytest.mark.one_engine

pytest.importorskip("distributed", reason="Dask is missing: pip install 'minigrad-lab[cluster]'")

WEIGHTS = [0.1, -0.2, 0.3]
SIZES = (5, 7, 1, 300, 4, 9, 20, 11)


def loss(w, x, y):
    return (minigrad.functions.dot(w, x).tanh() - y) ** 2


def batches(sizes=SIZES) -> list[tuple[np.ndarray, np.ndarray]]:
    draw = np.random.default_rng(1)
    return [(draw.normal(size=(count, 3)), draw.normal(size=count)) for count in sizes]


def on_one_machine(program, held, given, argnums=0) -> tuple[float, list[float]]:
    """The sums by the rule that is stated: samples in order, then batches in order, from 0.0."""
    value, gradient = 0.0, 0.0
    many = program.batched(*range(len(held), len(held) + len(given[0])))
    for batch in given:
        values, slopes = many.value_and_grad(*held, *batch, argnums=argnums)
        total = 0.0
        for x in values.tolist():
            total += x
        value += total
        gradient = gradient + np.array(slopes)
    return value, gradient.tolist()


@pytest.fixture(scope="module")
def clients() -> Iterator[dict[int, object]]:
    """Clients of two clusters: of one worker and of two."""
    from distributed import Client, LocalCluster

    opened = []
    found = {}
    try:
        for count in (1, 2):
            machines = LocalCluster(
                n_workers=count, threads_per_worker=1, dashboard_address="127.0.0.1:0", host="127.0.0.1"
            )
            opened.append(machines)
            found[count] = Client(machines)
            opened.append(found[count])
        yield found
    finally:
        for each in reversed(opened):
            each.close()


def test_the_bits_are_those_of_one_machine_whatever_the_number_of_workers(clients):
    program = minigrad.compile(loss)
    expected = on_one_machine(program, (WEIGHTS,), batches())
    for client in clients.values():
        assert program.map_gradient(iter(batches()), client, held=(WEIGHTS,)) == expected


def test_a_worker_that_is_killed_changes_nothing(clients):
    client = clients[2]
    program = minigrad.compile(loss)
    sizes = (4000,) * 12
    address, process = max(client.run(os.getpid).items())
    lost: list[str] = []

    def deadly() -> Iterator[tuple[np.ndarray, np.ndarray]]:
        for number, batch in enumerate(batches(sizes)):
            if number == 6:  # results of batches that nobody has asked for yet lie on this worker
                until = monotonic() + 60.0
                while not lost and monotonic() < until:
                    lost.extend(key for key in client.has_what()[address] if "-batch-" in str(key))
                os.kill(process, signal.SIGKILL)
            yield batch

    found = program.map_gradient(deadly(), client, held=(WEIGHTS,), in_flight=6)
    assert found == on_one_machine(program, (WEIGHTS,), batches(sizes))
    assert lost
    client.wait_for_workers(2, timeout=60)
    assert process not in client.run(os.getpid).values()


def test_a_batch_whose_workers_were_lost_once_is_sent_again_as_it_was(clients):
    from distributed import KilledWorker

    def lost():
        raise KilledWorker("a task", None, 4)

    class Client(SimpleNamespace):
        sent = 0

        def submit(self, function, *given, **named):
            future = clients[1].submit(function, *given, **named)
            if function.__name__ != "_batch_on_worker" or "batch-2" not in named["key"]:
                return future
            self.sent += 1
            return SimpleNamespace(result=lost, cancel=future.cancel) if self.sent == 1 else future

    client = Client(scheduler_info=clients[1].scheduler_info)
    program = minigrad.compile(loss)
    found = map_gradient(program, batches(), client, held=(WEIGHTS,), retries=1)
    assert found == on_one_machine(program, (WEIGHTS,), batches())
    assert client.sent == 2


def test_a_worker_that_dies_again_and_again_is_an_error_that_names_the_batch(clients):
    class Deadly:
        """A future whose workers were lost."""

        def __init__(self, future):
            self.future = future

        def result(self):
            from distributed import KilledWorker

            raise KilledWorker("a task", None, 4)

        def cancel(self):
            self.future.cancel()

    class Client(SimpleNamespace):
        sent = 0

        def submit(self, function, *given, **named):
            future = clients[1].submit(function, *given, **named)
            if function.__name__ != "_batch_on_worker" or "batch-2" not in named["key"]:
                return future
            self.sent += 1
            return Deadly(future)

    client = Client(scheduler_info=clients[1].scheduler_info)
    with pytest.raises(BatchError, match=r"batch 2 .*lost, 3 times") as caught:
        map_gradient(minigrad.compile(loss), batches(), client, held=(WEIGHTS,), retries=2)
    assert caught.value.number == 2
    assert client.sent == 3


def test_no_more_batches_are_asked_for_than_there_is_room_for(clients):
    given, added = [], []

    def watched() -> Iterator[tuple[np.ndarray, np.ndarray]]:
        for batch in batches():
            given.append(len(added))
            yield batch

    program = minigrad.compile(loss)
    plain = cluster._Work.result

    def result(self, sent):
        added.append(sent.number)
        return plain(self, sent)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(cluster._Work, "result", result)
        program.map_gradient(watched(), clients[2], held=(WEIGHTS,), in_flight=3)
    assert added == list(range(len(SIZES)))
    ahead = [number + 1 - before for number, before in enumerate(given)]
    assert max(ahead) == 3


def test_gradients_by_several_arguments_and_structures_come_back_as_they_went(clients):
    def both(w, b, x):
        return (w["a"][0] * x + w["a"][1] - b) ** 2

    program = minigrad.compile(both)
    xs = [(np.array([1.0, 2.0, 3.0]),), (np.array([-1.0]),)]
    value, (w, b) = program.map_gradient(xs, clients[1], held=({"a": (2, 3)}, 0.5), argnums=(0, 1))
    by_hand = [2.0 * x + 2.5 for x in (1.0, 2.0, 3.0, -1.0)]
    assert value == sum(r * r for r in by_hand)
    slopes = [sum(2 * r * x for r, x in zip(by_hand, (1.0, 2.0, 3.0, -1.0), strict=True)), 2 * sum(by_hand)]
    assert w == {"a": tuple(slopes)}
    assert b == -2 * sum(by_hand)


def test_a_batch_that_goes_a_way_that_no_worker_knows_is_computed_here(clients):
    def bent(w, x):
        return w * x if x > 0.0 else w - x

    program = minigrad.compile(bent)
    xs = [(np.array([1.0, 2.0]),), (np.array([3.0, -1.0]),), (np.array([-2.0, 5.0]),)]
    value, slope = program.map_gradient(xs, clients[1], held=(0.5,))
    assert value == 0.5 * 3.0 + (1.5 + 1.5) + (2.5 + 2.5)
    assert slope == 3.0 + (3.0 + 1.0) + (1.0 + 5.0)


def test_what_a_function_captures_travels_as_the_number_that_it_is_now(clients):
    scale = minigrad.Value(2.0)
    program = minigrad.compile(lambda w, x: w * x * scale)
    assert program.map_gradient([(np.array([1.0, 2.0]),)], clients[1], held=(3.0,)) == (18.0, 6.0)
    scale.data = 4.0
    assert program.map_gradient([(np.array([1.0, 2.0]),)], clients[1], held=(3.0,)) == (36.0, 12.0)


def test_a_worker_that_fails_where_this_machine_does_not_is_not_hidden(clients):
    """Batches would be computed here, one after the other, and nobody would know why it takes so long."""

    class Failing(SimpleNamespace):
        def submit(self, function, *given, **named):
            if function.__name__ == "_batch_on_worker":
                return clients[1].submit(int, "no number", pure=False)
            return clients[1].submit(function, *given, **named)

    client = Failing(scheduler_info=clients[1].scheduler_info)
    with pytest.raises(BatchError, match=r"batch 0 .*no number"):
        map_gradient(minigrad.compile(loss), batches(), client, held=(WEIGHTS,))


@pytest.mark.parametrize("language", ["en", "es"])
def test_what_goes_wrong_is_told_with_its_batch(clients, language):
    english = language == "en"
    wrong = [*batches()[:2], (np.ones((4, 2)), np.ones(4))]
    program = minigrad.compile(loss)
    with speaking(language):
        words = "batch 2 could not" if english else "no se pudo calcular el lote 2"
        with pytest.raises(BatchError, match=words):
            program.map_gradient(wrong, clients[1], held=(WEIGHTS,))
        with pytest.raises(ValueError, match="batches" if english else "lotes"):
            program.map_gradient([], clients[1], held=(WEIGHTS,))
        with pytest.raises(ValueError, match="held"):
            program.map_gradient(batches(), clients[1], held=(WEIGHTS,), argnums=1)
        with pytest.raises(TypeError, match=r"minigrad-lab\[cluster\]"):
            program.map_gradient(batches(), "tcp://127.0.0.1:8786", held=(WEIGHTS,))


def test_the_function_itself_does_not_travel(clients):
    """What cannot be pickled at all works: only the traced program is sent."""
    lock = Lock()

    def local(w, x):
        with lock:
            return w * x

    with pytest.raises(TypeError, match="pickle"):
        pickle.dumps(lock)
    found = minigrad.compile(local).map_gradient([(np.array([1.0, 2.0]),)], clients[1], held=(2.0,))
    assert found == (6.0, 3.0)
