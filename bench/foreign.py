"""Four libraries that differentiate scalar programs, each where it is installed.

A scalar program is traced anew in every step, so what a library does once per trace is charged to
every step.  The arithmetic is that of programs.py; exp, log, relu and `.data` are lent to a number
type that has them as functions or not at all.  What is charged, and to which column:

* PyTorch: 0-dim float64 tensors, one thread.  Runs the user's code as it stands.  The update is
  torch.optim with fused=True, the fastest of its three ways on this many scalars.
* HIPS autograd: differentiates functions of arrays, so a step takes the numbers out of one array.
  forward is make_vjp, backward the vjp.  The update is NumPy on the array.
* XAD, reverse mode: forward makes and registers its inputs (its numbers cannot be written to, so they
  are new in each step), starts the recording and computes; backward is computeAdjoints and reading
  the derivatives; free is dropping the numbers and clearing the tape.  The update is NumPy.
* CasADi SX: forward builds the expression; backward is casadi.gradient, making the Function and one
  call of it.  SX has no numbers while it builds, so the largest logit that softmax subtracts is an
  expression too.  `again` is one more call of the Function, shown for information: what a program
  whose graph never changes would pay.  The update is NumPy.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from engines import Engine, OfClass, Run
from programs import Adam, Program, Sgd

__all__ = ["foreign_engines"]

# key: the name shown, what to install, what to import
LIBRARIES = {
    "torch": ("PyTorch scalars", "torch", ("torch",)),
    "autograd": ("HIPS autograd", "autograd", ("autograd", "autograd.numpy.numpy_boxes")),
    "xad": ("XAD", "xad numpy", ("xad.adj_1st", "xad.math", "numpy")),
    "casadi": ("CasADi SX", "casadi numpy", ("casadi", "numpy")),
}


def foreign_engines(keys: list[str] | None = None) -> dict[str, Engine]:
    """Those named, or all; a library that is not installed is an engine that is missing."""
    return {key: _engine(key) for key in LIBRARIES if keys is None or key in keys}


def _engine(key: str) -> Engine:
    name, packages, modules = LIBRARIES[key]
    try:
        for module in modules:
            import_module(module)
    except ImportError:
        return Engine(name, None, missing=f"not installed: pip install {packages}")
    try:
        number = version(packages.split()[0])
    except PackageNotFoundError:
        number = ""
    return Engine(name, PREPARE[key](), number)


# ---- PyTorch ------------------------------------------------------------------------------------


def _torch() -> Callable[[Program, int], Run]:
    import torch

    torch.set_num_threads(1)

    def make(x: float) -> Any:
        return torch.tensor(x, dtype=torch.float64, requires_grad=True)

    class OfTorch(OfClass):
        def __init__(self, program: Program, size: int) -> None:
            super().__init__(make, program, size)
            if program.update is None:
                return
            if program.update.__name__ == "Sgd":
                self.rule = torch.optim.SGD(self.leaves, lr=Sgd.rate, fused=True)
            else:
                betas = (Adam.first, Adam.second)
                self.rule = torch.optim.Adam(self.leaves, Adam.rate, betas, Adam.epsilon, fused=True)
            self.update = self.learn  # type: ignore[method-assign]

        def learn(self) -> None:
            self.rule.step()
            self.rule.zero_grad()

        def gradients(self) -> list[float]:
            return [0.0 if leaf.grad is None else float(leaf.grad) for leaf in self.leaves]

    return OfTorch


# ---- the three that work on arrays --------------------------------------------------------------


class OnArray(Run):
    """The numbers of the leaves in one array, in the order in which the program makes them."""

    def __init__(self, program: Program, size: int) -> None:
        import numpy

        start: list[float] = []
        program.build(start.append, size)
        self.program, self.size = program, size
        self.numbers = numpy.array(start)
        self.gradient = numpy.zeros(len(start))
        if program.update is not None:
            self.update = {"Sgd": self.sgd, "Adam": self.adam}[program.update.__name__]  # type: ignore[method-assign]
            self.m, self.v, self.steps = numpy.zeros(len(start)), numpy.zeros(len(start)), 0

    def gradients(self) -> list[float]:
        return self.gradient.tolist()

    def sgd(self) -> None:
        self.numbers -= Sgd.rate * self.gradient

    def adam(self) -> None:
        self.steps += 1
        self.m = Adam.first * self.m + (1.0 - Adam.first) * self.gradient
        self.v = Adam.second * self.v + (1.0 - Adam.second) * self.gradient**2
        rate = Adam.rate / (1.0 - Adam.first**self.steps)
        spread = (self.v / (1.0 - Adam.second**self.steps)) ** 0.5
        self.numbers -= rate * self.m / (spread + Adam.epsilon)


def _autograd() -> Callable[[Program, int], Run]:
    import autograd.numpy as anp
    from autograd import make_vjp
    from autograd.extend import defvjp, primitive
    from autograd.numpy.numpy_boxes import ArrayBox

    relu = primitive(lambda x: x if x > 0.0 else 0.0)
    defvjp(relu, lambda _, x: lambda g: g if x > 0.0 else 0.0)
    ArrayBox.exp, ArrayBox.log, ArrayBox.relu = anp.exp, anp.log, relu
    ArrayBox.data = property(lambda self: self._value)

    class OfAutograd(OnArray):
        def forward(self) -> None:
            self.vjp, _ = make_vjp(self.compute)(self.numbers)

        def compute(self, array: Any) -> Any:
            positions = iter(range(len(self.numbers)))
            _, output = self.program.build(lambda _: array[next(positions)], self.size)
            return output()

        def backward(self) -> None:
            self.gradient = self.vjp(1.0)

        def free(self) -> None:
            self.vjp = None

    return OfAutograd


def _xad() -> Callable[[Program, int], Run]:
    import numpy
    from xad import math
    from xad.adj_1st import Real, Tape

    exp, log = math.exp, math.log
    Real.exp = lambda self: exp(self)
    Real.log = lambda self: log(self)
    Real.relu = lambda self: self if self.getValue() > 0.0 else Real(0.0)  # its fmax takes longer
    Real.data = property(Real.getValue)

    class OfXad(OnArray):
        def __init__(self, program: Program, size: int) -> None:
            super().__init__(program, size)
            self.tape = Tape()

        def forward(self) -> None:
            tape = self.tape
            tape.activate()
            numbers = iter(self.numbers.tolist())
            self.leaves, output = self.program.build(lambda _: Real(next(numbers)), self.size)
            tape.registerInputs(self.leaves)
            tape.newRecording()
            self.output = output()

        def backward(self) -> None:
            self.tape.registerOutput(self.output)
            self.output.setDerivative(1.0)
            self.tape.computeAdjoints()
            self.gradient = numpy.array([leaf.getDerivative() for leaf in self.leaves])

        def free(self) -> None:
            self.leaves = self.output = None
            self.tape.clearAll()
            self.tape.deactivate()

    return OfXad


def _casadi() -> Callable[[Program, int], Run]:
    import casadi

    casadi.SX.relu = lambda self: casadi.fmax(self, 0.0)

    class OfCasadi(OnArray):
        def __init__(self, program: Program, size: int) -> None:
            super().__init__(program, size)
            ways = {"gpt": {"largest": lambda xs: reduce(casadi.fmax, xs)}}.get(program.build.__name__, {})
            self.leaves, self.compute = program.build(lambda _: casadi.SX.sym("x"), size, **ways)
            self.inputs = casadi.vertcat(*self.leaves)

        def forward(self) -> None:
            self.output = self.compute()

        def backward(self) -> None:
            slope = casadi.gradient(self.output, self.inputs)
            self.function = casadi.Function("program", [self.inputs], [self.output, slope])
            self.gradient = self.again()

        def again(self) -> Any:  # type: ignore[override]
            return self.function(self.numbers)[1].full().ravel()

        def free(self) -> None:
            self.output = self.function = None

    return OfCasadi


PREPARE = {"torch": _torch, "autograd": _autograd, "xad": _xad, "casadi": _casadi}
