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
# # A pass by hand
#
# > Seed the output, go back one node at a time, multiply local by upstream, and add the result into the operand's grad.
#
# Unit 3 · 8 minutes

# %%
from minigrad import Value, explain
from minigrad.faults import lab
from minigrad.learn import check, command, picture, question, reveal

# %% [markdown]
# You know the rows, and you know what a node sends. This unit adds nothing new. It only asks you to do all of it once, with a pencil, to the last number. People who have done this once can see every later bug coming.

# %%
graph = """
a = 2; b = 3; c = 4
ab = a*b
e = ab + c
f = a - c
L = e*f
"""
explain(graph)

# %% [markdown]
# ## Forward
#
# First the data, from the top down: `ab` is `2 * 3`, so 6. `e` is `6 + 4`, so 10. `f` is `2 - 4`, so -2. And `L` is `10 * (-2)`, so -20.
#
# Notice that `a` is used in two places, and so is `c`. Do nothing special about it. It will take care of itself, and the next unit is about why.

# %% [markdown]
# ## Four moves
#
# 1. **Seed.** Write 1 as the grad of `L`, and 0 as the grad of everything else.
# 2. **Go right to left.** Take the nodes that were computed, the newest first: `L, f, e, ab`.
# 3. **Multiply.** Whoever's turn it is takes its own grad, the *upstream*, and for each operand multiplies it by the local derivative.
# 4. **Add.** The product goes *on top of* what the operand's grad already holds. *Before* and *after* are that grad.
#
# `L` begins. What does it send to `e`, and what to `f`? Then it is the turn of `f`: write down as many rows as you can.
#
# The whole walk:
#
# | turn | sends to | local × upstream | contribution | before | after |
# |---|---|---|---|---|---|
# | `L = e * f` | `e` | -2 × 1 | -2 | 0 | -2 |
# |  | `f` | 10 × 1 | 10 | 0 | 10 |
# | `f = a - c` | `a` | 1 × 10 | 10 | 0 | 10 |
# |  | `c` | -1 × 10 | -10 | 0 | -10 |
# | `e = ab + c` | `ab` | 1 × -2 | -2 | 0 | -2 |
# |  | `c` | 1 × -2 | -2 | -10 | -12 |
# | `ab = a * b` | `a` | 3 × -2 | -6 | 10 | 4 |
# |  | `b` | 2 × -2 | -4 | 0 | -4 |
#
# The inputs have nobody to send to, so the pass is over: `a` has 4, `b` has -4, `c` has -12.
#
# Stop at two places. In the first two rows, `e` gets the data of `f`, and `f` gets the data of `e`: the swap of the product. And in the row where `ab` sends to `a`, the grad of `a` already held 10. It became 4 because -6 was *added*. The column on the right is not a result that gets replaced. It is a **running total**.

# %% [markdown]
# ## The same with Python
#
# Each `Value` has a method `_backward()` that makes exactly one turn: it sends to its own operands and stops. Calling it by hand, in our order, is the table above.

# %%
from minigrad import Value

a = Value(2.0, label="a")
b = Value(3.0, label="b")
c = Value(4.0, label="c")
ab = a * b
e = ab + c
f = a - c
L = e * f

L.grad = 1.0
for name, node in [("L", L), ("f", f), ("e", e), ("ab", ab)]:
    node._backward()
    print(name, ":", a.grad, b.grad, c.grad)

# %% [markdown]
# Read the middle of what it prints: after the turn of `f`, `a` stands at 10. That is no mistake and no gradient. It is a total on the way. Only when everyone has had a turn is it finished.
#
# When you write `L.backward()`, the seed and this loop are what runs. There is no more to it than that.

# %% [markdown]
# ## Forward mirrors backward
#
# Read the left side down and the right side up. Whatever was computed last speaks first.

# %%
picture(graph, "waterfall")

# %% [markdown]
# Forward, `L` was the last to be computed, because it needs `e` and `f`. Backward, it is the first to speak, because nobody else knows yet what they do to the output. Each line on the left has its counterpart on the right, and they run in opposite directions. Data goes down; gradients come back up.
#
# Why bother, when pushing each input gives the same numbers? Because of the cost. Pushing takes a forward pass for every input. The backward pass visits each operation once and has *all* gradients, however many inputs there are.

# %% [markdown]
# ## Lab
#
# Now leave out a single multiplication: each node sends its local derivative alone and forgets the upstream. That has happened in real libraries.
#
# Do the table again without the upstream factor. One of the three gradients comes out right nevertheless. Which one? Is there a reason for it, or is it luck?

# %%
lab(graph, "upstream-ignored")

# %% [markdown]
# Take a good look at that one right number. If your only test had been the gradient of `a`, this engine would have passed it.

# %% [markdown]
# ## Checkpoint

# %%
graph = """
u = 3; v = 2
p = u*v
m = p - u
z = m*v
"""

# %% [markdown]
# ### Question 1

# %%
q1 = question("by-hand/halfway")
q1

# %%
check(q1, u=...)  # your answer in place of ...

# %%
# reveal(q1)  # take the # away to see the answer

# %% [markdown]
# ### Question 2

# %%
q2 = question("by-hand/both")
q2

# %%
check(q2, u=..., v=...)  # your answer in place of ...

# %%
# reveal(q2)  # take the # away to see the answer

# %% [markdown]
# ### Question 3

# %%
q3 = question("by-hand/which")
q3

# %%
check(q3, ...)  # your answer in place of ...

# %%
# reveal(q3)  # take the # away to see the answer

# %% [markdown]
# ### Question 4

# %%
q4 = question("running:1:34")
q4

# %%
check(q4, a=...)  # your answer in place of ...

# %%
# reveal(q4)  # take the # away to see the answer

# %% [markdown]
# **What you can do now:** walk a backward pass to the last number, with a running total for each node. **Next:** *Diamonds*. Why must the contributions be added, and what happens if they are not?
