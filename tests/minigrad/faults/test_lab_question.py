"""The question before the run: facts of the graph, about the thing that the fault tampers with."""

from __future__ import annotations

import pytest

from lab_graphs import fan
from minigrad.faults import FAULTS, lab
from minigrad.faults.lab_question import question
from minigrad.text.translation import speaking

SUM = "Which of these will be left at the end, and does that depend on the order?"
ORDER = "Will it have heard from all of them when its turn comes, and will it have one turn only?"
SLOTS = "What if a slot is lost, or the two are exchanged?"


def asked(text: str, slug: str, **inputs: float) -> list[str]:
    with speaking("en"):
        return list(question(lab(text, slug, inputs or None)))


def squares(count: int) -> str:
    names = "abcde"[:count]
    given = "; ".join(f"{name} = 3" for name in names)
    return f"{given}; s = sum({', '.join(f'{name}*{name}' for name in names)})"


def test_about_the_sum():
    assert asked(fan(4), "overwrite") == ["a is owed 5 via v3, 4 via v2, 3 via v1, 2 via v0", SUM]
    assert asked(fan(5), "overwrite") == ["a is owed 6 via v4, 5 via v3, 4 via v2, 3 via v1, ... (5)", SUM]
    *facts, last = asked(squares(4), "overwrite")
    assert (len(facts), last) == (4, SUM)
    *facts, more, last = asked(squares(5), "overwrite")
    assert (len(facts), more, last) == (4, "... and 1 more", SUM)
    assert asked("a = 2; b = 3; a*b", "overwrite") == [
        "No node here is owed more than one contribution. Will anything come out wrong?"
    ]


def test_about_the_order():
    assert asked("a = 3; b = a*a; c = -b; d = b*c", "breadth-first") == ["b is used 2 times: in c, d", ORDER]
    assert asked("a = 3; b = a*a; c = b*b*b", "breadth-first")[0].startswith("b is used 3 times: in ")
    used = "a = 3; b = -a; " + "; ".join(f"c{i} = b*{i + 2}" for i in range(5))
    assert asked(f"{used}; sum(c0, c1, c2, c3)", "breadth-first")[0] == "b is used 4 times: in c0, c1, c2, c3"
    assert asked(f"{used}; sum(c0, c1, c2, c3, c4)", "breadth-first")[0] == (
        "b is used 5 times: in c0, c1, c2, c3, ..."
    )
    assert asked("a = 3; b = -a; exp(b)", "breadth-first") == [
        "No node between the inputs and the output is used twice. Can the order matter at all?"
    ]
    shared = "a = 3; " + "; ".join(f"b{i} = a*{i + 2}" for i in range(5)) + "; "
    products = ", ".join(f"b{i}*b{i}" for i in range(5))
    *facts, more, last = asked(f"{shared}sum({products})", "breadth-first")
    assert (len(facts), more, last) == (4, "... and 1 more", ORDER)


def test_about_the_seed():
    assert asked("a = 3; b = 2; L = a*b", "zero-seed") == [
        "The pass starts from dL/dL = 1. What becomes of a, b if it starts differently?"
    ]
    four, five = asked(squares(4), "zero-seed"), asked(squares(5), "zero-seed")
    assert "of a, b, c, d if" in four[0]
    assert "of a, b, c, d, ... if" in five[0]


def test_about_the_upstream():
    """d(exp b)/db = 1 at b = 0; 2*c sends 2, and so c has 2, b has 2."""
    assert asked("a = 0; b = -a; c = exp(b); L = 2*c", "upstream-ignored") == [
        "2 of 3 ops have an upstream gradient other than 1 (c: 2, b: 2). Which inputs are below them?"
    ]
    assert asked("a = 3; b = 2; c = a + b; c + a", "upstream-ignored") == [
        "Every op here has an upstream gradient of 1. Can a mistake with that factor show at all?"
    ]
    chain = "a = 0; b = -a; c = -b; d = -c; e = -d; "
    assert "(e: 2, d: -2, c: 2, b: -2)." in asked(chain + "L = 2*e", "upstream-ignored")[0]
    assert "(f: 2, e: -2, d: 2, c: -2, ...)." in asked(chain + "f = -e; L = 2*f", "upstream-ignored")[0]


