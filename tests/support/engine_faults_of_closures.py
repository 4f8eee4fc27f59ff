"""Planted bugs in the engines whose nodes carry closures."""

from __future__ import annotations

from engine_texts import Case

__all__ = ["ROWS"]

ROWS = (
    Case(
        "pow-overwrites",
        "closures.py",
        (("self.grad += k * self.data", "self.grad = k * self.data"),),
        fault="overwrite-one-op",
        op="pow",
    ),
    Case(
        "tanh-overwrites",
        "closures.py",
        (("self.grad += (1 - t ** 2) * out.grad", "self.grad = (1 - t ** 2) * out.grad"),),
        fault="overwrite-one-op",
        op="tanh",
    ),
    Case(
        "mirrored-sub",
        "closures.py",
        (("return wrap(other) - self", "return self - other"),),
        fault="reflected-sub",
        op="sub",
    ),
    Case(
        "mirrored-div",
        "closures.py",
        (("return wrap(other) / self", "return self / other"),),
        fault="reflected-div",
        op="div",
    ),
    Case(
        "guard-one-level-out",
        "closures.py",
        (("                order.append(v)\n", "            order.append(v)\n"),),
        fault="guard-misplaced",
        also_at=("if v not in seen:",),
    ),
    Case(
        "order-as-built",
        "closures.py",
        (("for v in reversed(order):", "for v in order:"),),
        fault="not-reversed",
    ),
    Case(
        "node-before-its-parents",
        "closures.py",
        (
            (
                "                seen.add(v)\n",
                "                seen.add(v)\n                order.append(v)\n",
            ),
            (
                "                    walk(p)\n                order.append(v)\n",
                "                    walk(p)\n",
            ),
            ("for v in reversed(order):", "for v in order:"),
        ),
        fault="pre-order",
        also=("breadth-first",),
    ),
    Case(
        "seed-forgotten",
        "closures.py",
        (("        self.grad = 1.0\n", ""),),
        fault="no-seed",
        also=("zero-seed",),
        also_at=("    def backward(self):",),
    ),
    Case(
        "ones-everywhere",
        "closures.py",
        (("        self.grad = 0.0\n", "        self.grad = 1.0\n"),),
        fault="grads-start-at-one",
    ),
    Case(
        "relu-by-precedence",
        "closures.py",
        (
            (
                "            if out.data > 0:\n                self.grad += out.grad\n",
                "            self.grad = self.grad + out.grad if out.data > 0 else 0.0\n",
            ),
        ),
        fault="relu-zeroes",
        op="relu",
    ),
    Case(
        "exp-not-attached",
        "closures.py",
        (
            (
                "            self.grad += out.data * out.grad\n        out._backward = _backward\n",
                "            self.grad += out.data * out.grad\n",
            ),
        ),
        fault="closure-never-attached",
        also=("op-without-rule", "op-cut-from-graph"),
        op="exp",
        also_at=("        out = Value(math.exp(self.data), (self,), 'exp')\n\n        def _backward",),
    ),
    Case(
        "exp-attached-to-backward",
        "closures.py",
        (
            (
                "            self.grad += out.data * out.grad\n        out._backward = _backward\n",
                "            self.grad += out.data * out.grad\n        out.backward = _backward\n",
            ),
        ),
        fault="closure-never-attached",
        also=("op-without-rule", "op-cut-from-graph"),
        op="exp",
    ),
    Case(
        "tanh-on-its-input",
        "closures.py",
        (
            (
                "            self.grad += (1 - t ** 2) * out.grad\n        out._backward = _backward\n",
                "            self.grad += (1 - t ** 2) * out.grad\n        self._backward = _backward\n",
            ),
        ),
        fault="closure-on-input",
        op="tanh",
    ),
    Case(
        "defaults-outlive-the-call",
        "closures.py",
        (
            (
                "    def backward(self):\n        order = []\n        seen = set()\n",
                "    def backward(self, order=[], seen=set()):\n",
            ),
        ),
        fault="default-arguments-outlive",
    ),
    Case(
        "flags-stay",
        "closures.py",
        (
            ("            if v not in seen:\n", "            if not getattr(v, '_seen', False):\n"),
            ("                seen.add(v)\n", "                v._seen = True\n"),
        ),
        fault="visited-flags-outlive",
    ),
    Case(
        "equal-by-data",
        "closures.py",
        (
            (
                "    # --- arithmetic -",
                "    def __eq__(self, other):\n        return self.data == wrap(other).data\n\n"
                "    def __hash__(self):\n        return hash(self.data)\n\n    # --- arithmetic -",
            ),
        ),
        fault="hash-by-content",
        also_at=("            if v not in seen:", "        self._parents = set(_parents)"),
    ),
    Case(
        "in-place-add",
        "closures.py",
        (
            (
                "    def __mul__(self, other):",
                "    def __iadd__(self, other):\n        self.data += wrap(other).data\n"
                "        return self\n\n    def __mul__(self, other):",
            ),
        ),
        fault="in-place-mutates",
        also=("op-cut-from-graph", "stale-data"),
        op="add",
    ),
    Case(
        "exp-without-parents",
        "closures.py",
        (
            (
                "out = Value(math.exp(self.data), (self,), 'exp')",
                "out = Value(math.exp(self.data), _op='exp')",
            ),
        ),
        fault="op-cut-from-graph",
        also=("op-without-rule", "closure-never-attached"),
        op="exp",
    ),
    Case(
        "divisor-by-its-data",
        "closures.py",
        (("return self * wrap(other) ** -1", "return self * wrap(other).data ** -1"),),
        fault="second-operand-cut",
        op="div",
    ),
    Case(
        "mul-forgets-a-parent",
        "closures.py",
        (("(self, other), '*')", "(self,), '*')"),),
        fault="second-operand-cut",
        also=("op-cut-from-graph",),
        op="mul",
    ),
    Case(
        "tanh-of-half",
        "closures.py",
        (
            (
                "t = math.tanh(self.data)",
                "t = (math.exp(self.data) - 1) / (math.exp(self.data) + 1)",
            ),
        ),
        fault="tanh-half-angle",
        op="tanh",
    ),
    Case(
        "exp-ignores-upstream",
        "closures.py",
        (("self.grad += out.data * out.grad", "self.grad += out.data"),),
        fault="upstream-ignored-one-op",
        op="exp",
    ),
    Case(
        "mirror-and-overwrite",
        "closures.py",
        (
            ("return wrap(other) - self", "return self - other"),
            ("self.grad += k * self.data", "self.grad = k * self.data"),
        ),
        fault="reflected-sub",
        op="sub",
        beside="overwrite-one-op",
        beside_op="pow",
    ),
    Case(
        "sub-overwrites",
        "seeded.py",
        (("other.grad += -out.grad", "other.grad = -out.grad"),),
        fault="overwrite-one-op",
        op="sub",
    ),
    Case(
        "sigmoid-ignores-upstream",
        "seeded.py",
        (("self.grad += out.grad * s * (1 - s)", "self.grad += s * (1 - s)"),),
        fault="upstream-ignored-one-op",
        op="sigmoid",
    ),
    Case(
        "square-is-its-input",
        "seeded.py",
        (("out.grad * 2 * self.data", "out.grad * self.data"),),
        fault="square-no-two",
        op="square",
    ),
    Case(
        "relu-sobrescribe",
        "valor.py",
        (("self.gradiente += (salida.dato > 0)", "self.gradiente = (salida.dato > 0)"),),
        fault="overwrite-one-op",
        op="relu",
    ),
    Case(
        "exp-sobrescribe",
        "valor.py",
        (("self.gradiente += salida.dato * salida", "self.gradiente = salida.dato * salida"),),
        fault="overwrite-one-op",
        op="exp",
    ),
    Case(
        "recursion-sin-orden",
        "valor.py",
        (
            (
                "        # orden topológico: primero los hijos\n        orden, vistos = [], set()\n\n"
                "        def visitar(nodo):\n            if nodo in vistos:\n                return\n"
                "            vistos.add(nodo)\n            for hijo in nodo.hijos:\n"
                "                visitar(hijo)\n            orden.append(nodo)\n\n        visitar(self)\n"
                "        self.gradiente = 1.0\n        for nodo in reversed(orden):\n"
                "            if nodo._propagar:\n                nodo._propagar()\n",
                "        self.gradiente = 1.0\n        self._hacia_atras()\n\n"
                "    def _hacia_atras(self):\n        if self._propagar:\n            self._propagar()\n"
                "            for hijo in self.hijos:\n                hijo._hacia_atras()\n",
            ),
        ),
        fault="recursion",
        also=("stack-revisits",),
    ),
    Case(
        "division-sin-cuadrado",
        "valor.py",
        (("self.dato / otro.dato ** 2", "self.dato / otro.dato"),),
        fault="div-by-b",
        op="div",
    ),
)
