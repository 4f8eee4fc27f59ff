"""torch-shaped scalar autograd: every operator is a class with forward and backward.

Written to understand what torch.autograd.Function does behind the scenes.
"""

import math


class Context:
    """What forward wants to tell backward."""

    def __init__(self):
        self.saved = ()

    def save(self, *values):
        self.saved = values


class Function:
    @staticmethod
    def forward(ctx, *args):
        raise NotImplementedError

    @staticmethod
    def backward(ctx, grad_output):
        raise NotImplementedError

    @classmethod
    def apply(cls, *args):
        inputs = [a if isinstance(a, Tensor) else Tensor(a) for a in args]
        ctx = Context()
        result = Tensor(cls.forward(ctx, *[t.data for t in inputs]))
        result.fn = cls
        result.ctx = ctx
        result.inputs = inputs
        return result


class Add(Function):
    @staticmethod
    def forward(ctx, x, y):
        return x + y

    @staticmethod
    def backward(ctx, grad_output):
        return grad_output, grad_output


class Sub(Function):
    @staticmethod
    def forward(ctx, x, y):
        return x - y

    @staticmethod
    def backward(ctx, grad_output):
        return grad_output, -grad_output


class Mul(Function):
    @staticmethod
    def forward(ctx, x, y):
        ctx.save(x, y)
        return x * y

    @staticmethod
    def backward(ctx, grad_output):
        x, y = ctx.saved
        return grad_output * y, grad_output * x


class Div(Function):
    @staticmethod
    def forward(ctx, x, y):
        ctx.save(x, y)
        return x / y

    @staticmethod
    def backward(ctx, grad_output):
        x, y = ctx.saved
        return grad_output / y, -grad_output * x / y**2


class Pow(Function):
    @staticmethod
    def forward(ctx, x, y):
        ctx.save(x, y)
        return x**y

    @staticmethod
    def backward(ctx, grad_output):
        x, y = ctx.saved
        grad_x = y * x ** (y - 1)
        grad_y = x**y * math.log(x) if x > 0 else 0.0
        return grad_output * grad_x, grad_output * grad_y


class Exp(Function):
    @staticmethod
    def forward(ctx, x):
        y = math.exp(x)
        ctx.save(y)
        return y

    @staticmethod
    def backward(ctx, grad_output):
        (y,) = ctx.saved
        return (grad_output * y,)


class Relu(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save(x)
        return max(x, 0.0)

    @staticmethod
    def backward(ctx, grad_output):
        (x,) = ctx.saved
        return (grad_output if x > 0 else 0.0,)


class Tensor:
    def __init__(self, data):
        self.data = float(data)
        self.grad = 0.0
        self.fn = None
        self.ctx = None
        self.inputs = []

    __add__ = lambda self, other: Add.apply(self, other)
    __radd__ = lambda self, other: Add.apply(other, self)
    __sub__ = lambda self, other: Sub.apply(self, other)
    __rsub__ = lambda self, other: Sub.apply(other, self)
    __mul__ = lambda self, other: Mul.apply(self, other)
    __rmul__ = lambda self, other: Mul.apply(other, self)
    __truediv__ = lambda self, other: Div.apply(self, other)
    __rtruediv__ = lambda self, other: Div.apply(other, self)
    __pow__ = lambda self, other: Pow.apply(self, other)
    __rpow__ = lambda self, other: Pow.apply(other, self)
    __neg__ = lambda self: Mul.apply(self, -1.0)

    def exp(self):
        return Exp.apply(self)

    def relu(self):
        return Relu.apply(self)

    def _toposort(self, seen, order):
        if id(self) in seen:
            return order
        seen.add(id(self))
        for t in self.inputs:
            t._toposort(seen, order)
        order.append(self)
        return order

    def backward(self, grad=1.0):
        self.grad = grad
        for t in reversed(self._toposort(set(), [])):
            if t.fn is None:
                continue
            for inp, g in zip(t.inputs, t.fn.backward(t.ctx, t.grad)):
                inp.grad += g
