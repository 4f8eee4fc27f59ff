"""What became of each contribution: the accounts of a broken pass, held against the right one."""

from __future__ import annotations

from math import isfinite

import pytest

from generator import random_graph
from minigrad import Graph, parse, trace
from minigrad.faults import FAULTS, Suspect
from minigrad.faults.catalogue.traversal import WalkTooLongError
from minigrad.faults.contributions import OUTSIDE, Term, accounts, told_apart

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
    assert c.kept == (Term(e, 1, -2.0),)
    assert c.lost == (Term(f, 1, -10.0),)
    assert (c.changed, c.extra) == ((), ())
    b = found[graph.index("b")]
    assert b.right
    assert b.untouched
    assert b.owed == (Term(ab, 1, -4.0),)
    assert found[output].owed == (Term(OUTSIDE, OUTSIDE, 1.0),)


def test_what_arrives_changed_and_what_is_not_due():
    graph = parse("a = 3; -a")
    out = graph.output
    twice = accounts(trace(graph), broken(graph, "accumulate-twice"))[0]
    assert twice.changed == ((Term(out, 0, -1.0), Term(out, 0, -2.0)),)
    stale = accounts(trace(graph), broken(graph, "no-zero-grad", 3))[0]
    assert stale.kept == (Term(out, 0, -1.0),)
    assert stale.extra == (Term(OUTSIDE, OUTSIDE, -2.0),)
    cleared = accounts(trace(graph), broken(graph, "zero-grad-too-late"))[0]
    assert cleared.lost == (Term(out, 0, -1.0),)
    seed = accounts(trace(graph), broken(graph, "seed-scaled", 5))[out]
    assert seed.changed == ((Term(OUTSIDE, OUTSIDE, 1.0), Term(OUTSIDE, OUTSIDE, 5.0)),)


def test_a_node_that_sends_again_sends_one_too_many():
    graph = parse("a = 3; b = a + a; b + b")
    b = graph.index("b")
    found = accounts(trace(graph), broken(graph, "recursion"))[0]
    assert (found.expected, found.got) == (4.0, 8.0)
    assert found.kept == found.extra == (Term(b, 0, 2.0), Term(b, 1, 2.0))


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
