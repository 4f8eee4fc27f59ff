"""10,000 files that are not checkpoints, or not any more: each is refused in one sentence, with the place.

Some are spoiled as disks spoil files; some have every checksum right and nonsense inside.  The court that
judges the reader is tried too: a reader that checks no checksums, or that lets another error out, must be
caught by it.
"""

from __future__ import annotations

import copy
import json
import math
import struct
import time
import tracemalloc
from collections.abc import Callable, Iterator
from random import Random

import pytest

from forged_checkpoints import BLANK, DAMAGES, checksum, flipped, header_of, signed
from minigrad import nn
from minigrad.nn import Checkpoint, CheckpointError, Tensor
from minigrad.nn import safetensors as ours
from minigrad.nn.safetensors import decoded, encoded
from minigrad.text.translation import speaking
from minigrad.training.run import Run
from minigrad.training.run_file import pack, unpack
from minigrad.training.settings import defaults

pytestmark = pytest.mark.one_engine


def small() -> bytes:
    tensors = {"model.w": Tensor((2, 3), [0.5, -1.0, 2.0, 3.5, 1e-300, -0.0]), "año": Tensor((), [7.0])}
    return encoded(Checkpoint(tensors, {"step": 3, "names": ["a", "é", '"'], "rate": 0.1}))


def trained(**changed: object) -> Checkpoint:
    run = Run(defaults("moons", hidden=(3,), points=6, steps=5, batch=2, **changed))
    run.advance()
    run.advance()
    return pack(run)


SGD = trained(momentum=0.9)
ADAM = trained(optimiser="adam", lr=0.01, schedule="cosine", warmup=2)
ORIGINALS = (small(), encoded(SGD), encoded(ADAM))
FORGED = 1000  # the least number of files with right checksums and nonsense inside


# ---- the court ------------------------------------------------------------------------------------


def faults(octets: bytes, read: Callable[[bytes], object]) -> str:
    """What is wrong with how a reader treats a file that is no checkpoint; "" if nothing is."""
    started = time.process_time()
    try:
        read(octets)
    except CheckpointError as error:
        told = str(error)
        if error.offset is None or not 0 <= error.offset <= len(octets):
            return f"offset {error.offset} of {len(octets)}"
        if not told.startswith("x.safetensors is not a minigrad checkpoint: ") or "at byte" not in told:
            return f"not the sentence: {told}"
        if len(told) > 400 or not told.isprintable():
            return f"not one line: {told!r}"
    except BaseException as error:
        return f"{type(error).__name__}: {error}"
    else:
        return "accepted"
    return "" if time.process_time() - started < 2.0 else "slow"


def as_file(octets: bytes) -> Checkpoint:
    return decoded(octets, "x.safetensors")


def as_run(octets: bytes) -> Run:
    return unpack(as_file(octets))


def spoiled(damage: Callable[[bytes, Random], bytes], count: int) -> Iterator[bytes]:
    for number in range(count):
        random = Random(f"{damage.__name__} {number}")
        original = ORIGINALS[min(number % 5, 2)]
        octets = damage(original, random)
        while octets == original:
            octets = damage(original, random)
        yield octets


@pytest.mark.parametrize("damage", DAMAGES, ids=lambda damage: damage.__name__)
def test_what_was_damaged_is_refused_with_its_place(damage):
    for number, octets in enumerate(spoiled(damage, DAMAGES[damage])):
        assert faults(octets, as_file) == "", (number, octets)


def test_the_originals_are_right():
    for octets in ORIGINALS:
        assert faults(octets, as_file) == "accepted"
    for checkpoint in (SGD, ADAM):
        assert faults(encoded(checkpoint), as_run) == "accepted"


def test_these_are_10_000():
    assert sum(DAMAGES.values()) + FORGED >= 10_000
    assert len(list(nonsense())) + len(list(headers())) >= FORGED


def test_a_reader_without_checksums_is_caught(monkeypatch):
    class Anything(str):
        __hash__ = str.__hash__

        def __eq__(self, other: object) -> bool:
            return True

        def __ne__(self, other: object) -> bool:
            return False

    monkeypatch.setattr(ours, "_sum", lambda *parts: Anything())
    found = [faults(octets, as_file) for octets in spoiled(flipped, 200)]
    assert found.count("accepted") > 20


