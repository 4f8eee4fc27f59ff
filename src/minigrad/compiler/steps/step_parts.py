"""Parts of a training step, each an executor: a loss with its gradient, a norm, an optimiser's rule.

All parts read and write the same few arrays, which `training_step.py` lays out; so one part's results are
the next one's arguments, and nothing is copied in between.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cache, lru_cache
from math import nan
from typing import TYPE_CHECKING

from ... import functions
from ...scalar import Value
from ...text.translation import say
from ...values.no_grad import enable_grad
from ..numpy_loader import numpy
from ..plan import LANES
from ..scalars import CONSTANT, INPUT, Guard, Scalars
from ..traced_function import TracedFunction

if TYPE_CHECKING:
    from ..executors import Executor
    from ..numpy_loader import Booleans, Doubles
    from ..program import Program

__all__ = ["Loss", "averaging", "clipping", "mean_of", "rule"]

# From the numbers of the step, the data, the gradient and the memory to the new data and the new memory.
Rule = Callable[[Mapping[str, Value], Value, Value, Mapping[str, Value]], tuple[Value, dict[str, Value]]]


class Loss:
    """A loss of one structure of data.  Its inputs are the parameters, the data, and what else it reads.

    `continued` adds 1 / samples and the gradients so far, and has gradients go on from those.  That is how
    the gradient of `mean([f(x), f(y)])` is added up, where f(x) and f(y) may be of different structures: the
    newest sample first, and each parameter's sum goes on with the sample before it.
    """

    def __init__(
        self,
        traced: TracedFunction,
        places: Mapping[int, int],
        held: Sequence[float | Value],
        program: Program,
    ) -> None:
        if len(traced.scalars.outputs) != 1:
            raise ValueError(say("compile.steps.outputs", count=len(traced.scalars.outputs)))
        self.traced, self._settings = traced, program.settings
        self.parameters = len(places)
        arguments = len(traced.kinds)
        first = len(held)
        self.size = arguments - first  # how many numbers the data has
        rows = [(j - first, count) for j, count in traced.rows.items() if j >= first]
        self._indices = [place for place, _ in rows]  # numbers of the data that something is looked up with
        self._rows = [float(count) for _, count in rows]
        # Integers that only choose are checked by what they choose from, however large they are.
        looked_up = set(self._indices)
        whole = [place for place in range(self.size) if traced.kinds[first + place] == "i"]
        self.only_looked_up = looked_up.issuperset(whole)
        self._counts = numpy().array(self._rows)
        known: list[float | Value] = [*held, *[0.0] * self.size, *traced.captured]
        place_of = {j: places[id(value)] for j, value in enumerate(known) if id(value) in places}
        outside = [j for j in range(len(known)) if j not in place_of and not first <= j < arguments]
        self.outside = [known[j] for j in outside]  # numbers, and Values that are no parameters
        self._program = _with_parameters_first(
            traced.scalars, place_of, len(places), [*range(first, arguments), *outside]
        )
        self.expected: Doubles = numpy().array([guard.expected for guard in traced.scalars.guards])
        self.where = [guard.where for guard in traced.scalars.guards]
        self._made: dict[str, Executor] = {}
        self._varies: list[bool] = []

    def in_range(self, numbers: Doubles) -> Booleans:
        """Of each row of data, whether all its indices are those of something."""
        chosen = numbers[..., self._indices]
        fine: Booleans = ((chosen >= 0.0) & (chosen < self._counts)).all(axis=-1)
        return fine

    def fits(self, numbers: Doubles) -> bool:
        """Whether all indices are those of something, in one step."""
        if not self._indices:
            return True
        if numbers.ndim > 1:
            return bool(self.in_range(numbers).all())
        chosen = numbers[self._indices].tolist()  # a few: comparing them one by one is quicker
        return all(0.0 <= x < count for x, count in zip(chosen, self._rows, strict=True))

    def numbers_outside(self) -> list[float]:
        """What it reads beside the parameters and the data, as it is now."""
        return [x.data if isinstance(x, Value) else float(x) for x in self.outside]

    def executor(self, form: str = "single") -> Executor:
        """ "single", "continued", or "batched": the data comes in columns."""
        if form not in self._made:
            self._made[form] = getattr(self, f"_{form}")()
        return self._made[form]

    def _single(self) -> Executor:
        return self._executor(self._program)

    def _batched(self) -> Executor:
        data = range(self.parameters, self.parameters + self.size)
        return self._executor(self._program, frozenset(data))

    @property
    def varies(self) -> list[bool]:
        """Which outputs of the batched form, the loss and then the guards, differ between samples."""
        self.executor("batched")
        return self._varies

    def _continued(self) -> Executor:
        program = _copy(self._program)
        loss = program.outputs[0]
        share = program.add(INPUT)
        before = [program.add(INPUT) for _ in range(self.parameters)]
        root = program.add("mul", loss, share)
        for node, so_far in zip(program.inputs[: self.parameters], before, strict=True):
            # The newest use of a parameter, whose message to it is `so_far`: the first term of its gradient.
            root = program.add("add", root, program.add("mul", node, so_far))
        program.inputs += [share, *before]
        program.outputs = [root]
        # No guard: one output has a gradient, and the loss is wanted too.
        program.guards.append(Guard(loss, nan))
        return self._executor(program)

    def _executor(self, program: Scalars, lanes: frozenset[int] = frozenset()) -> Executor:
        from ..executors import executor
        from ..pipeline import plan_of

        plan = plan_of(program, lanes, range(self.parameters))
        if lanes:
            self._varies = [space == LANES for space, _ in plan.outputs[: sum(plan.parts[:2])]]
        return executor(plan, self._settings.exact, self._settings.dtype)


def _copy(program: Scalars) -> Scalars:
    return replace(
        program,
        ops=list(program.ops),
        args=list(program.args),
        data=dict(program.data),
        inputs=list(program.inputs),
        guards=list(program.guards),
    )


def _with_parameters_first(
    given: Scalars, place_of: Mapping[int, int], count: int, others: Sequence[int]
) -> Scalars:
    """The program with an input for each parameter, used or not, and then its other inputs."""
    program = _copy(given)
    nodes: dict[int, int] = {}
    twice: dict[int, int] = {}
    for j, place in place_of.items():
        node = given.inputs[j]
        if place in nodes:  # one Value in two arguments: the older node stands for both
            older, newer = sorted((node, nodes[place]))
            twice[newer], node = older, older
        nodes[place] = node
    if twice:
        for newer in twice:
            program.ops[newer], program.data[newer] = CONSTANT, 0.0
        program.args = [
            tuple([twice.get(arg, arg) for arg in args]) if args else args for args in program.args
        ]
        program.outputs = [twice.get(node, node) for node in program.outputs]
        program.guards = [replace(guard, node=twice.get(guard.node, guard.node)) for guard in program.guards]
    inputs = [nodes[place] if place in nodes else program.add(INPUT) for place in range(count)]
    program.inputs = inputs + [given.inputs[j] for j in others]
    return program


# ---- parts that are the same for every loss ---------------------------------------------------------


def _compiled(results: Sequence[object], shared: Sequence[Value], lanes: Sequence[Value]) -> Executor:
    from ..executors import executor
    from ..pipeline import plan_of
    from ..tracing import trace_graph

    inputs = [*shared, *lanes]
    traced = trace_graph(list(results), inputs)
    return executor(plan_of(traced.scalars, frozenset(range(len(shared), len(inputs)))))


def _leaves(count: int) -> list[Value]:
    return [Value(0.5) for _ in range(count)]  # any number: a rule branches on none


def clipping(order: Sequence[int], most: float) -> Executor:
    """From all gradients to their norm, and to what `nn.clip_grad_norm_` multiplies them by, or 1.0.

    The squares are added up in the order in which a person listed the parameters, wherever they lie.
    """
    with enable_grad():
        gradients = _leaves(len(order))
        total: Value | float = 0.0
        for place in order:
            total = total + gradients[place] * gradients[place]
        norm = functions.VALUES.sqrt(total)
        factor = functions.min([most / (norm + 1e-6), 1.0])
    return _compiled([norm, factor], gradients, [])


@cache
def averaging() -> Executor:
    """From the sum of a batch's gradients to their mean."""
    with enable_grad():
        count, gradient = _leaves(2)
        return _compiled([gradient / count], [count], [gradient])


