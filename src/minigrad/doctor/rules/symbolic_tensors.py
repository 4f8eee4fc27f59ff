"""Symbolic tensors: arrays of terms that a rule of PyTorch can be run on in place of numbers.

Comparisons are decided by the run (`SymbolicRun.decide`), one outcome per case, so that a mask is made of
zeros and ones.  In an elementwise run a tensor has one element, which stands for any: an op that mixes
elements, or asks for a length, raises `MixedElementsError`.  Whatever is not modelled raises.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from types import ModuleType
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

from .symbolic_terms import Algebra, Term, TermUndecidedError

if TYPE_CHECKING:
    import numpy as np

    Terms: TypeAlias = "np.ndarray[Any, Any]"

__all__ = [
    "COMPARISONS", "ONE_SHAPE", "MixedElementsError", "OneShape", "SymbolTensor", "SymbolicRun", "get_items",
    "leave_elements", "lift", "map_terms", "same_kind", "set_items", "term_array", "torch_mode",
]  # fmt: skip


class MixedElementsError(Exception):
    """An op of an elementwise run that sees more than its own element."""


class OneShape(tuple[int, ...]):
    """The shape of all tensors of an elementwise run: torch takes it for one, and nobody can look into it."""

    def _refuse(self, *_: object) -> Any:
        raise MixedElementsError

    __iter__ = __getitem__ = __len__ = __contains__ = __add__ = __radd__ = __mul__ = __rmul__ = _refuse
    __lt__ = __le__ = __gt__ = __ge__ = __hash__ = __repr__ = index = count = numel = _refuse

    def __eq__(self, other: object) -> bool:
        return isinstance(other, OneShape) or bool(self._refuse())

    def __ne__(self, other: object) -> bool:
        return not self == other


ONE_SHAPE = OneShape((1,))


class SymbolicRun(Protocol):
    """The case in which a rule is run."""

    algebra: Algebra
    elementwise: bool
    torch: ModuleType
    numpy: ModuleType
    dtype: object
    device: object
    ops: Mapping[str, Callable[..., Any]]
    attributes: Mapping[str, Callable[[SymbolTensor], Any]]

    def decide(self, term: Term) -> int:
        """The sign of a term in this case."""
        ...

    def positive(self, term: Term, strict: bool) -> bool:
        """Is the argument of a root or logarithm in its domain, in this case?"""
        ...

    def divided(self, term: Term) -> None:
        """Something was divided by this term."""
        ...


class SymbolTensor:
    """An array of terms, with the methods and operators of a tensor.

    It does not pretend to be one by `__class__`: parts of torch that are written in C crash then.
    """

    is_cuda = False
    is_sparse = False
    grad_fn = None
    layout = None

    def __init__(
        self,
        run: SymbolicRun,
        terms: Terms,
        boolean: bool = False,
        spread: bool = False,
        number: bool = False,
    ) -> None:
        self.run, self.terms, self.boolean, self.spread, self.number = run, terms, boolean, spread, number
        self.requires_grad = False

    @classmethod
    def __torch_function__(
        cls, func: Callable[..., object], types: object, args: Any = (), kwargs: Any = None
    ) -> object:
        run = next(x.run for x in _flat([args, kwargs or {}]) if type(x) is SymbolTensor)
        return _call(run, func, args, kwargs or {})

    def __getattr__(self, name: str) -> Any:
        if name in self.run.attributes:
            return self.run.attributes[name](self)
        if name in self.run.ops:
            return partial(self.run.ops[name], self.run, self)
        if name.endswith("_") and not name.startswith("_") and name[:-1] in self.run.ops:
            return partial(_in_place, self.run.ops[name[:-1]], self)
        raise AttributeError(name)

    def __bool__(self) -> bool:
        if self.spread or self.terms.size != 1:
            raise MixedElementsError
        return self.run.decide(self.terms.reshape(-1)[0]) != 0

    def __len__(self) -> int:
        leave_elements(self.run)
        return len(self.terms)

    def __iter__(self) -> Any:
        leave_elements(self.run)
        return iter([same_kind(self, row) for row in self.terms])

    def __getitem__(self, key: object) -> SymbolTensor:
        return get_items(self.run, self, key)

    def __setitem__(self, key: object, value: object) -> None:
        set_items(self.run, self, key, value)

    def __hash__(self) -> int:
        return id(self)


def _operator(name: str, turned: bool = False) -> Callable[..., SymbolTensor]:
    def apply(self: SymbolTensor, *other: object) -> SymbolTensor:
        made = self.run.ops[name](self.run, *((*other, self) if turned else (self, *other)))
        assert type(made) is SymbolTensor
        return made

    return apply


def _assignment(name: str) -> Callable[..., SymbolTensor]:
    def apply(self: SymbolTensor, other: object) -> SymbolTensor:
        return _in_place(self.run.ops[name], self, other)

    return apply


OPERATORS = {
    "add": "add", "sub": "sub", "mul": "mul", "truediv": "div", "pow": "pow", "matmul": "matmul",
    "and": "logical_and", "or": "logical_or", "xor": "logical_xor",
}  # fmt: skip
COMPARISONS = ("lt", "le", "gt", "ge", "eq", "ne")
for _name, _word in OPERATORS.items():
    setattr(SymbolTensor, f"__{_name}__", _operator(_word))
    setattr(SymbolTensor, f"__r{_name}__", _operator(_word, turned=True))
    if _name != "matmul":
        setattr(SymbolTensor, f"__i{_name}__", _assignment(_word))
for _name in COMPARISONS:
    setattr(SymbolTensor, f"__{_name}__", _operator(_name))
for _name, _word in {"neg": "neg", "abs": "abs", "invert": "logical_not"}.items():
    setattr(SymbolTensor, f"__{_name}__", _operator(_word))

# ---- calls of torch -------------------------------------------------------------------------------

NAMES = {
    "__radd__": "add", "__rmul__": "mul", "rsub": "rsub", "__rsub__": "rsub", "__rpow__": "rpow",
    "__rdiv__": "rdiv", "__rtruediv__": "rdiv", "__truediv__": "div", "__div__": "div", "__pow__": "pow",
    "__matmul__": "matmul", "__rmatmul__": "rmatmul", "__and__": "logical_and", "__or__": "logical_or",
    "__invert__": "logical_not", "__neg__": "neg", "__add__": "add", "__sub__": "sub", "__mul__": "mul",
    **{f"__{name}__": name for name in COMPARISONS},
}  # fmt: skip
MADE = ("zeros", "ones", "full")
DRAWN = ("rand", "bernoulli", "dropout", "multinomial", "normal", "poisson", "empty")


def _flat(x: object) -> list[Any]:
    if type(x) in (SymbolTensor, OneShape):
        return [x]
    if isinstance(x, dict):
        return [y for item in x.values() for y in _flat(item)]
    return [y for item in x for y in _flat(item)] if isinstance(x, (list, tuple)) else [x]


def _call(run: SymbolicRun, func: Callable[..., Any], args: Sequence[Any], kwargs: dict[str, Any]) -> Any:
    name = getattr(func, "__name__", "")
    symbolic = any(type(x) in (SymbolTensor, OneShape) for x in _flat([args, kwargs]))
    if not symbolic and name not in MADE:
        if name.startswith(DRAWN):
            raise TermUndecidedError(name)
        return func(*args, **kwargs)
    name = NAMES.get(name, name)
    if name == "__get__" or (name not in run.ops and not (name.endswith("_") and name[:-1] in run.ops)):
        raise TermUndecidedError(name)
    if name.endswith("_") and name not in run.ops:
        if type(args[0]) is not SymbolTensor:
            raise TermUndecidedError("symbols in a tensor of numbers")
        return _in_place(run.ops[name[:-1]], *args, **kwargs)
    return run.ops[name](run, *args, **kwargs)


def torch_mode(run: SymbolicRun) -> Any:
    """A block in which every call of torch sees the symbols first."""
    base: Any = run.torch.overrides.TorchFunctionMode

    class Mode(base):  # type: ignore[misc]
        def __torch_function__(self, func: Any, types: object, args: Any = (), kwargs: Any = None) -> Any:
            return _call(run, func, args, kwargs or {})

    return Mode()


# ---- arrays ---------------------------------------------------------------------------------------


def leave_elements(run: SymbolicRun) -> None:
    if run.elementwise:
        raise MixedElementsError


def term_array(run: SymbolicRun, terms: Any) -> Terms:
    """An array of terms, also of a single one."""
    if isinstance(terms, run.numpy.ndarray):
        return terms  # type: ignore[no-any-return]
    made: Terms = run.numpy.empty((), dtype=object)
    made[()] = terms
    return made


def same_kind(x: SymbolTensor, terms: Any, boolean: bool | None = None) -> SymbolTensor:
    return SymbolTensor(x.run, term_array(x.run, terms), x.boolean if boolean is None else boolean, x.spread)


def lift(run: SymbolicRun, x: Any) -> SymbolTensor:
    """A number or a tensor of numbers as a symbolic one."""
    if type(x) is SymbolTensor:
        return x
    if isinstance(x, (bool, int, float)):
        return SymbolTensor(run, term_array(run, run.algebra.read(x)), isinstance(x, bool))
    if not isinstance(x, run.torch.Tensor):
        raise TermUndecidedError(f"an operand of the class {type(x).__name__}")
    if run.elementwise and x.dim():
        raise MixedElementsError
    flat = [run.algebra.read(y) for y in x.detach().reshape(-1).tolist()]
    made: Terms = run.numpy.empty(len(flat), dtype=object)
    made[:] = flat
    return SymbolTensor(run, made.reshape(tuple(x.shape)), x.dtype == run.torch.bool)


def map_terms(
    run: SymbolicRun, function: Callable[..., Term], *xs: Any, boolean: bool = False, any_term: bool = False
) -> SymbolTensor:
    """A function of terms, element by element; it is shown what is not defined only if it takes any term."""
    tensors = [lift(run, x) for x in xs]

    def defined(*terms: Term) -> Term:
        lost = not any_term and any(t.kind == "undefined" for t in terms)
        return run.algebra.undefined if lost else function(*terms)

    apply = run.numpy.frompyfunc(defined, len(tensors), 1)
    made = term_array(run, apply(*(x.terms for x in tensors)))
    return SymbolTensor(run, made, boolean, any(x.spread for x in tensors))


def _in_place(op: Callable[..., Any], x: SymbolTensor, *args: Any, **kwargs: Any) -> SymbolTensor:
    made = op(x.run, x, *args, **kwargs)
    if x.number:  # numbers are not changed
        assert type(made) is SymbolTensor
        return made
    if made.terms.shape != x.terms.shape or made.spread != x.spread:
        made = same_kind(x, x.run.numpy.broadcast_to(made.terms, x.terms.shape))
    if not x.terms.flags.writeable:
        raise TermUndecidedError("an expanded tensor that is written to")
    x.terms[...] = made.terms.copy()
    return x


def get_items(run: SymbolicRun, x: SymbolTensor, key: Any) -> SymbolTensor:
    if type(key) is SymbolTensor and key.boolean:
        chosen = _chosen(key)
        if run.elementwise:
            return same_kind(x, x.terms.copy() if chosen.all() else run.algebra.undefined)
        return same_kind(x, x.terms[chosen])
    leave_elements(run)
    if any(type(k) is SymbolTensor or not _is_basic(k) for k in (key if type(key) is tuple else (key,))):
        raise TermUndecidedError("an index of this kind")
    return same_kind(x, x.terms[key])


def _is_basic(key: object) -> bool:
    return key is None or key is Ellipsis or isinstance(key, (int, slice))


def _chosen(mask: SymbolTensor) -> Terms:
    chosen: Terms = mask.run.numpy.array([t.number != 0 for t in mask.terms.reshape(-1)], dtype=bool)
    return chosen.reshape(mask.terms.shape)


def set_items(run: SymbolicRun, x: SymbolTensor, key: Any, value: object) -> None:
    made = lift(run, value)
    if type(key) is SymbolTensor and key.boolean:
        chosen = _chosen(key)
        if not run.elementwise:
            x.terms[chosen] = made.terms
        elif key.spread != x.spread:
            raise MixedElementsError
        elif chosen.all():
            x.terms[...] = made.terms
        return
    if run.elementwise and key not in (Ellipsis, slice(None)):
        raise MixedElementsError
    if any(type(k) is SymbolTensor or not _is_basic(k) for k in (key if type(key) is tuple else (key,))):
        raise TermUndecidedError("an index of this kind")
    x.terms[key] = made.terms