def test_a_reader_that_lets_other_errors_out_is_caught():
    def naive(octets: bytes) -> object:
        count = int.from_bytes(octets[:8], "little")
        return json.loads(octets[8 : 8 + count])

    assert faults(b"\x89PNG\r\n\x1a\n" + bytes(20), naive).startswith("JSONDecodeError")
    assert faults(signed("[" * 100_000), naive).startswith("RecursionError")


def test_the_numbers_begin_at_a_multiple_of_eight_bytes():
    """Readers of other libraries map them as they lie in the file."""
    for length in range(1, 20):
        octets = encoded(Checkpoint({"x" * length: Tensor((), [7.0])}, {}))
        assert int.from_bytes(octets[:8], "little") % 8 == 0


def test_a_change_in_the_header_is_told_with_the_bytes_that_the_header_has():
    octets = ORIGINALS[0]
    end = 8 + int.from_bytes(octets[:8], "little")
    changed = octets[:end].replace(b"F64", b"f64", 1) + octets[end:]
    with pytest.raises(CheckpointError, match=f"bytes 8 to {end - 1}, was changed"):
        as_file(changed)


@pytest.mark.parametrize(
    ("row", "words"),
    [
        ({"shape": [1] * 9}, "its shape is not a list of up to eight whole numbers"),
        ({"shape": [-1]}, "its shape is not a list of up to eight whole numbers"),
        ({"data_offsets": [0, 16]}, "its numbers should go from 0 to 8, and data_offsets says otherwise"),
    ],
)
def test_a_row_that_is_not_right_is_told_in_words(row, words):
    body = struct.pack("<d", 7.0)
    header = header_of({"w": ([1], body)}, "{}")
    header["w"] |= row
    with pytest.raises(CheckpointError, match=words):
        as_file(signed(header, body))


def test_a_flip_in_a_tensor_names_it_and_where_it_begins():
    octets = ORIGINALS[0]
    start = 8 + int.from_bytes(octets[:8], "little")
    for place in range(start, len(octets)):
        broken = octets[:place] + bytes([octets[place] ^ 16]) + octets[place + 1 :]
        with pytest.raises(CheckpointError, match="model.w" if place < start + 48 else "año") as failure:
            as_file(broken)
        assert failure.value.offset == (start if place < start + 48 else start + 48)


def test_the_sentence_is_said_in_spanish_too():
    with speaking("es"), pytest.raises(CheckpointError) as failure:
        as_file(b"\x89PNG\r\n\x1a\n")
    assert str(failure.value) == (
        "x.safetensors no es un punto de control de minigrad: su cabecera tendría "
        "727\xa0905\xa0341\xa0920\xa0923\xa0785 bytes en un archivo de 8, en el byte 0"
    )


# ---- headers with a right digest ------------------------------------------------------------------

TWO = struct.pack("<2d", 1.0, 2.0)
ONE = {"w": ([2], TWO)}


def header(state: str = "{}", **row: object) -> dict:
    rows = header_of(ONE, state)
    rows["w"] |= row
    return rows


def text_of(state: str = "{}") -> str:
    return json.dumps(header(state))


def metadata(**changes: object) -> dict:
    rows = header()
    rows["__metadata__"] |= changes
    rows["__metadata__"] = {key: text for key, text in rows["__metadata__"].items() if text is not None}
    return rows