@lru_cache(maxsize=16)
def mean_of(count: int) -> Executor:
    """The mean of so many numbers: the row "mean" of the op table, to the bit."""
    from ..executors import executor
    from ..pipeline import plan_of

    program = Scalars()
    program.inputs = [program.add(INPUT) for _ in range(count)]
    program.outputs = [program.add("mean", *program.inputs)]
    return executor(plan_of(program))


def rule(
    step: Rule,
    names: Sequence[str],
    changing: Sequence[str],
    first: int,
    shared: int,
    remembered: Sequence[str],
    clipped: bool,
) -> Executor:
    """An optimiser's step for as many parameters as it is given: data, gradients and memory in columns.

    The shared numbers are those of all groups, so that all can lie in one array: the first two are the norm
    and the factor of `clipping`, and those of this rule begin at `first`.  `remembered` is empty at the first
    step.
    """
    with enable_grad():
        numbers = _leaves(shared)
        data, gradient, *memory = lanes = _leaves(2 + len(remembered))
        now = dict(zip(changing, numbers[first:], strict=False))
        kept = dict(zip(remembered, memory, strict=True))
        moved, after = step(now, data, gradient * numbers[1] if clipped else gradient, kept)
        return _compiled([moved, *(after[name] for name in names)], numbers, lanes)
