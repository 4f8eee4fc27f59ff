"""Roles of the parameters of a forward: tensor, labels, mask, count, flag, word, function or module.

A parameter's annotation, default and name say what it is, and so does what the forward does with it.
"""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from textwrap import dedent

from .rule_source import SYMMETRIC

__all__ = ["ParameterRole", "parameter_roles"]

# Roles: tensor, labels, mask, value (with options), function, module.
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
        "imag", "addmm", "lgamma", "erf",
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
        "index_add", "index_add_",
    }
)  # fmt: skip
LABEL_NAMES = re.compile(
    r"^(labels?|targets?|targ|gt|index|indices|idxs?|inds?|ids|y_true|classes|tokens?)$", re.I
)
MASK_NAMES = re.compile(r"(^|_)(mask|valid|keep)(_|$|s$)", re.I)
FUNCTION_NAMES = re.compile(
    r"^(fn|func|function|run_function|f|forward_fn|callable|closure|op|activation)$", re.I
)
MODULE_NAMES = re.compile(r"^(module|net|model|layer|block|mod)$", re.I)

# What a number is by its name: the first that matches; several options are tried in order.
VALUES: tuple[tuple[str, tuple[object, ...]], ...] = (
    (r"^(eps|epsilon|tol|tolerance|atol|rtol|thr?esh_eps)$|_eps$|^eps_", (1e-5,)),
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
    tags: set[str] = field(default_factory=set)  # square, spd, positive, unit, ball, above-one, vector, whole
    optional: bool = False
    sure: bool = False  # is it known to be a tensor, or to be none?


def parameter_roles(forward: object, skip_first: bool, words: str = "") -> list[ParameterRole] | None:
    """One role for each positional parameter; a * parameter has the name "*".  None without a signature."""
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
    for role in roles:
        _by_name(role, words)
    return roles


def _declared(p: inspect.Parameter) -> ParameterRole:
    role = ParameterRole(p.name)
    annotation = (
        p.annotation
        if isinstance(p.annotation, str)
        else getattr(p.annotation, "__name__", str(p.annotation))
    )
    text = "" if p.annotation is p.empty else annotation.lower()
    if "optional" in text or "none" in text:
        role.optional = True
    if "tensor" in text or "array" in text:
        role.sure = True
        if "long" in text or "int" in text:
            role.kind = "labels"
    elif text in ("int", "float", "bool", "str", "torch.dtype", "dtype"):
        role.kind, role.sure = "value", True
        role.options = {"int": (2, 1, 3), "float": (0.5,), "bool": (True, False), "str": ("",)}.get(
            text, (None,)
        )
    elif "callable" in text:
        role.kind, role.sure = "function", True
    elif "module" in text:
        role.kind, role.sure = "module", True
    if p.default is not p.empty:
        if p.default is None:
            role.optional = True
        elif isinstance(p.default, (bool, int, float, str, tuple, list)):
            role.kind, role.sure, role.options = "value", True, (p.default,)
            if isinstance(p.default, bool):
                role.options, role.degenerate = (p.default, not p.default), True
            elif p.default in (0, 0.0, 1.0) and isinstance(p.default, (int, float)):
                role.degenerate = True
        else:
            role.kind, role.sure, role.options = "value", True, (p.default,)
    return role


# ---- what the forward does with it --------------------------------------------------------------


def _learn(roles: list[ParameterRole], forward: object) -> None:
    try:
        tree = ast.parse(dedent(inspect.getsource(inspect.unwrap(forward))))  # type: ignore[arg-type]
    except (OSError, TypeError, SyntaxError, IndexError):
        return
    by_name = {role.name: role for role in roles}
    for node in ast.walk(tree):
        for name, fact in _facts(node):
            role = by_name.get(name)
            if role is not None:
                _note(role, fact)


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
    elif kind in ("function", "module", "labels") and not (role.sure and role.kind == "value"):
        role.kind, role.sure = kind, True
    elif kind == "word" and isinstance(value, str) and role.kind != "labels":
        before = tuple(x for x in role.options if isinstance(x, str) and x)
        role.kind, role.sure, role.options = "value", True, tuple(dict.fromkeys((*before, value)))
    elif kind == "count" and not role.sure:
        role.tags.add("count")
    elif kind == "flag" and not role.sure:
        role.tags.add("flag")
    elif kind == "list":
        role.tags.add("list")


def _facts(node: ast.AST) -> Iterator[tuple[str, tuple[str, object]]]:
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
        name, attribute = node.value.id, node.attr
        if attribute in TENSOR_USES:
            yield name, ("tensor", attribute)
        if attribute in ("parameters", "named_parameters", "training", "state_dict"):
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
    elif isinstance(node, ast.For) and isinstance(node.iter, ast.Name):
        yield node.iter.id, ("list", None)


def _call_facts(node: ast.Call) -> Iterator[tuple[str, tuple[str, object]]]:
    called = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
    if isinstance(node.func, ast.Name):
        yield node.func.id, ("function", None)
    if isinstance(node.func, ast.Attribute) and isinstance(node.func.value, ast.Name) and called == "permute":
        yield node.func.value.id, ("dims", len(node.args))
    names = [a.id for a in node.args if isinstance(a, ast.Name)]
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
        if called in ("is_tensor", "isinstance", "int", "float", "bool", "str", "len", "print"):
            continue


# ---- what its name says -------------------------------------------------------------------------


def _by_name(role: ParameterRole, words: str) -> None:
    name = role.name
    if name == "*":
        return
    if SCALAR_NAMES.search(name):
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
    if role.kind in ("function", "module", "labels"):
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
    if "count" in role.tags:
        role.kind, role.options = "value", tuple(v for v in values if isinstance(v, int)) or (4, 2, 3)
    elif values:
        role.tags.add("maybe-value")
        role.options = values
