"""flatten: sums of sums, and of products, become one chain; a chain is one dot product or one long sum.

    p = w0 * x0          chain:0**  w0 x0 w1 x1
    q = 0 + p
    r = w1 * x1
    s = q + r

Only what is used once can disappear into a chain, and only along the spine on which it was added: `a +
(b + c)` keeps its inner sum, because (a + b) + c is another number. So a chain has the bits of the
nodes it replaces.
"""

from __future__ import annotations

from ..scalars import CHAIN, CONSTANT, EXACT, SLOT_BITS, Scalars

__all__ = ["flatten"]

Terms = tuple[list[str], list[int], list[int]]  # kinds, arguments, when each argument gets its message


def flatten(program: Scalars) -> Scalars:
    ops, args = program.ops, program.args
    uses = [0] * len(ops)
    for arguments in args:
        for arg in arguments:
            uses[arg] += 1
    for kept in (*program.outputs, *(guard.node for guard in program.guards)):
        uses[kept] += 2
    absorbed = bytearray(len(ops))
    chains: dict[int, Terms] = {}

    def add_term(terms: Terms, node: int, sign: str, sender: int, slot: int) -> None:
        """Append one term: the product or the negative that `node` is, if nothing else needs it."""
        kinds, arguments, when = terms
        if uses[node] == 1:
            if ops[node] == "mul":
                absorbed[node] = 1
                kinds.append("*" if sign == "+" else "~")
                arguments += args[node]
                when += (-node << SLOT_BITS, (-node << SLOT_BITS) + 1)
                return
            if ops[node] == "neg":
                absorbed[node] = 1
                kinds.append("-" if sign == "+" else "+")
                arguments.append(args[node][0])
                when.append(-node << SLOT_BITS)
                return
        kinds.append(sign)
        arguments.append(node)
        when.append((-sender << SLOT_BITS) + slot)

    for i, op in enumerate(ops):
        if op not in ("add", "sub"):
            continue
        left, right = args[i]
        # The spine is the left side, or the right one if only that is a sum; `0 +` begins a new one.
        begins = program.is_zero(left) or (uses[left] == 1 and left in chains)
        swapped = op == "add" and not begins and uses[right] == 1 and right in chains
        spine, term = (right, left) if swapped else (left, right)
        if uses[spine] == 1 and spine in chains:
            terms = chains.pop(spine)
            absorbed[spine] = 1
        else:
            terms = ([], [], [])
            if program.is_zero(spine):
                terms[0].append("0")
            else:
                add_term(terms, spine, "+", i, int(swapped))
        add_term(terms, term, "+" if op == "add" else "-", i, int(not swapped))
        chains[i] = terms

    # Two bare terms are an addition or a subtraction, and stay one.
    chains = {i: terms for i, terms in chains.items() if sorted(terms[1]) != sorted(args[i])}
    return _rebuilt(program, chains, absorbed)


def _rebuilt(program: Scalars, chains: dict[int, Terms], absorbed: bytearray) -> Scalars:
    """The program without the nodes that are in a chain now; the exact sums of the table are chains too."""
    flat = Scalars(data={})
    place = [-1] * len(program)
    texts: dict[str, str] = {}  # one string per shape: there are many nodes of few shapes
    for i, (op, arguments) in enumerate(zip(program.ops, program.args, strict=True)):
        if absorbed[i]:
            continue
        when: tuple[int, ...] | None = None
        if i in chains:
            kinds, found, sent = chains[i]
            op, arguments, when = CHAIN + "".join(kinds), tuple(found), tuple(sent)
        elif op == "sum":
            op, when = EXACT + "+" * len(arguments), program.times(i)
        elif op == "dot":
            half = len(arguments) // 2
            order = [slot for pair in zip(range(half), range(half, 2 * half), strict=True) for slot in pair]
            times = program.times(i)
            op, when = EXACT + "*" * half, tuple(times[slot] for slot in order)
            arguments = tuple(arguments[slot] for slot in order)
        place[i] = flat.add(texts.setdefault(op, op), *[place[arg] for arg in arguments])
        flat.born.append(i)
        if when is not None:
            flat.when[place[i]] = when
        if op == CONSTANT:
            flat.data[place[i]] = program.data[i]
    flat.take_ends(program, place)
    return flat
