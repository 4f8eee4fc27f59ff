"""Targets of an examination in a module: rules, functions that use them, modules of torch.nn, factories.

Each kind is told from the others without being asked by its name: what comes out is a function or a class
that the examination takes, or a refusal that says what to write instead.
"""

from __future__ import annotations

import ast
import inspect
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from textwrap import dedent
from types import CodeType, FunctionType, ModuleType
from typing import Any
from warnings import catch_warnings, simplefilter

from .parameter_roles import TENSOR_USES
from .report import Remark
from .rule_place import RulePlace, code_of, place_of
from .subject import Rule, error_text

__all__ = ["RuleTarget", "TargetRefusedError", "is_rule", "rules_of", "target_inside", "target_of"]

KNOWN = {"torch.Function", "jax.custom_vjp", "jax.custom_jvp", "torch.CustomOpDef"}
# Arguments of constructors and factories, by a part of their names; the first that fits counts.
SMALL: tuple[tuple[str, object], ...] = (
    ("in_feature", 4), ("input_size", 4), ("in_dim", 4), ("out_feature", 3), ("hidden", 4),
    ("normalized_shape", 4), ("channel", 3), ("num_feature", 3), ("planes", 3),
    ("kernel", 3), ("stride", 1), ("padding", 1), ("dilation", 1), ("group", 1),
    ("head", 2), ("bit", 4), ("level", 4), ("class", 3), ("dim", 4), ("feature", 4), ("size", 4),
    ("eps", 1e-5), ("momentum", 0.1), ("alpha", 0.5), ("beta", 0.5), ("gamma", 0.5), ("lambda", 0.5),
    ("lambd", 0.5), ("scale", 0.5), ("rate", 0.5), ("slope", 0.5), ("temperature", 0.5), ("tau", 0.5),
    ("threshold", 0.5), ("bias", True),
)  # fmt: skip
LETTERS = {"k": 4, "n": 4, "m": 3, "d": 4, "c": 3, "p": 2, "w": 4, "b": 4}
BY_TYPE: Mapping[str, object] = {"int": 3, "float": 0.5, "bool": True}


class TargetRefusedError(Exception):
    """It cannot be examined; `code` and `about` say why."""

    def __init__(self, code: str, about: str) -> None:
        super().__init__(code)
        self.code, self.about = code, about


@dataclass(eq=False)
class RuleTarget:
    """What is examined, and where it was written."""

    fn: Rule
    name: str
    place: RulePlace
    inputs: tuple[object, ...] | None = None
    remarks: tuple[Remark, ...] = ()
    codes: tuple[CodeType | None, ...] = field(default=())  # of its forward and backward


def is_rule(found: object, home: str) -> bool:
    """Is it a Function or an op of PyTorch, or a function of JAX with a rule of its own, defined there?"""
    bases = found.__mro__[1:] if isinstance(found, type) else ()
    kinds = {f"{kind.__module__.split('.')[0]}.{kind.__name__}" for kind in (*bases, type(found))}
    written = getattr(found, "_init_fn", found) if "torch.CustomOpDef" in kinds else found
    return bool(kinds & KNOWN) and getattr(written, "__module__", home) == home


def rules_of(module: ModuleType, library: str) -> Iterator[str]:
    """The names of the rules of a library that a module defines, and of functions that make such."""
    seen: set[int] = set()
    for name, found in list(vars(module).items()):
        if id(found) in seen or name.startswith("__"):
            continue
        seen.add(id(found))
        if is_rule(found, module.__name__):
            if _library(found) == library and not _is_abstract(found):
                yield name
        elif (
            library == "torch"
            and isinstance(found, FunctionType)
            and found.__module__ == module.__name__
            and makes_rules(found.__code__)
        ):
            yield name


def _library(found: object) -> str:
    kinds = found.__mro__ if isinstance(found, type) else (type(found),)
    return "jax" if any(str(kind.__module__).startswith("jax") for kind in kinds) else "torch"


def _is_abstract(found: object) -> bool:
    """A class for others to inherit from, without a forward; or an op without a gradient."""
    if not isinstance(found, type):
        return type(found).__name__ == "CustomOpDef" and getattr(found, "_backward_fn", None) is None
    return str(getattr(found.forward, "__module__", "")).startswith("torch.")  # type: ignore[attr-defined]


def makes_rules(code: CodeType) -> bool:
    """Does a function define a class with a forward and a backward?"""
    for inner in code.co_consts:
        if isinstance(inner, CodeType) and {"forward", "backward"} <= set(inner.co_names):
            return True
    return False


