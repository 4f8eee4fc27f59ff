"""The operators: a forward function and a rule that gives the local derivatives."""

import math

from . import engine


def op(forward):
    """Makes a function of numbers into a function of Params; its rule is attached with @f.rule."""

    def call(*given):
        params = tuple(g if isinstance(g, engine.Param) else engine.Param(g) for g in given)
        return engine.Param(forward(*[p.data for p in params]), params, call.local)

    def rule(local):
        call.local = local
        return call

    call.local = None
    call.rule = rule
    return call


add = op(lambda a, b: a + b)
add.rule(lambda y, a, b: (1, 1))

sub = op(lambda a, b: a - b)
sub.rule(lambda y, a, b: (1, -1))

mul = op(lambda a, b: a * b)
mul.rule(lambda y, a, b: (b.data, a.data))

div = op(lambda a, b: a / b)
div.rule(lambda y, a, b: (1 / b.data, -a.data / b.data**2))

power = op(lambda a, b: a**b)
power.rule(
    lambda y, a, b: (
        b.data * a.data ** (b.data - 1),
        y.data * math.log(a.data) if a.data > 0 else 0.0,
    )
)

neg = op(lambda a: -a)
neg.rule(lambda y, a: (-1,))

exp = op(lambda a: math.exp(a))
exp.rule(lambda y, a: (y.data,))

log = op(lambda a: math.log(a))
log.rule(lambda y, a: (1 / a.data,))

tanh = op(lambda a: math.tanh(a))
tanh.rule(lambda y, a: (1 - y.data**2,))

sigmoid = op(lambda a: 1 / (1 + math.exp(-a)))
sigmoid.rule(lambda y, a: (y.data * (1 - y.data),))

relu = op(lambda a: max(a, 0.0))
relu.rule(lambda y, a: (1 if a.data > 0 else 0,))
