"""Domains of the inputs of a forward, read off its text: guards of poles, clip bounds, steps of quantisers.

x = x.clamp(min=1 + 1e-15)          # x is meant to be above 1
torch.sqrt(x * x - 1)               # and so it is here
x.clamp(min=0.0).min(alpha)         # alpha is positive
(x / step).round() * step           # step is one positive number
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping

__all__ = ["DomainFact", "domain_facts", "named_domain"]

# A parameter, and ("tag", name of a tag) or ("bounds", (low, high)).
DomainFact = tuple[str, tuple[str, object]]

CLAMPS = frozenset(["clamp", "clamp_", "clip", "clip_", "clamp_min", "clamp_min_", "clamp_max", "clamp_max_"])
LOGARITHMS = frozenset(["log", "log_", "log2", "log10", "log1p", "log1p_"])
ROOTS = frozenset(["sqrt", "sqrt_", "rsqrt", "rsqrt_", "pow"])
SAME = frozenset(
    {
        "double", "float", "to", "type", "clone", "detach", "contiguous", "type_as", "item", "data", "cpu",
        "numpy",
    }
)  # fmt: skip
ROUNDS = re.compile(r"round|floor|ceil|trunc|quant", re.I)
LIBRARIES = ("torch", "F", "np", "jnp", "numpy", "jax")
SMALL = 0.02  # how far from a whole number a guard may be
EPS = 1e-5  # of a name whose number is not known
EPS_NAMES = re.compile(r"eps|tiny|tol|min_norm|smallest", re.I)
NAMED: tuple[tuple[frozenset[str], str], ...] = (
    (frozenset(["acosh", "arcosh", "arccosh"]), "above-one"),
    (
        frozenset(["atanh", "artanh", "arctanh", "asin", "arcsin", "acos", "arccos", "erfinv", "inverf"]),
        "ball",
    ),
    (frozenset(["logit"]), "unit"),
)


def named_domain(name: str) -> str:
    """The tag that the name of a function or a class gives its input: above-one for Arcosh; "" for none."""
    words = [word.lower() for word in re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+", name)]
    return next((tag for known, tag in NAMED if known.intersection(words)), "")


def domain_facts(function: ast.FunctionDef, numbers: Mapping[str, float]) -> Iterator[DomainFact]:
    """What the statements of a function say about the numbers that its parameters may have.

    `numbers` are constants by their names.  A parameter that is computed anew is not followed any further.
    """
    known = dict(numbers)
    roots = {each.arg: each.arg for each in (*function.args.posonlyargs, *function.args.args)}
    rounds = any(ROUNDS.search(_word(node)) for node in ast.walk(function))
    for statement in _plain_statements(function.body):
        for node in ast.walk(statement):
            yield from _guards(node, statement, roots, known)
            yield from _poles(node, roots)
            yield from _clip_bounds(node, roots)
            if rounds:
                yield from _steps(node, roots)
        if isinstance(statement, ast.Assign) and len(statement.targets) == 1:
            target = statement.targets[0]
            if isinstance(target, ast.Name):
                _assigned(target.id, statement.value, roots, known)


def _plain_statements(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """In their order, without the headings of blocks."""
    for each in body:
        inner = [*getattr(each, "body", ()), *getattr(each, "orelse", ())]
        if inner and not isinstance(each, (ast.FunctionDef, ast.ClassDef)):
            yield from _plain_statements(inner)
        elif not inner:
            yield each


def _assigned(name: str, value: ast.expr, roots: dict[str, str], known: dict[str, float]) -> None:
    root = _root(value, roots)
    number = _number(value, known)
    roots.pop(name, None)
    known.pop(name, None)
    if root:
        roots[name] = root
    elif number is not None:
        known[name] = number


def _word(node: ast.AST) -> str:
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def _called(node: ast.AST) -> str:
    return _word(node.func) if isinstance(node, ast.Call) else ""


def _operands(node: ast.Call) -> list[ast.expr]:
    """What a call is about, as a function or as a method: x and a of x.min(a) and of torch.min(x, a)."""
    func = node.func
    if isinstance(func, ast.Attribute) and not (
        isinstance(func.value, ast.Name) and func.value.id in LIBRARIES
    ):
        return [func.value, *node.args]
    return list(node.args)


def _root(node: ast.AST, roots: Mapping[str, str]) -> str:
    """The parameter whose numbers an expression has, perhaps clamped or converted; "" for none."""
    while True:
        if isinstance(node, ast.Call) and (_called(node) in SAME or _called(node) in CLAMPS):
            operands = _operands(node)
            if not operands:
                return ""
            node = operands[0]
        elif (isinstance(node, ast.Attribute) and node.attr in SAME) or (
            isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant)
        ):
            node = node.value
        else:
            return roots.get(node.id, "") if isinstance(node, ast.Name) else ""


def _number(node: ast.AST | None, known: Mapping[str, float]) -> float | None:
    if isinstance(node, ast.Constant):
        value = node.value
        return float(value) if isinstance(value, (int, float)) and not isinstance(value, bool) else None
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        inner = _number(node.operand, known)
        return None if inner is None else -inner
    if isinstance(node, ast.BinOp):
        left, right = _number(node.left, known), _number(node.right, known)
        if left is None or right is None:
            return None
        if isinstance(node.op, ast.Add):
            return left + right
        if isinstance(node.op, ast.Sub):
            return left - right
        return left * right if isinstance(node.op, ast.Mult) else None
    if node is not None:
        name = _word(node.value if isinstance(node, ast.Subscript) else node)
        if isinstance(node, ast.Name) and name in known:
            return known[name]
        if EPS_NAMES.search(name):
            return EPS
    return None


# ---- guards -------------------------------------------------------------------------------------


def _guards(
    node: ast.AST, statement: ast.stmt, roots: Mapping[str, str], known: Mapping[str, float]
) -> Iterator[DomainFact]:
    """A clamp a little inside -1, 0 or 1 keeps numbers off a pole, unless it is the result."""
    if not isinstance(node, ast.Call) or _called(node) not in CLAMPS:
        return
    if isinstance(statement, ast.Return) and statement.value is node:
        return
    operands = _operands(node)
    root = _root(operands[0], roots) if operands else ""
    if not root:
        return
    low, high = (_number(each, known) for each in _limits(node, operands[1:]))
    lower = low is not None and _just(low, 1.0)
    upper = high is not None and _just(-high, 1.0)
    if lower or upper:
        yield root, ("bounds", (low if lower else None, high if upper else None))


def _limits(node: ast.Call, rest: list[ast.expr]) -> tuple[ast.expr | None, ast.expr | None]:
    """The lower and the upper limit of a clamp."""
    named = {each.arg: each.value for each in node.keywords}
    low, high = named.get("min", named.get("a_min")), named.get("max", named.get("a_max"))
    if "min" in _called(node):
        return (rest[0] if rest else low), None
    if "max" in _called(node):
        return None, (rest[0] if rest else high)
    return (rest[0] if rest else low), (rest[1] if len(rest) > 1 else high)


def _just(limit: float, way: float) -> bool:
    """Is it a little above a whole number from -1 to 1?"""
    whole = round(limit)
    return whole in (-1, 0, 1) and 0.0 < way * (limit - whole) <= SMALL


# ---- poles --------------------------------------------------------------------------------------


def _poles(node: ast.AST, roots: Mapping[str, str]) -> Iterator[DomainFact]:
    """Roots and logarithms of x * x - 1, 1 - x * x and 1 - x."""
    if isinstance(node, ast.Call) and _called(node) in LOGARITHMS | ROOTS:
        inside: list[ast.expr] = _operands(node)[:1]
    elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.Pow):
        inside = [node.left] if isinstance(node.right, ast.Constant) and node.right.value == 0.5 else []
    else:
        return
    for each in inside:
        if _called(node) in ("log1p", "log1p_") and isinstance(each, ast.UnaryOp):
            root = _root(each.operand, roots)
            if root:
                yield root, ("tag", "ball")
        for part in ast.walk(each):
            if not isinstance(part, ast.BinOp) or not isinstance(part.op, ast.Sub):
                continue
            if _is_one(part.right) and (root := _square(part.left, roots)):
                yield root, ("tag", "above-one")
            elif _is_one(part.left) and (root := _square(part.right, roots)):
                yield root, ("tag", "ball")
            elif _is_one(part.left) and _called(node) in LOGARITHMS and (root := _root(part.right, roots)):
                yield root, ("tag", "below-one")


def _is_one(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value in (1, 1.0)


def _square(node: ast.expr, roots: Mapping[str, str]) -> str:
    """The parameter that is squared: x * x, x ** 2, x.pow(2), x.square()."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult):
        left, right = _root(node.left, roots), _root(node.right, roots)
        return left if left == right else ""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Pow):
        return _root(node.left, roots) if isinstance(node.right, ast.Constant) else ""
    if isinstance(node, ast.Call) and _called(node) in ("pow", "square", "pow_", "square_"):
        return _root(_operands(node)[0], roots) if _operands(node) else ""
    return ""


