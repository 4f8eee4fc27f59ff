"""Ops that are functions: dunders, reflected ones, methods and free functions."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, replace

from ....ops import OPS
from .local_rules import RuleReading, Tests, aliases_of, elements, pair_rule, placed, scan
from .op_names import op_of, reflected_dunder
from .parts import Construction, Function, LocalRule, OpFunction
from .source_text import walk_own

__all__ = ["Names", "op_function", "parameters"]

_DATA_KEYWORDS = ("data", "value", "val", "v", "x")


@dataclass(frozen=True)
class Names:
    """What the engine calls its things."""

    classes: frozenset[str]  # the class of nodes, its bases and what is derived from it
    data: str
    grad: str

    def makes_node(self, call: ast.expr) -> bool:
        if not isinstance(call, ast.Call):
            return False
        made = ast.unparse(call.func)
        return made in self.classes or made in ("type(self)", "self.__class__", "cls", "Self")


def parameters(function: Function) -> list[str]:
    given = function.args
    return [p.arg for p in (*given.posonlyargs, *given.args)]


def op_function(node: Function, class_name: str, names: Names) -> OpFunction | None:
    """The op that this function is; None if it is none."""
    op = op_of(node.name)
    if not op:
        return None
    decorators = {ast.unparse(d).rpartition(".")[2] for d in node.decorator_list}
    operands = parameters(node)
    if (class_name and "classmethod" in decorators) or operands[:1] == ["ctx"]:
        operands = operands[1:]
    operands = operands[: OPS[op].arity[1]]
    reflected = reflected_dunder(node.name)
    if len(operands) < OPS[op].arity[0] or "property" in decorators:
        return None
    if reflected:
        operands.reverse()
    return _FunctionReader(node, class_name, names, op, operands, reflected).read()


def _indexed(closure: Function) -> dict[str, int]:
    """Operands that a closure reads from the output: `node._prev[0]`."""
    return {
        ast.unparse(n): n.slice.value
        for n in ast.walk(closure)
        if isinstance(n, ast.Subscript)
        and isinstance(n.slice, ast.Constant)
        and isinstance(n.slice.value, int)
        and isinstance(n.value, ast.Attribute)
        and n.slice.value in (0, 1)
    }


class _FunctionReader:
    def __init__(
        self, node: Function, class_name: str, names: Names, op: str, operands: list[str], reflected: bool
    ) -> None:
        self.node, self.class_name, self.names = node, class_name, names
        self.op, self.operands, self.reflected = op, operands, reflected
        self.own = list(walk_own(node))
        self.inner = [n for n in self.own if isinstance(n, (ast.FunctionDef, ast.AsyncFunctionDef))]
        self.everything = list(ast.walk(node))
        self.aliases = aliases_of(self.everything, operands)

    def read(self) -> OpFunction:
        owners = self._owners()
        values = tuple(self._value(slot, owners) for slot in range(len(self.operands)))
        made = self._constructions(owners)
        output, construction = made[-1] if made else ("", None)
        closure = self._closure()
        readings = self._reading(owners, values, output, construction, closure)
        rules = list(self._rules(readings, closure, [other for _, other in made]))
        return OpFunction(
            op=self.op,
            name=self.node.name,
            node=self.node,
            operands=tuple(self.operands),
            values=values,
            reflected=self.reflected,
            in_place=self.node.name.startswith("__i") and self.node.name.endswith("__"),
            class_name=self.class_name,
            output=output,
            construction=construction,
            others=tuple(other for _, other in made[:-1]),
            closure=closure,
            attachments=tuple(self._attachments(closure)),
            rules=tuple(rules),
            formula=self._formula() if construction is None else None,
            aliases=self.aliases,
        )

    def _decorated(self) -> Iterator[LocalRule]:
        """`@rule(lambda a, b, out: (b.data, a.data))`: the rule is an argument of a decorator."""
        count = len(self.operands)
        for decorator in self.node.decorator_list:
            for given in decorator.args if isinstance(decorator, ast.Call) else ():
                if not isinstance(given, ast.Lambda) or len(given.args.args) < count:
                    continue
                names = [p.arg for p in given.args.args]
                read = ast.unparse(given.body)
                bare = any(isinstance(n, ast.Name) for n in ast.walk(given.body)) and "." not in read
                spelled = [n if bare else f"{n}.{self.names.data}" for n in names]
                output = names[count] if len(names) > count else ""
                reading = RuleReading(
                    self.names.grad, {n: i for i, n in enumerate(names[:count])}, "", tuple(spelled[:count]),
                    f"{output}.{self.names.data}" if output else "",
                )  # fmt: skip
                for slot, part in enumerate(elements(given.body) or [given.body]):
                    yield reading.rule(slot, names[slot], "", part, self.node, ())

    def _reads(self, name: str, attribute: str) -> bool:
        return any(
            isinstance(n, ast.Attribute) and n.attr == attribute and ast.unparse(n.value) == name
            for n in self.everything
        )

    def _owners(self) -> dict[str, int]:
        """The operands' names and the names of nodes made of them: `rhs = other if ... else Value(other)`."""
        owners = {name: slot for slot, name in enumerate(self.operands)}
        for name, meaning in self.aliases.items():
            inside = {n.id for n in ast.walk(meaning) if isinstance(n, ast.Name)} & set(self.operands)
            read = self._reads(name, self.names.data) or self._reads(name, self.names.grad)
            plain = not isinstance(meaning, ast.BinOp) and not self._computes(meaning)
            if len(inside) == 1 and read and plain:
                owners[name] = owners[next(iter(inside))]
        return owners

    def _computes(self, meaning: ast.expr) -> bool:
        """Does this make the node of the output: data computed from the operands' data?"""
        for call in ast.walk(meaning):
            if isinstance(call, ast.Call) and self.names.makes_node(call):
                first = call.args[0] if call.args else None
                if not isinstance(first, ast.Name) or first.id not in self.operands:
                    return True
        return isinstance(meaning, ast.Call) and not any(
            isinstance(a, ast.Name) and a.id in self.operands for a in meaning.args
        )

    def _value(self, slot: int, owners: dict[str, int]) -> str:
        """The data of an operand as this function reads it: `other.data`, `other` or a name for it."""
        names = [name for name, s in owners.items() if s == slot]
        for name, meaning in self.aliases.items():  # p = other.data if isinstance(other, Value) else other
            if isinstance(meaning, ast.IfExp) and name not in owners:
                both = {ast.unparse(meaning.body), ast.unparse(meaning.orelse)}
                if both == {names[0], f"{names[0]}.{self.names.data}"}:
                    return name
        for name in reversed(names):
            if self._reads(name, self.names.data):
                return f"{name}.{self.names.data}"
        made = any(self._is_conversion(n, names[0]) for n in self.own)
        if made or (names[0] == "self" and self.class_name):
            return f"{names[0]}.{self.names.data}"
        return names[-1]

    def _is_conversion(self, node: ast.AST, name: str) -> bool:
        if not isinstance(node, ast.Assign):
            return False
        targets = [ast.unparse(t) for t in elements(node.targets[0]) or [node.targets[0]]]
        return name in targets and any(
            isinstance(c, ast.Call) and any(ast.unparse(a) == name for a in c.args)
            for c in ast.walk(node.value)
        )

    # ---- the node that is made --------------------------------------------------------------------

    def _constructions(self, owners: dict[str, int]) -> list[tuple[str, Construction]]:
        """The calls that make the output's node, with its name; of several, each in its branch."""
        found = []
        for node, tests in placed(self.node.body):
            if not isinstance(node, (ast.Assign, ast.AnnAssign, ast.Return)):
                continue
            call = node.value
            if not isinstance(call, ast.Call) or self._is_given(call, owners):
                continue
            target = node.targets[0] if isinstance(node, ast.Assign) else getattr(node, "target", None)
            name = target.id if isinstance(target, ast.Name) else ""
            made = self._parts(call, owners, tests)
            told = made.children is not None or made.pairs or made.loose
            if (self.names.makes_node(call) or told) and (name not in owners or isinstance(node, ast.Return)):
                found.append((name, made))
        return found

    def _is_given(self, call: ast.Call, owners: dict[str, int]) -> bool:
        return len(call.args) == 1 and ast.unparse(call.args[0]) in owners and not call.keywords

    def _parts(self, call: ast.Call, owners: dict[str, int], tests: Tests) -> Construction:
        children = stored = None
        keyword = ""
        pairs = []
        value = next((k.value for k in call.keywords if k.arg in (self.names.data, *_DATA_KEYWORDS)), None)
        value = value if value is not None else (call.args[0] if call.args else None)
        for name, argument in [("", a) for a in call.args] + [(k.arg or "", k.value) for k in call.keywords]:
            meaning = self.aliases.get(argument.id, argument) if isinstance(argument, ast.Name) else argument
            parts = elements(meaning)
            if not parts:
                continue
            if isinstance(argument, ast.Tuple) and self._is_pair(argument, owners):
                pairs.append(argument)
                continue
            named = [ast.unparse(p.elts[0] if isinstance(p, ast.Tuple) and p.elts else p) for p in parts]
            last = [ast.unparse(p.elts[-1]) for p in parts if isinstance(p, ast.Tuple) and p.elts]
            if children is None and any(n in owners for n in (*named, *last)):
                children, keyword = argument, name
            elif children is not None and argument is not value:
                stored = argument
        loose = self._loose(call, owners) if children is None and not pairs else []
        if loose:
            value = loose.pop(0)
        return Construction(call, value, children, keyword, stored, tuple(pairs), tuple(loose), tests)

    def _is_pair(self, given: ast.Tuple, owners: dict[str, int]) -> bool:
        return len(given.elts) == 2 and sum(ast.unparse(e) in owners for e in given.elts) == 1

    def _loose(self, call: ast.Call, owners: dict[str, int]) -> list[ast.expr]:
        """`self._binary(other, value, d_self, d_other)`: the value, and a number for each operand."""
        if self.names.makes_node(call) or self.inner or call.keywords or op_of(ast.unparse(call.func)):
            return []
        numbers = [a for a in call.args if ast.unparse(a) not in owners]
        plain = not any(isinstance(a, (ast.Lambda, ast.Tuple, ast.List, ast.Starred)) for a in numbers)
        texts = any(isinstance(a, ast.Constant) and isinstance(a.value, str) for a in numbers)
        fits = len(numbers) == 1 + len(self.operands) or (len(numbers) == 2 and self.op == "pow")
        return numbers if plain and not texts and fits else []

    def _formula(self) -> ast.expr | None:
        returns = [n.value for n in self.own if isinstance(n, ast.Return) and n.value is not None]
        return returns[-1] if returns else None

    # ---- the closure and what it sends ------------------------------------------------------------

    def _closure(self) -> Function | None:
        """The inner function that sends; of several, the last that names an operand's gradient."""
        sending = [
            f
            for f in self.inner
            if any(isinstance(n, ast.Attribute) and n.attr == self.names.grad for n in ast.walk(f))
        ]
        found = sending or self.inner
        return found[-1] if found else None

    def _attachments(self, closure: Function | None) -> Iterator[ast.Assign]:
        for node in self.own:
            if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Attribute):
                value = node.value
                if closure is not None and isinstance(value, ast.Name) and value.id == closure.name:
                    yield node

    def _reading(
        self,
        owners: dict[str, int],
        values: tuple[str, ...],
        output: str,
        construction: Construction | None,
        closure: Function | None,
    ) -> RuleReading:
        upstream, given = "", []
        node = ""  # the closure's own name for the output, where it is handed it
        if closure is not None:
            owners = {**owners, **_indexed(closure)}
            for name in parameters(closure):
                if any(
                    isinstance(n, ast.Attribute) and ast.unparse(n) == f"{name}.{self.names.grad}"
                    for n in ast.walk(closure)
                ):
                    node = node or name
                owners.pop(name, None)
            if node:
                values = tuple(
                    next(
                        (f"{o}.{self.names.data}" for o, s in owners.items() if s == slot and "[" in o), value
                    )
                    for slot, value in enumerate(values)
                )
                return RuleReading(
                    self.names.grad, owners, f"{node}.{self.names.grad}", values,
                    f"{node}.{self.names.data}", outputs={output} - {""},
                )  # fmt: skip
            given = [name for name in parameters(closure) if name not in owners and name != "self"]
            reads = [
                ast.unparse(n)
                for n in ast.walk(closure)
                if isinstance(n, ast.Attribute) and n.attr == self.names.grad
                and ast.unparse(n.value) not in owners
            ]  # fmt: skip
            holder = f"{output}.{self.names.grad}" if output else ""
            upstream = given[0] if given else holder or (reads[0] if reads else "")
        read = f"{output}.{self.names.data}" if output and not given else ""
        if not output and construction is not None and isinstance(construction.value, ast.Name):
            read = construction.value.id
        elif not output and upstream.endswith(f".{self.names.grad}"):
            read = upstream.rpartition(".")[0] + f".{self.names.data}"
        return RuleReading(self.names.grad, owners, upstream, values, read, outputs={output} - {""})

    def _rules(
        self, reading: RuleReading, closure: Function | None, made: list[Construction]
    ) -> Iterator[LocalRule]:
        if closure is not None:
            yield from scan(closure.body, replace(reading, returns=bool(parameters(closure))))
        plain = replace(reading, upstream="", owners=self._owners())
        yield from (r for r in scan(self.node.body, plain) if closure is None or not r.sends)
        yield from self._decorated()
        for construction in made:
            yield from self._rules_in_call(construction, plain)

    def _rules_in_call(self, made: Construction, plain: RuleReading) -> Iterator[LocalRule]:
        """Local gradients in the call that makes the node."""
        statement = next(
            n for n in self.own if isinstance(n, ast.stmt) and getattr(n, "value", None) is made.call
        )
        children, stored = made.children, made.locals
        if isinstance(children, ast.Name):
            children = self.aliases.get(children.id, children)
        if isinstance(stored, ast.Name):
            stored = self.aliases.get(stored.id, stored)
        inner = list(elements(children) or ())
        for pair in (*inner, *made.pairs):
            yield from pair_rule(pair, statement, plain, made.tests)
        for child, part in zip(inner, elements(stored) or (), strict=False):
            name = ast.unparse(child)
            if name in plain.owners:
                yield plain.rule(plain.owners[name], name, "", part, statement, made.tests)
        for slot, part in enumerate(made.loose):
            yield plain.rule(slot, self.operands[slot], "", part, statement, made.tests)
