from engine import Value

a = Value(2.0)
(a * 3.0).backward()
assert a.grad == 3.0
