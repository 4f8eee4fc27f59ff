"""Saved programs: what comes back is the same program, and no other bytes are believed."""

from __future__ import annotations

import io
import json
import tracemalloc
import zipfile
from collections import namedtuple
from random import Random

import numpy as np
import pytest

import minigrad
from forged_programs import joined, parts, signed
from minigrad import Value, compile, take  # noqa: A004 its own name
from minigrad.compiler import load
from minigrad.compiler.program_file import MAGIC, SavingError, decoded, encoded
from minigrad.compiler.structure import take_apart
from minigrad.compiler.structure_json import StructureError, tree_from, tree_to
from minigrad.text.translation import speaking


def f(model, i, x):
    row = take(model["rows"], i)
    out = row[0] * x + row[1]
    return out.exp() if out > 0.0 else out * out


MODEL = {"rows": [[0.5, 0.25], [-1.0, 2.0], [3.0, -0.125]]}


@pytest.fixture
def program():
    made = compile(f)
    made(MODEL, 0, 1.0)
    made(MODEL, 2, -1.0)
    return made


def test_a_loaded_program_gives_the_same_bits_without_its_function(program, tmp_path):
    path = tmp_path / "f.program"
    program.save(path)
    again = load(path)
    assert again.f is None
    assert again.__name__ == "f"
    for i in range(3):
        for x in (0.7, -2.5, 1e3):
            assert again(MODEL, i, x) == program(MODEL, i, x)
            assert again.value_and_grad(MODEL, i, x) == program.value_and_grad(MODEL, i, x)
    xs = np.linspace(-2, 2, 17)
    assert again.batched("x").grad(MODEL, 1, xs) == program.batched(2).grad(MODEL, 1, xs)
    assert again(MODEL, x=0.5, i=1) == program(MODEL, 1, 0.5)
    assert again.guards == program.guards
    assert again.explain(MODEL, 0, 1.0).nodes == program.explain(MODEL, 0, 1.0).nodes
    again.save(path)
    assert encoded(load(path)) == encoded(again)


def test_structures_and_branches_come_back_in_their_order():
    program = compile(lambda xs: sum(x if x > 0.0 else -x for x in xs))
    for xs in ([1.0], [2.0, -1.0], [-1.0], [1.0, 2.0, 3.0], [1.0, 1.0]):
        program(xs)
    octets = encoded(program)
    assert [len(traced.kinds) for traced in program.variants] == [1, 1, 2, 2, 3]
    assert encoded(decoded(octets)) == octets


def test_what_was_not_traced_is_refused(program):
    again = decoded(encoded(program))
    with pytest.raises(ValueError, match="structure"):
        again({"rows": [[0.5, 0.25]]}, 0, 1.0)
    with pytest.raises(IndexError, match="3 rows"):
        again(MODEL, 3, 1.0)
    with pytest.raises(IndexError):
        again.batched("i")(MODEL, np.array([0, 3]), 1.0)
    with pytest.raises(ValueError, match="no function"):
        again.graph(MODEL, 0, 1.0)
    alone = compile(lambda x: x if x > 0.0 else -x)
    alone(1.0)
    positive = decoded(encoded(alone))
    assert positive(2.0) == 2.0
    with pytest.raises(ValueError, match=r"test_program_file\.py:\d+"):
        positive(-2.0)
    with pytest.raises(ValueError, match=r"branch"):
        positive.batched()(np.array([2.0, -2.0]))


def test_a_whole_number_is_a_number_for_a_loaded_program():
    program = compile(lambda x, ys: x * ys[0] + ys[1])
    program(2.0, [3.0, 4.0])
    again = decoded(encoded(program))
    assert again(2, [3, 4.0]) == 10.0
    assert again.value_and_grad(2, [3, 4]) == (10.0, 3.0)
    assert again.batched(0)(np.array([1, 2]), [3.0, 4]).tolist() == [7.0, 10.0]


