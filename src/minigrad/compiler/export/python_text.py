"""Programs as texts in Python: for NumPy and jax.

    def value(weights, tokens): ...              the program
    def value_and_grad(weights, tokens): ...     for NumPy: its value, and its gradient in each argument

The lines in between are the groups that the compiler found, as matrix products and operations on arrays.
"""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ...text.translation import say
from ..numpy_loader import numpy
from ..plan import LANES
from ..traced_function import TracedFunction
from .array_dialects import JaxDialect, NumpyDialect, TextDialect
from .dialect import Dialect, number
from .export_check import check_gradients, check_values
from .job import ExportJob, Which
from .leaves import Leaf, structure_text
from .long_lines import break_line
from .source import Source

if TYPE_CHECKING:
    import numpy as np

    from ..structure import Tree
else:
    np = numpy()

__all__ = ["WIDTH", "constants_text", "description", "to_jax", "to_numpy"]

WIDTH = 110  # characters of a line
NOTES = {"JAX": "compile.handover.note.jax", "PyTorch": "compile.handover.note.torch"}


def to_numpy(
    traced: TracedFunction,
    arguments: Sequence[object],
    *,
    names: Sequence[str] | None = None,
    batch: Which = (),
    check: bool = True,
) -> Source:
    """The program and its gradient in NumPy.  The arguments `batch` have a leading axis more."""
    job = ExportJob(traced, arguments, names, batch)
    if job.batch and not job.lanes:
        given = ", ".join(job.names[place] for place in sorted(job.batch))
        raise ValueError(say("compile.handover.no_samples", given=given))
    dialect = NumpyDialect()
    parts = [_function(job, dialect, "value", [])]
    smooth = [leaf for leaf in job.leaves if job.smooth(leaf)]
    slopes = job.scalar and any(leaf.size for leaf in smooth)
    if slopes:
        dialect.lines = []
        parts.append(_function(job, dialect, "value_and_grad", smooth))
    head = ["import math\n"] * any("math." in text for text in dialect.helpers.values()) + [
        "import numpy as np"
    ]
    source = Source(_file(job, "NumPy", head, dialect, parts))
    if check:
        check_values(job, source.value)
        if slopes:
            check_gradients(job, source.value_and_grad)
    return source


def to_jax(
    traced: TracedFunction,
    arguments: Sequence[object],
    *,
    names: Sequence[str] | None = None,
    check: bool = True,
) -> Source:
    """The program as a pure function of arrays in jax, for jit, grad and vmap."""
    job = ExportJob(traced, arguments, names)
    dialect = JaxDialect()
    parts = [_function(job, dialect, "value", [], stops=True)]
    text = "\n".join([*parts, *dialect.helpers.values(), *map("{}".format, dialect.constants)])
    head = ["import jax"] * ("jax." in text) + ["import jax.numpy as jnp"]
    head += ["import numpy as np"] * (
        bool(dialect.constants) or len(job.captured) > 0 or "np." in text.replace("jnp.", "")
    )
    source = Source(_file(job, "JAX", head, dialect, parts))
    if check:
        from .jax_check import check_jax

        check_jax(job, source)
    return source


def description(job: ExportJob, library: str) -> str:
    """What stands at the top of a text: what it is, its arguments, and for which branches it holds."""
    lines = [say("compile.handover.title", library=library)]
    note = NOTES.get(library)
    lines += [*textwrap.wrap(say(note), WIDTH), ""] if note else [""]
    for leaf in job.leaves:
        sizes = [*(["n"] if leaf.argument in job.batch else []), *map(str, leaf.shape)]
        shape = " x ".join(sizes) or say("compile.handover.number")
        lines.append(f"{leaf.label}: {shape}")
    guards = job.guards()
    if guards:
        lines += ["", say("compile.handover.guards", count=len(guards))]
        lines += [f"    {where}" for where in dict.fromkeys(where for _, where in guards) if where]
    return "\n".join(lines)


def constants_text(constants: dict[str, np.ndarray], module: str) -> list[str]:
    """Tables of numbers, to the last bit."""
    found = []
    for name, values in constants.items():
        inside = _mask(values)
        if inside is None:
            inside = str(values.tolist()) if values.dtype.kind in "ib" else _numbers(values.tolist())
        text = f"{name} = {module}.array({inside})"
        found.append("\n".join(textwrap.wrap(text, WIDTH, subsequent_indent="    ", break_long_words=False)))
    return found


