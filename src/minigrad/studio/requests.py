"""Requests of the page, one class per question, read strictly.

Every field has its kind, and what is of another kind is refused.  A request comes from our own page, or from
anybody who has the token and a keyboard; so nothing is believed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, fields
from math import inf, nan
from typing import Any, TypeVar

from ..errors import MinigradError
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
    "ArriveRequest",
    "BreakRequest",
    "CheckRequest",
    "DiagnoseRequest",
    "ExplainRequest",
    "ExportRequest",
    "FaultsRequest",
    "GraphRequest",
    "GroupRequest",
    "JudgeRequest",
    "LessonsRequest",
    "QuestionRequest",
    "Request",
    "RequestError",
    "RequestRefusedError",
    "RevealRequest",
    "ReviewRequest",
    "SolutionRequest",
    "StartRequest",
    "UnitRequest",
    "read_body",
    "read_request",
    "refusing",
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

T = TypeVar("T")
Reader = Callable[[object], T]


class RequestError(MinigradError, ValueError):
    """A request that our own page would not make."""


class RequestRefusedError(MinigradError, ValueError):
    """A wish that cannot be fulfilled; the message is for the user."""


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


# ---- one reader per kind of field ---------------------------------------------------------------


class _WrongKindError(Exception):
    pass


def _string(longest: int) -> Reader[str]:
    def read(given: object) -> str:
        if not isinstance(given, str) or len(given) > longest:
            raise _WrongKindError
        return given

    return read


def _statements(given: object) -> str:
    """The text itself; one that is too long is the user's, and gets a sentence of its own."""
    if given is None:
        return ""
    if not isinstance(given, str):
        raise _WrongKindError
    return given


def _one_of(*known: str) -> Reader[str]:
    def read(given: object) -> str:
        if not isinstance(given, str) or given not in known:
            raise _WrongKindError
        return given

    return read


def _whole(least: int, most: int) -> Reader[int]:
    def read(given: object) -> int:
        if not isinstance(given, int) or isinstance(given, bool) or not least <= given <= most:
            raise _WrongKindError
        return given

    return read


def _optional(reader: Reader[T]) -> Reader[T | None]:
    return lambda given: None if given is None else reader(given)


def _or(default: T, reader: Reader[T]) -> Reader[T]:
    """A reader for which null stands for the default."""
    return lambda given: default if given is None else reader(given)


def _named(reader: Reader[T]) -> Reader[Mapping[str, T]]:
    def read(given: object) -> Mapping[str, T]:
        if not isinstance(given, dict) or len(given) > MANY:
            raise _WrongKindError
        return {name: reader(each) for name, each in given.items()}

    return read


_WORDS = {"inf": inf, "-inf": -inf, "nan": nan}


def _number(given: object) -> float:
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


def _printed(given: object) -> str | float:
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


def _blanks(given: object) -> Mapping[str, str]:
    """The blanks of a question, and what was typed into each."""
    if not isinstance(given, dict) or len(given) > BLANKS or any(len(name) > WORD for name in given):
        raise _WrongKindError
    return {name: _typed(each) for name, each in given.items()}


def _repetitions(given: object) -> tuple[Mapping[str, str | int], ...]:
    """What is due, as the server puts it in; a page has no reason to."""
    if not isinstance(given, list) or len(given) > BLANKS:
        raise _WrongKindError
    for row in given:
        if not isinstance(row, dict) or not {type(each) for each in row.values()} <= {str, int}:
            raise _WrongKindError
    return tuple(given)


_word = _string(WORD)
_typed = _string(ANSWER)


# ---- one class per question ---------------------------------------------------------------------


def _field(reader: Reader[T], default: T) -> T:
    """A field of a request, with what reads it."""
    return field(default=default, metadata={"reader": reader})


def _mapping(reader: Reader[Mapping[str, T]]) -> Mapping[str, T]:
    """A field that is a mapping, and empty where the page leaves it out."""
    return field(default_factory=dict, metadata={"reader": reader})


@dataclass(frozen=True, slots=True)
class Request:
    """The fields of every question: its language, its page, and its number on that page."""

    language: str | None = _field(_optional(_one_of(*LANGUAGES)), None)
    page: str = _field(_word, "")
    serial: int = _field(_whole(0, 2**53), 0)


@dataclass(frozen=True, slots=True)
class GraphRequest(Request):
    """A question about a graph: its statements, and numbers for its inputs."""

    text: str = _field(_statements, "")
    inputs: Mapping[str, float] = _mapping(_named(_number))


@dataclass(frozen=True, slots=True)
class FaultRequest(GraphRequest):
    """A question about a graph whose pass may have a fault, in one of its valid orders."""

    fault: str = _field(_or("", _word), "")  # "" for none
    variant: str | None = _field(_optional(_word), None)
    order: int = _field(_or(0, _whole(0, 10_000)), 0)


