"""Rules of PyTorch: subclasses of torch.autograd.Function, and functions that use them.

The examination runs on float64 copies, on the device of the inputs, under a fixed seed; the random state
and the inputs of the caller stay as they are.
"""

from __future__ import annotations

import inspect
import platform
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, field, replace
from math import prod
from random import Random
from types import ModuleType
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias, cast

from .forward_variants import ForwardStep, forward_steps, held_constant, straight_through
from .grids import Grid, Shape
from .invented_inputs import (
    Attempt,
    Stand,
    compared_literals,
    default_arguments,
    invent_inputs,
    parameter_names,
)
from .invented_modules import invented_module, with_parameters
from .invented_settings import InventedSettings
from .module_copies import ModuleCopies, preserved, runs_others
from .report import ExaminedInput, RuleFinding, Unseen
from .rule_source import rule_source
from .stages import RuleStage
from .subject import LARGER, Point, Rule, RuleGradients, RuleRefusedError, error_text, runs_backward

if TYPE_CHECKING:
    import torch
    from torch import Tensor

    Precision: TypeAlias = torch.dtype

ONLY_BACKWARD = re.compile(r"\.grad\(\)|autograd\.grad\b|\.backward\(\)|checkpoint_valid")

__all__ = [
    "BackwardRun",
    "StandIn",
    "TorchSubject",
    "apart",
    "asking_for_more",
    "is_torch",
    "one_thread",
    "takes_ctx",
    "torch_subject",
]


def is_torch(fn: Rule, inputs: Sequence[object] | None) -> bool:
    """Is it PyTorch's, as far as can be seen without importing it?"""
    kinds: list[object] = [fn, *(type(x) for x in inputs or ())]
    bases = [base for kind in kinds for base in getattr(kind, "__mro__", ())]
    modules = {str(getattr(base, "__module__", "")).partition(".")[0] for base in bases}
    if "torch" in modules:
        return True
    owner = str(getattr(type(fn), "__module__", "")).partition(".")[0]
    return owner not in ("jax", "jaxlib") and not modules & {"jax", "jaxlib"}


@contextmanager
def apart(fn: Rule, inputs: Sequence[object]) -> Iterator[None]:
    """A block that leaves PyTorch, and the modules of the caller, as they were."""
    try:
        import torch
    except ImportError:  # the examination says so
        yield
        return
    with one_thread(), preserved(fn, inputs), torch.device("cpu"):
        yield


@contextmanager
def one_thread() -> Iterator[None]:
    """Small tensors are quicker without the other threads; the setting comes back afterwards."""
    try:
        import torch
    except ImportError:
        yield
        return
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(threads)


class TorchFunction(Protocol):
    """A subclass of torch.autograd.Function, as far as it is used here."""

    @property
    def apply(self) -> Callable[..., object]: ...

    @property
    def forward(self) -> Callable[..., object]: ...

    @property
    def setup_context(self) -> Callable[..., None]: ...


class StandIn:
    """A ctx for running a Function's forward by itself, so that autograd sees the plain operations."""

    def __init__(self, count: int) -> None:
        self.needs_input_grad = (True,) * count
        self.saved_tensors: tuple[Tensor | None, ...] = ()

    def save_for_backward(self, *tensors: Tensor | None) -> None:
        self.saved_tensors = tensors

    save_for_forward = save_for_backward

    def mark_dirty(self, *tensors: Tensor) -> None: ...

    def mark_non_differentiable(self, *tensors: Tensor) -> None: ...

    def set_materialize_grads(self, value: bool) -> None: ...


@dataclass(frozen=True, eq=False)
class BackwardRun:
    """One run of a backward: which arguments of its forward needed a gradient, and what it returned."""

    needs: tuple[bool, ...]
    upstream: tuple[Tensor | None, ...]
    row: tuple[Tensor | None, ...]

    def uncalled_for(self, place: int) -> bool:
        """Was a gradient computed for an argument that needs none?  Handing on what came in costs nothing."""
        found = self.row[place] if place < len(self.row) else None
        if self.needs[place] or found is None:
            return False
        return all(each is None or each.data_ptr() != found.data_ptr() for each in self.upstream)


