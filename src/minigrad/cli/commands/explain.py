"""`minigrad explain EXPR name=value ...`: every gradient of an expression, explained.

`minigrad explain RUN.safetensors --weight NAME`: the gradient of one weight in the next step of a saved run.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from shutil import which

from ...drawing import DRAWINGS, THEMES
from ...drawing.png import MissingLibraryError
from ...explanation.explanation import CLASSIC, TEXTS, VIEWS, explain, unknown_view
from ...explanation.file_formats import FORMS, FormatOptions
from ...text.escape import visible
from ...text.numerals import show
from ...text.translation import say
from .. import argument_values, output
from ..arguments import Arguments, UsageError, take_apart
from . import OF_RESULTS, RIGHT, WRONG

__all__ = ["run", "welcome"]

OPTIONS = {
    "view": "VIEWS",
    "node": "NAME",
    "open": "GROUP",
    "order": "NODES",
    "against": "NODES",
    "theme": "THEME",
    "weight": "NAME",
    "paths": "K",
    **OF_RESULTS,
}
OF_RUNS = ("weight", "paths")  # what a saved run alone has
OF_ALL = (*OF_RUNS, "json", "out", "all", "help", "lang")  # all that it has
PICTURES = (".svg", ".png", ".html")
WANTED = {  # what an option is good for
    "node": PICTURES,
    "open": PICTURES[:2],  # in a page a click opens a group
    "theme": PICTURES[:2],  # a page follows its reader
    "against": (".html",),
}


def run(words: Sequence[str]) -> int:
    arguments = take_apart(words, OPTIONS)
    if arguments.words and arguments.words[0].lower().endswith(".safetensors"):
        return _run_of(arguments)
    for option in OF_RUNS:
        if arguments.flag(option):
            raise UsageError(say("usage.weight.run", given=f"--{option}"))
    text = argument_values.expression(arguments.words, say("usage.expression"))
    wishes = _wishes(arguments)
    forms = {ending: partial(form, wishes=wishes) for ending, form in FORMS.items()}
    write = output.writer(arguments, forms, views=wishes.views or VIEWS)
    explanation = explain(text, argument_values.inputs(arguments.words[1:]))
    if "order" in arguments.options:
        explanation = explanation.in_order(_names(arguments.options["order"]))
    try:
        write(explanation)
    except MissingLibraryError as error:
        raise UsageError(str(error)) from None
    return RIGHT if explanation.testimony.right else WRONG


def _run_of(arguments: Arguments) -> int:
    """One weight of a saved run, or the list of its arrays."""
    from ...training.run_file import load
    from ...training.step_arrays import list_arrays
    from ...training.weight import MOST, explain_weight

    path, *others = arguments.words
    shown = argument_values.quoted(Path(path).name)
    for option in arguments.options:
        if option not in OF_ALL:
            raise UsageError(say("usage.weight.option", given=f"--{option}", run=shown))
    if len(others) > 1 or any("=" in word for word in others):
        raise UsageError(say("usage.weight.word", given=argument_values.quoted(others[-1]), run=shown))
    if "weight" not in arguments.options and "paths" in arguments.options:
        raise UsageError(say("usage.weight.paths", given=argument_values.quoted(arguments.options["paths"])))
    write = output.writer(arguments)
    try:
        run = load(path, *others)
    except OSError as error:
        why = output.reason(error)
        raise UsageError(say("train.unreadable", path=visible(error.filename or path), why=why)) from None
    if "weight" not in arguments.options:
        write(list_arrays(run))
        return RIGHT
    keep = argument_values.whole(arguments, "paths", 0, MOST, 5)
    weight = explain_weight(run, arguments.options["weight"], keep)
    write(weight)
    return RIGHT if weight.right else WRONG


def _wishes(arguments: Arguments) -> FormatOptions:
    """What --view, --node and the like say, refused where the file that is asked for has no use for it."""
    options = arguments.options
    ending = Path(options.get("out", "")).suffix
    known = DRAWINGS if ending in PICTURES else TEXTS
    views = tuple(view.strip() for view in options["view"].split(",")) if "view" in options else ()
    for view in views:
        if view not in known:
            undrawn = say("view.undrawn", given=argument_values.quoted(view), known=", ".join(DRAWINGS))
            raise UsageError(undrawn if ending in PICTURES else unknown_view(view))
    for option, endings in WANTED.items():
        if option in options and ending not in endings:
            raise UsageError(say("usage.picture", given=f"--{option}", known=", ".join(endings)))
    if "node" in options and ending != ".html" and "ledger" not in views:
        raise UsageError(say("usage.node"))
    theme = options.get("theme", "auto")
    if theme not in THEMES:
        raise UsageError(say("theme.unknown", given=argument_values.quoted(theme), known=", ".join(THEMES)))
    against = _names(options["against"]) if "against" in options else None
    return FormatOptions(views, options.get("node", ""), options.get("open", ""), theme, against)


def _names(wish: str) -> tuple[str, ...]:
    return tuple(name.strip() for name in wish.split(",") if name.strip())


def welcome() -> int:
    """What `minigrad` alone shows: the classic example."""
    text, inputs = CLASSIC
    words = [f"{name}={show(x)}" for name, x in inputs.items()]
    print(f'{say("welcome.what")}\n\n$ minigrad explain "{text}" {" ".join(words)}\n')
    code = run([text, *words])
    print("\n" + say("welcome.next"))
    if sys.prefix != sys.base_prefix and not which("minigrad"):  # an environment that is not active
        print(output.fitting("\n" + say("welcome.path", command=_activation())))
    return code


def _activation() -> str:
    """What makes this environment the active one, written as short as it can be from here."""
    folder = Path(sys.prefix)
    with suppress(ValueError):
        folder = folder.relative_to(Path.cwd())
    return str(folder / "Scripts" / "activate") if os.name == "nt" else f"source {folder}/bin/activate"
