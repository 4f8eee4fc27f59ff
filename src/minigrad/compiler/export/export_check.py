"""Check of an export: it is run on the example and near it, beside the program itself.

Sums in another order differ in the last bits.  So two numbers agree when they differ by less than 1e-9 of the
larger of the number itself and of the largest number beside it (1e-4 in float32); NaN agrees with NaN.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from ...text.translation import say
from ...values.trees import container
from ..executors import executor
from ..numpy_loader import numpy
from ..plan import LANES, Plan
from .job import ExportJob
from .leaves import Leaf, shape_of
from .source import ExportError

if TYPE_CHECKING:
    import numpy as np

    from ..structure import Tree
else:
    np = numpy()

__all__ = ["arrays_of", "check_gradients", "check_values", "compare", "examples", "expected", "largest_slope"]

TOLERANCE = {"float64": 1e-9, "float32": 1e-4}
SAMPLES = 3  # of a batch


def examples(job: ExportJob, count: int = 3) -> Iterator[np.ndarray]:
    """The example, and numbers near it: [samples, numbers], of which those that are shared repeat.

    Where a guard fails, or an index would, a number stays as it is.
    """
    draw = np.random.default_rng(9)
    samples = SAMPLES if job.batch else 1
    kinds = job.traced.kinds.ljust(len(job.example), "f")
    moves = np.array([kind == "f" for kind in kinds], bool)
    shared = np.array([j not in job.lanes for j in range(len(job.example))], bool)
    plan = job.plan()
    for trial in range(count):
        rows = np.repeat(job.example[None], samples, axis=0)
        noise = draw.standard_normal(rows.shape) * 1e-3 * np.maximum(1.0, abs(rows))
        noise[:, shared] = noise[:1, shared]
        moved = np.where(moves, rows + noise, rows) if trial else rows
        for j, most in job.traced.rows.items():
            if trial and j in job.lanes:
                moved[:, j] = draw.integers(0, most, samples)
        yield moved if _holds(job, plan, moved) else rows


def _holds(job: ExportJob, plan: Plan, rows: np.ndarray) -> bool:
    values, guards, _ = plan.parts
    if not guards:
        return True
    found = run(job, plan, rows)[values : values + guards]
    return all(np.all(number == wanted) for number, (wanted, _) in zip(found, job.guards(), strict=True))


def run(job: ExportJob, plan: Plan, rows: np.ndarray) -> list[np.ndarray]:
    """The outputs of the program: a number, or one for each sample."""
    shared = [j for j in range(rows.shape[1]) if j not in job.lanes]
    lanes = np.ascontiguousarray(rows[:, sorted(job.lanes)]) if job.lanes else None
    alone, many = executor(plan).run(np.ascontiguousarray(rows[0, shared]), lanes)
    counts = [0, 0]
    found = []
    for space, _ in plan.outputs:
        found.append(many[:, counts[LANES]] if space == LANES else alone[counts[0]])
        counts[space] += 1
    return [np.array(number) for number in found]


def expected(
    job: ExportJob, rows: np.ndarray, gradients: list[Leaf]
) -> tuple[list[np.ndarray], dict[str, np.ndarray]]:
    """The program's value (in arrays as it returns them) and its gradients."""
    samples = len(rows) if job.batch else 1
    plan = job.plan(gradients)
    found = run(job, plan, rows)
    values = []
    for leaf in job.results:
        numbers = found[leaf.first : leaf.first + leaf.size]
        lanes = bool(job.batch)
        wide = [np.broadcast_to(number, (samples,)) if lanes else number for number in numbers]
        values.append(np.stack(wide, -1).reshape((*[samples] * lanes, *leaf.shape)))
    place = plan.parts[0] + plan.parts[1]
    # A value that no sample changes is one number in the plan, and as many as there are samples outside.
    times = samples if plan.outputs[0][0] != LANES else 1
    slopes = {}
    for leaf in gradients:
        lanes = leaf.argument in job.batch
        numbers = found[place : place + leaf.size]
        wide = [np.broadcast_to(number, (samples,)) if lanes else number * times for number in numbers]
        slopes[leaf.name] = np.stack(wide, -1).reshape((*[samples] * lanes, *leaf.shape))
        place += leaf.size
    return values, slopes


