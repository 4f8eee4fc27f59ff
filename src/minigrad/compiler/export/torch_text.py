"""Programs as texts for torch: an nn.Module with the parameters, whose forward takes the other arguments.

The arguments of `forward` have a leading batch axis.  Only the forward pass is written: torch finds the
gradients.
"""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from ...text.translation import say
from ..numpy_loader import numpy
from ..traced_function import TracedFunction
from .array_dialects import TorchDialect
from .dialect import number
from .export_check import arguments_from, arrays_of, compare, examples, expected, largest_slope
from .job import ExportJob, Which
from .long_lines import break_line
from .python_text import WIDTH, constants_text, description
from .source import Source, check_dtype, require_library

if TYPE_CHECKING:
    import numpy as np
else:
    np = numpy()

__all__ = ["TorchSource", "to_torch"]


class TorchSource(Source):
    """The text of an nn.Module, called Program."""

    def __init__(self, text: str, start: dict[str, np.ndarray]) -> None:
        super().__init__(text)
        self._start = start

    def module(self, *, compiled: bool = False) -> Any:
        """The module, with the parameters of the example.  `compiled`: under torch.compile."""
        import torch

        module = self.load()["Program"]()
        with torch.no_grad():
            for name, values in self._start.items():
                getattr(module, name).copy_(torch.as_tensor(values))
        return torch.compile(module) if compiled else module


def to_torch(
    traced: TracedFunction,
    arguments: Sequence[object],
    *,
    names: Sequence[str] | None = None,
    parameters: Which = (0,),
    dtype: str = "float64",
    check: bool = True,
) -> TorchSource:
    """The program as an nn.Module: the arguments `parameters` are its parameters."""
    check_dtype(dtype)
    job = ExportJob.holding(traced, arguments, names, parameters)
    text = _text(job, dtype)
    start = {leaf.name: job.of(leaf) for leaf in job.leaves if leaf.argument not in job.batch}
    source = TorchSource(text, start)
    if check:
        require_library("torch")
        _check(job, source, dtype)
    return source


def _text(job: ExportJob, dtype: str) -> str:
    plan = job.plan(stops=True)
    dialect = TorchDialect(dtype)
    held = [leaf for leaf in job.leaves if leaf.argument not in job.batch]
    given = [leaf for leaf in job.leaves if leaf.argument in job.batch]
    writer = job.writer(plan, dialect, {leaf.name: f"self.{leaf.name}" for leaf in held})
    writer.write()
    results = job.outputs(writer)
    lanes = next((leaf.name for leaf in given if leaf.size), None)
    if lanes:  # what does not depend on the batch is the same for all of it
        results = [dialect.expand(array, array.shape, True) for array in results]
    values, guards, _ = plan.parts
    checks = [writer.numbers([place], ()) for place in plan.outputs[values : values + guards]]
    last = [array.text for array in results]
    lines = []
    for leaf in given:
        lines.append(f"{leaf.name} = {leaf.text}  # {' x '.join(['n', *map(str, leaf.shape)])}")
    lines = [
        line for line in lines if line.partition(" = ")[0] != line.partition(" = ")[2].partition("  #")[0]
    ]
    if lanes:
        lines.append(f"n = {lanes}.shape[0]")
    lines += dialect.body(" ".join([*last, *(array.text for array in checks)]))
    if checks:
        lines.append("if not torch.compiler.is_compiling():")
        for array, (wanted, where) in zip(checks, job.guards(), strict=True):
            lines.append(f"    if not bool(({array.text} == {number(wanted)}).all()):")
            lines.append(f"        raise ValueError({say('compile.handover.guard', where=where)!r})")
    lines.append(f"return {job.returned(last)}")
    arguments = [name for place, name in enumerate(job.names) if place in job.batch]
    head = [
        f"self.{leaf.name} = nn.Parameter(torch.zeros({_sizes(leaf.shape)}, dtype=torch.{dtype}))"
        for leaf in held
    ]
    for name, table in dialect.constants.items():
        kind = "" if table.dtype.kind in "ib" else f", dtype=torch.{dtype}"
        head.append(f'self.register_buffer("{name}", torch.tensor({name}{kind}), persistent=False)')
    constants = constants_text({f"{name}": table for name, table in dialect.constants.items()}, "")
    constants = [text.replace(".array(", "", 1)[:-1] for text in constants]
    body = [
        "class Program(nn.Module):",
        "    def __init__(self):",
        "        super().__init__()",
        textwrap.indent("\n".join(head), "        "),
        "",
        f"    def forward({', '.join(['self', *arguments])}):",
        *(break_line(line, WIDTH) for line in textwrap.indent("\n".join(lines), "        ").split("\n")),
    ]
    sections = [
        f'"""{description(job, "PyTorch")}\n"""',
        "import torch\nimport torch.nn.functional as F\nfrom torch import nn",
    ]
    if "F." not in "\n".join(lines):
        sections[1] = "import torch\nfrom torch import nn"
    if constants:
        sections.append("\n".join(constants))
    return "\n\n".join(sections) + "\n\n\n" + "\n".join(line for line in body) + "\n"


def _sizes(shape: tuple[int, ...]) -> str:
    return ", ".join(map(str, shape)) or "()"


def _check(job: ExportJob, source: TorchSource, dtype: str) -> None:
    """The module beside the program: values, and the gradients that torch finds."""
    import torch

    module = source.module()
    held = [leaf for leaf in job.leaves if leaf.argument not in job.batch]
    smooth = [leaf for leaf in job.leaves if job.smooth(leaf)]
    kind = getattr(torch, dtype)
    for rows in examples(job):
        values, slopes = expected(job, rows, smooth if job.scalar else [])
        with torch.no_grad():
            for leaf in held:
                part = rows[0, leaf.first : leaf.first + leaf.size].reshape(leaf.shape)
                getattr(module, leaf.name).copy_(torch.as_tensor(part))
        structures = arguments_from(job, rows)
        tensors: dict[int, object] = {}

        def tensor(array: np.ndarray, tensors: dict[int, object] = tensors) -> object:
            found = torch.as_tensor(np.array(array), dtype=kind).requires_grad_(True)
            tensors[id(array)] = found
            return found

        given = [_mapped(structures[place], tensor) for place in sorted(job.batch)]
        module.zero_grad()
        result = module(*given)
        found = arrays_of(job.traced.result, result)
        for leaf, got, wanted in zip(job.results, found, values, strict=True):
            compare(leaf.label, got.detach(), wanted, dtype)
        if not job.scalar or not found[0].requires_grad:
            continue
        found[0].sum().backward()
        scale = largest_slope(slopes)
        for leaf in held:
            if leaf.name in slopes:
                grad = getattr(module, leaf.name).grad
                got = np.zeros(leaf.shape) if grad is None else grad
                label = say("compile.handover.gradient", what=leaf.label)
                compare(label, got, slopes[leaf.name], dtype, scale)


def _mapped(structure: object, change: Callable[[np.ndarray], object]) -> object:
    if isinstance(structure, dict):
        return {key: _mapped(part, change) for key, part in structure.items()}
    if isinstance(structure, (list, tuple)):
        return type(structure)(_mapped(part, change) for part in structure)
    return change(structure) if isinstance(structure, np.ndarray) else structure
