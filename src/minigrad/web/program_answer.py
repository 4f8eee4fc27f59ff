"""Answer to a program: what it printed, and its last Value as a picture whose nodes lead to its own lines."""

from __future__ import annotations

from ..graph import Graph
from ..graph.trace import trace
from ..graph.variable_names import name as name_values
from ..graph.wording import name
from ..language import write
from ..nn import Module
from ..player.document import TitledTrace, document
from ..studio.requests import NODES
from ..text.numerals import counted
from ..text.translation import catalogue, say
from .program_run import ProgramRun, run_program

__all__ = ["program_answer"]

Data = dict[str, object]
LONGEST = 60_000  # characters of a program


def program_answer(source: object) -> Data:
    """As plain data; a program that fails is an answer too, with what it printed until then."""
    if not isinstance(source, str) or len(source) > LONGEST:
        return _refusal(say("web.program.long", most=counted(LONGEST)))
    ran = run_program(source)
    found: Data = {"ok": True, "printed": ran.printed, "document": None, "statements": ""}
    if ran.error is not None:
        about = {"line": ran.error.line, "where": ran.error.span and list(ran.error.span)}
        return found | _refusal(ran.error.message, **about)
    if ran.output is None:
        return found | {"remark": say("web.program.nothing")}
    return found | _picture(source, ran)


def _picture(source: str, ran: ProgramRun) -> Data:
    assert ran.output is not None
    _name_weights(ran)
    name_values(ran.names)
    try:
        graph = Graph.of(ran.output)
        if len(graph) > NODES:
            return _refusal(say("server.limit.nodes", count=counted(len(graph)), most=counted(NODES)))
        shown = trace(graph)
    except ValueError as error:  # data that was changed after it had been used
        return _refusal(str(error))
    places = tuple(ran.spans.get(index) for index in _indices(ran))
    told = [TitledTrace("right", catalogue()["told.right"], shown)]
    return {
        "document": document(told, source=(source, places)),
        "output": name(graph, graph.output),
        "nodes": len(graph),
        "statements": _statements(graph),
    }


def _name_weights(ran: ProgramRun) -> None:
    """What a model calls its weights, before a loop over them gives one of them the name of its variable."""
    for owner, thing in ran.names.items():
        if isinstance(thing, Module):
            for path, weight in thing.named_parameters():
                if not weight.label:
                    weight.label = f"{owner}.{path}"


def _indices(ran: ProgramRun) -> list[int]:
    """The places in the order of creation of what is below the output, which is the order of its graph."""
    assert ran.output is not None
    found, seen = [ran.output], {id(ran.output)}
    for value in found:  # grows while it is walked
        for child in value._children:
            if id(child) not in seen:
                seen.add(id(child))
                found.append(child)
    return sorted(value._index for value in found)


def _statements(graph: Graph) -> str:
    """The same in the studio's language, where it can be broken; nothing where there is no text for it."""
    try:
        return write(graph)
    except ValueError:
        return ""


def _refusal(message: str, **about: object) -> Data:
    return {"ok": False, "error": {"code": "program", "message": message, **about}}
