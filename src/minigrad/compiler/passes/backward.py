"""backward: the gradient of the first output, as nodes of the same program.

For each node, newest first, the messages that it sends to its arguments are terms of their gradients; a
gradient is a chain of its terms, begun at 0.0, in the order in which `Value.backward` adds them. The
local derivatives are the op table's: "exp'0" is the derivative of row exp in slot 0.

A branch not taken (`where`, `take`) sends no message, so nothing below it may turn 0 * inf into NaN. A
node that only such branches lead to has a mask that says whether it was reached, and its products go
through a gate.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ...ops import MANY, OPS
from ..node_numbers import NodeNumber, NodeNumbers
from ..scalars import CHAIN, EXACT, INPUT, Scalars, arguments_of

__all__ = ["backward"]

Term = tuple[
    int, str, int, int, bool
]  # when it is added, kind, operand, second operand or -1, from each sample?
Live = frozenset[tuple[int, int]] | None  # None: always reached; else through which (node, slot) it may be


def backward(
    program: Scalars, gradients: Sequence[int], lanes: frozenset[int] = frozenset()
) -> tuple[Scalars, list[int]]:
    """The program with the gradients of some inputs (by number), and the nodes that they are.

    `lanes` are the inputs that differ between the samples of a batch.  What is shared gets the sum of its
    gradient over all samples.
    """
    return _BackwardPass(
        program, [program.inputs[j] for j in gradients], {program.inputs[j] for j in lanes}
    ).run()


class _BackwardPass:
    def __init__(self, program: Scalars, wanted: list[int], lanes: set[int]) -> None:
        self.program = replace(
            program,
            ops=list(program.ops),
            args=list(program.args),
            data=dict(program.data),
            born=list(program.born) or list(range(len(program))),
        )
        self.numbers = NodeNumbers(self.program)
        self.wanted = wanted
        count = len(program)
        self.wants = bytearray(count)  # does it depend on what a gradient is wanted for?
        self.varies = bytearray(count)  # does it differ between samples?
        for node in wanted:
            self.wants[node] = 1
        for node in lanes:
            self.varies[node] = 1
        for i, args in enumerate(program.args):
            if args:
                self.varies[i] = any(self.varies[arg] for arg in args)
                self.wants[i] = program.ops[i] != "stop" and any(self.wants[arg] for arg in args)
        self.terms: dict[int, list[Term]] = {}
        self.ways: dict[int, dict[int, set[int]] | None] = {}  # see Live: of each node, slots by node
        self.masks: dict[frozenset[tuple[int, int]], int] = {}
        self.choices: dict[tuple[int, int], int] = {}

    def run(self) -> tuple[Scalars, list[int]]:
        program, output = self.program, self.program.outputs[0]
        count = len(program)
        grads: dict[int, int] = {}
        self.ways[output] = None
        self.terms[output] = [(-(count + 1) << 64, "+", self.numbers.number(1.0).node, -1, False)]
        for i in range(output, -1, -1):
            if i not in self.terms or not self.wants[i]:
                continue
            terms = self.terms.pop(i)
            if program.ops[i] == "take":
                self._hand_on(i, terms)
                continue
            grads[i] = self._sum(terms, bool(self.varies[i]))
            if program.ops[i] != INPUT:
                self._send(i, grads[i])
        zero = self.numbers.number(0.0).node
        return program, [grads.get(node, zero) for node in self.wanted]

    # ---- adding up ------------------------------------------------------------------------------

    def _sum(self, terms: list[Term], varies: bool) -> int:
        terms.sort(key=lambda term: term[0])
        if varies:
            return self._chain(terms)
        # A shared number: what samples send is added up over the batch, once, before what shared nodes send.
        per_sample, once = [t for t in terms if t[4]], [t for t in terms if not t[4]]
        if not per_sample:
            return self._chain(once)
        if len(per_sample) <= 2 and all(
            not self._varies(a) or not self._varies(b) for _, _, a, b, _ in per_sample
        ):
            # A factor that all samples share is multiplied once: the sum of c * g is c times the sum of g.
            return self._chain([*map(self._over_samples, per_sample), *once])
        total = self.program.add("lanesum", self._chain(per_sample))
        return self._chain([(0, "+", total, -1, False), *once]) if once else total

    def _over_samples(self, term: Term) -> Term:
        """The sum of a term over all samples, where at most one operand differs between them."""
        when, kind, a, b, _ = term
        if b < 0:
            return when, kind, self.program.add("lanesum", a), -1, False
        shared, own = (b, a) if self._varies(a) else (a, b)
        return when, kind, shared, self.program.add("lanesum", own), False

    def _varies(self, node: int) -> bool:
        """Does a node, of the program or of the backward pass so far, differ between samples?"""
        for i in range(len(self.varies), node + 1):
            args = self.program.args[i]
            self.varies.append(self.program.ops[i] != "lanesum" and any(self.varies[arg] for arg in args))
        return node >= 0 and bool(self.varies[node])

    def _chain(self, terms: list[Term]) -> int:
        if len(terms) == 1 and terms[0][1] == "+" and self.program.never_negative_zero(terms[0][2]):
            return terms[0][2]  # 0.0 + x is x
        args: list[int] = []
        for _, kind, a, b, _ in terms:
            args.append(a)
            if kind in "*~":
                args.append(b)
        return self.program.add(CHAIN + "0" + "".join(term[1] for term in terms), *args)

    # ---- sending messages -----------------------------------------------------------------------

    def _send(self, i: int, upstream: int) -> None:
        program = self.program
        op, args, live = program.ops[i], program.args[i], self._live(i)
        when = program.times(i)
        gate = None if live is None else self._gate(live, bool(self.varies[i]))

        def message(slot: int, kind: str, local: int = -1) -> None:
            """One more term for an argument: `local * upstream`, or the upstream itself."""
            arg = args[slot]
            if not self.wants[arg]:
                return
            a, b = (upstream, -1) if local < 0 else (local, upstream)
            if gate is not None and b >= 0:
                a, b = program.add("gate", gate, program.add("mul", a, b)), -1
                kind = "+" if kind == "*" else "-"
            self._append(arg, (when[slot], kind, a, b, bool(self.varies[i])), live)

        if op.startswith((CHAIN, EXACT)):
            for kind, slot in arguments_of(op):
                if kind in "*~":
                    message(slot, kind, args[slot + 1])
                    message(slot + 1, kind, args[slot])
                else:
                    message(slot, kind)
        elif op == "add":
            message(0, "+")
            message(1, "+")
        elif op == "sub":
            message(0, "+")
            message(1, "-")
        elif op == "neg":
            message(0, "-")
        elif op == "mul":
            message(0, "*", args[1])
            message(1, "*", args[0])
        elif op == "div":
            if self.wants[args[0]]:  # upstream / b is rounded once, upstream * (1 / b) twice
                quotient = program.add("div", upstream, args[1])
                quotient = quotient if gate is None else program.add("gate", gate, quotient)
                self._append(args[0], (when[0], "+", quotient, -1, bool(self.varies[i])), live)
            if self.wants[args[1]]:
                message(1, "*", program.add("div'1", i, *args))
        elif op == "where":
            for slot in (1, 2):
                term = when[slot], "+", upstream, -1, bool(self.varies[i])
                self._choose(i, slot, term)
        elif op in OPS and OPS[op].arity[1] == MANY:
            row = [NodeNumber(self.numbers, arg) for arg in args]
            for slot, local in enumerate(OPS[op].partials(self.numbers, NodeNumber(self.numbers, i), *row)):
                message(slot, "*", self.numbers.number(local).node)
        elif op in OPS:
            for slot, arg in enumerate(args):
                if self.wants[arg]:
                    message(slot, "*", i if op == "exp" else program.add(f"{op}'{slot}", i, *args))
        else:
            raise ValueError(f"op {op!r} has no derivative")

    def _hand_on(self, i: int, terms: list[Term]) -> None:
        """A look-up is not a node of its own: each message for it is one for the row that was taken."""
        for when, kind, a, b, each in terms:
            message = a if b < 0 else self.program.add("mul", a, b)
            for slot in range(1, len(self.program.args[i])):
                self._choose(i, slot, (when, "+" if kind in "+*" else "-", message, -1, each))

    def _choose(self, i: int, slot: int, term: Term) -> None:
        """Pass a message on to a branch, if that was the one taken."""
        arg = self.program.args[i][slot]
        if self.wants[arg]:
            when, kind, message, _, each = term
            chosen = self.program.add("gate", self._chosen(i, slot), message)
            self._append(arg, (when, kind, chosen, -1, each), frozenset({(i, slot)}))

    def _append(self, node: int, term: Term, live: Live) -> None:
        self.terms.setdefault(node, []).append(term)
        self._reach(node, live)

    # ---- what was reached -----------------------------------------------------------------------

    def _reach(self, node: int, live: Live) -> None:
        """`node` got a message from something that is `live`; in all it may be reached in more ways."""
        ways = self.ways.setdefault(node, {})
        if ways is None:
            return
        waiting = None if live is None else list(live)
        while waiting:
            i, slot = waiting.pop()
            slots = ways.setdefault(i, set())
            slots.add(slot)
            if len(slots) == len(self.program.args[i]) - 1:  # every branch of i: as often as i itself
                del ways[i]
                above = self._live(i)
                waiting = None if above is None else [*waiting, *above]
        if waiting is None:
            self.ways[node] = None

    def _live(self, node: int) -> Live:
        ways = self.ways[node]
        return None if ways is None else frozenset((i, slot) for i, slots in ways.items() for slot in slots)

    def _gate(self, live: frozenset[tuple[int, int]], varies: bool) -> int:
        """The mask for a node; of a shared one, which all samples reach or none, over all samples."""
        mask = self._mask(live)
        return self.program.add("lanesum", mask) if self._varies(mask) and not varies else mask

    def _mask(self, live: frozenset[tuple[int, int]]) -> int:
        """Not 0 where one of the ways was taken, from the top: a node."""
        waiting = [live]
        while waiting:  # masks stand on those above them: without recursion, branches may be nested deeply
            ways = waiting[-1]
            above = {i: self._live(i) for i, _ in ways}
            missing = [more for more in above.values() if more is not None and more not in self.masks]
            if missing:
                waiting += missing
                continue
            waiting.pop()
            if ways not in self.masks:
                each = [self._taken(i, slot, above[i]) for i, slot in sorted(ways)]
                self.masks[ways] = each[0] if len(each) == 1 else self.program.add("max", *each)
        return self.masks[live]

    def _taken(self, i: int, slot: int, live: Live) -> int:
        """Not 0 where node i was reached and took a branch: a node."""
        chosen = self._chosen(i, slot)
        return chosen if live is None else self.program.add("gate", self.masks[live], chosen)

    def _chosen(self, i: int, slot: int) -> int:
        """1.0 where node i took this branch (whether or not i was reached), else 0.0; a node."""
        if (i, slot) not in self.choices:
            args = self.program.args[i]
            if self.program.ops[i] == "take":
                mask = self.program.add("equal", args[0], self.numbers.number(float(slot - 1)).node)
            else:
                mask = self.program.add("equal", args[0], self.numbers.number(0.0).node)
                if slot == 1:  # a condition that is NaN is not 0
                    mask = self.program.add("equal", mask, self.numbers.number(0.0).node)
            self.choices[i, slot] = mask
        return self.choices[i, slot]
