"""A GPT out of single numbers, in one file: it reads names, one letter at a time, and then makes up its own.

    python examples/microgpt.py                        # our list of names, 1,000 steps, some seconds
    python examples/microgpt.py FILE --steps 5000      # the lines of any text file
    python examples/microgpt.py --compile              # the same losses, out of vector instructions

Everything is here but the derivatives: Value remembers how each number was computed, and backward() finds the
slope of the loss in every weight.  One layer, width 16, four heads.  `minigrad.nn.GPT` is the same model.
`take(rows, i)` is rows[i], written so that a compiled loss holds for every letter and not for this one alone.
"""

import argparse
import random
import sys

import minigrad
from minigrad import Value, functions, take
from minigrad.nn.data import documents, names

BLOCK = 16  # letters that it looks back
WIDTH = 16  # numbers that stand for a letter
HEADS = 4  # ways of looking back at once, each at its share of the width
SHARE = WIDTH // HEADS


# ---- the weights: tables of small random numbers ------------------------------------------------


def make_weights(vocabulary, draw):
    shapes = {
        "tokens": (vocabulary, WIDTH),  # what a letter means
        "positions": (BLOCK, WIDTH),  # what it means to be the third letter
        "query": (WIDTH, WIDTH),  # what a position looks for
        "key": (WIDTH, WIDTH),  # what it can be found by
        "value": (WIDTH, WIDTH),  # what it tells whoever finds it
        "output": (WIDTH, WIDTH),  # how what was told is taken in
        "up": (4 * WIDTH, WIDTH),  # a wider space to think in
        "down": (WIDTH, 4 * WIDTH),  # and back
        "head": (vocabulary, WIDTH),  # a score for each letter that may come next
    }
    return {
        name: [[Value(draw.gauss(0, 0.08)) for _ in range(columns)] for _ in range(rows)]
        for name, (rows, columns) in shapes.items()
    }


# ---- the model: from one letter to the scores of the next ----------------------------------------


def dot(xs, ys):
    return sum(x * y for x, y in zip(xs, ys, strict=True))


def linear(xs, rows):
    return [dot(row, xs) for row in rows]


def add(xs, ys):
    return [x + y for x, y in zip(xs, ys, strict=True)]


def normalise(xs):
    """Bring a vector to the size 1, so that no layer sees numbers that are too large or too small."""
    scale = (dot(xs, xs) / len(xs) + 1e-5) ** -0.5
    return [x * scale for x in xs]


def softmax(scores):
    """Scores to probabilities.  Less the largest, for exp would overflow; the result is the same."""
    top = functions.max(scores).data
    powers = [(score - top).exp() for score in scores]
    total = sum(powers)
    return [power / total for power in powers]


def attend(query, keys, values):
    """Compare a query with the keys of all positions so far; the better a match, the more of its value."""
    found = []
    for start in range(0, WIDTH, SHARE):
        head = slice(start, start + SHARE)
        shares = softmax([dot(query[head], key[head]) / SHARE**0.5 for key in keys])
        found += [dot(shares, column) for column in zip(*(value[head] for value in values), strict=True)]
    return found


def scores(weights, token, position, keys, values):
    """Read one letter; `keys` and `values` are the memory of those before it, and now of this one too."""
    x = normalise(add(take(weights["tokens"], token), weights["positions"][position]))
    seen = normalise(x)
    keys.append(linear(seen, weights["key"]))
    values.append(linear(seen, weights["value"]))
    found = attend(linear(seen, weights["query"]), keys, values)
    x = add(linear(found, weights["output"]), x)
    hidden = [h.relu() for h in linear(normalise(x), weights["up"])]
    x = add(linear(hidden, weights["down"]), x)
    return linear(x, weights["head"])


def loss_of(weights, tokens):
    """How surprised the model is by each next letter, on average: 0 if it was sure of all of them."""
    keys, values, losses = [], [], []
    for position in range(min(BLOCK, len(tokens) - 1)):
        chances = softmax(scores(weights, tokens[position], position, keys, values))
        losses.append(-take(chances, tokens[position + 1]).log())
    return sum(losses) / len(losses)


# ---- learning: Adam, with a rate that goes down to 0 in a straight line ---------------------------


def train(weights, texts, steps, rate=0.01, first=0.85, second=0.99, loss_of=loss_of):
    """One text a step.  Yields the loss of each step."""
    parameters = [w for rows in weights.values() for row in rows for w in row]
    means = [0.0] * len(parameters)  # of the gradients lately
    squares = [0.0] * len(parameters)  # of their squares
    for step in range(steps):
        loss = loss_of(weights, texts[step % len(texts)])
        loss.backward()
        pace = rate * (1 - step / steps)
        for i, p in enumerate(parameters):
            means[i] = first * means[i] + (1 - first) * p.grad
            squares[i] = second * squares[i] + (1 - second) * p.grad**2
            mean = means[i] / (1 - first ** (step + 1))  # both began at 0, which this makes up for
            square = squares[i] / (1 - second ** (step + 1))
            p.data -= pace * mean / (square**0.5 + 1e-8)
            p.grad = 0.0  # or the next step would add to it
        yield loss.data


def invent(weights, boundary, draw, temperature=0.5):
    """A text of its own, letter by letter, until the model thinks that it ends."""
    keys, values, text = [], [], [boundary]
    for position in range(BLOCK):
        found = scores(weights, text[-1], position, keys, values)
        chances = softmax([score / temperature for score in found])
        text += draw.choices(range(len(chances)), [chance.data for chance in chances])
        if text[-1] == boundary:
            break
    return [token for token in text if token != boundary]


def main():
    parser = argparse.ArgumentParser(description="a GPT out of single numbers")
    parser.add_argument("file", nargs="?", help="a text file, one document per line; our names if left out")
    parser.add_argument("--steps", type=int, default=1000)
    parser.add_argument("--compile", action="store_true", help="run the loss as vector instructions")
    options = parser.parse_args()
    try:
        texts = documents(options.file) if options.file else names()
    except ValueError as error:
        sys.exit(str(error))

    draw = random.Random(42)
    draw.shuffle(texts)
    letters = sorted(set("".join(texts)))
    boundary = len(letters)  # one more token: here a text begins, and here it ends
    tokens = [[boundary, *map(letters.index, text), boundary] for text in texts]
    weights = make_weights(boundary + 1, draw)

    losses, chosen = [], loss_of
    if options.compile:
        chosen = minigrad.compile(loss_of)  # traced once per length of a text; this line is all that changes
    for loss in train(weights, tokens, options.steps, loss_of=chosen):
        losses.append(loss)
        if len(losses) % 100 == 0 or len(losses) == options.steps:
            recent = losses[-100:]
            print(f"step {len(losses)}: loss {sum(recent) / len(recent):.3f}", flush=True)
    for _ in range(20):
        print("".join(letters[token] for token in invent(weights, boundary, draw)))


if __name__ == "__main__":
    main()
