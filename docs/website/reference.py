"""The reference: a page per module with its public names, and one with the command line.

What stands there is what the program says itself: signatures, docstrings and help texts.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib import import_module

from minigrad.cli.commands import COMMANDS
from minigrad.text.translation import catalogue, say

from .docstrings import MODULES, Entry, entries, module_text, said
from .markdown import code, fenced, plain, table
from .staging import Book

__all__ = ["add_reference", "prose"]

FOLDER = "reference"


def add_reference(book: Book) -> None:
    """All pages, in the language in use."""
    for module in MODULES:
        book.pages[f"{FOLDER}/{page_of(module)}"] = "\n".join(_module(module))
    book.pages[f"{FOLDER}/index"] = "\n".join(_index())
    book.pages[f"{FOLDER}/commands"] = "\n".join(_commands())


def page_of(module: str) -> str:
    """The name of a module's page: graph, and value for minigrad itself."""
    return module.rpartition(".")[2] if "." in module else "value"


def prose(text: str) -> str:
    """A docstring as Markdown: what is indented is an example, what is in backticks is code."""
    parts = []
    for part in re.split(r"\n\s*\n", text):
        lines = part.splitlines()
        indented = [line.startswith("    ") for line in lines]
        if all(indented):
            parts.append(fenced("\n".join(line[4:] for line in lines), "python"))
        elif indented[-1] and not indented[0]:  # a sentence, and the example below it
            at = next(i for i, is_code in enumerate(indented) if is_code)
            parts += [_escaped(lines[:at]), fenced("\n".join(line[4:] for line in lines[at:]), "python")]
        else:
            parts.append(_escaped(lines))
    return _joined_examples("\n\n".join(part.strip() for part in parts)) + "\n"


def _escaped(lines: list[str]) -> str:
    pieces = re.split(r"(`[^`]+`|\*[a-záéíóúñ]+\*)", "\n".join(line.strip() for line in lines))
    return "".join(piece if at % 2 else _plain(piece) for at, piece in enumerate(pieces))


def _plain(words: str) -> str:
    return re.sub(r"([\\*_{}\[\]<>|#$~^])", r"\\\1", words)


def _joined_examples(text: str) -> str:
    return text.replace("\n```\n\n```python\n", "\n\n")


# ---- the pages ----------------------------------------------------------------------------------


def _index() -> Iterator[str]:
    yield f"# {say('site.reference.title')}\n"
    yield say("site.reference.about") + "\n"
    rows = []
    for module in MODULES:
        about = module_text(module, (import_module(module).__doc__ or "").strip())
        rows.append([f"[{code(module)}]({page_of(module)}.md)", _first(about.removeprefix("minigrad: "))])
    rows.append([f"[{code('$ minigrad')}](commands.md)", say("site.commands.about")])
    yield table([say("site.reference.room"), say("site.reference.what")], rows)
    yield "```{toctree}\n:hidden:\n\n" + "\n".join(page_of(module) for module in MODULES) + "\n```\n"


def _first(text: str) -> str:
    """The first sentence of a docstring, in a cell."""
    sentence = re.split(r"(?<=[.?])\s|\n\s*\n|\.\n", text.strip(), maxsplit=1)[0]
    return _escaped([" ".join(sentence.split())])


def _module(module: str) -> Iterator[str]:
    yield f"# {module}\n"
    yield prose(module_text(module, (import_module(module).__doc__ or "").strip()))
    found = list(entries(module))
    if module == "minigrad":
        yield from _elsewhere()
    ops = [entry for entry, _ in found if entry.op]
    for entry, members in found:
        if not entry.op:
            yield from _entry(entry, members)
    if ops:
        yield f"## {say('site.reference.ops')}\n"
        yield say("site.reference.ops.about") + "\n"
        yield _rules(ops)


def _elsewhere() -> Iterator[str]:
    """What `from minigrad import ...` gives, and the page that documents it."""
    import minigrad

    homes: dict[str, str] = {}  # where each is documented
    for module in MODULES[1:]:
        for entry, _ in entries(module):
            homes.setdefault(entry.name, module)
    rows = []
    for name in minigrad.__all__:
        home = homes.get(name)
        if home is None or name in ("Value", "backward", "no_grad", "ENGINE"):
            rows.append([f"[{code(name)}](#{anchor(name)})", code("minigrad")])
        else:
            rows.append([f"[{code(name)}]({page_of(home)}.md#{anchor(name)})", code(home)])
    yield f"## {say('site.reference.names')}\n"
    yield table([say("site.reference.name"), say("site.reference.room")], rows)


def anchor(name: str) -> str:
    return name.lower()


def _entry(entry: Entry, members: list[Entry]) -> Iterator[str]:
    yield f"## {entry.name}\n"
    kind = "class " if entry.kind == "class" else ""
    if entry.kind == "data":
        yield fenced(f"{entry.key} = {entry.value}" if entry.value else entry.key, "python")
    else:
        yield fenced(_in_lines(f"{kind}{entry.name}{entry.signature}"), "python")
    if entry.doc:
        yield prose(said(entry))
    own = [member for member in members if not member.op]
    for member in own:
        if member.doc:
            yield f"{code(_called(entry, member))}\n{_definition(said(member))}"
    silent = [code(_called(entry, member)) for member in own if not member.doc]
    if silent:
        yield say("site.reference.also", names=", ".join(silent)) + "\n"
    ops = [member for member in members if member.op]
    if ops:
        yield f"### {say('site.reference.ops')}\n"
        yield _rules(ops)


def _called(owner: Entry, member: Entry) -> str:
    return f"{owner.name}.{member.name}" + ("" if member.kind == "property" else member.signature or "()")


def _definition(text: str) -> str:
    """What belongs to the term above."""
    return ": " + prose(text).strip().replace("\n", "\n  ") + "\n"


def _in_lines(signature: str, wide: int = 88) -> str:
    """A long signature with a parameter per line; commas inside brackets do not part them."""
    start = signature.find("(")
    if len(signature) <= wide or start < 0:
        return signature
    depth, parts, last = 0, [], start + 1
    for at in range(start, len(signature)):
        depth += (signature[at] in "([{") - (signature[at] in ")]}")
        if (depth == 1 and signature[at] == ",") or depth == 0:
            parts.append(signature[last:at].strip())
            last = at + 1
        if depth == 0:
            break
    lines = "".join(f"    {part},\n" for part in parts)
    return f"{signature[: start + 1]}\n{lines}{signature[last - 1 :]}"


def _rules(ops: list[Entry]) -> str:
    rows = [[code(f"{op.name}{op.signature}"), plain(said(op).removesuffix("."))] for op in ops]
    return table([say("site.reference.name"), say("site.ops.rule")], rows)


def _commands() -> Iterator[str]:
    yield f"# {say('site.commands.title')}\n"
    yield say("site.commands.about") + "\n"
    rows = catalogue()
    yield fenced(say("help"), "text")
    for command in COMMANDS:
        if f"help.{command}" in rows:
            yield f"## minigrad {command}\n"
            yield fenced(say(f"help.{command}"), "text")