# ---- clip bounds and steps ----------------------------------------------------------------------


def _clip_bounds(node: ast.AST, roots: Mapping[str, str]) -> Iterator[DomainFact]:
    """alpha of clamp(x, 0, alpha), of clamp(x, -alpha, alpha) and of relu(x).min(alpha) is positive."""
    if not isinstance(node, ast.Call):
        return
    operands = _operands(node)
    called = _called(node)
    if called in CLAMPS:
        low, high = _limits(node, operands[1:])
        bound = _root(high, roots) if high is not None else ""
        if isinstance(low, ast.UnaryOp):
            above_zero = _root(low.operand, roots) == bound
        elif low is None:
            above_zero = bool(operands) and _is_above_zero(operands[0])
        else:
            above_zero = isinstance(low, ast.Constant) and low.value in (0, 0.0)
        if bound and above_zero:
            yield bound, ("tag", "positive")
            yield bound, ("tag", "step")
    elif called in ("min", "minimum") and len(operands) == 2:
        for one, other in (operands, operands[::-1]):
            bound = _root(other, roots)
            if bound and _is_above_zero(one):
                yield bound, ("tag", "positive")
                yield bound, ("tag", "step")


def _is_above_zero(node: ast.expr) -> bool:
    if not isinstance(node, ast.Call):
        return False
    if _called(node) in ("relu", "relu_", "abs", "relu6"):
        return True
    low = _limits(node, _operands(node)[1:])[0] if _called(node) in CLAMPS else None
    return isinstance(low, ast.Constant) and low.value in (0, 0.0)


def _steps(node: ast.AST, roots: Mapping[str, str]) -> Iterator[DomainFact]:
    """What something is divided by before it is rounded, and what is taken from it before."""
    upper: ast.expr | None = None
    divisor: ast.expr | None = None
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div):
        upper, divisor = node.left, node.right
    elif isinstance(node, ast.Call) and _called(node) in ("div", "div_", "true_divide"):
        operands = _operands(node)
        upper, divisor = (operands[0], operands[1]) if len(operands) > 1 else (None, None)
    step = _root(divisor, roots) if divisor is not None else ""
    if not step or upper is None or not _root_inside(upper, roots):
        return
    yield step, ("tag", "positive")
    yield step, ("tag", "step")
    if isinstance(upper, ast.BinOp) and isinstance(upper.op, ast.Sub):
        shift = _root(upper.right, roots)
        if shift:
            yield shift, ("tag", "step")


def _root_inside(node: ast.expr, roots: Mapping[str, str]) -> bool:
    return any(_root(each, roots) for each in ast.walk(node))
