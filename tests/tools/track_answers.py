"""Answers of the track to all its wrong engines: mistakes named, lines found, solutions given away.

    .venv/bin/python tests/tools/track_answers.py [own|before] [--every N] [--rewritten]

own: the mistake is in what the engine's last step adds; before: in what an earlier step added.  Prints each
engine that is missed, and the counts.  --rewritten: with other names, other spellings and another layout
than the textbook's.  All of them take some five minutes of processor time.
"""

import resource
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "support"))

from minigrad.learn.track.answer import Commands, first_answer
from minigrad.learn.track.check import check
from minigrad.text.page import Page
from minigrad.text.translation import speaking
from track_wrong_engines import WrongEngine, changed_lines, gives_away, rewritten, wrong_engines


def tried(engine: WrongEngine) -> tuple[bool, bool, bool, str]:
    """Is the mistake named, the line found, the solution given away; and what was said."""
    checked = check(engine.source)
    found = checked.finding
    if found is None:
        return False, False, False, "it holds"
    said = []
    for lang in ("en", "es"):
        with speaking(lang):
            said += first_answer(checked, Page(width=10_000), Commands())
    text = "\n".join(said).replace(checked.file.line(found.line) or "\0", "")
    named, pointed = found.slug == engine.slug, found.line in changed_lines(engine)
    return (
        named,
        pointed,
        bool(gives_away(text, engine)),
        f"{found.kind} {found.slug} {found.op} :{found.line}",
    )


def main(words: list[str]) -> int:
    every = int(words.pop(words.index("--every") + 1)) if "--every" in words else 1
    places = {word for word in words if not word.startswith("--")} or {"own", "before"}
    engines = [engine for engine in wrong_engines() if engine.where in places][::every]
    if "--rewritten" in words:
        engines = [rewritten(engine) for engine in engines]
    counts = [0, 0, 0]
    for engine in engines:
        *results, said = tried(engine)
        counts = [count + result for count, result in zip(counts, results, strict=True)]
        if results != [True, True, False]:
            print(f"{engine.step}/{engine.slug} ({engine.planted or 'own'}): {said} {results}", flush=True)
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    seconds = sum(one.ru_utime + one.ru_stime for one in used)
    named, pointed, given_away = counts
    print(f"{len(engines)} engines: {named} named, {pointed} lines, {given_away} given away")
    print(f"{seconds:.0f} s CPU")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
