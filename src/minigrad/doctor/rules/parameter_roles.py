"""Roles of the parameters of a forward: tensor, labels, mask, count, flag, word, function or module.

A parameter's annotation, default and name say what it is, and so does what the forward does with it.
"""

from __future__ import annotations

import ast
import contextlib
import inspect
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from textwrap import dedent
from types import FunctionType

from .input_domains import domain_facts, named_domain
from .invented_settings import NAMES as SETTINGS_NAMES
from .invented_settings import settings_of
from .rule_source import SYMMETRIC

__all__ = ["ParameterRole", "parameter_roles"]

# Roles: tensor, labels, mask, value (with options), function, module, modules (a list of such), list (of
# numbers), indices (of a sparse matrix), pointers and columns (of one in compressed rows).
TENSOR_USES = frozenset(
    {
        "shape", "size", "dim", "ndim", "view", "reshape", "t", "T", "mT", "H", "transpose", "permute",
        "mm", "matmul", "bmm", "clone", "detach", "contiguous", "sum", "mean", "exp", "log", "sqrt",
        "abs", "pow", "sign", "round", "floor", "ceil", "clamp", "clip", "unsqueeze", "squeeze",
        "expand", "expand_as", "view_as", "type_as", "new", "new_zeros", "new_ones", "new_empty",
        "numel", "dtype", "device", "sigmoid", "tanh", "norm", "max", "min", "gt", "lt", "ge", "le",
        "eq", "ne", "argmax", "cumsum", "requires_grad", "flatten", "to", "float", "double", "is_cuda",
        "data", "index_select", "gather", "cos", "sin", "div", "mul", "sub", "add", "numpy", "unbind",
        "masked_fill", "repeat", "var", "std", "softmax", "sort", "topk", "svd", "cholesky", "inverse",
        "diag", "tril", "triu", "chunk", "split", "fill_", "mul_", "add_", "is_contiguous", "stride",
        "element_size", "clamp_min", "clamp_max", "copy_", "type", "astype", "at", "conj", "real",
        "imag", "addmm", "lgamma", "erf", "item", "mv", "is_sparse",
    }
)  # fmt: skip
SQUARE_CALLS = frozenset(
    {
        "cholesky", "eigh", "symeig", "eigvalsh", "logdet", "slogdet", "inverse", "inv", "svd",
        "matrix_exp", "trace", "det", "cholesky_inverse", "cholesky_ex", "potrf", "expm", "sqrtm",
    }
)  # fmt: skip
SPD_CALLS = frozenset(
    ["cholesky", "eigh", "symeig", "eigvalsh", "logdet", "slogdet", "cholesky_ex", "potrf", "sqrtm"]
)
IMAGE_CALLS = frozenset(
    {
        "conv2d", "conv_transpose2d", "max_pool2d", "avg_pool2d", "unfold", "fold", "interpolate",
        "pad2d",
    }
)  # fmt: skip
LABEL_CALLS = frozenset(
    {
        "one_hot", "gather", "index_select", "scatter", "scatter_", "nll_loss", "embedding",
        "index_add", "index_add_", "scatter_add", "scatter_add_",
    }
)  # fmt: skip
LABEL_NAMES = re.compile(
    r"^(labels?|targets?|targ|gt|index|indices|idxs?|inds?|ids|y_true|classes|tokens?)$", re.I
)
INDEX_NAMES = re.compile(r"(^|_)(indices|indexes|idxs|inds)$", re.I)
MASK_NAMES = re.compile(r"(^|_)(mask|valid|keep)(_|$|s$)", re.I)
FUNCTION_NAMES = re.compile(
    r"^(fn|func|function|run_function|f|forward_fn|callable|closure|op|activation)$", re.I
)
MODULE_NAMES = re.compile(r"^(module|net|model|layer|block|mod)$", re.I)

