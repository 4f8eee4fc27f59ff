"""Planted bugs in the engines that keep an op by its name or class, or a rule for each operand."""

from __future__ import annotations

from engine_texts import Case

__all__ = ["ROWS"]

ROWS = (
    Case(
        "div-plus",
        "operators.py",
        (("-grad_output * x / y**2", "grad_output * x / y**2"),),
        fault="div-sign",
        op="div",
    ),
    Case(
        "relu-sends-one",
        "operators.py",
        (("(grad_output if x > 0 else 0.0,)", "(1.0 if x > 0 else 0.0,)"),),
        fault="upstream-ignored-one-op",
        op="relu",
    ),
    Case(
        "exp-saves-its-input",
        "operators.py",
        (("        ctx.save(y)\n", "        ctx.save(x)\n"),),
        fault="exp-by-input",
        op="exp",
        also_at=("        (y,) = ctx.saved", "        return (grad_output * y,)"),
    ),
    Case(
        "mul-sends-each-its-own",
        "operators.py",
        (("return grad_output * y, grad_output * x", "return grad_output * x, grad_output * y"),),
        fault="mul-own-factor",
        also=("slots-swapped",),
        op="mul",
    ),
    Case(
        "op-kept-on-the-operand",
        "free_functions.py",
        (
            (
                "    grad: float = field(default=0.0, repr=False)\n",
                '    grad: float = field(default=0.0, repr=False)\n    used_in: str = ""\n\n'
                "    def __post_init__(self):\n        if self.args:\n"
                "            self.args[0].used_in = self.op\n",
            ),
            (
                "    op, g, y = node.op, node.grad, node.value\n",
                "    op = node.args[0].used_in if node.args else node.op\n    g, y = node.grad, node.value\n",
            ),
        ),
        fault="op-on-operand",
    ),
    Case(
        "tanh-of-its-input",
        "free_functions.py",
        (("g * (1 - y * y)", "g * (1 - node.args[0].value ** 2)"),),
        fault="tanh-from-input",
        op="tanh",
    ),
    Case(
        "sqrt-without-a-branch",
        "free_functions.py",
        (('    elif op == "sqrt":\n        node.args[0].grad += g / (2 * y)\n', ""),),
        fault="op-without-rule",
        also=("closure-never-attached", "op-cut-from-graph"),
        op="sqrt",
        also_at=("def sqrt(a):", "    return Node(math.sqrt(a.value)", "def push(node):"),
    ),
    Case(
        "queue-without-marks",
        "free_functions.py",
        (
            (
                "    for node in reversed(topological(root)):\n        push(node)\n",
                "    queue = [root]\n    while queue:\n        node = queue.pop(0)\n"
                "        push(node)\n        queue.extend(node.args)\n",
            ),
        ),
        fault="queue-revisits",
        also=("stack-revisits", "recursion"),
    ),
    Case(
        "neg-lets-it-through",
        "free_functions.py",
        (("node.args[0].grad += -g", "node.args[0].grad += g"),),
        fault="neg-sign",
        op="neg",
    ),
    Case(
        "relu-by-the-gradient",
        "free_functions.py",
        (("        if node.args[0].value > 0:\n", "        if g > 0:\n"),),
        fault="relu-by-upstream",
        op="relu",
    ),
    Case(
        "log-is-another-log",
        "free_functions.py",
        (
            ("Node(math.log(a.value)", "Node(math.log10(a.value)"),
            ("g / node.args[0].value", "g / (node.args[0].value * math.log(10))"),
        ),
        fault="log-is-log10",
        op="log",
    ),
    Case(
        "stack-without-counting",
        "methods.py",
        (
            (
                "                uses[child] -= 1\n                if uses[child] == 0:\n"
                "                    ready.append(child)\n",
                "                ready.append(child)\n",
            ),
        ),
        fault="stack-revisits",
        also=("recursion", "queue-revisits"),
    ),
    Case(
        "numerator-undivided",
        "methods.py",
        (("[(self, 1.0 / that.val), (that, -self", "[(self, 1.0), (that, -self"),),
        fault="div-numerator-one",
        op="div",
    ),
    Case(
        "pow-without-n",
        "methods.py",
        (("n * math.pow(self.val, n - 1)", "math.pow(self.val, n - 1)"),),
        fault="pow-no-factor",
        op="pow",
    ),
    Case(
        "sqrt-halves",
        "methods.py",
        (
            (
                "root = math.sqrt(self.val)\n        return Scalar(root, [(self, 1.0 / (2.0 * root))])",
                "return Scalar(self.val * 0.5, [(self, 0.5)])",
            ),
        ),
        fault="sqrt-is-half",
        op="sqrt",
    ),
    Case(
        "each-node-calls-its-operands",
        "inherited.py",
        (
            (
                "        self.grad = 1.0\n        for node in nodes:\n            if not node.operands:\n"
                "                continue\n            for child, d in zip(node.operands, node._local()):\n"
                "                child.grad += d * node.grad\n",
                "        self.grad = 1.0\n        self._send()\n\n    def _send(self):\n"
                "        if self.operands:\n            for child, d in zip(self.operands, self._local()):\n"
                "                child.grad += d * self.grad\n                child._send()\n",
            ),
        ),
        fault="recursion",
        also=("stack-revisits",),
    ),
    Case(
        "level-by-level",
        "inherited.py",
        (
            (
                "        def dfs(node):\n            if node not in mark:\n                mark.add(node)\n"
                "                for child in node.operands:\n                    dfs(child)\n"
                "                result.append(node)\n\n        dfs(self)\n        return result[::-1]\n",
                "        level = [self]\n        while level:\n            node = level.pop(0)\n"
                "            if node not in mark:\n                mark.add(node)\n"
                "                result.append(node)\n                level.extend(node.operands)\n"
                "        return result\n",
            ),
        ),
        fault="breadth-first",
        also=("pre-order",),
    ),
    Case(
        "mirrored-div-in-the-mixin",
        "inherited.py",
        (("return DivNode(to_node(other), self)", "return DivNode(self, to_node(other))"),),
        fault="reflected-div",
        op="div",
    ),
    Case(
        "inverse-not-squared",
        "gradients_dict.py",
        (("-1 / a.value ** 2", "-1 / a.value"),),
        fault="div-by-b",
        also=("reciprocal-not-squared",),
        op="div",
    ),
    Case(
        "dict-overwrites",
        "gradients_dict.py",
        (("grads[child] += grads[node] * local", "grads[child] = grads[node] * local"),),
        fault="overwrite",
    ),
    Case(
        "log-of-a-number",
        "gradients_dict.py",
        (("Var(math.log(a.value), ((a, 1. / a.value),))", "Var(math.log(a.value))"),),
        fault="op-cut-from-graph",
        also=("op-without-rule", "closure-never-attached"),
        op="log",
    ),
    Case(
        "rsub-is-sub",
        "scalar.py",
        (
            (
                "    def __rsub__(self, other):\n        return self._ensure(other).__sub__(self)\n",
                "    __rsub__ = __sub__\n",
            ),
        ),
        fault="reflected-sub",
        op="sub",
    ),
    Case(
        "first-operand-decides",
        "scalar.py",
        (
            (
                "requires_grad=any(p.requires_grad for p, _ in edges)",
                "requires_grad=edges[0][0].requires_grad",
            ),
        ),
        fault="op-cut-from-graph",
        also=("second-operand-cut", "branch-dropped"),
    ),
    Case(
        "shares-replace-each-other",
        "scalar.py",
        (("grads[parent] = grads.get(parent, 0.0) + share(g)", "grads[parent] = share(g)"),),
        fault="overwrite",
    ),
    Case(
        "add-hands-on-its-array",
        "numpy_variable.py",
        (
            (
                "            (self, lambda g: g * np.ones_like(self.data)),\n"
                "            (other, lambda g: g * np.ones_like(other.data)),\n",
                "            (self, lambda g: g),\n            (other, lambda g: g),\n",
            ),
        ),
        fault="aliased-upstream",
        op="add",
        also_at=("                    parent.grad += share",),
    ),
    Case(
        "exp-twice",
        "numpy_variable.py",
        (
            (
                "        return self._from(y, (self, lambda g: g * y))",
                "        return self._from(y, (self, lambda g: g * np.exp(y)))",
            ),
        ),
        fault="exp-of-output",
        op="exp",
    ),
    Case(
        "tanh-that-is-sigmoid",
        "numpy_variable.py",
        (
            ("y = np.tanh(self.data)", "y = 1 / (1 + np.exp(-self.data))"),
            ("g * (1 - y**2)", "g * y * (1 - y)"),
        ),
        fault="tanh-is-sigmoid",
        op="tanh",
    ),
)
