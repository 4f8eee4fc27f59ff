# ---
# jupyter:
#   jupytext:
#     text_representation:
#       extension: .py
#       format_name: percent
#       format_version: '1.3'
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown]
# # Day two: the backward pass
#
# Six sections, about an hour with paper and pencil:
#
# 1. a `Value` that knows its local rule
# 2. the rule of a product
# 3. a pass by hand, from right to left
# 4. a second opinion: PyTorch, or witnesses that know no derivative
# 5. the `+=` trap
# 6. the challenge: a graph with several branches, and exercises
#
# Until the last exercise our `Value` has no `backward()`. You call every rule yourself, so that you see
# what such a function will have to do.

# %%
from pathlib import Path

from minigrad import explain
from minigrad.doctor import examine
from minigrad.faults import lab
from minigrad.learn import check, command, exercise, picture, question, reveal

# %% [markdown]
# ## 1. A Value that knows its local rule
#
# A node holds two numbers. `data` is what it is worth. `grad` says how the output moves when this node moves
# a little. It starts at zero and is filled in later.
#
# When two nodes are added, the new node knows both of them. So it can also carry a small function,
# `_backward`, that says what to tell them once it has a gradient of its own. For a sum that is easy: whatever
# moves one of the terms moves the sum by as much. The local derivative is 1 on both sides.


# %%
class Value:
    """A number that remembers what it was made from."""

    def __init__(self, data, made_from=(), name=""):
        self.data = float(data)
        self.grad = 0.0
        self.made_from = made_from
        self.name = name
        self._backward = lambda: None  # a number that was given has nobody to tell

    def __repr__(self):
        return f"{self.name or 'Value'}(data={self.data:g}, grad={self.grad:g})"

    def __add__(self, other):
        total = Value(self.data + other.data, (self, other))

        def tell():
            self.grad += 1.0 * total.grad
            other.grad += 1.0 * total.grad

        total._backward = tell
        return total


# %% [markdown]
# ## 2. The rule of a product
#
# Now a product. **Before you read on**, cover the next cell and write its rule on paper: if `a` moves a
# little, by how much does `a * b` move? And if `b` moves?

# %%
def times(self, other):
    product = Value(self.data * other.data, (self, other))

    def tell():
        self.grad += other.data * product.grad
        other.grad += self.data * product.grad

    product._backward = tell
    return product


Value.__mul__ = times

# %% [markdown]
# The factors change places: each one is told about the data of the *other*. Everything a backward pass does
# is made of lines like these four: local derivative, times the gradient of the node itself, added to what is
# already there.
#
# ## 3. A pass by hand, from right to left
#
# A chain of three operations. Its forward pass runs by itself, because Python computes each line as it comes:

# %%
a, b, c, d = Value(3, name="a"), Value(-2, name="b"), Value(5, name="c"), Value(4, name="d")
p = a * b
p.name = "p"
q = p + c
q.name = "q"
L = q * d
L.name = "L"
nodes = [a, b, c, d, p, q, L]
print(*nodes, sep="\n")

# %% [markdown]
# The data is there, and every gradient is zero. Three things are left to do: plant the seed, call the rules
# from right to left, and look at what arrives.
#
# The seed first. When `L` moves by a little, `L` moves by just that:

# %%
L.grad = 1.0
print(L)

# %% [markdown]
# `L` is `q * d`. Say aloud what its two operands will be told. Then run it.

# %%
L._backward()
print(q, d)

# %% [markdown]
# `q` is `p + c`. A sum hands on what it has:

# %%
q._backward()
print(p, c)

# %% [markdown]
# And `p` is `a * b`:

# %%
p._backward()
print(a, b)

# %% [markdown]
# That was a backward pass. Each rule ran once, and none of them ran before the node it belongs to had its
# gradient. The pictures of the same graph come from `explain`, which took its own way to the same numbers.
#
# The river: data flows down from the inputs to `L`, gradients flow back up.

# %%
chain = """
a = 3; b = -2; c = 5; d = 4
p = a*b
q = p + c
L = q*d
"""
picture(chain, "river")

# %% [markdown]
# The waterfall: the way up mirrors the way down, step by step.

# %%
picture(chain, "waterfall")

# %% [markdown]
# The thermometer: which way does each input push `L`, and how hard? The longest bar has the most leverage.
# Bars to the right raise `L` when their input grows, bars to the left lower it.

# %%
picture(chain, "thermometer")

# %%
ours = {node.name: node.grad for node in (a, b, c, d)}
theirs = explain(chain).gradients
print("by hand:", ours)
print("explain:", theirs)
print("the same" if ours == theirs else "not the same: go through your rules again")

# %% [markdown]
# ## 4. A second opinion
#
# Two programs that share their formulas can share a mistake. So ask somebody who has never seen this code.
# PyTorch computes the same gradients with an engine of its own:

# %%
try:
    import torch
except ImportError:
    print("PyTorch is not installed here, and that is fine: the next cell asks others.")
    print("To ask it as well: pip install torch, then run this cell again.")
else:
    ta, tb, tc, td = (torch.tensor(node.data, requires_grad=True) for node in (a, b, c, d))
    ((ta * tb + tc) * td).backward()
    for node, tensor in zip((a, b, c, d), (ta, tb, tc, td)):
        same = node.grad == tensor.grad.item()
        print(f"{node.name}: by hand {node.grad:g}, PyTorch {tensor.grad.item():g}", "" if same else "  <- differs")