MODULE_USES = frozenset(
    ["parameters", "named_parameters", "training", "state_dict", "forward", "zero_grad", "eval", "train"]
)
ONE_HOT_NAMES = re.compile(r"one_?hot", re.I)
LIST_NAMES = re.compile(
    r"weights?$|proportions?$|priors?$|freqs?$|frequenc|_list$|counts$|ratios$|alphas$|lambdas$|levels$", re.I
)
WHOLE_NAMES = re.compile(r"_size$|(^|_)(dim|axis|count)$|^(n|num)_", re.I)
LIST_MAKERS = frozenset(["tensor", "as_tensor", "FloatTensor", "array", "asarray"])
SPARSE_CALLS = frozenset(["sparse_coo_tensor", "_sparse_coo_tensor_unsafe", "SparseTensor"])
POINTER_NAMES = re.compile(r"(^|_)(row|col|c|r)_?ptrs?$|(^|_)indptrs?$|(^|_)crow(_ind\w*)?$", re.I)
COLUMN_NAMES = re.compile(r"(^|_)(cols?|columns?|rows?)_?(ind|inds|indices|idx|index)$", re.I)
SPARSE_NUMBERS = re.compile(r"(^|_)(vals?|values?|data|nnz_values)$", re.I)
SPARSE_SIZES = re.compile(r"^(n|num)_?(cols?|rows?|columns?)$|^[mn]$", re.I)
SPARSE_SIZE = 4  # of the invented sparse matrices, in both directions

# What a number is by its name: the first that matches; several options are tried in order.
VALUES: tuple[tuple[str, tuple[object, ...]], ...] = (
    (r"ignore", (-100, 255)),
    (r"^(tol|tolerance|atol|rtol)$", (1e-10, 1e-5)),
    (r"^(eps|epsilon|thr?esh_eps)$|_eps$|^eps_", (1e-5,)),
    (r"^t_?(0|start|init)$", (0.0, 0)), (r"^t_?(1|end|final)$", (1.0, 1)),
    (r"^q_?(n|min)$", (-2,)), (r"^q_?(p|max)$", (1,)),
    (r"(^|_)(dims?|axis|axes|channel_dim)$", (-1, 1, 0)),
    (r"train", (True, False)),
    (r"inplace", (False,)),
    (r"^(is|use|has|do|return|with|needs?|keep|preserve|requires|normali[sz]ed|symmetric|signed|bias_)_?",
     (True, False)),
    (r"(^|_)(p|prob|rate|drop_?prob|dropout|drop_p|drop_rate|keep_prob)$", (0.3,)),
    (r"momentum|decay", (0.1,)),
    (r"(^|_)(n_?)?(iter(ation)?s?|steps?|num_sink|repeats?|loops?)$|^n_?it|max_?iter|num_?iter|iterN",
     (5, 20)),
    (r"bit|(^|_)(nbits?|k|levels?|n_levels|num_levels|bins?)$", (4, 2, 3)),
    (r"stride", (1, 2)), (r"padding|(^|_)pad$", (0, 1)), (r"dilation|groups", (1,)),
    (r"kernel_?size|ksize|window|block_?size|group_?size", (2, 3)),
    (r"(n|num)_?(class|label|categor|embed|bucket)|class_?num|n_?cls|vocab", (5,)),
    (r"(n|num)_?(group|head|chunk|channel|feature|sample|point|node)s?|heads", (2, 4, 3)),
    (r"_size$", (4, 3, 1, 2)),
    (r"(^|_)(length|len|count|num|n|size)$", (1, 2, 3, 4)),
    (r"(^|_)(min|low|lower|lb|minimum|a_min|qmin|min_val(ue)?|left)$|^min_|^low", (-0.7,)),
    (r"(^|_)(max|high|upper|ub|maximum|a_max|qmax|max_val(ue)?|right)$|^max_|^up", (0.9,)),
    (r"thr|thresh|bound|border|limit|cutoff", (0.5,)),
    (r"reduction|reduce", ("mean", "sum", "none")),
    (r"mode|kind|method", ("mean", "sum", "")),
    (r"device|group|handle|stream|process|ctx|context|config|cfg|name|id$", (None,)),
    (r"dtype", (None,)),
    (r"shape|(^|_)size$|sizes", ((3, 4), (2, 3))),
    (r"temp|tau|alpha|beta|gamma|lambd|lam|lmbd|scale|factor|coeff|slope|weight|width|sigma|strength|ratio|power|"
     r"delta|mu|nu|rho|theta|value|const|grad_|lr|step|radius|margin|smooth|clip|blur", (0.7, 2)),
)  # fmt: skip
POSITIVE_NAMES = re.compile(
    r"(^|_)(sigma|std|var|variance|scale|step|delta|rate|width|running_var|weights?_sum|s|interval|dist|z_vals|radius)(_|$)|positive",
    re.I,
)
UNIT_NAMES = re.compile(r"^(p|q|probs?|pred|predictions?|probabilit\w*|alphas?|w|y_pred)$", re.I)
VECTOR_NAMES = re.compile(
    r"^(weight|bias|gamma|beta|scale|shift|running_mean|running_var|mean|var|std|mu|sigma|w|b|alpha|g|affine_\w+|slope|bn_weight|bn_bias)$",
    re.I,
)


