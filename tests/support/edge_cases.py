"""Values and gradients of every op at its awkward points, by PyTorch 2.13 and, where they differ, by ours."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple

from minigrad import Graph, Value
from minigrad import functions as F  # noqa: N812 as users write it
from minigrad.graph import INPUT, Node
from minigrad.ops import OPS

__all__ = ["CASES", "EDGES", "EXPRESSIONS", "REASONS", "Case", "graph_of"]

REASONS = {
    "undefined": "an undefined value has an undefined gradient",
    "limit": "the function has a limit there, and so has its slope",
    "rounding": "the answer can be represented, and PyTorch's rounding loses it",
    "power": "C's pow(-0.0, 0.5) is 0.0; PyTorch computes a square root, which keeps the sign",
    "branch": "a branch not taken sends no message",
    "product": "the slope is the product of the other factors; PyTorch divides by the one",
}

# op or expression, the point, and then the value | the gradient of each argument
TABLE = """
add                        inf, -inf        nan | 1, 1
add                        nan, 1           nan | 1, 1
mul                        0, inf           nan | inf, 0
mul                        0, nan           nan | nan, 0
mul                        1e+200, 1e+200   inf | 1e+200, 1e+200
mul                        -0, 5            -0 | 5, -0
div                        1, 0             inf | inf, -inf
div                        1, -0            -inf | -inf, -inf
div                        0, 0             nan | inf, nan
div                        inf, inf         nan | 0, nan
div                        1e+300, 1e-300   inf | 9.999999999999999e+299, -inf
div                        1, 1e-200        1e+200 | 1e+200, -inf
div                        1e-200, 1e-200   1 | 1e+200, -1e+200
pow                        0, 0             1 | 0, 0
pow                        0, 1             0 | 1, 0
pow                        0, 2             0 | 0, 0
pow                        0, 0.5           0 | inf, 0
pow                        0, -1            inf | -inf, -inf
pow                        -2, 3            -8 | 12, nan
pow                        -2, 2            4 | -4, nan
pow                        -8, 1/3          nan | nan, nan
pow                        1, inf           1 | inf, 0
pow                        1, nan           1 | nan, 0
pow                        nan, 0           1 | 0, nan
pow                        inf, 0           1 | 0, inf
pow                        -1, inf          1 | inf, nan
pow                        0, inf           0 | nan, 0
pow                        2, -inf          0 | nan, 0
pow                        -0, -1           -inf | -inf, inf
pow                        1e-300, 2        0 | 2e-300, -0
pow                        -2, 1e-17        nan | -5e-18, nan
  ours: undefined                           nan | nan, nan
pow                        5e-324, 1e-17    0.9999999999999926 | inf, -744.4400719213756
  ours: rounding                            0.9999999999999926 | 2.0240225330730914e+306, -744.4400719213758
pow                        1.5, 1750.5      1.769086127627106e+308 | inf, 7.173026979909784e+307
x ** 0.0                   0                1 | 0
x ** 0.0                   -0               1 | 0
x ** 0.0                   -2               1 | 0
x ** 0.0                   inf              1 | 0
x ** 0.0                   nan              1 | 0
x ** 1.0                   0                0 | 1
x ** 1.0                   -0               -0 | 1
x ** 1.0                   -2               -2 | 1
x ** 1.0                   inf              inf | 1
x ** 1.0                   nan              nan | 1
x ** 2.0                   0                0 | 0
x ** 2.0                   -0               0 | -0
x ** 2.0                   -2               4 | -4
x ** 2.0                   inf              inf | inf
x ** 2.0                   nan              nan | nan
x ** 3.0                   0                0 | 0
x ** 3.0                   -0               -0 | 0
x ** 3.0                   -2               -8 | 12
x ** 3.0                   inf              inf | inf
x ** 3.0                   nan              nan | nan
x ** 0.5                   0                0 | inf
x ** 0.5                   -0               -0 | -inf
  ours: power                               0 | inf
