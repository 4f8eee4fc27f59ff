"""Record of a forward pass: every op, the line that called it, what it took and gave, what depends on what.

    record = record_forward(make_loss, model)
    record.loss, record.calls       # an TorchCall has its name, places, modules, and notes of its tensors
    record.call_of(node)            # the call that a node of the autograd graph belongs to

Two sets are followed from op to op, as bits of one number: the parameters on which a value depends, and those
that a gradient can reach from it.  Where an op takes the second and gives only the first, the graph is cut.
Tensors are held as long as they are small; of the others a note remains.
"""

from __future__ import annotations

import math
import weakref
from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from .program_place import NOWHERE, ProgramPlace, stack_here

if TYPE_CHECKING:
    from torch import Tensor, nn

__all__ = ["ForwardRecord", "ModuleCall", "TensorNote", "TorchCall", "record_forward", "tensors_in"]

HELD = 64 << 20  # bytes of small tensors that are held
HELD_EACH = 4 << 20
ATTRIBUTES = {"data", "T", "mT", "H", "mH", "real", "imag", "grad"}  # that give another tensor
# Questions about a tensor, which give no value that could go on.
SILENT = {
    "size", "dim", "stride", "numel", "is_floating_point", "is_complex", "is_contiguous", "__len__",
    "ndimension", "data_ptr", "storage_offset", "untyped_storage", "__hash__", "__repr__", "__format__",
    "_is_all_true", "get_device", "element_size", "__bool__", "is_same_size", "_set_grad_enabled",
    "register_hook", "retain_grad", "__reduce_ex__", "backward",
    "type", "__dir__", "__contains__", "register_post_accumulate_grad_hook", "is_nonzero",
    "_has_compatible_shallow_copy_type", "is_set_to", "is_pinned", "is_inference", "_is_view", "__deepcopy__",
}  # fmt: skip
# Ops that take only the shape of what they are given.
OF_SHAPES = {
    "ones_like", "zeros_like", "empty_like", "full_like", "rand_like", "randn_like", "randint_like",
    "new_zeros", "new_ones",
     "new_empty", "new_full", "new_tensor", "bernoulli_", "normal_", "uniform_", "zero_", "fill_",
}  # fmt: skip
TO_PYTHON = {"item", "tolist", "numpy", "__float__", "__int__", "__index__", "__array__", "__complex__"}


@dataclass(slots=True, eq=False)
class TensorNote:
    """A tensor as it was at one moment."""

    key: int
    shape: tuple[int, ...]
    dtype: str
    floating: bool
    requires_grad: bool
    leaf: bool
    depends: int = 0  # the parameters that its value depends on, as bits
    reaches: int = 0  # those that a gradient reaches from it
    producer: TorchCall | None = None
    name: str = ""  # of a parameter or a buffer
    held: Any = None  # the tensor itself, while it is small
    version: int = 0
    weak: Any = None

    @property
    def value(self) -> Any:
        """The tensor, if it still lives and has not been written to."""
        found = self.held if self.held is not None else self.weak() if self.weak is not None else None
        return found if found is not None and found._version == self.version else None


@dataclass(slots=True, eq=False)
class TorchCall:
    """One op of the forward pass."""

    index: int
    name: str
    places: tuple[ProgramPlace, ...]  # innermost first
    through: tuple[str, ...]  # files of PyTorch that it came through: "how many places deep:file:function"
    modules: tuple[ModuleCall, ...]  # outermost first
    inputs: tuple[TensorNote, ...]
    outputs: tuple[TensorNote, ...] = ()
    arguments: tuple[Any, ...] = ()  # with notes in place of tensors
    options: Mapping[str, Any] = field(default_factory=dict)
    grad_enabled: bool = True
    nodes: tuple[Any, ...] = ()  # of the autograd graph, one for each output
    in_place: bool = False
    scalar: Any = None  # what came out as a plain Python value
    stopped: ProgramPlace = NOWHERE  # under no_grad: the line of the function that has switched it on

    @property
    def place(self) -> ProgramPlace:
        return self.places[0] if self.places else NOWHERE

    @property
    def module(self) -> ModuleCall | None:
        return self.modules[-1] if self.modules else None

    @property
    def lost(self) -> int:
        """The parameters that a gradient reached from its inputs, and does not reach from what it gave."""
        given = 0
        for note in self.inputs:
            given |= note.reaches
        if self.name in OF_SHAPES:
            return 0
        if self.in_place and self.inputs and not self.outputs:
            return 0
        kept = 0
        for note in self.outputs:
            kept |= note.reaches
        return given & ~kept

    def __repr__(self) -> str:
        return f"<TorchCall {self.index} {self.name} at {self.place}>"


