"""A call option by Monte Carlo: its price and five slopes (Greeks) over a million paths.

`payoff` is what a user writes, on single numbers; its mean over the paths is the price, and the gradient of
that mean is delta, the slope in the strike, rho, vega, and the slope in the time that is left (theta is its
negative).  The draws z are the same for all.  PyTorch and JAX have z in one array, CasADi maps its function
over the paths and adds up.

Two rows are no rivals but limits, in C (c/options.c): the slopes derived by hand and eight paths at a time,
and only reading the draws.
"""

from __future__ import annotations

import ctypes
import math
from collections.abc import Callable
from importlib.metadata import version
from typing import Any

import c_code
import casadi_ways
from races import EXACT, Answer, Race, Way

import minigrad

__all__ = ["COUNTED", "GIVEN", "PATHS", "draws", "payoff", "race"]

PATHS = 1 << 20
GIVEN = (100.0, 105.0, 0.03, 0.2, 1.5)  # spot, strike, rate, volatility, years

# What one path costs at the least, counted in c/options.c, a product and a sum that one instruction does
# together as two: its exponential, and the path itself with its four sums.
COUNTED = {"operations": 45, "exponential": 33, "bytes": 8}


def payoff(spot: Any, strike: Any, rate: Any, volatility: Any, years: Any, z: Any) -> Any:
    """What one path pays, in the money of today."""
    drift = (rate - 0.5 * volatility * volatility) * years
    end = spot * (drift + volatility * years**0.5 * z).exp()
    return (-rate * years).exp() * (end - strike).relu()


def draws(paths: int) -> Any:
    import numpy as np

    return np.random.default_rng(1).standard_normal(paths)


def race(paths: int = PATHS, rounds: int = 15) -> Race:
    z = draws(paths)
    makers: dict[str, Callable[[], Way | str]] = {
        "hand": lambda: _hand(z),
        "compiled": lambda: _compiled(z, exact=False),
        "compiled-exact": lambda: _compiled(z, exact=True),
        "jax": lambda: _jax(z),
        "torch": lambda: _torch(z),
        "casadi": lambda: _casadi(z),
        "casadi-c": lambda: _casadi(z, through_c=True),
        "read": lambda: _read(z),
    }
    return Race("options", f"call option, {paths:,} paths, price and five Greeks", "compiled", makers, rounds)


def _way(name: str, call: Callable[[], Any], **more: Any) -> Way:
    """A way whose step is one call, and whose answer is what the call gives: six numbers."""

    def steps(count: int) -> None:
        for _ in range(count):
            call()

    return Way(name, steps, lambda: {"price and slopes": call()}, **more)


def _compiled(z: Any, exact: bool) -> Way:
    import numpy as np

    many = minigrad.compile(payoff, exact=exact).batched(5)

    def call() -> Any:
        total, slopes = many.total_and_grad(*GIVEN, z, argnums=(0, 1, 2, 3, 4))
        return np.array([total, *slopes]) / len(z)

    note = EXACT if exact else "exact=False"
    return _way("minigrad compiled" + ", exact" * exact, call, version=minigrad.__version__, note=note)


def _hand(z: Any) -> Way | str:
    import numpy as np

    if c_code.missing():
        return c_code.missing()
    if len(z) % 64:
        return "the number of paths has to be a multiple of 64"
    library = c_code.compiled("options")
    given, found = np.array(GIVEN), np.zeros(6)
    where = [ctypes.c_void_p(array.ctypes.data) for array in (z, given, found)]

    def call() -> Any:
        library.price_and_slopes(where[0], ctypes.c_long(len(z)), where[1], where[2])
        return found.copy()

    return _way("C, derived by hand", call, version=c_code.version(), note="a limit")


def _read(z: Any) -> Way | str:
    if c_code.missing():
        return c_code.missing()
    library = c_code.compiled("options")
    library.read_all.restype = ctypes.c_double
    where = ctypes.c_void_p(z.ctypes.data)

    def call() -> float:
        return float(library.read_all(where, ctypes.c_long(len(z))))

    def answer() -> Answer:
        if not math.isclose(call(), math.fsum(z), rel_tol=1e-9, abs_tol=1e-6):
            raise SystemExit("read_all does not add up")
        return {}

    way = _way("C, reading the draws only", call, version=c_code.version(), note="a limit")
    way.answer = answer
    return way


def _torch(z: Any) -> Way | str:
    try:
        import torch
    except ImportError:
        return "not installed: pip install torch"
    torch.set_num_threads(1)
    paths = torch.from_numpy(z)
    given = [torch.tensor(x, dtype=torch.float64, requires_grad=True) for x in GIVEN]

    def call() -> Any:
        price = payoff(*given, paths).mean()
        return [price.item(), *(g.item() for g in torch.autograd.grad(price, given))]

    return _way("PyTorch", call, version=version("torch"))


def _jax(z: Any) -> Way | str:
    try:
        import jax
        import jax.numpy as jnp
    except ImportError:
        return "not installed: pip install jax"
    jax.config.update("jax_enable_x64", True)

    def price(spot: Any, strike: Any, rate: Any, volatility: Any, years: Any, z: Any) -> Any:
        drift = (rate - 0.5 * volatility * volatility) * years
        end = spot * jnp.exp(drift + volatility * jnp.sqrt(years) * z)
        return (jnp.exp(-rate * years) * jnp.maximum(end - strike, 0.0)).mean()

    compiled = jax.jit(jax.value_and_grad(price, argnums=(0, 1, 2, 3, 4)))
    paths = jnp.asarray(z)

    def call() -> Any:
        value, slopes = compiled(*GIVEN, paths)
        return [float(value), *map(float, slopes)]

    return _way("JAX, jit, warm", call, version=version("jax"))


def _casadi(z: Any, through_c: bool = False) -> Way | str:
    casadi = casadi_ways.load()
    if isinstance(casadi, str) or (through_c and c_code.missing()):
        return casadi if isinstance(casadi, str) else c_code.missing()
    import numpy as np

    given, one = casadi.SX.sym("given", 5), casadi.SX.sym("z")
    spot, strike, rate, volatility, years = casadi.vertsplit(given)
    drift = (rate - 0.5 * volatility * volatility) * years
    end = spot * casadi.exp(drift + volatility * casadi.sqrt(years) * one)
    paid = casadi.exp(-rate * years) * casadi.fmax(end - strike, 0.0)
    path = casadi.Function("path", [given, one], [casadi.vertcat(paid, casadi.gradient(paid, given))])
    whole = path.map("whole", "serial", len(z), [0], [0])  # one `given` for all; the results are added up
    whole = casadi_ways.in_c(whole, "options") if through_c else whole
    results, evaluate = casadi_ways.calling(whole, [np.array(GIVEN), z])

    def call() -> Any:
        evaluate()
        return results[0] / len(z)

    name = "CasADi, its C by gcc" if through_c else "CasADi"
    return _way(name, call, version=version("casadi"), note="SX, mapped over the paths")