@dataclass(eq=False)
class TorchSubject:
    torch: ModuleType
    fn: Rule
    name: str
    arguments: list[object]  # all of the call; those at `places` are replaced by the tensors of a point
    places: list[int]
    names: tuple[str, ...]
    start: Point
    plain: Rule | None
    seed: int
    dtype: Precision
    described: tuple[ExaminedInput, ...]
    origin: str
    remarks: list[Unseen]
    rounding: float = 0.0
    cloned: bool = False  # are the leaves copied first, for a forward that works in place?
    outputs: tuple[int, ...] = ()  # which of its results are differentiable
    absent: frozenset[int] = frozenset()  # PyTorch hands None on
    draws: bool = True  # does its forward draw random numbers?
    library: str = "torch"
    complex_places: frozenset[int] = frozenset()  # their leaves have a last axis (real, imaginary)
    complex_outputs: frozenset[int] = frozenset()  # so have these, among its results

    given: list[object] = field(default_factory=list)
    tied: dict[int, Tensor] = field(default_factory=dict)  # places of parameters of modules of the call
    modules: Sequence[Any] = ()  # copies of those of the call
    flagged: bool = False  # did the caller mark some tensors with requires_grad, and leave others without?

    @property
    def rule(self) -> Rule:
        return self.fn

    @property
    def described_by(self) -> object:
        return self.fn

    def versions(self) -> str:
        return f"Python {platform.python_version()}, torch {self.torch.__version__}"

    def may_be_tied(self, i: int) -> bool:
        """Could the forward use this input under another name, inside a function that was handed over?"""
        return self.places[i] not in self.tied and runs_others(self.arguments)

    def asked_for(self, i: int) -> bool:
        return self.flagged

    @property
    def function_class(self) -> TorchFunction | None:
        """The subclass of Function; None for a callable that uses one."""
        return _function_class(self.fn)

    # ---- tensors and grids -----------------------------------------------------------------

    def tensor(self, grid: Grid, dtype: Precision | None = None, place: int | None = None) -> Tensor:
        device = None if place is None else getattr(self.arguments[place], "device", None)
        made = self.torch.tensor(grid.numbers, dtype=dtype or self.dtype, device=device)
        return made.reshape(grid.shape)

    def grid(self, tensor: Tensor) -> Grid:
        plain = tensor.detach()
        if plain.layout != self.torch.strided:
            plain = plain.to_dense()
        numbers = plain.to(self.torch.float64).reshape(-1).tolist()
        return Grid(tuple(plain.shape), tuple(numbers))

    def tensors(self, point: Point, dtype: Precision | None = None) -> list[Tensor]:
        """The tensors of a point; a parameter of a module is that parameter itself, with other numbers."""
        made = []
        for grid, place in zip(point, self.places, strict=True):
            tensor = self.tensor(grid, dtype, place)
            if place in self.tied:
                with self.torch.no_grad():
                    tensor = self.tied[place].copy_(tensor)
            made.append(tensor)
        return made

    def leaves(
        self, point: Point, dtype: Precision | None = None, needed: Sequence[int] | None = None
    ) -> list[Tensor]:
        made = self.tensors(point, dtype)
        for i, leaf in enumerate(made):
            leaf.requires_grad_(needed is None or i in needed)
        return made

    def copies(self, leaves: Sequence[Tensor]) -> list[Tensor]:
        """Copies that lead back to the leaves; parameters of modules stay what they are."""
        pairs = zip(leaves, self.places, strict=True)
        return [leaf if place in self.tied else leaf.clone() for leaf, place in pairs]

    def seeds(self, upstream: Sequence[Grid], results: Sequence[Tensor]) -> list[Tensor]:
        """The upstream gradients as tensors like the results that they belong to."""
        pairs = zip(upstream, results, strict=True)
        return [self.tensor(grid, out.dtype).to(out.device) for grid, out in pairs]

    # ---- running ---------------------------------------------------------------------------

    def run(self, tensors: Sequence[Tensor], function: Rule | None = None) -> object:
        """What the custom function, or another, returns for these tensors."""
        arguments = list(self.arguments)
        for place, tensor in zip(self.places, tensors, strict=True):
            copied = self.cloned and tensor.requires_grad and place not in self.tied
            arguments[place] = tensor.clone() if copied else tensor
        for place in self.complex_places:
            arguments[place] = self._whole(arguments[place])
        own = self.function_class
        run = function or (self.fn if own is None else own.apply)
        try:
            return run(*arguments)
        except Exception as error:
            raise RuleRefusedError("forward", error_text(error)) from error

    def call(self, tensors: Sequence[Tensor], function: Rule | None = None) -> list[Tensor]:
        """All its results, also where it is one tensor; complex numbers as pairs of real ones."""
        made = self.run(tensors, function)
        found: list[Any] = list(made) if isinstance(made, (tuple, list)) else [made]
        pairs = [k for k, out in enumerate(found) if isinstance(out, self.torch.Tensor) and out.is_complex()]
        for k in pairs:
            found[k] = self.torch.view_as_real(found[k].resolve_conj())
        if function is None:
            self.complex_outputs = frozenset(pairs)
        return found

    def _whole(self, pair: Any) -> Any:
        """A complex tensor from its real and imaginary parts."""
        if pair.is_complex():
            return pair
        try:
            return self.torch.complex(pair[..., 0], pair[..., 1])
        except Exception as error:  # there are no short complex numbers
            raise RuleRefusedError("forward", error_text(error)) from error

    def results(self, tensors: Sequence[Tensor], function: Rule | None = None) -> list[Tensor]:
        """Its differentiable results."""
        made = self.call(tensors, function)
        return [made[k] for k in self.outputs]

    def seeded(self) -> _Seeded:
        """A block with a random state of its own, the same each time, that records gradients."""
        return _Seeded(self.torch, self.seed if self.draws else None)

    def forward(self, point: Point) -> list[Grid]:
        with self.seeded(), self.torch.no_grad():
            return [self.grid(out) for out in self.results(self.tensors(point))]

    def gradients(
        self, results: Sequence[Tensor], leaves: Sequence[Tensor], seeds: Sequence[Tensor], **options: bool
    ) -> list[Tensor | None]:
        """autograd.grad, with an error of the user's rule told from others."""
        try:
            return list(self.torch.autograd.grad(results, leaves, seeds, allow_unused=True, **options))
        except Exception as error:
            if ONLY_BACKWARD.search(str(error)):
                return self._accumulated(results, leaves, seeds, **options)
            raise RuleRefusedError("backward", error_text(error)) from error

    def _accumulated(
        self, results: Sequence[Tensor], leaves: Sequence[Tensor], seeds: Sequence[Tensor], **options: bool
    ) -> list[Tensor | None]:
        """The gradients of a rule that works with .backward() alone, as checkpoints do."""
        before = [leaf.grad for leaf in leaves]
        for leaf in leaves:
            leaf.grad = None
        try:
            self.torch.autograd.backward(results, seeds, **options)
            return [leaf.grad for leaf in leaves]
        except Exception as error:
            raise RuleRefusedError("backward", error_text(error)) from error
        finally:
            for leaf, old in zip(leaves, before, strict=True):
                leaf.grad = old

    def gradients_of(self, found: Sequence[Tensor | None]) -> RuleGradients:
        return RuleGradients(tuple(None if grad is None else self.grid(grad) for grad in found))

    def pull(self, point: Point, upstream: Sequence[Grid]) -> RuleGradients:
        with self.seeded():
            leaves = self.leaves(point)
            results = self.results(leaves)
            return self.gradients_of(self.gradients(results, leaves, self.seeds(upstream, results)))

    # ---- the plain function ----------------------------------------------------------------

    def plain_forward(self, point: Point) -> list[Grid] | None:
        if self.plain is None:
            return None
        with self.seeded(), self.torch.no_grad():
            return [self.grid(out) for out in self.results(self.tensors(point), self.plain)]

    def plain_pull(self, point: Point, upstream: Sequence[Grid]) -> RuleGradients | None:
        return self._plain(point, upstream, nullcontext())

    def varied_pull(self, point: Point, upstream: Sequence[Grid], variant: str) -> RuleGradients | None:
        return self._plain(point, upstream, straight_through(self.torch, borders=variant == "borders"))

    def steps(self, file: str) -> list[ForwardStep]:
        """The operations of the plain forward at the start."""
        function = self.plain or self._own_forward()
        if function is None:
            return []
        with self.seeded():
            copies = self.copies(self.leaves(self.start))
            try:
                return forward_steps(self.torch, file, lambda: self.results(copies, function))
            except RuleRefusedError:
                return []

    def held_pull(self, point: Point, upstream: Sequence[Grid], steps: Sequence[int]) -> RuleGradients | None:
        """The gradients of the plain forward with the results of some steps held constant."""
        return self._plain(point, upstream, held_constant(self.torch, steps))

    def _plain(
        self, point: Point, upstream: Sequence[Grid], variant: AbstractContextManager[None]
    ) -> RuleGradients | None:
        function = self.plain or self._own_forward()
        if function is None:
            return None
        with self.seeded():
            try:
                leaves = self.leaves(point)
                copies = self.copies(leaves)
                with variant:
                    results = self.results(copies, function)
                return self.gradients_of(self.gradients(results, leaves, self.seeds(upstream, results)))
            except Exception:  # a forward that autograd cannot follow is no witness, and no fault
                return None

    def _own_forward(self) -> Rule | None:
        own = self.function_class
        if own is None:
            return None
        forward = own.forward
        if _takes_ctx(self.torch, self.fn):
            return lambda *arguments: forward(StandIn(len(arguments)), *arguments)
        return forward

    def other_arguments(self) -> Iterator[tuple[str, TorchSubject, str]]:
        """Numbers and tensors that are a little larger; the other value of a flag, more steps of a count,
        the words that the file compares it with."""
        file = rule_source(self.fn).file
        for place, x in enumerate(self.arguments):
            name = self.described[place].name
            others: list[object] = []
            if place in self.places:
                continue
            if isinstance(x, self.torch.Tensor) and x.is_floating_point():
                others = [LARGER * x]
            elif isinstance(x, bool):
                others = [not x]
            elif isinstance(x, int):
                others = [6 * abs(x) + 1]
            elif isinstance(x, float):
                others = [LARGER * x]
            elif isinstance(x, str):
                known = [*default_arguments(self.fn, place)[:1], *compared_literals(file, name)]
                others = [word for word in known if isinstance(word, str)]
            for other in others:
                if other is not x and not (isinstance(x, str) and other == x):
                    arguments = [*self.arguments[:place], other, *self.arguments[place + 1 :]]
                    chosen = "" if isinstance(x, (float, self.torch.Tensor)) else repr(other)
                    yield name, replace(self, arguments=arguments), chosen

    # ---- what the rule itself returned -----------------------------------------------------

    def returned_shapes(self, point: Point, upstream: Sequence[Grid]) -> tuple[Shape | None, ...]:
        with self.backward_runs() as calls:
            try:
                self.pull(point, upstream)
            except RuleRefusedError as refused:
                shapes = self._shapes(calls[-1].row) if calls else ()
                raise RuleRefusedError(refused.stage, refused.message, shapes) from refused
        return self._shapes(calls[-1].row) if calls else ()

    def _shapes(self, row: tuple[Tensor | None, ...]) -> tuple[Shape | None, ...]:
        known = [row[p] if p < len(row) else None for p in self.places]
        pairs = [(2,) if p in self.complex_places else () for p in self.places]
        return tuple(None if x is None else (*x.shape, *pair) for x, pair in zip(known, pairs, strict=True))

    @contextmanager
    def backward_runs(self) -> Iterator[list[BackwardRun]]:
        """A list that grows by every run of the backward in the block; of a class alone."""
        calls: list[BackwardRun] = []
        if self.function_class is None:
            yield calls
            return
        rule = "vjp" if "vjp" in vars(self.fn) else "backward"
        original, own = getattr(self.fn, rule), vars(self.fn).get(rule)

        def recording(ctx: Any, *upstream: Tensor | None) -> object:
            found = original(ctx, *upstream)
            row = found if isinstance(found, tuple) else (found,)
            calls.append(BackwardRun(tuple(ctx.needs_input_grad), upstream, row))
            return found

        setattr(self.fn, rule, staticmethod(recording))
        try:
            yield calls
        finally:
            if own is None:
                delattr(self.fn, rule)
            else:
                setattr(self.fn, rule, own)

    # ---- conduct ---------------------------------------------------------------------------

    def first_look(self, point: Point, upstream: Sequence[Grid]) -> RuleFinding | None:
        from .torch_conduct import unsteady

        return unsteady(self, point, upstream)

    def stages(
        self, point: Point, other: Point, upstream: Sequence[Grid], beyond: bool, deadline: float
    ) -> Iterator[RuleStage]:
        from .torch_conduct import stages

        return stages(self, point, other, upstream, beyond, deadline)