def arguments_from(job: ExportJob, rows: np.ndarray) -> list[object]:
    """Numbers in the structures of the arguments, with arrays in them."""
    arrays = {}
    for leaf in job.leaves:
        part = rows[:, leaf.first : leaf.first + leaf.size]
        arrays[leaf.name] = (
            part.reshape(-1, *leaf.shape) if leaf.argument in job.batch else part[0].reshape(leaf.shape)
        )
    found = []
    for place, tree in enumerate(job.trees):
        mine = iter([arrays[leaf.name] for leaf in job.leaves if leaf.argument == place])
        found.append(_filled(tree, mine))
    return found + ([arrays["captured"]] if len(job.captured) else [])


def _filled(tree: Tree, arrays: Iterator[object]) -> object:
    if tree is None or shape_of(tree) is not None:
        return next(arrays)
    kind, keys, parts = tree
    if kind is not dict and keys is not None:
        return keys[1]
    return container(kind, keys, [_filled(part, arrays) for part in parts])


def arrays_of(tree: Tree, structure: Any) -> list[Any]:
    """The arrays in a structure that a program returned."""
    if tree is None or shape_of(tree) is not None:
        return [structure]
    kind, keys, parts = tree
    if kind is not dict and keys is not None:
        return []
    inside = structure if keys is None else [structure[key] for key in keys]
    return [array for part, its in zip(parts, inside, strict=True) for array in arrays_of(part, its)]


def compare(
    label: str, found: object, wanted: np.ndarray, dtype: str = "float64", scale: float = 0.0
) -> None:
    """Refuse what differs, with the number that differs most."""
    got = np.asarray(found, dtype=np.float64)
    if got.shape != wanted.shape:
        raise ExportError(say("compile.handover.shape", what=label, found=got.shape, wanted=wanted.shape))
    if not got.size:
        return
    finite = wanted[np.isfinite(wanted)]
    largest = max(scale, float(abs(finite).max()) if finite.size else 0.0)
    with np.errstate(all="ignore"):
        apart = np.where((got == wanted) | ((got != got) & (wanted != wanted)), 0.0, abs(got - wanted))
    apart = np.where(apart == apart, apart, np.inf)
    if (apart > TOLERANCE[dtype] * largest).any():
        place = np.unravel_index(int(apart.argmax()), apart.shape)
        where = label + "".join(f"[{int(i)}]" for i in place)
        raise ExportError(
            say("compile.handover.differs", what=where, found=float(got[place]), wanted=float(wanted[place]))
        )


def largest_slope(slopes: dict[str, np.ndarray]) -> float:
    """The largest of all slopes that are finite: what the smallest ones were rounded beside."""
    return max((float(abs(s[np.isfinite(s)]).max(initial=0.0)) for s in slopes.values()), default=0.0)


def check_values(job: ExportJob, function: Callable[..., object], dtype: str = "float64") -> None:
    for rows in examples(job):
        values, _ = expected(job, rows, [])
        found = arrays_of(job.traced.result, function(*arguments_from(job, rows)))
        for leaf, got, wanted in zip(job.results, found, values, strict=True):
            compare(leaf.label, got, wanted, dtype)


def check_gradients(job: ExportJob, function: Callable[..., tuple[Any, Any]]) -> None:
    smooth = [leaf for leaf in job.leaves if job.smooth(leaf)]
    trees = [*job.trees, *([(list, None, (None,) * len(job.captured))] if len(job.captured) else [])]
    for rows in examples(job):
        _, slopes = expected(job, rows, smooth)
        _, found = function(*arguments_from(job, rows))
        got = [array for tree, its in zip(trees, found, strict=True) for array in arrays_of(tree, its)]
        scale = largest_slope(slopes)
        for leaf, array in zip(job.leaves, got, strict=True):
            if leaf.name in slopes:
                label = say("compile.handover.gradient", what=leaf.label)
                compare(label, array, slopes[leaf.name], scale=scale)
