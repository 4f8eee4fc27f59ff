"""Scene of a graph: all its nodes if they are few, else groups of them that open.

    scene(graph)                 # the whole
    scene(graph, "3")            # group 3 opened: what is in it, and stand-ins for what it is connected to

The links of a scene run in no circle: they point from arguments to consumers, and what is outside stands
either before all that is inside or behind it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ..graph import Graph
from ..text.excerpts import listed
from ..text.numerals import counted
from ..text.translation import say, speaking
from .groups import SMALL, Group, Groups, groups

__all__ = ["Group", "Groups", "Scene", "SceneItem", "SceneLink", "groups", "scene"]

OUTSIDE = 8  # stand-ins on one side; more than that share the last one
WIRES = 96  # to all of them; if there would be more, one stands for all

Slot = tuple[int, int]  # the consumer, and which of its arguments


@dataclass(frozen=True, slots=True)
class SceneItem:
    """A node, a group, or a stand-in; of what is outside, its members are only the nodes that are linked."""

    node: int | None = None
    group: str = ""
    members: tuple[int, ...] = ()
    title: tuple[str, str] = ("", "")  # of a group, in English and Spanish, lines with | between them
    outside: bool = False


@dataclass(frozen=True, slots=True)
class SceneLink:
    """From an argument to its consumer; `slots` are all the slots of the graph that it stands for."""

    tail: int
    head: int
    slots: tuple[Slot, ...]


@dataclass(frozen=True, slots=True)
class Scene:
    items: tuple[SceneItem, ...]
    links: tuple[SceneLink, ...]
    group: str = ""
    parent: str | None = None  # the group that this one is part of; None for the whole


def scene(graph: Graph, group: str = "") -> Scene:
    """A graph, or one of its groups, as items and links; KeyError for a group that it has not."""
    found = groups(graph)
    if group not in found.inside:
        raise KeyError(_unknown(group, found))
    items, place = _inside(found, group)
    before, after = _outside(graph, found, group, place)
    first = len(before)
    slots: dict[tuple[int, int], list[Slot]] = {}
    for k, (_, linked) in enumerate(before):
        for consumer, slot in linked:
            slots.setdefault((k, first + place[consumer]), []).append((consumer, slot))
    for i, k in place.items():
        for slot, arg in enumerate(graph.nodes[i].args):
            if arg in place and (place[arg] != k or items[k].node is not None):
                slots.setdefault((first + place[arg], first + k), []).append((i, slot))
    for k, (_, linked) in enumerate(after, first + len(items)):
        for consumer, slot in linked:
            arg = graph.nodes[consumer].args[slot]
            slots.setdefault((first + place[arg], k), []).append((consumer, slot))
    links = sorted(
        (SceneLink(*ends, tuple(row)) for ends, row in slots.items()),
        key=lambda link: (link.head, link.slots),
    )
    everything = (*(item for item, _ in before), *items, *(item for item, _ in after))
    return Scene(everything, tuple(links), group, found[group].parent if group else None)


def _unknown(group: str, found: Groups) -> str:
    return say(
        "groups.unknown",
        given=repr(group),
        known=say("groups.known", listed=listed(list(found))) if found else say("groups.none"),
    )


def _inside(found: Groups, group: str) -> tuple[list[SceneItem], dict[int, int]]:
    """The items of an open group, and for each node in it the place of its item."""
    items: list[SceneItem] = []
    place: dict[int, int] = {}
    for entry in found.inside[group]:
        if isinstance(entry, int):
            item = SceneItem(entry, "", (entry,))
        else:
            item = SceneItem(None, entry, found[entry].members, found[entry].title)
        for i in item.members:
            place[i] = len(items)
        items.append(item)
    return items, place


_StandIns = list[tuple[SceneItem, list[Slot]]]
_Linked = dict[
    int | str, dict[Slot, tuple[int, int]]
]  # by stand-in: each slot, its item inside, its node outside


def _outside(
    graph: Graph, found: Groups, group: str, place: Mapping[int, int]
) -> tuple[_StandIns, _StandIns]:
    """Stand-ins for what the open group uses, and for what uses it, each with its slots."""
    if not group:
        return [], []
    path = group.split(".")
    used = dict.fromkeys(arg for i in place for arg in graph.nodes[i].args if arg not in place)
    nodes = all(isinstance(entry, int) for entry in found.inside[group])
    # Where there is room, each node that is used stands for itself, next to what uses it.
    single = nodes and len(place) + len(used) <= SMALL - OUTSIDE
    before: _Linked = {}
    after: _Linked = {}
    for i, item in place.items():
        for slot, arg in enumerate(graph.nodes[i].args):
            if arg in used:
                key = arg if single else _stands_for(found, arg, path)
                before.setdefault(key, {})[i, slot] = item, arg
        for consumer in graph.consumers[i]:
            if consumer not in place:
                row = after.setdefault(_stands_for(found, consumer, path), {})
                for slot, arg in enumerate(graph.nodes[consumer].args):
                    if arg == i:
                        row[consumer, slot] = item, consumer
    return _stand_ins(found, before, len(used) if single else OUTSIDE), _stand_ins(found, after, OUTSIDE)


def _stands_for(found: Groups, node: int, path: list[str]) -> int | str:
    """What an outer node is seen as from inside a group: itself, or the largest outer group that it is in."""
    home = found.home[node].split(".") if found.home[node] else []
    common = 0
    while common < min(len(home), len(path)) and home[common] == path[common]:
        common += 1
    return ".".join(home[: common + 1]) if common < len(home) else node


def _stand_ins(found: Groups, linked: _Linked, room: int) -> _StandIns:
    """One for each; of too many, one for each of those with most links, and one for all the others."""
    wires = sum([len({item for item, _ in row.values()}) for row in linked.values()])
    keys = list(linked)
    if len(keys) > room or wires > WIRES:
        most = sorted(keys, key=lambda key: -len(linked[key]))[: room - 1 if wires <= WIRES else 0]
        keys = [key for key in keys if key in most]
    stand_ins: _StandIns = []
    for key in keys:
        members = _outer(linked[key])
        group = key if isinstance(key, str) else ""
        if len(members) == 1:
            item = SceneItem(members[0], group, members, outside=True)
        else:
            item = SceneItem(None, group, members, found[group].title, outside=True)
        stand_ins.append((item, list(linked[key])))
    rest = {slot: ends for key, row in linked.items() if key not in keys for slot, ends in row.items()}
    if rest:
        members = _outer(rest)
        stand_ins.append((SceneItem(None, "", members, _elsewhere(len(members)), outside=True), list(rest)))
    return stand_ins


def _outer(row: Mapping[Slot, tuple[int, int]]) -> tuple[int, ...]:
    return tuple(sorted({node for _, node in row.values()}))


def _elsewhere(count: int) -> tuple[str, str]:
    with speaking("en"):
        english = say("groups.elsewhere", count=counted(count))
    with speaking("es"):
        return english, say("groups.elsewhere", count=counted(count))
