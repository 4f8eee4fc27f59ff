"""What a page asks, read: every field has its kind, and what is of another kind is refused.

A request comes from our own page, or from anybody who has the token and a keyboard; so nothing is believed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from math import inf, nan
from typing import Any

from ..language import LanguageError, parse
from ..text.strict_json import DuplicateKeyError, parse_json
from ..text.translation import LANGUAGES, say
from ..values.validation import number

__all__ = [
    "APIS",
    "LEARNED",
    "NODES",
    "OWN",
    "SEEDS",
    "TEXT",
    "Request",
    "RequestError",
    "RequestRefusedError",
    "decoded",
    "refusing",
    "request",
]

TEXT = 60_000  # characters of statements
NODES = 20_000  # of the graph that they make
WORD = 400  # of any other text
MANY = 2_000  # names with a number
ANSWER = 4_000  # characters that are typed into one blank
BLANKS = 60  # of a question
ITEM = 300  # characters of what is repeated; the progress file keeps no more
SEEDS = 2**53

FORMATS = ("svg", "png", "html", "md", "tex", "json", "txt")
THEMES = ("auto", "light", "dark", "print")


class RequestError(ValueError):
    """A request that our own page would not make."""


class RequestRefusedError(ValueError):
    """What was asked for cannot be; the words are for the user."""


@contextmanager
def refusing() -> Iterator[None]:
    """Around what looks at the wishes of a user: an error there is about them, elsewhere it is ours."""
    try:
        yield
    except LanguageError:  # which knows its place
        raise
    except KeyError as error:  # its text is its argument, not the quoted one that str gives
        raise RequestRefusedError(str(error.args[0]) if error.args else "") from None
    except (ValueError, TypeError, OverflowError) as error:
        raise RequestRefusedError(str(error)) from None


@dataclass(frozen=True, slots=True)
class Request:
    """One question; what an api does not take keeps its default."""

    text: str = ""
    inputs: Mapping[str, float] = field(default_factory=dict)
    language: str | None = None
    page: str = ""
    serial: int = 0
    fault: str = ""
    variant: str | None = None
    order: int = 0
    ask: str = "quick"
    claimed: Mapping[str, str | float] | None = None
    observed: Mapping[str, str | float] = field(default_factory=dict)
    format: str = "svg"
    view: str = "graph"
    node: int | None = None
    theme: str = "auto"
    key: str = "right"
    group: str = ""
    unit: str = ""
    block: int = 0
    seed: int = 0
    answer: Mapping[str, str] = field(default_factory=dict)
    review: str = ""
    due: tuple[Mapping[str, Any], ...] = ()


_PLAIN = ("language", "page", "serial")
_COMMON = ("text", "inputs", *_PLAIN)
_BROKEN = ("fault", "variant", "order")
# what each question may say
APIS: Mapping[str, tuple[str, ...]] = {
    "start": _COMMON,
    "explain": _COMMON,
    "faults": _COMMON,
    "break": (*_COMMON, *_BROKEN),
    "group": (*_COMMON, *_BROKEN, "key", "group"),
    "check": (*_COMMON, "ask", "claimed"),
    "diagnose": (*_COMMON, "observed"),
    "export": (*_COMMON, *_BROKEN, "format", "view", "node", "theme"),
    "lessons": _PLAIN,
    "arrive": (*_PLAIN, "unit", "block"),
    "unit": (*_PLAIN, "unit", "seed"),
    "question": (*_PLAIN, "key"),
    "judge": (*_PLAIN, "key", "answer", "review", "seed"),
    "reveal": (*_PLAIN, "key", "review", "seed"),
    "review": (*_PLAIN, "seed", "due"),
}
OWN = ("start", "lessons", "arrive")  # what the server answers itself, without a worker
LEARNED = ("unit", "judge", "reveal", "review")  # what it adds to before and after a worker is asked


def decoded(body: bytes) -> dict[str, Any]:
    """The JSON object in a body; RequestError for anything else, also for a key that stands there twice."""
    try:
        found = parse_json(body.decode())
    except DuplicateKeyError:
        raise RequestError(say("server.request.twice")) from None
    except (ValueError, RecursionError):  # no JSON, no UTF-8, an integer of thousands of digits, a deep one
        raise RequestError(say("server.request.json")) from None
    if not isinstance(found, dict):
        raise RequestError(say("server.request.json"))
    return found


def request(api: str, fields: Mapping[str, Any]) -> Request:
    """The fields of a question, each of its kind."""
    read: dict[str, Any] = {}
    for name, given in fields.items():
        if name not in APIS[api]:
            raise RequestError(say("server.request.unknown", name=ascii(name[:40])))
        try:
            read[name] = _READERS[name](given)
        except _WrongKindError:
            raise RequestError(say("server.request.kind", name=name)) from None
    return Request(**read)


# ---- one reader per kind ------------------------------------------------------------------------


class _WrongKindError(Exception):
    pass


def _string(longest: int) -> Callable[[Any], str]:
    def read(given: Any) -> str:
        if not isinstance(given, str) or len(given) > longest:
            raise _WrongKindError
        return given

    return read


def _statements(given: Any) -> str:
    """The text itself; one that is too long is the user's, and gets a sentence of its own."""
    if given is None:
        return ""
    if not isinstance(given, str):
        raise _WrongKindError
    return given


