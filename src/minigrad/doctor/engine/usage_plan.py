"""Usage plan of an engine: how its leaves, ops, backward pass and gradients are written in Python.

The child finds it by trying (`inside/engine_usage.py`) and sends it as JSON; this is the parent's view of it.
`UsagePlan.from_json` reads it strictly, because the examined program can write to the same pipe.

    {"class": "Value", "leaf": {"how": "class", "keywords": {}, "wrap": ""}, "tape": null,
     "data": ["attribute", "data"], "grad": ["attribute", "grad"], "blank": 0.0,
     "backward": {"on": "value", "name": "backward", "given": [], "seed": false},
     "ops": {"add": {"vv": ["operator", "add"], "vk": ...}}, "broken": {}, "unknown": [], "untried": []}
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from ..inside.message_text import MOST_UNKNOWN
from ..inside.op_spellings import METHODS
from ..sandbox.message_fields import (
    MalformedError,
    choice,
    flag,
    mapping,
    name,
    number_or_none,
    plain_value,
    rows,
    text,
)

__all__ = ["BackwardCall", "FieldAccess", "LeafCall", "OpCall", "UsagePlan"]

PATTERN = re.compile(r"[vk]{1,2}")  # a node or a number, for each operand


@dataclass(frozen=True, slots=True)
class FieldAccess:
    """Where a node has its number or its gradient."""

    how: str = ""  # attribute, method; of a gradient also returned, asked, tape
    name: str = ""  # "" where backward gives the gradients back

    @classmethod
    def from_json(cls, raw: object, *more: str) -> FieldAccess:
        how, named = rows(raw, 2)
        return cls(choice(how, "attribute", "method", *more), name(named))

    def to_json(self) -> list[str]:
        return [self.how, self.name]


@dataclass(frozen=True, slots=True)
class LeafCall:
    """How a leaf is made of a number."""

    how: str = "class"  # class, tape, function
    name: str = ""  # of the method of the tape, or the function
    named: str = ""  # the keyword of the number, if it has to be one
    wrap: str = ""  # array, list: what the number is put into
    keywords: Mapping[str, object] = field(default_factory=dict)  # further arguments, as plain values

    @classmethod
    def from_json(cls, raw: object) -> LeafCall:
        found = mapping(raw)
        return cls(
            choice(found["how"], "class", "tape", "function"),
            name(found.get("name", "")),
            name(found.get("named", "")),
            choice(found.get("wrap", ""), "", "array", "list"),
            {name(key): plain_value(value) for key, value in mapping(found["keywords"]).items()},
        )

    def to_json(self) -> dict[str, object]:
        optional = {"name": self.name, "named": self.named, "wrap": self.wrap}
        return {"how": self.how, "keywords": dict(self.keywords), **{k: v for k, v in optional.items() if v}}


@dataclass(frozen=True, slots=True)
class OpCall:
    """How an op is applied to operands of one pattern."""

    how: str  # operator, method, reflected, function, tape, apply, instance, made
    name: str
    method: str = ""  # of the instance that is made, where it is not called itself

    @classmethod
    def from_json(cls, raw: object) -> OpCall:
        how, named, *rest = rows(raw, 2, 3)
        known = ("operator", "method", "reflected", "function", "tape", "apply", "instance", "made")
        return cls(choice(how, *known), name(named), *(name(one) for one in rest))

    def to_json(self) -> list[str]:
        return [self.how, self.name, *([self.method] if self.method else [])]


@dataclass(frozen=True, slots=True)
class BackwardCall:
    """How the backward pass is started."""

    on: str = ""  # value, function, tape; walk: node by node; none: gradients are asked for
    name: str = ""
    given: tuple[object, ...] = ()  # arguments: plain values, or <root>, <seed>, <leaves>, <set>, <list>
    seed: bool = False  # does the caller set the output's gradient before it?
    seedable: bool = False  # may it be given another gradient to start from?
    into: FieldAccess | None = None  # where the caller sets it, if not where gradients are read
    children: str = ""  # of a walk: the attribute with a node's operands

    @classmethod
    def from_json(cls, raw: object) -> BackwardCall:
        found = mapping(raw)
        into = found.get("into")
        call = cls(
            choice(found["on"], "value", "function", "tape", "walk", "none"),
            name(found.get("name", "")),
            tuple(plain_value(one) for one in rows(found.get("given", []))),
            flag(found.get("seed", False)),
            flag(found.get("seedable", False)),
            None if into is None else FieldAccess.from_json(into),
            name(found.get("children", "")),
        )
        if call.on != "none" and not call.name:
            raise MalformedError("a pass without a name")
        return call

    def to_json(self) -> dict[str, object]:
        found: dict[str, object] = {"on": self.on, "given": list(self.given), "seed": self.seed}
        optional = {"name": self.name, "seedable": self.seedable, "children": self.children}
        found |= {key: value for key, value in optional.items() if value}
        return found | ({"into": self.into.to_json()} if self.into is not None else {})

    @property
    def takes_seed(self) -> bool:
        """Can a pass be started from another gradient than 1?"""
        return self.seed or "<seed>" in self.given or self.seedable


@dataclass(frozen=True)
class UsagePlan:
    """All of it; an empty one, which is false, stands for none."""

    class_name: str = ""
    leaf: LeafCall = field(default_factory=LeafCall)
    tape: str = ""  # the class or object that records, where there is one
    data: FieldAccess = field(default_factory=FieldAccess)
    grad: FieldAccess = field(default_factory=FieldAccess)
    blank: float | None = None  # what a gradient is before any pass
    ops: Mapping[str, Mapping[str, OpCall]] = field(default_factory=dict)  # by op and pattern
    broken: Mapping[str, str] = field(default_factory=dict)  # "op pattern" or "backward", and what it raised
    backward: BackwardCall = field(default_factory=BackwardCall)
    unknown: tuple[str, ...] = ()  # methods that give a node and are no op that is known
    untried: tuple[str, ...] = ()  # methods that could not be called

    def __bool__(self) -> bool:
        return bool(self.class_name)

    def patterns(self, op: str) -> frozenset[str]:
        """The operands with which an op can be used; none if the engine has it not."""
        return frozenset(self.ops.get(op, ()))

    def seeded(self) -> UsagePlan:
        """The same, with the output's gradient set by the caller."""
        return replace(self, backward=replace(self.backward, seed=True))

    @classmethod
    def from_json(cls, raw: object) -> UsagePlan:
        """The plan that the child sent; MalformedError for anything else."""
        try:
            return cls._from_json(mapping(raw))
        except KeyError as error:
            raise MalformedError(str(error)) from None

    @classmethod
    def _from_json(cls, found: Mapping[str, object]) -> UsagePlan:
        class_name, tape = name(found["class"]), found.get("tape")
        if not class_name:
            raise MalformedError("a plan without a class")
        return cls(
            class_name,
            LeafCall.from_json(found["leaf"]),
            "" if tape is None else name(tape),
            FieldAccess.from_json(found["data"]),
            FieldAccess.from_json(found["grad"], "returned", "asked", "tape"),
            number_or_none(found.get("blank")),
            {choice(op, *METHODS): _op_calls(calls) for op, calls in mapping(found["ops"]).items()},
            {_attempt(key): text(value) for key, value in mapping(found["broken"]).items()},
            BackwardCall.from_json(found["backward"]),
            tuple(name(one) for one in rows(found.get("unknown", []), 0, MOST_UNKNOWN)),
            tuple(name(one) for one in rows(found.get("untried", []))),
        )

    def to_json(self) -> dict[str, object]:
        """The plan as the child carries it out."""
        return {
            "class": self.class_name,
            "leaf": self.leaf.to_json(),
            "tape": self.tape or None,
            "data": self.data.to_json(),
            "grad": self.grad.to_json(),
            "blank": self.blank,
            "ops": {
                op: {pattern: call.to_json() for pattern, call in calls.items()}
                for op, calls in self.ops.items()
            },
            "broken": dict(self.broken),
            "backward": self.backward.to_json(),
            "unknown": list(self.unknown),
            "untried": list(self.untried),
        }


def _op_calls(raw: object) -> dict[str, OpCall]:
    return {_pattern(pattern): OpCall.from_json(call) for pattern, call in mapping(raw).items()}


def _pattern(raw: str) -> str:
    if not PATTERN.fullmatch(raw):
        raise MalformedError(raw[:20])
    return raw


def _attempt(raw: str) -> str:
    """ "backward", or "op pattern"."""
    op, _, pattern = raw.partition(" ")
    return raw if raw == "backward" else f"{choice(op, *METHODS)} {_pattern(pattern)}"