@dataclass(slots=True, eq=False)
class ModuleCall:
    """A call of a module."""

    module: Any
    name: str  # its path in the model; "" for the model itself and for what is not in it
    inside: bool  # is it in the model?
    arguments: tuple[Any, ...]
    options: Mapping[str, Any]
    places: tuple[ProgramPlace, ...]
    parent: ModuleCall | None
    first: int  # the index of its first op
    last: int = -1  # one after its last op
    output: Any = None
    training: bool = True


@dataclass(eq=False)
class ForwardRecord:
    """The ops of one forward pass, in order."""

    calls: list[TorchCall]
    module_calls: list[ModuleCall]
    loss: Any = None  # what make_loss gave
    loss_note: TensorNote | None = None
    leaves: list[Any] = field(default_factory=list)  # the tensor of each bit
    leaf_names: list[str] = field(default_factory=list)
    registered: int = 0  # how many of these are parameters of the model; they come first
    _ends: list[int] = field(default_factory=list)
    _ended: list[TorchCall] = field(default_factory=list)

    def call_of(self, node: Any) -> TorchCall | None:
        """The call during which a node of the autograd graph was made."""
        if not self._ends:
            pairs = sorted(
                (
                    (made._sequence_nr(), call.index, call)
                    for call in self.calls
                    for made in call.nodes
                    if made is not None and not hasattr(made, "variable")
                ),
                key=lambda row: row[:2],
            )
            self._ends, self._ended = [row[0] for row in pairs], [row[2] for row in pairs]
        number = node._sequence_nr()
        at = bisect_left(self._ends, number)
        return self._ended[at] if at < len(self._ended) else None

    def names(self, bits: int) -> list[str]:
        """The names of the leaves in a set."""
        return [name for at, name in enumerate(self.leaf_names) if bits >> at & 1]

    def reaching(self, note: TensorNote | None) -> set[int]:
        """The indices of the calls whose values a note depends on."""
        found: set[int] = set()
        rest = [note.producer] if note is not None and note.producer is not None else []
        while rest:
            call = rest.pop()
            if call.index in found:
                continue
            found.add(call.index)
            rest += [each.producer for each in call.inputs if each.producer is not None]
        return found

    def users(self) -> dict[int, list[TorchCall]]:
        """The calls that take each note, by its key."""
        found: dict[int, list[TorchCall]] = {}
        for call in self.calls:
            for note in call.inputs:
                found.setdefault(note.key, []).append(call)
        return found


def record_forward(
    make_loss: Callable[[], object], model: nn.Module | None, held: int = HELD
) -> ForwardRecord:
    """Run make_loss and record it; it computes what it would have computed."""
    recorder = Recorder(model, held)
    with recorder.running():
        recorder.record.loss = made = make_loss()
    recorder.finish(made)
    return recorder.record


def tensors_in(x: object, depth: int = 0) -> Iterator[Tensor]:
    """The tensors in lists, tuples and dicts, and in objects that have them as attributes or fields."""
    import torch

    if isinstance(x, torch.Tensor):
        yield x
    elif depth > 6:
        return
    elif isinstance(x, Mapping):
        for each in x.values():
            yield from tensors_in(each, depth + 1)
    elif isinstance(x, (list, tuple)):
        for each in x:
            yield from tensors_in(each, depth + 1)


def _name_of(func: Any) -> str:
    name = getattr(func, "__name__", "") or type(func).__name__
    if name in ("__get__", "__set__"):
        attribute = getattr(getattr(func, "__self__", None), "__name__", "")
        return f"{'get' if name == '__get__' else 'set'} {attribute}"
    return str(name)


