"""Fast path of calls whose arguments are arrays and single numbers: no Python object per number.

What a call has to find out (the structure, the variant, the plan, where each argument lies) is found out by
an ordinary call and kept for calls of the same kind.  If anything is not as it was (another variant
is in front, a guard breaks, what f captured has changed) the ordinary way is taken again.
"""

from __future__ import annotations

from collections.abc import Sequence
from operator import attrgetter
from typing import TYPE_CHECKING, Any, TypeAlias

from .numpy_loader import numpy
from .structure import is_doubles
from .variants import Prepared, Variant, VariantCase

if TYPE_CHECKING:
    from .numpy_loader import Array, Doubles

__all__ = ["CallKind", "FastCall", "kind_of"]

CallKind: TypeAlias = "tuple[tuple[int, ...] | None, ...]"  # of each argument its shape; None for a float

_data = attrgetter("data")


def kind_of(args: Sequence[object]) -> CallKind | None:
    """What calls of one kind have in common; None where an argument is no array of doubles and no float."""
    kind: list[tuple[int, ...] | None] = []
    for argument in args:
        if type(argument) is float:
            kind.append(None)
        elif is_doubles(argument):
            kind.append(argument.shape)
        else:
            return None
    return tuple(kind)


class FastCall:
    """Calls of one kind, with one wish."""

    def __init__(
        self,
        case: VariantCase,
        variant: Variant,
        prepared: Prepared,
        starts: Sequence[int],
        chosen: Sequence[int],
    ) -> None:
        self.case, self.variant, self.prepared = case, variant, prepared
        self.starts, self.chosen = list(starts), tuple(chosen)
        self.dtype = prepared.settings.dtype
        values, guards, _ = prepared.plan.parts
        self.guards = slice(values, values + guards) if guards else None
        self.places = []  # of each gradient: where it begins and ends in the outputs
        begin = {}
        place = values + guards
        for n in sorted(chosen):
            begin[n] = place
            place += starts[n + 1] - starts[n]
        for n in chosen:
            self.places.append((begin[n], begin[n] + starts[n + 1] - starts[n]))
        ready = prepared.executor
        # The compiled executor's own, where there is one: a call less.
        self._run = getattr(ready, "program", ready).run_into
        self._empty, self._count = numpy().empty, len(prepared.plan.outputs)
        self._captured = variant.traced.captured
        self._alone = len(starts) == 2 and not self._captured  # one argument: it is the inputs
        self._idle: list[Doubles] = []  # arrays for the inputs: a thread takes one, and puts it back

    def run(self, args: Sequence[Any]) -> Doubles | None:
        """The outputs, or None where the ordinary way has to be taken."""
        variant, variants = self.variant, self.case.variants
        if not variants or variants[0] is not variant or variant.traced.changed():
            return None
        outputs: Doubles = self._empty(self._count)
        if self._alone and type(args[0]) is not float:
            self._run(args[0].reshape(-1), None, outputs, None, 1)
        else:
            shared = self._filled(args)
            self._run(shared, None, outputs, None, 1)
            self._idle.append(shared)
        if self.guards is not None and variant.broken(outputs[self.guards]) >= 0:
            return None
        return outputs

    def _filled(self, args: Sequence[Any]) -> Doubles:
        """An array with the numbers of the arguments and of what f captured."""
        try:
            shared = self._idle.pop()  # atomic, as is append
        except IndexError:
            shared = self._empty(len(self.prepared.plan.inputs))
        starts = self.starts
        for n, argument in enumerate(args):
            if type(argument) is float:
                shared[starts[n]] = argument
            else:
                shared[starts[n] : starts[n + 1]] = argument.reshape(-1)
        if self._captured:
            shared[starts[-1] :] = list(map(_data, self._captured))
        return shared

    def gradients(self, outputs: Doubles, args: Sequence[Any]) -> list[float | Array]:
        """The gradients in the structure of their arguments, which are arrays or numbers."""
        found: list[float | Array] = []
        for n, (begin, end) in zip(self.chosen, self.places, strict=True):
            if type(args[n]) is float:
                found.append(float(outputs[begin]))
            else:
                part = outputs[begin:end].reshape(args[n].shape)
                found.append(part if self.dtype == "float64" else part.astype(self.dtype))
        return found
