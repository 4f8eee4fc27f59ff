"""What the page is told of a diagnosis."""

from minigrad.studio.answers import answer


def test_of_a_long_order_the_first_thirty_nodes_are_told():
    # a goes into x0 = a*b and into 31 sums: its gradient is b + 31, and b alone where the last one overwrites
    text = "; ".join(["x0 = a*b", *(f"x{i} = x{i - 1} + a" for i in range(1, 32))])
    fields = {"text": text, "inputs": {"a": 2, "b": 3}, "observed": {"a": 3, "b": 2}}
    status, found = answer("diagnose", fields)
    best = found["diagnoses"][0]
    assert (status, found["verdict"], best["fault"]) == (200, "wrong", "overwrite")
    assert best["order"] == [f"x{i}" for i in range(31, 1, -1)], "x1 and x0 are left out"
