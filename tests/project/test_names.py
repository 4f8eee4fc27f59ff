"""The naming rule of CONTRIBUTING.md, as far as a program can check it: files, classes, first lines.

Each check is a function over names or texts, and each has a test in which it must find a planted violation.
"""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path, PurePath

import pytest

from source_trees import PACKAGE, ROOT, sources

# ---- files --------------------------------------------------------------------------------------

CODE = (".py", ".c", ".h", ".js")
FOLDERS = (
    PACKAGE,
    *(ROOT / "tests" / name for name in ("minigrad", "project", "support", "fuzz", "tools", "mutation")),
)

# Gerunds and participles that are the established word for a thing, and what it is.
ESTABLISHED = {
    "batching": "many samples in one call",
    "tracing": "recording what a function computes, as in JAX",
    "training": "fitting a model to data",
    "clipping": "gradients cut to a norm, as in torch.nn.utils",
    "rounding": "the error of floating-point arithmetic",
    "lowering": "from a program to instructions of a machine",
    "drawing": "a picture",
    "wording": "a choice of words",
    "meaning": "what something means",
    "expected": "the right numbers, in test vocabulary",
    "reflected": "Python's word for operators such as __rsub__",
}
# Participles that do not end in -ed.
PARTICIPLES = {
    "begun", "built", "chosen", "done", "drawn", "felt", "found", "given", "gone", "heard", "held",
    "kept", "known", "left", "lost", "made", "meant", "said", "seen", "sent", "shown", "spoken", "taken",
    "told", "understood", "written",
}  # fmt: skip
RENDERERS = {"report", "report_text", "report_html"}


def wrong_file_name(stem: str) -> str:
    """Why a file must not be called so; nothing if it may.  The last word of a name says what it is."""
    if re.fullmatch(r"__\w+__", stem):
        return ""
    last = stem.strip("_").rpartition("_")[2]
    if last in ESTABLISHED:
        return ""
    if last.endswith("ing") and last not in ("string", "ring"):
        return "a gerund names nothing that a file could contain"
    if last in PARTICIPLES or (last.endswith("ed") and last not in ("seed", "feed", "embed")):
        return "a participle names nothing that a file could contain"
    if stem.startswith("report") and stem not in RENDERERS:
        return "renderers are called report.py, report_text.py and report_html.py"
    return ""


def wrong_file_names(paths: Iterable[PurePath]) -> dict[str, str]:
    return {str(path): why for path in paths if (why := wrong_file_name(path.stem))}


def files() -> Iterator[Path]:
    for folder in FOLDERS:
        for path in sorted(folder.rglob("*")):
            if (path.suffix in CODE or path.is_dir()) and path.name != "__pycache__":
                yield path.relative_to(ROOT)


def test_files_are_named_after_what_they_contain():
    assert len([*files()]) > 600
    own = [path for path in files() if not path.name.startswith("test_")]
    assert wrong_file_names(own) == {}


@pytest.mark.parametrize(
    ("name", "right"),
    [
        ("telling.py", False),
        ("doctor/noticing.py", False),
        ("posed.py", False),
        ("given.py", False),
        ("vector/fusing.c", False),
        ("player/chosen.js", False),
        ("repairs/keeping.py", False),
        ("values_sent.py", False),
        ("report_markdown.py", False),
        ("topological_order.py", True),
        ("compiled_engine.py", True),
        ("hiding_place.py", True),
        ("batching.py", True),
        ("network_drawing.py", True),
        ("seed.py", True),
        ("report_html.py", True),
        ("__init__.py", True),
    ],
)
def test_a_planted_file_name_is_seen(name, right):
    assert (wrong_file_names([PurePath(name)]) == {}) is right


# ---- classes ------------------------------------------------------------------------------------

# Names that several classes share on purpose.
SHARED_CLASSES = {
    "Value": "faults/specimen.py is the text of another engine, which nobody imports",
    "MLP": "learn/track/textbook.py is the text of a learner's engine, which nobody imports",
    "Neuron": "the same",
}
JS_CLASS = re.compile(r"^class (\w+)", re.MULTILINE)


def shared_names(classes: Iterable[tuple[str, str]]) -> dict[str, list[str]]:
    """Names that more than one class has, private or not, with the files that they stand in."""
    found: dict[str, list[str]] = defaultdict(list)
    for name, file in classes:
        found[name.lstrip("_")].append(file)
    return {name: sorted(at) for name, at in found.items() if len(at) > 1 and name not in SHARED_CLASSES}


def python_classes(trees: Mapping[str, ast.AST]) -> Iterator[tuple[str, str]]:
    for file, tree in trees.items():
        for node in ast.walk(tree):
            if isinstance(node, ast.ClassDef):
                yield node.name, file