SCALAR_NAMES = re.compile(
    r"exponent|power|temperature|tau|thresh|lambda|lambd|epsilon|factor|(^|_)(p|n|lr|eps|rate)$", re.I
)


@dataclass
class ParameterRole:
    name: str
    kind: str = "tensor"
    options: tuple[object, ...] = ()  # of a value; the first one is the likeliest
    degenerate: bool = False  # is its default one that may hide a fault, such as p = 0 or training = False?
    dims: int | None = None  # axes of a tensor, where the forward says so
    # square, spd, positive, unit, ball, above-one, vector, scalar, step, one-hot, sparse-values ...
    tags: set[str] = field(default_factory=set)
    keys: dict[str, object] = field(default_factory=dict)  # that are read of it, with likely values
    fields: dict[str, object] = field(default_factory=dict)  # attributes that no tensor has
    bounds: tuple[float | None, ...] = (None, None)  # guards at the top of the forward
    optional: bool = False
    defaulted: bool = False  # may it be left out of a call?
    sure: bool = False  # is it known to be a tensor, or to be none?


def parameter_roles(
    forward: object, skip_first: bool, words: str = "", backward: object = None
) -> list[ParameterRole] | None:
    """One role for each positional parameter; a * parameter has the name "*".  None without a signature.

    `words` is what stands around the forward; `backward` may use what the forward only keeps.
    """
    try:
        parameters = list(inspect.signature(forward).parameters.values())  # type: ignore[arg-type]
    except (TypeError, ValueError):
        return None
    roles = []
    for p in parameters[1 if skip_first else 0 :]:
        if p.kind is p.VAR_POSITIONAL:
            roles.append(ParameterRole("*"))
        elif p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD):
            roles.append(_declared(p))
    _learn(roles, forward)
    _learn_kept(roles, forward, backward)
    for role in roles:
        _by_name(role, words)
    _by_each_other(roles, forward)
    for role in roles:
        _as_settings(role, forward)
    return roles


def _as_settings(role: ParameterRole, forward: object) -> None:
    """A dictionary of settings, or an object: its names are read, or its own name says so."""
    named = SETTINGS_NAMES.search(role.name) is not None
    kinds = ("tensor", "value", "module") if named else ("tensor", "value")
    if not (role.keys or named or "settings" in role.tags) or role.kind not in kinds or role.name == "*":
        return
    if (
        role.kind == "value"
        and any(type(x) in (bool, int, float, str) for x in role.options)
        and not role.keys
    ):
        return
    names = getattr(inspect.unwrap(forward), "__globals__", {})  # type: ignore[arg-type]
    read = {name: value for name, value in role.fields.items() if name not in NO_FIELDS}
    made = settings_of(role.name, names, role.keys, read if named else {})
    if made:
        rest = tuple(x for x in role.options if x is None)
        role.kind, role.sure, role.options = "value", True, (*made, *rest)


def _declared(p: inspect.Parameter) -> ParameterRole:
    role = ParameterRole(p.name)
    _annotated(role, p)
    if p.default is not p.empty:
        role.defaulted = True
        if p.default is None:
            role.optional = True
            if role.kind == "value":
                role.options = (None, *role.options)
        elif isinstance(p.default, (bool, int, float, str, tuple, list)):
            role.kind, role.sure, role.options = "value", True, (p.default,)
            if isinstance(p.default, bool):
                role.options, role.degenerate = (p.default, not p.default), True
            elif p.default in (0, 0.0, 1.0) and isinstance(p.default, (int, float)):
                role.degenerate = True
        else:
            role.kind, role.sure, role.options = "value", True, (p.default,)
    return role


