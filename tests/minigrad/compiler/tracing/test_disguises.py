"""Numbers that leave a function in disguise (as text, truth, equality, a key), and state read by a back door.

A program must then give what the function gives, or say that it cannot.  Each test would pass a wrong number
without the check that it is about.
"""

import os
import re
import sys
import warnings
from collections import Counter, OrderedDict
from datetime import date
from enum import IntEnum
from pathlib import Path

import numpy as np
import pytest

import minigrad
from minigrad import Value
from minigrad.compiler.tracing import TracingError

NAN = float("nan")
STATE = {"rate": 2.0}


class Settings:
    rate = 2.0


SETTINGS = Settings()


# ---- text, truth, equality, keys ------------------------------------------------------------------


@pytest.mark.parametrize(
    "text", [lambda x: repr(x.data), lambda x: str(x.data), lambda x: f"{x:.3f}", lambda x: f"{x.data:.3f}"]
)
def test_text_is_true_for_its_number_alone(text):
    program = minigrad.compile(lambda x: x * float(text(x)))
    assert [program(x) for x in (1.5, 2.5, 1.5)] == [2.25, 6.25, 2.25]
    assert len(program.variants) == 2


def test_the_text_of_nan_and_of_both_zeros():
    program = minigrad.compile(lambda x: x + len(repr(x.data)))
    points = (0.0, -0.0, NAN, 12.25, NAN, -0.0, 0.0)
    assert [str(program(x)) for x in points] == [str(x + len(repr(x))) for x in points]
    assert len(program.variants) == 4


def test_a_function_that_prints_ends_as_it_stands_and_right():
    """After too many ways f is run on Values, as it was traced: x.data is there for the function."""

    def f(x, k):
        return (x + float(f"{x.data:.1f}")) * k.data

    points = [n / 7 for n in range(80)]
    wanted = [(x + float(f"{x:.1f}")) * 3.0 for x in points]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        program = minigrad.compile(f)
        assert [program(x, 3.0) for x in points] == wanted
        assert [program.value_and_grad(x, 3.0) for x in points] == [(y, 3.0) for y in wanted]
        many = minigrad.compile(f).batched(0)
        assert many(np.array(points), 3.0).tolist() == wanted
        assert many.grad(np.array(points), 3.0).tolist() == [3.0] * len(points)


def test_what_is_run_as_it_stands_keeps_its_structure():
    program = minigrad.compile(lambda x: (len(str(x)), None, x > 1, [x]))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        found = [program(n + 0.5) for n in range(70)]
    assert found[-1][1:] == (None, True, [69.5])


def test_equal_values_are_refused_where_floats_would_be_equal():
    program = minigrad.compile(lambda a, b: a * 2 if a == b else a * 3)
    assert program(1.0, 2.0) == 3.0
    with pytest.raises(TracingError, match=r"a\.data == b\.data"):
        program(2.0, 2.0)
    assert minigrad.compile(lambda xs: xs.index(max(xs)) + xs[0])([1.0, 5.0, 3.0]) == 2.0
    with pytest.raises(TracingError, match=r"a\.data == b\.data"):
        minigrad.compile(lambda x, y: x if x.data == y else -x)(1.0, 1.0)


@pytest.mark.parametrize(
    "f", [lambda x, xs: x if x in set(xs) else -x, lambda x, xs: {1.0: x}.get(xs[0], -x)], ids=["set", "dict"]
)
def test_a_number_is_no_key(f):
    with pytest.raises(TracingError, match="key of a dict"):
        minigrad.compile(f)(1.0, [1.0, 2.0])


def test_captured_values_may_be_keys():
    a, b = Value(2.0), Value(3.0)
    rates = {a: 10.0, b: 20.0}
    assert minigrad.compile(lambda x: x * sum(w * rates[w] for w in (a, b)))(1.0).data == 80.0


def test_a_program_inside_two_derivatives():
    def f(xs):
        return (xs[0] * xs[0] * xs[1]).exp()

    def twice(g):
        return minigrad.grad(lambda a: minigrad.grad(lambda b: g([a, b]))(0.5))(0.25)

    assert twice(minigrad.compile(f)) == twice(f)


# ---- state ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "read",
    [
        lambda: getattr(SETTINGS, "rate"),  # noqa: B009
        lambda: getattr(SETTINGS, "ra" + "te"),
        lambda: Settings.__dict__["rate"],
        lambda: float(os.environ["MINIGRAD_TEST_RATE"]),
        lambda: float(os.getenv("MINIGRAD_TEST_RATE", "0")),
    ],
)
def test_a_change_behind_another_door_is_seen(read, monkeypatch):
    monkeypatch.setenv("MINIGRAD_TEST_RATE", "2")
    program = minigrad.compile(lambda x: x * read())
    assert program(3.0) == 6.0
    monkeypatch.setenv("MINIGRAD_TEST_RATE", "5")
    monkeypatch.setattr(Settings, "rate", 5.0)
    assert program(3.0) == 15.0


def test_a_new_attribute_of_a_class_is_seen(monkeypatch):
    program = minigrad.compile(lambda x: x * Settings.__dict__.get("other", 1.0))
    assert program(3.0) == 3.0
    monkeypatch.setattr(Settings, "other", 4.0, raising=False)
    assert program(3.0) == 12.0


