"""Would the doctor's own probes tell a changed source from the original?

A planted bug that neither somebody's tests nor these probes see may be no bug at all in that engine.
"""

from __future__ import annotations

from collections.abc import Callable

from .child_protocol import ask
from .examination import RIGHT, examination
from .source import subject_of

__all__ = ["notices_of"]


def notices_of(path: str) -> Callable[[str], bool] | None:
    """A function that says whether a source gives other numbers; None where the engine cannot be used."""
    subject = subject_of(path)
    exam = examination(subject)
    if exam.trouble:
        return None
    right = [o for o in exam.outcomes.values() if o.status == RIGHT and o.probe.depth < 100]
    known = {o.probe.id: o.seen[0] for o in right}

    def notices(source: str) -> bool:
        answer = ask(
            subject, [o.probe for o in right], plan=exam.plan, texts={str(subject.path): source}, isolate=True
        )
        return answer.trouble is not None or any(
            answer.numbers.get(probe, {}).get("grads") != found["grads"]
            or answer.numbers.get(probe, {}).get("value") != found["value"]
            for probe, found in known.items()
        )

    return notices
