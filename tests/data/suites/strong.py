from small import Value


def check(build, numbers, value, grads):
    leaves = [Value(x) for x in numbers]
    out = build(*leaves)
    out.backward()
    assert (out.data, [leaf.grad for leaf in leaves]) == (value, grads)


def diamond(a, b):
    c = a * b
    d = a + b
    return c * d


def ladder(a, b):
    c = a + b
    d = c * a
    e = d + c
    return e * d


check(lambda a, b: a * b, (2.0, 3.0), 6.0, [3.0, 2.0])
check(lambda a, b: a - b, (2.0, 3.0), -1.0, [1.0, -1.0])
check(lambda a: a + a, (3.0,), 6.0, [2.0])
check(lambda a: a * a, (3.0,), 9.0, [6.0])
check(diamond, (2.0, 3.0), 30.0, [21.0, 16.0])
check(ladder, (2.0, 3.0), 150.0, [185.0, 60.0])
check(lambda a, b: (a * b).relu() * -2.0 + a, (2.0, 3.0), -10.0, [-5.0, -4.0])
check(lambda a, b: a * b + (a * b).relu(), (-2.0, 3.0), -6.0, [3.0, -2.0])
check(lambda a: a.relu() + a, (-2.0,), -2.0, [1.0])
check(lambda a: a + a.relu(), (3.0,), 6.0, [2.0])
check(lambda a: 5 - a * 2 + 3 * a, (2.5,), 7.5, [1.0])
check(lambda a: 1 + -a, (2.5,), -1.5, [-1.0])
check(lambda a: (lambda b: b + b)(a + a), (3.0,), 12.0, [4.0])
check(lambda a: (lambda b: b * -b)(a * a), (3.0,), -81.0, [-108.0])
check(lambda a, b: a * b + b, (2.0, 2.0), 6.0, [2.0, 3.0])
check(lambda a, b: (a * a) * b + (a + a), (2.0, 5.0), 24.0, [22.0, 4.0])

a, b = Value(3.0), Value(2.0)
shared = a * b
(shared + a).backward()
for node in (a, b, shared):
    node.grad = 0.0
(shared * a).backward()
assert (a.grad, b.grad) == (12.0, 9.0)
c = Value(0.5) + Value(0.25)
c.backward()
d = Value(0.5) * Value(0.25)
d.backward()
assert d.grad == 1.0