def _mask(values: np.ndarray) -> str | None:
    """A table of how far each row goes, as such."""
    if values.dtype.kind != "b" or values.ndim < 2 or values.size != values.shape[0] * values.shape[-1]:
        return None
    rows = values.reshape(len(values), -1)
    lengths = rows.sum(1)
    if (rows != (np.arange(rows.shape[1]) < lengths[:, None])).any():
        return None
    depth = values.ndim - 2
    row = f"{'[' * depth}[k < length for k in range({rows.shape[1]})]{']' * depth}"
    return f"[{row} for length in ({', '.join(map(str, lengths))})]"


def _numbers(values: float | list[Any]) -> str:
    return f"[{', '.join(map(_numbers, values))}]" if isinstance(values, list) else number(values)


def _file(job: ExportJob, library: str, head: list[str], dialect: TextDialect, parts: list[str]) -> str:
    constants = constants_text(dialect.constants, "np")
    if len(job.captured):
        constants += constants_text({"CAPTURED": job.captured}, "np")
    sections = [f'"""{description(job, library)}\n"""', "\n".join(head)]
    if constants:
        sections.append("\n".join(constants))
    text = "\n\n".join(sections)
    return "\n\n\n".join([text, *dialect.helpers.values(), *parts]) + "\n"


def _function(job: ExportJob, dialect: Dialect, name: str, gradients: list[Leaf], stops: bool = False) -> str:
    plan = job.plan(gradients, stops=stops)
    writer = job.writer(plan, dialect)
    dialect.taken = set(job.taken) | set(dialect.constants)
    writer.write()
    results = [dialect.expand(array, array.shape, bool(job.batch)) for array in job.outputs(writer)]
    last = [array.text for array in results]
    values, guards, _ = plan.parts
    checks = [writer.numbers([place], ()) for place in plan.outputs[values : values + guards]]
    slopes: dict[str, str] = {}
    place = values + guards
    # A value that no sample changes is computed once, and added up over n samples all the same.
    once = bool(job.batch) and bool(gradients) and plan.outputs[0][0] != LANES
    for leaf in gradients:
        slope = writer.numbers(plan.outputs[place : place + leaf.size], leaf.shape)
        if once and leaf.argument not in job.batch and leaf.size:
            slopes[leaf.name] = f"n * {slope.text}" if slope.text.isidentifier() else f"n * ({slope.text})"
        else:
            slopes[leaf.name] = dialect.expand(slope, leaf.shape, leaf.argument in job.batch).text
        place += leaf.size
    module = dialect.module
    lines = []
    for leaf in job.leaves:
        sizes = " x ".join([*(["n"] if leaf.argument in job.batch else []), *map(str, leaf.shape)])
        lines.append(
            f"{leaf.name} = {module}.asarray({leaf.text}, dtype=float)" + (f"  # {sizes}" if sizes else "")
        )
    lanes = next((leaf.name for leaf in job.leaves if leaf.argument in job.batch and leaf.size), None)
    if lanes:
        lines.append(f"n = {lanes}.shape[0]")
    used = " ".join([*last, *slopes.values(), *(array.text for array in checks)])
    lines += dialect.body(used)
    lines = [line for line in lines if not _idle(line, lines, used)]
    if module == "np":
        for array, (expected, where) in zip(checks, job.guards(), strict=True):
            lines.append(f"if not np.all({array.text} == {number(expected)}):")
            lines.append(f"    raise ValueError({say('compile.handover.guard', where=where)!r})")
    returned = job.returned(last)
    if gradients:
        texts = [_gradient(tree, place, job, slopes) for place, tree in enumerate(job.trees)]
        texts += [slopes["captured"]] if len(job.captured) else []
        returned += f", ({', '.join(texts)}{',' * (len(texts) == 1)})"
    lines.append(f"return {returned}")
    if module == "np":
        lines = ['with np.errstate(all="ignore"):', *textwrap.indent("\n".join(lines), "    ").split("\n")]
    arguments = [*job.names, *(["captured=CAPTURED"] if len(job.captured) else [])]
    body = textwrap.indent("\n".join(lines), "    ").split("\n")
    return "\n".join([f"def {name}({', '.join(arguments)}):", *(break_line(line, WIDTH) for line in body)])


def _idle(line: str, lines: list[str], used: str) -> bool:
    """An argument that nothing uses."""
    import re

    name = line.partition(" = ")[0]
    if ".asarray(" not in line or ".shape[0]" in line:
        return False
    others = [other for other in lines if other is not line]
    return not re.search(rf"\b{name}\b", "\n".join([*others, used]))


def _gradient(tree: Tree, argument: int, job: ExportJob, slopes: dict[str, str]) -> str:
    texts = [slopes.get(leaf.name, "None") for leaf in job.leaves if leaf.argument == argument]
    return structure_text(tree, iter(texts))
