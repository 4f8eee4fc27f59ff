"""`minigrad check EXPR name=value ...`: are its gradients right?  The court decides."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from shlex import join

from ...graph import Graph
from ...graph.wording import name
from ...language import parse
from ...text.escape import visible
from ...text.numerals import show
from ...text.translation import say
from ...verify import court
from ...verify.witnesses import chosen
from .. import argument_values, output
from ..arguments import Arguments, UsageError, take_apart
from . import OF_RESULTS, RIGHT, UNDECIDED, WRONG

__all__ = ["run"]

OPTIONS = {
    "got": "NAME=VALUE...",
    "ask": "WITNESSES",
    "epsilon": "H",
    **OF_RESULTS,
}
LARGEST_STEP = 1e6


def run(words: Sequence[str]) -> int:
    arguments = take_apart(words, OPTIONS)
    claimed = argument_values.gradients(arguments.many["got"]) if arguments.flag("got") else None
    text = argument_values.expression(arguments.words, say("usage.check"))
    asked = chosen(arguments.options.get("ask", "all"))
    epsilon = _epsilon(arguments)
    write = output.writer(arguments)
    graph = parse(text, argument_values.inputs(arguments.words[1:]))
    verdict = court(graph, claimed=claimed, ask=asked)
    write(verdict)
    if verdict.verdict == "wrong" and claimed and not (arguments.flag("json") or arguments.flag("out")):
        asked_next = join(["minigrad", "diagnose", *arguments.words, "--got", *arguments.many["got"]])
        print(f"\n{say('check.next')}\n  {visible(asked_next)}")
    if epsilon is not None:
        lines = _differences(graph, epsilon, arguments.options["epsilon"].strip())
        print("\n" + output.fitting("\n".join(lines)))
    return {"right": RIGHT, "wrong": WRONG}.get(verdict.verdict, UNDECIDED)


def _epsilon(arguments: Arguments) -> float | None:
    """The step of --epsilon; it adds to what is printed, and not to a document."""
    if not arguments.flag("epsilon"):
        return None
    for other in ("json", "out"):
        if arguments.flag(other):
            raise UsageError(say("usage.break.together", first="--epsilon", second=f"--{other}"))
    given = arguments.options["epsilon"]
    step = argument_values.number("--epsilon", given)
    if not 0.0 < step < LARGEST_STEP:
        raise UsageError(say("usage.epsilon", given=argument_values.quoted(given)))
    return step


def _differences(graph: Graph, epsilon: float, step: str) -> Iterator[str]:
    """Central differences with this one step, as somebody with a pencil writes them."""
    from ...verify.witnesses.central_differences import with_one_step

    page, at = output.page(), name(graph, graph.output)
    yield page.ink("title", say("check.epsilon", step=step, output=at))
    for about, high, low, quotient in with_one_step(graph, epsilon):
        below = f"({show(low, 12)})" if low < 0.0 else show(low, 12)
        yield from page.wrap(f"{about}: ({show(high, 12)} - {below}) / (2 * {step}) = {show(quotient, 12)}")