def headers() -> Iterator[tuple[str, bytes]]:
    """Name, file: the forger knows the format and the checksums."""
    for shape in ([3], [1], [2, 2], [], [-2], [-1, -2], [2.0], [True, 2], ["2"], None, {}, "2", 2, [[2]],
                  [2**31, 2**31], [0], [10**30], [0, 10**30], [1] * 9, [2] + [1] * 40, [None]):  # fmt: skip
        yield f"shape {shape}", signed(header(shape=shape), TWO)
    for offsets in ([0, 8], [8, 16], [0, 24], [16, 0], [0, 16.0], [0], [0, 16, 16], None, "0", [-16, 0],
                    [0, 2**64], [False, 16], [2**64, 2**64 + 16]):  # fmt: skip
        yield f"offsets {offsets}", signed(header(data_offsets=offsets), TWO)
    for dtype in ("F32", "f64", "F16", "BF16", "I64", "U8", "BOOL", "", None, 64, [], {}, "F64 " * 999):
        yield f"dtype {str(dtype)[:9]}", signed(header(dtype=dtype), TWO)
    yield "a row too rich", signed(header(note="x"), TWO)
    for key in ("dtype", "shape", "data_offsets"):
        rows = header()
        del rows["w"][key]
        yield f"no {key}", signed(rows, TWO)
    for row in (None, [], "w", 3, {}):
        yield f"row {row}", signed({**header(), "w": row}, TWO)
    for key in ("format", "state", "sums"):
        for value in (None, 3, [], {}, "", "x", "minigrad.checkpoint/2", "null", "[]", "3"):
            yield f"metadata {key} {value}", signed(metadata(**{key: value}), TWO)
    yield "metadata beside", signed(metadata(extra="x"), TWO)
    yield "no digest", signed(json.dumps(metadata(digest=None)) + " ", TWO)
    yield "digest a number", signed(json.dumps(metadata(digest=0)) + " ", TWO)
    for rows in ({}, {"w": header()["w"]}, {"__metadata__": None}, {"__metadata__": []}):
        yield f"metadata missing {rows}", signed(json.dumps(rows) + " ", TWO)
    holes = header_of({"a": ([1], TWO[:8]), "b": ([1], TWO[8:])}, "{}")
    for b in ([0, 8], [16, 24], [4, 12], [8, 8]):
        holes["b"]["data_offsets"] = b
        yield f"a hole or an overlap {b}", signed(copy.deepcopy(holes), TWO + TWO)
    for body in (b"", TWO[:8], TWO[:-1], TWO + b"\0", TWO + TWO):
        yield f"body {len(body)}", signed(header(), body)
    yield "body changed", signed(header(), TWO[::-1])
    yield "a sum in capitals", signed(metadata(sums=checksum(TWO).upper()), TWO)
    yield "too many sums", signed(metadata(sums=f"{checksum(TWO)} {checksum(TWO)}"), TWO)
    yield from texts()


def texts() -> Iterator[tuple[str, bytes]]:
    """JSON that other readers take, or that hurts them; as the header, and as the state inside it."""
    plain = text_of()
    bad = {
        "NaN": '{"a": NaN}', "infinity": '{"a": Infinity}', "minus infinity": '{"a": [-Infinity]}',
        "too large": '{"a": 1e999}', "digits": '{"a": ' + "9" * 5000 + "}",
        "fraction": '{"a": 1.' + "3" * 5000 + "}", "lists": '{"a": ' + "[" * 200_000,
        "dicts": '{"a":' * 200_000, "closed": '{"a":' + "[" * 999 + "]" * 999 + "}",
        "twice": '{"a": 1, "a": 2}', "twice inside": '{"a": {"b": 1, "b": 1}}',
        "in a list": '{"a": [{"b": 1, "b": 1}]}', "escaped twice": '{"a": 1, "\\u0061": 2}',
        "surrogate": '{"a": "\\ud800"}', "key": '{"\\udfff": 1}', "control": '{"a": "\t"}',
        "escape": '{"a": "\\x41"}', "single": "{'a': 1}", "comma": '{"a": 1,}', "list comma": '{"a": [1,]}',
        "no comma": '{"a": 1 "b": 2}', "colon": '{"a" 1}', "bare": "{a: 1}", "comment": '{"a": 1} // x',
        "more": "{} {}", "nothing": "", "space": "   ", "word": '{"a": nul}', "zero": '{"a": 01}',
        "plus": '{"a": +1}', "point": '{"a": .5}', "point after": '{"a": 1.}', "hex": '{"a": 0x1}',
        "arabic": '{"a": ٣}', "open": '{"a": "b', "half": '{"a":', "list": "[1, 2]", "number": "3",
        "text": '"a"', "null": "null", "true": "True", "mark": "\ufeff{}", "nul": "{}\0",
        "wide space": '{"a":\u00a01}',
    }  # fmt: skip
    for name, text in bad.items():
        yield f"state: {name}", signed(header(text), TWO)
        yield f"header: {name}", signed(text)
        if text.startswith('{"') and name not in ("lists", "dicts", "open", "half", "comment"):
            yield f"within the header: {name}", signed(plain[:-1] + ", " + text[1:], TWO)
    for octets in (b"\xff", b"\xc3", b"\xed\xa0\x80", b"\xc0\x80", b"\x80"):
        yield f"UTF-8 {octets!r}", signed(plain.encode()[:-1] + b', "' + octets + b'": 1}', TWO)


def test_forged_headers_are_refused():
    found = {name: faults(octets, as_file) for name, octets in headers()}
    assert {name: fault for name, fault in found.items() if fault} == {}


