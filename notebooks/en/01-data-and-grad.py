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
# # What a node holds
#
# > Every value in a calculation has two numbers to its name: what it is, and how far the result would move if it moved.
#
# Unit 1 · 6 minutes

# %%
from minigrad import Value, explain
from minigrad.faults import lab
from minigrad.learn import check, command, picture, question, reveal

# %% [markdown]
# Here is a calculation with two inputs and three steps.

# %%
graph = """
a = 2; b = -3
c = a*b
d = a + b
e = c + d
"""
explain(graph)

# %% [markdown]
# Each name is a **node**. `a` and `b` are simply given. The others were made, and each of them remembers from what: `c` knows that it is `a * b`, `e` knows that it is `c + d`. Nodes and what they were made from: that is all that the word *graph* means here.

# %% [markdown]
# ## What it is: data
#
# Take a pencil and work it out, from the top down. What are `c`, `d` and `e`?
#
# From the top down:
#
# * `c` is `2 * (-3)`, which makes -6.
# * `d` is `2 + (-3)`, which makes -1.
# * `e` is `-6 + (-1)`, which makes -7. This is the result, the *output*.
#
# These numbers are called **data**. The `data` of a node says what the node *is*. Computing it from the inputs to the output is the *forward pass*, and you have just done one.

# %% [markdown]
# ## What it does: grad
#
# Now a question that no data answers. Suppose that `a` were a tiny bit larger. Would `e` grow or fall, and how many times as far as `a` would it move? A guess will do.
#
# Try it, which is always allowed. Push one input up by 0.001, leave the other alone, and do the forward pass again.
#
# | pushed | from | to | `e` becomes | `e` moved by |
# |---|---|---|---|---|
# | `a` | 2 | 2.001 | -7.002 | -0.002 |
# | `b` | -3 | -2.999 | -6.997 | 0.003 |
#
# Look at the last column. `e` moved -2 times as far as `a` did, so it went *down* while `a` went up. And it moved 3 times as far as `b` did, in the same direction.
#
# That factor is the **grad** of the node, short for *gradient*. You know it from school as a slope. The grad of a node says what the node *does to the output*: move the node a little, and the output moves by grad times as much.
#
# We say *a little* because most slopes change along the way. Close to where you stand, any smooth curve looks straight, and the grad is the slope of that straight piece.

# %% [markdown]
# ## Two numbers, two questions
#
# | node | data: what it is | grad: what it does to `e` |
# |---|---|---|
# | `a` | 2 | -2 |
# | `b` | -3 | 3 |
# | `c` | -6 | 1 |
# | `d` | -1 | 1 |
# | `e` | -7 | 1 |
#
# Read the row of `c` aloud: *`c` is -6, and for every 1 that it moves, `e` moves 1*. The two numbers have nothing to do with one another. A node with huge data may do nothing to the output, and a tiny one may rule it.
#
# The last row needs no pencil. When `e` moves by some amount, `e` moves by that amount. So the grad of the output is always 1. This plain fact is where every gradient computation starts; it is called the **seed**.

# %% [markdown]
# ## Sign and size
#
# A grad is read in two glances. The **sign** is the direction: plus means that the output goes along, minus that it goes the other way. The **size** is the leverage: how strongly this node pulls.
#
# Left of the line: pushing this input up pushes `e` down. The longer bar has more leverage.

# %%
picture(graph, "thermometer")

# %% [markdown]
# So if you wanted `e` to grow, which input would you touch first, and which way would you push it?
#
# The longest bar, `b`, upwards. And `a`? Downwards. Keep this in mind: training a neural network is this question, asked again and again. It comes back in the last unit.

# %% [markdown]
# ## Let the machine do it
#
# You pushed each input by hand, with one forward pass for each. With a million inputs you would not. A single *backward pass* finds all grads at once, and how it does that is what this course is about.

# %%
from minigrad import Value

a = Value(2.0, label="a")
b = Value(-3.0, label="b")
e = a * b + (a + b)
e.backward()
print("a:", a.data, a.grad)
print("b:", b.data, b.grad)

# %% [markdown]
# The same from the terminal, with a sentence for each input:

# %%
command('minigrad explain "c = a*b; d = a + b; e = c + d" a=2 b=-3 --view forward,meaning')

# %% [markdown]
# ## Lab
#
# In this course you learn how things work by breaking them. Here is the first bug. Somebody started the backward pass from the output's `data` where its `grad` belongs: -7 in place of 1. From there the pass finds all other grads by multiplying, so each of them is a multiple of the number that it starts from.
#
# A lab shows the change first, as two lines of the program: behind `-` what the line said, behind `+` what it says now. Below, your numbers stand beside those of the broken pass. Such a pass takes its nodes one after the other; whose *turn* it is when is the *order*, which has a unit of its own. And where it says `via d`, it means the part of a gradient that arrives through `d`.
#
# Every other line of the program is right. Predict the gradients of `a` and `b` that come out. Do they keep their signs?

# %%
lab(graph, "seed-is-data")

# %% [markdown]
# What counts in this run: every gradient is -7 times the right one. Each has changed its sign, because -7 is negative.

# %% [markdown]
# ## Checkpoint
#
# A new calculation, so that nothing can be looked up. Answer first; then the answer is shown, with its reason.

# %%
graph = """
u = 4; v = 2
w = u*v
z = w - v
"""

# %% [markdown]
# ### Question 1

# %%
q1 = question("data-and-grad/forward")
q1

# %%
check(q1, z=...)  # your answer in place of ...

# %%
# reveal(q1)  # take the # away to see the answer

# %% [markdown]
# ### Question 2

# %%
q2 = question("data-and-grad/push")
q2

# %%
check(q2, v=...)  # your answer in place of ...

# %%
# reveal(q2)  # take the # away to see the answer

# %% [markdown]
# ### Question 3

# %%
q3 = question("data-and-grad/strongest")
q3

# %%
check(q3, ...)  # your answer in place of ...

# %%
# reveal(q3)  # take the # away to see the answer

# %% [markdown]
# ### Question 4

# %%
q4 = question("leverage:1:14")
q4

# %%
check(q4, ...)  # your answer in place of ...

# %%
# reveal(q4)  # take the # away to see the answer

# %% [markdown]
# **What you can do now:** say what a node is and what it does, find a grad by pushing, and read its sign and size. **Next:** *Local rules*. Pushing an input tells you *that* the output moves. The rules tell you *why*, one step at a time.
