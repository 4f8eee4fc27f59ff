"""Export of a compiled program: readable source for another library, or one file of C.

    source = to_torch(traced, arguments, names=("weights", "tokens"))
    print(source)                     # the groups that the compiler found, as lines
    model = source.module()           # an nn.Module with the parameters

Each export is run before it is given out, on the example and near it, and refused where a value or a
gradient differs from the program's.  A text holds for the branches that were taken on the example; it says
which, and checks it where its language can.
"""

from .c_text import to_c
from .onnx_model import to_onnx
from .python_text import to_jax, to_numpy
from .source import ExportError, Source
from .torch_text import to_torch

__all__ = ["ExportError", "Source", "to_c", "to_jax", "to_numpy", "to_onnx", "to_torch"]
