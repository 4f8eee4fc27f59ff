"""Script of a probe, as a person would type it with their own class and names."""

from __future__ import annotations

from ...graph import CONSTANT, INPUT, Graph, Node
from ...text.numerals import show
from ..inside.op_spellings import OPERATORS
from .usage_plan import OpCall, UsagePlan

__all__ = ["script"]

_SIGNS = {"add": "+", "sub": "-", "mul": "*", "div": "/", "pow": "**"}


def script(graph: Graph, plan: UsagePlan) -> list[str]:
    """Statements that build a graph with somebody's engine, run its pass and read the gradients."""
    lines = _imports(graph, plan)
    if plan.tape:
        lines.append(f"tape = {plan.tape}()")
    texts: list[str] = []
    for i, node in enumerate(graph.nodes):
        if node.op == INPUT:
            lines.append(f"{graph.names[i]} = {_leaf(node, plan)}")
            texts.append(graph.names[i])
        elif node.op == CONSTANT:
            texts.append(_number(node.data or 0.0))
        else:
            text = _call(graph, node, [texts[arg] for arg in node.args], plan)
            if node.label or i == graph.output:
                name = node.label or "out"
                lines.append(f"{name} = {text}")
                texts.append(name)
            else:
                texts.append(text if text.endswith(")") and not text.startswith("(") else f"({text})")
    out = texts[graph.output]
    lines += _pass(out, plan, [graph.names[i] for i in graph.inputs])
    return lines


def _imports(graph: Graph, plan: UsagePlan) -> list[str]:
    """What comes from files beside the examined one, which a plan calls "module:name"."""
    called = [_way(graph, node, plan).name for node in graph.nodes if node.args]
    found: dict[str, None] = {}
    for name in (*called, plan.backward.name):
        holder, colon, rest = name.rpartition(":")
        if colon:
            found[f"from {holder} import {rest.partition('.')[0]}"] = None
    return list(found)


def _way(graph: Graph, node: Node, plan: UsagePlan) -> OpCall:
    pattern = "".join("k" if graph.nodes[arg].op == CONSTANT else "v" for arg in node.args)
    calls = plan.ops.get(node.op, {})
    return calls.get(pattern) or calls.get("vv") or OpCall("function", node.op)


def _number(x: float) -> str:
    return str(int(x)) if x == int(x) else repr(x)


def _leaf(node: Node, plan: UsagePlan) -> str:
    call = plan.leaf
    further = [f"{name}={value!r}" for name, value in call.keywords.items() if not str(value).startswith("<")]
    given = repr(float(node.data or 0.0))
    if call.how == "tape":
        return f"tape.{call.name}({given})"
    called = call.name if call.how == "function" else plan.class_name
    further += [f"{name}=tape" for name, value in call.keywords.items() if value == "<tape>"]
    first = f"{call.named}={given}" if call.named else given
    return f"{called}({', '.join([first, *further])})"


def _call(graph: Graph, node: Node, args: list[str], plan: UsagePlan) -> str:
    if node.op == "sum":
        return f"sum([{', '.join(args)}])"
    call = _way(graph, node, plan)
    how, name = call.how, call.name.rpartition(":")[2]
    if how == "operator" and name in OPERATORS:
        if name == "neg":
            return f"-{args[0]}"
        return f"abs({args[0]})" if name == "abs" else f"{args[0]} {_SIGNS[name]} {args[1]}"
    if how == "method":
        return f"{args[0]}.{name}({', '.join(args[1:])})"
    if how == "tape":
        return f"tape.{name}({', '.join(args)})"
    if how == "apply":
        return f"{name}.apply({', '.join(args)})"
    if how == "instance":
        return f"{name}(){'.forward' if call.method else ''}({', '.join(args)})"
    return f"{name}({', '.join(args)})"


def _pass(out: str, plan: UsagePlan, leaves: list[str]) -> list[str]:
    call, how, grad = plan.backward, plan.grad.how, plan.grad.name
    lines = []
    if call.seed:
        lines.append(f"{out}.{(call.into or plan.grad).name} = 1.0")
    filled = {
        "<root>": out,
        "<seed>": "1.0",
        "<leaves>": f"[{', '.join(leaves)}]",
        "<set>": "set()",
        "<list>": "[]",
    }
    given = ", ".join(filled.get(str(what), repr(what)) for what in call.given)
    called = call.name.rpartition(":")[2]
    before = "grads = " if how == "returned" else ""
    if call.on in ("value", "walk"):
        lines.append(f"{before}{out}.{called}({given})")
    elif call.on == "tape":
        lines.append(f"{before}tape.{called}({given})")
    elif call.on == "function":
        lines.append(f"{before}{called}({given})")
    read = {
        "attribute": "{leaf}.{grad}", "method": "{leaf}.{grad}()", "returned": "grads[{leaf}]",
        "asked": f"{out}.{{grad}}({{leaf}})", "tape": "tape.{grad}[{leaf}]",
    }[how]  # fmt: skip
    return [*lines, f"print({', '.join(read.format(leaf=leaf, grad=grad) for leaf in leaves)})"]


def shown(x: float | None) -> str:
    return "None" if x is None else show(x)
