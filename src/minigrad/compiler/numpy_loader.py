"""Loader of NumPy: minigrad itself does not need it, and says what to install where it is missing."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

from ..text.translation import say

if TYPE_CHECKING:  # how the other files call the arrays that they take and give
    import numpy as np
    from numpy.typing import NDArray

    Array = NDArray[Any]  # of numbers of any kind
    Doubles = NDArray[np.float64]
    Numbers = np.float64 | Doubles  # one number for all samples of a batch, or one for each
    Integers = NDArray[np.int64]
    Booleans = NDArray[np.bool_]
    Columns = Array | Sequence[Array]  # numbers of a batch: [sample, column], or columns side by side

__all__ = ["numpy"]


@cache
def numpy() -> Any:
    """The module; ImportError with what to install."""
    try:
        import numpy as found
    except ModuleNotFoundError as error:
        if error.name != "numpy":
            raise
        raise ImportError(say("compile.numpy")) from None
    return found