x ** 0.5                   -2               nan | nan
x ** 0.5                   inf              inf | 0
x ** 0.5                   nan              nan | nan
x ** (-1.0)                0                inf | -inf
x ** (-1.0)                -0               -inf | -inf
x ** (-1.0)                -2               -0.5 | -0.25
x ** (-1.0)                inf              0 | -0
x ** (-1.0)                nan              nan | nan
x ** (-0.5)                0                inf | -inf
x ** (-0.5)                -0               -inf | -inf
  ours: power                               inf | -inf
x ** (-0.5)                -2               nan | nan
x ** (-0.5)                inf              0 | -0
x ** (-0.5)                nan              nan | nan
0.0 ** x                   0                1 | 0
0.0 ** x                   2                0 | 0
0.0 ** x                   -1               inf | -inf
1.0 ** x                   0                1 | 0
1.0 ** x                   2                1 | 0
1.0 ** x                   -1               1 | 0
2.0 ** x                   0                1 | 0.6931471805599453
2.0 ** x                   2                4 | 2.772588722239781
2.0 ** x                   -1               0.5 | 0.34657359027997264
(-2.0) ** x                0                1 | nan
(-2.0) ** x                2                4 | nan
(-2.0) ** x                -1               -0.5 | nan
neg                        0                -0 | -1
neg                        inf              -inf | -1
abs                        0                0 | 0
abs                        -0               0 | 0
abs                        -inf             inf | -1
abs                        nan              nan | 0
  ours: undefined                           nan | nan
sign                       0                0 | 0
sign                       nan              0 | 0
  ours: undefined                           nan | nan
relu                       0                0 | 0
relu                       -0               -0 | 0
relu                       inf              inf | 1
relu                       -inf             0 | 0
relu                       nan              nan | 1
  ours: undefined                           nan | nan
leaky_relu                 0                0 | 0.01
leaky_relu                 -0               -0 | 0.01
leaky_relu                 -inf             -inf | 0.01
leaky_relu                 nan              nan | 0.01
  ours: undefined                           nan | nan
elu                        0                0 | 1
elu                        -0               -0 | 1
elu                        -40              -1 | 4.248354255291589e-18
elu                        -1000            -1 | 0
elu                        inf              inf | 1
elu                        -inf             -1 | 0
elu                        nan              nan | 1
  ours: undefined                           nan | nan
elu                        -50              -1 | 1.9287498479639178e-22
gelu                       0                0 | 0.5
gelu                       -40              -0 | 0
gelu                       inf              inf | nan
  ours: limit                               inf | 1
gelu                       -inf             nan | nan
  ours: limit                               -0 | 0
gelu                       nan              nan | nan
gelu                       -10              -0 | -7.694598626706419e-22
  ours: rounding                            -7.619853024160526e-23 | -7.618400096464814e-22
gelu                       -30              -0 | -4.420938404635643e-195
  ours: rounding                            -1.472014178144456e-196 | -4.416031690708495e-195
silu                       0                0 | 0.5
silu                       -1000            -0 | -0
silu                       1000             1000 | 1
silu                       inf              inf | nan
  ours: limit                               inf | 1
silu                       -inf             nan | nan
  ours: limit                               -0 | 0
silu                       nan              nan | nan
silu                       -720             -0 | -0
  ours: rounding                            -1.46320617774547e-310 | -1.46117394694305e-310
softplus                   0                0.6931471805599453 | 0.5
softplus                   20               20.000000002061153 | 0.9999999979388464
softplus                   20.0001          20.0001 | 1
  ours: rounding                            20.000100002060947 | 0.9999999979390525
softplus                   25               25 | 1
  ours: rounding                            25.000000000013888 | 0.9999999999861121
softplus                   -40              4.248354255291589e-18 | 4.248354255291589e-18
softplus                   -1000            0 | 0
softplus                   1000             1000 | 1
softplus                   inf              inf | 1
softplus                   -inf             0 | 0
softplus                   nan              nan | nan
sigmoid                    0                0.5 | 0.25
sigmoid                    -40              4.248354255291589e-18 | 4.248354255291589e-18
sigmoid                    40               1 | 0
  ours: rounding                            1 | 4.248354255291589e-18
