"""Every sentence that a user reads stands in the catalogue, in both languages, and every row of it is said.

Each rule is a function over the source, and each has a test in which it must find a planted violation.
"""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from string import Formatter
from zipfile import ZipFile

import pytest

from minigrad.ops import OPS
from minigrad.text import translation
from minigrad.text.translation import LANGUAGES, add_rows, catalogue, say, speaking
from source_trees import PACKAGE, ROOT, sources

sys.path.insert(0, str(ROOT / "docs"))

import website  # noqa: F401 which adds the rows of the site to the catalogue


def fields(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name is not None}


def unequal(rows: dict[str, tuple[str, str]]) -> list[str]:
    """The keys of rows that lack a language, or whose languages have other fields."""
    return [
        key
        for key, row in rows.items()
        if len(row) != len(LANGUAGES) or not all(row) or len({frozenset(fields(text)) for text in row}) != 1
    ]


def test_every_sentence_has_both_languages_with_the_same_fields():
    assert unequal(dict(catalogue())) == []


def test_a_planted_lapse_in_the_catalogue_is_seen():
    rows = {
        "fine": ("{a} of {b}", "{b} de {a}"),
        "missing": ("text", ""),
        "alone": ("text",),
        "renamed": ("{name}", "{nombre}"),
        "forgotten": ("{a} and {b}", "{a}"),
    }
    assert unequal(rows) == ["missing", "alone", "renamed", "forgotten"]


def test_sentences_are_translated_and_not_copied():
    same = {key for key, (english, spanish) in catalogue().items() if english == spanish}
    assert same <= {"meaning.grad"}


def test_every_op_has_its_rule_in_both_languages():
    for op in OPS.values():
        english, spanish = op.rule
        assert english
        assert spanish
        assert english != spanish, op.name
        assert not english.endswith("."), op.name


class Speech(ast.NodeVisitor):
    """What a file says: keys as they stand, keys with holes, and every string that may fill one."""

    def __init__(self) -> None:
        self.calls: list[tuple[str, set[str] | None]] = []  # key, and the fields given unless unknown
        self.patterns: set[str] = set()
        self.strings: set[str] = set()

    def visit_Constant(self, node: ast.Constant) -> None:
        if isinstance(node.value, str):
            self.strings.add(node.value)

    def visit_Call(self, node: ast.Call) -> None:
        if isinstance(node.func, ast.Name) and node.func.id == "say" and node.args:
            given = {keyword.arg for keyword in node.keywords}
            known = None if None in given else given
            for key in self._keys(node.args[0]):
                self.calls.append((key, known))
            for part in ast.walk(node.args[0]):
                if isinstance(part, ast.JoinedStr):
                    self.patterns.add(self._pattern(part))
        self.generic_visit(node)

    def _keys(self, argument: ast.expr) -> Iterator[str]:
        if isinstance(argument, ast.Constant):
            yield argument.value
        elif isinstance(argument, ast.IfExp):
            yield from self._keys(argument.body)
            yield from self._keys(argument.orelse)

    def _pattern(self, text: ast.JoinedStr) -> str:
        return "".join(
            re.escape(part.value) if isinstance(part, ast.Constant) else "(.+)" for part in text.values
        )


def scripts() -> list[Path]:
    folders = (PACKAGE, ROOT / "web")
    return sorted(path for folder in folders for end in ("js", "html") for path in folder.rglob(f"*.{end}"))


def hear(found: Speech, script: str) -> None:
    """The same of a script: its strings, and its templates, whose holes other strings fill."""
    found.strings.update(re.findall(r'"([a-z_0-9.]+)"', script))
    for template in re.findall(r"`([a-z_.]+\$\{[^`]*)`", script):
        found.patterns.add(
            "".join(
                "(.+)" if part.startswith("$") else re.escape(part)
                for part in re.split(r"(\$\{[^}]*\})", template)
            )
        )


@cache
def speech() -> Speech:
    """What the package says, and the site, which has its words from the same catalogue."""
    found = Speech()
    for path in scripts():
        hear(found, path.read_text(encoding="utf-8"))
    for path, tree in sources().items():
        if not holds_rows(path):
            found.visit(tree)
    for path in sorted((ROOT / "docs" / "website").glob("*.py")):
        if not holds_rows(path):
            found.visit(ast.parse(path.read_text(encoding="utf-8")))
    return found


def holds_rows(path: Path) -> bool:
    """Is this a file of the catalogue, whose strings say nothing?"""
    return path.name == "messages.py" or (path.parent.name == "messages" and path.name != "__init__.py")


def unknown_keys(said: Speech, rows: dict) -> set[str]:
    """Keys that are said, or that look as if they were, and are not in the catalogue."""
    families = {key.partition(".")[0] for key in rows if "." in key}
    look_alike = {
        text
        for text in said.strings
        if re.fullmatch(r"[a-z_]+(\.[a-z_]+)+", text)
        and text.partition(".")[0] in families
        and not text.endswith((".css", ".html", ".js", ".py", ".svg"))
    }
    return ({key for key, _ in said.calls} | look_alike) - rows.keys() - NOT_KEYS


NOT_KEYS = {"explain.explanation"}  # a module


def unused_keys(said: Speech, rows: dict) -> set[str]:
    """Rows that nothing says, neither as a whole nor as a pattern whose holes strings of the source fill."""
    used = {key for key, _ in said.calls} | (said.strings & rows.keys())
    for pattern in said.patterns:
        for key in rows:
            match = re.fullmatch(pattern, key)
            if match and all(fills(hole, said.strings) for hole in match.groups()):
                used.add(key)
    return rows.keys() - used


