"""Cutting numbers out of an array by reshape, slice, flip and permute gives the right ones."""

from __future__ import annotations

import random

import numpy as np
import pytest

from minigrad.compiler.export.dialect import Dialect, DialectArray
from minigrad.compiler.export.views import StrideRule, cut, nested, rule_of, segments


def positions(rule):
    table = np.full(rule.sizes, rule.base)
    for axis, (size, stride) in enumerate(zip(rule.sizes, rule.strides, strict=True)):
        along = [1] * len(rule.sizes)
        along[axis] = size
        table = table + (np.arange(size) * stride).reshape(along)
    return table


def drawn(draw):
    """A rule over an array of some shape that it does not leave."""
    shape = tuple(draw.choice((1, 2, 3, 4, 6)) for _ in range(draw.randint(1, 3)))
    total = int(np.prod(shape))
    while True:
        rank = draw.randint(1, 3)
        sizes = tuple(draw.randint(1, 4) for _ in range(rank))
        strides = tuple(draw.choice((0, 1, -1, 2, 3, 4, 6, -6, 8, 12)) for _ in range(rank))
        strides = tuple(stride if size > 1 else 0 for size, stride in zip(sizes, strides, strict=True))
        rule = StrideRule(draw.randrange(total), sizes, strides)
        table = positions(rule)
        if table.min() >= 0 and table.max() < total:
            return shape, rule


@pytest.mark.parametrize("lanes", [False, True])
def test_a_cut_gives_the_numbers_of_its_rule(lanes):
    draw, done = random.Random(4), 0
    for _ in range(3000):
        shape, rule = drawn(draw)
        how = cut(rule, shape)
        if how is None:
            continue
        done += 1
        x = np.arange(np.prod(shape)).reshape(shape)
        if lanes:
            x = np.stack([x, x + 1000])
        found = Dialect().cut(
            DialectArray("x", shape, lanes), how, tuple(not stride for stride in rule.strides)
        )
        got = eval(found.text, {"x": x, "n": 2})
        table = positions(rule)
        wanted = np.broadcast_to(
            np.stack([table, table + 1000]) if lanes else table, (*[2] * lanes, *rule.sizes)
        )
        assert (np.broadcast_to(got, wanted.shape) == wanted).all(), (shape, rule, found.text)
        assert found.shape == tuple(
            size if stride else 1 for size, stride in zip(rule.sizes, rule.strides, strict=True)
        )
    assert done > 1500


def test_the_rule_of_a_table_is_found_or_not():
    table = 5 + 7 * np.arange(3)[:, None] + 2 * np.arange(4)
    assert rule_of(table) == StrideRule(5, (3, 4), (7, 2))
    table[2, 1] += 1
    assert rule_of(table) is None


def test_loops_within_loops():
    assert nested(np.array([0, 1, 8, 9, 16, 17])) == StrideRule(0, (3, 2), (8, 1))
    assert nested(np.array([0, 1, 8, 9, 16])) is None


def test_segments_cover_the_list():
    flat = np.array([0, 0, 1, 1, 1, 5, 6, 7, 20, 3])
    found = segments(flat)
    assert found is not None
    assert np.concatenate([positions(rule).reshape(-1) for rule in found]).tolist() == flat.tolist()
    assert segments(np.random.default_rng(1).permutation(500)) is None


def test_windows_that_slide_are_no_cut():
    assert cut(StrideRule(0, (4, 3), (1, 1)), (6,)) is None