sigmoid                    -710             0 | 0
  ours: rounding                            4.47628622567513e-309 | 4.47628622567513e-309
sigmoid                    -745             0 | 0
  ours: rounding                            5e-324 | 5e-324
sigmoid                    -1000            0 | 0
sigmoid                    1000             1 | 0
sigmoid                    inf              1 | 0
sigmoid                    -inf             0 | 0
sigmoid                    nan              nan | nan
tanh                       0                0 | 1
tanh                       20               1 | 0
  ours: rounding                            1 | 1.6993417021166355e-17
tanh                       -20              -1 | 0
  ours: rounding                            -1 | 1.6993417021166355e-17
tanh                       400              1 | 0
tanh                       inf              1 | 0
tanh                       -inf             -1 | 0
tanh                       nan              nan | nan
exp                        709.78           1.7928227943945155e+308 | 1.7928227943945155e+308
exp                        710              inf | inf
exp                        -745             5e-324 | 5e-324
exp                        -746             0 | 0
exp                        inf              inf | inf
exp                        -inf             0 | 0
expm1                      0                0 | 1
expm1                      1e-20            1e-20 | 1
expm1                      -40              -1 | 0
  ours: rounding                            -1 | 4.248354255291589e-18
expm1                      -1000            -1 | 0
expm1                      710              inf | inf
expm1                      -inf             -1 | 0
log                        0                -inf | inf
log                        -0               -inf | -inf
log                        -1               nan | -1
  ours: undefined                           nan | nan
log                        5e-324           -744.4400719213812 | inf
log                        1e-310           -713.8013788281542 | inf
log                        inf              inf | 0
log                        nan              nan | nan
log1p                      0                0 | 1
log1p                      -1               -inf | inf
log1p                      -2               nan | -1
  ours: undefined                           nan | nan
log1p                      1e-20            1e-20 | 1
log1p                      inf              inf | 0
sqrt                       0                0 | inf
sqrt                       -0               -0 | -inf
sqrt                       -1               nan | nan
sqrt                       5e-324           2.2227587494850775e-162 | 2.2494568972715982e+161
sqrt                       inf              inf | 0
cbrt                       0                0 | inf
reciprocal                 0                inf | -inf
reciprocal                 -0               -inf | -inf
reciprocal                 inf              0 | -0
reciprocal                 1e-200           1e+200 | -inf
reciprocal                 nan              nan | nan
sin                        -0               -0 | 1
sin                        inf              nan | nan
sin                        1e+22            -0.8522008497671888 | 0.523214785395139
sin                        nan              nan | nan
cos                        0                1 | -0
cos                        inf              nan | nan
cos                        1e+22            0.523214785395139 | 0.8522008497671888
tan                        pi/2             1.633123935319537e+16 | 2.6670937881135714e+32
tan                        1.5              14.101419947171719 | 199.85004452649244
tan                        inf              nan | nan
tan                        0                0 | 1
arcsin                     1                pi/2 | inf
arcsin                     2                nan | nan
arcsin                     -2               nan | nan
arccosh                    1                0 | inf
arccosh                    -2               nan | 0.5773502691896258
  ours: undefined                           nan | nan
arctanh                    1                inf | inf
arctanh                    2                nan | -0.3333333333333333
  ours: undefined                           nan | nan
arctanh                    -2               nan | -0.3333333333333333
  ours: undefined                           nan | nan
arctan                     0                0 | 1
arctan                     1e+200           pi/2 | 0
arctan                     inf              pi/2 | 0
arctan                     -inf             -pi/2 | 0
arctan2                    0, 0             0 | 0, -0
arctan2                    0, -1            pi | -1, -0
arctan2                    -0, -1           -pi | -1, 0
arctan2                    0, -0            pi | -0, -0
arctan2                    1e+200, 1e+200   pi/4 | 0, -0
  ours: rounding                            pi/4 | 5e-201, -5e-201
arctan2                    1e-200, 1e-200   pi/4 | 0, -0
  ours: rounding                            pi/4 | 5e+199, -5e+199
arctan2                    inf, inf         pi/4 | nan, nan
arctan2                    0, -1e-200       pi | -0, -0
  ours: rounding                            pi | -1e+200, 0
