"""A layer of tanh neurons as a loop over single numbers: what docs/en/compile.md compiles, pass by pass.

    python examples/layer.py              # the loss, its gradient, and what became of the loop
    python examples/layer.py flatten      # the program after one pass; "trace" is before all of them

Nothing here says matrix; the compiler finds out.
"""

import sys

import minigrad


def loss(weights, inputs, wanted):
    total = 0.0
    for row, goal in zip(weights, wanted, strict=True):
        y = 0.0
        for w, x in zip(row, inputs, strict=True):
            y += w * x
        total += (y.tanh() - goal) ** 2
    return total / len(wanted)


SMALL = [[0.1, -0.2, 0.3], [0.4, 0.5, -0.6]], [1.0, 2.0, 3.0], [0.5, -0.5]  # weights, inputs, wanted


def main():
    program = minigrad.compile(loss)
    explained = program.explain(*SMALL, argnums=0)
    if sys.argv[1:]:
        try:
            print(explained.after(sys.argv[1]))
        except ValueError as error:  # there is no such pass; it says which there are
            sys.exit(str(error))
        return
    value, gradient = program.value_and_grad(*SMALL)
    print(f"loss {value:.6f}")
    for row in gradient:
        print("gradient", *(f"{g:10.6f}" for g in row))
    print()
    print(explained)


if __name__ == "__main__":
    main()