def _annotated(role: ParameterRole, p: inspect.Parameter) -> None:
    """By its annotation, a type or a text: numbers.Number, Optional[float], tuple[int, int], nn.Module."""
    if p.annotation is p.empty:
        return
    text = p.annotation if isinstance(p.annotation, str) else inspect.formatannotation(p.annotation)
    text = text.lower().replace("typing.", "").replace("torch.types.", "")
    words = [word for word in re.findall(r"[\w.]+", text) if word not in ("optional", "union", "any")]
    if "optional" in text or "none" in words:
        role.optional = True
    words = [word.rpartition(".")[2] for word in words if word != "none"]
    if "callable" in words:
        role.kind, role.sure = "function", True
    elif any("tensor" in word or "array" in word for word in words):
        role.sure = True
        if any("long" in word or word == "inttensor" for word in words):
            role.kind = "labels"
    elif any("module" in word for word in words):
        many = any(word in ("list", "sequence", "tuple", "modulelist", "iterable") for word in words)
        role.kind, role.sure = "modules" if many else "module", True
    elif words and words[0] == "int" and "tuple" in words and set(words) == {"int", "tuple"}:
        role.kind, role.sure, role.options = "value", True, ((4, 3), (4,), 4, (3, 4, 2))
    elif words and words[0] in ("tuple", "list", "sequence", "iterable", "size"):
        _annotated_as_many(role, words)
    elif found := [NUMBERS[word] for word in words if word in NUMBERS]:
        role.kind, role.sure, role.options = "value", True, found[0]


NUMBERS: Mapping[str, tuple[object, ...]] = {
    "float": (0.5,), "number": (0.5, 2), "real": (0.5, 2), "int": (2, 1, 3), "bool": (True, False),
    "str": ("",), "dtype": (None,), "device": (None,),
}  # fmt: skip


def _annotated_as_many(role: ParameterRole, words: list[str]) -> None:
    inner = words[1:]
    if not inner and words[0] == "size":
        role.kind, role.sure, role.options = "value", True, ((3, 4), (2, 3))
    elif inner and set(inner) == {"int"}:
        count = len(inner) if words[0] == "tuple" else 2
        choices = ((2,), (1,), (3,)) if count == 1 else ((2, 2), (3, 4), (1, 1), (2, 3))
        made = [tuple((each * count)[:count]) for each in choices]
        role.kind, role.sure, role.options = "value", True, tuple(made)
    elif inner and set(inner) <= {"float", "number"}:
        role.kind, role.sure = "list", True


# ---- what the forward does with it --------------------------------------------------------------


def _learn(roles: list[ParameterRole], forward: object) -> None:
    function = _tree(forward)
    if function is None:
        return
    by_name = {role.name: role for role in roles}
    for name, fact in _facts_of(function, forward):
        role = by_name.get(name)
        if role is not None:
            _note(role, fact)
    for names, inner in _helpers(function, forward, by_name):
        own = _tree(inner)
        for parameter, fact in _facts_of(own, inner) if own is not None else ():
            role = by_name.get(names.get(parameter, ""))
            if role is not None and fact[0] != "none":
                _note(role, fact)


def _facts_of(function: ast.FunctionDef, found: object) -> Iterator[tuple[str, tuple[str, object]]]:
    for node in ast.walk(function):
        yield from _facts(node)
    yield from domain_facts(function, _constants(found))


def _tree(found: object) -> ast.FunctionDef | None:
    """The definition of a function; None where it has no text, or is no `def`."""
    try:
        text = dedent(inspect.getsource(inspect.unwrap(found)))  # type: ignore[arg-type]
        tree = ast.parse(text)
    except (OSError, TypeError, SyntaxError, IndexError, ValueError, RecursionError):
        return None
    return next((node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)), None)


def _constants(found: object) -> dict[str, float]:
    """The numbers that a function knows by name: of its module, and its own defaults."""
    inner = inspect.unwrap(found) if callable(found) else found
    names = dict(getattr(inner, "__globals__", {}))
    with contextlib.suppress(TypeError, ValueError):
        names.update((p.name, p.default) for p in inspect.signature(inner).parameters.values())  # type: ignore[arg-type]
    return {name: float(x) for name, x in names.items() if type(x) in (int, float)}


def _helpers(
    function: ast.FunctionDef, forward: object, known: Mapping[str, object]
) -> Iterator[tuple[dict[str, str], FunctionType]]:
    """Functions of the same module that are handed parameters: {their parameter: ours}, and the function."""
    names = getattr(inspect.unwrap(forward), "__globals__", {})  # type: ignore[arg-type]
    for node in ast.walk(function):
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name):
            continue
        helper = names.get(node.func.id)
        if not isinstance(helper, FunctionType) or helper.__module__ != names.get("__name__"):
            continue
        theirs = helper.__code__.co_varnames[: helper.__code__.co_argcount]
        pairs = {
            their: each.id
            for their, each in zip(theirs, node.args, strict=False)
            if isinstance(each, ast.Name) and each.id in known
        }
        pairs |= {
            each.arg: each.value.id
            for each in node.keywords
            if each.arg and isinstance(each.value, ast.Name) and each.value.id in known
        }
        if pairs:
            yield pairs, helper


