"""Planted bugs in the engines that record local derivatives: in the node, on a tape, by creation number."""

from __future__ import annotations

from engine_texts import Case

__all__ = ["ROWS"]

STORED_LOCALS = (
    Case(
        "one-loop-overwrites",
        "stored_locals.py",
        (("kid.grad += slope * n.grad", "kid.grad = slope * n.grad"),),
        fault="overwrite",
    ),
    Case(
        "one-loop-ignores-upstream",
        "stored_locals.py",
        (("kid.grad += slope * n.grad", "kid.grad += slope"),),
        fault="upstream-ignored",
    ),
    Case(
        "log-not-inverted",
        "stored_locals.py",
        (("math.log(self.data), (self,), (1 / self.data,)", "math.log(self.data), (self,), (self.data,)"),),
        fault="log-no-reciprocal",
        op="log",
    ),
    Case(
        "exponent-without-log",
        "stored_locals.py",
        (("slope_exponent = y * math.log(self.data) if self.data > 0 else 0.0", "slope_exponent = y"),),
        fault="pow-exponent-no-log",
        op="pow",
    ),
    Case(
        "exponent-left-out",
        "stored_locals.py",
        (("(self, other), (slope_base, slope_exponent)", "(self,), (slope_base,)"),),
        fault="pow-exponent-missing",
        also=("second-operand-cut",),
        op="pow",
    ),
    Case(
        "sub-as-add",
        "stored_locals.py",
        (("(1.0, -1.0)", "(1.0, 1.0)"),),
        fault="sub-sign",
        op="sub",
    ),
    Case(
        "sqrt-doubled",
        "stored_locals.py",
        (("(0.5 / r,)", "(1 / r,)"),),
        fault="sqrt-no-half",
        op="sqrt",
    ),
    Case(
        "mirrored-pow",
        "stored_locals.py",
        (("return lift(other) ** self", "return self ** other"),),
        fault="reflected-pow",
        op="pow",
    ),
    Case(
        "slopes-in-a-dict",
        "stored_locals.py",
        (
            ("self.slopes = slopes", "self.slopes = dict(zip(kids, slopes))"),
            ("for kid, slope in zip(n.kids, n.slopes):", "for kid in n.kids:"),
            ("kid.grad += slope * n.grad", "kid.grad += n.slopes[kid] * n.grad"),
        ),
        fault="locals-by-operand",
    ),
    Case(
        "one-user",
        "stored_locals.py",
        (
            (
                '__slots__ = ("data", "grad", "kids", "slopes")',
                '__slots__ = ("data", "grad", "kids", "user")',
            ),
            (
                "        self.slopes = slopes\n",
                "        for kid, slope in zip(kids, slopes):\n            kid.user = (self, slope)\n",
            ),
            (
                "            for kid, slope in zip(n.kids, n.slopes):\n"
                "                kid.grad += slope * n.grad\n",
                "            if n is not self:\n                user, slope = n.user\n"
                "                n.grad = slope * user.grad\n",
            ),
        ),
        fault="one-parent",
        also=("overwrite",),
    ),
    Case(
        "relu-always-open",
        "stored_locals.py",
        (("(float(self.data > 0),)", "(1.0,)"),),
        fault="relu-open",
        op="relu",
    ),
    Case(
        "relu-as-abs",
        "stored_locals.py",
        (
            (
                "Node(max(0.0, self.data), (self,), (float(self.data > 0),))",
                "Node(abs(self.data), (self,), (math.copysign(1.0, self.data),))",
            ),
        ),
        fault="relu-is-abs",
        op="relu",
    ),
    Case(
        "sigmoid-turned-round",
        "stored_locals.py",
        (("math.exp(-self.data)", "math.exp(self.data)"),),
        fault="sigmoid-flipped",
        op="sigmoid",
    ),
    Case(
        "two-wrong-slopes",
        "stored_locals.py",
        (
            ("(1 - t * t,)", "(1 - t,)"),
            ("return lift(other) / self", "return self / other"),
        ),
        fault="tanh-no-square",
        op="tanh",
        beside="reflected-div",
        beside_op="div",
    ),
)

TAPES = (
    Case(
        "tape-seeded-with-the-loss",
        "tape.py",
        (("adjoint[out.index] = 1.0", "adjoint[out.index] = out.value"),),
        fault="seed-is-data",
    ),
    Case(
        "tape-forwards",
        "tape.py",
        (("reversed(self.entries[: out.index + 1])", "self.entries[: out.index + 1]"),),
        fault="not-reversed",
    ),
    Case(
        "tape-cos",
        "tape.py",
        (("math.cos(self.value), -math.sin(self.value)", "math.cos(self.value), math.sin(self.value)"),),
        fault="cos-sign",
        op="cos",
    ),
    Case(
        "tape-exponent-kept",
        "tape.py",
        (("n * self.value ** (n - 1)", "n * self.value ** n"),),
        fault="pow-exponent-kept",
        op="pow",
    ),
    Case(
        "minus-as-plus",
        "global_tape.py",
        (("b.adj -= z.adj\n", "b.adj += z.adj\n"),),
        fault="sub-sign",
        op="sub",
    ),
    Case(
        "square-overwrites",
        "global_tape.py",
        (("a.adj += 2 * a.v * z.adj", "a.adj = 2 * a.v * z.adj"),),
        fault="overwrite-one-op",
        op="square",
    ),
    Case(
        "sigmoid-not-on-the-tape",
        "global_tape.py",
        (
            (
                "        a.adj += z.v * (1.0 - z.v) * z.adj\n\n    TAPE.append((z, pull))\n",
                "        a.adj += z.v * (1.0 - z.v) * z.adj\n\n",
            ),
        ),
        fault="closure-never-attached",
        also=("op-without-rule", "op-cut-from-graph"),
        op="sigmoid",
        also_at=("def sigmoid(a):",),
    ),
    Case(
        "heap-takes-it-again",
        "counter.py",
        (
            (
                "                if arg.serial not in queued:\n                    queued.add(arg.serial)\n"
                "                    heapq.heappush(queue, arg)\n",
                "                heapq.heappush(queue, arg)\n",
            ),
        ),
        fault="queue-revisits",
        also=("stack-revisits", "recursion", "guard-misplaced"),
    ),
    Case(
        "oldest-first",
        "counter.py",
        (("return self.serial > other.serial", "return self.serial < other.serial"),),
        fault="breadth-first",
        also=("pre-order", "not-reversed"),
    ),
    Case(
        "rsub-has-subs-rule",
        "counter.py",
        (("Num(number - self.value, (self,), (-1.0,))", "Num(number - self.value, (self,), (1.0,))"),),
        fault="reflected-sub-rule",
        op="sub",
    ),
    Case(
        "rdiv-has-divs-rule",
        "counter.py",
        (("(-q / self.value,)", "(1.0 / number,)"),),
        fault="reflected-div-rule",
        op="div",
    ),
    Case(
        "rpow-has-pows-rule",
        "counter.py",
        (("(y * math.log(base),)", "(base * self.value ** (base - 1),)"),),
        fault="reflected-pow-rule",
        op="pow",
    ),
)

ROWS = (*STORED_LOCALS, *TAPES)