def test_the_forger_can_write_what_is_right():
    right = as_file(signed(header('{"a": [1, 2.5]}'), TWO))
    assert right.state == {"a": [1, 2.5]}
    assert right.tensors["w"].shape == (2,)
    assert list(right.tensors["w"].numbers) == [1.0, 2.0]
    assert BLANK not in signed(header(), TWO).decode("latin-1")


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ('{"a": 1, "a": 2}', 9),
        ('{"a": NaN}', 6),
        ('{"a": 1,}', 8),
        ('{"a": {"b": 1e999}}', 12),
        ('{"a": "\\x"}', 7),
        ('{"a": ' + "[" * 40, 6 + 31),  # 31 lists in a dict are 32 deep
        ('{"é": 1, "é": 2}', 10),
    ],
)
def test_the_offset_is_that_of_what_is_wrong(text, place):
    """In the header itself, and in a state inside it; é has two bytes there, and six as it is escaped."""
    with pytest.raises(CheckpointError) as failure:
        as_file(signed(text))
    assert failure.value.offset == 8 + place
    octets = signed(header(text), TWO)
    with pytest.raises(CheckpointError) as failure:
        as_file(octets)
    start = octets.index(b'"state": "') + len(b'"state": "')
    position = len(text.encode()[:place].decode())
    assert failure.value.offset == start + len(json.dumps(text[:position])) - 2


# ---- right checksums, nonsense inside -------------------------------------------------------------


def ways(state: object, way: tuple = ()) -> Iterator[tuple]:
    """The way to each entry of the state."""
    if way:
        yield way
    inner = state.items() if isinstance(state, dict) else enumerate(state) if isinstance(state, list) else ()
    for key, value in inner:
        yield from ways(value, (*way, key))


def put(state: dict, way: tuple, value: object) -> dict:
    changed = copy.deepcopy(state)
    inner: object = changed
    for key in way[:-1]:
        inner = inner[key]
    if value is GONE:
        del inner[way[-1]]
    else:
        inner[way[-1]] = value
    return changed


GONE = object()
FREE = {("settings", "data"), ("settings", "data_digest")}  # moons has no use for them
ANY = {  # where any number could be right: the largest gradient, half of a pair of normal numbers, a note of
    ("settings", "clip"),  # a rate that nobody reads again
    ("generators", "run", "gauss"),
    ("schedule", "_schedulers", 0, "_last_lr", 0),
    ("schedule", "_schedulers", 1, "_last_lr", 0),
}


def nonsense() -> Iterator[tuple[str, Checkpoint]]:
    for kind, checkpoint in {"sgd": SGD, "adam": ADAM}.items():
        state, tensors = checkpoint.state, checkpoint.tensors
        for way in ways(state):
            for value in (GONE, None, True, "nonsense", {"a": 1}, [[1]], -7, 1e300):
                before = state
                for key in way:
                    before = before[key]
                same = type(before) is type(value) and before == value
                possible = (way in FREE and value == "nonsense") or (way in ANY and value == 1e300)
                if same or possible:
                    continue
                yield f"{kind} {way} {value}", Checkpoint(tensors, put(state, way, value))
        for key, value in IMPOSSIBLE:
            yield f"{kind} {key} {value}", Checkpoint(tensors, put(state, key, value))
        for name, changed in retold(tensors):
            yield f"{kind} {name}", Checkpoint(changed, state)
        for way in ((), ("settings",), ("schedule",), ("generators",), ("optimiser",),
                    ("optimiser", "groups", 0), ("optimiser", "places")):  # fmt: skip
            yield f"{kind} {way} and more", Checkpoint(tensors, put(state, (*way, "extra"), 1))
    yield "adam's state for sgd", Checkpoint(ADAM.tensors, SGD.state)
    yield "a model, not a run", Checkpoint({"model.w": Tensor((), [1.0])}, {"schema": "minigrad.model/1"})


