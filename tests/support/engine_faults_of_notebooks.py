"""Planted bugs in the notebooks and in the package."""

from __future__ import annotations

from engine_texts import Case

__all__ = ["ROWS"]

ROWS = (
    Case(
        "lesson-mul-overwrites",
        "lesson.py",
        (
            (
                "self.grad += other.data * out.grad\n            other.grad += self.data * out.grad\n",
                "self.grad = other.data * out.grad\n            other.grad = self.data * out.grad\n",
            ),
        ),
        fault="overwrite-one-op",
        op="mul",
    ),
    Case(
        "lesson-mirrored-sub",
        "lesson.py",
        (("return Value(other) - self", "return self - other"),),
        fault="reflected-sub",
        op="sub",
    ),
    Case(
        "lesson-guard",
        "lesson.py",
        (("                topo.append(v)\n", "            topo.append(v)\n"),),
        fault="guard-misplaced",
        also_at=("            if v not in visited:",),
    ),
    Case(
        "lesson-exp-of-its-input",
        "lesson.py",
        (("self.grad += out.data * out.grad", "self.grad += self.data * out.grad"),),
        fault="exp-by-input",
        op="exp",
    ),
    Case(
        "workbook-sigmoid",
        "workbook.py",
        (("up * s * (1 - s)", "up * (1 - s ** 2)"),),
        fault="sigmoid-as-tanh",
        op="sigmoid",
    ),
    Case(
        "workbook-log-ignores-upstream",
        "workbook.py",
        (
            (
                "Var(log(a.value), [(a, lambda up: up / a.value)])",
                "Var(log(a.value), [(a, lambda up: 1 / a.value)])",
            ),
        ),
        fault="upstream-ignored-one-op",
        op="log",
    ),
    Case(
        "workbook-overwrites",
        "workbook.py",
        (("parent.grad += pull(v.grad)", "parent.grad = pull(v.grad)"),),
        fault="overwrite",
    ),
    Case(
        "sprout-sigmoid-from-input",
        "sprout",
        (("(y.data * (1 - y.data),)", "(a.data * (1 - a.data),)"),),
        fault="sigmoid-from-input",
        op="sigmoid",
    ),
    Case(
        "sprout-pops-the-front",
        "sprout",
        (("p = order.pop()", "p = order.pop(0)"),),
        fault="not-reversed",
    ),
    Case(
        "sprout-mirrored-sub",
        "sprout",
        (("return ops.sub(other, self)", "return ops.sub(self, other)"),),
        fault="reflected-sub",
        op="sub",
    ),
    Case(
        "sprout-relu-without-rule",
        "sprout",
        (("\nrelu.rule(lambda y, a: (1 if a.data > 0 else 0,))", ""),),
        fault="op-without-rule",
        also=("closure-never-attached", "op-cut-from-graph"),
        op="relu",
    ),
    Case(
        "sprout-two-rules",
        "sprout",
        (
            ("(y.data * (1 - y.data),)", "(y.data,)"),
            ("y.data * math.log(a.data) if a.data > 0 else 0.0,", "0.0,"),
        ),
        fault="sigmoid-half",
        op="sigmoid",
        beside="pow-exponent-missing",
        beside_op="pow",
    ),
)