def test_nothing_traced_is_nothing_to_save(tmp_path):
    program = compile(f)
    with pytest.raises(ValueError, match="not been traced"):
        program.save(tmp_path / "f.program")
    program.save(tmp_path / "f.program", MODEL, 0, 1.0)
    assert load(tmp_path / "f.program")(MODEL, 0, 1.0) == program(MODEL, 0, 1.0)


def test_settings_and_captured_values_come_back():
    weight = Value(3.0, label="weight")
    program = compile(lambda x: weight * x, exact=False, threads=2)
    program(2.0)
    again = decoded(encoded(program))
    assert (again.exact, again.dtype, again.threads) == (False, "float64", 2)
    (traced,) = again.variants
    assert traced.captured[0].label == "weight"
    assert again(2.0).data == 6.0
    traced.captured[0].data = 5.0
    assert again(2.0).data == 10.0
    assert weight.data == 3.0


def test_a_captured_constant_is_one_again():
    weight, constant = Value(3.0), Value(2.0, requires_grad=False)
    program = compile(lambda x: weight * x * constant)
    program(2.0)
    again = decoded(encoded(program))
    assert [value.requires_grad for value in again.variants[0].captured] == [
        value.requires_grad for value in program.variants[0].captured
    ]
    assert sorted(value.data for value in again(2.0)._children) == [3.0]


def test_as_many_threads_as_a_program_may_have_a_file_may_have():
    program = compile(lambda x: x * 2, threads=4096)
    program(1.0)
    assert decoded(encoded(program)).threads == 4096
    with pytest.raises(ValueError, match="1 to 4,096"), speaking("en"):
        compile(lambda x: x * 2, threads=4097)


def test_structures_of_every_kind_come_back():
    program = compile(lambda a, b: {"x": (a["u"], [a["v"][0], b]), 7: []})
    a = {"u": 2.0, "v": [3.0, True, None, "text", b"\x00\xff", 2**70]}
    wanted = program(a, 4.0)
    assert decoded(encoded(program))(a, 4.0) == wanted == {"x": (2.0, [3.0, 4.0]), 7: []}
    Pair = namedtuple("Pair", "x y")
    named = compile(lambda p: p.x * p.y)
    named(Pair(1.0, 2.0))
    with pytest.raises(TypeError, match="Pair"):
        encoded(named)
    keys = compile(lambda p: p[1.5])
    keys({1.5: 2.0})
    with pytest.raises(TypeError, match="float"):
        encoded(keys)


# ---- files that are none ------------------------------------------------------------------------


def refused(octets):
    with pytest.raises(SavingError) as caught:
        decoded(octets, "a file")
    assert "a file" in str(caught.value)
    return caught.value.why


def forged(program, change):
    """The bytes of a program whose header was changed by somebody who knows how."""
    start, header, body = parts(encoded(program))
    change(header)
    return joined(start, json.dumps(header).encode(), body)


def test_a_truncated_file_is_refused_wherever_it_ends(program):
    octets = encoded(program)
    random = Random(1)
    ends = {0, 1, 10, len(MAGIC), len(MAGIC) + 1, len(MAGIC) + 2, len(MAGIC) + 9, len(octets) - 1}
    for end in ends | {random.randrange(len(octets)) for _ in range(60)}:
        assert refused(octets[:end])
    assert "empty" in refused(b"")


def test_every_flipped_bit_is_noticed(program):
    octets = encoded(program)
    random = Random(2)
    for _ in range(300):
        place, bit = random.randrange(len(octets)), 1 << random.randrange(8)
        flipped = octets[:place] + bytes([octets[place] ^ bit]) + octets[place + 1 :]
        assert refused(flipped)


