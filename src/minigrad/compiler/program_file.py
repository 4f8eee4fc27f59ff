"""Programs in files: what was traced, as bytes that are read as if an enemy had written them.

    minigrad.program/1\\n            what it is, and which version of it
    8 bytes                         the length of the header, little-endian
    header                          JSON: settings, names, and of each variant its structure and its arrays
    arrays                          one after the other, little-endian, as the header says
    32 bytes                        a BLAKE2b checksum of all before

Nothing is ever unpickled, and no code is in it: a program is numbers, and texts of ops that the op table
knows.  Anything else raises `SavingError` with the reason, before memory is taken for what a header promises.
The function itself is not in the file: a loaded program runs for the structures and the branches that were
traced, and refuses others.  Captured Values come back as Values, with the data that they had.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from hashlib import blake2b
from json import dumps
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from ..errors import MinigradError
from ..scalar import Value
from ..text.escape import printable, visible
from ..text.files import write_whole
from ..text.numerals import counted
from ..text.strict_json import parse_json
from ..text.translation import say
from .numpy_loader import numpy
from .scalars import CONSTANT, Guard, Scalars
from .structure import count
from .structure_json import StructureError, tree_from, tree_to
from .traced_function import TracedFunction
from .variants import MOST_THREADS, CompileSettings, Variant

if TYPE_CHECKING:
    from .program import Program

__all__ = ["SavingError", "decoded", "encoded", "load", "save"]

MAGIC: Final = b"minigrad.program/"
VERSION: Final = 1
LARGEST: Final = 2**31  # bytes of a file
LONGEST_HEADER: Final = 2**26
_SIZE: Final = 8
_SUM: Final = 32
_KINDS: Final = {"u4": "<u4", "f8": "<f8"}
# The arrays of a variant, in their order.
_ARRAYS: Final = (
    ("ops", "u4"),  # of each node, which of the op texts
    ("counts", "u4"),  # how many arguments it has
    ("args", "u4"),
    ("data", "f8"),  # of the constants
    ("inputs", "u4"),
    ("outputs", "u4"),
    ("guards", "u4"),
    ("expected", "f8"),
    ("rows", "u4"),  # pairs
    ("captured", "f8"),
    ("wants", "u4"),  # of each captured Value: 1 if it wants a gradient
)


class SavingError(MinigradError, ValueError):
    """A file that is no program of ours, and why."""

    def __init__(self, source: str, why: str) -> None:
        super().__init__(say("compile.saving.not_ours", path=visible(source) or "?", why=why))
        self.source, self.why = source, why


class _ContentError(Exception):
    """Why bytes are no program, before it is known where they came from."""


# ---- writing ------------------------------------------------------------------------------------


def save(program: Program, path: str | PathLike[str]) -> None:
    """Write what a program has traced to a file, whole or not at all."""
    write_whole(Path(path), encoded(program))


def encoded(program: Program) -> bytes:
    """The bytes of a program; always the same ones for the same content."""
    traced_functions = program.variants
    if not traced_functions:
        raise ValueError(say("compile.saving.nothing", name=program.__name__))
    bodies: list[bytes] = []
    variants = []
    for traced in traced_functions:
        texts, arrays = _arrays(traced)
        sizes = []
        for name, kind in _ARRAYS:
            array = numpy().asarray(arrays[name], dtype=_KINDS[kind])
            bodies.append(array.tobytes())
            sizes.append(array.size)
        variants.append(
            {
                "arguments": _tree(traced.arguments),
                "kinds": traced.kinds,
                "result": _tree(traced.result),
                "nodes": traced.nodes,
                "ops": texts,
                "lines": [guard.where for guard in traced.scalars.guards],
                "labels": [value.label for value in traced.captured],
                "sizes": sizes,
            }
        )
    header = dumps(
        {
            "name": program.__name__,
            "names": list(program.names),
            "exact": program.exact,
            "dtype": program.dtype,
            "threads": program.threads,
            "variants": variants,
        },
        allow_nan=False,
        separators=(",", ":"),
    ).encode()
    start = MAGIC + b"%d\n" % VERSION
    content = b"".join([start, len(header).to_bytes(_SIZE, "little"), header, *bodies])
    if len(header) > LONGEST_HEADER or len(content) + _SUM > LARGEST:
        raise ValueError(say("compile.saving.large", size=counted(len(content))))
    return content + blake2b(content, digest_size=_SUM).digest()


def _tree(tree: Any) -> Any:
    try:
        return tree_to(tree)
    except StructureError as error:
        raise TypeError(say("compile.saving.structure", given=printable(str(error)))) from None


def _arrays(traced: TracedFunction) -> tuple[list[str], dict[str, Any]]:
    """The op texts of a variant, and its arrays."""
    scalars = traced.scalars
    texts = list(dict.fromkeys(scalars.ops))
    places = {text: k for k, text in enumerate(texts)}
    return texts, {
        "ops": [places[op] for op in scalars.ops],
        "counts": [len(args) for args in scalars.args],
        "args": [arg for args in scalars.args for arg in args],
        "data": [scalars.data[node] for node, op in enumerate(scalars.ops) if op == CONSTANT],
        "inputs": scalars.inputs,
        "outputs": scalars.outputs,
        "guards": [guard.node for guard in scalars.guards],
        "expected": [guard.expected for guard in scalars.guards],
        "rows": [x for pair in traced.rows.items() for x in pair],
        "captured": [value.data for value in traced.captured],
        "wants": [value.requires_grad for value in traced.captured],
    }


# ---- reading ------------------------------------------------------------------------------------


def load(path: str | PathLike[str]) -> Program:
    """The program in a file that `Program.save` wrote."""
    source = os.fspath(path)
    with open(path, "rb") as file:
        status = os.fstat(file.fileno())
        if status.st_size > LARGEST:
            size, most = counted(status.st_size), counted(LARGEST)
            raise SavingError(source, say("compile.saving.oversized", size=size, most=most))
        octets = file.read(LARGEST + 1)
    return decoded(octets, source)


def decoded(octets: bytes, source: str = "") -> Program:
    """The program in these bytes."""
    try:
        return _decoded(octets)
    except _ContentError as wrong:
        raise SavingError(source, str(wrong)) from None


def _decoded(octets: bytes) -> Program:
    from .program import Program

    start = _start(octets)
    length = int.from_bytes(octets[start : start + _SIZE], "little")
    begin = start + _SIZE
    if len(octets) < begin + _SUM or length > min(LONGEST_HEADER, len(octets) - begin - _SUM):
        raise _ContentError(say("compile.saving.truncated", size=counted(len(octets))))
    sum_of_all = blake2b(memoryview(octets)[:-_SUM], digest_size=_SUM).digest()
    header = _header(octets[begin : begin + length], sum_of_all == octets[-_SUM:])
    body = memoryview(octets)[begin + length : -_SUM]
    promised = sum(_bytes(variant["sizes"]) for variant in header["variants"])
    if promised > len(body):
        raise _ContentError(say("compile.saving.truncated", size=counted(len(octets))))
    if promised < len(body):
        raise _ContentError(say("compile.saving.trailing", count=counted(len(body) - promised)))
    if sum_of_all != octets[-_SUM:]:
        raise _ContentError(say("compile.saving.changed"))
    settings = CompileSettings(header["exact"], header["dtype"], header["threads"])
    program = Program(None, settings, names=header["names"], name=header["name"])
    found = []
    for variant in header["variants"]:
        size = _bytes(variant["sizes"])
        traced = _traced_function(variant, body[:size])
        body = body[size:]
        found.append((program.trace_cache.case(traced.arguments, traced.kinds), Variant(traced, settings)))
    for case, ready in reversed(found):  # each is put before the last of its case
        case.add(ready)
        program.trace_cache.last = ready
    return program


def _start(octets: bytes) -> int:
    """How long the first line is, if it is ours."""
    if not octets:
        raise _ContentError(say("compile.saving.empty"))
    line, newline, _ = octets[: len(MAGIC) + 10].partition(b"\n")
    version = line[len(MAGIC) :]
    if MAGIC.startswith(octets):
        raise _ContentError(say("compile.saving.truncated", size=counted(len(octets))))
    if not line.startswith(MAGIC) or not version.isdigit():
        raise _ContentError(say("compile.saving.foreign"))
    if not newline:
        raise _ContentError(say("compile.saving.truncated", size=counted(len(octets))))
    if int(version) != VERSION:
        raise _ContentError(say("compile.saving.newer", given=int(version), known=VERSION))
    return len(line) + 1


def _header(text: bytes, whole: bool) -> dict[str, Any]:
    """The header, of which every field has the type that it should have."""
    try:
        header: Any = parse_json(text.decode())
    except (ValueError, RecursionError):
        raise _ContentError(say("compile.saving.header" if whole else "compile.saving.changed")) from None
    fields = {"name": str, "names": list, "exact": bool, "dtype": str, "threads": int, "variants": list}
    _typed(header, fields)
    right = (
        all(isinstance(name, str) for name in header["names"])
        and header["dtype"] in ("float64", "float32")
        and not (header["exact"] and header["dtype"] == "float32")
        and 1 <= header["threads"] <= MOST_THREADS
        and header["variants"]
    )
    if not right:
        raise _ContentError(say("compile.saving.header"))
    for variant in header["variants"]:
        _typed(
            variant,
            {"arguments": list, "kinds": str, "result": object, "nodes": int, "ops": list}
            | {"lines": list, "labels": list, "sizes": list},
        )
        texts = [*variant["ops"], *variant["lines"], *variant["labels"]]
        sizes = variant["sizes"]
        if not all(isinstance(entry, str) for entry in texts) or len(sizes) != len(_ARRAYS):
            raise _ContentError(say("compile.saving.header"))
        if not all(type(each) is int and 0 <= each < LARGEST for each in (*sizes, variant["nodes"])):
            raise _ContentError(say("compile.saving.header"))
    found: dict[str, Any] = header
    return found


def _typed(entry: Any, fields: dict[str, type]) -> None:
    if not isinstance(entry, dict) or entry.keys() != fields.keys():
        raise _ContentError(say("compile.saving.header"))
    for name, kind in fields.items():
        if not isinstance(entry[name], kind) or (kind is int and isinstance(entry[name], bool)):
            raise _ContentError(say("compile.saving.header"))


def _bytes(sizes: list[int]) -> int:
    return sum(size * int(kind[1]) for size, (_, kind) in zip(sizes, _ARRAYS, strict=True))


def _traced_function(variant: dict[str, Any], body: memoryview) -> TracedFunction:
    """A variant, of which everything has been looked at."""
    from .program_check import ProgramError, check_scalars

    np = numpy()
    arrays: dict[str, Any] = {}
    start = 0
    for (name, kind), size in zip(_ARRAYS, variant["sizes"], strict=True):
        arrays[name] = np.frombuffer(body, dtype=_KINDS[kind], count=size, offset=start)
        start += size * int(kind[1])
    try:
        arguments = tree_from(variant["arguments"], len(variant["kinds"]))
        result = tree_from(variant["result"], len(arrays["outputs"]))
        scalars = _scalars(variant, arrays)
        check_scalars(scalars, traced=True)
    except (StructureError, ProgramError, ValueError) as error:
        raise _ContentError(say("compile.saving.content", why=printable(str(error)))) from None
    captured = [
        Value(x, label=label, requires_grad=bool(wants))
        for x, label, wants in zip(
            arrays["captured"].tolist(), variant["labels"], arrays["wants"].tolist(), strict=True
        )
    ]
    rows = dict(_pairs(arrays["rows"]))
    places = {node: j for j, node in enumerate(scalars.inputs)}
    kinds = variant["kinds"]
    right = (
        count(arguments) == len(kinds)
        and count(result) == len(scalars.outputs)
        and len(scalars.inputs) == len(kinds) + len(captured)
        and not kinds.strip("fi")
        and all(j < len(kinds) and kinds[j] == "i" and n > 0 for j, n in rows.items())
    )
    if not right or arguments is None or arguments[0] is not tuple:
        raise _ContentError(say("compile.saving.content", why=say("compile.saving.counts")))
    for op, args in zip(scalars.ops, scalars.args, strict=True):
        # An executor reads where an index says: each must be an argument that is looked at before.
        if op == "take" and rows.get(places.get(args[0], -1), len(args)) >= len(args):
            raise _ContentError(say("compile.saving.content", why=say("compile.saving.take")))
    return TracedFunction(scalars, arguments, kinds, result, captured, rows, nodes=variant["nodes"])


def _scalars(variant: dict[str, Any], arrays: dict[str, Any]) -> Scalars:
    """The program of a variant, as far as lengths go; what it says is checked by `check_scalars`."""
    texts, lines = variant["ops"], variant["lines"]
    counts, args = arrays["counts"].tolist(), arrays["args"].tolist()
    wrong = (
        len(counts) != len(arrays["ops"])
        or sum(counts) != len(args)
        or (len(arrays["ops"]) and int(arrays["ops"].max()) >= len(texts))
        or len(arrays["guards"]) != len(arrays["expected"])
        or len(arrays["guards"]) != len(lines)
        or len(arrays["captured"]) != len(variant["labels"])
        or len(arrays["captured"]) != len(arrays["wants"])
        or (len(arrays["wants"]) and int(arrays["wants"].max()) > 1)
        or len(arrays["rows"]) % 2
    )
    if wrong:
        raise ValueError(say("compile.saving.counts"))
    ops = [texts[k] for k in arrays["ops"].tolist()]
    constants = [node for node, op in enumerate(ops) if op == CONSTANT]
    if len(constants) != len(arrays["data"]):
        raise ValueError(say("compile.saving.counts"))
    own = iter(args)
    return Scalars(
        ops,
        [_next(own, size) for size in counts],
        dict(zip(constants, arrays["data"].tolist(), strict=True)),
        arrays["inputs"].tolist(),
        arrays["outputs"].tolist(),
        [
            Guard(node, expected, line)
            for node, expected, line in zip(
                arrays["guards"].tolist(), arrays["expected"].tolist(), lines, strict=True
            )
        ],
    )


def _next(numbers: Iterator[int], size: int) -> tuple[int, ...]:
    return tuple([next(numbers) for _ in range(size)])


def _pairs(array: Any) -> list[tuple[int, int]]:
    flat = array.tolist()
    return list(zip(flat[::2], flat[1::2], strict=True))