# %% [markdown]
# And here are witnesses that know no derivative at all. Central differences, for one, nudge an input to both
# sides and look how far the output moves:

# %%
command('minigrad check "p = a*b; q = p + c; q*d" a=3 b=-2 c=5 d=4 --ask quick')

# %% [markdown]
# ## 5. The += trap
#
# What is the gradient of `a` in `a + a`? Write down a number before you run the cell.

# %%
a = Value(3, name="a")
s = a + a
s.grad = 1.0
s._backward()
print(a)

# %% [markdown]
# Two slots hold the same node, and each of them sends 1. Now the same class with `=` where `+=` was:


# %%
class Forgetful(Value):
    def __add__(self, other):
        total = Forgetful(self.data + other.data, (self, other))

        def tell():
            self.grad = 1.0 * total.grad
            other.grad = 1.0 * total.grad

        total._backward = tell
        return total


a = Forgetful(3, name="a")
s = a + a
s.grad = 1.0
s._backward()
print(a)

# %% [markdown]
# The second message wiped out the first. Nothing crashed, and the number looks reasonable. With two
# *different* inputs this class would be right, which is why a test with two different inputs does not see it.
#
# On a larger graph, what is left depends on who speaks last. The lab shows the bug in every valid order:

# %%
lab("a = 2; b = 3; c = 4; ab = a*b; e = ab + c; f = a - c; L = e*f", "overwrite")

# %% [markdown]
# The same `+=` has another side. It adds to whatever is there, also to what an earlier pass has left behind.
# In the first cell of this section, call `s._backward()` twice and print `a` again: the gradient has doubled.
# That is why every training loop sets gradients to zero between two steps.
#
# ## 6. The challenge: several branches
#
# `L = (a*b + c) * (a + b)` with `a = 2`, `b = -1`, `c = 5`. Both `a` and `b` are used twice.
#
# Draw it. Name the nodes in between. Write the data beside each, then the gradients, from right to left, on
# paper. Only then put your numbers in place of the dots.

# %%
challenge = exercise("a = 2; b = -1; c = 5; ab = a*b; e = ab + c; f = a + b; L = e*f")
challenge

# %%
check(challenge, a=..., b=..., c=...)

# %% [markdown]
# If it was wrong, read what it says: it looks for the mistake that leads to your numbers. Then try again.
#
# When you are done, let your own class judge as well. The order is yours to choose. Which orders are allowed?

# %%
a, b, c = Value(2, name="a"), Value(-1, name="b"), Value(5, name="c")
ab = a * b
e = ab + c
f = a + b
L = e * f
# L.grad = 1.0
# ...  call the four rules in a valid order, then look at a, b and c
print(a, b, c)

# %% [markdown]
# To see it all, take the `#` away:

# %%
# explain("a = 2; b = -1; c = 5; ab = a*b; e = ab + c; f = a + b; L = e*f")

# %% [markdown]
# ### Exercises
#
# **One.** A graph of three operations. Every seed gives other numbers: put another one in place of 1 and you
# have a new exercise.

# %%
first = question("gradient:1:1")
first

# %%
check(first, **dict.fromkeys(first.blanks, ...))  # for example: check(first, a=3, b=-2)

# %% [markdown]
# **Two.** The same with nodes that are used more than once.

# %%
second = question("gradient:2:1")
second

# %%
check(second, **dict.fromkeys(second.blanks, ...))

# %% [markdown]
# **Three.** Somebody used `=` in place of `+=`. What does the pass leave behind?

# %%
third = question("order:1:1")
third

# %%
check(third, **dict.fromkeys(third.blanks, ...))

# %% [markdown]
# Gave up? `reveal` tells the answer and the reason:

# %%
# reveal(first)

# %% [markdown]
# **Four.** Here is a whole engine with a `backward()` of its own. It has one bug, and the doctor finds it.
# Cover the doctor's report with your hand, find the bug yourself, mend it in the text, and run both cells
# again until the doctor has nothing to say. Then go further: give it a subtraction, and ask again.

# %%
ENGINE = '''
class Value:
    def __init__(self, data, made_from=()):
        self.data = data
        self.grad = 0.0
        self.made_from = made_from
        self._backward = lambda: None

    def __add__(self, other):
        total = Value(self.data + other.data, (self, other))

        def tell():
            self.grad += total.grad
            other.grad += total.grad

        total._backward = tell
        return total

    def __mul__(self, other):
        product = Value(self.data * other.data, (self, other))

        def tell():
            self.grad += other.data * product.grad
            other.grad = self.data * product.grad

        product._backward = tell
        return product

    def backward(self):
        found, seen = [], set()

        def visit(node):
            if id(node) not in seen:
                seen.add(id(node))
                for below in node.made_from:
                    visit(below)
                found.append(node)

        visit(self)
        self.grad = 1.0
        for node in reversed(found):
            node._backward()
'''

# %%
Path("my_engine.py").write_text(ENGINE, encoding="utf-8")
print(examine("my_engine.py"))

# %% [markdown]
# **What you can do now:** write the two local rules, walk a pass with your own hands, have it checked by
# somebody else, and know the trap. Day three lets a program choose the order. In a terminal, `minigrad learn
# order` is about just that.