def _learn_kept(roles: list[ParameterRole], forward: object, backward: object) -> None:
    """ctx.f = f in the forward, and ctx.f.parameters() in the backward: f is a module."""
    before, after = _tree(forward), _tree(backward)
    if before is None or after is None:
        return
    kept: dict[str, str] = {}
    for node in ast.walk(before):
        if isinstance(node, ast.Assign) and len(node.targets) == 1:
            targets, values = [node.targets[0]], [node.value]
            if isinstance(targets[0], ast.Tuple) and isinstance(values[0], ast.Tuple):
                targets, values = list(targets[0].elts), list(values[0].elts)
            for target, value in zip(targets, values, strict=False):
                if isinstance(target, ast.Attribute) and isinstance(value, ast.Name):
                    kept[target.attr] = value.id
    by_name = {role.name: role for role in roles}
    renamed = _KeptNames(kept)
    tree = renamed.visit(after)
    for node in ast.walk(tree):
        for name, fact in _facts(node):
            role = by_name.get(name)
            if role is not None and fact[0] in ("module", "modules", "key", "field"):
                _note(role, fact)


class _KeptNames(ast.NodeTransformer):
    """ctx.f by the name of the parameter that it was, and so what is assigned from it."""

    def __init__(self, kept: Mapping[str, str]) -> None:
        self.kept = kept
        self.locals: dict[str, str] = {}

    def visit_Assign(self, node: ast.Assign) -> ast.AST:
        self.generic_visit(node)
        targets, values = [node.targets[0]], [node.value]
        if isinstance(targets[0], ast.Tuple) and isinstance(values[0], ast.Tuple):
            targets, values = list(targets[0].elts), list(values[0].elts)
        for target, value in zip(targets, values, strict=False):
            if isinstance(target, ast.Name):
                was = value.id if isinstance(value, ast.Name) else ""
                self.locals[target.id] = was if was in self.kept.values() else f"local {target.id}"
        return node

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        if isinstance(node.value, ast.Name) and node.value.id == "ctx" and node.attr in self.kept:
            return ast.Name(self.kept[node.attr], ast.Load())
        self.generic_visit(node)
        return node

    def visit_Name(self, node: ast.Name) -> ast.AST:
        if isinstance(node.ctx, ast.Store):
            return node
        return ast.Name(self.locals.get(node.id, f"local {node.id}"), node.ctx)


def _note(role: ParameterRole, fact: tuple[str, object]) -> None:
    kind, value = fact
    if kind == "tensor" and not role.sure:
        role.sure = True
    elif kind == "dims" and isinstance(value, int):
        role.dims = value
    elif kind == "tag" and isinstance(value, str):
        role.tags.add(value)
    elif kind == "none":
        role.optional = True
    elif kind == "bounds" and isinstance(value, tuple):
        role.bounds = tuple(was if now is None else now for was, now in zip(role.bounds, value, strict=True))
    elif kind == "options" and isinstance(value, tuple) and not (role.sure and role.kind == "value"):
        role.kind, role.sure, role.options = "value", True, value
    elif kind == "function" and role.kind in ("module", "modules"):
        pass
    elif kind == "list":
        if not role.sure:
            role.tags.add("list")
    elif kind in ("function", "module", "modules", "labels", "indices") and not (
        role.sure and role.kind == "value"
    ):
        role.kind, role.sure = kind, True
    elif kind == "word" and isinstance(value, str) and role.kind != "labels":
        before = tuple(x for x in role.options if isinstance(x, str) and x)
        role.kind, role.sure, role.options = "value", True, tuple(dict.fromkeys((*before, value)))
    elif kind == "key" and isinstance(value, str):
        role.keys.setdefault(value, _value_by_name(value))
    elif kind == "field" and isinstance(value, str):
        role.fields.setdefault(value, _value_by_name(value))
    elif kind == "count" and not role.sure:
        role.tags.add("count")
    elif kind == "flag" and not role.sure:
        role.tags.add("flag")


