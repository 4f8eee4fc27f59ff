"""How each engine of tests/data/engines is used, written by hand: one driver per file, and the graphs to run.

    engine, driver = load(case, folder), DRIVERS[case.base]
    run(driver, engine, graph)     # value and gradients that the engine gives
    right(graph)                   # ... and those of our own pass

The doctor finds all of this out by itself; the tests of the cases must not depend on it.
"""

from __future__ import annotations

import ast
import importlib
import json
import operator
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import redirect_stdout
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from types import ModuleType
from typing import Any

from engine_texts import Case, text_of, write
from minigrad import Graph, parse, trace
from minigrad.graph import CONSTANT, INPUT
from operators import OPERATORS

__all__ = ["DRIVERS", "GRAPHS", "SEQUENCES", "Driver", "load", "right", "run"]


# ---- loading -------------------------------------------------------------------------------------------


def load(case: Case, folder: Path) -> Any:
    """The engine as a module of its own, whatever it prints on the way."""
    path = write(case, folder)
    with redirect_stdout(StringIO()):
        if case.notebook:
            return _from_notebook(text_of(case)[path.name])
        sys.path.insert(0, str(folder))
        try:
            for name in [name for name in sys.modules if name.partition(".")[0] == path.stem]:
                del sys.modules[name]
            importlib.invalidate_caches()
            return importlib.import_module(path.stem)
        finally:
            sys.path.remove(str(folder))
            for name in [name for name in sys.modules if name.partition(".")[0] == path.stem]:
                del sys.modules[name]


def _from_notebook(text: str) -> ModuleType:
    """Imports, classes, functions and what is put onto a class; the lesson around them is not run."""
    module = ModuleType("notebook")
    kept = (ast.Import, ast.ImportFrom, ast.ClassDef, ast.FunctionDef)
    for cell in json.loads(text)["cells"]:
        if cell["cell_type"] == "code":
            lines = [line for line in cell["source"] if not line.startswith(("%", "!"))]
            for node in ast.parse("".join(lines)).body:
                onto_class = isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Attribute)
                if (isinstance(node, kept) or onto_class) and "matplotlib" not in ast.unparse(node):
                    exec(compile(ast.Module([node], []), "notebook", "exec"), vars(module))
    return module


# ---- driving -------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Driver:
    """The names that an engine has for things; what is more than a name is in the subclasses below."""

    node: str
    functions: str  # "exp log": methods, or functions of the module, of that name; "log=ln" for another one
    data: str = "data"
    grad: str = "grad"
    entry: str = "backward"
    lacks: str = ""  # "neg pow a**b 2**a"

    def names(self) -> dict[str, str]:
        return {
            ours: theirs or ours
            for ours, _, theirs in (word.partition("=") for word in self.functions.split())
        }

    def offers(self, graph: Graph) -> bool:
        """Whether the engine is meant to have all that the graph needs."""
        offered = {*OPERATORS, "a**b", "2**a", *self.names()} - set(self.lacks.split())
        return offered.issuperset(_needs(graph))

    def leaf(self, engine: Any, number: float) -> Any:
        return getattr(engine, self.node)(number)

    def apply(self, engine: Any, op: str, args: list[Any]) -> Any:
        if op in OPERATORS:
            return OPERATORS[op](*args)
        return getattr(args[0], self.names()[op])(*args[1:])

    def backward(self, engine: Any, out: Any) -> Any:
        return getattr(out, self.entry)()

    def value_of(self, node: Any) -> float:
        return float(getattr(node, self.data))

    def grad_of(self, node: Any, returned: Any) -> float:
        grad = getattr(node, self.grad)
        return 0.0 if grad is None else float(grad)

    def clear(self, node: Any) -> None:
        grad = getattr(node, self.grad)
        setattr(node, self.grad, None if grad is None else grad * 0.0)


class Functions(Driver):
    """The functions are functions of the module, the operators those of Python."""

    def apply(self, engine: Any, op: str, args: list[Any]) -> Any:
        if op in OPERATORS:
            return OPERATORS[op](*args)
        return getattr(engine, self.names()[op])(*args)


class OnlyFunctions(Functions):
    """No operators at all, and the pass is a function too."""

    def apply(self, engine: Any, op: str, args: list[Any]) -> Any:
        return getattr(engine, {"pow": "power"}.get(op, op))(*args)

    def backward(self, engine: Any, out: Any) -> Any:
        return getattr(engine, self.entry)(out)


class FunctionOfTheRoot(Driver):
    def backward(self, engine: Any, out: Any) -> Any:
        return getattr(engine, self.entry)(out)


class GlobalTape(Functions):
    def backward(self, engine: Any, out: Any) -> Any:
        return engine.backprop(out)


class TapeObject(Driver):
    def leaf(self, engine: Any, number: float) -> Any:
        if not hasattr(engine, "tape"):
            engine.tape = engine.Tape()
        return engine.tape.var(number)

    def backward(self, engine: Any, out: Any) -> Any:
        return engine.tape.backward(out)


