"""Types of the data that the parent and the child exchange as JSON: requests, plans, probes, results.

A *plan* says how an engine is used: `engine_usage.py` finds it, a person can pin parts of it, and
`adapter.py` carries it out.

    {"class": "Value", "leaf": {"how": "class", "keywords": {}, "wrap": ""}, "tape": null,
     "data": ["attribute", "data"], "grad": ["attribute", "grad"],
     "backward": {"on": "value", "name": "backward", "given": [], "seed": false},
     "ops": {"add": {"vv": ["operator", "add"], "vk": ...}}}

It is imported for its types only, so that the child does not spend time on it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias, TypedDict

__all__ = [
    "BackwardData",
    "CandidateData",
    "EntryData",
    "ExpectedData",
    "LeafData",
    "Message",
    "NodeRow",
    "OpStep",
    "Ops",
    "PinsData",
    "PlanData",
    "ProbeData",
    "ProbeGraphData",
    "RequestData",
    "ResultData",
    "Send",
    "StepOperand",
    "SubjectData",
    "Way",
]

Way: TypeAlias = list[str]  # how something is done there: ["operator", "add"], ["attribute", "grad"]
Ops: TypeAlias = dict[str, dict[str, Way]]  # op -> pattern of operands -> how it is written
NodeRow: TypeAlias = tuple[str, list[int], str, float]  # op, arguments, name, number; a list in JSON
StepOperand: TypeAlias = list[str | float]  # ["x", place], ["s", step] or ["k", number]
OpStep: TypeAlias = list[str | list[StepOperand]]  # of a composed op: the op and its operands
Message: TypeAlias = dict[str, object]  # one line to the parent
Send: TypeAlias = Callable[[Message], None]


class LeafData(TypedDict, total=False):
    """How a leaf is made."""

    how: str  # class, tape or function
    name: str  # of the method or function
    keywords: dict[str, object]  # further arguments
    wrap: str  # "array" or "list" for what the number is put into
    named: str  # the keyword of the number, if it has to be one


class BackwardData(TypedDict, total=False):
    """How a pass is started."""

    on: str  # value, tape, function, walk or none
    name: str
    given: list[object]  # arguments: plain data, or "<root>", "<leaves>", "<seed>" ...
    seed: bool  # does the caller write the output's gradient first?
    into: Way  # and where, if not where gradients are read
    seedable: bool  # does it take an upstream gradient that may be left out?
    children: str  # for a walk: the attribute that holds a node's operands


class EntryData(TypedDict):
    """How a pass is started, and where gradients are then."""

    backward: BackwardData
    grad: Way
    blank: float | None  # what stands there before any pass


PlanData = TypedDict(
    "PlanData",
    {
        "class": str,
        "leaf": LeafData,
        "tape": str | None,
        "data": Way,
        "ops": Ops,
        "broken": dict[str, str],  # "op pattern" -> the error that it gave
        "unknown": list[str],  # methods that give a node and are no known op
        "untried": list[str],
        "backward": BackwardData,
        "grad": Way,
        "blank": float | None,
        "zero": str,  # the method that sets a gradient back
    },
    total=False,
)

PinsData = TypedDict(
    "PinsData",
    {
        "class": str,
        "data": str,
        "grad": str,
        "backward": str,
        "seed": str,
        "arguments": dict[str, object],
        "caller seeds": bool,
    },
    total=False,
)  # what a person says about an engine; of doctor.toml


class ProbeGraphData(TypedDict):
    """One of the two losses of a probe."""

    nodes: list[NodeRow]
    output: int


class ProbeData(TypedDict, total=False):
    """A small program that is run on an engine."""

    id: str
    kind: str
    seconds: float
    nodes: list[NodeRow]
    output: int
    integer: bool
    seed: float
    depth: int
    op: str
    written: float
    graphs: list[ProbeGraphData]


class ResultData(TypedDict, total=False):
    """The numbers that a probe gave, or how it failed and where."""

    value: float | None
    grads: dict[str, float | None]
    cut: bool  # did a plain number come out?
    once: dict[str, float | None]  # of two passes: the gradients after the first
    around: list[list[float | None]]
    steps: list[float]
    failed: str
    stage: str
    detail: str
    line: int
    seconds: str  # of processor time that it took, always as long a text


class SubjectData(TypedDict, total=False):
    """The examined file."""

    source: str
    filename: str
    name: str
    package: str | None
    folder: str
    classes: list[str]
    search: list[str]
    replaced: dict[str, str]


class CandidateData(TypedDict):
    """A changed source of one file; "" for the examined file itself."""

    file: str
    source: str


class ExpectedData(TypedDict):
    """What a probe must give."""

    value: float
    grads: dict[str, float]


class RequestData(TypedDict, total=False):
    """What the parent asks of one process."""

    subject: SubjectData
    plan: PlanData | None
    pins: PinsData
    probes: list[ProbeData]
    shuffle: int
    isolate: bool
    load_seconds: float
    candidates: list[CandidateData]
    expect: dict[str, ExpectedData]