IMPOSSIBLE: list[tuple[tuple, object]] = [
    (("step",), 3), (("step",), 1), (("step",), 6), (("step",), 10**30), (("step",), 2.0), (("cursor",), 5),
    (("cursor",), 3), (("cursor",), 10**30), (("settings", "hidden"), [10**9]),
    (("settings", "hidden"), [4096] * 50), (("settings", "hidden"), [4]), (("settings", "hidden"), []),
    (("settings", "hidden"), [3, 3]), (("settings", "hidden"), [0]), (("settings", "points"), 10**12),
    (("settings", "points"), 1), (("settings", "steps"), 1), (("settings", "steps"), 0),
    (("settings", "optimiser"), "rmsprop"), (("settings", "optimiser"), "adamw"),
    (("settings", "momentum"), 0.5), (("settings", "batch"), 3), (("settings", "task"), "circus"),
    (("settings", "schedule"), "constant"), (("settings", "seed"), 2**64),
    (("settings", "activation"), "__class__"), (("settings", "lr"), 0.25),
    (("generators", "run", "words"), ""), (("generators", "run", "words"), "0" * 4992),
    (("generators", "run", "words"), "1" * 4991), (("generators", "run", "words"), "1" * 4993),
    (("generators", "run", "words"), "1" * 4991 + "A"), (("generators", "run", "words"), "1" * 4991 + "\n"),
    (("generators", "run", "words"), "1" * 4991 + "\u0663"), (("generators", "run", "used"), 625),
    (("generators", "run", "gauss"), 3), (("generators", "run", "more"), 1), (("optimiser", "groups"), []),
    (("optimiser", "groups", 0, "params"), 10**12), (("optimiser", "groups", 0, "params"), 12),
    (("schedule", "last_epoch"), 3), (("schema",), "minigrad.run/2"),
]  # fmt: skip


def retold(tensors: dict[str, Tensor]) -> Iterator[tuple[str, dict[str, Tensor]]]:
    """The tensors with one of them lost, renamed, reshaped, longer, shorter; and strangers."""
    for name, tensor in tensors.items():
        numbers, kept = list(tensor.numbers), {key: row for key, row in tensors.items() if key != name}
        yield f"no {name}", kept
        yield f"{name} renamed", {**kept, name + "_": tensor}
        yield f"{name} longer", {**tensors, name: Tensor((len(numbers) + 1,), [*numbers, 1.0])}
        yield f"{name} in a row", {**tensors, name: Tensor((1, *tensor.shape), numbers)}
        yield f"{name} empty", {**tensors, name: Tensor((0,), [])}
    for name in ("w", "model.w", "model.", "optimiser.w", "optimiser.", "run.", "run.steps"):
        yield f"stranger {name}", {**tensors, name: Tensor((), [1.0])}
    for number in (math.nan, math.inf):
        yield f"losses {number}", {**tensors, "run.losses": Tensor((2,), [1.0, number])}
    if "optimiser.step" in tensors:
        size = tensors["optimiser.step"].shape
        for step in (1.0, 2.5, -2.0, math.nan, math.inf, 1e300):
            yield f"steps {step}", {**tensors, "optimiser.step": Tensor(size, [step] * size[0])}
        below = Tensor(size, [-1.0] * size[0])
        yield "a square below zero", {**tensors, "optimiser.exp_avg_sq": below}


def test_right_checksums_with_nonsense_inside_are_refused():
    found = {name: faults(encoded(checkpoint), as_run) for name, checkpoint in nonsense()}
    assert {name: fault for name, fault in found.items() if fault} == {}


def test_what_a_file_promises_costs_no_memory_before_it_is_checked():
    promises = [
        (signed(header(shape=[2**27], data_offsets=[0, 2**30]), TWO), as_file),  # a gigabyte of numbers
        (struct.pack("<Q", 2**25) + b"{}", as_file),
        (encoded(Checkpoint(SGD.tensors, put(SGD.state, ("settings", "hidden"), [4096] * 9))), as_run),
        (encoded(Checkpoint(SGD.tensors, put(SGD.state, ("settings", "hidden"), [10**9]))), as_run),
        (
            encoded(Checkpoint(SGD.tensors, put(SGD.state, ("optimiser", "groups", 0, "params"), 10**9))),
            as_run,
        ),
    ]
    for octets, read in promises:
        tracemalloc.start()
        try:
            assert faults(octets, read) == ""
            assert tracemalloc.get_traced_memory()[1] < 2_000_000
        finally:
            tracemalloc.stop()


def test_a_refused_file_is_as_it_was_and_so_is_the_model(tmp_path):
    model, path = nn.MLP(2, [3, 1], seed=1), tmp_path / "x.safetensors"
    weights = model.state_dict()
    for octets in spoiled(flipped, 30):
        path.write_bytes(octets)
        with pytest.raises(CheckpointError, match="is not a minigrad checkpoint"):
            nn.load(path, model)
        assert path.read_bytes() == octets
        assert model.state_dict() == weights
        assert [entry.name for entry in tmp_path.iterdir()] == [path.name]