class Methods(Driver):
    """a.plus(b): constants are wrapped by hand, and pow takes a number."""

    SPELLED = {"add": "plus", "sub": "minus", "mul": "mul", "div": "div", "neg": "negate"}  # noqa: RUF012

    def apply(self, engine: Any, op: str, args: list[Any]) -> Any:
        if op == "pow":
            return args[0].pow(args[1])
        args = [engine.Scalar(arg) if isinstance(arg, float) else arg for arg in args]
        return getattr(args[0], self.SPELLED.get(op) or self.names()[op])(*args[1:])


class GradientsInADict(Functions):
    def backward(self, engine: Any, out: Any) -> Any:
        return engine.gradients(out)

    def grad_of(self, node: Any, returned: Any) -> float:
        return float(returned[node])

    def clear(self, node: Any) -> None:
        """There is nothing to clear."""


class RequiresGrad(Driver):
    def leaf(self, engine: Any, number: float) -> Any:
        return engine.Scalar(number, requires_grad=True)


class CallerSeeds(Driver):
    def backward(self, engine: Any, out: Any) -> Any:
        out.grad = 1.0
        return out.backward()


DRIVERS: dict[str, Driver] = {
    "closures.py": Driver("Value", "relu tanh exp", lacks="a**b 2**a"),
    "stored_locals.py": Driver("Node", "exp log sqrt tanh sigmoid relu"),
    "tape.py": TapeObject("Var", "sin cos exp log", data="value", lacks="a**b 2**a"),
    "global_tape.py": GlobalTape("Var", "square exp sigmoid", data="v", grad="adj", lacks="pow a**b 2**a"),
    "operators.py": Driver("Tensor", "exp relu"),
    "free_functions.py": OnlyFunctions("leaf", "exp log sqrt tanh sigmoid relu", data="value"),
    "methods.py": Methods(
        "Scalar",
        "exp log=ln sqrt sin tanh relu",
        data="val",
        grad="derivative",
        entry="differentiate",
        lacks="a**b 2**a",
    ),
    "inherited.py": Driver("Leaf", "exp log tanh relu", data="value", lacks="a**b 2**a"),
    "lesson.py": Driver("Value", "exp tanh", lacks="a**b 2**a"),
    "workbook.py": FunctionOfTheRoot("Var", "exp log sigmoid", data="value", lacks="a**b 2**a"),
    "gradients_dict.py": GradientsInADict("Var", "sin cos exp log", data="value", lacks="pow a**b 2**a"),
    "sprout": Functions("Param", "exp log tanh sigmoid relu"),
    "scalar.py": RequiresGrad("Scalar", "exp log sigmoid tanh relu", lacks="a**b 2**a"),
    "numpy_variable.py": Driver("Variable", "exp log sqrt tanh relu", lacks="a**b 2**a"),
    "counter.py": Driver(
        "Num", "exp log tanh relu", data="value", grad="gradient", entry="backprop", lacks="a**b"
    ),
    "seeded.py": CallerSeeds("Value", "sigmoid tanh square", lacks="div pow a**b 2**a"),
    "valor.py": Driver(
        "Valor",
        "exp relu sigmoid=sigmoide",
        data="dato",
        grad="gradiente",
        entry="retropropagar",
        lacks="pow a**b 2**a",
    ),
}


# ---- graphs --------------------------------------------------------------------------------------------

POINT = {"a": 1.3, "b": 0.7, "c": 2.1}


def _at(text: str) -> Graph:
    return parse(text, {name: number for name, number in POINT.items() if re.search(rf"\b{name}\b", text)})


def _graphs() -> Iterator[Graph]:
    for text in (
        "a*b + c",
        "a + a",
        "a - a + b*a",
        "a / a * b",
        "v = a*b; w = v*v; (w + v) * w",
        "v = a + b; w = v + v; w * v",
        "v = a*b; w = v + c; u = w*w; u*v + v",
        "v = a*b; w = v*c; (v + w) * (w + a) + v",
        "u = a*b; s = u + c; t = a + b; x = s + t; x + s*t + s",
        "(a - b) * c + (b - a*c)",
        "(a*b) / (b + c) * c + a",
        "(2 - a*b) * c + a",
        "(a*b - 2) * c + a",
        "2 / (a*b) * c + a",
        "a*b / 2 * c + a",
        "(2 + a*b) * c + 3*a",
        "2*a + a",
        "a*c + (2 - a*b)",
        "a*c + 2 / (a*b)",
        "-(a*b) * c + a",
        "(a*b)**3 * c + a",
        "a**3 + a",
        "(a*b)**c * a + b",
        "2**(a*b) * c + a",
    ):
        yield _at(text)
    for function in ("exp", "log", "sqrt", "sin", "cos", "tanh", "sigmoid", "relu", "square"):
        for text in (
            "{f}(a) + a",
            "{f}(a*b) * c + a",
            "{f}(a) + a*b",
            "v = {f}(a); v*v - c*v",
            "v = a*b; v*c - {f}(v)",
        ):
            yield _at(text.format(f=function))
    yield parse("relu(a*b) * c + a", {"a": -1.3, "b": 0.7, "c": 2.1})
    yield parse("(a - relu(a)) * c + a*b", {"a": -1.3, "b": 0.7, "c": 2.1})
    yield parse("u = a*c; u + b - 3*relu(u - b)", {"a": -1.3, "b": 0.7, "c": 2.1})
    yield parse("v = a*b; w = c*b; (v + w) * v - w", {"a": 1.5, "b": 0.5, "c": 1.5})  # equal numbers
    yield parse("tanh(a) * b", {"a": 1000.0, "b": 2.0})
    deep = "; ".join(f"v{i} = v{i - 1} * b + a" for i in range(1, 76))
    yield parse(f"v0 = a*b; {deep}; v75 * c", {"a": 1.3, "b": 0.7, "c": 2.1})


