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
# # Diamonds
#
# > A node that is used twice acts on the output along two paths at once, so its gradient is the sum over the paths, and `+=` is how a program writes that sum.
#
# Unit 4 · 8 minutes

# %%
from minigrad import Value, explain
from minigrad.faults import lab
from minigrad.learn import check, command, picture, question, reveal

# %% [markdown]
# Twice already you have seen an input that two operations use. Here is the graph of the last unit again. Follow `a` with your finger.

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
# The paths from `a` part at once and meet again at `L`. On paper that looks like a diamond, and the name has stuck.

# %% [markdown]
# ## Two paths, one push
#
# How many paths lead from `a` to `L`? Follow them with your finger.
#
# There are 2:
#
# * `a > f > L`, where the local derivatives multiply to `1 * 10`, which is 10;
# * `a > ab > e > L`, where they multiply to `3 * 1 * (-2)`, which is -6.
#
# Now push `a` by one hair. Because of the first path, `L` moves by 10 hairs. Because of the second, it moves by -6 hairs. Which of the two happens? *Both*, for it is the same `a` that has moved, and it cannot move for one operation and stand still for the other. So `L` moves by 10 - 6, that is 4 hairs.
#
# That is the sum over paths: **multiply along each path, add over the paths.** Each node only adds up what arrives: 10 via f - 6 via ab.
#
# The ledger of `a`: every contribution it was sent, by whom, and the total.

# %%
picture(graph, "ledger", "a")

# %% [markdown]
# `b` is used once, so its ledger has one line, -4 via ab. `c` is used twice. What are its two lines?
#
# The ledger of `c` says -10 via f - 2 via e.

# %% [markdown]
# ## Why += and not =
#
# In a program, "add over the paths" is a single character. Right:
#
# ```text
# a.grad += local * upstream
# ```
#
# Wrong:
#
# ```text
# a.grad = local * upstream
# ```
#
# With `=`, each contribution wipes out the one before it. Only the path that arrives last is left. Nothing crashes. The numbers are clean, of a sensible size, and wrong. In a graph where everything is used once, every number is still right, so the usual small tests pass. In the public engines that were read for this project, `=` in place of `+=` is among the most common bugs, and it has passed the tests of whole courses.

# %% [markdown]
# ## Lab
#
# Our graph, with `=` in place of `+=` in every operation.
#
# The turns are taken in the order `L, f, e, ab`. For each input: which contributions come, which one comes last, and what is left at the end?

# %%
lab(graph, "overwrite")

# %% [markdown]
# The line that gives it away is the one where `a` goes from 10 to -6. With `+=` it would go from 10 to 4. A total that jumps *to* the new contribution has been replaced. A total that moves *by* it has been added to.
#
# And `b` is -4, which is right. One path, nothing to lose.

# %% [markdown]
# ## The smallest diamond
#
# It gets no smaller than this one:

# %%
graph = """
a = 3
s = a + a
"""
explain(graph)

# %% [markdown]
# A sum hands on to both of its operands, and both are `a`. So `a` gets 1 through the first slot and 1 through the second, 2 in all. That is right: when `a` grows by a hair, `a + a` grows by two.
#
# Is `a * a` a special case, then? Many people ask. No: each slot gets the other factor, which happens to be `a` again, so the total is twice `a`. That is the rule that you learned by heart in school. It is a diamond, too.

# %% [markdown]
# ## The same operator's other face
#
# `+=` adds to what is already there. Already there *from when*? If you call `backward()` twice, the second pass adds on top of the first one.

# %%
from minigrad import Value

a = Value(3.0, label="a")
(a + a).backward()
print(a.grad)
(a + a).backward()
print(a.grad)
a.zero_grad()
(a + a).backward()
print(a.grad)

# %% [markdown]
# So the grad has to be set back to zero between two passes that have nothing to do with one another. That is what `zero_grad` is for, and why every training loop calls it. Within a pass, forgetting to add is the bug. Between passes, forgetting to stop adding is the bug. One operator, two ways to go wrong.

# %% [markdown]
# ## Checkpoint
#
# You know this graph from the first unit. Somebody ran a backward pass over it and wrote the numbers down.

# %%
graph = """
a = 2; b = -3
c = a*b
d = a + b
e = c + d
"""

# %% [markdown]
# ### Question 1

# %%
q1 = question("diamonds/kept-branch")
q1

# %%
check(q1, ...)  # your answer in place of ...

# %%
# reveal(q1)  # take the # away to see the answer

# %% [markdown]
# ### Question 2

# %%
q2 = question("diamonds/lost-branch")
q2

# %%
check(q2, ...)  # your answer in place of ...

# %%
# reveal(q2)  # take the # away to see the answer

# %% [markdown]
# ### Question 3

# %%
q3 = question("diamonds/which-bug")
q3

# %%
check(q3, ...)  # your answer in place of ...

# %%
# reveal(q3)  # take the # away to see the answer

# %% [markdown]
# ### Question 4

# %%
q4 = question("diamonds/what-is-right")
q4

# %%
check(q4, a=..., b=...)  # your answer in place of ...

# %%
# reveal(q4)  # take the # away to see the answer

# %% [markdown]
# ### Question 5

# %%
q5 = question("lost:2:45")
q5

# %%
check(q5, ...)  # your answer in place of ...

# %%
# reveal(q5)  # take the # away to see the answer

# %% [markdown]
# **What you can do now:** see a gradient as a sum over paths, and read from wrong numbers which path was lost. **Next:** *Order*. In the lab, what was left depended on who spoke last. Who decides that?