def fills(hole: str, strings: set[str]) -> bool:
    """A string of the source, or one with a string for its last part: "strange." and "letter"."""
    if hole in strings:
        return True
    stem, dot, last = hole.rpartition(".")
    return bool(dot) and stem + dot in strings and last in strings


def lacking_fields(said: Speech, rows: dict) -> set[str]:
    """Keys that are said without a field that their sentence has."""
    return {
        key
        for key, given in said.calls
        if given is not None and key in rows and not fields(rows[key][0]) <= given
    }


def test_every_key_that_is_said_exists_and_every_key_is_said():
    said, rows = speech(), dict(catalogue())
    assert unknown_keys(said, rows) == set()
    assert unused_keys(said, rows) == set()


def test_every_sentence_gets_its_fields():
    assert lacking_fields(speech(), dict(catalogue())) == set()


def test_planted_slips_of_speech_are_seen():
    rows = {"a.one": ("{x}", "{x}"), "a.two": ("", ""), "a.tree": ("", ""), "b.off": ("", ""), "c": ("", "")}
    said = Speech()
    said.visit(ast.parse('say("a.one", y=1); say("a.three"); say(f"b.{kind}"); say("c" if t else "a.two")'))
    assert unknown_keys(said, rows) == {"a.three"}
    assert unused_keys(said, rows) == {"a.tree", "b.off"}
    assert lacking_fields(said, rows) == {"a.one"}
    said.visit(ast.parse('kind = "off"; key = "a.tree"'))
    assert unused_keys(said, rows) == set()


def test_a_sentence_is_spoken_in_the_language_in_use():
    spoken = {}
    for lang in LANGUAGES:
        with speaking(lang):
            spoken[lang] = say("op.count.one")
    assert spoken == {"en": "1 argument", "es": "1 argumento"}


def test_the_rows_of_the_site_are_in_the_catalogue_and_not_in_the_package():
    assert "site.front" in catalogue()
    assert not any("site." in path.read_text(encoding="utf-8") for path in PACKAGE.rglob("messages/*.py"))


def test_rows_that_are_added_are_spoken_and_none_replaces_another(monkeypatch):
    monkeypatch.setattr(translation, "_added", dict(translation._added))
    try:
        for _ in range(2):  # the same rows may come again
            add_rows({"planted.greeting": ("hello {name}", "hola {name}")})
        with speaking("es"):
            assert say("planted.greeting", name="Ada") == "hola Ada"
        for key in ("planted.greeting", "op.count.one"):
            with pytest.raises(ValueError, match=key):
                add_rows({key: ("another", "otra")})
        with speaking("en"):
            assert say("op.count.one") == "1 argument"
    finally:
        monkeypatch.undo()
        catalogue.cache_clear()
    assert "planted.greeting" not in catalogue()


# ---- the files of rows ------------------------------------------------------------------------------


def planted(folder: Path, files: dict[str, str]) -> dict[str, tuple[str, str]]:
    """The catalogue of a package that has these files."""
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    return dict(translation._merge(translation._row_files(str(folder))))


def test_rows_are_found_in_files_and_folders_of_messages(tmp_path):
    rows = planted(
        tmp_path,
        {
            "a/messages.py": 'ROWS = {"one": ("one", "uno")}\n',
            "a/deep/messages/two.py": 'ROWS = {"two": ("two", "dos")}\n',
            "a/deep/messages/__init__.py": '"""No rows here."""\n',
            "a/deep/letters.py": 'ROWS = {"three": ("three", "tres")}\n',
            "a/__pycache__/messages.py": 'ROWS = {"four": ("four", "cuatro")}\n',
        },
    )
    assert rows == {"one": ("one", "uno"), "two": ("two", "dos")}


def test_a_key_that_stands_twice_is_refused_with_the_file(tmp_path):
    files = {
        "a/messages.py": 'ROWS = {"greeting": ("hello", "hola"), "end": ("bye", "adiós")}\n',
        "b/messages/more.py": 'ROWS = {"greeting": ("hi", "buenas")}\n',
    }
    with pytest.raises(RuntimeError, match=r"a key twice: \['greeting'\], the second time in .*more\.py"):
        planted(tmp_path, files)


def test_a_file_of_messages_without_rows_is_refused_with_its_name(tmp_path):
    with pytest.raises(RuntimeError, match=r"messages\.py has no ROWS"):
        planted(tmp_path, {"a/messages.py": 'SENTENCES = {"greeting": ("hello", "hola")}\n'})


def test_a_row_file_is_run_without_its_package(tmp_path):
    files = {"a/__init__.py": "raise RuntimeError", "a/messages.py": 'ROWS = {"one": ("one", "uno")}\n'}
    assert planted(tmp_path, files)


def test_sentences_are_found_where_the_package_is_a_zip(tmp_path):
    with ZipFile(tmp_path / "minigrad.zip", "w") as packed:
        for path in PACKAGE.rglob("*.py*"):
            if "__pycache__" not in path.parts:
                packed.write(path, Path("minigrad") / path.relative_to(PACKAGE))
    done = subprocess.run(
        [sys.executable, "-S", "-m", "minigrad", "explain", "a*b + a", "a=2", "b=3", "--lang", "es"],
        env={"PYTHONPATH": str(tmp_path / "minigrad.zip"), "MINIGRAD_PURE": "1"},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    assert "Pasada hacia delante" in done.stdout