@dataclass(frozen=True, slots=True)
class StartRequest(GraphRequest):
    """What does the page need before anything is typed?"""


@dataclass(frozen=True, slots=True)
class ExplainRequest(GraphRequest):
    """What are the gradients, and why?"""


@dataclass(frozen=True, slots=True)
class FaultsRequest(GraphRequest):
    """Which faults of the catalogue show on this graph?"""


@dataclass(frozen=True, slots=True)
class BreakRequest(FaultRequest):
    """What does this fault do to the pass?"""


@dataclass(frozen=True, slots=True)
class GroupRequest(FaultRequest):
    """What is inside this group of a large graph?"""

    key: str = _field(_word, "right")  # of the pass
    group: str = _field(_word, "")


@dataclass(frozen=True, slots=True)
class CheckRequest(GraphRequest):
    """Are these gradients right?"""

    ask: str = _field(_word, "quick")
    claimed: Mapping[str, str | float] | None = _field(_optional(_named(_printed)), None)


@dataclass(frozen=True, slots=True)
class DiagnoseRequest(GraphRequest):
    """Which mistake gives these gradients?"""

    observed: Mapping[str, str | float] = _mapping(_named(_printed))


@dataclass(frozen=True, slots=True)
class ExportRequest(FaultRequest):
    """The same as a file."""

    format: str = _field(_one_of(*FORMATS), "svg")
    view: str = _field(_word, "graph")
    node: int | None = _field(_optional(_whole(0, 10_000_000)), None)
    theme: str = _field(_one_of(*THEMES), "auto")


@dataclass(frozen=True, slots=True)
class LessonsRequest(Request):
    """Which units are there, and what is done of them?"""


@dataclass(frozen=True, slots=True)
class ArriveRequest(Request):
    """The learner reads this block of this unit."""

    unit: str = _field(_word, "")
    block: int = _field(_whole(0, 10_000), 0)


@dataclass(frozen=True, slots=True)
class UnitRequest(Request):
    """What stands in this unit?"""

    unit: str = _field(_word, "")
    seed: int = _field(_whole(0, SEEDS), 0)


@dataclass(frozen=True, slots=True)
class QuestionRequest(Request):
    """What does the question of this key ask?"""

    key: str = _field(_word, "")


@dataclass(frozen=True, slots=True)
class SolutionRequest(Request):
    """A question about the solution of the question of this key."""

    key: str = _field(_word, "")
    review: str = _field(_string(ITEM), "")  # the repetition that it is asked for
    seed: int = _field(_whole(0, SEEDS), 0)


@dataclass(frozen=True, slots=True)
class RevealRequest(SolutionRequest):
    """What is the right answer?"""


@dataclass(frozen=True, slots=True)
class JudgeRequest(SolutionRequest):
    """Is this answer right?"""

    answer: Mapping[str, str] = _mapping(_blanks)


@dataclass(frozen=True, slots=True)
class ReviewRequest(Request):
    """Which questions are due?"""

    seed: int = _field(_whole(0, SEEDS), 0)
    due: tuple[Mapping[str, str | int], ...] = _field(_repetitions, ())


APIS: Mapping[str, type[Request]] = {
    "start": StartRequest,
    "explain": ExplainRequest,
    "faults": FaultsRequest,
    "break": BreakRequest,
    "group": GroupRequest,
    "check": CheckRequest,
    "diagnose": DiagnoseRequest,
    "export": ExportRequest,
    "lessons": LessonsRequest,
    "arrive": ArriveRequest,
    "unit": UnitRequest,
    "question": QuestionRequest,
    "judge": JudgeRequest,
    "reveal": RevealRequest,
    "review": ReviewRequest,
}
_READERS: Mapping[str, Mapping[str, Reader[object]]] = {
    api: {each.name: each.metadata["reader"] for each in fields(kind)} for api, kind in APIS.items()
}
OWN = ("start", "lessons", "arrive")  # what the server answers itself, without a worker
LEARNED = ("unit", "judge", "reveal", "review")  # what it adds to before and after a worker is asked


# ---- reading ------------------------------------------------------------------------------------


def read_body(body: bytes) -> Mapping[str, object]:
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


def read_request(api: str, given: Mapping[str, object]) -> Request:
    """The question of an api, its fields each of their kind."""
    readers = _READERS[api]
    read: dict[str, Any] = {}
    for name, value in given.items():
        if name not in readers:
            raise RequestError(say("server.request.unknown", name=ascii(name[:40])))
        try:
            read[name] = readers[name](value)
        except _WrongKindError:
            raise RequestError(say("server.request.kind", name=name)) from None
    return APIS[api](**read)
