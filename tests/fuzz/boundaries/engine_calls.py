"""Calls of the compiled engine by Python that plays games with it: the process survives, and plain agrees.

Three kinds of inputs, each a number from which the same steps are made on either engine:

    calls     random calls with operands of every kind; same bits, or the same error
    games     nodes that change their class, die, come back from their own __del__, have hooks and rules that
              do such things; same numbers, same deaths
    riots     the same, with __del__, hooks and operands that change what is being walked; the outcome may
              depend on the order of deaths, so the engine has to survive, and to be right afterwards
"""

from __future__ import annotations

import gc
import random as randomness
import warnings
import weakref
from collections.abc import Callable
from itertools import zip_longest
from pathlib import Path
from random import Random
from typing import Any

from engine_call_outcomes import odd_call
from engine_pair import ENGINES, Engine, bits
from minigrad.ops import OPS

from .boundary import ACCEPTED, Boundary, wrong_unless

__all__ = ["BOUNDARY", "Game"]

UNARY = [name for name, op in OPS.items() if op.arity == (1, 1)]
BINARY = ("add", "sub", "mul", "div", "pow", "maximum")
LARGEST = 40  # nodes in the pool


class Calls(Boundary):
    name = "engine_calls"
    count = 1_800
    batch = 1_800

    def begin(self, folder: Path) -> None:
        warnings.simplefilter("ignore")  # of NumPy, about what it is given
        gc.collect()
        gc.freeze()  # no later search for garbage looks through what is loaded

    def input(self, random: Random) -> tuple[str, int]:
        kind = random.choices(("calls", "games", "riots"), (1, 12, 12))[0]
        return kind, random.randrange(2**40)

    def check(self, given: tuple[str, int]) -> str:
        kind, number = given
        if kind == "calls":
            report = odd_call(number)
            wrong_unless(report is None, str(report))
            return ACCEPTED
        records = [Game(engine, number, riot=kind == "riots").play() for engine in ENGINES]
        if kind == "games":
            native, plain = records
            for at, (mine, theirs) in enumerate(zip_longest(native, plain)):
                before = native[max(at - 8, 0) : at]
                wrong_unless(mine == theirs, f"step {at}: native {mine}, plain {theirs}, after {before}")
        return ACCEPTED


class _Heard(float):
    """A gradient that says when it dies."""

    game: Any = None

    def __del__(self) -> None:
        if self.game is not None:
            self.game.gradient_died()