@pytest.mark.parametrize(
    ("f", "word"),
    [
        (lambda x: x * eval("STATE")["rate"], r"eval\(\)"),
        (lambda x: x * globals()["STATE"]["rate"], r"globals\(\)"),
        (lambda x: x * len(open(__file__).read()), r"open\(\)"),  # noqa: SIM115
        (lambda x: x * len(Path(__file__).read_text()), "Path.read_text"),
        (lambda x: x * sys.modules[__name__].STATE["rate"], "sys.modules"),
        (lambda x: x * date.today().year, "date.today"),
        (lambda x: x * os.urandom(1)[0], "os.urandom"),
    ],
)
def test_what_cannot_be_watched_is_refused(f, word):
    with pytest.raises(TracingError, match=word):
        minigrad.compile(f)(1.0)


# ---- arguments ------------------------------------------------------------------------------------


class Mode(IntEnum):
    SLOW = 1
    FAST = 2


def test_a_member_of_an_enumeration_is_itself_and_no_number(tmp_path):
    program = minigrad.compile(lambda x, mode: x * 2 if mode is Mode.FAST else x * 3)
    assert [program(1.0, mode) for mode in (Mode.FAST, Mode.SLOW, 2)] == [2.0, 3.0, 3.0]
    with pytest.raises(TypeError, match="Mode"):
        program.save(tmp_path / "program")


class Doubled(dict):
    def __getitem__(self, key):
        return 2 * super().__getitem__(key)


class Scaled(list):
    scale = 1.0


def test_lists_and_dicts_with_ideas_of_their_own_are_refused():
    first = minigrad.compile(lambda xs: xs["a"])
    for given in (Doubled(a=1.0), Counter(a=1.0)):
        with pytest.raises(TypeError, match="plain lists"):
            first(given)
    assert first(OrderedDict(a=1.0)) == 1.0
    with pytest.raises(TypeError, match="Scaled"):
        minigrad.compile(lambda xs: xs.scale * xs[0])(Scaled([1.0]))
    with pytest.raises(TypeError, match="Scaled"):
        minigrad.compile(sum).batched()(Scaled([[1.0]]))


def test_lists_that_never_end():
    endless = [1.0]
    endless.append(endless)
    with pytest.raises(TypeError, match="contains itself"):
        minigrad.compile(lambda xs: xs[0])(endless)

    def returned(x):
        found = [x]
        found.append(found)
        return found

    with pytest.raises(TracingError, match="contains itself"):
        minigrad.compile(returned)(1.0)


@pytest.mark.parametrize("kind", [complex, bool, str, object])
def test_only_arrays_of_numbers_are_differentiated(kind):
    many = minigrad.compile(lambda x: x * x).batched()
    with pytest.raises(TypeError, match="no numbers"):
        many.grad(np.array([0.0, 1.0]).astype(kind))


def test_masked_arrays_are_refused_also_behind_others():
    program = minigrad.compile(lambda xs: xs[0] * xs[1])
    many = program.batched()
    plain = np.ones((2, 2))
    masked = np.ma.array(plain, mask=plain > 0)
    for call, given in ((program, plain[0]), (many, plain)):
        assert np.all(call(given) == 1.0)
        with pytest.raises(TypeError, match="masked"):
            call(masked[0] if given.ndim == 1 else masked)


def test_arrays_wherever_they_lie_in_memory():
    wanted = np.arange(6.0).reshape(3, 2)
    odd = np.frombuffer(b"\0" + wanted.tobytes(), dtype=np.uint8)[1:].view(np.float64).reshape(3, 2)
    assert not odd.flags.aligned
    program = minigrad.compile(lambda xs: xs[0] * xs[0] + xs[1])
    for given in (wanted, odd, wanted.astype(">f8"), np.asfortranarray(wanted)):
        value, slope = program.batched().value_and_grad(given)
        assert value.tolist() == [1.0, 7.0, 21.0]
        assert np.asarray(slope)[:, 0].tolist() == [0.0, 4.0, 8.0]
    for row in (wanted[2], odd[2]):
        assert program(row) == 21.0
        assert program.value_and_grad(row)[0] == 21.0


# ---- names in exported text -----------------------------------------------------------------------

EVIL = ['"""', "'''", "*/ int x; /*", "a\nimport os", "\0", "\\", "\ud800", "", "d", None, 0, -1]


@pytest.mark.parametrize("form", ["to_numpy", "to_c"])
def test_keys_cannot_leave_their_comment(form):
    program = minigrad.compile(lambda d: sum(v * (n + 1) for n, v in enumerate(d.values())))
    numbers = {key: float(n) for n, key in enumerate(EVIL)}
    source = getattr(program, form)(numbers)  # it is checked, so it was run
    assert not re.search(r"^(import os|\s*int x;)", source.text, re.MULTILINE)


@pytest.mark.parametrize("form", ["to_numpy", "to_c"])
def test_arguments_named_as_what_the_text_uses(form):
    def f(np, c, i, d, d_x, result):
        return np[0] * c[1] * i * d["x"] * d_x * result

    source = getattr(minigrad.compile(f), form)([1.0, 2.0], [3.0, 4.0], 5.0, {"x": 6.0}, 7.0, 8.0)
    if form == "to_numpy":  # C was run when it was checked
        given = np.array([1.0, 2.0]), np.array([3.0, 4.0]), 5.0, {"x": 6.0}, 7.0, 8.0
        assert source.value(*given) == 1.0 * 4.0 * 5.0 * 6.0 * 7.0 * 8.0


def test_a_value_that_no_sample_changes_can_be_exported():
    torch = pytest.importorskip("torch")
    program = minigrad.compile(lambda rows, index: minigrad.take(rows, index) * 2)
    module = program.to_torch([1.0, 2.0, 3.0], -1).module()
    assert module(torch.tensor([-1.0, -1.0])).tolist() == [6.0, 6.0]
