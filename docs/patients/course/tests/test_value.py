"""Tests as a course might have them; docs/en/doctor.md shows what they miss."""

from value import Value


def test_product_and_sum():
    a, b = Value(2.0), Value(3.0)
    (a * b + a).backward()
    assert (a.grad, b.grad) == (4.0, 2.0)


def test_division():
    a, b = Value(1.0), Value(1.0)
    (a / b).backward()
    assert (a.grad, b.grad) == (1.0, -1.0)


def test_difference():
    a, b = Value(5.0), Value(2.0)
    (a - b).backward()
    assert (a.grad, b.grad) == (1.0, -1.0)