def target_of(found: object, name: str, library: str) -> RuleTarget:
    """What is examined where somebody names this; TargetRefusedError for what has no gradient."""
    found = _behind_apply(found)
    if isinstance(found, type):
        return _class_target(found, name, library)
    if type(found).__name__ == "CustomOpDef" and type(found).__module__.startswith("torch."):
        return _op_target(found)
    if not callable(found):
        raise TargetRefusedError("not_callable", name)
    if _is_network(type(found)):
        return _network_target(found, name)
    if isinstance(found, FunctionType) and (made := _made(found)) is not None:
        return _renamed(target_of(made, name, library), name)
    own = getattr(found, "bwd", None) or getattr(found, "jvp", None)
    fun = getattr(found, "fun", found)
    place = place_of(own, fun)
    return RuleTarget(found, getattr(found, "__name__", name), place, codes=(code_of(fun), code_of(own)))


def _renamed(target: RuleTarget, name: str) -> RuleTarget:
    target.name = name if target.name == "apply" else f"{name}: {target.name}"
    return target


def _behind_apply(found: object) -> object:
    """The class whose `apply` this is."""
    owner = getattr(found, "__self__", None)
    if (
        isinstance(owner, type)
        and getattr(found, "__name__", "") == "apply"
        and is_rule(owner, owner.__module__)
    ):
        return owner
    return found


def _class_target(found: type, name: str, library: str) -> RuleTarget:
    if is_rule(found, found.__module__):
        if library != "torch":
            raise TargetRefusedError("of_torch", name)
        if _is_abstract(found):
            raise TargetRefusedError("no_forward", name)
        cls: Any = found
        if _is_old(found):
            raise TargetRefusedError("old_style", _old_lines(found))
        rule = vars(cls).get("vjp") or cls.backward
        codes = (code_of(cls.forward), code_of(rule))
        return RuleTarget(cls, found.__name__, place_of(rule, cls.forward), codes=codes)
    if _is_network(found):
        try:
            made = found(**_arguments(found, "constructor"))
        except TargetRefusedError:
            raise
        except Exception as error:
            raise TargetRefusedError("constructor", f"{name}: {error_text(error)}") from error
        return _network_target(made, name)
    raise TargetRefusedError("no_function", name)


def _op_target(found: Any) -> RuleTarget:
    from .torch_calls import op_function

    function = op_function(found._opoverload)
    return RuleTarget(function, function.__name__, place_of(found._backward_fn, found._init_fn))


# ---- the old style ------------------------------------------------------------------------------


def _is_old(found: type) -> bool:
    """Methods of an instance, which keeps what the call needs: PyTorch has refused these since 1.5."""
    forward = inspect.getattr_static(found, "forward", None)
    if not isinstance(forward, FunctionType):
        return False
    first = next(iter(inspect.signature(forward).parameters), "")
    return first == "self" or "__init__" in vars(found)


def _old_lines(found: type) -> str:
    forward = inspect.signature(found.forward)  # type: ignore[attr-defined]
    names = [str(each) for each in list(forward.parameters.values())[1:]]
    if "__init__" in vars(found):
        own = inspect.signature(found.__init__).parameters.values()  # type: ignore[misc]
        names += [str(each) for each in list(own)[1:] if each.kind is each.POSITIONAL_OR_KEYWORD]
    return f"@staticmethod; def forward({', '.join(['ctx', *names])}): ... {found.__name__}.apply(...)"


# ---- modules of torch.nn ------------------------------------------------------------------------


def _is_network(kind: type) -> bool:
    torch = sys.modules.get("torch")
    return torch is not None and issubclass(kind, torch.nn.Module)


def _network_target(network: Any, name: str) -> RuleTarget:
    """A module as a function of its inputs and its parameters, which have their values as defaults."""
    import torch

    weights = {key: x.detach().clone() for key, x in network.named_parameters() if x.is_floating_point()}
    own = [
        each
        for each in inspect.signature(network.forward).parameters.values()
        if each.kind in (each.POSITIONAL_ONLY, each.POSITIONAL_OR_KEYWORD)
    ]

    def call(*values: object) -> object:
        count = len(values) - len(weights)
        given = dict(zip(weights, values[count:], strict=True))
        return torch.func.functional_call(network, given, tuple(values[:count]))

    kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
    taken = {each.name for each in own}
    rest = []
    for key, x in weights.items():
        label = key.replace(".", "_")
        label = label if label not in taken and label.isidentifier() else f"parameter_{label}"
        rest.append(inspect.Parameter(label, kind, default=x))
    plain = [each.replace(kind=kind) for each in own]
    call.__signature__ = inspect.Signature(plain + rest)  # type: ignore[attr-defined]
    call.__name__ = call.__qualname__ = name
    return RuleTarget(call, name, place_of(type(network).forward))


