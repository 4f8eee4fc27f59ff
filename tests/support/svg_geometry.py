"""Where the things of an SVG are: boxes of its texts and shapes, and what is wrong with them.

    size, found = placed(svg)           # everything that can be seen, with its box
    overlaps(found), outside(size, found), crossed(found)     # sentences, one per mistake

It reads what our drawings are made of: rect, circle, text and path, with translate and scale.  The width of
words is that of a fixed-width font, 0.6 of the size of its letters per column.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from unicodedata import east_asian_width
from xml.etree import ElementTree

__all__ = ["Thing", "columns", "crossed", "outside", "overlaps", "placed"]

SIZES = {"local": 12.5, "small": 12.5, "note": 13.0, "heading": 14.0}
SVG = "{http://www.w3.org/2000/svg}"


@dataclass(frozen=True)
class Thing:
    tag: str
    classes: tuple[str, ...]
    left: float
    top: float
    right: float
    bottom: float
    words: str = ""
    points: tuple[tuple[float, float], ...] = ()  # of a path: ends and control points
    outline: tuple[tuple[float, float], ...] = ()  # of a path: points that it really goes through

    @property
    def box(self) -> tuple[float, float, float, float]:
        return self.left, self.top, self.right, self.bottom

    def touches(self, other: Thing, slack: float = 0.6) -> bool:
        """Do the two boxes share more than a hair?"""
        return (
            min(self.right, other.right) - max(self.left, other.left) > slack
            and min(self.bottom, other.bottom) - max(self.top, other.top) > slack
        )


def placed(svg: str) -> tuple[tuple[float, float], list[Thing]]:
    """The size of a drawing and its things in the order in which they are painted."""
    root = ElementTree.fromstring(svg)
    _, _, width, height = map(float, root.attrib["viewBox"].split())
    return (width, height), list(_walk(root))


def _walk(root: ElementTree.Element) -> Iterator[Thing]:
    waiting = [(root, (1.0, 1.0, 0.0, 0.0))]
    while waiting:
        element, frame = waiting.pop()
        frame = _within(frame, element.get("transform", ""))
        tag = element.tag.removeprefix(SVG)
        if tag in {"style", "title", "desc"}:
            continue
        if tag == "text":
            yield _text(element, frame)
        elif tag in {"rect", "circle", "path"}:
            yield _shape(tag, element, frame)
        elif tag in {"svg", "g"}:
            waiting.extend((child, frame) for child in reversed(element))
        else:
            raise AssertionError(f"a {tag} in a drawing")


def _within(frame: tuple[float, float, float, float], transform: str) -> tuple[float, float, float, float]:
    sx, sy, dx, dy = frame
    for kind, inside in re.findall(r"(\w+)\(([^)]*)\)", transform):
        first, second = map(float, inside.split())
        if kind == "translate":
            dx, dy = dx + sx * first, dy + sy * second
        else:
            assert kind == "scale", transform
            sx, sy = sx * first, sy * second
    return sx, sy, dx, dy


def size_of(classes: Sequence[str], usual: float) -> float:
    return next((SIZES[name] for name in classes if name in SIZES), usual)


def columns(words: str) -> int:
    return sum(2 if east_asian_width(c) in "WF" else 1 for c in words)


def _text(element: ElementTree.Element, frame: tuple[float, float, float, float]) -> Thing:
    _, _, dx, dy = frame
    classes = tuple(element.get("class", "").split())
    size = size_of(classes, 15.0)
    words, width = element.text or "", 0.6 * size * columns(element.text or "")
    for span in element:
        inner = size_of(span.get("class", "").split(), size)
        width += float(span.get("dx", "0")) + 0.6 * inner * columns(span.text or "")
        width += 0.6 * size * columns(span.tail or "")
        words += (span.text or "") + (span.tail or "")
    x, y = float(element.attrib["x"]) + dx, float(element.attrib["y"]) + dy
    left = x - {"start": 0.0, "middle": width / 2, "end": width}[element.get("text-anchor", "start")]
    return Thing("text", classes, left, y - 0.78 * size, left + width, y + 0.22 * size, words)


def _shape(tag: str, element: ElementTree.Element, frame: tuple[float, float, float, float]) -> Thing:
    get = {key: float(element.get(key, "0")) for key in ("x", "y", "width", "height", "cx", "cy", "r")}
    if tag == "rect":
        corners = [(get["x"], get["y"]), (get["x"] + get["width"], get["y"] + get["height"])]
    elif tag == "circle":
        corners = [(get["cx"] + s * get["r"], get["cy"] + s * get["r"]) for s in (-1, 1)]
    else:
        corners = _points(element.attrib["d"])
    sx, sy, dx, dy = frame
    moved = tuple((sx * x + dx, sy * y + dy) for x, y in corners)
    xs, ys = [x for x, _ in moved], [y for _, y in moved]
    classes = tuple(element.get("class", "").split())
    through = _flat(element.attrib["d"]) if tag == "path" and "ribbon" in classes else []
    seen = tuple((sx * x + dx, sy * y + dy) for x, y in through)
    return Thing(tag, classes, min(xs), min(ys), max(xs), max(ys), points=moved, outline=seen)


def _points(d: str) -> list[tuple[float, float]]:
    """Ends and control points of a path; a curve stays among them."""
    points: list[tuple[float, float]] = []
    for letter, inside in re.findall(r"([A-Za-z])([^A-Za-z]*)", d):
        numbers = [float(number) for number in re.findall(r"-?\d+\.?\d*(?:e-?\d+)?", inside)]
        x, y = points[-1] if points else (0.0, 0.0)
        if letter in "MLCQ":
            points += zip(numbers[::2], numbers[1::2], strict=True)
        elif letter in "HVhv":
            (n,) = numbers
            points.append({"H": (n, y), "V": (x, n), "h": (x + n, y), "v": (x, y + n)}[letter])
        else:
            assert letter == "Z", d
    return points


def _flat(d: str) -> list[tuple[float, float]]:
    """Points along a path of M, L, V and C, near enough to each other."""
    points: list[tuple[float, float]] = []
    for letter, inside in re.findall(r"([A-Za-z])([^A-Za-z]*)", d):
        numbers = [float(number) for number in re.findall(r"-?\d+\.?\d*", inside)]
        if letter == "M":
            points.append((numbers[0], numbers[1]))
            continue
        x, y = points[-1]
        if letter in "LV":
            end = (x, numbers[0]) if letter == "V" else (numbers[0], numbers[1])
            points += [(x + (end[0] - x) * k / 12, y + (end[1] - y) * k / 12) for k in range(1, 13)]
        elif letter == "C":
            legs = [(x, y), *zip(numbers[::2], numbers[1::2], strict=True)]
            points += [_bezier(legs, k / 24) for k in range(1, 25)]
    return points


def _bezier(legs: Sequence[tuple[float, float]], t: float) -> tuple[float, float]:
    while len(legs) > 1:
        legs = [(x + (u - x) * t, y + (v - y) * t) for (x, y), (u, v) in pairwise(legs)]
    return legs[0]


def overlaps(things: Sequence[Thing]) -> list[str]:
    """Texts that run into each other, or into a bar."""
    shown = [thing for thing in things if thing.tag == "text" and thing.words.strip()]
    bars = [thing for thing in things if "bar" in thing.classes and thing.right - thing.left > 0.6]
    shown.sort(key=lambda thing: thing.left)
    found = []
    for at, one in enumerate(shown):
        for other in shown[at + 1 :]:
            if other.left > one.right:
                break
            if one.touches(other):
                found.append(f"{one.words!r} and {other.words!r} overlap")
        found += [f"{one.words!r} is on a bar" for bar in bars if one.touches(bar)]
    return found


def outside(size: tuple[float, float], things: Sequence[Thing]) -> list[str]:
    """What sticks out of the drawing."""
    width, height = size
    return [
        f"{(thing.words or thing.tag)!r} is outside"
        for thing in things
        if thing.left < -0.1 or thing.top < -0.1 or thing.right > width + 0.1 or thing.bottom > height + 0.1
    ]


JOINT = 45.0  # the lowest part of a box, where contributions run in


def crossed(things: Sequence[Thing]) -> list[str]:
    """Ribbons that run through a box, other than into the joint of the one where they end, or over words."""
    boxes = [thing for thing in things if "box" in thing.classes]
    words = [thing for thing in things if thing.tag == "text"]
    found = []
    for thing in things:
        if not thing.outline:
            continue
        highest, lowest = min(y for _, y in thing.outline), max(y for _, y in thing.outline)
        first, last = min(x for x, _ in thing.outline), max(x for x, _ in thing.outline)
        for obstacle in (*boxes, *words):
            if not (first < obstacle.right and obstacle.left < last):
                continue
            if not (highest < obstacle.bottom and obstacle.top < lowest):
                continue
            top, bottom = obstacle.top + 0.5, obstacle.bottom - 0.5
            if obstacle.tag == "rect" and highest > obstacle.bottom - JOINT:
                bottom = min(bottom, highest)
            inside = any(
                obstacle.left + 0.5 < x < obstacle.right - 0.5 and top < y < bottom - 0.3
                for x, y in thing.outline
            )
            if inside:
                found.append(f"a ribbon crosses {(obstacle.words or 'a box')!r}")
    return found
