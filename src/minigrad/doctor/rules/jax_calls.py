"""Calls of JAX's custom rules as they are noticed: functions with custom_vjp or custom_jvp.

Inside grad the numbers of a call are those below its tracers; inside vmap, those of the first sample; inside
jit there are none, and only the shapes are kept.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Hashable
from math import prod
from typing import Any

from .call_record import Sighting, UncopiedError, offer
from .rule_place import code_of, place_of

__all__ = ["arrays_of", "hook"]

PLAIN = (bool, int, float, complex, str, bytes, type(None))
LONGEST = 64  # characters of a plain value that are compared
DEEPEST = 20  # tracers within each other


def hook() -> Callable[[], None]:
    """Notice calls from now on; what comes back ends that."""
    from jax._src import custom_derivatives

    ends = [_hook_class(getattr(custom_derivatives, name)) for name in ("custom_vjp", "custom_jvp")]

    def end() -> None:
        for each in ends:
            each()

    return end


def _hook_class(owner: Any) -> Callable[[], None]:
    before = owner.__call__

    def __call__(self: Any, *args: object, **kwargs: object) -> object:  # noqa: N807 it replaces one
        ended = _offered(self, args, kwargs)
        try:
            made = before(self, *args, **kwargs)
        except BaseException:
            ended(False)
            raise
        ended(True)
        return made

    owner.__call__ = __call__

    def end() -> None:
        if owner.__call__ is __call__:
            owner.__call__ = before

    return end


def _offered(rule: Any, args: tuple[object, ...], kwargs: dict[str, object]) -> Callable[[bool], None]:
    try:
        home = str(rule.fun.__module__)
        if home.partition(".")[0] in ("jax", "jaxlib"):
            return _nobody
        return offer(_sighting(rule, home, args, kwargs))
    except Exception:  # whatever it is, the program goes on as it would have without us
        return _nobody


def _nobody(returned: bool) -> None: ...


def _sighting(rule: Any, home: str, args: tuple[object, ...], kwargs: dict[str, object]) -> Sighting:
    import jax

    function = rule.fun
    if kwargs:
        bound = inspect.signature(function).bind(*args, **kwargs)
        bound.apply_defaults()
        args = bound.args
    own = getattr(rule, "bwd", None) or getattr(rule, "jvp", None)
    leaves = [x for x in jax.tree_util.tree_leaves(args) if hasattr(x, "shape") and hasattr(x, "dtype")]
    numbers = sum(prod(x.shape) for x in leaves)
    size = sum(prod(x.shape) * getattr(x.dtype, "itemsize", 4) for x in leaves)
    signature = tuple(map(_signature, jax.tree_util.tree_leaves(args)))
    name = str(getattr(function, "__name__", type(function).__name__))
    key = (home, name, code_of(function), code_of(own))
    return Sighting(
        key, rule, name, "jax", place_of(own, function), signature, size, numbers, lambda: _copies(args)
    )


def _signature(x: object) -> Hashable:
    if hasattr(x, "shape") and hasattr(x, "dtype"):
        return tuple(x.shape), str(x.dtype)
    return repr(x)[:LONGEST] if isinstance(x, PLAIN) else type(x).__qualname__


def _copies(args: tuple[object, ...]) -> tuple[tuple[object, ...], str]:
    """Arrays of NumPy with the numbers of the call: what JAX holds may be given away by the program."""
    import jax
    import numpy

    random = numpy.random.default_rng(0)
    invented: list[bool] = []

    def copied(x: object) -> object:
        inner = _below(x)
        if isinstance(inner, jax.core.Tracer):
            invented.append(True)
            return _like(inner, random)
        if isinstance(inner, (jax.Array, numpy.ndarray)):
            if jax.dtypes.issubdtype(inner.dtype, jax.dtypes.prng_key):
                return inner
            return numpy.array(inner)
        return inner

    kept = jax.tree_util.tree_map(copied, args)
    return kept, "shapes" if invented else "recorded"


def _below(x: Any) -> Any:
    """The numbers below the tracers of grad; of many samples of vmap, the first."""
    import jax

    for _ in range(DEEPEST):
        if not isinstance(x, jax.core.Tracer):
            return x
        if hasattr(x, "primal"):
            x = x.primal
        elif isinstance(getattr(x, "batch_dim", None), int):
            inner, axis = _below(x.val), x.batch_dim
            if isinstance(inner, jax.core.Tracer):
                return x
            x = inner.take(0, axis=axis)
        elif hasattr(x, "batch_dim"):
            x = x.val
        else:
            return x
    return x


def _like(x: Any, random: Any) -> object:
    """Other numbers in the shape and the type of an array that has none."""
    import numpy

    shape = tuple(x.shape)
    if not all(isinstance(n, int) for n in shape):
        raise UncopiedError("call_symbolic")
    if numpy.issubdtype(numpy.dtype(str(x.dtype)), numpy.floating):
        return random.uniform(0.1, 0.9, shape).astype(str(x.dtype))  # inside of most domains
    return numpy.zeros(shape, dtype=str(x.dtype))


def arrays_of(arguments: tuple[object, ...]) -> tuple[object, ...]:
    """The arguments of a recorded call as JAX takes them, with what were arrays as arrays of JAX."""
    import jax
    import numpy

    made: tuple[object, ...] = jax.tree_util.tree_map(
        lambda x: jax.numpy.asarray(x) if isinstance(x, numpy.ndarray) else x, arguments
    )
    return made