def javascript_classes(texts: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    for file, text in texts.items():
        for name in JS_CLASS.findall(text):
            yield name, file


def test_no_two_classes_share_a_name():
    found = [*python_classes({str(path.relative_to(PACKAGE)): tree for path, tree in sources().items()})]
    assert len(found) > 300
    assert shared_names(found) == {}


def test_no_two_classes_of_the_pages_share_a_name():
    scripts = {str(path.relative_to(PACKAGE)): path.read_text("utf-8") for path in PACKAGE.rglob("*.js")}
    found = [*javascript_classes(scripts)]
    assert len(found) > 10
    assert shared_names(found) == {}


def test_a_planted_class_is_seen():
    trees = {
        "a.py": ast.parse("class Run: ...\nclass Value: ..."),
        "b.py": ast.parse("def f():\n    class _Run: ..."),
        "c.py": ast.parse("class Runs: ...\nclass Value: ..."),
    }
    assert shared_names(python_classes(trees)) == {"Run": ["a.py", "b.py"]}
    scripts = {"a.js": "class Pane {\n}\nclass Lab {", "b.js": "class Pane extends Lab {"}
    assert shared_names(javascript_classes(scripts)) == {"Pane": ["a.js", "b.js"]}


def test_every_name_that_may_be_shared_is():
    names = [name for name, _ in python_classes({str(path): tree for path, tree in sources().items()})]
    assert all(names.count(name) > 1 for name in SHARED_CLASSES)


# ---- first lines of modules ---------------------------------------------------------------------

QUESTIONS = {
    "are", "can", "could", "do", "does", "has", "how", "is", "must", "should", "what", "when", "where",
    "whether", "which", "who", "whom", "whose", "why", "will", "would",
}  # fmt: skip
# Words that are a verb wherever a sentence begins with them.
VERBS = {
    "choose", "compute", "decide", "define", "examine", "find", "give", "keep", "make", "put", "read",
    "say", "take", "tell", "write",
}  # fmt: skip
DETERMINERS = {
    "a", "all", "an", "any", "both", "each", "every", "how", "its", "no", "one", "the", "these", "this",
    "two", "what", "whether",
}  # fmt: skip


def wrong_headline(docstring: str) -> str:
    """Why a module must not begin so; nothing if it may."""
    first, *rest = re.split(r"\s+", docstring.strip().partition("\n")[0])
    word = first.lower().rstrip(",")
    if word.endswith(":") or first.startswith("`"):  # a name, and what it is
        return ""
    if word in QUESTIONS:
        return "a headline is no question"
    if word in VERBS or any(f"{verb}{ending}" == word for verb in VERBS for ending in ("s", "es")):
        return "a headline begins with what the module is, not with what it does"
    if re.fullmatch(r"[a-z]+s", word) and rest and rest[0].lower() in DETERMINERS:
        return "a headline begins with what the module is, not with what it does"
    return ""


def wrong_headlines(docstrings: Mapping[str, str]) -> dict[str, str]:
    return {
        file: f"{text.strip().partition(chr(10))[0]} ({why})"
        for file, text in docstrings.items()
        if (why := wrong_headline(text))
    }


def test_a_module_begins_with_what_it_is():
    found = {
        str(path.relative_to(PACKAGE)): ast.get_docstring(tree) or "" for path, tree in sources().items()
    }
    assert wrong_headlines(found) == {}


@pytest.mark.parametrize(
    ("headline", "right"),
    [
        ("What the child sends back.", False),
        ("How a result is laid out: width and colours.", False),
        ("Which bug gave these numbers.", False),
        ("Would the probes tell?", False),
        ("Examines other people's engines.", False),
        ("Runs a program apart.", False),
        ("Compute the gradients.", False),
        ("Write scalars, run vectors.", False),
        ("Topological order of a graph.", True),
        ("Call loop machinery.", True),
        ("Runs of one fault, in every order.", True),
        ("Witnesses that say whether a gradient is right.", True),
        ("Faults of the order: a node may send only when it is complete.", True),
        ("take: one of several rows.", True),
        ("`minigrad check`: are the gradients right?", True),
        ("A question: what is asked, and how an answer is judged.", True),
    ],
)
def test_a_planted_headline_is_seen(headline, right):
    assert (wrong_headlines({"a.py": headline}) == {}) is right


# ---- the rule itself ----------------------------------------------------------------------------


def test_contributing_states_the_rule_and_this_file():
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    rule = text.partition("## Names")[2].partition("\n## ")[0]
    assert "tests/project/test_names.py" in rule
    assert all(f"`{name}.py`" in rule for name in RENDERERS)
