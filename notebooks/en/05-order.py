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
# # Order
#
# > A node may speak only when everything that it is owed has arrived.
#
# Unit 5 · 7 minutes

# %%
from minigrad import Value, explain
from minigrad.faults import lab
from minigrad.learn import check, command, picture, question, reveal

# %% [markdown]
# In unit three you were told to take the newest node first. You were not told why. Would another order do as well? Would *any* order?

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
# ## Whose turn is it?
#
# Think of the nodes as people with a letter box. On your turn you add up what is in your box, multiply, and post the results. You get *one* turn. Take it too early, and you post incomplete numbers, and whatever arrives in your box later is never passed on.
#
# Hence the rule: a node takes its turn when all those who use it have taken theirs. Go through our graph with it.
#
# * `L` is used by nobody. It holds the seed and may start.
# * `e` and `f` are used by `L` alone. After `L`, either may speak.
# * `ab` is used by `e`. It has to wait for `e`.
#
# Nothing else is required. So there are 3 valid orders of the operations:
#
# 1. `L, f, e, ab`
# 2. `L, e, f, ab`
# 3. `L, e, ab, f`
#
# Walk any of them, and `a` ends at 4, `b` at -4, `c` at -12. It has to be so: each contribution is the same number whenever it is sent, and a sum does not ask in which order its terms came in.
#
# Data flows down, gradients flow up. Where streams join, the node waits for all of them before it flows on.

# %%
picture(graph, "river")

# %% [markdown]
# ## How an engine finds an order
#
# You might expect a clever search. The easiest way needs none: **newest first**. A node can only be made from nodes that exist already, so all those who use it are *younger* than it is. Walk from the youngest to the oldest, and nobody speaks too early. That is the order `L, f, e, ab`, and it is what minigrad does.
#
# Engines that do not keep a list of their nodes look for an order when the pass starts. A **topological sort** is a list in which every node comes *after* all its operands; read from its end, it is an order for the pass. The usual way to make one has three parts:
#
# * **Depth first.** Begin at the output. Go down to the first operand, from there to *its* first operand, and so on to an input; only then come the second operands.
# * **Post-order.** A node goes on the list when you leave it, after all its operands, never when you arrive.
# * **A set of visited nodes.** `a` can be reached in two ways. The second time you arrive you turn around at once, or `a` would stand on the list twice.
#
# Watch it on our graph, step by step. A deeper line is a deeper visit.

# %%
operands = {"L": "e f", "e": "ab c", "f": "a c", "ab": "a b", "a": "", "b": "", "c": ""}
visited, order = set(), []


def visit(node, depth=0):
    if node in visited:
        print("  " * depth + node, "was visited: turn around")
        return
    visited.add(node)
    print("  " * depth + node, "goes down" if operands[node] else "is an input")
    for child in operands[node].split():
        visit(child, depth + 1)
    order.append(node)
    print("  " * depth + node, "goes on the list:", *order)


visit("L")
print("the pass walks:", *reversed(order))

# %% [markdown]
# It is the same rule in other clothes: nobody stands on the list before its operands, so nobody speaks before those who use it.

# %% [markdown]
# ## A broken pass has an order, too
#
# A right pass does not care which valid order it walks. A broken one may care very much. Here is `=` in place of `+=` once more, in each of the orders:
#
# | order | `a` | `b` | `c` |
# |---|---|---|---|
# | any, with `+=` | 4 | -4 | -12 |
# | `L, f, e, ab`, with `=` | -6 | -4 | -2 |
# | `L, e, f, ab`, with `=` | -6 | -4 | -10 |
# | `L, e, ab, f`, with `=` | 10 | -4 | -10 |
#
# One bug, one graph, three results. Take the last row and check it: who speaks last, and what does `a` keep? So when you say what a bug *will* give, say in which order. And when you go from wrong numbers back to a bug, try all the orders. Neither `a` nor `c` is right in any of them: luck does not help here.
#
# There are engines that keep the operands of a node in a set, which has no order of its own. With such a bug in it, the same program may be wrong today and wrong differently tomorrow.

# %% [markdown]
# ## Why not simply recursion?
#
# It is the first idea that everyone has. "Let the node send to its operands; then let each operand do the same."
#
# ```text
# def go_back(node):
#     node._backward()
#     for child in node._children:
#         go_back(child)
# ```
#
# It is short, it has no list and no sort, and on the graph above it gives the right numbers. Try it on this one:

# %%
graph = """
a = 3
b = a + a
c = b + b
"""
explain(graph)

# %% [markdown]
# Here `b` is used twice, and `b` is not an input: it has somebody to pass things on to. Who calls `go_back(b)`, and how often? What is in its box each time?

# %% [markdown]
# ## Lab
#
# A right pass gives 4 for `a`. Follow the recursion with a pencil: what is in the box of `b` at its first turn, what does it send, and what at its second turn?

# %%
lab(graph, "recursion")

# %% [markdown]
# A node that speaks twice passes on what it has already passed on. Inputs may be visited as often as you like, since they send nothing. That is why the bug hides wherever only *inputs* are shared, as in every graph of the lessons up to here, and why people ask about it again and again. It takes a shared node **in between**.

# %% [markdown]
# ## Checkpoint

# %%
graph = """
x = 4; y = 3
p = x*y
u = x + y
t = p - u
"""

# %% [markdown]
# ### Question 1

# %%
q1 = question("order/valid-order")
q1

# %%
check(q1, ...)  # your answer in place of ...

# %%
# reveal(q1)  # take the # away to see the answer

# %% [markdown]
# ### Question 2

# %%
q2 = question("order/last-word")
q2

# %%
check(q2, x=..., y=...)  # your answer in place of ...

# %%
# reveal(q2)  # take the # away to see the answer

# %% [markdown]
# ### Question 3

# %%
q3 = question("order/right")
q3

# %%
check(q3, x=..., y=...)  # your answer in place of ...

# %%
# reveal(q3)  # take the # away to see the answer

# %% [markdown]
# ### Question 4

# %%
q4 = question("order/recursion-shows")
q4

# %%
check(q4, ...)  # your answer in place of ...

# %%
# reveal(q4)  # take the # away to see the answer

# %% [markdown]
# ### Question 5

# %%
q5 = question("order:2:55")
q5

# %%
check(q5, a=..., b=...)  # your answer in place of ...

# %%
# reveal(q5)  # take the # away to see the answer

# %% [markdown]
# **What you can do now:** list the valid orders of a graph, say what a broken pass gives in each, and explain why plain recursion is not enough. **Next:** *Three ways to one number*. You can compute a gradient. How do you know that it is right?
