"""Job of an export: one program, for one structure of arguments, on its way to another library."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from operator import index
from typing import TYPE_CHECKING, TypeAlias, cast

from ...text.translation import say
from ..numpy_loader import numpy
from ..pipeline import plan_of
from ..plan import LANES, Plan
from ..structure import take_apart
from ..traced_function import TracedFunction
from .dialect import Dialect, DialectArray
from .leaves import Leaf, leaves_of, structure_text
from .writer import ArrayWriter

if TYPE_CHECKING:
    import numpy as np
else:
    np = numpy()

__all__ = ["ExportJob", "Which"]

Which: TypeAlias = Iterable[int | str] | int | str  # arguments, by their numbers or names
MODULES = ("np", "jax", "jnp", "torch", "nn", "F")  # what the texts import: an argument would stand before it


def places_of(which: Which, word: str, names: Sequence[str] | None, count: int) -> frozenset[int]:
    """The places of the arguments that `which` names or numbers; `word` is what the option is called."""
    known = list(names or ())
    found = set()
    for one in (which,) if isinstance(which, (int, str)) else which:
        place = known.index(one) if isinstance(one, str) and one in known else one
        try:
            number = -1 if isinstance(place, bool) else index(cast("int", place))
        except TypeError:
            number = -1
        if not 0 <= number < count:
            named = f": {', '.join(known)}" if known else ""
            raise ValueError(
                say("compile.handover.argument", option=word, given=repr(one), count=count, names=named)
            )
        found.add(number)
    return frozenset(found)


class ExportJob:
    """What all exports begin with: the arguments as arrays, the example's numbers, and plans."""

    def __init__(
        self,
        traced: TracedFunction,
        arguments: Sequence[object],
        names: Sequence[str] | None,
        batch: Which = (),
    ) -> None:
        self.traced = traced
        self._plans: dict[tuple[tuple[str, ...], bool, bool], Plan] = {}
        _, _, self.trees = traced.arguments
        self.names = list(names) if names else [f"a{place}" for place in range(len(self.trees))]
        self.names = [f"{name}_" if name in MODULES else name for name in self.names]
        self.taken = {*self.names, "captured", "value", "value_and_grad", "function", "Program"}
        self.leaves = leaves_of(self.trees, self.names, {*self.taken}, arguments=True)
        given = [float(x) for x in take_apart(tuple(arguments)).numbers]
        self.captured = np.array([float(value.data) for value in traced.captured], np.float64)
        self.example = np.concatenate([np.array(given, np.float64), self.captured])
        if len(self.captured):
            place = len(self.names)
            leaf = Leaf("captured", "captured", "captured", place, self.captured.shape, len(given))
            self.leaves.append(leaf)
        self.taken |= {leaf.name for leaf in self.leaves}
        self.batch = places_of(batch, "batch", names, len(self.trees))
        self.lanes = frozenset(
            j for leaf in self.leaves if leaf.argument in self.batch for j in self.numbers(leaf)
        )
        self.results = leaves_of([traced.result], ["result"], {*self.taken})

    @classmethod
    def holding(
        cls,
        traced: TracedFunction,
        arguments: Sequence[object],
        names: Sequence[str] | None,
        parameters: Which,
    ) -> ExportJob:
        """A job in which the arguments `parameters` are held, and all others come in batches."""
        count = len(traced.arguments[2])
        held = places_of(parameters, "parameters", names, count)
        return cls(traced, arguments, names, [place for place in range(count) if place not in held])

    def numbers(self, leaf: Leaf) -> range:
        return range(leaf.first, leaf.first + leaf.size)

    def of(self, leaf: Leaf) -> np.ndarray:
        """The example's numbers of one array."""
        return self.example[leaf.first : leaf.first + leaf.size].reshape(leaf.shape)

    def smooth(self, leaf: Leaf) -> bool:
        """Whether there is a slope in it: an index has none."""
        kinds = self.traced.kinds[leaf.first : leaf.first + leaf.size]
        return not kinds or "f" in kinds

    @property
    def scalar(self) -> bool:
        """Whether the program returns one number, and so has gradients."""
        return self.traced.result is None

    def plan(self, gradients: Sequence[Leaf] = (), *, reuse: bool = False, stops: bool = False) -> Plan:
        key = (tuple(leaf.name for leaf in gradients), reuse, stops)
        if key not in self._plans:
            wanted = [j for leaf in gradients for j in self.numbers(leaf)]
            self._plans[key] = plan_of(self.traced.scalars, self.lanes, wanted, reuse=reuse, stops=stops)
        return self._plans[key]

    def writer(self, plan: Plan, dialect: Dialect, texts: dict[str, str] | None = None) -> ArrayWriter:
        """A writer that knows the arguments under their names."""
        dialect.taken |= self.taken
        inputs = []
        for leaf in self.leaves:
            if leaf.size:
                space, cell = plan.inputs[leaf.first]
                text = (texts or {}).get(leaf.name, leaf.name)
                inputs.append((DialectArray(text, leaf.shape, space == LANES), space, cell))
        return ArrayWriter(plan, dialect, inputs)

    def guards(self) -> list[tuple[float, str]]:
        """The number that each guard must have, and where in the user's code it was found."""
        return [(guard.expected, guard.where) for guard in self.traced.scalars.guards]

    def returned(self, texts: Sequence[str]) -> str:
        """The text of what the program returns."""
        return structure_text(self.traced.result, iter(texts))

    def outputs(self, writer: ArrayWriter) -> list[DialectArray]:
        """The arrays of what the program returns."""
        places = writer.plan.outputs
        return [
            writer.numbers(places[leaf.first : leaf.first + leaf.size], leaf.shape) for leaf in self.results
        ]
