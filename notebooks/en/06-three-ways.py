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
# # Three ways to one number
#
# > If three methods that share no mistake find the same gradient, you can trust it.
#
# Unit 6 · 8 minutes

# %%
from minigrad import Value, explain
from minigrad.faults import lab
from minigrad.learn import check, command, picture, question, reveal

# %% [markdown]
# A wrong gradient looks just like a right one. It is a number. So how do you know? Not by doing the same thing again: whoever makes a mistake once makes it twice. Do something *else*, and see whether you arrive at the same place.

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
# ## First way: the chain rule on paper
#
# Forget the machine. Write down the paths from `a` to `L`; along each of them multiply the derivatives, and add over the paths.
#
# * `a > f > L` gives `1 * 10`, which is 10.
# * `a > ab > e > L` gives `3 * 1 * (-2)`, which is -6.
#
# Together 10 - 6, so 4. This way knows the rules, but no order, no running total, no `+=`.

# %% [markdown]
# ## Second way: the walk
#
# Seed, `L, f, e, ab`, local times upstream, add. You did this in unit three: `a` went from 0 to 10 and then to 4. This way knows the rules too, and adds the bookkeeping that makes it fast.

# %% [markdown]
# ## Third way: push
#
# The third way knows no rule at all. It only computes forward, twice. Push `a` up by a small amount `h`, then push it down by the same amount. See how far apart the two results are, and divide by how far apart the two inputs were. This is the **central difference**.
#
# With `h` at 0.001:
#
# | `a` | `L` |
# |---|---|
# | 2.001 | -19.995997 |
# | 1.999 | -20.003997 |
# | apart by 0.002 | apart by 0.008 |
#
# The quotient is 4. You can even see why, with letters in place of numbers. Pushed up, `e` is `10 + 3h` and `f` is `-2 + h`. Multiply that out: `L` is `-20 + 4h + 3h·h`. Pushed down, it is `-20 - 4h + 3h·h`. Subtract. The terms with `h·h` are the same on both sides and vanish, and what is left is `8h`, over a distance of `2h`. That is 4. Pushing one way only would have kept the term with `h·h`; that is why we push both ways.

# %% [markdown]
# ## Who shares what
#
# What does each way rely on?
#
# | way | rules | bookkeeping | forward pass |
# |---|---|---|---|
# | paper | yes | no | yes |
# | walk | yes | yes | yes |
# | push | no | no | yes |
#
# Now a disagreement tells you where to look. Paper and push agree, but the walk does not? Then it is the bookkeeping. Paper and walk agree, but the push does not? Then a *rule* is wrong, and both believed it. And if the forward pass itself computes the wrong thing, all three agree happily: they give the right slope of the wrong function. So look at the data, too.

# %% [markdown]
# ## The court
#
# minigrad keeps a whole court of such witnesses: exact fractions, complex numbers, fifty digits of precision, PyTorch and others. Most know none of its derivative rules. Here are four that need nothing installed:

# %%
command('minigrad check "ab = a*b; e = ab + c; f = a - c; L = e*f" a=2 b=3 c=4 --ask exact,complex,central,paper')

# %% [markdown]
# ## How small is small?
#
# School says: let `h` go to zero. A computer keeps about sixteen digits of a number, and that changes the advice. Take the slope of `x` cubed at two, which is twelve, and make `h` smaller and smaller.

# %%
for h in (1.0, 1e-3, 1e-6, 1e-9, 1e-12, 1e-15):
    print(h, ((2 + h) ** 3 - (2 - h) ** 3) / (2 * h))

# %% [markdown]
# At first it gets better, because the curve bends less over a shorter stretch. Then it gets worse. The two results are now so close to one another that they share nearly all their digits, the subtraction cancels those, and what remains is rounding. So a difference is hardly ever exact, and *agrees* means: within what the rounding allows. A good witness says how far it can be trusted.

# %% [markdown]
# ## Lab
#
# The derivative of `tanh` is usually written with its *output* `y`: one minus `y` squared. Somebody wrote it with the *input*.

# %%
graph = """
x = 0.5; w = 0.25
p = x*w
y = tanh(p)
"""
explain(graph)

# %% [markdown]
# The right pass. The local derivative of `tanh` is the first factor on the way back.

# %%
picture(graph, "walk")

# %% [markdown]
# Near zero, `tanh(p)` is almost `p` itself. So how far off will the gradients be? Would you notice by looking at them?

# %%
lab(graph, "tanh-from-input")

# %% [markdown]
# The numbers agree in three digits. No eye sees that, and a model would train with it. The court does not look; it measures:

# %%
command('minigrad check "p = x*w; y = tanh(p)" x=0.5 w=0.25 --got x=0.246094 w=0.492188 --ask complex,central,paper')

# %% [markdown]
# ## Checkpoint

# %%
graph = """
m = 3; n = 2
p = m*n
u = p + n
v = u*m
"""

# %% [markdown]
# ### Question 1

# %%
q1 = question("three-ways/third-way")
q1

# %%
check(q1, m=...)  # your answer in place of ...

# %%
# reveal(q1)  # take the # away to see the answer

# %% [markdown]
# ### Question 2

# %%
q2 = question("three-ways/first-way")
q2

# %%
check(q2, m=..., n=...)  # your answer in place of ...

# %%
# reveal(q2)  # take the # away to see the answer

# %% [markdown]
# ### Question 3

# %%
q3 = question("three-ways/tanh")
q3

# %%
check(q3, ...)  # your answer in place of ...

# %%
# reveal(q3)  # take the # away to see the answer

# %% [markdown]
# ### Question 4

# %%
q4 = question("difference:2:64")
q4

# %%
check(q4, a=...)  # your answer in place of ...

# %%
# reveal(q4)  # take the # away to see the answer

# %% [markdown]
# **What you can do now:** find one gradient in three ways that share little, and say from a disagreement where the mistake must be. **Next:** *Break it on purpose*. You have met a handful of bugs. Now you hunt them.