class Game:
    """Random steps over a pool of Values of one engine.  No choice depends on what was computed."""

    def __init__(self, engine: Engine, number: int, riot: bool) -> None:
        self.engine, self.riot = engine, riot
        self.random = randomness.Random(f"game {number}")
        self.nodes: list[Any] = []
        self.kept: list[Any] = []  # what came back
        self.deaths = 0
        self.gradient_deaths = 0
        self.weak: list[weakref.ref[Any]] = []
        self.handles: list[Any] = []
        self.events: list[Any] = []
        self.lists: list[list[Any]] = []  # that are being walked
        self.over = False
        self.favourite: Any = None  # the node that most steps take
        self.classes = self._classes()

    def _classes(self) -> list[Any]:
        game, value = self, self.engine.Value

        class Revived(value):  # type: ignore[misc,valid-type]
            __slots__ = ()

            def __del__(self) -> None:
                game.node_died(self, revive=True)

        class Mourned(value):  # type: ignore[misc,valid-type]
            __slots__ = ()

            def __del__(self) -> None:
                game.node_died(self, revive=False)

        class Restored(value):  # type: ignore[misc,valid-type]
            """Comes back as a plain node."""

            __slots__ = ()

            def __del__(self) -> None:
                if not game.over:
                    self.__class__ = value
                game.node_died(self, revive=True)

        class Open(value):  # type: ignore[misc,valid-type]
            """Has a dict, in which it may hold itself."""

            def __del__(self) -> None:
                game.node_died(self, revive=False)

        class Bare(value):  # type: ignore[misc,valid-type]
            __slots__ = ()

        return [value, Revived, Mourned, Restored, Open, Bare]

    # ---- what happens by itself -----------------------------------------------------------------

    def node_died(self, node: Any, revive: bool) -> None:
        self.deaths += 1
        if self.over:
            return
        if revive:
            self.kept.append(node)
        if self.riot:
            self._trouble()

    def gradient_died(self) -> None:
        self.gradient_deaths += 1
        if self.riot and not self.over:
            self._trouble()

    def _trouble(self) -> None:
        """Changes of what somebody may be walking just now."""
        self.over = True  # no trouble inside of trouble
        try:
            match self.random.randrange(9):
                case 0 if self.nodes:
                    del self.nodes[self.random.randrange(len(self.nodes)) :]
                case 1:
                    for each in self.lists:
                        each.clear()
                case 2:
                    self.kept.clear()
                case 3:
                    self.nodes += [self.engine.Value(1.0) for _ in range(20)]
                case 4 if self.nodes:
                    self.random.choice(self.nodes).__class__ = self.random.choice(self.classes)
                case 5 if self.nodes:
                    self.random.choice(self.nodes).backward()
                case 6 if self.handles:
                    self.random.choice(self.handles).remove()
                case 7:
                    gc.collect()
                case _ if self.nodes:
                    self.random.choice(self.nodes).grad = 5.0
        except Exception:
            pass  # a refusal is a fine answer to trouble
        finally:
            self.over = False

    # ---- the game -------------------------------------------------------------------------------

    def play(self) -> list[Any]:
        gc.collect()
        gc.disable()
        try:
            for _ in range(3):
                self._step(self.leaf)
            for _ in range(self.random.randrange(5, 60)):
                self._step(getattr(self, self.random.choices(STEPS, WEIGHTS)[0]))
            self.over = True
            self._compare_all()
            self.nodes.clear(), self.kept.clear(), self.handles.clear(), self.lists.clear()
            gc.collect()
            self.events.append(("deaths", self.deaths, self.gradient_deaths))
            self.events.append(("alive", sum(ref() is not None for ref in self.weak)))
        finally:
            gc.enable()
        self._is_right_afterwards()
        return self.events

    def _step(self, action: Callable[[], Any]) -> None:
        try:
            found = action()
        except Exception as error:
            found = type(error).__name__
            del error
        self.events.append((action.__name__, found, len(self.nodes), len(self.kept)))

    def _compare_all(self) -> None:
        for node in self.nodes:
            self.events.append(
                (type(node).__name__, bits(node.data), bits(float(node.grad)), len(node._children))
            )

    def _is_right_afterwards(self) -> None:
        value = self.engine.Value
        a, b, c = value(2.0), value(3.0), value(4.0)
        ((a * b + c) * (a - c)).backward()
        wrong_unless((a.grad, b.grad, c.grad) == (4.0, -4.0, -12.0), f"afterwards {(a.grad, b.grad, c.grad)}")

    def _node(self) -> Any:
        if self.favourite is not None and self.random.random() < 0.7:
            return self.favourite
        return self.nodes[int(self.random.random() * len(self.nodes))]

    def _join(self, node: Any) -> str:
        if len(self.nodes) < LARGEST:
            self.nodes.append(node)
        return str(bits(node.data))

    # ---- steps ----------------------------------------------------------------------------------

    def leaf(self) -> str:
        kind = self.random.choice((self.engine.Value, self.engine.Value, *self.classes))
        return self._join(kind(self.random.choice((0.5, -1.0, 2.0, 0.0, 3.0))))

    def operate(self) -> str:
        chance, x, y = self.random.random(), self._node(), self._node()
        functions = self.engine.F
        if chance < 0.4:
            return self._join(getattr(x, self.random.choice(BINARY))(y))
        if chance < 0.6:
            return self._join(getattr(x, self.random.choice(UNARY))())
        if chance < 0.8:
            return self._join(functions.sum([x, y, self._node(), 2.0]))
        return self._join(functions.dot([x, y], [y, 0.5]))

    def retype(self) -> str:
        node, kind = self._node(), self.random.choice(self.classes)
        node.__class__ = kind
        return type(node).__name__

    def drop(self) -> None:
        del self.nodes[int(self.random.random() * len(self.nodes))]
        if not self.nodes:
            self.leaf()

    def drop_many(self) -> None:
        del self.nodes[: self.random.randrange(len(self.nodes))]

    def revive(self) -> int:
        kept = sorted(self.kept, key=lambda node: (bits(node.data), type(node).__name__))
        self.kept.clear()
        self.nodes += kept[:LARGEST]
        return len(kept)

    def come_back(self) -> str:
        """A node dies, comes back, and is used at once."""
        node = self.engine.Value(self.random.choice((0.5, 2.0)))
        if self.random.random() < 0.3:
            node = node * 2.0
        node.__class__ = self.classes[self.random.choice((1, 3))]
        del node
        if not self.kept:
            return "gone"
        self.favourite = self.kept.pop()
        try:
            for name in self.random.choices(USES, k=self.random.randrange(1, 4)):
                getattr(self, name)()
            return self._join(self.favourite)
        finally:
            self.favourite = None

    def crowd(self) -> int:
        """Many that come back as what they were; their places are those of the next ones."""
        nodes = [self.engine.Value(1.0) for _ in range(500)]
        for node in nodes:
            node.__class__ = self.classes[1]
        before = len(self.kept)
        del node, nodes
        if not self.riot:
            for node in self.kept[before:]:
                node.__class__ = self.engine.Value
            del node
        found = len(self.kept) - before
        del self.kept[before:]
        return found if not self.riot else 0

    def forget(self) -> None:
        self.kept.clear()

    def hook(self) -> None:
        node, chance = self._node(), self.random.random()
        place = self.random.random()

        def hook(grad: float) -> float | None:
            if chance < 0.4:
                return 2.0 * grad
            if chance < 0.6 and self.nodes:
                other = self.nodes[int(place * len(self.nodes))]
                other.__class__ = self.classes[int(place * len(self.classes))]
            elif chance < 0.8 and len(self.nodes) > 1:
                del self.nodes[int(place * len(self.nodes))]
            elif self.riot:
                self._trouble()
            return None

        self.handles.append(node.register_hook(hook))

    def unhook(self) -> None:
        if self.handles:
            self.handles.pop(int(self.random.random() * len(self.handles))).remove()

    def strange_grad(self) -> None:
        grad = _Heard(self.random.choice((0.0, 1.5, -7.0)))
        grad.game = self
        self._node().grad = grad

    def number(self) -> None:
        setattr(self._node(), self.random.choice(("data", "grad")), self.random.choice((0.25, -2.0)))

    def backward(self) -> str:
        node = self._node()
        node.backward(self.random.choice((1.0, -0.5)))
        return str(bits(float(node.grad)))

    def backward_of_many(self) -> None:
        roots = [self._node() for _ in range(self.random.randrange(1, 5))]
        self.lists.append(roots)
        self.engine.backward(roots)

    def zero_grad(self) -> None:
        self._node().zero_grad()

    def rule(self) -> str:
        a, b = self._node(), self._node()
        out = self.engine.Value(a.data * b.data, (a, b), "custom")

        def rule() -> None:
            a.grad += b.data * out.grad
            b.grad += a.data * out.grad

        out._backward = rule
        return self._join(out)

    def circle(self) -> None:
        node = self.classes[4](1.0)
        node.me = node
        node.other = self._node()
        node.register_hook(lambda grad: node.data * grad)
        self._join(node + 1.0)

    def collect(self) -> None:
        """Only in riots.

        Where garbage in a circle has several nodes that come back, Python calls the __del__ of all that it
        sees.  Of the compiled engine it sees those nodes only that can be part of a circle; the others die
        when nothing refers to them any more.  Either way each dies once.
        """
        if self.riot:
            gc.collect()

    def watch(self) -> None:
        self.weak.append(weakref.ref(self._node()))

    def reach(self) -> list[int]:
        return [len(part) for part in self.engine.reach([self._node(), self._node()])]

    def reduce_slyly(self) -> str:
        """A reduction over what changes while it is walked."""
        nodes = [self._node() for _ in range(4)]
        self.lists.append(nodes)

        def changing() -> Any:
            for at, node in enumerate(list(nodes)):
                if at == 2:
                    nodes.clear()
                    if self.riot:
                        self._trouble()
                yield node

        return self._join(self.engine.F.sum(changing() if self.random.random() < 0.5 else nodes))

    def begin_again(self) -> None:
        self._node().__init__(0.75)

    def walk(self) -> None:
        """The pass by hand, over lists that somebody may change."""
        node = self._node()
        senders, leaves = self.engine.reach([node])
        senders, leaves, seeded = list(senders), list(leaves), [(node, 1.0)]
        self.lists += [senders, leaves, seeded]
        module = __import__(f"{self.engine.package.__name__}.scalar", fromlist=["_walk"])
        module._walk(seeded, senders, leaves)


WEIGHTS_BY_STEP = {
    "leaf": 6, "operate": 14, "retype": 12, "drop": 8, "drop_many": 1, "revive": 6, "forget": 1, "hook": 5,
    "unhook": 1, "strange_grad": 4, "number": 2, "backward": 6, "backward_of_many": 3, "zero_grad": 1,
    "rule": 3, "circle": 2, "collect": 3, "watch": 1, "reach": 1, "reduce_slyly": 2, "begin_again": 1,
    "walk": 2, "come_back": 8, "crowd": 0.3,
}  # fmt: skip
USES = ("hook", "retype", "strange_grad", "backward", "operate", "rule", "number", "begin_again", "walk")
STEPS, WEIGHTS = list(WEIGHTS_BY_STEP), list(WEIGHTS_BY_STEP.values())

BOUNDARY = Calls()
