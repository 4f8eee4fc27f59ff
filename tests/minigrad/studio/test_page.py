"""The studio's page as files: its sentences, its examples, and what it must not contain."""

import re
from pathlib import Path

import pytest

import minigrad
from minigrad import explain
from minigrad.studio.messages import page

STUDIO = Path(minigrad.__file__).parent / "studio"
SCRIPTS = sorted(STUDIO.glob("*.js"))
SOURCES = {path.name: path.read_text(encoding="utf-8") for path in [*SCRIPTS, STUDIO / "studio.html"]}
WRITTEN = "\n".join(SOURCES.values())


def spoken():
    """The keys that the page speaks: whole ones, and the beginnings of those that it puts together."""
    whole = set(re.findall(r'"(studio\.[a-z_.]*[a-z_])"', WRITTEN))
    begun = set(re.findall(r"`(studio\.[a-z_.]*)\$\{", WRITTEN))
    return whole, begun


def test_every_sentence_that_the_page_speaks_is_in_the_catalogue():
    whole, begun = spoken()
    assert whole - page.ROWS.keys() == set()
    for beginning in begun:
        assert any(key.startswith(beginning) for key in page.ROWS), beginning


def test_every_sentence_of_the_catalogue_is_spoken():
    whole, begun = spoken()
    told = {key for key in page.ROWS if key in whole or any(key.startswith(start) for start in begun)}
    assert page.ROWS.keys() - told == set()


def test_both_languages_fill_in_the_same_fields():
    for key, (english, spanish) in page.ROWS.items():
        assert set(re.findall(r"\{\w+\}", english)) == set(re.findall(r"\{\w+\}", spanish)), key


@pytest.mark.parametrize("name", SOURCES)
def test_nothing_turns_text_into_markup_or_programs(name):
    forbidden = r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function|srcdoc"
    assert not re.search(forbidden, SOURCES[name])
    assert not re.search(r"""\bon[a-z]+\s*=\s*["']|<script>|style\s*=\s*["']""", SOURCES[name])


def test_the_page_names_no_other_place():
    addresses = set(re.findall(r"https?://[^\s'\"<>]+", WRITTEN))
    assert addresses <= {"http://www.w3.org/2000/svg"}, "the name of a format, which nobody visits"


def examples():
    text = SOURCES["examples.js"]
    rows = re.findall(r'key: "(\w+)",\s*chapter: "\w+",\s*text:\s*((?:"(?:[^"\\]|\\.)*"[\s+]*)+)', text)
    return {key: "".join(re.findall(r'"((?:[^"\\]|\\.)*)"', body)).replace("\\n", "\n") for key, body in rows}


@pytest.mark.parametrize("key", examples())
def test_every_example_is_right_by_central_differences(key):
    assert explain(examples()[key]).testimony.right


def test_the_examples_begin_with_the_graphs_of_the_lessons():
    found = examples()
    assert len(found) == SOURCES["examples.js"].count('key: "')
    assert explain(found["branches"]).trace.gradients == {"a": 4.0, "b": -4.0, "c": -12.0}
    assert explain(found["diamond"]).trace.gradients == {"a": -2.0, "b": 3.0}
    assert explain(found["relu"]).trace.gradients == {"a": -3.0, "b": 2.0, "d": 1.0}
    assert explain(found["twice"]).trace.gradients == {"a": 2.0}
    assert explain(found["product"]).trace.gradients == {"x": 5.0, "y": 3.0}