class _Seeded:
    """A fixed random state inside the block, unless no seed is given, and gradients wherever one stands."""

    def __init__(self, torch: ModuleType, seed: int | None) -> None:
        self.blocks = [torch.inference_mode(False), torch.enable_grad()]
        self.numbers, self.seed = torch.default_generator, seed
        self.state: Tensor | None = None

    def __enter__(self) -> None:
        for block in self.blocks:
            block.__enter__()
        if self.seed is not None:
            self.state = self.numbers.get_state()
            self.numbers.manual_seed(self.seed)

    def __exit__(self, *trouble: object) -> None:
        if self.state is not None:
            self.numbers.set_state(self.state)
        for block in reversed(self.blocks):
            block.__exit__(*trouble)


def _function_class(fn: Rule) -> TorchFunction | None:
    """A subclass of Function, as one; None for a callable that uses one."""
    return cast("TorchFunction", fn) if isinstance(fn, type) else None


def takes_ctx(fn: Rule) -> bool:
    """Is the first parameter of its forward the ctx?"""
    import torch

    return _takes_ctx(torch, fn)


def asking_for_more(fn: Rule, inputs: Sequence[object]) -> Iterator[tuple[str, str, list[object]]]:
    """The same call with one more tensor that needs a gradient, then with all: (which did, which were added,
    the arguments).

    Nothing where the caller marked none, for then all of them are asked for already.
    """
    import torch

    floating = [k for k, x in enumerate(inputs) if isinstance(x, torch.Tensor) and _is_examined(x)]
    left = [k for k in floating if not cast("Tensor", inputs[k]).requires_grad]
    if len(left) == len(floating):
        return
    names = parameter_names(getattr(fn, "forward", fn), len(inputs), _takes_ctx(torch, fn))
    for chosen in [[k] for k in left] + ([left] if len(left) > 1 else []):
        made = list(inputs)
        for k in chosen:
            made[k] = cast("Tensor", inputs[k]).detach().clone().requires_grad_()
        yield (
            ", ".join(names[k] for k in floating if k not in left),
            ", ".join(names[k] for k in chosen),
            made,
        )