hypot                      0, 0             0 | nan, nan
hypot                      1e+200, 1e+200   1.414213562373095e+200 | 0.7071067811865475, 0.7071067811865475
hypot                      1e-200, 1e-200   1.414213562373095e-200 | 0.7071067811865476, 0.7071067811865476
minimum                    1, 1             1 | 0.5, 0.5
minimum                    0, -0            0 | 0.5, 0.5
minimum                    nan, 1           nan | 1, 1
  ours: undefined                           nan | nan, nan
minimum                    1, nan           nan | 1, 1
  ours: undefined                           nan | nan, nan
minimum                    inf, inf         inf | 0.5, 0.5
maximum                    1, 1             1 | 0.5, 0.5
maximum                    0, -0            0 | 0.5, 0.5
maximum                    nan, 1           nan | 1, 1
  ours: undefined                           nan | nan, nan
maximum                    1, nan           nan | 1, 1
  ours: undefined                           nan | nan, nan
maximum                    nan, nan         nan | 1, 1
  ours: undefined                           nan | nan, nan
maximum                    -inf, -inf       -inf | 0.5, 0.5
max                        1, 1, 0          1 | 0.5, 0.5, 0
max                        2, 2, 2          2 | 1/3, 1/3, 1/3
max                        nan, 1, 2        nan | 1, 0, 0
  ours: undefined                           nan | nan, nan, nan
max                        3, 3, 3, 3       3 | 0.25, 0.25, 0.25, 0.25
clamp(x, 0, 1)             0                0 | 1
clamp(x, 0, 1)             1                1 | 1
clamp(x, 0, 1)             0.5              0.5 | 1
clamp(x, 0, 1)             -1               0 | 0
clamp(x, 0, 1)             2                1 | 0
clamp(x, 0, 1)             nan              nan | 0
  ours: undefined                           nan | nan
clamp(x, 2, 1)             0                1 | 0
clamp(x, 2, 1)             3                1 | 0
where(x > 0, log(x), 0)    0                0 | nan
  ours: branch                              0 | 0
where(x > 0, log(x), 0)    -1               0 | -0
where(x > 0, sqrt(x), 0)   0                0 | nan
  ours: branch                              0 | 0
where(x > 0, sqrt(x), 0)   -1               0 | nan
  ours: branch                              0 | 0
where(x > 0, 1 / x, 0)     0                0 | nan
  ours: branch                              0 | 0
where(x < 100, exp(x), x)  1000             1000 | nan
  ours: branch                              1000 | 1
logsumexp                  0, 0             0.6931471805599453 | 0.5, 0.5
logsumexp                  1000, 1000       1000.6931471805599 | 0.5000000000000275, 0.5000000000000275
  ours: rounding                            1000.6931471805599 | 0.5, 0.5
logsumexp                  -1000, 0         0 | 0, 1
logsumexp                  -inf, -inf       -inf | nan, nan
logsumexp                  inf, 0           inf | nan, 0
logsumexp                  inf, inf         inf | nan, nan
logsumexp                  -inf, 0          0 | 0, 1
logsumexp                  nan, 0           nan | nan, nan
logsumexp                  1e+308, 1e+308   1e+308 | 1, 1
  ours: rounding                            1e+308 | 0.5, 0.5
logsumexp                  inf, 1e+308      inf | nan, 0
logsumexp                  1e-20, -50       1e-20 | 1, 1.9287498479639178e-22
  ours: rounding                            1.0192874984796391e-20 | 1, 1.9287498479639178e-22
sum                        inf, -inf        nan | 1, 1
sum                        1e+308, 1e+308   inf | 1, 1
mean                       1e+308, 1e+308   inf | 0.5, 0.5
  ours: rounding                            1e+308 | 0.5, 0.5
prod                       0, 2, 3          0 | 6, 0, 0
prod                       0, 0, 3          0 | 0, 0, 0
prod                       inf, 2           inf | nan, inf
  ours: product                             inf | 2, inf
prod                       3                3 | 1
sqrt(x ** 2)               0                0 | nan
exp2                       1024             inf | inf
  ours: rounding                            inf | 1.2460659279417838e+308