class Recorder:
    """The recording: modules by hooks, ops by a mode that sees each function of PyTorch."""

    def __init__(self, model: nn.Module | None, held: int = HELD) -> None:
        import torch

        self.model = model
        self.record = ForwardRecord([], [])
        self._names: dict[int, str] = {}
        self._bits: dict[int, int] = {}
        self._notes: dict[int, tuple[Any, TensorNote]] = {}  # by id, with a weak reference
        self._writers: dict[int, TensorNote] = {}  # by storage: the note of the last write
        self._keys = 0
        self._held = held
        self._stack: list[ModuleCall] = []
        self._paths: dict[int, str] = {}
        self._scalars: dict[float, TensorNote] = {}
        self._arrays: list[TensorNote] = []  # what left for NumPy
        self._switch: ProgramPlace | None = None  # the line that switched autograd off
        self._copies: dict[int, tuple[Any, TensorNote]] = {}  # by storage: what copy.deepcopy has made
        self.nudged: int | None = None  # the call whose Python value is changed a little, to see what follows
        self._is_tensor: Callable[[object], bool] = lambda x: isinstance(x, torch.Tensor)
        if model is not None:
            for name, module in model.named_modules():
                self._paths[id(module)] = name
            for name, parameter in model.named_parameters():
                self._add_leaf(parameter, name)
            self.record.registered = len(self.record.leaves)

    # ---- leaves ----------------------------------------------------------------------------

    def _add_leaf(self, tensor: Any, name: str) -> int:
        bit = self._bits.get(id(tensor))
        if bit is None:
            bit = self._bits[id(tensor)] = 1 << len(self.record.leaves)
            self.record.leaves.append(tensor)
            self.record.leaf_names.append(name)
        return bit

    # ---- while it runs ---------------------------------------------------------------------

    @contextmanager
    def running(self) -> Iterator[None]:
        from torch.nn.modules.module import (
            register_module_forward_hook,
            register_module_forward_pre_hook,
        )
        from torch.overrides import TorchFunctionMode

        recorder = self

        class CallMode(TorchFunctionMode):  # type: ignore[misc]
            def __torch_function__(
                self, func: Any, types: Any, args: tuple[Any, ...] = (), kwargs: dict[str, Any] | None = None
            ) -> Any:
                return recorder.call(func, args, kwargs or {})

        with ExitStack() as opened:
            inside = list(self.model.modules()) if self.model is not None else []
            known = {id(module) for module in inside}
            for module in inside:
                before = module.register_forward_pre_hook(self._enter, with_kwargs=True, prepend=True)
                after = module.register_forward_hook(self._leave, always_call=True)
                opened.callback(before.remove)
                opened.callback(after.remove)
            both = (
                register_module_forward_pre_hook(
                    lambda m, args: None if id(m) in known else self._enter(m, args, {})
                ),
                register_module_forward_hook(
                    lambda m, args, out: None if id(m) in known else self._leave(m, args, out)
                ),
            )
            for handle in both:
                opened.callback(handle.remove)
            opened.enter_context(CallMode())
            yield

    def _enter(self, module: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> None:
        places, _ = stack_here(2)
        call = ModuleCall(
            module,
            self._paths.get(id(module), ""),
            id(module) in self._paths,
            args,
            kwargs,
            places,
            self._stack[-1] if self._stack else None,
            len(self.record.calls),
            training=bool(module.training),
        )
        self.record.module_calls.append(call)
        self._stack.append(call)

    def _leave(self, module: Any, args: tuple[Any, ...], output: Any) -> None:
        while self._stack:
            call = self._stack.pop()
            call.last = len(self.record.calls)
            if call.module is module:
                call.output = output
                return

    def call(self, func: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Call a function of PyTorch, and note it."""
        name = _name_of(func)
        attribute = name[4:] if name.startswith(("get ", "set ")) else ""
        if name == "_set_grad_enabled":
            self._switched(bool(args[0]))
        if name in SILENT or (name.startswith("get ") and attribute not in ATTRIBUTES):
            return func(*args, **kwargs)
        import torch

        given = [*tensors_in(args), *tensors_in(kwargs)]
        notes = tuple(map(self.note, given))
        versions = [each._version if not each.is_inference() else 0 for each in given]
        enabled = bool(torch.is_grad_enabled())
        result = func(*args, **kwargs)
        if self.nudged == len(self.record.calls) and name in TO_PYTHON:
            result = _nudge(result)
        self._note_call(name, args, kwargs, given, notes, versions, enabled, result)
        return result

    def _switched(self, on: bool) -> None:
        """Autograd is switched on or off, by a line of the program or by a decorator of PyTorch's."""
        import torch

        if on or not torch.is_grad_enabled():
            self._switch = None if on else self._switch
            return
        places, through = stack_here(4)
        decorated = any(step.endswith(":decorate_context") for step in through if step.startswith("0:"))
        self._switch = places[0] if places and not decorated else None

    def _note_call(
        self,
        name: str,
        args: tuple[Any, ...],
        kwargs: dict[str, Any],
        given: Sequence[Any],
        notes: tuple[TensorNote, ...],
        versions: Sequence[int],
        enabled: bool,
        result: Any,
    ) -> None:
        linked = (*notes, *self._links(args), *self._links(tuple(kwargs.values())))
        places, through = stack_here(3)
        call = TorchCall(
            len(self.record.calls),
            name,
            places,
            through,
            tuple(self._stack),
            linked,
            grad_enabled=enabled,
        )
        if not enabled and self._switch is not None:
            owner = (self._switch.file, self._switch.function)
            call.stopped = next((each for each in places if (each.file, each.function) == owner), NOWHERE)
        shown = dict(zip(map(id, given), notes, strict=True))
        call.arguments = tuple(_shown(x, shown) for x in args)
        call.options = {key: _shown(x, shown) for key, x in kwargs.items()}
        self.record.calls.append(call)
        written = [
            tensor
            for tensor, before in zip(given, versions, strict=True)
            if not tensor.is_inference() and tensor._version != before
        ]
        if name in ("requires_grad_", "set requires_grad", "set data") and given:
            written = [given[0]]
        outputs = list(tensors_in(result))
        call.in_place = bool(written)
        for tensor in written:
            if not any(tensor is each for each in outputs):
                outputs.append(tensor)
        call.outputs = tuple(self._made(tensor, call) for tensor in outputs)
        for tensor in written:
            note = self._notes[id(tensor)][1]
            self._writers[_storage(tensor)] = note
        call.nodes = tuple(tensor.grad_fn for tensor in outputs)
        if name == "clone" and outputs and any(step.endswith("__deepcopy__") for step in through):
            self._copies[_storage(outputs[0])] = (outputs[0], call.outputs[0])
        if not outputs and name in TO_PYTHON:
            self._left(call, result)

    def _left(self, call: TorchCall, result: Any) -> None:
        """A value that left for Python: what takes the same number later is taken to depend on it."""
        source = call.inputs[0]
        note = self._fresh((), source.dtype, False)
        note.depends, note.producer = source.depends, call
        call.outputs, call.scalar = (note,), result
        for x in _numbers(result):
            if x not in (0.0, 1.0, -1.0, 0.5, 2.0) and math.isfinite(x):
                self._scalars[x] = note
        if call.name in ("numpy", "__array__") and note.depends:
            self._arrays.append(note)

    def _links(self, args: Sequence[Any]) -> list[TensorNote]:
        found: list[TensorNote] = []
        if self._scalars:
            found += [self._scalars[x] for x in _numbers(args) if x in self._scalars]
        if self._arrays and any(type(x).__module__ == "numpy" for x in args):
            found += self._arrays
        return found

    # ---- notes -----------------------------------------------------------------------------

    def _fresh(self, shape: tuple[int, ...], dtype: str, floating: bool) -> TensorNote:
        self._keys += 1
        return TensorNote(self._keys, shape, dtype, floating, False, True)

    def note(self, tensor: Any) -> TensorNote:
        """What is known of a tensor that is taken."""
        known = self._notes.get(id(tensor))
        note = known[1] if known is not None and known[0]() is tensor else None
        if note is None:
            note = self._strange(tensor)
        elif note.requires_grad != tensor.requires_grad:
            note = self._strange(tensor, note)
        writer = self._writers.get(_storage(tensor))
        if writer is not None and writer.key > note.key and writer.producer is not note.producer:
            # written through another tensor that shares its memory
            later = self._make(tensor)
            later.depends, later.reaches = note.depends | writer.depends, note.reaches
            later.producer, later.name = writer.producer, note.name
            self._keep(tensor, later)
            return later
        return note

    def _strange(self, tensor: Any, before: TensorNote | None = None) -> TensorNote:
        """The note of a tensor that no recorded op has made: a leaf, data, or what a custom Function gave."""
        note = self._make(tensor)
        if before is not None:
            note.depends, note.producer, note.name = before.depends, before.producer, before.name
        copied = self._copies.get(_storage(tensor)) if self._copies else None
        if copied is not None and before is None:
            note.depends, note.producer = copied[1].depends, copied[1].producer
        if tensor.requires_grad and not _is_view_of_leaf(tensor):
            if tensor.grad_fn is None:
                bit = self._bits.get(id(tensor)) or self._add_leaf(tensor, "")
                note.name = self.record.leaf_names[bit.bit_length() - 1]
                note.reaches |= bit
                note.depends |= bit
            else:
                note.reaches = self._reached(tensor.grad_fn)
                note.depends |= note.reaches
                note.producer = note.producer or self._unrecorded(tensor, note)
        self._keep(tensor, note)
        return note

    def _unrecorded(self, tensor: Any, note: TensorNote) -> TorchCall | None:
        """A call of what is no function of PyTorch, such as a custom Function, as far as it can be told."""
        places, through = stack_here(4)
        inputs = tuple(self._notes[key][1] for key in self._inputs_of(tensor.grad_fn))
        call = TorchCall(
            len(self.record.calls), tensor.grad_fn.name(), places, through, tuple(self._stack), inputs
        )
        call.outputs, call.nodes = (note,), (tensor.grad_fn,)
        self.record.calls.append(call)
        return call

    def _inputs_of(self, node: Any) -> list[int]:
        """The ids of the live tensors that a node took."""
        before = {after for after, _ in node.next_functions if after is not None}
        found = []
        for key, (weak, _) in self._notes.items():
            tensor = weak()
            if tensor is not None and (
                tensor.grad_fn in before
                or any(getattr(after, "variable", None) is tensor for after in before)
            ):
                found.append(key)
        return found

    def _reached(self, node: Any) -> int:
        bits, rest, seen = 0, [node], set()
        while rest:
            each = rest.pop()
            if each is None or each in seen:
                continue
            seen.add(each)
            variable = getattr(each, "variable", None)
            if variable is not None:
                bits |= self._bits.get(id(variable)) or self._add_leaf(variable, "")
            rest += [after for after, _ in each.next_functions]
        return bits

    def _make(self, tensor: Any) -> TensorNote:
        note = self._fresh(tuple(tensor.shape), str(tensor.dtype).removeprefix("torch."), False)
        note.floating = bool(tensor.is_floating_point() or tensor.is_complex())
        note.requires_grad, note.leaf = bool(tensor.requires_grad), tensor.grad_fn is None
        note.version = 0 if tensor.is_inference() else int(tensor._version)
        return note

    def _made(self, tensor: Any, call: TorchCall) -> TensorNote:
        """The note of what a call gave."""
        note = self._make(tensor)
        note.producer = call
        for each in call.inputs[1:] if call.name in OF_SHAPES else call.inputs:
            note.depends |= each.depends
            if note.requires_grad and not note.leaf and each.requires_grad:
                note.reaches |= each.reaches
        if note.requires_grad and note.leaf and not _is_view_of_leaf(tensor):
            bit = self._bits.get(id(tensor)) or self._add_leaf(tensor, "")
            note.reaches |= bit
            note.name = self.record.leaf_names[bit.bit_length() - 1]
        self._keep(tensor, note)
        return note

    def _keep(self, tensor: Any, note: TensorNote) -> None:
        note.weak = weakref.ref(tensor)
        size = tensor.numel() * tensor.element_size() if not tensor.is_sparse else HELD
        if size <= min(HELD_EACH, self._held):
            self._held -= size
            note.held = tensor
        key = id(tensor)
        self._notes[key] = (note.weak, note)

    def finish(self, made: object) -> None:
        """What is known of the loss."""
        if self._is_tensor(made):
            self.record.loss_note = self.note(made)


def _is_view_of_leaf(tensor: Any) -> bool:
    """Is this a parameter in another shape, made where autograd was off?  Torch may call it a leaf."""
    return bool(tensor._is_view() and tensor.grad_fn is None and tensor._base.requires_grad)


def _nudge(x: Any) -> Any:
    """The same Python value, or array, and a little more."""
    if isinstance(x, (list, tuple)):
        return type(x)(map(_nudge, x))
    if isinstance(x, int):
        return x
    return x * 1.01 + 1e-3


def _storage(tensor: Any) -> int:
    try:
        return int(tensor.untyped_storage().data_ptr())
    except (RuntimeError, NotImplementedError):  # sparse, or of a kind without memory
        return -id(tensor)


def _shown(x: Any, notes: Mapping[int, TensorNote], depth: int = 0) -> Any:
    if id(x) in notes:
        return notes[id(x)]
    if depth < 4 and isinstance(x, (list, tuple)):
        return tuple(_shown(each, notes, depth + 1) for each in x)
    return x


def _numbers(x: Any, depth: int = 0) -> Iterator[float]:
    if isinstance(x, float):
        yield x
    elif depth < 4 and isinstance(x, (list, tuple)) and len(x) <= 64:
        for each in x:
            yield from _numbers(each, depth + 1)