def _value_by_name(name: str) -> object:
    """The likeliest value of what has this name; a flag where the name says nothing."""
    return next((values[0] for pattern, values in VALUES if re.search(pattern, name, re.I)), False)


DICTIONARY_USES = frozenset(["get", "pop", "setdefault"])
NO_FIELDS = TENSOR_USES | DICTIONARY_USES | {"copy", "items", "keys", "values", "update"}


def _key_facts(node: ast.AST) -> Iterator[tuple[str, tuple[str, object]]]:
    """cfg["eps"], cfg.get("eps"), "eps" in cfg, cfg.eps"""
    if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name):
        if isinstance(node.slice, ast.Constant) and isinstance(node.slice.value, str):
            yield node.value.id, ("key", node.slice.value)
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.args:
        owner, first = node.func.value, node.args[0]
        key = first.value if isinstance(first, ast.Constant) else None
        if node.func.attr in DICTIONARY_USES and isinstance(owner, ast.Name) and isinstance(key, str):
            yield owner.id, ("key", key) if len(node.args) == 1 else ("tag", "settings")
    elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
        yield node.value.id, ("field", node.attr)


def _facts(node: ast.AST) -> Iterator[tuple[str, tuple[str, object]]]:
    yield from _key_facts(node)
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
        name, attribute = node.value.id, node.attr
        if attribute in TENSOR_USES:
            yield name, ("tensor", attribute)
        if attribute in MODULE_USES:
            yield name, ("module", attribute)
        if attribute in SQUARE_CALLS:
            yield name, ("tag", "square")
        if attribute in SPD_CALLS:
            yield name, ("tag", "spd")
        if attribute == "long":
            yield name, ("labels", attribute)
        if attribute in ("log", "sqrt", "rsqrt", "log2", "log10"):
            yield name, ("tag", "positive")
    elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Tuple):
        value = node.value
        if isinstance(value, ast.Call):
            value = value.func
        if (
            isinstance(value, ast.Attribute)
            and value.attr in ("shape", "size")
            and isinstance(value.value, ast.Name)
        ):
            elements = node.targets[0].elts
            if not any(isinstance(e, ast.Starred) for e in elements):
                yield value.value.id, ("dims", len(elements))
    elif isinstance(node, ast.Call):
        yield from _call_facts(node)
    elif isinstance(node, ast.Compare) and isinstance(node.left, ast.Name):
        for op, right in zip(node.ops, node.comparators, strict=True):
            if isinstance(op, (ast.Is, ast.IsNot)):
                yield node.left.id, ("none", None)
            elif isinstance(right, ast.Constant) and isinstance(right.value, str):
                yield node.left.id, ("word", right.value)
            elif isinstance(right, (ast.Tuple, ast.List)):
                for each in right.elts:
                    if isinstance(each, ast.Constant) and isinstance(each.value, str):
                        yield node.left.id, ("word", each.value)
    elif isinstance(node, (ast.If, ast.IfExp)):
        test = node.test.operand if isinstance(node.test, ast.UnaryOp) else node.test
        if isinstance(test, ast.Name):
            yield test.id, ("flag", None)
    elif isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name):
        if isinstance(node.slice, ast.Tuple) and all(_is_whole_axis(e) for e in node.slice.elts):
            yield node.value.id, ("dims", sum(isinstance(e, ast.Slice) for e in node.slice.elts))
        if isinstance(node.slice, ast.Tuple) and not any(
            isinstance(e, ast.Constant) and e.value in (Ellipsis, None) for e in node.slice.elts
        ):
            yield node.value.id, ("tensor", "index")
    elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.MatMult):
        for side in (node.left, node.right):
            if isinstance(side, ast.Name):
                yield side.id, ("tensor", "@")
    elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.Pow) and isinstance(node.right, ast.Name):
        if isinstance(node.left, ast.Constant):
            yield node.right.id, ("count", None)
    elif isinstance(node, ast.For):
        yield from _loop_facts(node)
    elif (
        isinstance(node, ast.comprehension)
        and isinstance(node.iter, ast.Name)
        and LIST_NAMES.search(node.iter.id)
    ):
        yield node.iter.id, ("list", None)


def _is_whole_axis(node: ast.expr) -> bool:
    """`:` or None in x[:, None, :]."""
    if isinstance(node, ast.Slice):
        return node.lower is None and node.upper is None and node.step is None
    return isinstance(node, ast.Constant) and node.value is None


