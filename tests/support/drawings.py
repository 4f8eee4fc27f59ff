"""Drawings of the classic example and of long chains, and what is in the markup of one."""

from __future__ import annotations

from xml.etree import ElementTree

from minigrad import Graph, parse, trace
from minigrad.graph import INPUT, Node

__all__ = ["CLASSIC", "SVG", "classed", "classic", "deep", "marked", "tree", "words_in"]

CLASSIC = ("ab = a*b; e = ab + c; f = a - c; L = e*f", {"a": 2.0, "b": 3.0, "c": 4.0})
SVG = "{http://www.w3.org/2000/svg}"


def classic(**pieces):
    return trace(parse(*CLASSIC), **pieces)


def tree(drawing):
    return ElementTree.fromstring(drawing.svg())


def words_in(element):
    return ["".join(text.itertext()) for text in element.iter(f"{SVG}text")]


def marked(root, attribute, value=None):
    return [e for e in root.iter() if attribute in e.attrib and value in (None, e.get(attribute))]


def classed(root, name):
    return [e for e in root.iter() if name in e.get("class", "").split()]


def deep(count):
    nodes = [Node(INPUT, (), "a", 0.5)]
    nodes += [Node("add", (i, 0)) if i % 2 else Node("tanh", (i,)) for i in range(count)]
    return Graph(nodes)
