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
# # Break it on purpose
#
# > You understand a machine when you can say beforehand what it will do with a part taken out.
#
# Unit 7 · 8 minutes

# %%
from minigrad import Value, explain
from minigrad.faults import lab
from minigrad.learn import check, command, picture, question, reveal

# %% [markdown]
# So far you have broken a pass whenever a unit told you to. Now it becomes a method. It is the method of every good mechanic and every good scientist: change one thing, and say *first* what will come of it.

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
# ## Six steps
#
# Here they are, with the bug that you know best, `=` in place of `+=`.
#
# 1. **Hypothesis.** `b` is used once and stays right. `a` and `c` are used twice and keep only what came last.
# 2. **The change.** One line: `child.grad += amount` becomes `child.grad = amount`.
# 3. **The run.** Same inputs, in the order `L, f, e, ab`.
# 4. **The expected failure.** `a` gives -6 in place of 4, `c` gives -2 in place of -12, and `b` stays at -4. Written down *before* the run, with the order.
# 5. **The diagnostic.** What would you print in order to see it happen? Each delivery: `a.grad: 10 -> -6` where `10 -> 4` was due.
# 6. **The lesson.** A gradient is a sum. Test it with a graph in which something is used twice.
#
# The fourth step is the one that teaches. If the run does what you said, you understood the part. If it does not, you are about to learn something. Either way you win, but only if you wrote it down first.

# %% [markdown]
# ## Lab
#
# Here is a nastier version of the bug you know. Only *one* operation was written with `=`: the product. All the others add.
#
# Mark the deliveries that a product makes. Those can wipe something out; no others can.

# %%
picture(graph, "graph")

# %% [markdown]
# Do all six steps yourself. Which input is wrong in the order `L, f, e, ab`? And is there a valid order in which nothing is wrong at all?

# %%
lab(graph, "overwrite-one-op", variant="mul")

# %% [markdown]
# A bug that comes and goes with the order: run this engine a second time with another order, and the test is green. Now you know why people doubt their eyes.

# %% [markdown]
# ## Why the usual tests pass

# %%
graph = """
x = 3; y = 5
z = x*y
"""
explain(graph)

# %% [markdown]
# This is what a first test looks like. With `=` in place of `+=`, it gives 5 for `x` and 3 for `y`. Both are right. Without the upstream factor it gives 5 and 3. With plain recursion, 5 and 3. All right! Nothing is used twice, nothing lies above the product, and the seed is the only upstream there is. A test can find only what its graph lets happen.
#
# Of 191 public engines that were read for this project, old versions included, more than half had some gradient silently wrong, and most of those pass the popular checks. A good test graph therefore has something used twice, something *in between* used twice, an operation above each operation, and numbers that are all different and neither zero nor one.

# %% [markdown]
# ## From the numbers back to the bug
#
# Now the other way round. You see wrong gradients, and the code is far too long to read. What do the numbers say?
#
# | what you see | where to look first |
# |---|---|
# | everything is zero | the seed, or an order that was not reversed |
# | everything is off by one and the same factor | the seed |
# | only what is used twice is wrong, and a term is missing | the sum: `=` in place of `+=` |
# | too much arrives below a shared node | the order: somebody spoke twice |
# | only what lies below one kind of operation is wrong | the rule of that operation |
# | the first pass is right, the second is not | what the first one left behind: `zero_grad` |
#
# Never judge by one number. Look at all of them, and compare each with what its node was *owed*: which term is missing, which came twice, which has another sign? That comparison can be left to a program:

# %%
command('minigrad diagnose "ab = a*b; e = ab + c; f = a - c; L = e*f" a=2 b=3 c=4 --got a=-6 b=-4 c=-2')

# %% [markdown]
# It tries each of the 155 bugs of the catalogue in each valid order, and keeps those that give exactly these numbers. Read the end of what it prints, too. Where several bugs fit, it looks for a small graph on which they *differ*. That is the next experiment.

# %% [markdown]
# ## Your own engine
#
# If you have written an engine yourself, or are about to, there is a doctor for it. It runs your file on a couple of hundred small programs, names the bug, shows the smallest program that proves it, and tries changes in memory until one makes it right. It does not touch your file.
#
# ```console
# $ minigrad doctor engine.py
# ```

# %% [markdown]
# ## Checkpoint

# %%
graph = """
x = 3; y = 2
u = x + y
p = u*x
t = p + u
"""

# %% [markdown]
# ### Question 1

# %%
q1 = question("break/detective")
q1

# %%
check(q1, ...)  # your answer in place of ...

# %%
# reveal(q1)  # take the # away to see the answer

# %% [markdown]
# ### Question 2

# %%
q2 = question("break/in-between")
q2

# %%
check(q2, x=..., y=...)  # your answer in place of ...

# %%
# reveal(q2)  # take the # away to see the answer

# %% [markdown]
# ### Question 3

# %%
q3 = question("break/blind-spot")
q3

# %%
check(q3, ...)  # your answer in place of ...

# %%
# reveal(q3)  # take the # away to see the answer

# %% [markdown]
# ### Question 4

# %%
q4 = question("bug:2:74")
q4

# %%
check(q4, ...)  # your answer in place of ...

# %%
# reveal(q4)  # take the # away to see the answer

# %% [markdown]
# **What you can do now:** break a pass by plan, predict the failure in its order, and go from wrong numbers back to the bug. **Next:** *From one gradient to training*. What are all these gradients for, and what does a wrong one do to a model that learns?
