"""Random changes of documents: of JSON by its structure, of texts and of bytes.

changed(random, document)            # one or a few places dropped, doubled, swapped, retyped, renamed
written(random, document)            # the document as text, sometimes as no JSON writer would write it
changed_bytes(random, octets)        # bits flipped, pieces lost, doubled, moved
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from copy import deepcopy
from random import Random
from typing import Any

__all__ = ["EDGES", "NAMES", "changed", "changed_bytes", "changed_text", "places", "same_numbers", "written"]

EDGES: tuple[Any, ...] = (
    0, -0.0, 1, -1, 2, 0.5, 255, 2**31 - 1, 2**31, 2**32 - 1, 2**53, 2**53 + 1, 2**63 - 1, 2**63, 2**64,
    -(2**63) - 1, 10**12, 10**400, -(10**400), 5e-324, 1e308, -1e308, math.nan, math.inf, -math.inf, True,
    False,
)  # fmt: skip
NAMES = (
    "", " ", "a", "A", "__class__", "__metadata__", "__proto__", "schema", "\x00", "\x1b[2J", "a\nb",
    "\u202ea", "\ud800", "\ufeff", "é", "e\u0301", "x" * 301, "x" * 5000, "inf", "nan", "1.0",
    "../../etc/passwd", "null",
)  # fmt: skip
DEEP = 300  # what is nested deeper is changed no further: to copy it once more could be a RecursionError
SIGNS = "\x00\x07\x1b\n\r\t\u2028\u202e\u0301\ud800\ufeff\\\"'{}[](),:;=-+*/<>#`|.0123456789e"


def places(document: object, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The way to everything inside a document, the document itself first."""
    yield path
    if isinstance(document, dict):
        for key, inner in document.items():
            yield from places(inner, (*path, key))
    elif isinstance(document, list):
        for at, inner in enumerate(document):
            yield from places(inner, (*path, at))


def same_numbers(left: object, right: object) -> bool:
    """Equal, but that 1 may be written as 1.0, and a number of many digits as the nearest float."""
    if isinstance(left, dict):
        return (
            isinstance(right, dict)
            and left.keys() == right.keys()
            and all(same_numbers(left[key], right[key]) for key in left)
        )
    if isinstance(left, list):
        return isinstance(right, list) and len(left) == len(right) and all(map(same_numbers, left, right))
    if type(left) is float and type(right) is int:
        return left == float(right)
    return left == right and isinstance(left, bool) == isinstance(right, bool)


def _holder(document: Any, path: tuple[Any, ...]) -> Any:
    for step in path[:-1]:
        document = document[step]
    return document


def _at(document: Any, path: tuple[Any, ...]) -> Any:
    for step in path:
        document = document[step]
    return document


def changed(random: Random, document: Any, most: int = 4) -> Any:
    """A copy with one to `most` changes; rarely it is something else altogether."""
    if random.random() < 0.01:
        return deepcopy(random.choice((None, [], {}, "", 0, [document], {"a": document}, *EDGES)))
    document = deepcopy(document)
    for _ in range(random.choice((1, 1, 1, 2, most))):
        spots = [path for path in places(document) if path]
        if not spots or max(map(len, spots)) > DEEP:
            break
        _change(random, document, random.choice(spots), spots)
    return document


def _change(random: Random, document: Any, path: tuple[Any, ...], spots: list[tuple[Any, ...]]) -> None:
    holder, last = _holder(document, path), path[-1]
    value = holder[last]
    match random.randrange(12):
        case 0:
            del holder[last]
        case 1:  # something from elsewhere
            holder[last] = deepcopy(_at(document, random.choice(spots)))
        case 2:  # two change places
            other = random.choice(spots)
            if other[: len(path)] != path and path[: len(other)] != other:
                theirs = _holder(document, other)
                holder[last], theirs[other[-1]] = theirs[other[-1]], holder[last]
        case 3 if isinstance(holder, list):
            holder[last:last] = [deepcopy(value) for _ in range(random.choice((1, 1, 2, 40)))]
        case 3:
            new = random.choice((*holder, *NAMES, f"{last}_", str(last)[:-1]))
            holder[new] = holder.pop(last)
        case 4:
            holder[last] = _retyped(random, value)
        case 5 | 6:
            holder[last] = deepcopy(random.choice(EDGES))
        case 7:
            holder[last] = random.choice(NAMES)
        case 8 if isinstance(value, (dict, list)):
            holder[last] = type(value)()
        case 8 | 9:
            holder[last] = _near(random, value)
        case 10 if isinstance(value, list):
            random.shuffle(value)
        case 10 if isinstance(value, dict):
            order = list(value)
            random.shuffle(order)
            entries = [(key, value[key]) for key in order]
            value.clear()
            value.update(entries)
        case _ if random.random() < 0.1:
            holder[last] = _nested(random.choice((3, 40, DEEP)), value)
        case _:
            holder[last] = _near(random, value)