def _takes_ctx(torch: ModuleType, fn: Rule) -> bool:
    """The old way, forward(ctx, ...), and not the one with setup_context."""
    own = _function_class(fn)
    return own is not None and own.setup_context is torch.autograd.Function.setup_context


# ---- from what the user gave --------------------------------------------------------------------


def torch_subject(
    fn: Rule,
    inputs: Sequence[object] | None,
    plain: Rule | None,
    seed: int,
    origin: str = "given",
    square: bool = False,
) -> TorchSubject:
    """A subject; RuleRefusedError where PyTorch is not there, or the function does not run on its inputs."""
    try:
        import torch
    except ImportError as error:
        raise RuleRefusedError("absent", "torch") from error
    if inputs is None:
        inputs, remarks = invent_inputs(fn, _takes_ctx(torch, fn), _maker(torch, fn, plain, seed), square)
        subject = _subject(torch, fn, list(inputs), plain, seed, "invented")
        subject.remarks += remarks
        return subject
    return _subject(torch, fn, list(inputs), plain, seed, origin)


def _maker(torch: ModuleType, fn: Rule, plain: Rule | None, seed: int) -> Attempt:
    """Tensors for invented arguments, if the function runs on them and gives numbers."""
    own = _function_class(fn)
    run = fn if own is None else own.apply

    wanted = _complex_parameters(getattr(fn, "forward", fn) if own else fn, _takes_ctx(torch, fn))

    def attempt(arguments: Sequence[object]) -> tuple[Sequence[object], bool] | Exception | None:
        made = _all_made(torch, arguments)
        for k, x in enumerate(made):
            if k in wanted and isinstance(x, torch.Tensor) and x.is_floating_point():
                made[k] = torch.complex(x, 0.6 * x.reshape(-1).flip(0).reshape(x.shape))
        try:
            with _Seeded(torch, seed), torch.no_grad():
                out = run(*(x.clone() if isinstance(x, torch.Tensor) else x for x in made))
        except Exception as error:
            return error
        outs = out if isinstance(out, (tuple, list)) else [out]
        numbers = [x for x in outs if isinstance(x, torch.Tensor) and _has_gradients(x)]
        if not numbers or not all(x.numel() and bool(torch.isfinite(x).all()) for x in numbers):
            return None
        try:
            subject = _subject(torch, fn, made, plain, seed, "invented")
            outputs = subject.forward(subject.start)
        except RuleRefusedError:
            return None
        if not all(grid.finite for grid in outputs):
            return None
        return made, runs_backward(subject, outputs)

    return attempt


