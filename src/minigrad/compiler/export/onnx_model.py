"""Programs as ONNX models: the parameters are initializers, the other arguments are inputs with a batch axis.

Only the forward pass is there.  ONNX has no assertions: the conditions that a program was traced for stand
in the model's description.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ..numpy_loader import numpy
from ..traced_function import TracedFunction
from .export_check import compare, examples, expected
from .job import ExportJob, Which
from .onnx_graph import OPSET, OnnxGraph
from .python_text import description
from .source import check_dtype, require_library

if TYPE_CHECKING:
    import numpy as np
else:
    np = numpy()

__all__ = ["to_onnx"]


def to_onnx(
    traced: TracedFunction,
    arguments: Sequence[object],
    *,
    names: Sequence[str] | None = None,
    parameters: Which = (0,),
    dtype: str = "float64",
    check: bool = True,
) -> Any:
    """The program as an onnx.ModelProto: the arguments `parameters` are its initializers."""
    check_dtype(dtype)
    onnx = require_library("onnx")
    job = ExportJob.holding(traced, arguments, names, parameters)
    given = [leaf for leaf in job.leaves if leaf.argument in job.batch]
    held = [leaf for leaf in job.leaves if leaf.argument not in job.batch]
    graph = OnnxGraph(dtype, given[0].name if given else None)
    writer = job.writer(job.plan(), graph)
    writer.write()
    kind = onnx.helper.np_dtype_to_tensor_dtype(np.dtype(dtype))
    outputs = []
    for leaf, array in zip(job.results, job.outputs(writer), strict=True):
        array = graph.expand(array, array.shape, bool(job.batch))
        name = leaf.name if leaf.name not in job.taken else f"{leaf.name}_out"
        graph.nodes.append(onnx.helper.make_node("Identity", [array.text], [name]))
        outputs.append((name, _sizes(leaf.shape, bool(job.batch))))
    model = onnx.helper.make_model(
        onnx.helper.make_graph(
            graph.nodes,
            "program",
            [onnx.helper.make_tensor_value_info(leaf.name, kind, _sizes(leaf.shape, True)) for leaf in given],
            [onnx.helper.make_tensor_value_info(name, kind, sizes) for name, sizes in outputs],
            [onnx.numpy_helper.from_array(job.of(leaf).astype(dtype), leaf.name) for leaf in held]
            + [
                onnx.numpy_helper.from_array(np.asarray(table), name) for name, table in graph.tensors.items()
            ],
            doc_string=description(job, "ONNX"),
        ),
        opset_imports=[onnx.helper.make_opsetid("", OPSET)],
        producer_name="minigrad",
    )
    onnx.checker.check_model(model)
    if check:
        _check(job, model, dtype)
    return model


def _sizes(shape: tuple[int, ...], lanes: bool) -> list[int | str]:
    return [*(["n"] if lanes else []), *shape]


def _erf() -> object:
    """ONNX's own Erf is computed in float32 there."""
    spread = np.vectorize(math.erf, otypes=[np.float64])
    running: Any = require_library("onnx.reference.op_run").OpRun

    class Erf(running):  # type: ignore[misc]
        op_domain = ""

        def _run(self, x: np.ndarray) -> tuple[np.ndarray]:
            return (spread(x).astype(x.dtype),)

    return Erf


def _check(job: ExportJob, model: object, dtype: str) -> None:
    """The model in ONNX's own reference evaluator, beside the program; its parameters stay as they are."""
    evaluator = require_library("onnx.reference").ReferenceEvaluator(model, new_ops=[_erf()])
    fixed = np.array([j not in job.lanes for j in range(len(job.example))], bool)
    for rows in examples(job):
        rows = np.where(fixed, job.example, rows)
        values, _ = expected(job, rows, [])
        feeds = {
            leaf.name: rows[:, leaf.first : leaf.first + leaf.size].reshape(-1, *leaf.shape).astype(dtype)
            for leaf in job.leaves
            if leaf.argument in job.batch
        }
        with np.errstate(all="ignore"):
            found = evaluator.run(None, feeds)
        for leaf, got, wanted in zip(job.results, found, values, strict=True):
            compare(leaf.label, got, wanted, dtype)