def _near(random: Random, value: Any) -> Any:
    """Something of the same type that is a little different."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + random.choice((-1, 1, -8, 8, value))
    if isinstance(value, float):
        return random.choice((-value, value * 2, math.nextafter(value, math.inf), value + 1, value * 1e300))
    if isinstance(value, str):
        return changed_text(random, value)
    if isinstance(value, list) and value:
        return value[: random.randrange(len(value))]
    return random.choice(EDGES)


def _retyped(random: Random, value: Any) -> Any:
    options: list[Any] = [str(value)[:200], [value], {"a": value}, None, bool(value)]
    if isinstance(value, (int, float)) and -1e15 < value < 1e15:
        options += [float(value), int(value), f"{value}"]
    if isinstance(value, list):
        options += [dict(enumerate(map(str, value[:9]))), tuple(value) and value[0]]
    if isinstance(value, dict):
        options += [list(value), [list(pair) for pair in value.items()]]
    chosen = random.choice(options)
    return {str(key): inner for key, inner in chosen.items()} if isinstance(chosen, dict) else chosen


def _nested(depth: int, value: Any) -> Any:
    for at in range(depth):
        value = [value] if at % 2 else {"a": value}
    return value


def changed_text(random: Random, text: str) -> str:
    at = random.randrange(len(text) + 1)
    size = random.choice((1, 1, 2, 8))
    match random.randrange(6):
        case 0:
            return text[:at] + text[at + size :]
        case 1:
            return text[:at] + random.choice(SIGNS) * random.choice((1, 1, 1, 30)) + text[at:]
        case 2:
            return text[:at] + random.choice(SIGNS) + text[at + 1 :]
        case 3:
            return text[:at]
        case 4:
            return text[:at] + text[at : at + size] * random.choice((2, 2, 50)) + text[at + size :]
        case _:
            other = random.randrange(len(text) + 1)
            return text[: min(at, other)] + text[max(at, other) :]


def written(random: Random, document: Any) -> str:
    """The document as text: mostly plain JSON, sometimes with what a strict reader refuses."""
    if random.random() < 0.15 and isinstance(document, dict) and document:
        key = random.choice(list(document))  # stands twice
        text = json.dumps(document)
        again = json.dumps({key: random.choice((document[key], None, 0))})[1:-1]
        return f"{text[:-1]}, {again}}}" if random.random() < 0.5 else f"{{{again}, {text[1:]}"
    style = random.randrange(6)
    if style == 0:
        return json.dumps(document, indent=1)
    if style == 1:
        return json.dumps(document, ensure_ascii=False, separators=(",", ":"))
    if style == 2 and random.random() < 0.3:
        return changed_text(random, json.dumps(document))
    return json.dumps(document)


def changed_bytes(random: Random, octets: bytes) -> bytes:
    """A copy with one or a few of the things that happen to files."""
    spoiled = bytearray(octets)
    for _ in range(random.choice((1, 1, 1, 2, 6))):
        at, size = random.randrange(len(spoiled) + 1), random.choice((1, 1, 4, 8, 60, 500))
        match random.randrange(8):
            case 0 | 1 if at < len(spoiled):
                spoiled[at] ^= 1 << random.randrange(8)
            case 2:
                del spoiled[at : at + size]
            case 3:
                spoiled[at:at] = random.randbytes(size)
            case 4:
                spoiled[at:at] = spoiled[at : at + size]
            case 5:
                spoiled[at : at + size] = random.choice((b"\x00", b"\xff", b" ")) * size
            case 6:
                del spoiled[at:]
            case _ if at < len(spoiled):
                spoiled[at] = random.choice((0, 1, 2, 127, 128, 255, random.randrange(256)))
    return bytes(spoiled)