def test_foreign_and_newer_files_are_refused(program, tmp_path):
    assert "begin" in refused(b"\x80\x04\x95 a pickle")
    assert "begin" in refused(b"{}")
    bomb = io.BytesIO()
    with zipfile.ZipFile(bomb, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("0", b"0" * 10_000_000)
    assert "begin" in refused(bomb.getvalue())
    octets = encoded(program)
    newer = octets.replace(b"program/1\n", b"program/2\n", 1)
    assert "version 2" in refused(newer)
    assert "follow" in refused(signed(octets[:-32] + b"more"))
    with pytest.raises(FileNotFoundError):
        load(tmp_path / "none")
    with pytest.raises(OSError, match="irector"):
        load(tmp_path)
    with speaking("es"):
        assert "versión 2" in refused(newer)


def test_a_header_that_promises_too_much_takes_no_memory(program):
    def sizes(header):
        header["variants"][0]["sizes"][0] = 2**31 - 1

    assert "ends" in refused(forged(program, sizes))

    def nested(header):
        tree = None
        for _ in range(60):
            tree = ["list", 1000, tree] if tree else ["list", 1000]
        header["variants"][0]["arguments"] = ["tuple", [tree]]

    assert "makes no program" in refused(forged(program, nested))
    octets = encoded(program)
    start = octets.index(b"\n") + 1
    assert "ends" in refused(signed(octets[:start] + (2**62).to_bytes(8, "little") + octets[start + 8 : -32]))


@pytest.mark.parametrize(
    "change",
    [
        lambda h: h.pop("name"),
        lambda h: h.update(more=1),
        lambda h: h.update(threads=True),
        lambda h: h.update(threads=0),
        lambda h: h.update(dtype="float16"),
        lambda h: h.update(exact=True, dtype="float32"),
        lambda h: h.update(variants=[]),
        lambda h: h.update(names=[1]),
        lambda h: h["variants"][0].update(kinds="x" * len(h["variants"][0]["kinds"])),
        lambda h: h["variants"][0].update(kinds=h["variants"][0]["kinds"].replace("i", "f")),
        lambda h: h["variants"][0].update(kinds=h["variants"][0]["kinds"] + "f"),
        lambda h: h["variants"][0].update(result=["list", 2]),
        lambda h: h["variants"][0].update(result=["list", -1]),
        lambda h: h["variants"][0].update(result=["os.system", ["x"]]),
        lambda h: h["variants"][0].update(arguments=["list", h["variants"][0]["arguments"][1]]),
        lambda h: h["variants"][0].update(lines=[]),
        lambda h: h["variants"][0].update(labels=["one too many"]),
        lambda h: h["variants"][0].update(nodes=-1),
        lambda h: h["variants"][0].update(nodes=10**400),
        lambda h: h["variants"][0].update(sizes=h["variants"][0]["sizes"][:-1]),
        lambda h: h["variants"][0]["ops"].__setitem__(-1, "os.system"),
        lambda h: h["variants"][0]["ops"].__setitem__(h["variants"][0]["ops"].index("exp"), "lanesum"),
        lambda h: h["variants"][0]["ops"].pop(),
        lambda h: h["variants"][0]["ops"].__setitem__(h["variants"][0]["ops"].index("input"), "constant"),
    ],
)
def test_a_forged_header_is_refused_whatever_it_says(program, change):
    assert decoded(forged(program, lambda header: None))(MODEL, 0, 1.0) == program(MODEL, 0, 1.0)

    assert refused(forged(program, change))


def test_forged_arrays_never_make_a_program_that_reads_outside(program):
    """Numbers of the arrays are changed and the checksum is mended: refused, or a program that runs."""
    octets = encoded(program)
    start = octets.index(b"\n") + 1
    body = start + 8 + int.from_bytes(octets[start : start + 8], "little")
    random, kept = Random(4), 0
    for _ in range(300):
        place = random.randrange(body, len(octets) - 32)
        content = (
            octets[:place]
            + bytes([random.choice([0, 1, 2, 255, random.randrange(256)])])
            + octets[place + 1 : -32]
        )
        try:
            wrong = decoded(signed(content))
        except SavingError:
            continue
        kept += 1
        for i in (0, 2):
            try:
                wrong(MODEL, i, 0.5)
            except (ValueError, IndexError):
                continue
    assert kept  # a constant, say: another number is another program


def with_row_count(program, count):
    """The bytes of a saved program whose index is said to choose from `count` rows."""
    octets = encoded(program)
    start = octets.index(b"\n") + 1
    body = start + 8 + int.from_bytes(octets[start : start + 8], "little")
    header = json.loads(octets[start + 8 : body])
    (index,) = [j for j, kind in enumerate(header["variants"][0]["kinds"]) if kind == "i"]
    pair = lambda rows: index.to_bytes(4, "little") + rows.to_bytes(4, "little")  # noqa: E731
    content = octets[body:-32]
    assert content.count(pair(3)) == len(header["variants"])
    return signed(octets[:body] + content.replace(pair(3), pair(count)))


@pytest.mark.parametrize("count", [0, 4, 5, 2**31, 2**32 - 1])
def test_a_forged_row_count_is_refused(program, count):
    """With a count above 3, the index 3 would be let through, and read behind the table."""
    assert "makes no program" in refused(with_row_count(program, count))


def test_a_smaller_row_count_is_a_smaller_table(program):
    assert decoded(with_row_count(program, 3))(MODEL, 2, 1.0) == program(MODEL, 2, 1.0)
    fewer = decoded(with_row_count(program, 2))
    assert fewer(MODEL, 1, 1.0) == program(MODEL, 1, 1.0)
    with pytest.raises(IndexError, match="2 rows"):
        fewer(MODEL, 2, 1.0)


def test_trees_of_json_are_strict():
    tree = take_apart(([1.0, [2.0, 3.0]], {"a": (), 3: [[1.0, 2.0]] * 4}, None, True)).tree
    written = json.loads(json.dumps(tree_to(tree)))
    assert tree_from(written, 11) == tree
    for count in (0, 10, 12):
        with pytest.raises(StructureError):
            tree_from(written, count)
    for wrong in (
        3, "list", [], ["list"], ["list", 1.5], ["list", True], ["dict", ["a", "a"], [None, None]],
        ["dict", ["a"], []], ["dict", [[]], [None]], ["static", "int", "1e3"], ["static", "float", 1.0],
        ["static", "bytes", "zz"], ["list", [["list"]]], ["list", 1, None, None],
    ):  # fmt: skip
        with pytest.raises(StructureError):
            tree_from(wrong, 1)
    deep = None
    for _ in range(300):
        deep = ["list", [deep]]
    with pytest.raises(StructureError):
        tree_from(deep, 1)


def test_a_tree_of_nothing_has_a_most_of_parts(monkeypatch):
    monkeypatch.setattr("minigrad.compiler.structure_json.EMPTY", 10)
    assert tree_from(["list", 9, ["list", []]], 0)[2] == ((list, None, ()),) * 9  # and the list itself: 10
    assert len(tree_from(["list", [["list", []]] * 9], 0)[2]) == 9
    for wrong in (["list", 10, ["list", []]], ["list", [["list", []]] * 10]):
        with pytest.raises(StructureError):
            tree_from(wrong, 0)


def test_lists_within_lists_of_nothing_cost_no_memory(monkeypatch):
    """Ninety lists, each of a thousand times the next: what is too much is refused before it is made."""
    monkeypatch.setattr("minigrad.compiler.structure_json.EMPTY", 1000)
    entry = ["list", []]
    for _ in range(90):
        entry = ["list", 1000, entry]
    tracemalloc.start()
    try:
        with pytest.raises(StructureError):
            tree_from(entry, 0)
        assert tracemalloc.get_traced_memory()[1] < 100_000  # two lists; ninety would be 720,000 bytes
    finally:
        tracemalloc.stop()


def test_a_program_of_a_graph_is_saved_like_any_other():
    a, b = Value(2.0), Value(3.0)
    program = compile((a * b).tanh(), inputs=[a, b])
    program(0.5, 0.25)
    again = decoded(encoded(program))
    assert again.value_and_grad(0.5, 0.25) == minigrad.value_and_grad(lambda x, y: (x * y).tanh())(0.5, 0.25)
