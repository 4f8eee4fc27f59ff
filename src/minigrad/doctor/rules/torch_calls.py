"""Calls of PyTorch's custom rules as they are noticed: torch.autograd.Function and torch.library.custom_op.

`MyFunction.apply` may have been taken long before, as in `my_function = MyFunction.apply`.  So the code of
the one function behind all of these is replaced for a while, and put back as it was.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Hashable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from types import CodeType, FunctionType
from typing import TYPE_CHECKING, Any

from .call_record import Sighting, UncopiedError, offer
from .module_copies import ModuleCopies
from .rule_place import code_of, place_of
from .subject import Rule

if TYPE_CHECKING:
    from torch import Tensor

__all__ = ["hook_functions", "hook_ops", "op_function", "surround_functions"]

HERE = "the function that watches"  # a constant in the code, replaced by that function
PLAIN = (bool, int, float, complex, str, bytes, type(None))
DEEPEST = 4  # lists within lists
LONGEST = 64  # members of a list that are looked at


def hook_functions() -> Callable[[], None]:
    """Notice calls of torch.autograd.Function from now on; what comes back ends that."""

    def watch(original: Callable[..., Any], cls: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        ended = _offered(lambda: _function_sighting(cls, args, kwargs))
        try:
            made = original(cls, *args, **kwargs)
        except BaseException:
            ended(False)
            raise
        ended(True)
        return made

    return surround_functions(watch)


def surround_functions(around: Callable[..., Any]) -> Callable[[], None]:
    """Run `around(original, cls, args, kwargs)` in place of each `cls.apply`; what comes back ends that."""
    from torch.autograd.function import Function

    base: Any = Function
    function: FunctionType = base.apply.__func__
    before = function.__code__
    original = FunctionType(
        before, function.__globals__, function.__name__, function.__defaults__, function.__closure__
    )

    def watch(cls: Any, args: tuple[object, ...], kwargs: dict[str, object]) -> object:
        return around(original, cls, args, kwargs)

    function.__code__ = ours = _code_that_calls(watch, before)

    def end() -> None:
        if function.__code__ is ours:
            function.__code__ = before

    return end


def _code_that_calls(watch: Callable[..., object], before: CodeType) -> CodeType:
    """The code of a function of a class that hands its arguments to `watch`.

    It runs among the globals of PyTorch and with the closure of the function whose code it replaces, which is
    the cell of `super()`; so what it calls stands in it as a constant.
    """
    owner = None

    def apply(cls: object, *args: object, **kwargs: object) -> object:
        watching: Any = "the function that watches"
        return watching(cls, args, kwargs) if owner is not watching else None

    code = apply.__code__
    constants: tuple[Any, ...] = tuple(watch if each == HERE else each for each in code.co_consts)
    return code.replace(
        co_consts=constants, co_freevars=before.co_freevars, co_name=before.co_name,
        co_qualname=before.co_qualname,
    )  # fmt: skip


def hook_ops() -> Callable[[], None]:
    """The same for ops: where nothing needs a gradient they do not come to their Function."""
    from torch._library.custom_ops import CustomOpDef

    owner: Any = CustomOpDef
    before = owner.__call__

    def __call__(self: Any, *args: object, **kwargs: object) -> object:  # noqa: N807 it replaces one
        ended = _offered(lambda: _op_sighting(self._opoverload, args, kwargs) if self._backward_fn else None)
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


def _offered(sighted: Callable[[], Sighting | None]) -> Callable[[bool], None]:
    import torch

    try:
        if torch.compiler.is_compiling():
            return _nobody
        with torch._C.DisableTorchFunction():
            sighting = sighted()
            return _nobody if sighting is None else offer(sighting)
    except Exception:  # whatever it is, the program goes on as it would have without us
        return _nobody


def _nobody(returned: bool) -> None: ...


# ---- what is called -----------------------------------------------------------------------------


def _function_sighting(cls: Any, args: tuple[object, ...], kwargs: dict[str, object]) -> Sighting | None:
    if cls.__module__.partition(".")[0] == "torch":
        return _generated_sighting(cls, args) if cls.__module__ == "torch._library.autograd" else None
    if kwargs:
        bound = inspect.signature(cls.forward).bind(*args, **kwargs)
        bound.apply_defaults()
        args = bound.args
    rule = vars(cls).get("vjp") or cls.backward
    codes = (code_of(cls.forward), code_of(rule))
    key = (cls.__module__, cls.__qualname__, *codes)
    return _sighting(key, cls, cls.__name__, (rule, cls.forward), args, _captured(cls.forward, rule))


def _generated_sighting(cls: Any, args: tuple[object, ...]) -> Sighting | None:
    """The op behind a Function that PyTorch made for it."""
    function = cls.forward
    for _ in range(3):
        cells = inspect.getclosurevars(function).nonlocals
        if "op" in cells:
            break
        function = cells["orig_forward"]  # an op with lists of tensors
    else:
        return None
    metadata = args[-1]
    if hasattr(metadata, "input_spec"):  # the lists were taken apart
        import torch

        args = tuple(torch.utils._pytree.tree_unflatten(list(args[:-1]), metadata.input_spec))
        metadata = args[-1]
    return _op_sighting(cells["op"], args[:-1], getattr(metadata, "keyword_only_args", {}))


def _op_sighting(op: Any, args: tuple[object, ...], kwargs: dict[str, object]) -> Sighting | None:
    names = [each.name for each in op._schema.arguments if not each.kwarg_only]
    given = list(args) + [kwargs[name] for name in names[len(args) :] if name in kwargs]
    rest = {name: x for name, x in kwargs.items() if name not in names}
    if len(given) < len(names):  # the dispatcher leaves out what is the default
        given += [each.default_value for each in op._schema.arguments[len(given) : len(names)]]
    function = op_function(op, rest)
    definition = _definition(op)
    places = (getattr(definition, "_backward_fn", None), getattr(definition, "_init_fn", None))
    return _sighting(("op", str(op)), function, function.__name__, places, tuple(given), tuple(rest.items()))


def _definition(op: Any) -> Any:
    """What torch.library.custom_op returned; None for an op that was defined in another way."""
    import torch

    return torch._library.custom_ops.OPDEFS.get(op.name().rpartition(".")[0] or op.name()) or (
        torch._library.custom_ops.OPDEFS.get(op.name())
    )


def op_function(op: Any, kwargs: dict[str, object] | None = None) -> FunctionType:
    """An op as a function that has a name, and names for its arguments."""

    def call(*args: object) -> object:
        return op(*args, **(kwargs or {}))

    kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
    names = [each.name for each in op._schema.arguments if not each.kwarg_only]
    call.__signature__ = inspect.Signature([inspect.Parameter(name, kind) for name in names])  # type: ignore[attr-defined]
    call.__name__ = call.__qualname__ = str(op._schema.name)
    call.__module__ = str(getattr(getattr(_definition(op), "_init_fn", None), "__module__", "torch.ops"))
    return call  # type: ignore[return-value]


def _captured(*functions: object) -> tuple[Hashable, ...]:
    """Plain values that a rule has from the function around it, such as a number of bits."""
    cells = [cell for each in functions for cell in getattr(each, "__closure__", None) or ()]
    values = [cell.cell_contents for cell in cells if _is_filled(cell)]
    return tuple(repr(x) for x in values if isinstance(x, PLAIN))


def _is_filled(cell: Any) -> bool:
    try:
        return cell.cell_contents is not cell
    except ValueError:
        return False


# ---- with which arguments -----------------------------------------------------------------------


def _sighting(
    key: Hashable,
    fn: Rule,
    name: str,
    places: Sequence[object],
    args: tuple[object, ...],
    more: tuple[Hashable, ...],
) -> Sighting:
    tensors = list(_tensors(args))
    numbers = sum(x.numel() for x in tensors)
    size = sum(x.numel() * x.element_size() for x in tensors)
    signature = (_signature(args), more)
    return Sighting(
        key, fn, name, "torch", place_of(*places), signature, size, numbers, lambda: _copies(args)
    )


def _members(x: object) -> Sequence[object]:
    if isinstance(x, (list, tuple)):
        return x[:LONGEST]
    return list(x.values())[:LONGEST] if isinstance(x, dict) else ()


def _tensors(args: Sequence[object], depth: int = 0) -> Iterator[Tensor]:
    import torch

    for x in args:
        if isinstance(x, torch.Tensor):
            yield x
        elif depth < DEEPEST:
            yield from _tensors(_members(x), depth + 1)


def _signature(x: object, depth: int = 0) -> Hashable:
    import torch

    if isinstance(x, torch.Tensor):
        return tuple(map(str, x.shape)), x.dtype, x.requires_grad
    if isinstance(x, PLAIN):
        return repr(x)[:LONGEST]
    if depth < DEEPEST and (members := _members(x)):
        return type(x), tuple(_signature(each, depth + 1) for each in members)
    return type(x).__qualname__


def _copies(args: tuple[object, ...]) -> tuple[tuple[object, ...], str]:
    """Copies of the arguments that nothing of the program reaches; UncopiedError where there can be none."""
    import torch

    invented: list[bool] = []
    modules = ModuleCopies(args)
    random = torch.Generator().manual_seed(0)

    def copied(x: object, depth: int = 0) -> object:
        if (twin := modules.of(x)) is not None:
            return twin
        if isinstance(x, torch.Tensor):
            return tensor(x)
        if depth < DEEPEST and type(x) in (list, tuple):
            return type(x)(copied(each, depth + 1) for each in x)  # type: ignore[call-arg, attr-defined]
        if depth < DEEPEST and type(x) is dict:
            return {name: copied(each, depth + 1) for name, each in x.items()}
        return x

    def tensor(x: Tensor) -> Tensor:
        needed = x.requires_grad
        inner = _unwrapped(x)
        if _has_no_numbers(inner):
            invented.append(True)
            made = _like(inner, random)
        elif type(inner).__torch_dispatch__ is not torch.Tensor.__torch_dispatch__:
            raise UncopiedError("call_subclass")
        elif inner.is_cuda and torch.cuda.is_current_stream_capturing():
            raise UncopiedError("call_captured")
        else:
            made = inner.detach()
            made = (made.as_subclass(torch.Tensor) if made.layout == torch.strided else made).clone()
        floating = made.is_floating_point() or made.is_complex()
        return made.requires_grad_(needed and floating)

    with _apart():
        return tuple(map(copied, args)), "shapes" if invented else "recorded"


def _unwrapped(x: Tensor) -> Tensor:
    """The tensor below the wrappers of torch.func; of many samples of vmap, the first."""
    import torch

    functorch = torch._C._functorch
    while functorch.is_functorch_wrapped_tensor(x):
        axis = functorch.maybe_get_bdim(x) if functorch.is_batchedtensor(x) else -1
        x = functorch.get_unwrapped(x)
        if axis >= 0:
            x = x.select(axis, 0)
    return x


def _has_no_numbers(x: Tensor) -> bool:
    from torch._subclasses.fake_tensor import FakeTensor
    from torch._subclasses.functional_tensor import FunctionalTensor

    return isinstance(x, (FakeTensor, FunctionalTensor)) or x.is_meta


def _like(x: Tensor, random: Any) -> Tensor:
    """Other numbers in the shape and the type of a tensor that has none."""
    import torch

    shape = list(x.shape)
    if not all(type(n) is int for n in shape):
        raise UncopiedError("call_symbolic")
    if x.dtype.is_floating_point or x.dtype.is_complex:
        made = torch.rand(shape, generator=random, dtype=torch.float64)
        return (0.1 + 0.8 * made).to(x.dtype)  # inside of most domains
    return torch.zeros(shape, dtype=x.dtype)


@contextmanager
def _apart() -> Iterator[None]:
    """A block in which no mode, no transform and no record of gradients of the program takes part."""
    import torch
    from torch._functorch.pyfunctorch import temporarily_clear_interpreter_stack
    from torch.utils._python_dispatch import _disable_current_modes

    with ExitStack() as stack:
        stack.enter_context(torch._C.DisableTorchFunction())
        stack.enter_context(_disable_current_modes())
        stack.enter_context(temporarily_clear_interpreter_stack())
        stack.enter_context(torch.inference_mode(False))
        stack.enter_context(torch.no_grad())
        yield