log2                       -1               nan | -1.4426950408889634
  ours: undefined                           nan | nan
log10                      -1               nan | -0.43429448190325187
  ours: undefined                           nan | nan
clamp                      0, 1, 1          1 | 0, 0, 0
clamp                      2, 1, 1          1 | 0, 0, 1
clamp                      0, 2, 1          1 | 0, 0, 1
clamp                      0.5, 0, 1        0.5 | 1, 0, 0
clamp                      0, 0, 1          0 | 1, 0, 0
min                        1, 1, 2          1 | 0.5, 0.5, 0
square                     nan              nan | nan
"""

EXPRESSIONS: dict[str, Callable[[Value], Value]] = {
    "x ** 0.0": lambda x: x**0.0,
    "x ** 1.0": lambda x: x**1.0,
    "x ** 2.0": lambda x: x**2.0,
    "x ** 3.0": lambda x: x**3.0,
    "x ** 0.5": lambda x: x**0.5,
    "x ** (-1.0)": lambda x: x**-1.0,
    "x ** (-0.5)": lambda x: x**-0.5,
    "0.0 ** x": lambda x: 0.0**x,
    "1.0 ** x": lambda x: 1.0**x,
    "2.0 ** x": lambda x: 2.0**x,
    "(-2.0) ** x": lambda x: (-2.0) ** x,
    "clamp(x, 0, 1)": lambda x: x.clamp(0.0, 1.0),
    "clamp(x, 2, 1)": lambda x: x.clamp(2.0, 1.0),
    "where(x > 0, log(x), 0)": lambda x: F.where(x > 0, F.log(x), 0.0),
    "where(x > 0, sqrt(x), 0)": lambda x: F.where(x > 0, F.sqrt(x), 0.0),
    "where(x > 0, 1 / x, 0)": lambda x: F.where(x > 0, 1 / x, 0.0),
    "where(x < 100, exp(x), x)": lambda x: F.where(x < 100, F.exp(x), x),
    "sqrt(x ** 2)": lambda x: F.sqrt(x**2),
}
CONSTANTS = {
    "pi": math.pi,
    "-pi": -math.pi,
    "pi/2": math.pi / 2,
    "-pi/2": -math.pi / 2,
    "pi/4": math.pi / 4,
    "1/3": 1 / 3,
}


class Case(NamedTuple):
    name: str
    xs: tuple[float, ...]
    torch: tuple[float, ...]  # the value, and then the gradients
    ours: tuple[float, ...] | None
    reason: str

    def __str__(self) -> str:
        return f"{self.name} at {', '.join(map(str, self.xs))}"


def numbers(text: str) -> tuple[float, ...]:
    return tuple(
        CONSTANTS.get(word) or float(word) for word in text.replace("|", ",").replace(" ", "").split(",")
    )


def cases() -> list[Case]:
    found: list[Case] = []
    for line in TABLE.strip().splitlines():
        if line.startswith("  ours:"):
            reason, ours = line.removeprefix("  ours:").split(maxsplit=1)
            found[-1] = found[-1]._replace(ours=numbers(ours), reason=reason)
        else:
            found.append(Case(line[:25].strip(), numbers(line[27:42]), numbers(line[44:]), None, ""))
    return found


CASES = cases()

EDGES = [(case.name, case.xs) for case in CASES] + [(op.name, xs) for op in OPS.values() for xs in op.kinks]


def graph_of(name: str, xs: tuple[float, ...]) -> Graph:
    """The graph of an op, or of an expression of the table, at a point."""
    leaves = [Value(x, label=f"i{i}") for i, x in enumerate(xs)]
    if name in EXPRESSIONS:
        return Graph.of(EXPRESSIONS[name](leaves[0]))
    slots = list(range(len(xs)))
    if OPS[name].defaults and len(xs) < OPS[name].arity[1]:
        return Graph.of(getattr(F, name)(*leaves))
    return Graph([*(Node(INPUT, (), f"i{i}", x) for i, x in enumerate(xs)), Node(name, tuple(slots))])