def _needs(graph: Graph) -> Iterator[str]:
    for node in graph.nodes:
        if node.op == "pow":
            base, exponent = (graph.active[arg] for arg in node.args)
            yield "pow" if not exponent else "a**b" if base else "2**a"
        elif node.op not in (INPUT, CONSTANT):
            yield node.op


GRAPHS = tuple(_graphs())


# ---- running -------------------------------------------------------------------------------------------

Numbers = dict[str, float]  # the value as "", and the gradient by each input


def right(graph: Graph) -> Numbers:
    traced = trace(graph)
    return {"": traced.values[graph.output], **traced.gradients}


def build(driver: Driver, engine: Any, graph: Graph, made: list[Any]) -> Any:
    """Every node as the engine's users write it; constants are plain numbers."""
    for i, node in enumerate(graph.nodes[len(made) :], start=len(made)):
        if node.op == INPUT:
            made.append(driver.leaf(engine, graph.nodes[i].data))
        elif node.op == CONSTANT:
            made.append(node.data)
        else:
            made.append(driver.apply(engine, node.op, [made[arg] for arg in node.args]))
    return made[graph.output]


def run(driver: Driver, engine: Any, graph: Graph) -> Numbers:
    made: list[Any] = []
    out = build(driver, engine, graph, made)
    returned = driver.backward(engine, out)
    return {"": driver.value_of(out)} | {
        graph.names[i]: driver.grad_of(made[i], returned) for i in graph.inputs
    }


def second_loss(driver: Driver, engine: Any) -> tuple[Numbers, Numbers]:
    """Two losses over one shared product, all gradients cleared between: the second, and what is right."""
    a, b = driver.leaf(engine, 1.3), driver.leaf(engine, 0.7)
    shared = driver.apply(engine, "mul", [a, b])
    first = driver.apply(engine, "add", [shared, a])
    driver.backward(engine, first)
    for node in (a, b, shared, first):
        driver.clear(node)
    second = driver.apply(engine, "mul", [shared, a])
    returned = driver.backward(engine, second)
    found = {"": driver.value_of(second), "a": driver.grad_of(a, returned), "b": driver.grad_of(b, returned)}
    return found, {"": 1.3 * 0.7 * 1.3, "a": 2 * 1.3 * 0.7, "b": 1.3 * 1.3}


def second_step(driver: Driver, engine: Any) -> tuple[Numbers, Numbers]:
    """The same loss built twice, as a training loop does, the leaves cleared between."""
    a, b = driver.leaf(engine, 1.3), driver.leaf(engine, 0.7)
    for _ in range(2):
        for leaf in (a, b):
            driver.clear(leaf)
        out = driver.apply(engine, "add", [driver.apply(engine, "mul", [a, b]), a])
        returned = driver.backward(engine, out)
    found = {"": driver.value_of(out), "a": driver.grad_of(a, returned), "b": driver.grad_of(b, returned)}
    return found, {"": 1.3 * 0.7 + 1.3, "a": 1.7, "b": 1.3}


def in_place(driver: Driver, engine: Any) -> tuple[Numbers, Numbers]:
    """total = a; total += b; total * a, where there is an operator +"""
    a, b = driver.leaf(engine, 1.3), driver.leaf(engine, 0.7)
    total = operator.iadd(a, b) if hasattr(a, "__add__") else driver.apply(engine, "add", [a, b])
    out = driver.apply(engine, "mul", [total, a])
    returned = driver.backward(engine, out)
    found = {"": driver.value_of(out), "a": driver.grad_of(a, returned), "b": driver.grad_of(b, returned)}
    return found, {"": 2.0 * 1.3, "a": 2 * 1.3 + 0.7, "b": 1.3}


SEQUENCES: tuple[Callable[[Driver, Any], tuple[Numbers, Numbers]], ...] = (second_loss, second_step, in_place)
