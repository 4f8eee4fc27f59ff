"""Program: a compiled function, as its user holds it.

Called with numbers it gives numbers, with Values one Value above them; `value_and_grad`, `grad` and `batched`
are its other forms.  `trace_cache.py` decides which traced variant of the function a call uses.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from inspect import signature
from itertools import compress
from operator import attrgetter
from os import PathLike
from typing import TYPE_CHECKING, Any, NoReturn

from .. import functional
from ..graph import Graph
from ..scalar import Value
from ..text.excerpts import describe
from ..text.translation import say
from ..values.no_grad import enable_grad, paused
from .call_arguments import (
    Argnums,
    chosen_arguments,
    graph_at,
    inputs_of,
    inside_another,
    inside_transform,
    labels,
    learning_places,
    numbers_of,
    one_number,
    parameters,
    plain,
)
from .fast_path import CallKind, FastCall, kind_of
from .plan import Plan
from .scalars import Scalars
from .structure import Parts, like, put_together, take_apart
from .trace_cache import TraceCache, VariantRun
from .traced_function import TracedFunction
from .variants import CompileSettings, Variant

if TYPE_CHECKING:
    from ..nn.optimisers import Optimizer
    from .batching import Batched
    from .cluster import Client
    from .export.c_text import CSource
    from .export.job import Which
    from .export.source import Source
    from .export.torch_text import TorchSource
    from .numpy_loader import Doubles
    from .report import Compiled
    from .steps import Training

__all__ = ["Program"]


OBJECTS = 64  # whose compiled methods are kept; a program holds its object
_wants = attrgetter("requires_grad")


class Program:
    """A function over numbers, run as vector instructions.  Made by `minigrad.compile`."""

    def __init__(
        self,
        f: Callable[..., object] | None,
        settings: CompileSettings,
        *,
        names: Sequence[str] = (),
        name: str = "",
        root: tuple[Value, Sequence[object]] | None = None,
    ) -> None:
        self.f = f  # None where the program was read from a file, or made of a graph
        self.settings = settings
        self.__name__ = name or getattr(f, "__name__", type(f).__name__)
        self.__doc__ = getattr(f, "__doc__", None)
        if f is not None:
            self.__wrapped__ = f
        self.names = tuple(names) or parameters(f)
        self.root = root  # of compile(value, inputs=...): the two
        self.trace_cache = TraceCache(f, root, settings, self.__name__)
        self._short: dict[tuple[CallKind, Argnums | None], FastCall] = {}
        self._bound: dict[
            int, tuple[object, Program]
        ] = {}  # of a method: the last objects, and their programs

    # ---- what is asked of it ------------------------------------------------------------

    def __call__(self, *args: object, **named: object) -> Any:
        """What f returns.  Numbers are floats; where Values went in, or f uses some, they are Values."""
        args = self._positional(args, named)
        if inside_another(args):
            return self.itself()(*args)
        quick = self._quick(args, None)
        outputs = None if quick is None else quick.run(args)
        if quick is not None and outputs is not None:
            count = quick.prepared.plan.parts[0]
            return put_together(quick.variant.traced.result, outputs[:count].tolist())
        parts = self._parts(args)
        learning = not paused()
        wanted = learning_places(parts) if learning else ()

        def wish(variant: Variant) -> Sequence[int]:
            if not learning or len(variant.traced.scalars.outputs) != 1:
                return ()
            learnt = variant.learnt
            return (*wanted, *learnt) if learnt else wanted

        found = self.trace_cache.find(parts, wish)
        if found is None:
            return self._as_it_stands(parts)
        traced = found.variant.traced
        if not parts.values and not traced.captured:
            self._remember(args, None, parts, found, ())
            return put_together(traced.result, found.values)
        children = list(compress(parts.values, map(_wants, parts.values))) if learning else []
        if learning:
            children += [v for v in traced.captured if v.requires_grad]
        return put_together(traced.result, found.nodes(children, wanted))

    def value_and_grad(self, *args: object, argnums: Argnums = 0, **named: object) -> tuple[Any, Any]:
        """The value of f, which must be one number, and its gradient by argument 0, or by `argnums`.

        Both are floats, the gradient in the structure of its argument: an array for an array.
        """
        args = self._positional(args, named)
        if inside_another(args, derivative=True):
            return functional.value_and_grad(self.itself(), argnums)(*args)
        quick = self._quick(args, argnums)
        outputs = None if quick is None else quick.run(args)
        if quick is not None and outputs is not None:
            every = quick.gradients(outputs, args)
            return float(outputs[0]), every[0] if isinstance(argnums, int) else tuple(every)
        chosen, single = chosen_arguments(argnums, len(args))
        parts = self._parts(args, chosen)
        wanted = numbers_of(parts.starts, chosen)

        def wish(variant: Variant) -> Sequence[int]:
            one_number(variant.traced, "value_and_grad")
            return wanted

        found = self.trace_cache.find(parts, wish)
        if found is not None and inside_transform() and found.variant.learnt:
            # An outer derivative may be one by a Value that f captured: the nodes must be there for it.
            return functional.value_and_grad(self.itself(), argnums)(*args)
        if found is None:
            value, gradients = functional.value_and_grad(self.itself(), chosen)(*parts.as_traced())
            flat: list[Sequence[float] | Doubles] = [
                take_apart((gradient,), (0,)).numbers for gradient in gradients
            ]
        else:
            self._remember(args, argnums, parts, found, chosen)
            value, flat = found.values[0], []
            for n in chosen:
                size = parts.starts[n + 1] - parts.starts[n]
                first = wanted.index(parts.starts[n]) if size else 0
                flat.append(found.gradients[first : first + size])
        shaped = [like(args[n], numbers, self.dtype) for n, numbers in zip(chosen, flat, strict=True)]
        return plain(value), shaped[0] if single else tuple(shaped)

    def grad(self, *args: object, argnums: Argnums = 0, **named: object) -> Any:
        """The gradient of f by argument 0, or by `argnums`."""
        return self.value_and_grad(*args, argnums=argnums, **named)[1]

    def batched(self, *which: int | str) -> Batched:
        """The program over a batch: the arguments `which`, or all, have an added leading axis."""
        from .batching import Batched

        return Batched(self, which)

    def __get__(self, instance: object, owner: type | None = None) -> Program:
        """A compiled method: one program for each object, which is traced with the object as it is."""
        if instance is None or self.f is None:
            return self
        found = self._bound.get(id(instance))
        if found is None:
            while len(self._bound) >= OBJECTS:
                self._bound.pop(next(iter(self._bound)))
            found = instance, Program(self.f.__get__(instance, owner), self.settings)
            self._bound[id(instance)] = found
        return found[1]

    # ---- what it is made of -------------------------------------------------------------

    @property
    def exact(self) -> bool:
        return self.settings.exact

    @property
    def dtype(self) -> str:
        return self.settings.dtype

    @property
    def threads(self) -> int:
        return self.settings.threads

    @property
    def variants(self) -> list[TracedFunction]:
        """What was traced so far: one TracedFunction for each structure of arguments and way through f."""
        return [variant.traced for variant in self.trace_cache.variants()]

    @property
    def guards(self) -> list[str]:
        """The lines of f that decide which way it goes, each once."""
        lines = (guard.where for traced in self.variants for guard in traced.scalars.guards)
        return list(dict.fromkeys(lines))

    def traced(self, *args: object, **named: object) -> TracedFunction:
        """The traced function that a call with these arguments uses; without arguments, the one used last."""
        return self._variant(args, named).traced

    def recording(self, *args: object, **named: object) -> TracedFunction:
        """The same as `traced`, under the name that it had in version 0.1."""
        return self.traced(*args, **named)

    def scalars(self, *args: object, **named: object) -> Scalars:
        """The program of single numbers that these arguments lead to, as it was traced."""
        return self.traced(*args, **named).scalars

    def plan(self, *args: object, argnums: Argnums | None = None, **named: object) -> Plan:
        """The vector instructions that these arguments lead to; with `argnums`, those of its gradient too."""
        variant = self._variant(args, named, argnums)
        return variant.prepared(inputs_of(variant.traced, argnums)).plan

    def graph(self, *args: object, **named: object) -> Graph:
        """The graph of f at these arguments, computed node by node, for minigrad.explain."""
        args = self._positional(args, named)
        if self.root is not None:
            return graph_at(*self.root, self._parts(args).numbers)
        f, parts = self.itself(), self._parts(args)
        with enable_grad():
            names = labels(parts.tree, self.parameter_names(len(args)))
            leaves = [
                Value(x, label=name) if kind == "f" else x
                for x, kind, name in zip(parts.numbers, parts.kinds, names, strict=True)
            ]
            result = f(*put_together(parts.tree, leaves))
        if not isinstance(result, Value):
            raise ValueError(say("compile.graph.one", given=describe(result)))
        return Graph.of(result)

    def explain(self, *args: object, argnums: Argnums | None = None, **named: object) -> Compiled:
        """How many nodes became how many instructions, and which.  Print it."""
        from .report import Compiled

        return Compiled(self, self._variant(args, named, argnums), argnums)

    def save(self, path: str | PathLike[str], *args: object, **named: object) -> None:
        """Write what was traced so far to a file, for `minigrad.compile.load`; f itself is not in it."""
        from .program_file import save

        if args or named:
            self.traced(*args, **named)
        save(self, path)

    # ---- exports: each is a file of its own ----------------------------------------------

    def to_numpy(self, *args: object, batch: Which = (), check: bool = True) -> Source:
        """Readable NumPy source with `value` and `value_and_grad`, traced and checked at these arguments.

        `batch` has the numbers or names of the arguments with one more axis in front.  check=False: no
        comparison.
        """
        from .export import to_numpy

        return to_numpy(self.traced(*args), args, names=self._names_of(args), batch=batch, check=check)

    def to_c(
        self, *args: object, name: str = "program", dtype: str = "float64", check: bool = True
    ) -> CSource:
        """One self-contained file of C99 with its gradient, traced and checked at these arguments.

        Its functions begin with `name`.  dtype="float32" for floats; check=False for no comparison.
        """
        from .export import to_c

        return to_c(self.traced(*args), args, names=self._names_of(args), name=name, dtype=dtype, check=check)

    def to_torch(
        self,
        *args: object,
        parameters: Which = (0,),
        dtype: str = "float64",
        check: bool = True,
    ) -> TorchSource:
        """Readable PyTorch source; its `module()` is an nn.Module with the parameters given here.

        `parameters` has the numbers or names of the arguments that are parameters.  dtype="float32" for
        floats; check=False for no comparison.
        """
        from .export import to_torch

        return to_torch(
            self.traced(*args),
            args,
            names=self._names_of(args),
            parameters=parameters,
            dtype=dtype,
            check=check,
        )

    def to_jax(self, *args: object, check: bool = True) -> Source:
        """Readable JAX source with `value`, a pure function.  check=False for no comparison."""
        from .export import to_jax

        return to_jax(self.traced(*args), args, names=self._names_of(args), check=check)

    def to_onnx(
        self,
        *args: object,
        parameters: Which = (0,),
        dtype: str = "float64",
        check: bool = True,
    ) -> Any:
        """The program as an ONNX model.

        `parameters` has the numbers or names of the arguments that are its initializers.  dtype="float32"
        for floats; check=False for no comparison.
        """
        from .export import to_onnx

        return to_onnx(
            self.traced(*args),
            args,
            names=self._names_of(args),
            parameters=parameters,
            dtype=dtype,
            check=check,
        )

    def training(
        self, optimiser: Optimizer, *held: object, clip: float = 0.0, batched: bool = False
    ) -> Training:
        """Whole training steps, optimiser and all; `held` are the first arguments of f, which stay.

        `clip` is the largest norm of a gradient, 0 for any.  batched=True: the arguments of a step have one
        more axis in front and its loss is the mean.  See `minigrad.compiler.steps`.
        """
        from .steps import training

        return training(self, optimiser, *held, clip=clip, batched=batched)

    def map_gradient(
        self,
        batches: Iterable[object],
        client: Client,
        *,
        held: Sequence[object] = (),
        argnums: Argnums = 0,
        in_flight: int = 0,
        retries: int = 3,
    ) -> tuple[float, Any]:
        """Value and gradient summed over batches on a Dask cluster.

        `held` are the first arguments of f, which stay; `argnums` says which of them to differentiate by.
        For `in_flight` and `retries` see `minigrad.compiler.cluster`.
        """
        from .cluster import map_gradient

        return map_gradient(
            self, batches, client, held=held, argnums=argnums, in_flight=in_flight, retries=retries
        )

    # ---- the short way ------------------------------------------------------------------

    def _quick(self, args: Sequence[object], argnums: Argnums | None) -> FastCall | None:
        kind = kind_of(args)
        if kind is None or inside_transform():
            return None
        wish = argnums if argnums is None or isinstance(argnums, int) else tuple(argnums)
        return self._short.get((kind, wish))

    def _remember(
        self,
        args: Sequence[object],
        argnums: Argnums | None,
        parts: Parts,
        found: VariantRun,
        chosen: Sequence[int],
    ) -> None:
        """Keep what this call has found out, for those of its kind."""
        kind = kind_of(args)
        if kind is None or found.variant.traced.rows:
            return
        prepared = found.variant.prepared(numbers_of(parts.starts, chosen))
        case = self.trace_cache.case(parts.tree, parts.kinds)
        wish = argnums if argnums is None or isinstance(argnums, int) else tuple(argnums)
        self._short[kind, wish] = FastCall(case, found.variant, prepared, parts.starts, chosen)

    # ---- small things -------------------------------------------------------------------

    def _variant(
        self, args: tuple[object, ...], named: dict[str, object], argnums: Argnums | None = None
    ) -> Variant:
        if not args and not named and self.trace_cache.last is not None:
            return self.trace_cache.last
        args = self._positional(args, named)
        floats = () if argnums is None else chosen_arguments(argnums, len(args))[0]
        found = self.trace_cache.find(self._parts(args, floats), lambda variant: ())
        if found is None:
            raise ValueError(say("compile.no_variant", name=self.__name__))
        return found.variant

    # ---- arguments ----------------------------------------------------------------------

    def _parts(self, args: Sequence[object], floats: Sequence[int] = ()) -> Parts:
        if self.root is None:
            parts = take_apart(args, floats)
            kinds = self.trace_cache.fitting(parts.tree, parts.kinds)
            return parts if kinds == parts.kinds else replace(parts, kinds=kinds)
        parts = take_apart(args, range(len(args)))
        wanted = take_apart(self.root[1]).tree
        if parts.tree != wanted:
            raise ValueError(say("compile.inputs.structure", count=len(self.root[1])))
        return parts

    def _positional(self, args: tuple[object, ...], named: dict[str, object]) -> tuple[object, ...]:
        """The arguments in their order; those of a graph that are not given are its own inputs."""
        if self.root is not None and not args and not named:
            return tuple(self.root[1])
        if not named:
            return args
        if self.f is not None:
            bound = signature(self.f).bind(*args, **named)
            if bound.kwargs:
                raise TypeError(say("compile.keyword", given=", ".join(bound.kwargs)))
            return bound.args
        rest = [name for name in self.names[len(args) :] if name in named]
        if len(rest) < len(named) or rest != list(self.names[len(args) : len(args) + len(rest)]):
            raise TypeError(say("compile.keyword", given=", ".join(named)))
        return (*args, *(named[name] for name in rest))

    def parameter_names(self, count: int) -> tuple[str, ...]:
        """The names of the first `count` arguments; a0, a1, ... for those that have none."""
        return (*self.names[:count], *(f"a{n}" for n in range(len(self.names), count)))

    def _names_of(self, args: Sequence[object]) -> tuple[str, ...]:
        return self.parameter_names(len(args))

    def itself(self) -> Callable[..., object]:
        if self.f is None:
            raise ValueError(say("compile.no_function", name=self.__name__))
        return self.f

    def _as_it_stands(self, parts: Parts) -> Any:
        """f itself, called: floats come back as floats, as from a program."""
        result = self.itself()(*parts.as_traced())
        if parts.values:
            return result
        found = take_apart((result,), (0,))
        if any(value.requires_grad for value in found.values):
            return result
        return put_together(found.tree, found.numbers)[0]

    def __reduce_ex__(self, protocol: object) -> NoReturn:
        raise TypeError(say("compile.pickle", name=self.__name__))

    def __repr__(self) -> str:
        return f"<Program {self.__name__}: {say('compile.repr', count=len(self.variants))}>"
