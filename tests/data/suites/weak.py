from small import Value

a, b = Value(2.0), Value(3.0)
out = a * b
out.backward()
assert (out.data, a.grad, b.grad) == (6.0, 3.0, 2.0)
a, b = Value(2.0), Value(3.0)
out = a + b
out.backward()
assert (out.data, a.grad, b.grad) == (5.0, 1.0, 1.0)
