"""Reader of the language: operator precedence on explicit stacks, in one pass over the tokens.

`Reader(text, inputs).graph()` gives the graph or raises LanguageError.  `__init__.py` says
what the grammar is; here it is carried out, without recursion and in linear time.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import NoReturn

from ..graph import CONSTANT, INPUT, Graph, Node
from ..ops import OPS, SYMBOLS
from ..text.numerals import show
from ..text.translation import say
from ..values.validation import arity, number
from .tokens import (
    BREAK,
    CALL,
    INPUT_TARGET,
    NAME,
    NUMBER,
    OPERATOR,
    STRANGE,
    TARGET,
    TOKEN,
    LanguageError,
    brief,
    position,
    refusal,
    start,
    strange,
)
from .vocabulary import (
    COMPARISON,
    COMPOSED,
    FRAME,
    FUNCTIONS,
    LEVELS,
    LIMITS,
    NUMBER_WORDS,
    POWER,
    PYTHON_WORDS,
    SOME_FUNCTIONS,
    SUM,
    UNARY,
    closest_function,
    is_free,
)

__all__ = ["Reader"]

_Token = re.Match[str]
_Operator = tuple[int, str]  # level and op
_BINARY: dict[str, _Operator] = {symbol: (level, SYMBOLS[symbol].name) for symbol, level in LEVELS.items()}
_BINARY |= dict.fromkeys("\u00b7\u22c5\u00d7", _BINARY["*"])
_OPEN: _Operator = (FRAME, "(")
_PLUS: _Operator = (UNARY, "")
_MINUS: _Operator = (UNARY, "neg")
_LITERAL_MINUS: _Operator = (UNARY, "literal")  # before a digit: -3 is one constant, unless ** follows


def _negated(constant: Node) -> Node:
    assert constant.data is not None
    return constant._replace(data=-constant.data)


class _Frame:
    """An open parenthesis: of a function, or of none."""

    __slots__ = ("base", "function", "name_at", "open_at", "place")

    def __init__(self, function: str, name_at: int, open_at: int, base: int) -> None:
        self.function, self.name_at, self.open_at, self.base = function, name_at, open_at, base
        self.place: int | None = None  # the first argument of a composed function


class Reader:
    """Operator precedence on two stacks.

    A reference to a node is its place in `made`, or `~place` in `leaves`: the inputs come
    first in the graph, and how many there are is known at the end only.
    """

    def __init__(self, text: str, inputs: Mapping[str, float]) -> None:
        self.text, self.inputs = text, inputs
        self.leaves: list[Node] = []
        self.made: list[Node] = []
        self.names: dict[str, int] = {}
        self.assigned: dict[str, int] = {}  # where each name has its statement
        self.missing: dict[str, int] = {}  # where a name was used that had no value there
        self.operands: list[int] = []
        self.operators: list[_Operator] = [_OPEN]
        self.frames: list[_Frame] = []
        self.wanted = True  # the next token should be an operand
        self.target = ""
        self.previous: _Token | None = None
        self.statement = 0  # where the current statement starts, its spaces included
        self.bare: int | None = None  # where a statement without a name starts
        self.output: int | None = None
        self.statements: list[tuple[int, int, int]] = []  # start, end, and how many nodes were made by then

    def places(self) -> list[tuple[int, int] | None]:
        """For each node of the graph, where its statement starts and ends; None for a leaf without one."""
        ends = {start: end for start, end, _ in self.statements}
        leaves = [self.assigned.get(leaf.label) for leaf in self.leaves]
        found: list[tuple[int, int] | None] = [None if at is None else (at, ends[at]) for at in leaves]
        for start_at, end, made in self.statements:
            found += [(start_at, end)] * (made + len(leaves) - len(found))
        return found

    def graph(self) -> Graph:
        limit = LIMITS["text"]
        if len(self.text) > limit:
            raise refusal(self.text, limit, "long_text", length=len(self.text), limit=limit)
        readers: dict[int | None, Callable[[_Token], None]] = {
            NUMBER: self._read_number,
            NAME: self._read_name,
            CALL: self._read_call,
            TARGET: self._read_target,
            INPUT_TARGET: self._read_target,
            OPERATOR: self._read_operator,
            BREAK: self._read_break,
            STRANGE: self._read_strange,
        }
        for token in TOKEN.finditer(self.text):
            if token.lastindex == BREAK and self.frames and token[BREAK].isspace():
                continue  # inside parentheses a line break is just space
            readers[token.lastindex](token)
            self.previous = token
        return self._finish()

    def _finish(self) -> Graph:
        if self.output is None:
            raise LanguageError(say("grammar.empty"), say("grammar.empty.hint"))
        # Names are looked into only now: a slip of the pen is reported before its consequences.
        for name, offset in self.missing.items():
            self._refuse_missing(name, offset)
        for name in self.inputs:
            if name not in self.names:
                key = "unused" if is_free(name) else "unusable"
                raise LanguageError(say(f"grammar.{key}", name=brief(str(name))), say(f"grammar.{key}.hint"))
        shift = len(self.leaves)
        nodes = list(self.leaves)
        for op, args, label, data, _ in self.made:
            nodes.append(Node(op, tuple([~arg if arg < 0 else arg + shift for arg in args]), label, data))
        return Graph(nodes, ~self.output if self.output < 0 else self.output + shift)

    def _refuse(self, offset: int, key: str, *, advice: str = "", **fields: object) -> NoReturn:
        raise refusal(self.text, offset, key, advice=advice, **fields)

    # ---- operands -----------------------------------------------------------------------

    def _read_number(self, token: _Token) -> None:
        if not self.wanted:
            self._refuse_neighbour(token)
        self._constant(self._literal(token, NUMBER))

    def _literal(self, token: _Token, group: int) -> float:
        """The number in a group of a token, which may have a sign."""
        digits = token[group].lstrip("+- \t")
        limit = LIMITS["number"]
        if len(digits) > limit:
            self._refuse(token.end(group) - len(digits), "long_number", length=len(digits), limit=limit)
        return -float(digits) if token[group].startswith("-") else float(digits)

    def _constant(self, number: float) -> None:
        if self.operators[-1] is _MINUS:
            self.operators[-1] = _LITERAL_MINUS
        self._push(self._make(CONSTANT, (), number))

    def _push(self, node: int) -> None:
        self.operands.append(node)
        self.wanted = False

    def _make(self, op: str, args: tuple[int, ...], data: float | None = None) -> int:
        self.made.append(Node(op, args, "", data))
        return len(self.made) - 1

    def _leaf(self, name: str, data: float) -> int:
        self.leaves.append(Node(INPUT, (), name, data))
        return ~(len(self.leaves) - 1)

    def _read_name(self, token: _Token) -> None:
        name = token[NAME]
        if not self.wanted:
            self._refuse_neighbour(token)
        node = self.names.get(name)
        if node is not None:
            self._push(node)
        elif name in NUMBER_WORDS:
            self._constant(float(name))
        else:
            self._push(self._first_use(name, start(token)))

    def _first_use(self, name: str, offset: int) -> int:
        if name in FUNCTIONS:
            self._refuse(offset, "function", name=name)
        self._refuse_long(name, offset)
        if name in self.inputs:
            self.names[name] = self._leaf(name, number(self.inputs[name]))
            return self.names[name]
        self.missing.setdefault(name, offset)
        return -1  # never looked at: there will be no graph

    def _refuse_long(self, name: str, offset: int) -> None:
        if len(name) > LIMITS["name"]:
            self._refuse(offset, "long_name", length=len(name), limit=LIMITS["name"])

    def _refuse_missing(self, name: str, offset: int) -> None:
        assigned = self.assigned.get(name)
        if assigned is None:
            advice = "no_value.pi" if name == "pi" else ""
            self._refuse(offset, "no_value", advice=advice, name=brief(name))
        if assigned < offset:
            self._refuse(offset, "itself", name=brief(name))
        line, column = position(self.text, assigned)
        self._refuse(offset, "early", name=brief(name), line=line, column=column)

    def _refuse_neighbour(self, token: _Token) -> NoReturn:
        """An operand right after an operand: say which operator is missing, or why it is no number."""
        previous, offset = self.previous, start(token)
        assert previous is not None
        for name, place in ((previous[NAME], start(previous)), (token[NAME], offset)):
            if name in PYTHON_WORDS:
                self._refuse(place, "word", name=name)
        right = brief(token[NUMBER] or token[NAME] or "", 20)
        if token.lastindex in (CALL, OPERATOR):
            right += "(...)"
        if previous.lastindex == NUMBER and previous.end() == offset:
            number = previous[NUMBER]
            if right.startswith("_"):
                together = number + right + self.text[token.end() : token.end() + 40]
                digits = together[: len(together) - len(together.lstrip("0123456789_."))].replace("_", "")
                self._refuse(offset, "underscore", number=brief(digits))
            if right.startswith("."):
                self._refuse(offset, "points")
            if right in ("e", "E"):
                self._refuse(offset, "exponent", number=brief(number, 20), letter=right)
        left = brief(previous[NUMBER] or previous[NAME] or "(...)", 20)
        self._refuse(offset, "operator", left=left, right=right)

    # ---- functions and parentheses ------------------------------------------------------

    def _read_call(self, token: _Token) -> None:
        name, offset = token[NAME], start(token)
        if not self.wanted:
            self._refuse_neighbour(token)
        if name not in FUNCTIONS:
            if name in self.names or name in self.inputs or name in self.missing or name in NUMBER_WORDS:
                self._refuse(token.start(CALL), "operator", left=brief(name, 20), right="(...)")
            self._refuse_long(name, offset)
            self._refuse_unknown(name, offset)
        self._open(name, offset, token.start(CALL))

    def _open(self, function: str, name_at: int, open_at: int) -> None:
        if len(self.frames) == LIMITS["nesting"]:
            self._refuse(open_at, "deep", limit=LIMITS["nesting"])
        self.frames.append(_Frame(function, name_at, open_at, len(self.operands)))
        self.operators.append(_OPEN)

    def _refuse_unknown(self, name: str, offset: int) -> NoReturn:
        close = closest_function(name)
        advice = "unknown.close" if close else ""
        self._refuse(offset, "unknown", advice=advice, name=brief(name), close=close, some=SOME_FUNCTIONS)

    def _read_close(self, offset: int) -> None:
        if not self.frames:
            self._refuse(offset, "unopened")
        frame = self.frames[-1]
        empty = self.previous is not None and self.previous.end() == frame.open_at + 1
        if self.wanted and not empty:
            self._refuse_ending()
        if empty and not frame.function:
            self._refuse(frame.open_at, "hollow")
        self._reduce(COMPARISON)
        self.operators.pop()
        self.frames.pop()
        if frame.function:
            args = tuple(self.operands[frame.base :])
            del self.operands[frame.base :]
            self.operands.append(self._call(frame, args))
        self.wanted = False

    def _call(self, frame: _Frame, args: tuple[int, ...]) -> int:
        name = frame.function
        if name in COMPOSED:
            return self._compose(frame, args)
        op = OPS[name]
        least, most = op.arity
        if not least <= len(args) <= most:
            example = f"{name}({', '.join('abc'[:most])})"
            self._refuse(
                frame.name_at, "arity", name=name, wanted=arity(op), given=len(args), example=example
            )
        if op.paired and len(args) % 2:
            self._refuse(frame.name_at, "odd", given=len(args))
        if op.defaults:
            left_out = op.defaults[len(args) - least :]
            args += tuple([self._make(CONSTANT, (), number) for number in left_out])
        return self._make(name, args)

    def _compose(self, frame: _Frame, args: tuple[int, ...]) -> int:
        """softmax(k, xs) = exp(x_k - logsumexp(xs)); cross_entropy(k, xs) = logsumexp(xs) - x_k."""
        name, place = frame.function, frame.place
        if place is None:
            wanted = say("op.count.least", least=2)
            self._refuse(
                frame.name_at, "arity", name=name, wanted=wanted, given=len(args), example=f"{name}(0, a, b)"
            )
        if place >= len(args):
            given = brief(str(place), 20)
            self._refuse(self._after(frame.open_at + 1), "range", name=name, last=len(args) - 1, given=given)
        total = self._make("logsumexp", args)
        if name == "cross_entropy":
            return self._make("sub", (total, args[place]))
        return self._make("exp", (self._make("sub", (args[place], total)),))

    def _read_comma(self, offset: int) -> None:
        if not self.frames or not self.frames[-1].function:
            self._refuse(offset, "comma")
        self._reduce(COMPARISON)
        self.wanted = True
        frame = self.frames[-1]
        if frame.function in COMPOSED and frame.place is None:
            written = self.text[frame.open_at + 1 : offset].strip()
            if not (written.isascii() and written.isdigit()):
                self._refuse(self._after(frame.open_at + 1), "place", name=frame.function)
            frame.place = int(written)
            self.operands.pop()  # it says where to look and is no node
            self.made.pop()

    def _after(self, offset: int) -> int:
        """Where the first token from `offset` on starts."""
        return start(next(TOKEN.finditer(self.text, offset)))

    # ---- operators ----------------------------------------------------------------------

    def _read_operator(self, token: _Token) -> None:
        symbol = token[OPERATOR]
        binary = _BINARY.get(symbol)
        if binary is not None and not self.wanted:
            self._read_binary(binary, token)
        elif symbol == ")":
            self._read_close(start(token))
        elif symbol == "=":
            self._refuse(start(token), "equals")
        elif not self.wanted:
            if symbol == "(":
                self._refuse_neighbour(token)
            self._read_comma(start(token))
        elif symbol == "(":
            self._open("", start(token), start(token))
        elif symbol == "-":
            self.operators.append(_MINUS)
        elif symbol == "+":
            self.operators.append(_PLUS)
        else:
            self._refuse(start(token), "before", symbol=brief(symbol))

    def _read_binary(self, binary: _Operator, token: _Token) -> None:
        level = binary[0]
        if level == COMPARISON:
            self._reduce(SUM)
            if self.operators[-1][0] == COMPARISON:
                self._refuse(start(token), "chain")
        elif level != POWER:  # a power is right-associative: it waits for what follows
            self._reduce(level)
        self.operators.append(binary)
        self.wanted = True

    def _reduce(self, level: int) -> None:
        """Apply the waiting operators that bind at least as tightly as `level`."""
        operators, operands = self.operators, self.operands
        while operators[-1][0] >= level:
            bound, op = operators.pop()
            if bound != UNARY:
                right = operands.pop()
                operands[-1] = self._make(op, (operands[-1], right))
            elif op == "literal" and self.made[operands[-1]].op == CONSTANT:
                self.made[operands[-1]] = _negated(self.made[operands[-1]])
            elif op:
                operands[-1] = self._make("neg", (operands[-1],))

    # ---- statements ---------------------------------------------------------------------

    def _begins(self) -> bool:
        return self.previous is None or self.previous.lastindex == BREAK

    def _read_target(self, token: _Token) -> None:
        name, offset = token[NAME], start(token)
        if not self._begins():
            opened = self.frames[0].open_at if self.frames else offset
            if position(self.text, offset)[0] > position(self.text, opened)[0]:
                self._refuse(opened, "unclosed")  # a new statement begins before the ) came
            if self.target and self.previous is not None and self.previous.lastindex == TARGET:
                names = {"first": brief(self.target), "second": brief(name)}
                self._refuse(token.start(TARGET), "equals_twice", **names)
            self._refuse(token.start(TARGET), "equals")
        self._refuse_long(name, offset)
        if name in FUNCTIONS:
            self._refuse(offset, "assign_function", name=name)
        if name in NUMBER_WORDS:
            self._refuse(offset, "assign_word", name=name)
        if name in self.assigned:
            line, column = position(self.text, self.assigned[name])
            self._refuse(offset, "twice", name=name, line=line, column=column)
        if name in self.inputs:
            self._refuse(offset, "given_twice", name=name, number=show(number(self.inputs[name])))
        self.assigned[name] = offset
        self.target = name
        if token.lastindex == INPUT_TARGET:
            self._push(self._leaf(name, self._literal(token, INPUT_TARGET)))

    def _read_break(self, token: _Token) -> None:
        if not self._begins():
            if self.frames:
                self._refuse(self.frames[-1].open_at, "unclosed")
            if self.wanted:
                self._refuse_ending()
            self._reduce(COMPARISON)
            self._end_statement(self.operands.pop())
            assert self.previous is not None
            self.statements.append((self._after(self.statement), self.previous.end(), len(self.made)))
        self.statement = token.end()

    def _end_statement(self, node: int) -> None:
        if self.bare is not None:
            self._refuse(self.bare, "bare")
        if not self.target:
            self.bare = self._after(self.statement)
        else:
            if node >= 0 and not self.made[node].label:  # the first name of a node is its label
                self.made[node] = self.made[node]._replace(label=self.target)
            self.names[self.target] = node
        self.output, self.target, self.wanted = node, "", True

    def _refuse_ending(self) -> NoReturn:
        """An expression that stops where an operand should come."""
        previous = self.previous
        assert previous is not None
        if previous.lastindex == TARGET:
            self._refuse(previous.start(TARGET), "after", symbol="=")
        self._refuse(start(previous), "after", symbol=brief(previous[OPERATOR]))

    def _read_strange(self, token: _Token) -> None:
        raise strange(self.text, token)