# ---- factories ----------------------------------------------------------------------------------


def _made(function: FunctionType) -> object | None:
    """What a factory makes of small numbers, a rule or something with one; None for another function."""
    parameters = inspect.signature(function).parameters.values()
    required = [
        each for each in parameters if each.default is each.empty and each.kind is each.POSITIONAL_OR_KEYWORD
    ]
    if not makes_rules(function.__code__) and len(required) > 3:
        return None
    try:
        arguments = _arguments(function, "factory")
    except TargetRefusedError:
        if not makes_rules(function.__code__):
            return None
        arguments = {each.name: 2 for each in required}
    try:
        with catch_warnings():
            simplefilter("ignore")
            made = function(**arguments)
    except Exception:
        return None
    if isinstance(made, type):
        return made if is_rule(made, made.__module__) else None
    is_tensor = hasattr(made, "shape") and hasattr(made, "dtype")
    return made if callable(made) and not is_tensor else None


def target_inside(module: ModuleType, name: str, library: str) -> RuleTarget | None:
    """A class that a function or a constructor of the module makes, by its own name; None where none does.

    TargetRefusedError, with the name of that function, where small arguments do not make it.
    """
    own = name.rpartition(".")[2]
    for label, found in list(vars(module).items()):
        if getattr(found, "__module__", None) != module.__name__:
            continue
        if isinstance(found, FunctionType) and _defines(found.__code__, own):
            made = _made(found)
            if made is None:
                raise TargetRefusedError("inside", f"{label}()")
            return _renamed(target_of(made, label, library), label)
        for key, method in list(vars(found).items()) if isinstance(found, type) else ():
            function = getattr(method, "__func__", method)
            if not isinstance(function, FunctionType) or not _defines(function.__code__, own):
                continue
            inner = _attribute_of(found, own) if key == "__init__" else None
            if inner is None:
                raise TargetRefusedError("inside", f"{label}()" if key == "__init__" else f"{label}.{key}()")
            return target_of(inner, own, library)
    return None


def _defines(code: CodeType, name: str) -> bool:
    """Is there a class of this name, with a forward and a backward, in the code of a function?"""
    for inner in code.co_consts:
        if isinstance(inner, CodeType):
            if inner.co_name == name and {"forward", "backward"} <= set(inner.co_names):
                return True
            if _defines(inner, name):
                return True
    return False


def _attribute_of(found: type, name: str) -> object | None:
    """What an object of a class, made with small arguments, has by this name."""
    try:
        return getattr(found(**_arguments(found, "factory")), name, None)
    except Exception:
        return None


def _arguments(function: Callable[..., object], code: str) -> dict[str, object]:
    """Small values by name and annotation for what has no default; TargetRefusedError without one."""
    given: dict[str, object] = {}
    tensors = _tensor_names(function)
    for each in inspect.signature(function).parameters.values():
        if each.default is not each.empty or each.kind in (each.VAR_POSITIONAL, each.VAR_KEYWORD):
            continue
        name = each.name.lower()
        kind = (
            each.annotation if isinstance(each.annotation, str) else getattr(each.annotation, "__name__", "")
        )
        if each.name in tensors and kind not in BY_TYPE:
            given[each.name] = _few_numbers()
            continue
        fitting = [value for part, value in SMALL if part in name]
        if fitting and (kind not in BY_TYPE or kind == type(fitting[0]).__name__):
            given[each.name] = fitting[0]
        elif name in LETTERS:
            given[each.name] = LETTERS[name]
        elif kind in BY_TYPE:
            given[each.name] = BY_TYPE[kind]
        else:
            raise TargetRefusedError(code, f"{getattr(function, '__name__', '')}: {each.name}")
    return given


def _tensor_names(function: Callable[..., object]) -> set[str]:
    """The parameters of a factory that it uses as tensors, itself or in what it defines."""
    try:
        tree = ast.parse(dedent(inspect.getsource(function)))
    except (OSError, TypeError, SyntaxError, ValueError, RecursionError):
        return set()
    used = {
        node.value.id
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.attr in TENSOR_USES
    }
    inner = {node.name: node.args.args for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            for theirs, ours in zip(inner.get(node.func.id, ()), node.args, strict=False):
                if theirs.arg in used and isinstance(ours, ast.Name):
                    used.add(ours.id)
    return used


def _few_numbers() -> object:
    import torch

    return torch.linspace(0.0, 1.0, 5, dtype=torch.float64)
