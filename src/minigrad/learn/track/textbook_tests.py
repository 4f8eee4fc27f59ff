"""The tests of the track's last step: a skeleton for test_engine.py, and a suite that sees the usual bugs."""

# mypy: ignore-errors
# > proof
from engine import is_right


def test_a_sum():
    assert is_right(lambda a, b: a + b, [2.0, 3.0])


# > hole
def test_the_rules():
    assert is_right(lambda a, b: a * b * b, [2.0, -3.0])
    assert is_right(lambda a, b: (a - b) * a, [2.0, -3.0])
    assert is_right(lambda a, b: a / b * a, [2.0, -3.0])
    assert is_right(lambda a: a**3 * a, [1.5])
    assert is_right(lambda a: a.exp() * a, [0.5])
    assert is_right(lambda a: a.tanh() * a, [0.5])
    assert is_right(lambda a: a.relu() * a, [0.5])


# > end
if __name__ == "__main__":
    for name, test in list(globals().items()):
        if name.startswith("test_"):
            test()
    print("all tests passed")
