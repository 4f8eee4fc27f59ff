"""Questions: written in the lessons, or generated from graphs and faults."""

from .kinds import KINDS, Kind, generate, question, written
from .question import Answer, Choice, Judgement, Prompt, Question

__all__ = [
    "KINDS",
    "Answer",
    "Choice",
    "Judgement",
    "Kind",
    "Prompt",
    "Question",
    "generate",
    "question",
    "written",
]