def _one_of(*known: str) -> Callable[[Any], str]:
    def read(given: Any) -> str:
        if not isinstance(given, str) or given not in known:
            raise _WrongKindError
        return given

    return read


def _whole(least: int, most: int) -> Callable[[Any], int]:
    def read(given: Any) -> int:
        if not isinstance(given, int) or isinstance(given, bool) or not least <= given <= most:
            raise _WrongKindError
        return given

    return read


def _optional(reader: Callable[[Any], Any]) -> Callable[[Any], Any]:
    return lambda given: None if given is None else reader(given)


def _named(reader: Callable[[Any], Any]) -> Callable[[Any], dict[str, Any]]:
    def read(given: Any) -> dict[str, Any]:
        if not isinstance(given, dict) or len(given) > MANY:
            raise _WrongKindError
        return {name: reader(each) for name, each in given.items()}

    return read


_WORDS = {"inf": inf, "-inf": -inf, "nan": nan}


def _number(given: Any) -> float:
    """A number of JSON, a word for one that JSON lacks, or a text of numbers such as 1/3."""
    if isinstance(given, bool) or not isinstance(given, (int, float, str)):
        raise _WrongKindError
    if not isinstance(given, str):
        try:
            return number(given)
        except OverflowError:
            raise _WrongKindError from None
    word = given.strip()
    if word in _WORDS:
        return _WORDS[word]
    if len(word) > WORD:
        raise _WrongKindError
    try:
        graph = parse(word)
    except LanguageError:
        raise _WrongKindError from None
    if graph.inputs:
        raise _WrongKindError
    result: float = graph.evaluate()[graph.output]
    return result


def _printed(given: Any) -> str | float:
    """A gradient as somebody copied it: a text keeps its digits, which say how far it was rounded."""
    if isinstance(given, str):
        word = given.strip()
        if len(word) > WORD:
            raise _WrongKindError
        try:
            float(word)
            return word
        except ValueError:
            pass
    return _number(given)


def _filled(given: Any) -> dict[str, str]:
    """The blanks of a question, and what was typed into each."""
    if not isinstance(given, dict) or len(given) > BLANKS or any(len(name) > WORD for name in given):
        raise _WrongKindError
    return {name: _string(ANSWER)(each) for name, each in given.items()}


def _repetitions(given: Any) -> tuple[dict[str, Any], ...]:
    """What is due, as the server puts it in; a page has no reason to."""
    if not isinstance(given, list) or len(given) > BLANKS:
        raise _WrongKindError
    for row in given:
        if not isinstance(row, dict) or not {type(each) for each in row.values()} <= {str, int}:
            raise _WrongKindError
    return tuple(given)


_word = _string(WORD)
_READERS: Mapping[str, Callable[[Any], Any]] = {
    "text": _statements,
    "inputs": _named(_number),
    "language": _optional(_one_of(*LANGUAGES)),
    "page": _word,
    "serial": _whole(0, 2**53),
    "fault": _optional(_word),
    "variant": _optional(_word),
    "order": _optional(_whole(0, 10_000)),
    "ask": _word,
    "claimed": _optional(_named(_printed)),
    "observed": _named(_printed),
    "format": _one_of(*FORMATS),
    "view": _word,
    "node": _optional(_whole(0, 10_000_000)),
    "theme": _one_of(*THEMES),
    "key": _word,
    "group": _word,
    "unit": _word,
    "block": _whole(0, 10_000),
    "seed": _whole(0, SEEDS),
    "answer": _filled,
    "review": _string(ITEM),
    "due": _repetitions,
}
