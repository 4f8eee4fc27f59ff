"""The parameters of a question that a lesson writes, `about=a order=e,c,d`, read and checked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ...faults.break_lab import fault_called, lab
from ...faults.fault import Suspect
from ...graph import Graph
from ...text.translation import say

__all__ = ["Parameters"]


@dataclass(frozen=True)
class Parameters:
    """What stands behind the name of a question; every mistake in it is a ValueError that names it."""

    kind: str
    graph: Graph
    given: Mapping[str, str]

    def text(self, key: str, default: str | None = None) -> str:
        if key in self.given:
            return self.given[key]
        if default is None:
            raise ValueError(say("question.parameter.missing", kind=self.kind, key=key))
        return default

    def nodes(self, key: str, default: str = "") -> tuple[int, ...]:
        """Names of nodes, with commas between them."""
        return tuple(self._node(each.strip()) for each in self.text(key, default).split(",") if each.strip())

    def node(self, key: str) -> int:
        return self._node(self.text(key))

    def _node(self, name: str) -> int:
        try:
            return self.graph.index(name)
        except KeyError as error:
            raise ValueError(error.args[0]) from None

    def order(self, key: str = "order") -> tuple[int, ...]:
        """A valid backward order of all op nodes; newest first where none is given."""
        if key not in self.given:
            return tuple(i for i in self.graph.order if self.graph.nodes[i].args)
        order = self.nodes(key)
        self.graph.refuse_invalid(order)
        return order

    def number(self, key: str, default: str) -> float:
        text = self.text(key, default)
        try:
            return float(text)
        except ValueError:
            raise ValueError(say("question.parameter.number", key=key, given=ascii(text))) from None

    def suspect(self, default: str | None = None) -> Suspect:
        """The fault and its variant on the graph on stage."""
        fault = fault_called(self.text("fault", default))
        return lab(self.graph, fault, variant=self.given.get("variant")).suspect
