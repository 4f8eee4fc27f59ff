"""Forensics asked about every fault: each is named, nobody innocent is, and they can be told apart.

* On random graphs on which a fault shows, walked in a random valid order, the fault is among those
  that give the observed numbers, given the gradients of the inputs alone.
* Right results, rounded to six digits, are called right.
* For pairs of faults there is a graph of at most six nodes that tells them apart.

`pytest --graphs=100000` asks 2,000 graphs of every fault.
"""

from __future__ import annotations

import random
import time
from itertools import combinations

import pytest

from fault_graphs import broken_at_random, shows, small_graph
from minigrad import parse
from minigrad.faults import FAULTS, Suspect, diagnose
from minigrad.faults.distinction import distinguish, gives, right
from minigrad.faults.forensics import RIGHT, examine
from minigrad.faults.lineup import Lineup

pytestmark = pytest.mark.both_engines

FIRST = "c = a*b; d = a + b; e = c + d", {"a": 2.0, "b": -3.0}


def slugs(forensics) -> list[str]:
    return [found.suspects[0].fault.slug for found in forensics.diagnoses if len(found.suspects) == 1]


def count(request) -> int:
    return 2000 if request.config.getoption("graphs") >= 100_000 else 4


@pytest.mark.parametrize("slug", FAULTS)
def test_a_fault_is_named_where_it_shows(slug, request):
    """In the top group of those that give the same numbers, on 95 of 100 graphs."""
    fault, wanted = FAULTS[slug], count(request)
    shown, missed, number = 0, [], 0
    while shown < wanted:
        number += 1
        assert number < 200 * wanted, f"{slug} does not show often enough to be examined"
        graph, draw = small_graph(number, fault), random.Random(number)
        got = broken_at_random(graph, fault, draw)
        if got is None:
            continue
        lineup = Lineup(graph, pairs=0)
        if not shows(got, lineup.right.gradients):
            continue
        shown += 1
        if slug not in slugs(examine(lineup, got)):
            missed.append(number)
    assert len(missed) <= 0.05 * wanted, missed


def test_nobody_is_accused_of_right_results(request):
    for number in range(count(request) * 75):
        graph = small_graph(number, list(FAULTS.values())[number % len(FAULTS)] if number % 2 else None)
        gradients = Lineup(graph).right.gradients
        for rounded in (
            {name: f"{x:.6g}" for name, x in gradients.items()},
            {name: float(f"{x:.6g}") for name, x in gradients.items()},
            {name: f"{x:.6f}" for name, x in gradients.items()},
        ):
            found = examine(Lineup(graph, pairs=0), rounded)
            assert (found.verdict, found.diagnoses) == (RIGHT, ()), (number, rounded)


def suspect_of(slug: str) -> Suspect:
    """A fault in a variant that shows on its smallest graph."""
    graph = FAULTS[slug].graph
    found = FAULTS[slug].suspects(graph)
    return next((suspect for suspect in found if gives(suspect, graph) != [right(graph)]), found[0])


def test_pairs_are_told_apart_by_small_graphs(request):
    """Of pairs that any graph tells apart: by one of at most six nodes, for 95 of 100, in a second."""
    pairs = list(combinations(FAULTS, 2))
    random.Random(4).shuffle(pairs)
    pairs = pairs[: len(pairs) if count(request) > 4 else 150]
    missed = []
    for first, second in pairs:
        suspects = [suspect_of(first), suspect_of(second)]
        started = time.process_time()
        found = distinguish(suspects)
        assert time.process_time() - started < 1.0
        if found is None:
            if any(apart(suspects, small_graph(number)) for number in range(40)):
                missed.append((first, second))
            continue
        assert len(found.graph) <= 6
        assert apart(suspects, found.graph)
    assert len(missed) <= 0.05 * len(pairs), missed


def apart(suspects: list[Suspect], graph) -> bool:
    first, second = (
        {tuple(f"{x:.4e}" for x in grads) for grads in gives(suspect, graph)} for suspect in suspects
    )
    return not first & second


def test_some_pairs_are_one_bug_written_in_two_ways():
    found = diagnose("-a", {"a": 0}, {"a": 3.0})
    alike = [{d.suspects[0].fault.slug for d in group} for group in found.groups]
    assert {"op-cut-from-graph", "op-without-rule", "closure-never-attached"} in alike
    assert distinguish([suspect_of("no-seed"), suspect_of("zero-seed")]) is None


def test_the_distinction_shows_what_each_would_give():
    found = diagnose(FIRST[0], {"a": 1, "b": 1}, FIRST[1])
    document = found.to_json()["distinguish"]
    graph = parse(document["expression"], document["inputs"])
    assert len(graph) == document["nodes"] <= 6
    for row in document["faults"]:
        variants = [s for s in FAULTS[row["fault"]].suspects(graph) if s.what(graph) == row["variant"]]
        numbers = gives(variants[0], graph) if variants else [right(graph)]
        assert [tuple(given.values()) for given in row["gradients"]] == numbers


def test_every_fault_can_be_told_in_both_languages():
    for fault in FAULTS.values():
        suspect = suspect_of(fault.slug)
        got = dict(
            zip(
                (fault.graph.names[i] for i in fault.graph.inputs),
                gives(suspect, fault.graph)[0],
                strict=True,
            )
        )
        found = diagnose(fault.graph, got)
        for lang in ("en", "es"):
            text = found.text(lang=lang)
            assert "{" not in text
        named = slugs(found) + [d.slugs for d in found.exact]
        assert fault.slug in named or found.verdict == RIGHT, fault.slug
        assert found.markdown(lang="es").startswith("# ")
