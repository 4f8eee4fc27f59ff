"""The course, for people who learn: `minigrad learn` in a terminal, these names in a notebook or a script.

    from minigrad.learn import check, question, reveal

    q = question("diamonds/what-is-right")      # one of a lesson; question("gradient:2:17") is generated
    print(q)
    print(check(q, a=-2, b=3))                  # a wrong answer is told by which mistake one gets there
    print(reveal(q))

The names here are loaded when they are first used.
"""

from __future__ import annotations

from ..text.lazy_names import lazy_names

__getattr__, __dir__, __all__ = lazy_names(__name__)
