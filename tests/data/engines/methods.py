"""Fluent scalar autodiff, ported from my Kotlin version (hence the method names).

    x = Scalar(2.0)
    y = x.mul(x).plus(Scalar(1.0)).tanh()
    y.differentiate()
    x.derivative
"""

import math


class Scalar(object):
    def __init__(self, val, inputs=None):
        self.val = val
        self.derivative = 0.0
        self.inputs = inputs or []      # list of (scalar, local derivative)

    def plus(self, that):
        return Scalar(self.val + that.val, [(self, 1.0), (that, 1.0)])

    def minus(self, that):
        return Scalar(self.val - that.val, [(self, 1.0), (that, -1.0)])

    def mul(self, that):
        return Scalar(self.val * that.val, [(self, that.val), (that, self.val)])

    def div(self, that):
        return Scalar(
            self.val / that.val,
            [(self, 1.0 / that.val), (that, -self.val / (that.val * that.val))],
        )

    def pow(self, n):
        return Scalar(math.pow(self.val, n), [(self, n * math.pow(self.val, n - 1))])

    def negate(self):
        return Scalar(-self.val, [(self, -1.0)])

    def scale(self, k):
        return Scalar(self.val * k, [(self, k)])

    def exp(self):
        e = math.exp(self.val)
        return Scalar(e, [(self, e)])

    def ln(self):
        return Scalar(math.log(self.val), [(self, 1.0 / self.val)])

    def sqrt(self):
        root = math.sqrt(self.val)
        return Scalar(root, [(self, 1.0 / (2.0 * root))])

    def sin(self):
        return Scalar(math.sin(self.val), [(self, math.cos(self.val))])

    def tanh(self):
        t = math.tanh(self.val)
        return Scalar(t, [(self, 1.0 - t * t)])

    def relu(self):
        if self.val > 0:
            return Scalar(self.val, [(self, 1.0)])
        return Scalar(0.0, [(self, 0.0)])

    def differentiate(self):
        # Kahn: a scalar is finished when everybody who uses it has reported
        uses = {}
        stack = [self]
        while stack:
            s = stack.pop()
            for child, _ in s.inputs:
                if child not in uses:
                    uses[child] = 0
                    stack.append(child)
                uses[child] += 1

        self.derivative = 1.0
        ready = [self]
        while ready:
            s = ready.pop()
            for child, local in s.inputs:
                child.derivative += local * s.derivative
                uses[child] -= 1
                if uses[child] == 0:
                    ready.append(child)

    def __str__(self):
        return "Scalar(%g; %g)" % (self.val, self.derivative)
