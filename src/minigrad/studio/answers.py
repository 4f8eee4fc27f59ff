"""Answers to the questions of the page: plain data in and out, no web and no process.

`answer(api, fields)` never raises on account of what was asked: what cannot be done is told in the language
of the question, as {"ok": False, "error": {"code", "message", "where"?}}.  The text is read by our own
language; nothing in it is ever run as a program.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import singledispatch

from ..drawing import draw
from ..drawing.png import MissingLibraryError
from ..drawing.scene import groups
from ..explanation.explanation import Explanation
from ..faults.catalogue import FAULTS
from ..faults.fault import Fault, Suspect
from ..faults.overview import Overview, overview
from ..graph.trace import trace
from ..graph.wording import name
from ..language import LanguageError
from ..player.document import TitledTrace, document
from ..text.translation import LANGUAGES, catalogue, say, speaking
from .broken_pass import broken_answer, laboratory, order_of
from .court_and_diagnosis import court_answer, diagnosis_answer
from .exports import export_answer
from .gate import refusal
from .lessons import judge_answer, question_answer, reveal_answer, review_answer, unit_answer
from .requests import (
    BreakRequest,
    CheckRequest,
    DiagnoseRequest,
    ExplainRequest,
    ExportRequest,
    FaultsRequest,
    GraphRequest,
    GroupRequest,
    JudgeRequest,
    QuestionRequest,
    Request,
    RequestError,
    RequestRefusedError,
    RevealRequest,
    ReviewRequest,
    UnitRequest,
    read_request,
    refusing,
)
from .typed_graph import LimitError, TypedGraph, place_of, read_graph

__all__ = ["answer"]

BAD_REQUEST = 400

Answer = dict[str, object]


def answer(api: str, fields: Mapping[str, object], language: str | None = None) -> tuple[int, Answer]:
    """The HTTP status and the answer; `language` is the one of a question that names none."""
    with speaking(language):
        try:
            asked = read_request(api, fields)
        except RequestError as error:
            return BAD_REQUEST, refusal("request", str(error))
    with speaking(asked.language or language):
        return 200, {**_answer_or_refusal(asked), "serial": asked.serial}


def _answer_or_refusal(asked: Request) -> Answer:
    """The answer, or what keeps us from one."""
    try:
        return {"ok": True, **_answer(asked)}
    except LanguageError as error:
        place = place_of(asked.text if isinstance(asked, GraphRequest) else "", error)
        about: Answer = {"hint": error.hint, "line": error.line, "column": error.column}
        if place is not None:
            about["where"] = list(place)
        return refusal("language", error.reason, **about)
    except LimitError as error:
        return refusal("limit", str(error))
    except MissingLibraryError as error:
        return refusal("missing", str(error))
    except RequestRefusedError as error:
        return refusal("refused", str(error))


# ---- one function per question ------------------------------------------------------------------


@singledispatch
def _answer(asked: Request) -> Answer:
    raise TypeError(type(asked).__name__)


_answer.register(UnitRequest, unit_answer)
_answer.register(QuestionRequest, question_answer)
_answer.register(JudgeRequest, judge_answer)
_answer.register(RevealRequest, reveal_answer)
_answer.register(ReviewRequest, review_answer)


@_answer.register
def _(asked: ExplainRequest) -> Answer:
    found = read_graph(asked.text, asked.inputs)
    explanation = Explanation(trace(found.graph), source=(found.text, found.places))
    told = [TitledTrace("right", catalogue()["told.right"], explanation.trace)]
    return {
        "document": document(told, source=explanation.source, most=0),  # groups come when they are opened
        **_about(found),
        "notes": explanation.sentences(),
    }


def _about(found: TypedGraph) -> Answer:
    graph = found.graph
    return {"inputs": found.rows(), "output": name(graph, graph.output), "nodes": len(graph)}


@_answer.register
def _(asked: GroupRequest) -> Answer:
    """The inside of one group of a large graph, as one of the passes that are played has it."""
    found = read_graph(asked.text, asked.inputs)
    if asked.group not in groups(found.graph):
        raise RequestRefusedError(say("server.group", group=ascii(asked.group)))
    shown = trace(found.graph)
    if asked.fault:
        lab = laboratory(found, asked)
        told = lab.told(order_of(lab, asked.order)[1])
        shown = next((each.trace for each in told if each.key == asked.key), told[0].trace)
    return {"svg": draw("graph", shown, group=asked.group).inline("graph")}


@_answer.register
def _(asked: BreakRequest) -> Answer:
    fault_text = FAULTS[asked.fault].smallest if not asked.text.strip() and asked.fault in FAULTS else ""
    found = read_graph(fault_text or asked.text, asked.inputs)
    return {**broken_answer(found, asked), **_about(found), "text": fault_text or None}


@_answer.register
def _(asked: FaultsRequest) -> Answer:
    """The whole catalogue in both languages, and which of it shows on this graph."""
    view = None
    if asked.text.strip():
        found = read_graph(asked.text, asked.inputs)
        with refusing():
            view = overview(found.graph)
    families = {fault.family: _both(f"family.{fault.family}") for fault in FAULTS.values()}
    return {
        "families": families,
        "faults": [_fault_row(fault, *_state(view, fault)) for fault in FAULTS.values()],
    }


def _state(view: Overview | None, fault: Fault) -> tuple[str, Overview | None, Suspect | None]:
    """What a fault does here, and in which variant."""
    if view is not None:
        for suspect, _ in view.showing:
            if suspect.fault is fault:
                return "shows", view, suspect
        for suspect in view.hidden:
            if suspect.fault is fault:
                return "hidden", view, suspect
        if fault in view.untried:
            return "untried", view, None
    return "idle", view, None


def _fault_row(fault: Fault, applies: str, view: Overview | None, suspect: Suspect | None) -> Answer:
    names = []
    for language in LANGUAGES:
        with speaking(language):
            if suspect is not None and view is not None:
                names.append(suspect.name(view.graph))
            else:
                names.append(fault.name[LANGUAGES.index(language)].format(what=say("listing.what")))
    return {
        "slug": fault.slug,
        "family": fault.family,
        "name": names,
        "story": fault.story,
        "ordered": fault.ordered,
        "seen": fault.seen,
        "case": fault.case,
        "smallest": fault.smallest,
        "applies": applies,
    }


def _both(key: str) -> tuple[str, str]:
    return catalogue()[key]


@_answer.register
def _(asked: CheckRequest) -> Answer:
    return court_answer(read_graph(asked.text, asked.inputs), asked)


@_answer.register
def _(asked: DiagnoseRequest) -> Answer:
    return diagnosis_answer(read_graph(asked.text, asked.inputs), asked)


@_answer.register
def _(asked: ExportRequest) -> Answer:
    return export_answer(read_graph(asked.text, asked.inputs), asked)
