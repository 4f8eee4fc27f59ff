"""Is a result nothing but what we wrote?  One checker per kind of sink, each with a real parser.

What is found with a payload is held against what is found with a harmless label: the same elements and
attributes, the same scripts, the same commands.  `test_injection.py` plants something for each to catch.
"""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from collections import Counter
from collections.abc import Iterator
from functools import lru_cache

import html5lib
from markdown_it import MarkdownIt
from pylatexenc.latexwalker import (
    LatexCommentNode,
    LatexEnvironmentNode,
    LatexGroupNode,
    LatexMacroNode,
    LatexMathNode,
    LatexSpecialsNode,
    LatexWalker,
)  # fmt: skip

from minigrad.graph.notation import latex

__all__ = ["html_faults", "html_tree", "latex_faults", "markdown_faults", "markup_faults", "terminal_faults"]

SPOKEN = ("aria-", "data-", "alttext", "title", "content", "srcdoc", "xmlns")  # attributes that hold text
PLAIN = re.compile(r"[\w\s.,;:%#()/+'-]*")  # what all the others are made of


def markup_faults(tree: ET.Element, harmless: ET.Element) -> list[str]:
    """Elements and attributes that the harmless tree has not, and values that are no plain words."""
    known, usual = _known(harmless)
    counts = Counter(_local(node.tag) for node in tree.iter())
    found = []
    for node in tree.iter():
        if not isinstance(node.tag, str):
            found.append(f"a comment or instruction: {node.text!r}")
            continue
        tag = _local(node.tag)
        if (tag, "") not in known:
            found.append(f"<{tag}>")
        for attribute, value in node.attrib.items():
            name = _local(attribute)
            if (tag, name) not in known:
                found.append(f"<{tag} {name}>")
            if name.startswith("on"):
                found.append(f"an event: {name}")
            if not name.startswith(SPOKEN) and not PLAIN.fullmatch(value):
                found.append(f"{name}={value!r}")
    for tag in ("script", "style", "iframe", "meta"):
        if counts[tag] != usual[tag]:
            found.append(f"{counts[tag]} of <{tag}>")
    return found


@lru_cache(maxsize=8)  # many payloads are held against one tree
def _known(harmless: ET.Element) -> tuple[set[tuple[str, str]], Counter[str]]:
    """The elements with their attributes, each element also with none; and how many there are of each."""
    pairs = {(_local(node.tag), _local(name)) for node in harmless.iter() for name in ("", *node.attrib)}
    return pairs, Counter(_local(node.tag) for node in harmless.iter())


def _local(name: object) -> str:
    return str(name).rpartition("}")[2]


@lru_cache(maxsize=8)
def html_tree(page: str) -> ET.Element:
    parser = html5lib.HTMLParser(tree=html5lib.getTreeBuilder("etree"), namespaceHTMLElements=False)
    tree: ET.Element = parser.parse(page)
    return tree


def html_faults(page: str, harmless: str) -> list[str]:
    """The same for a page, and its code and its policy must not change."""
    tree, plain = html_tree(page), html_tree(harmless)
    found = markup_faults(tree, plain)
    for tag, told in (("script", "type"), ("style", "type"), ("meta", "content")):
        ours, theirs = (
            [(node.attrib, node.text) for node in each.iter(tag) if "json" not in node.get(told, "")]
            for each in (tree, plain)
        )
        if ours != theirs:
            found.append(f"another <{tag}>")
    for node in tree.iter("script"):
        if "json" in node.get("type", "") and re.search("[<>&\u2028\u2029]", node.text or ""):
            found.append("a character in a document that a page would read")
    return found


def terminal_faults(text: str, coloured: bool = False) -> list[str]:
    """Characters that a terminal acts on, but for line breaks and, where they are wanted, our own colours."""
    plain = re.sub(r"\x1b\[(0|1|2|3[1-6])m", "", text) if coloured else text
    return sorted({ascii(c) for c in plain if c != "\n" and not c.isprintable() and c != "\u00a0"})


def markdown_faults(text: str, harmless: str) -> list[str]:
    """Kinds of Markdown that a payload brought: links, images, HTML, headings."""
    return sorted((Counter(_kinds(text)) - Counter(_kinds(harmless))).keys() - {"text"})


def _kinds(text: str) -> Iterator[str]:
    parser = MarkdownIt("commonmark").enable(["table", "strikethrough"])
    parser.validateLink = lambda url: True
    todo = list(parser.parse(text))
    while todo:
        token = todo.pop()
        yield token.type
        todo += token.children or []


def latex_faults(text: str, harmless: str = "") -> list[str]:
    """Commands, comments and mathematics in dollars that a payload brought."""
    found = set(_commands(text)) - _usual(harmless) - OURS
    if "^^" in text:
        found.add("^^")
    return sorted(found)


OURS = set(re.findall(r"\\([A-Za-z]+|[^A-Za-z])", "".join(map(latex.words_of, map(chr, range(0x20, 0x400))))))
OURS |= {"textit", "texttt", "mathit", "ensuremath", "special ~"}  # ~ is a no-break space


@lru_cache(maxsize=2)
def _usual(harmless: str) -> frozenset[str]:
    return frozenset(_commands(harmless))


def _commands(text: str) -> Iterator[str]:
    todo = list(LatexWalker(text, tolerant_parsing=False).get_latex_nodes()[0])
    while todo:
        node = todo.pop()
        if isinstance(node, LatexMacroNode):
            yield node.macroname
        elif isinstance(node, LatexEnvironmentNode):
            yield f"environment {node.environmentname}"
        elif isinstance(node, LatexCommentNode):
            yield f"comment {node.comment}"
        elif isinstance(node, LatexMathNode) and node.delimiters[0] not in (r"\(", r"\["):
            yield f"mathematics in {node.delimiters[0]}"
        elif isinstance(node, LatexSpecialsNode):
            yield f"special {node.specials_chars}"
        arguments = getattr(node, "nodeargd", None)
        if arguments is not None:
            todo += [each for each in arguments.argnlist or [] if each is not None]
        if isinstance(node, (LatexGroupNode, LatexEnvironmentNode, LatexMathNode)):
            todo += node.nodelist
