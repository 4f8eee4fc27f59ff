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
# # From one gradient to training
#
# > A loss is just an output, and learning is to step against its gradient, again and again.
#
# Unit 8 · 9 minutes

# %%
from minigrad import Value, explain
from minigrad.faults import lab
from minigrad.learn import check, command, picture, question, reveal

# %% [markdown]
# You can compute a gradient, explain it, check it and break it. What is it *for*? Here is the smallest model there is. It has one weight, `w`. It is shown the number `x` and ought to answer `t`.

# %%
graph = """
w = 2; x = 3; t = 4
y = w*x
miss = y - t
loss = miss*miss
"""
explain(graph)

# %% [markdown]
# ## A loss is just an output
#
# The answer `y` is `2 * 3`, so 6. It ought to be 4, so it misses by 2. The loss is the square of that, 4: it does not matter on which side you miss, and missing far costs more. To learn means to make this number small.
#
# And now you notice that there is nothing new here. `loss` is a node like any other. It is the last one, so it is the output, and one backward pass gives the gradient of everything else. (`miss` stands in both slots of a product: a diamond.)
#
# What moves the loss, and which way. Only `w` is ours to turn: `x` and `t` come from the world.

# %%
picture(graph, "thermometer")

# %% [markdown]
# ## Against the gradient
#
# The gradient of `w` is 12. If `w` grows a little, the loss grows. So make `w` *smaller*. That is all of training in one line:
#
# **new w = w - rate × grad**
#
# The minus is there because we want to go down. The *learning rate* says how far to trust the slope, which is only true nearby.
#
# | rate | new `w` | the loss becomes |
# |---|---|---|
# | 0.05 | 1.4 | 0.04 |
# | 0.2 | -0.4 | 27.04 |
#
# The first step takes the loss from 4 to 0.04. The second is a step in the same direction, only longer, and it makes things worse: it went right across the valley and up the other side. A gradient tells you the direction. It does not tell you how far.

# %% [markdown]
# ## The loop
#
# More weights do not change the idea. Each has its gradient from the *same* backward pass, and each takes its own small step. Here is a small network. It learns to tell apart two groups of points in the shape of two interlocking half moons.

# %%
from minigrad import nn

points = nn.data.moons(30, noise=0.1, seed=2)
sides = [side for point, side in points]
model = nn.MLP(2, [6, 6, 1], seed=2)
optimiser = nn.SGD(model.parameters(), lr=1.0)

for step in range(51):
    scores = [model(point) for point, side in points]
    loss = nn.hinge_loss(scores, sides)
    optimiser.zero_grad()
    loss.backward()
    optimiser.step()
    right = sum(score.data * side > 0 for score, side in zip(scores, sides))
    if step % 10 == 0:
        print(step, round(loss.data, 3), right)

# %% [markdown]
# The network has 67 weights. Each line shows the step, the loss, and how many of the 30 points were on the right side. Read the loop again with what you know. The forward pass builds a graph. `zero_grad` clears what the last pass left, because `+=` would add to it (unit four). `backward` seeds and walks (units three and five). `step` goes a little way against each gradient.

# %% [markdown]
# ## A falling loss proves nothing
#
# Now the most important thing in this course. Look at the diamond in `loss` once more, and at a close relative of a bug that you know.

# %% [markdown]
# ## Lab
#
# In `miss*miss` the operand stands in two slots, and only one of them sends. Predict the gradient of `w`. Then ask yourself: if you train with it, will the loss still fall?

# %%
lab(graph, "repeated-once", variant="mul")

# %% [markdown]
# It will. With a rate of 0.05 the broken gradient, 6, takes `w` to 1.7 and the loss to 1.21. That is less than 4. The direction is right, only the length is wrong, and nobody who looks at the loss would suspect anything. Other bugs bend the direction. As long as they bend it by less than a right angle, small steps still lead downhill, only often more slowly, and to a worse place.
#
# You can watch that. The same model is trained twice, once with a right backward pass and once with a broken one:
#
# ```console
# $ minigrad duel overwrite-one-op --on moons
# ```
#
# By the loss alone, nobody would notice. So do not ask whether it learns. Check the gradient *before* you train, on a small graph, against something that does not know your rules.

# %% [markdown]
# ## The same rules, a larger table
#
# How far does this carry? All the way. minigrad comes with a small GPT made of single numbers, the kind of model that writes text. It has 4,192 weights. For one short name, its forward pass builds a graph of 6,345 nodes: sums, products, a few `exp` and `log`. The backward pass seeds the loss, walks the newest first, multiplies local by upstream, and adds. Every turn is a row like those that you filled in by hand.
#
# ```console
# $ minigrad train names --steps 50 --samples 5
# ```
#
# There is no further secret. Large models do the same with arrays of numbers in place of single ones, which is faster, and which makes it harder to see through.

# %% [markdown]
# ## Checkpoint
#
# A model with two weights, `w` and `b`:

# %%
graph = """
w = 2; b = -3; x = 4; t = 2
y = w*x
z = y + b
miss = z - t
loss = miss*miss
"""

# %% [markdown]
# ### Question 1

# %%
q1 = question("training/both-weights")
q1

# %%
check(q1, w=..., b=...)  # your answer in place of ...

# %%
# reveal(q1)  # take the # away to see the answer

# %% [markdown]
# ### Question 2

# %%
q2 = question("training/check-first")
q2

# %%
check(q2, b=...)  # your answer in place of ...

# %%
# reveal(q2)  # take the # away to see the answer

# %% [markdown]
# ### Question 3

# %%
q3 = question("training/hides-behind")
q3

# %%
check(q3, ...)  # your answer in place of ...

# %%
# reveal(q3)  # take the # away to see the answer

# %% [markdown]
# ### Question 4

# %%
q4 = question("gradient:3:84")
q4

# %%
check(q4, a=..., b=..., c=...)  # your answer in place of ...

# %%
# reveal(q4)  # take the # away to see the answer

# %% [markdown]
# That is the end of the course, and a good place to start from:
#
# * Write an engine of your own, a hundred lines or so, and let `minigrad doctor` look at it.
# * `minigrad studio` has all of this live: drag an input, break a pass, walk through the orders.
# * `minigrad break --list` shows the whole catalogue. Pick a bug, and do the six steps.
# * `minigrad learn --review` asks again what went wrong, with other numbers, when it is time.
#
# **What you can do now:** everything that this course set out to teach: trace a backward pass by hand, predict what a broken one does, diagnose one from its numbers, and know why a falling loss is no proof.