def _complex_parameters(function: Rule, skip_first: bool) -> set[int]:
    """The parameters whose name or annotation says that they are complex."""
    try:
        parameters = list(inspect.signature(function).parameters.values())[1 if skip_first else 0 :]
    except (TypeError, ValueError):
        return set()
    words = [f"{p.name} {p.annotation}".lower() for p in parameters]
    return {k for k, text in enumerate(words) if "complex" in text or "cplx" in text}


def _is_examined(x: Tensor) -> bool:
    """Not a sparse one, of which no single number can be moved, nor a mask with infinite numbers."""
    return _has_gradients(x) and "sparse" not in str(x.layout) and bool(x.isfinite().all())


def _has_gradients(x: Tensor) -> bool:
    return bool(x.is_floating_point() or x.is_complex())


def _all_made(torch: ModuleType, arguments: Sequence[object]) -> list[object]:
    """Invented arguments as PyTorch has them; the parameters of modules stand where they are wanted."""
    made = [_made(torch, x, k) for k, x in enumerate(arguments)]
    for k, x in enumerate(arguments):
        if isinstance(x, Stand) and x.kind == "parameters":
            return with_parameters(torch, made, k)
    return made


def _made(torch: ModuleType, x: object, turn: int = 0) -> object:
    """An invented argument as PyTorch has it; modules differ by their turn."""
    if isinstance(x, Grid):
        return torch.tensor(x.numbers, dtype=torch.float64).reshape(x.shape)
    if isinstance(x, torch.Tensor):  # a default, such as a parameter of a module
        return x.detach().double() if x.is_floating_point() else x
    if isinstance(x, InventedSettings):
        return x.make()
    if not isinstance(x, Stand):
        return x
    if x.kind == "complex":
        parts = torch.arange(2 * prod(x.shape), dtype=torch.float64).add(turn).mul(2.4).sin().reshape(2, -1)
        return torch.complex(*parts).reshape(x.shape)
    if x.kind == "labels":
        count = prod(x.shape)
        return torch.arange(count).mul(7).remainder(x.bound).reshape(x.shape)
    if x.kind == "one-hot":
        rows = torch.arange(prod(x.shape[:-1])).mul(7).remainder(x.shape[-1]).reshape(x.shape[:-1])
        return torch.nn.functional.one_hot(rows, x.shape[-1])
    if x.kind == "mask":
        return torch.arange(prod(x.shape)).remainder(3).ne(1).reshape(x.shape)
    if x.kind == "indices":  # of a sparse matrix, in the order of its rows
        places = torch.arange(x.shape[1]) * (x.bound**2 - 1) // x.shape[1]
        return torch.stack([places // x.bound, places % x.bound])
    if x.kind == "pointers":  # rows that are filled as evenly as they can be
        return torch.arange(x.shape[0]) * x.bound // (x.shape[0] - 1)
    if x.kind == "columns":
        return torch.arange(prod(x.shape)).mul(3).remainder(x.bound)
    if x.kind == "modules":
        return [invented_module(torch, "module", turn + k) for k in range(2)]
    return invented_module(torch, x.kind, turn)


def _subject(
    torch: ModuleType, fn: Rule, arguments: list[object], plain: Rule | None, seed: int, origin: str
) -> TorchSubject:
    if not any(isinstance(x, torch.Tensor) for x in arguments):
        arguments = [torch.tensor(x, dtype=torch.float64) if isinstance(x, float) else x for x in arguments]
    copies = ModuleCopies(arguments)
    arguments = [x if (twin := copies.of(x)) is None else twin for x in arguments]
    floating: dict[int, Tensor] = {
        p: x for p, x in enumerate(arguments) if isinstance(x, torch.Tensor) and _is_examined(x)
    }
    places = [p for p, x in floating.items() if x.requires_grad] or list(floating)
    if not places:
        raise RuleRefusedError("no_inputs", "")
    forward = getattr(fn, "forward", fn) if isinstance(fn, type) else fn
    labels = parameter_names(forward, len(arguments), _takes_ctx(torch, fn))
    described = tuple(
        ExaminedInput(label, tuple(x.shape))
        if isinstance(x, torch.Tensor)
        else ExaminedInput(label, None, repr(x))
        for label, x in zip(labels, arguments, strict=True)
    )
    # The other floating tensors have to be of the same precision as those that are examined.
    for module in copies.modules:
        module.double()
    tied = {p: x for p, x in floating.items() if copies.ties(x)}
    doubles: dict[int, Tensor] = {
        p: x if p in tied else x.detach().to(torch.complex128 if x.is_complex() else torch.float64)
        for p, x in floating.items()
    }
    constants = [torch.float64 if x is torch.float32 else doubles.get(p, x) for p, x in enumerate(arguments)]
    pairs = frozenset(p for p in places if floating[p].is_complex())
    leaves = [torch.view_as_real(doubles[p].resolve_conj()) if p in pairs else doubles[p] for p in places]
    start = tuple(Grid(tuple(leaf.shape), tuple(leaf.reshape(-1).tolist())) for leaf in leaves)
    subject = TorchSubject(
        torch, fn, getattr(fn, "__name__", type(fn).__name__), constants, places,
        tuple(labels[p] for p in places), start, plain, seed, torch.float64, described, origin, [],
        complex_places=pairs, given=list(arguments), tied=tied, modules=copies.modules,
        flagged=any(x.requires_grad for x in floating.values()),
    )  # fmt: skip
    if pairs:
        subject.remarks.append(Unseen("complex"))
    return _settled(subject, arguments, [floating[p].dtype.to_real() for p in places])


def _settled(subject: TorchSubject, given: list[object], own: list[Precision]) -> TorchSubject:
    """Find out how it runs: with its leaves as they are or copied, in float64 or in its own precision."""
    torch, first = subject.torch, RuleRefusedError("forward", "")
    for dtype in dict.fromkeys([torch.float64, *own]):
        subject.dtype = dtype
        if dtype != torch.float64:
            subject.arguments = list(given)
            for module in subject.modules:
                module.to(dtype)
        for cloned in (False, True):
            subject.cloned = cloned
            try:
                with subject.seeded():
                    before = torch.random.get_rng_state()
                    made = subject.call(subject.leaves(subject.start))
                    draws = not torch.equal(before, torch.random.get_rng_state())
            except RuleRefusedError as refused:
                first = first if first.message else refused
                continue
            subject.outputs = tuple(
                k
                for k, out in enumerate(made)
                if isinstance(out, torch.Tensor) and _has_gradients(out) and out.requires_grad
            )
            if not subject.outputs:
                raise RuleRefusedError("no_gradient", "")
            subject.draws = draws
            if dtype == torch.float64 and own != [dtype] * len(own) and _fails_backward(subject):
                break  # a tensor of its own may be in single precision: perhaps it runs in that
            _precision(subject)
            return subject
    raise first


def _fails_backward(subject: TorchSubject) -> bool:
    """Does backward raise in float64?"""
    try:
        ones = [grid.map(lambda _: 1.0) for grid in subject.forward(subject.start)]
        subject.pull(subject.start, ones)
    except RuleRefusedError as refused:
        return refused.stage == "backward"
    return False


def _rounds_inside(subject: TorchSubject, once: Sequence[Grid]) -> bool:
    """Is something inside computed in single precision, though the results are in double?

    A step of 1e-9 then changes nothing, or something else than a ten-thousandth of what one of 1e-5 changes.
    """
    random = Random(subject.seed)
    ways = [
        grid.map(lambda _: random.uniform(0.5, 1.0) * random.choice((-1.0, 1.0))) for grid in subject.start
    ]

    def changes(step: float) -> list[float]:
        moved = tuple(
            grid.like(
                [x + step * max(abs(x), 0.1) * d for x, d in zip(grid.numbers, way.numbers, strict=True)]
            )
            for grid, way in zip(subject.start, ways, strict=True)
        )
        try:
            there = subject.forward(moved)
        except RuleRefusedError:
            return []
        pairs = zip(once, there, strict=False)
        return [b - a for x, y in pairs for a, b in zip(x.numbers, y.numbers, strict=False)]

    wide, short = changes(1e-5), changes(1e-9)
    sizes = [abs(x) for grid in once for x in grid.numbers]
    triples = zip(wide, short, sizes, strict=False)
    clear = [(w, s, y) for w, s, y in triples if abs(w) > 1e-7 * max(y, 1e-3)]
    # A plateau, or a step as large as single precision makes; a smaller tremble is other noise.
    odd = [s for w, s, y in clear if not s or (abs(s) * 1e4 > 2.0 * abs(w) and abs(s) > 2e-8 * y)]
    return len(clear) >= 3 and 2 * len(clear) > len(wide) and 4 * len(odd) > 3 * len(clear)


def _precision(subject: TorchSubject) -> None:
    """Find the precision of the forward; RuleRefusedError for one that gives other numbers each time."""
    once, again = subject.forward(subject.start), subject.forward(subject.start)
    if any(a.finite and a != b for a, b in zip(once, again, strict=True)):
        raise RuleRefusedError("random", "")
    numbers = subject.torch.tensor([x for grid in once for x in grid.numbers], dtype=subject.torch.float64)
    whole = bool((numbers == numbers.round()).all())
    if subject.dtype != subject.torch.float64:
        subject.rounding = 2.0 * float(subject.torch.finfo(subject.dtype).eps)
        subject.remarks.append(Unseen("float64", str(subject.dtype).removeprefix("torch.")))
    elif not whole and _rounds_inside(subject, once):
        subject.rounding = 2.0**-23
        subject.remarks.append(Unseen("forward_rounds"))
    elif not whole and len(numbers) > 2 and bool((numbers == numbers.float().double()).all()):
        inputs = [x for grid in subject.start for x in grid.numbers]
        given = subject.torch.tensor(inputs, dtype=subject.torch.float64)
        if not bool((given == given.float().double()).all()):  # else short numbers may stay short
            subject.rounding = 2.0**-23
            subject.remarks.append(Unseen("forward_rounds"))
