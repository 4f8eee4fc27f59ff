"""Engines that are right in what they can do and stop, or lose digits, where others go on."""

from __future__ import annotations

from functools import partial

from engine_texts import Case

__all__ = ["ROWS"]

Limit = partial(Case, verdict="limited")

ROWS = (
    Limit(
        "no-neg",
        "stored_locals.py",
        (("    def __neg__(self):\n        return Node(-self.data, (self,), (-1.0,))\n\n", ""),),
        op="neg",
    ),
    Limit(
        "no-reflected-operators",
        "tape.py",
        (
            (
                "    def __radd__(self, other):\n        return self + other\n\n"
                "    def __rmul__(self, other):\n        return self * other\n\n"
                "    def __rsub__(self, other):\n        return self._other(other) - self\n\n"
                "    def __rtruediv__(self, other):\n        return self._other(other) / self\n\n",
                "",
            ),
        ),
    ),
    Limit(
        "exp-not-imported",
        "inherited.py",
        (("    def _value(self, a): return math.exp(a)", "    def _value(self, a): return exp(a)"),),
        op="exp",
    ),
    Limit(
        "no-deeper-than-60",
        "closures.py",
        (
            ("        def walk(v):\n", "        def walk(v, depth=0):\n"),
            (
                "            if v not in seen:\n",
                "            if depth > 60:\n                raise RecursionError('graph too deep')\n"
                "            if v not in seen:\n",
            ),
            ("                    walk(p)\n", "                    walk(p, depth + 1)\n"),
        ),
    ),
    Limit(
        "single-precision",
        "numpy_variable.py",
        (("dtype=np.float64", "dtype=np.float32"),),
        fault="float32",
    ),
    Limit(
        "tanh-by-exp",
        "methods.py",
        (
            (
                "        t = math.tanh(self.val)\n",
                "        e2 = math.exp(2.0 * self.val)\n        t = (e2 - 1.0) / (e2 + 1.0)\n",
            ),
        ),
        fault="tanh-overflow",
        op="tanh",
    ),
    Limit(
        "numbers-on-the-right-only",
        "valor.py",
        (
            (
                "    def __rsub__(self, otro):\n        return a_valor(otro) - self\n\n"
                "    def __rtruediv__(self, otro):\n        return a_valor(otro) / self\n\n",
                "",
            ),
        ),
    ),
)
