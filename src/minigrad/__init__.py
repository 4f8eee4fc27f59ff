"""minigrad: an autograd engine that you can see through.

    from minigrad import Value, explain
    a, b = Value(2.0, label="a"), Value(3.0, label="b")
    L = a * b + a
    L.backward()            # a.grad == 4.0, b.grad == 2.0
    print(explain(L))       # why

The names here are the ones most programs need; the rest lives in its package: `minigrad.functions` (every op
as a function, and sums over lists), `.nn` (modules, losses, optimisers), `.verify` (is it right?), `.faults`
(what if it is broken, and which bug gives these numbers?), `.doctor` (what is wrong with this engine?).
`__init__.pyi` lists them all.  Each is imported when it is first used.
"""

from __future__ import annotations

from .text.lazy_names import lazy_names

__version__ = "0.1.0"

__getattr__, __dir__, __all__ = lazy_names(__name__)
