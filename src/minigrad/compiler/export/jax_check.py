"""Check of a program exported to jax: values and gradients, under jit, in double precision."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...text.translation import say
from ...verify.witnesses.jax_library import in_double
from ..numpy_loader import numpy
from ..structure import Static, Tree
from .export_check import arguments_from, arrays_of, compare, examples, expected, largest_slope
from .job import ExportJob
from .source import Source, require_library

if TYPE_CHECKING:
    import numpy as np
else:
    np = numpy()

__all__ = ["check_jax"]


def check_jax(job: ExportJob, source: Source) -> None:
    jax = require_library("jax")
    smooth = [leaf for leaf in job.leaves if job.smooth(leaf)]
    with in_double(jax):
        # An argument without numbers, a text for instance, is as it is: there is nothing to differentiate by.
        places = sorted({leaf.argument for leaf in job.leaves})
        fixed = [place for place, tree in enumerate(job.trees) if tree is not None and tree[0] is Static]
        scalar = job.scalar and bool(places)
        function = jax.value_and_grad(source.value, argnums=tuple(places)) if scalar else source.value
        both = jax.jit(function, static_argnums=tuple(fixed))
        for rows in examples(job):
            values, slopes = expected(job, rows, smooth if scalar else [])
            given = arguments_from(job, rows)
            result, gradients = both(*given) if scalar else (both(*given), ())
            found = arrays_of(job.traced.result, result)
            for leaf, got, wanted in zip(job.results, found, values, strict=True):
                compare(leaf.label, got, wanted)
            if not scalar:
                continue
            scale = largest_slope(slopes)
            trees: list[Tree] = [
                *job.trees,
                *([(list, None, (None,) * len(job.captured))] if len(job.captured) else []),
            ]
            got = [
                array
                for place, its in zip(places, gradients, strict=True)
                for array in arrays_of(trees[place], its)
            ]
            for leaf, array in zip(job.leaves, got, strict=True):
                if leaf.name in slopes:
                    compare(
                        say("compile.handover.gradient", what=leaf.label),
                        array,
                        slopes[leaf.name],
                        scale=scale,
                    )