def _loop_facts(node: ast.For) -> Iterator[tuple[str, tuple[str, object]]]:
    """Over a list of blocks that are called, or of numbers."""
    over: ast.expr = node.iter
    target: ast.expr = node.target
    if isinstance(over, ast.Subscript):  # blocks[::-1]
        over = over.value
    if isinstance(over, ast.Call) and over.args and isinstance(target, ast.Tuple):  # enumerate(blocks)
        over, target = over.args[0], target.elts[-1]
    if not isinstance(over, ast.Name) or not isinstance(target, ast.Name):
        return
    for inner in ast.walk(node):
        if isinstance(inner, ast.Call):
            func = inner.func
            if isinstance(func, ast.Attribute) and func.attr == "forward":
                func = func.value
            if isinstance(func, ast.Name) and func.id == target.id:
                yield over.id, ("modules", None)
                return
    if LIST_NAMES.search(over.id):
        yield over.id, ("list", None)


def _call_facts(node: ast.Call) -> Iterator[tuple[str, tuple[str, object]]]:
    called = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
    if isinstance(node.func, ast.Name):
        yield node.func.id, ("function", None)
    if isinstance(node.func, ast.Attribute) and isinstance(node.func.value, ast.Name) and called == "permute":
        yield node.func.value.id, ("dims", len(node.args))
    for keyword in node.keywords:
        if keyword.arg is None and isinstance(keyword.value, ast.Name):  # f(x, **options)
            yield keyword.value.id, ("options", ({},))
    names = [a.id for a in node.args if isinstance(a, ast.Name)]
    if called in SPARSE_CALLS or (called.endswith("Tensor") and "sparse" in ast.dump(node.func)):
        yield from _sparse_facts(node)
    for k, argument in enumerate(node.args):
        if not isinstance(argument, ast.Name):
            continue
        name = argument.id
        if called == "save_for_backward":
            yield name, ("tensor", called)
        if called in ("range",):
            yield name, ("count", None)
        if called in SQUARE_CALLS and k == 0:
            yield name, ("tag", "square")
        if called in SPD_CALLS and k == 0:
            yield name, ("tag", "spd")
        if called in ("solve", "cholesky_solve", "lu_solve") and k == 0:
            yield name, ("tag", "square")
        if called in ("log", "sqrt", "rsqrt") and k == 0:
            yield name, ("tag", "positive")
        if called in ("acosh", "arcosh", "arccosh"):
            yield name, ("tag", "above-one")
        if called in ("atanh", "artanh", "arctanh", "asin", "acos", "erfinv"):
            yield name, ("tag", "ball")
        if called == "bmm" or called == "baddbmm":
            yield name, ("dims", 3)
        if called in IMAGE_CALLS and name == names[0]:
            yield name, ("dims", 4)
        if called in ("conv1d",) and name == names[0]:
            yield name, ("dims", 3)
        if called in ("one_hot", "embedding") or (called in LABEL_CALLS and 1 <= k == len(node.args) - 1):
            yield name, ("labels", called)
        if called.startswith("scatter") and k == 1 and len(node.args) > 2:
            yield name, ("labels", called)
        if (called == "len" and LIST_NAMES.search(name)) or (called in LIST_MAKERS and k == 0):
            yield name, ("list", called)


def _sparse_facts(node: ast.Call) -> Iterator[tuple[str, tuple[str, object]]]:
    """sparse_coo_tensor(indices, values, shape)"""
    facts: list[tuple[str, object]] = [
        ("indices", None),
        ("tag", "sparse-values"),
        ("options", ((SPARSE_SIZE, SPARSE_SIZE),)),
    ]
    for argument, fact in zip(node.args, facts, strict=False):
        if isinstance(argument, ast.Name):
            yield argument.id, fact


# ---- what its name says -------------------------------------------------------------------------


