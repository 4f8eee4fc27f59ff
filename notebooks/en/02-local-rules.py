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
# # Local rules
#
# > Each operation knows its own slope, and a gradient is made of nothing but such slopes, multiplied.
#
# Unit 2 · 7 minutes

# %%
from minigrad import Value, explain
from minigrad.faults import lab
from minigrad.learn import check, command, picture, question, reveal

# %% [markdown]
# In the last unit you found gradients by pushing. It works, but it explains nothing. Let us look inside a single step.

# %%
graph = """
x = 3; y = 5
z = x*y
"""
explain(graph)

# %% [markdown]
# ## A product swaps
#
# Draw a rectangle. One side is `x`, the other is `y`, and the area is `z`, that is `3 * 5`, or 15.
#
# Now make the side `x` longer by a hair. How much area do you gain?
#
# You gain a thin strip. It is one hair wide and as long as *the other side*. So `z` grows 5 times as fast as `x`. Do the same to the side `y`, and the strip is as long as `x`: `z` grows 3 times as fast as `y`.
#
# That is the rule of the product. The derivative for `x` is 5, which is `y`. The derivative for `y` is 3, which is `x`. **A product swaps its factors.**

# %% [markdown]
# ## A sum hands on
#
# Lay two sticks end to end. Make one of them longer by a hair, and the whole grows by the same hair. It does not matter how long the sticks are. So in `x + y` both derivatives are 1. **A sum hands on what it gets, unchanged.**

# %% [markdown]
# ## Every other operation is one more row
#
# These derivatives are called **local**. They ask about one operation alone: if this operand moves a little, how far does *the result of this step* move? What comes before and after is none of its business.
#
# | operation | local, first | second | in words |
# |---|---|---|---|
# | `a + b` | 1 | 1 | hands on |
# | `a * b` | `b` | `a` | swaps |
# | `a - b` | 1 | -1 | hands on, the second with a minus |
# | `relu(a)` | 1 or 0 |  | a gate, open above zero and shut below |
#
# You could do without the third row. `a - b` is `a + (-1 * b)`: a product and a sum, and both of their rules you know. The product turns what it gets for `b` around, the sum hands on. minigrad has a row for `-` because it is short, not because it is new; the terminal shows that both ways lead to the same gradients.

# %%
command('minigrad explain "m = -1 * b; a + m" a=5 b=2 --view ledger')

# %%
command('minigrad explain "a - b" a=5 b=2 --view ledger')

# %% [markdown]
# minigrad knows 56 operations, and each of them is one row like these. Once an operation has its row, you need to know nothing else about it.

# %% [markdown]
# ## From local to gradient
#
# Here is a chain of three steps. It is a neuron, by the way: multiply, add, and a gate.

# %%
graph = """
a = 2; b = -3; d = 10
c = a*b
e = c + d
f = relu(e)
"""
explain(graph)

# %% [markdown]
# Forward, that is `2 * (-3)` for `c`, then `-6 + 10` for `e`, and the gate lets 4 through.
#
# What does `a` do to `f`? The two never meet. `a` only meets `c`, `c` only meets `e`, and `e` meets `f`. So go along, one step at a time. Push `a` by one hair.
#
# 1. `c` moves -3 hairs, because a product swaps.
# 2. For every hair of `c`, `e` moves 1, because a sum hands on.
# 3. For every hair of `e`, `f` moves 1, because the gate is open.
#
# Factors that act one after the other multiply: `-3 * 1 * 1` makes -3. School calls this the **chain rule**.
#
# A computer does it from the other end, because from there one sweep serves all inputs. Every node asks: *how far does the output move when I move?* That number is its own grad. Seen from the operands below it is called **upstream**, since it comes down to them from the output. Each node then sends to each operand
#
# **contribution = local × upstream**
#
# and that is the whole machine. Follow it here, from the output back:
#
# | node | upstream | local | it sends |
# |---|---|---|---|
# | `f = relu(e)` | 1 (the seed) | 1 | 1 to `e` |
# | `e = c + d` | 1 | 1 and 1 | 1 to `c`, 1 to `d` |
# | `c = a * b` | 1 | -3 and 2 | -3 to `a`, 2 to `b` |
#
# The same pass as one picture: data forward, gradients back, and what is sent on the way.

# %%
picture(graph, "graph")

# %% [markdown]
# In words: if `a` grows a little, `f` falls 3 times as much; if `b` grows a little, `f` grows 2 times as much.

# %% [markdown]
# ## A shut gate
#
# Now let `d` be 1 and keep the rest. Then `e` is -5, and the gate makes 0 of it. Push `a` by a hair: `e` moves, but it stays below zero, and `f` does not stir. A shut gate sends nothing, so every gradient behind it is zero.
#
# And with `e` at exactly zero? There the curve has a corner, a *kink*, and no slope at all. Everyone has to choose a number; we choose 0, as PyTorch does, and the explanation says so whenever a pass touches such a point.

# %% [markdown]
# ## Lab

# %%
graph = """
x = 3; y = 5; w = 4
p = x*y
z = p - w
"""
explain(graph)

# %% [markdown]
# A public engine once had the row of `-` wrong: it said that a difference hands on to both sides, like a sum.
#
# Which of the three gradients come out wrong, and which stay right? Why those?

# %%
lab(graph, "sub-sign")

# %% [markdown]
# ## Checkpoint

# %%
graph = """
u = 5; v = 2; w = 4
m = u - v
n = m*w
"""

# %% [markdown]
# ### Question 1

# %%
q1 = question("local-rules/all-three")
q1

# %%
check(q1, u=..., v=..., w=...)  # your answer in place of ...

# %%
# reveal(q1)  # take the # away to see the answer

# %% [markdown]
# ### Question 2

# %%
q2 = question("local-rules/square")
q2

# %%
check(q2, ...)  # your answer in place of ...

# %%
# reveal(q2)  # take the # away to see the answer

# %% [markdown]
# ### Question 3

# %%
q3 = question("local-rules/quotient")
q3

# %%
check(q3, ...)  # your answer in place of ...

# %%
# reveal(q3)  # take the # away to see the answer

# %% [markdown]
# ### Question 4

# %%
q4 = question("gradient:1:24")
q4

# %%
check(q4, a=..., b=...)  # your answer in place of ...

# %%
# reveal(q4)  # take the # away to see the answer

# %% [markdown]
# **What you can do now:** name the local derivative of an operation, and turn local derivatives into a gradient by multiplying. **Next:** *A pass by hand*. You have seen the machine. Now you are the machine.
