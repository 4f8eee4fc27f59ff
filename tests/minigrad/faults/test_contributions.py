"""What became of each contribution: the accounts of a broken pass, held against the right one."""

from __future__ import annotations

from dataclasses import replace
from math import inf, isfinite, nan

import pytest

from minigrad import Graph, parse, trace
from minigrad.faults import FAULTS, Suspect
from minigrad.faults.catalogue.traversal import WalkTooLongError
from minigrad.faults.contributions import OUTSIDE, Account, ContributionTerm, accounts, same, told_apart
from random_graphs import random_graph

DIAMOND = "ab = a*b; e = ab + c; f = a - c; L = e*f"
AT = {"a": 2.0, "b": 3.0, "c": 4.0}


def broken(graph: Graph, slug: str, variant="", **named):
    return trace(graph, pieces=Suspect(FAULTS[slug], variant).pieces(), **named)


# ---- contributions ------------------------------------------------------------------------------


def test_an_account_of_the_diamond():
    graph = parse(DIAMOND, AT)
    found = accounts(trace(graph), broken(graph, "overwrite"))
    ab, e, f, output = (graph.index(name) for name in ("ab", "e", "f", "L"))
    c = found[graph.index("c")]
    assert (c.expected, c.got, c.right) == (-12.0, -2.0, False)
    assert c.kept == (ContributionTerm(e, 1, -2.0),)
    assert c.lost == (ContributionTerm(f, 1, -10.0),)
    assert (c.changed, c.extra) == ((), ())
    b = found[graph.index("b")]
    assert b.right
    assert b.untouched
    assert b.owed == (ContributionTerm(ab, 1, -4.0),)
    assert found[output].owed == (ContributionTerm(OUTSIDE, OUTSIDE, 1.0),)


def test_what_arrives_changed_and_what_is_not_due():
    graph = parse("a = 3; -a")
    out = graph.output
    twice = accounts(trace(graph), broken(graph, "accumulate-twice"))[0]
    assert twice.changed == ((ContributionTerm(out, 0, -1.0), ContributionTerm(out, 0, -2.0)),)
    stale = accounts(trace(graph), broken(graph, "no-zero-grad", 3))[0]
    assert stale.kept == (ContributionTerm(out, 0, -1.0),)
    assert stale.extra == (ContributionTerm(OUTSIDE, OUTSIDE, -2.0),)
    cleared = accounts(trace(graph), broken(graph, "zero-grad-too-late"))[0]
    assert cleared.lost == (ContributionTerm(out, 0, -1.0),)
    seed = accounts(trace(graph), broken(graph, "seed-scaled", 5))[out]
    assert seed.changed == (
        (ContributionTerm(OUTSIDE, OUTSIDE, 1.0), ContributionTerm(OUTSIDE, OUTSIDE, 5.0)),
    )


def test_a_node_that_sends_again_sends_one_too_many():
    graph = parse("a = 3; b = a + a; b + b")
    b = graph.index("b")
    found = accounts(trace(graph), broken(graph, "recursion"))[0]
    assert (found.expected, found.got) == (4.0, 8.0)
    assert found.kept == found.extra == (ContributionTerm(b, 0, 2.0), ContributionTerm(b, 1, 2.0))


@pytest.mark.parametrize(("slug", "variant", "kept"), [("overwrite", "", 1), ("branch-dropped", (1, 1), 0)])
def test_of_two_equal_contributions_the_twin_says_which_was_lost(slug, variant, kept):
    graph = parse("a = 3; a + a")
    pieces = Suspect(FAULTS[slug], variant).pieces()
    passes = trace(graph), trace(graph, pieces=pieces), trace(graph, pieces=told_apart(pieces))
    assert [term.slot for term in accounts(*passes)[0].kept] == [kept]


def test_the_terms_of_an_account_add_up_to_what_the_node_got():
    checked = 0
    for fault in FAULTS.values():
        for number in range(6):
            graph = random_graph(number, ("add", "sub", "mul", "neg", "tanh", "relu", "where"))
            for suspect in fault.suspects(graph)[:3]:
                try:
                    other = trace(graph, pieces=suspect.pieces())
                except WalkTooLongError:
                    continue
                for account in accounts(trace(graph), other).values():
                    arrived = [*account.kept, *(term for _, term in account.changed), *account.extra]
                    numbers = [term.amount for term in arrived]
                    owed = [term.amount for term in account.owed]
                    if all(map(isfinite, (*numbers, account.got))):
                        size = max(map(abs, (*numbers, *owed, account.got)))
                        assert abs(sum(numbers) - account.got) <= 1e-9 * size, (fault.slug, number)
                        checked += 1
    assert checked > 1000


def test_a_right_pass_keeps_everything():
    for number in range(20):
        right = trace(random_graph(number, ("add", "mul", "sub", "tanh")))
        assert all(account.untouched and account.right for account in accounts(right, right).values())


def test_another_order_of_additions_is_no_other_contribution():
    """0.1, 0.2 and -0.3 add up to 0 but for roundings, which are not those of another order."""
    graph = parse("a = 1; s = a*1; p = s*0.1; q = s*0.2; r = s*-0.3; t = p + q; u = t + r; u + a")
    right = trace(graph)
    s = graph.index("s")
    others = [trace(graph, order=order) for order in graph.orders()]
    assert len({other.grads[s] for other in others}) > 1
    for other in others:
        assert accounts(right, other)[0].untouched


