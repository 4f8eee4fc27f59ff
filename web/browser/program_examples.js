"use strict";
/*
 * Programs that are worth running; the first greets who comes without one.
 */

/** @type {readonly {key: string, text: string}[]} */
const PROGRAMS = [
  {
    key: "micrograd",
    text: `from micrograd.engine import Value

a = Value(-4.0)
b = Value(2.0)
c = a + b
d = a * b + b**3
c += c + 1
c += 1 + c + (-a)
d += d * 2 + (b + a).relu()
d += 3 * d + (b - a).relu()
e = c - d
f = e**2
g = f / 2.0
g += 10.0 / f
print(f'{g.data:.4f}')
g.backward()
print(f'{a.grad:.4f}')  # dg/da
print(f'{b.grad:.4f}')  # dg/db
`,
  },
  {
    key: "neuron",
    text: `from minigrad import Value

x = [Value(2.0), Value(0.0)]
w = [Value(-3.0), Value(1.0)]
bias = Value(6.88)

total = bias
for weight, entry in zip(w, x):
    total = total + weight * entry

out = total.tanh()
out.backward()
print([weight.grad for weight in w])
`,
  },
  {
    key: "training",
    text: `import random
from micrograd.nn import MLP

random.seed(1337)
model = MLP(2, [3, 1])
xs = [[0.0, 1.0], [1.0, 0.0]]
ys = [1.0, -1.0]

for step in range(20):
    loss = sum((model(x) - y) ** 2 for x, y in zip(xs, ys))
    model.zero_grad()
    loss.backward()
    if step < 19:  # the last loss is drawn: its weights must stay as they were
        for p in model.parameters():
            p.data -= 0.05 * p.grad
    print(step, round(loss.data, 4))
`,
  },
];
