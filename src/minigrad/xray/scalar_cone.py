"""Cone of one number of a PyTorch model: everything that depends on it, as a minigrad graph of scalars.

    cone = scalar_cone(make_loss, model.fc1.weight, (3, 2), "fc1.weight[3, 2]")
    cone.gradient, cone.of_torch, cone.remainder
    cone.explanation                     # the ledger, the waterfall, the player, the court

The program runs once more, and each op is followed below autograd. Where the cone is too large, its largest
routes are followed; so the gradient of the graph is a part of that of PyTorch, and what is missing is
stated as the remainder.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from ..explanation import Explanation
from ..graph.trace import trace
from ..text.excerpts import listed
from ..text.numerals import json_number, show
from ..text.page import Page, Result, Sections
from ..text.translation import say, speaking
from .scalar_recorder import Omission, ScalarRecorder, loss_slopes

if TYPE_CHECKING:
    from torch import Tensor

__all__ = ["ScalarCone", "scalar_cone"]

SCHEMA = "minigrad.xray.cone/1"
MOST = 60_000  # scalars of a graph
WIDEST = 4_096  # numbers of one result that are followed
FIRST_CUT = 256  # and where that is too much
CLOSE = 1e-10  # of the gradient, in float64
ROUGH = 1e-4  # where the program computes with fewer digits than the graph


@dataclass(frozen=True)
class ScalarCone(Result):
    """Why the gradient of one number is what it is."""

    name: str
    value: float
    of_torch: float  # its gradient as PyTorch computed it
    loss: float
    double: bool  # whether the program computes in float64
    omissions: tuple[Omission, ...]
    explanation: Explanation | None  # None where nothing that autograd follows depends on the number
    functions: tuple[str, ...] = ()  # custom ones, whose derivatives are those that their backward sends

    @cached_property
    def gradient(self) -> float:
        """What the routes that were followed add up to."""
        if self.explanation is None:
            return 0.0
        graph = self.explanation.trace.graph
        return self.explanation.trace.grads[graph.inputs[0]]

    @property
    def remainder(self) -> float:
        """What came by routes that were not followed."""
        return self.of_torch - self.gradient

    @property
    def whole(self) -> bool:
        """Is the gradient explained to the last number, but for rounding?"""
        bound = CLOSE if self.double else ROUGH
        return not self.omissions and not abs(self.remainder) > bound * max(1.0, abs(self.of_torch))

    def sections(self, page: Page) -> Sections:
        fields = {"name": self.name, "grad": show(self.of_torch), "found": show(self.gradient)}
        if self.explanation is None:
            yield (
                say("xray.cone.title", **fields),
                page.wrap(say(f"xray.cone.{'large' if self.omissions else 'none'}", **fields)),
            )
            return
        lines = page.wrap(say("xray.cone.whole" if self.whole else "xray.cone.part", **fields,
                              rest=show(self.remainder),
                              share=show(self.gradient / self.of_torch) if self.of_torch else "0",
                              nodes=len(self.explanation.trace.graph)))  # fmt: skip
        if self.functions:
            lines += page.wrap(say("xray.cone.functions", names=listed(self.functions, 4)))
        for each in self.omissions[:8]:
            what = {"op": each.op, "module": each.module or say("xray.outside"), "of": each.of}
            key = "xray.cone.partly" if each.followed else "xray.cone.cut"
            lines += page.wrap(say(key, **what, followed=each.followed))
        yield say("xray.cone.title", **fields), lines
        yield from self.explanation.sections(("ledger",), page)

    def _title(self) -> str:
        return say("xray.cone.title", name=f"`{self.name}`", grad=show(self.of_torch))

    def to_json(self) -> dict[str, Any]:
        return {
            "schema": SCHEMA,
            "name": self.name,
            "value": json_number(self.value),
            "gradient": json_number(self.of_torch),
            "followed": json_number(self.gradient),
            "remainder": json_number(self.remainder),
            "whole": self.whole,
            "omissions": [
                {"op": each.op, "module": each.module, "followed": each.followed, "of": each.of}
                for each in self.omissions
            ],
            "functions": list(self.functions),
            "graph": None if self.explanation is None else self.explanation.trace.graph.to_json(),
        }

    def to_html(self, *, lang: str | None = None) -> str:
        """The player on the scalars of the cone, in one file."""
        from html import escape

        from ..player.page import framed, stylesheet

        if self.explanation is not None:
            return self.explanation.to_html(lang=lang)
        with speaking(lang):
            body = f"<main><pre>{escape(self.text())}</pre></main>"
            return framed(self.name, body, "", stylesheet(), language=lang or "en", look="player-page")

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, str]:
        if self.explanation is None:
            return {"text/plain": str(self)}
        return self.explanation._repr_mimebundle_() | {"text/plain": str(self)}


def scalar_cone(
    make_loss: Callable[[], Tensor],
    parameter: Tensor,
    index: Sequence[int],
    name: str,
    *,
    modules: Sequence[tuple[str, Any]] = (),
    most: int = MOST,
    widest: int = WIDEST,
) -> ScalarCone:
    """The cone of `parameter[index]` below the loss that `make_loss` computes.

    `make_loss` is run several times, each time as the first: the caller sees to its random numbers, its
    buffers and what else it changes.  `modules` are the names of the modules that it calls.
    """
    import torch

    place = tuple(index)
    loss = make_loss()
    (slope,) = torch.autograd.grad(loss, [parameter], allow_unused=True)
    of_torch = 0.0 if slope is None else float(slope[place].double())
    value, size = float(parameter.detach()[place]), float(loss.detach().double())
    double = parameter.dtype == torch.float64 and loss.dtype == torch.float64
    del loss, slope
    slopes = None
    while True:
        recorder = ScalarRecorder(parameter, place, name, widest, most, slopes)
        graph = None
        with suppress(OverflowError), recorder.following(), _module_names(recorder, modules):
            output = recorder.node_of(make_loss())
            graph = None if output is None else recorder.graph.graph(output)
            if graph is None or len(graph) <= most:
                break
        if widest == 1:
            break
        widest = min(FIRST_CUT, widest // 2)
        slopes = slopes or loss_slopes(make_loss)
    explanation = None if graph is None else Explanation(trace(graph))
    functions = tuple(recorder.functions)
    return ScalarCone(name, value, of_torch, size, double, tuple(recorder.omissions), explanation, functions)


@contextmanager
def _module_names(recorder: ScalarRecorder, modules: Sequence[tuple[str, Any]]) -> Iterator[None]:
    """Say in which module an op is run."""
    hooks = []

    def enter(name: str) -> Callable[..., None]:
        return lambda module, args: recorder.within.append(name)

    def leave(module: Any, args: Any, output: Any) -> None:
        recorder.within.pop()

    for name, module in modules:
        hooks.append(module.register_forward_pre_hook(enter(name)))
        hooks.append(module.register_forward_hook(leave, always_call=True))
    try:
        yield
    finally:
        for hook in hooks:
            hook.remove()