def test_about_data_and_grad():
    assert asked("a = 3; b = 2; L = a*b", "data-for-grad") == [
        "L.data is 6 and L.grad is 1. Which numbers turn up below if the two kinds are mixed up?"
    ]


def test_about_the_slots():
    slug = next(slug for slug, fault in FAULTS.items() if fault.family == "slots")
    asked_of = {text: asked(text, slug) for text in ("a = 3; L = a*a", "a = 3; b = 2; c = a*b; L = c*c")}
    assert list(asked_of.values()) == [
        ["In L = a * a, a stands in 2 slots. How much of its gradient will arrive?"],
        ["In L = c * c, c stands in 2 slots. How much of its gradient will arrive?"],
    ]
    assert asked("a = 3; b = 2; c = -a; L = c*b", "second-operand-cut") == [
        "L = c * b has the local derivatives 2 for c, -3 for b",
        SLOTS,
    ]
    assert asked("a = 3; b = 2; L = sum(a, b, a)", slug) == [
        "In L = sum(a, b, a), a stands in 2 slots. How much of its gradient will arrive?"
    ]
    assert asked("a = 3; b = 2; c = a - b; L = -c", "second-operand-cut") == [
        "c = a - b has the local derivatives 1 for a, -1 for b",
        SLOTS,
    ]


def test_about_the_record():
    assert asked("a = 3; L = -a", "op-cut-from-graph") == [
        "1 op stands between L and a. What arrives if it is not recorded as it was computed?"
    ]
    two = asked("a = 3; b = 2; c = a*b; L = -c", "op-cut-from-graph")
    assert [line.partition(".")[0] for line in two] == ["2 ops stand between L and a, b"]


def test_about_time():
    assert asked("a = 3; b = 2; a*b", "no-zero-grad")[0].startswith(
        "This is not the only pass. What is in .grad and .data of a, b when it begins"
    )


def test_about_an_op():
    """Of several, the one at which the passes part."""
    assert asked("a = 3; b = 2; c = 5; d = a - b; L = d*c", "sub-sign") == [
        "d = a - b has the local derivatives 1 for a, -1 for b",
        "Which gradients change if sub has another rule, and which do not?",
    ]
    assert asked("a = 3; L = -a", "neg-sign") == [
        "L = -a has the local derivative -1 for a",
        "Which gradients change if neg has another rule, and which do not?",
    ]
    five = "; ".join(f"{name} = 2" for name in "abcde")
    assert asked(f"{five}; L = prod(a, b, c, d, e)", "prod-includes-itself")[0] == (
        "L = prod(a, b, c, d, e) has the local derivatives 16 for a, 16 for b, 16 for c, 16 for d"
    )


@pytest.mark.parametrize(
    ("slug", "text", "fact"),
    [
        ("mean-is-sum", "a = 2; b = 4; c = mean(a, b); L = -c", "c = mean(a, b) = 3"),
        ("reflected-sub", "a = 3; c = 5 - a; L = -c", "c = 5 - a = 2"),
        ("tanh-overflow", "a = 400; c = tanh(a); L = -c", "c = tanh(a) = 1"),
    ],
)
def test_about_an_op_that_is_computed_wrongly(slug, text, fact):
    assert FAULTS[slug].family in ("forward", "reflected", "numeric")
    assert asked(text, slug) == [
        f"{fact}. If this is computed wrongly, does the value show it, the gradient, or both?"
    ]


def test_about_an_op_where_nothing_is_wrong():
    """The passes do not part: the output is as good as any."""
    assert asked("a = 2; b = 1; c = a*b; L = c/b", "div-by-b")[0].startswith("L = c / b has the local")
