"""Ops of PyTorch over symbolic tensors, by their names: values as on paper, over the reals.

An op that mixes elements says so first (`leave_elements`), which ends an elementwise run.  Arguments that are
not modelled are a TypeError or a TermUndecidedError: there is no proof then.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

from .symbolic_tensors import (
    COMPARISONS,
    ONE_SHAPE,
    MixedElementsError,
    OneShape,
    SymbolicRun,
    SymbolTensor,
    get_items,
    leave_elements,
    lift,
    map_terms,
    same_kind,
    set_items,
)
from .symbolic_terms import Term, TermUndecidedError

if TYPE_CHECKING:
    from .symbolic_tensors import Terms

__all__ = ["ATTRIBUTES", "OPS"]

OPS: dict[str, Callable[..., Any]] = {}
AnyOp = TypeVar("AnyOp", bound=Callable[..., Any])

# ---- functions of terms ---------------------------------------------------------------------------


def _exp(run: SymbolicRun, u: Term) -> Term:
    return run.algebra.exp(u)


def _log(run: SymbolicRun, u: Term) -> Term:
    return run.algebra.log(u) if run.positive(u, True) else run.algebra.undefined


def _sqrt(run: SymbolicRun, u: Term) -> Term:
    if len(u.factors) == 1 and u.factors[0][1] == 2:
        return _abs(run, u.factors[0][0])
    return run.algebra.root(u) if run.positive(u, False) else run.algebra.undefined


def _divide(run: SymbolicRun, a: Term, b: Term) -> Term:
    run.divided(b)
    return a / b


def _abs(run: SymbolicRun, u: Term) -> Term:
    return u if run.decide(u) >= 0 else -u


def _power(run: SymbolicRun, u: Term, exponent: Term) -> Term:
    number = exponent.number
    if number is not None and (2 * number).denominator == 1 and abs(number) <= 64:
        if number < 0:
            run.divided(u)
        if number.denominator == 1:
            return u.power(int(number))
        return _sqrt(run, u).power(int(2 * number))
    return _exp(run, exponent * _log(run, u))


def _larger(run: SymbolicRun, a: Term, b: Term) -> Term:
    if "undefined" in (a.kind, b.kind):
        return run.algebra.undefined
    return a if run.decide(a - b) >= 0 else b


def _smaller(run: SymbolicRun, a: Term, b: Term) -> Term:
    return -_larger(run, -a, -b)


def _softplus(run: SymbolicRun, u: Term) -> Term:
    return run.algebra.log(run.algebra.one + run.algebra.exp(u))


def _erf(run: SymbolicRun, u: Term) -> Term:
    return run.algebra.function("erf", u)


def _named(name: str) -> Callable[[SymbolicRun, Term], Term]:
    return lambda run, u: run.algebra.zero if u.number == 0 else run.algebra.function(name, u)


_tanh, _sin, _atan = _named("tanh"), _named("sin"), _named("atan")


def _sigmoid(run: SymbolicRun, u: Term) -> Term:
    return run.algebra.function("sigmoid", u)


def _cos(run: SymbolicRun, u: Term) -> Term:
    return run.algebra.one if u.number == 0 else run.algebra.function("cos", u)


def _number(run: SymbolicRun, x: float) -> Term:
    return run.algebra.read(x)


UNARY: dict[str, Callable[[SymbolicRun, Term], Term]] = {
    "exp": _exp,
    "expm1": lambda r, u: _exp(r, u) - r.algebra.one,
    "log": _log,
    "log1p": lambda r, u: _log(r, r.algebra.one + u),
    "sqrt": _sqrt,
    "rsqrt": lambda r, u: _divide(r, r.algebra.one, _sqrt(r, u)),
    "reciprocal": lambda r, u: _divide(r, r.algebra.one, u),
    "neg": lambda r, u: -u,
    "negative": lambda r, u: -u,
    "square": lambda r, u: u * u,
    "abs": _abs,
    "absolute": _abs,
    "sign": lambda r, u: r.algebra.rational(r.decide(u)),
    "sgn": lambda r, u: r.algebra.rational(r.decide(u)),
    "tanh": _tanh,
    "sigmoid": _sigmoid,
    "erf": _erf,
    "erfc": lambda r, u: r.algebra.one - _erf(r, u),
    "sin": _sin,
    "cos": _cos,
    "tan": lambda r, u: _divide(r, _sin(r, u), _cos(r, u)),
    "atan": _atan,
    "arctan": _atan,
    "sinh": lambda r, u: (_exp(r, u) - _exp(r, -u)) / _number(r, 2),
    "cosh": lambda r, u: (_exp(r, u) + _exp(r, -u)) / _number(r, 2),
    "relu": lambda r, u: _larger(r, u, r.algebra.zero),
    "relu6": lambda r, u: _smaller(r, _larger(r, u, r.algebra.zero), _number(r, 6)),
    "silu": lambda r, u: u * _sigmoid(r, u),
    "mish": lambda r, u: u * _tanh(r, _softplus(r, u)),
    "logsigmoid": lambda r, u: -_softplus(r, -u),
    "log_sigmoid": lambda r, u: -_softplus(r, -u),
    "softsign": lambda r, u: u / (r.algebra.one + _abs(r, u)),
    "hardsigmoid": lambda r, u: _smaller(
        r, _larger(r, u / _number(r, 6) + _number(r, 0.5), r.algebra.zero), r.algebra.one
    ),
    "hardswish": lambda r, u: u * UNARY["hardsigmoid"](r, u),
}
BINARY: dict[str, Callable[[SymbolicRun, Term, Term], Term]] = {
    "mul": lambda r, a, b: a * b,
    "multiply": lambda r, a, b: a * b,
    "rsub": lambda r, a, b: b - a,
    "rdiv": lambda r, a, b: _divide(r, b, a),
    "pow": _power,
    "rpow": lambda r, a, b: _power(r, b, a),
    "maximum": _larger,
    "minimum": _smaller,
    "hypot": lambda r, a, b: _sqrt(r, a * a + b * b),
}


def _compared(name: str, run: SymbolicRun, a: Term, b: Term) -> Term:
    if "undefined" in (a.kind, b.kind):
        return run.algebra.rational(name == "ne")
    sign = run.decide(a - b)
    holds = {
        "lt": sign < 0,
        "le": sign <= 0,
        "gt": sign > 0,
        "ge": sign >= 0,
        "eq": sign == 0,
        "ne": sign != 0,
    }
    return run.algebra.rational(holds[name])


def _truth(run: SymbolicRun, u: Term) -> bool:
    return u.number != 0 if u.number is not None else run.decide(u) != 0


LOGICAL: dict[str, Callable[[bool, bool], bool]] = {
    "logical_and": lambda a, b: a and b,
    "logical_or": lambda a, b: a or b,
    "logical_xor": lambda a, b: a != b,
}


def _plain(function: Callable[..., Term], boolean: bool = False) -> Callable[..., SymbolTensor]:
    count = 1 if function in UNARY.values() else 2

    def op(run: SymbolicRun, *xs: Any, out: None = None, inplace: bool = False) -> SymbolTensor:
        if len(xs) != count or inplace:
            raise TermUndecidedError("arguments that are not modelled")
        return map_terms(run, partial(function, run), *xs, boolean=boolean, any_term=boolean)

    return op


for _name, _function in UNARY.items():
    OPS[_name] = _plain(_function)
for _name, _pair in BINARY.items():
    OPS[_name] = _plain(_pair)
for _name in COMPARISONS:
    OPS[_name] = _plain(partial(_compared, _name), boolean=True)
    OPS.setdefault(
        {"lt": "less", "gt": "greater", "ge": "greater_equal", "le": "less_equal"}.get(_name, _name),
        OPS[_name],
    )


def _logical(combine: Callable[[bool, bool], bool]) -> Callable[..., SymbolTensor]:
    def op(run: SymbolicRun, a: Any, b: Any) -> SymbolTensor:
        return map_terms(
            run,
            lambda u, v: run.algebra.rational(combine(_truth(run, u), _truth(run, v))),
            a,
            b,
            boolean=True,
        )

    return op


for _name, _combine in LOGICAL.items():
    OPS[_name] = _logical(_combine)


def _torch_op(function: AnyOp) -> AnyOp:
    """An op under the name of its function, and others where it has them."""
    OPS[function.__name__.lstrip("_").removesuffix("_op")] = function
    return function


# ---- element by element ---------------------------------------------------------------------------


@_torch_op
def _add_op(run: SymbolicRun, a: Any, b: Any, alpha: Any = 1) -> SymbolTensor:
    return map_terms(run, lambda u, v, w: u + v * w, a, b, alpha)


@_torch_op
def _sub_op(run: SymbolicRun, a: Any, b: Any, alpha: Any = 1) -> SymbolTensor:
    return map_terms(run, lambda u, v, w: u - v * w, a, b, alpha)


@_torch_op
def _div_op(run: SymbolicRun, a: Any, b: Any) -> SymbolTensor:
    return map_terms(run, partial(_divide, run), a, b)


@_torch_op
def _logical_not_op(run: SymbolicRun, x: Any) -> SymbolTensor:
    return map_terms(run, lambda u: run.algebra.rational(not _truth(run, u)), x, boolean=True)


@_torch_op
def _where_op(run: SymbolicRun, mask: Any, a: Any, b: Any) -> SymbolTensor:
    if not lift(run, mask).boolean:
        raise TermUndecidedError("a mask that is none")
    return map_terms(run, lambda m, u, v: u if m.number != 0 else v, mask, a, b, any_term=True)


@_torch_op
def _masked_fill_op(run: SymbolicRun, x: Any, mask: Any, value: Any) -> SymbolTensor:
    return _where_op(run, mask, value, x)


@_torch_op
def _clamp_op(run: SymbolicRun, x: Any, min: Any = None, max: Any = None) -> SymbolTensor:
    made = x
    if min is not None:
        made = map_terms(run, partial(_larger, run), made, min)
    return made if max is None else map_terms(run, partial(_smaller, run), made, max)


@_torch_op
def _clamp_min_op(run: SymbolicRun, x: Any, min: Any) -> SymbolTensor:
    return _clamp_op(run, x, min)


@_torch_op
def _clamp_max_op(run: SymbolicRun, x: Any, max: Any) -> SymbolTensor:
    return _clamp_op(run, x, None, max)


@_torch_op
def _hardtanh_op(run: SymbolicRun, x: Any, min_val: Any = -1.0, max_val: Any = 1.0) -> SymbolTensor:
    return _clamp_op(run, x, min_val, max_val)


@_torch_op
def _leaky_relu_op(run: SymbolicRun, x: Any, negative_slope: Any = 0.01) -> SymbolTensor:
    return map_terms(run, lambda u, s: u if run.decide(u) >= 0 else u * s, x, negative_slope)


@_torch_op
def _elu_op(run: SymbolicRun, x: Any, alpha: Any = 1.0) -> SymbolTensor:
    one = run.algebra.one
    return map_terms(run, lambda u, a: u if run.decide(u) >= 0 else a * (_exp(run, u) - one), x, alpha)


@_torch_op
def _softplus_op(run: SymbolicRun, x: Any, beta: Any = 1) -> SymbolTensor:
    """Without the threshold, above which PyTorch leaves out what is lost in rounding."""
    return map_terms(run, lambda u, b: _divide(run, _softplus(run, u * b), b), x, beta)


@_torch_op
def _gelu_op(run: SymbolicRun, x: Any, approximate: str = "none") -> SymbolTensor:
    a = run.algebra

    def value(u: Term) -> Term:
        if approximate == "none":
            inner = _erf(run, u * a.read(math.sqrt(0.5)))
        else:
            cubic = u + a.read(0.044715) * u.power(3)
            inner = _tanh(run, a.read(math.sqrt(2.0 / math.pi)) * cubic)
        return a.rational(Fraction(1, 2)) * u * (a.one + inner)

    return map_terms(run, value, x)


@_torch_op
def _addcmul_op(run: SymbolicRun, x: Any, a: Any, b: Any, value: Any = 1) -> SymbolTensor:
    return map_terms(run, lambda t, u, v, w: t + u * v * w, x, a, b, value)


@_torch_op
def _zeros_like_op(run: SymbolicRun, x: Any, **_: Any) -> SymbolTensor:
    return map_terms(run, lambda u: run.algebra.zero, x, any_term=True)


@_torch_op
def _ones_like_op(run: SymbolicRun, x: Any, **_: Any) -> SymbolTensor:
    return map_terms(run, lambda u: run.algebra.one, x, any_term=True)


@_torch_op
def _full_like_op(run: SymbolicRun, x: Any, fill_value: Any, **_: Any) -> SymbolTensor:
    return map_terms(run, lambda u, v: v, x, fill_value, any_term=True)


@_torch_op
def _empty_like_op(run: SymbolicRun, x: Any, **_: Any) -> SymbolTensor:
    return map_terms(run, lambda u: run.algebra.undefined, x)


@_torch_op
def _full_op(run: SymbolicRun, size: Any, fill_value: Any, **_: Any) -> SymbolTensor:
    value = lift(run, fill_value)
    if isinstance(size, OneShape):
        return SymbolTensor(run, value.terms.copy(), value.boolean, spread=True)
    if run.elementwise and len(size):
        raise MixedElementsError
    return SymbolTensor(run, run.numpy.full(tuple(size), value.terms[()], dtype=object), value.boolean)


def _size(sizes: Sequence[Any]) -> Any:
    return sizes[0] if len(sizes) == 1 and not isinstance(sizes[0], int) else sizes


@_torch_op
def _zeros_op(run: SymbolicRun, *sizes: Any, size: Any = None, **_: Any) -> SymbolTensor:
    return _full_op(run, _size(sizes) if size is None else size, 0.0)


@_torch_op
def _ones_op(run: SymbolicRun, *sizes: Any, size: Any = None, **_: Any) -> SymbolTensor:
    return _full_op(run, _size(sizes) if size is None else size, 1.0)


@_torch_op
def _new_zeros_op(run: SymbolicRun, x: Any, *sizes: Any, **_: Any) -> SymbolTensor:
    return _full_op(run, _size(sizes), 0.0)


@_torch_op
def _new_ones_op(run: SymbolicRun, x: Any, *sizes: Any, **_: Any) -> SymbolTensor:
    return _full_op(run, _size(sizes), 1.0)


@_torch_op
def _new_full_op(run: SymbolicRun, x: Any, size: Any, fill_value: Any, **_: Any) -> SymbolTensor:
    return _full_op(run, size, fill_value)


@_torch_op
def _fill_op(run: SymbolicRun, x: SymbolTensor, value: Any) -> SymbolTensor:
    return map_terms(run, lambda u, v: v, x, value, any_term=True)


@_torch_op
def _zero_op(run: SymbolicRun, x: SymbolTensor) -> SymbolTensor:
    return _zeros_like_op(run, x)


@_torch_op
def _copy_op(run: SymbolicRun, x: SymbolTensor, source: Any) -> SymbolTensor:
    return map_terms(run, lambda u, v: v, x, source, any_term=True)


@_torch_op
def _clone_op(run: SymbolicRun, x: SymbolTensor, **_: Any) -> SymbolTensor:
    return same_kind(x, x.terms.copy())


@_torch_op
def _detach_op(run: SymbolicRun, x: SymbolTensor) -> SymbolTensor:
    return same_kind(x, x.terms)


@_torch_op
def _contiguous_op(run: SymbolicRun, x: SymbolTensor, **_: Any) -> SymbolTensor:
    return x


@_torch_op
def _to_op(run: SymbolicRun, x: SymbolTensor, *kinds: Any, **options: Any) -> SymbolTensor:
    """Another type or device: a mask becomes numbers, and numbers stay what they are."""
    for kind in (*kinds, options.get("dtype")):
        dtype = kind.dtype if isinstance(kind, (SymbolTensor, run.torch.Tensor)) else kind
        if isinstance(dtype, run.torch.dtype):
            if dtype == run.torch.bool:
                return _bool_op(run, x)
            if not x.boolean and dtype != run.dtype:
                raise TermUndecidedError("numbers of less precision")
            return SymbolTensor(run, x.terms.copy() if x.boolean else x.terms, False, x.spread)
    return x


@_torch_op
def _bool_op(run: SymbolicRun, x: SymbolTensor) -> SymbolTensor:
    return map_terms(run, lambda u: run.algebra.rational(_truth(run, u)), x, boolean=True)


@_torch_op
def _float_op(run: SymbolicRun, x: SymbolTensor) -> SymbolTensor:
    return _to_op(run, x, run.torch.float32)


@_torch_op
def _double_op(run: SymbolicRun, x: SymbolTensor) -> SymbolTensor:
    return _to_op(run, x, run.torch.float64)


@_torch_op
def _type_as_op(run: SymbolicRun, x: SymbolTensor, other: Any) -> SymbolTensor:
    return _to_op(run, x, other)


@_torch_op
def _int_op(run: SymbolicRun, x: SymbolTensor) -> SymbolTensor:
    return _to_op(run, x, run.torch.int64)


@_torch_op
def _requires_grad_op(run: SymbolicRun, x: SymbolTensor, _: bool = True) -> SymbolTensor:
    raise TermUndecidedError("autograd inside of a rule")


@_torch_op
def _isnan_op(run: SymbolicRun, x: SymbolTensor) -> SymbolTensor:
    return map_terms(
        run, lambda u: run.algebra.rational(u.kind == "undefined"), x, boolean=True, any_term=True
    )


@_torch_op
def _is_floating_point_op(run: SymbolicRun, x: SymbolTensor) -> bool:
    return not x.boolean


# ---- shapes ---------------------------------------------------------------------------------------


def _shape(x: SymbolTensor) -> Any:
    return ONE_SHAPE if x.spread else x.run.torch.Size(x.terms.shape)


@_torch_op
def _size_op(run: SymbolicRun, x: SymbolTensor, dim: int | None = None) -> Any:
    return _shape(x) if dim is None else _shape(x)[dim]


@_torch_op
def _dim_op(run: SymbolicRun, x: SymbolTensor) -> int:
    return len(_shape(x))


@_torch_op
def _numel_op(run: SymbolicRun, x: SymbolTensor) -> int:
    return int(_shape(x).numel())


@_torch_op
def _reshape_op(run: SymbolicRun, x: SymbolTensor, *sizes: Any) -> SymbolTensor:
    size = _size(sizes)
    if isinstance(size, OneShape):
        return x if x.spread else same_kind(x, x.run.numpy.full((), None))  # never: a scalar has no such view
    leave_elements(run)
    return same_kind(x, x.terms.reshape(tuple(size)))


@_torch_op
def _view_as_op(run: SymbolicRun, x: SymbolTensor, other: SymbolTensor) -> SymbolTensor:
    return _reshape_op(run, x, _shape(other))


@_torch_op
def _expand_op(run: SymbolicRun, x: SymbolTensor, *sizes: Any) -> SymbolTensor:
    size = _size(sizes)
    if isinstance(size, OneShape):
        return SymbolTensor(run, x.terms.copy(), x.boolean, spread=True)
    leave_elements(run)
    lead = len(size) - x.terms.ndim
    whole = [x.terms.shape[k - lead] if n == -1 else n for k, n in enumerate(size)]
    return same_kind(x, run.numpy.broadcast_to(x.terms, tuple(whole)))


@_torch_op
def _expand_as_op(run: SymbolicRun, x: SymbolTensor, other: SymbolTensor) -> SymbolTensor:
    return _expand_op(run, x, _shape(other))


@_torch_op
def _unsqueeze_op(run: SymbolicRun, x: SymbolTensor, dim: int) -> SymbolTensor:
    leave_elements(run)
    return same_kind(x, run.numpy.expand_dims(x.terms, dim))


@_torch_op
def _squeeze_op(run: SymbolicRun, x: SymbolTensor, dim: Any = None) -> SymbolTensor:
    leave_elements(run)
    axes = range(x.terms.ndim) if dim is None else [dim] if isinstance(dim, int) else dim
    return same_kind(x, x.terms.squeeze(axis=tuple(k for k in axes if x.terms.shape[k] == 1)))


@_torch_op
def _flatten_op(run: SymbolicRun, x: SymbolTensor) -> SymbolTensor:
    return _reshape_op(run, x, -1)


@_torch_op
def _transpose_op(run: SymbolicRun, x: SymbolTensor, dim0: int, dim1: int) -> SymbolTensor:
    leave_elements(run)
    return same_kind(x, x.terms.swapaxes(dim0, dim1))


@_torch_op
def _t_op(run: SymbolicRun, x: SymbolTensor) -> SymbolTensor:
    leave_elements(run)
    return same_kind(x, x.terms.T)


@_torch_op
def _permute_op(run: SymbolicRun, x: SymbolTensor, *dims: Any) -> SymbolTensor:
    leave_elements(run)
    return same_kind(x, x.terms.transpose(tuple(_size(dims))))


@_torch_op
def _cat_op(run: SymbolicRun, tensors: Sequence[Any], dim: int = 0) -> SymbolTensor:
    leave_elements(run)
    lifted = [lift(run, x) for x in tensors]
    return same_kind(lifted[0], run.numpy.concatenate([x.terms for x in lifted], axis=dim))


@_torch_op
def _stack_op(run: SymbolicRun, tensors: Sequence[Any], dim: int = 0) -> SymbolTensor:
    leave_elements(run)
    lifted = [lift(run, x) for x in tensors]
    return same_kind(lifted[0], run.numpy.stack([x.terms for x in lifted], axis=dim))


# ---- sums and products over elements --------------------------------------------------------------


def _axes(x: SymbolTensor, dim: Any) -> tuple[int, ...]:
    if dim is None or dim == () or dim == []:
        return tuple(range(x.terms.ndim))
    return tuple(k % x.terms.ndim for k in ([dim] if isinstance(dim, int) else dim)) if x.terms.ndim else ()


def _reduced(x: SymbolTensor, dim: Any, keepdim: bool, combine: Callable[[list[Term]], Term]) -> SymbolTensor:
    """The rows along some axes, each as one term."""
    run = x.run
    leave_elements(run)
    axes = _axes(x, dim)
    kept = [k for k in range(x.terms.ndim) if k not in axes]
    rows = x.terms.transpose([*kept, *axes]).reshape([*(x.terms.shape[k] for k in kept), -1])
    made: Terms = run.numpy.empty(rows.shape[:-1], dtype=object)
    for place in run.numpy.ndindex(*rows.shape[:-1]):
        made[place] = combine(list(rows[place]))
    shape = [1 if k in axes else n for k, n in enumerate(x.terms.shape)] if keepdim else made.shape
    return SymbolTensor(run, made.reshape(shape))


def _total(terms: Sequence[Term]) -> Term:
    return terms[0].algebra.add([(t, Fraction(1)) for t in terms])


def _mean(terms: Sequence[Term]) -> Term:
    return terms[0].algebra.add([(t, Fraction(1, len(terms))) for t in terms])


@_torch_op
def _sum_op(
    run: SymbolicRun, x: Any, dim: Any = None, keepdim: bool = False, dtype: Any = None
) -> SymbolTensor:
    return _reduced(lift(run, x), dim, keepdim, _total)


@_torch_op
def _mean_op(run: SymbolicRun, x: Any, dim: Any = None, keepdim: bool = False) -> SymbolTensor:
    return _reduced(lift(run, x), dim, keepdim, _mean)


@_torch_op
def _var_op(
    run: SymbolicRun,
    x: Any,
    dim: Any = None,
    unbiased: bool = True,
    keepdim: bool = False,
    correction: int | None = None,
) -> SymbolTensor:
    if isinstance(dim, bool):
        dim, unbiased = None, dim
    lost = int(unbiased) if correction is None else correction

    def value(row: list[Term]) -> Term:
        centre = _mean(row)
        squares = [((t - centre).power(2), Fraction(1, len(row) - lost)) for t in row]
        return centre.algebra.add(squares)

    return _reduced(lift(run, x), dim, keepdim, value)


@_torch_op
def _std_op(run: SymbolicRun, x: Any, *args: Any, **options: Any) -> SymbolTensor:
    return map_terms(run, partial(_sqrt, run), _var_op(run, x, *args, **options))


@_torch_op
def _norm_op(run: SymbolicRun, x: Any, p: Any = 2, dim: Any = None, keepdim: bool = False) -> SymbolTensor:
    if p == 1:
        return _reduced(x, dim, keepdim, lambda row: _total([_abs(run, t) for t in row]))
    if p not in (None, 2, "fro"):
        raise TermUndecidedError("a norm of another order")
    return _reduced(x, dim, keepdim, lambda row: _sqrt(run, _total([t * t for t in row])))


@_torch_op
def _prod_op(run: SymbolicRun, x: Any, dim: Any = None, keepdim: bool = False) -> SymbolTensor:
    return _reduced(x, dim, keepdim, lambda row: run.algebra.multiply([(t, 1) for t in row]))


@_torch_op
def _logsumexp_op(run: SymbolicRun, x: Any, dim: Any, keepdim: bool = False) -> SymbolTensor:
    return _reduced(x, dim, keepdim, lambda row: _log(run, _total([_exp(run, t) for t in row])))


@_torch_op
def _softmax_op(run: SymbolicRun, x: Any, dim: int, dtype: Any = None, **_: Any) -> SymbolTensor:
    powers = map_terms(run, partial(_exp, run), x)
    return _div_op(run, powers, _sum_op(run, powers, dim, keepdim=True))


@_torch_op
def _log_softmax_op(run: SymbolicRun, x: Any, dim: int, dtype: Any = None, **_: Any) -> SymbolTensor:
    return _sub_op(run, x, _logsumexp_op(run, x, dim, keepdim=True))


def _extreme(run: SymbolicRun, choose: Callable[..., Term], row: list[Term]) -> Term:
    best = row[0]
    for term in row[1:]:
        best = choose(run, best, term)
    return best


@_torch_op
def _amax_op(run: SymbolicRun, x: Any, dim: Any = None, keepdim: bool = False) -> SymbolTensor:
    return _reduced(x, dim, keepdim, partial(_extreme, run, _larger))


@_torch_op
def _amin_op(run: SymbolicRun, x: Any, dim: Any = None, keepdim: bool = False) -> SymbolTensor:
    return _reduced(x, dim, keepdim, partial(_extreme, run, _smaller))


class _Extremes(tuple[SymbolTensor, None]):
    """The result of max along an axis, without the places."""

    @property
    def values(self) -> SymbolTensor:
        return self[0]


@_torch_op
def _max_op(run: SymbolicRun, x: Any, dim: Any = None, keepdim: bool = False) -> Any:
    if dim is not None and not isinstance(dim, int):
        return OPS["maximum"](run, x, dim)
    made = _amax_op(run, x, dim, keepdim)
    return made if dim is None else _Extremes((made, None))


@_torch_op
def _min_op(run: SymbolicRun, x: Any, dim: Any = None, keepdim: bool = False) -> Any:
    if dim is not None and not isinstance(dim, int):
        return OPS["minimum"](run, x, dim)
    made = _amin_op(run, x, dim, keepdim)
    return made if dim is None else _Extremes((made, None))


@_torch_op
def _any_op(run: SymbolicRun, x: SymbolTensor) -> SymbolTensor:
    made = _reduced(x, None, False, lambda row: run.algebra.rational(any(_truth(run, t) for t in row)))
    return same_kind(made, made.terms, boolean=True)


@_torch_op
def _all_op(run: SymbolicRun, x: SymbolTensor) -> SymbolTensor:
    made = _reduced(x, None, False, lambda row: run.algebra.rational(all(_truth(run, t) for t in row)))
    return same_kind(made, made.terms, boolean=True)


@_torch_op
def _matmul_op(run: SymbolicRun, a: Any, b: Any) -> SymbolTensor:
    leave_elements(run)
    left, right = lift(run, a), lift(run, b)
    return same_kind(left, run.numpy.matmul(left.terms, right.terms), boolean=False)


@_torch_op
def _rmatmul_op(run: SymbolicRun, a: Any, b: Any) -> SymbolTensor:
    return _matmul_op(run, b, a)


@_torch_op
def _outer_op(run: SymbolicRun, a: Any, b: Any) -> SymbolTensor:
    return map_terms(run, lambda u, v: u * v, _unsqueeze_op(run, a, 1), b)


@_torch_op
def _linear_op(run: SymbolicRun, x: Any, weight: Any, bias: Any = None) -> SymbolTensor:
    made = _matmul_op(run, x, _t_op(run, lift(run, weight)))
    return made if bias is None else _add_op(run, made, bias)


@_torch_op
def _addmm_op(run: SymbolicRun, x: Any, a: Any, b: Any) -> SymbolTensor:
    return _add_op(run, x, _matmul_op(run, a, b))


@_torch_op
def _mse_loss_op(run: SymbolicRun, a: Any, b: Any, reduction: str = "mean") -> SymbolTensor:
    squares = map_terms(run, lambda u, v: (u - v).power(2), a, b)
    if reduction == "none":
        return squares
    return _reduced(squares, None, False, {"mean": _mean, "sum": _total}[reduction])


OPS |= {
    "divide": _div_op, "true_divide": _div_op, "subtract": _sub_op, "clip": _clamp_op, "half": _float_op,
    "type": _to_op, "long": _int_op, "cpu": _contiguous_op, "cuda": _contiguous_op,
    "view": _reshape_op, "reshape_as": _view_as_op, "ndimension": _dim_op, "mm": _matmul_op,
    "bmm": _matmul_op, "mv": _matmul_op, "dot": _matmul_op, "ger": _outer_op, "concat": _cat_op,
    "swapaxes": _transpose_op, "logical_not": _logical_not_op, "bitwise_not": _logical_not_op,
    "bitwise_and": OPS["logical_and"],
    "bitwise_or": OPS["logical_or"], "vector_norm": lambda run, x, ord=2, dim=None, keepdim=False: _norm_op(
        run, x, ord, dim, keepdim
    ), "__getitem__": get_items, "__setitem__": set_items,
}  # fmt: skip
ATTRIBUTES: dict[str, Callable[[SymbolTensor], Any]] = {
    "shape": _shape,
    "ndim": lambda x: len(_shape(x)),
    "dtype": lambda x: x.run.torch.bool if x.boolean else x.run.dtype,
    "device": lambda x: x.run.device,
    "data": lambda x: _detach_op(x.run, x),
    "T": lambda x: _t_op(x.run, x),
    "mT": lambda x: _transpose_op(x.run, x, -1, -2),
}
