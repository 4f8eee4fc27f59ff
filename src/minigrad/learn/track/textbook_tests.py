"""The tests of the track's last step: a skeleton for test_engine.py, and a suite that sees the usual bugs."""


# mypy: ignore-errors
# ruff: noqa: F821
# > proof
def test_a_sum():
    assert is_right(lambda a, b: a + b, [2.0, 3.0])


# > hole
def test_each_rule_with_something_behind_it():
    assert is_right(lambda a, b: (a + b) * (a + b) * 3, [2.0, -3.5])
    assert is_right(lambda a, b: (a * b) * (a * b) + a * b, [2.0, -3.5])
    assert is_right(lambda a, b: (a - b) * (b - a) * 2, [2.0, -3.5])
    assert is_right(lambda a, b: (5 - a) * (-b) * a, [2.0, -3.5])
    assert is_right(lambda a, b: (a / b) * (b / a + 2 / b) * a, [2.0, -3.5])
    assert is_right(lambda a: (a**3) * (a**0.5) * a, [1.5])
    assert is_right(lambda a: a + a.exp() * a.exp() * 2, [0.5])
    assert is_right(lambda a: a.tanh() * a.tanh() * 2 + a, [0.5])
    assert is_right(lambda a, b: a.relu() * b * 2 + b.relu() * a + a + b, [0.5, -1.5])


def test_a_number_that_is_used_twice():
    assert is_right(lambda a: a + a, [3.0])
    assert is_right(lambda a, b: a - b + a / b + a + b + b, [2.0, -3.5])
    assert is_right(lambda a, b: a + b + a**2 + a.exp() + b.tanh() + b.relu() + a.relu(), [0.5, -1.5])


def test_an_order_that_matters():
    def f(a, b):
        c = a * b
        d = c + a
        e = d * c
        return e * d + c - e * a

    assert is_right(f, [2.0, -3.5])
    assert is_right(lambda a, b: (a * b) / (a - b) * ((a * b) ** 2 - a / (a * b)), [2.0, -3.5])
    assert is_right(lambda a, b: (a * b).exp() - (a + b).tanh() * (a - b).relu(), [0.5, -1.5])
    assert is_right(lambda a, b: a * b * a * b + (a * b - a) * b, [1.5, 1.5])


def test_values():
    assert (Value(5.0) - 2).data == 3.0
    assert (5 - Value(2.0)).data == 3.0
    assert (Value(7.0) / 2).data == 3.5
    assert (7 / Value(2.0)).data == 3.5
    assert Value(-2.0).relu().data == 0.0
    assert abs(Value(0.5).tanh().data - 0.46212) < 1e-4
    assert abs(Value(11.0).exp().data - 59874.1417) < 1e-3


# > end
if __name__ == "__main__":
    for name, test in list(globals().items()):
        if name.startswith("test_"):
            test()
    print("all tests passed")