def _by_name(role: ParameterRole, words: str) -> None:
    name = role.name
    if name == "*":
        return
    if "step" in role.tags or SCALAR_NAMES.search(name):
        role.tags.add("scalar")
    elif VECTOR_NAMES.match(name):
        role.tags.add("vector")
    if POSITIVE_NAMES.search(name):
        role.tags.add("positive")
    if UNIT_NAMES.match(name):
        role.tags.add("unit")
    if re.search(r"poincar|hyperbol|lorentz|\bball\b", words, re.I):
        role.tags.add("ball")
    if re.search(r"sinkhorn|transport|marginal|simplex", words, re.I):
        role.tags.add("simplex")
    if SYMMETRIC.search(words):
        role.tags.add("spd")
    if role.kind == "value" and role.options and role.sure:
        if role.degenerate and not isinstance(role.options[0], bool):
            more = next((values for pattern, values in VALUES if re.search(pattern, name, re.I)), ())
            role.options = tuple(
                dict.fromkeys((*role.options, *(v for v in more if isinstance(v, (int, float))), 0.7))
            )
        elif type(role.options[0]) in (int, float, str) and role.options[0] in (
            2,
            0.5,
            "",
        ):  # by its annotation alone
            more = next((values for pattern, values in VALUES if re.search(pattern, name, re.I)), ())
            kind = type(role.options[0])
            fitting = tuple(
                v for v in more if type(v) is kind or (kind is float and isinstance(v, (int, float)))
            )
            role.options = tuple(dict.fromkeys((*fitting, *role.options)))
        return
    if role.kind in ("function", "module", "modules", "labels", "indices", "list"):
        return
    if ONE_HOT_NAMES.search(name) and role.kind == "tensor":
        role.tags.add("one-hot")
        role.sure = True
        return
    if "sparse-values" in role.tags:
        role.sure = True
    if "step" in role.tags:
        role.sure = True
    if INDEX_NAMES.search(name) and role.kind == "tensor" and role.tags.isdisjoint({"maybe-value", "count"}):
        role.kind = "labels"
        return
    if MASK_NAMES.search(name) and role.kind == "tensor":
        role.kind = "mask"
        return
    if LABEL_NAMES.match(name) and role.kind == "tensor":
        role.tags.add("maybe-labels")
        return
    if role.sure:
        return
    if FUNCTION_NAMES.match(name):
        role.kind = "function"
        return
    if MODULE_NAMES.match(name):
        role.kind = "module"
        return
    if "flag" in role.tags:
        role.kind, role.options = "value", (True, False)
        return
    values = next((values for pattern, values in VALUES if re.search(pattern, name, re.I)), ())
    if "list" in role.tags:
        if not values or LIST_NAMES.search(name):
            role.kind = "list"
            return
        role.kind, role.options = "value", tuple(v for v in values if isinstance(v, int)) or (4, 2, 3)
    elif values and WHOLE_NAMES.search(name):
        role.kind, role.options = "value", values
    elif values:
        role.tags.add("maybe-value")
        role.options = values


def _as_compressed_rows(roles: list[ParameterRole]) -> None:
    """Pointers, columns and numbers of a sparse matrix: beside a pointer, the other names mean its parts."""
    if not any(POINTER_NAMES.search(role.name) for role in roles):
        return
    for role in roles:
        if POINTER_NAMES.search(role.name):
            role.kind, role.sure = "pointers", True
        elif COLUMN_NAMES.search(role.name):
            role.kind, role.sure = "columns", True
        elif SPARSE_NUMBERS.search(role.name):
            role.kind, role.sure = "tensor", True
            role.tags.add("sparse-values")
        elif SPARSE_SIZES.search(role.name):
            role.kind, role.sure, role.options = "value", True, (SPARSE_SIZE,)


def _by_each_other(roles: list[ParameterRole], forward: object) -> None:
    """What the other parameters, and the name of the rule, say of one."""
    _as_compressed_rows(roles)
    calls = any(role.kind in ("function", "module", "modules") for role in roles)
    levels = any(re.match(r"q_?(n|p|min|max)$", role.name, re.I) for role in roles)
    for role in roles:
        whole = bool(role.options) and all(type(x) is int for x in role.options)
        if calls and whole and re.search(r"iter|steps?$", role.name, re.I):
            role.options = (60, *role.options)  # a fixed point has to be reached, or its rule does not hold
        if levels and role.name == "g" and not role.sure:  # the factor of a learned step
            role.kind, role.options, role.sure = "value", (0.5,), True
    name = str(getattr(forward, "__qualname__", "")).removesuffix(".forward")
    domain = named_domain(name.rpartition(".")[2])
    if not any(role.kind == "tensor" for role in roles):
        for role in roles:
            role.kind = "tensor" if role.kind == "list" else role.kind
    tensors = [role for role in roles if role.kind == "tensor" and "maybe-value" not in role.tags]
    if domain and len(tensors) == 1:
        tensors[0].tags.add(domain)
