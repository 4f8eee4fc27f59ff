"""Numbers of an engine, however deep they are wrapped; what holds several numbers is none."""

import pytest

from minigrad.doctor.inside.adapter import number_of


@pytest.mark.parametrize(
    ("found", "number"),
    [
        (4, 4.0),
        ([4.0], 4.0),
        (([4.0],), 4.0),
        ([[[4.0]]], 4.0),  # three lists around it, and no more
        ([[[[4.0]]]], None),
        ([4.0, 5.0], None),
        ([], None),
        ("4", None),
        (None, None),
    ],
)
def test_a_number_is_read_out_of_up_to_three_lists_of_one(found, number):
    assert number_of(found) == number
