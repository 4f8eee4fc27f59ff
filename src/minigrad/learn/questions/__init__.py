"""Questions: written in the lessons, or generated from graphs and faults."""

from .kinds import KINDS, Kind, generate, lesson_question, question
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
    "lesson_question",
    "question",
]
