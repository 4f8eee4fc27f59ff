# Reverse mode by creation number: a node can only depend on older nodes, so always
# taking the youngest one off a heap is a correct order. Works for graphs of any depth.

import heapq
import itertools
import math

_serial = itertools.count()


class Num:
    __slots__ = ("args", "gradient", "partials", "serial", "value")

    def __init__(self, value, args=(), partials=()):
        self.value = value
        self.gradient = 0.0
        self.args = args
        self.partials = partials
        self.serial = next(_serial)

    def __lt__(self, other):
        return self.serial > other.serial  # heapq is a min-heap and we want the youngest

    def __add__(self, other):
        if not isinstance(other, Num):
            return Num(self.value + other, (self,), (1.0,))
        return Num(self.value + other.value, (self, other), (1.0, 1.0))

    def __sub__(self, other):
        if not isinstance(other, Num):
            return Num(self.value - other, (self,), (1.0,))
        return Num(self.value - other.value, (self, other), (1.0, -1.0))

    def __mul__(self, other):
        if not isinstance(other, Num):
            return Num(self.value * other, (self,), (other,))
        return Num(self.value * other.value, (self, other), (other.value, self.value))

    def __truediv__(self, other):
        if not isinstance(other, Num):
            return Num(self.value / other, (self,), (1.0 / other,))
        q = self.value / other.value
        return Num(q, (self, other), (1.0 / other.value, -q / other.value))

    __radd__ = __add__
    __rmul__ = __mul__

    def __rsub__(self, number):
        return Num(number - self.value, (self,), (-1.0,))

    def __rtruediv__(self, number):
        q = number / self.value
        return Num(q, (self,), (-q / self.value,))

    def __neg__(self):
        return Num(-self.value, (self,), (-1.0,))

    def __pow__(self, n):
        return Num(self.value ** n, (self,), (n * self.value ** (n - 1),))

    def __rpow__(self, base):
        y = base ** self.value
        return Num(y, (self,), (y * math.log(base),))

    def exp(self):
        y = math.exp(self.value)
        return Num(y, (self,), (y,))

    def log(self):
        return Num(math.log(self.value), (self,), (1.0 / self.value,))

    def tanh(self):
        y = math.tanh(self.value)
        return Num(y, (self,), (1.0 - y * y,))

    def relu(self):
        return Num(max(self.value, 0.0), (self,), (1.0 if self.value > 0.0 else 0.0,))

    def backprop(self):
        self.gradient = 1.0
        queue, queued = [self], {self.serial}
        while queue:
            node = heapq.heappop(queue)
            for arg, partial in zip(node.args, node.partials):
                arg.gradient += partial * node.gradient
                if arg.serial not in queued:
                    queued.add(arg.serial)
                    heapq.heappush(queue, arg)