def test_what_another_slot_sent_is_changed_and_not_lost():
    """2 - a computed as a - 2: a is the first operand of what was the second, and gets 1 for -1."""
    graph = parse("a = 3; 2 - a")
    found = accounts(trace(graph), broken(graph, "reflected-sub"))[0]
    assert found.changed == (
        (ContributionTerm(graph.output, 1, -1.0), ContributionTerm(graph.output, 0, 1.0)),
    )
    assert (found.kept, found.lost, found.extra) == ((), (), ())


def test_a_gradient_that_is_no_number_has_an_account_too():
    """tanh from exp(400)/exp(400) sends nan; what was sent once is there once."""
    graph = parse("a = 400; b = 2; c = tanh(a); c*b + a")
    found = accounts(trace(graph), broken(graph, "tanh-overflow"))
    c, out = graph.index("c"), graph.output
    assert [(due.source, due.amount, sent.amount != sent.amount) for due, sent in found[0].changed] == [
        (c, pytest.approx(0.0), True)
    ]
    assert found[0].kept == (ContributionTerm(out, 1, 1.0),)
    assert (found[0].lost, found[0].extra, found[0].right) == ((), (), False)
    itself = broken(graph, "tanh-overflow")
    assert all(account.untouched and account.right for account in accounts(itself, itself).values())


def test_messages_are_told_apart_by_a_little():
    """Each is larger by less than a hundredth, and in a graph of some size no two by the same factor."""
    pieces = told_apart(Suspect(FAULTS["accumulate-twice"]).pieces())
    walk = pieces.begin(parse("a = 3; a + a"))
    factors = {
        (source, slot): pieces.message(walk, source, slot, 1.0, 1.0)
        for source in range(1, 30)
        for slot in (0, 1)
    }
    assert len(set(factors.values())) == len(factors)
    assert all(1.0 < factor < 1.01 for factor in factors.values())
    assert 1.0 < pieces.message(walk, 0, 0, 1.0, 1.0) < 1.0001


def test_a_twin_is_asked_only_where_the_numbers_do_not_tell():
    """p sends 1, the larger one by so little that it is the smaller one in the twin; q sent 0.9999 before."""
    graph = parse("a = 1; p = a*1; q = a*0.9999; L = p + q")
    pieces = Suspect(FAULTS["keep-largest"]).pieces()
    a = accounts(trace(graph), trace(graph, pieces=pieces), trace(graph, pieces=told_apart(pieces)))[0]
    p, q = graph.index("p"), graph.index("q")
    assert (a.kept, a.lost, a.changed) == (
        (ContributionTerm(p, 0, 1.0),),
        (ContributionTerm(q, 0, 0.9999),),
        (),
    )


def test_what_is_left_at_the_end_is_noticed():
    """Also where it is no number; what a message left is known."""
    graph = parse("a = 3; L = -a")
    right = trace(graph)
    for grad, extra in ((nan, nan), (4.0, 5.0)):  # -1 was sent
        found = accounts(right, replace(right, grads=(grad, 1.0)))[0]
        assert found.kept == (ContributionTerm(1, 0, -1.0),)
        assert str(found.extra) == str((ContributionTerm(OUTSIDE, OUTSIDE, extra),))


def test_small_contributions_are_told_apart_as_large_ones_are():
    graph = parse("a = 3; L = a*1e-12")
    a = accounts(trace(graph), broken(graph, "accumulate-twice"))[0]
    assert (a.kept, a.changed) == ((), ((ContributionTerm(2, 0, 1e-12), ContributionTerm(2, 0, 2e-12)),))


# ---- when two numbers are one -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("x", "y", "size"),
    [
        (1.0, 1.0, 0.0),
        (1.0, 1.0 + 1e-11, 0.0),
        (-1e6, -1e6 - 1e-5, 0.0),
        (0.0, 1e-9, 100.0),
        (0.0, 1e-10, 1.0),  # just so
        (nan, nan, 0.0),
        (inf, inf, 0.0),
    ],
)
def test_numbers_that_are_the_same(x, y, size):
    assert same(x, y, size)
    assert same(y, x, size)


@pytest.mark.parametrize(
    ("x", "y", "size"),
    [
        (1.0, 1.0 + 1e-9, 0.0),
        (1.0, -1.0, 0.0),
        (1e-6, 1.0001e-6, 0.0),
        (0.0, 1e-9, 1.0),
        (0.0, 1e-9, inf),
        (0.0, 1e-11, inf),  # a size that nothing can be said about is none
        (nan, 1.0, 0.0),
        (inf, -inf, 0.0),
        (inf, 1e308, 0.0),
    ],
)
def test_numbers_that_are_not_the_same(x, y, size):
    assert not same(x, y, size)
    assert not same(y, x, size)


def test_nothing_is_the_same_as_zero_but_zero():
    assert not same(0.0, 1e-300)


def test_an_account_is_right_up_to_roundings_of_what_is_owed():
    term = ContributionTerm(1, 0, 1.0)
    assert Account(0, 0.0, 1e-12, (term,), (), (), ()).right
    assert Account(0, 0.0, 1e-12, (), (term,), (), ()).right
    assert not Account(0, 0.0, 1e-12, (), (), (), ()).right
    assert not Account(0, 0.0, 1e-9, (term,), (), (), ()).right


def test_an_account_is_untouched_where_nothing_was_lost_changed_or_added():
    term = ContributionTerm(1, 0, 1.0)
    assert Account(0, 1.0, 1.0, (term,), (), (), ()).untouched
    assert not Account(0, 1.0, 1.0, (), (term,), (), ()).untouched
    assert not Account(0, 1.0, 1.0, (), (), ((term, term),), ()).untouched
    assert not Account(0, 1.0, 1.0, (), (), (), (term,)).untouched
