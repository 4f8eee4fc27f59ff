"""Answers of the court and of the diagnosis, as tables and sections for the page."""

from __future__ import annotations

from ..faults.contributions import same
from ..faults.forensics import Diagnosis, Forensics, diagnose
from ..faults.forensics_report_text import sections
from ..faults.order_runs import run_orders
from ..graph.wording import name
from ..text.numerals import json_number
from ..text.page import ROWS, Page
from ..text.translation import say
from ..verify import court
from ..verify.witness_table import cells
from .requests import CheckRequest, DiagnoseRequest, refusing
from .typed_graph import TypedGraph

__all__ = ["court_answer", "diagnosis_answer"]

PAGE = Page(width=1000, rows=ROWS)  # the page in the browser breaks lines where its own width ends
DIAGNOSES = 12  # that are listed
SEARCHED = 300  # nodes; in larger graphs the order of a diagnosis is not looked up among the lab's


def court_answer(found: TypedGraph, asked: CheckRequest) -> dict[str, object]:
    """The verdict, and what each witness says about each number."""
    with refusing():
        verdict = court(found.graph, claimed=asked.claimed or None, ask=asked.ask)
    heads, rows = cells(verdict)
    parts = list(verdict.sections(PAGE))
    return {
        "verdict": verdict.verdict,
        "word": say(f"court.verdict.{verdict.verdict}"),
        "reason": verdict.reason,
        "columns": heads,
        "rows": [
            {
                "witness": row.label,
                "status": row.status,
                "status_words": row.word,
                "cells": row.cells,
                "why": row.why,
            }
            for row in rows
        ],
        "by_hand": parts[1][1] if len(parts) > 2 else [],
    }


def diagnosis_answer(found: TypedGraph, asked: DiagnoseRequest) -> dict[str, object]:
    """Which bugs give these gradients, the likeliest first."""
    with refusing():
        forensics = diagnose(found.graph, asked.observed)
    return {
        "verdict": forensics.verdict,
        "sections": [{"title": title, "lines": lines} for title, lines in sections(forensics, PAGE)],
        "diagnoses": [_diagnosis_row(forensics, each) for each in forensics.diagnoses[:DIAGNOSES]],
    }


def _diagnosis_row(forensics: Forensics, diagnosis: Diagnosis) -> dict[str, object]:
    graph, suspect = forensics.graph, diagnosis.suspects[0]
    alone = len(diagnosis.suspects) == 1
    return {
        "fault": suspect.fault.slug if alone else None,  # a pair cannot be looked at in the lab
        "variant": suspect.what(graph),
        "name": diagnosis.name(),
        "order": [name(graph, i) for i in diagnosis.outcome.order[:30]],
        "order_index": _order_index(forensics, diagnosis) if alone else None,
        "gradients": {graph.names[i]: json_number(diagnosis.outcome.grads[i]) for i in graph.inputs},
    }


def _order_index(forensics: Forensics, diagnosis: Diagnosis) -> int | None:
    """Which of the orders that the lab lists gives these numbers."""
    graph, suspect = forensics.graph, diagnosis.suspects[0]
    if not suspect.fault.ordered:
        return 0
    if len(graph) > SEARCHED:
        return None
    runs = run_orders(graph, suspect.pieces(), suspect.fault.ordered, forensics.right)
    for index, run in enumerate(runs.listed):
        if all(same(run.grads[i], diagnosis.outcome.grads[i]) for i in graph.inputs):
            return index
    return None
