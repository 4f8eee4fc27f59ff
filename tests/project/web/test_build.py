"""`make web` as files: complete, of their own, the same each time, with the licences of what is in them."""

from __future__ import annotations

import json
import re
import shutil
import zipfile
from pathlib import Path

import pytest
from web.build import build
from web.prepared import examples, programs
from web.python_files import MissingPackageError

from browser import node_modules
from minigrad.studio.answers import answer

ADDRESS = re.compile(r'(?:src|href)="([^"#]*)"')


def test_every_address_of_a_page_is_relative_and_leads_to_a_file(folder):
    pages = sorted(folder.glob("*.html"))
    assert "index.html" in [page.name for page in pages]
    for page in pages:
        for address in ADDRESS.findall(page.read_text("utf-8")):
            if not address.startswith("data:"):
                assert not address.startswith(("/", "http")), address
                assert (folder / address).is_file(), address


def test_no_script_or_sheet_knows_another_host(folder):
    known = r"https?://(?!www\.w3\.org/|nowhere\.invalid/)[a-z0-9.]+"
    for path in [*folder.glob("*.html"), *folder.glob("*.js"), *(folder / "static").iterdir()]:
        assert re.findall(known, path.read_text("utf-8")) == [], path.name


def test_the_service_worker_keeps_every_file_but_itself(folder):
    text = (folder / "service_worker.js").read_text("utf-8")
    kept = json.loads(re.search(r"FILES = (\[.*?\])", text)[1])
    there = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}
    assert set(kept) == there - {"service_worker.js"}


def test_a_changed_file_is_another_version_and_the_same_files_are_the_same_one(folder, tmp_path, monkeypatch):
    def version(where: Path) -> str:
        return re.search(r'VERSION = "(\w+)"', (where / "service_worker.js").read_text("utf-8"))[1]

    build(tmp_path / "again", node_modules())
    assert version(tmp_path / "again") == version(folder)
    monkeypatch.setattr("web.build.python_frame", lambda: "another frame")
    build(tmp_path / "changed", node_modules())
    assert version(tmp_path / "changed") != version(folder)


def test_the_sizes_are_those_of_the_files(folder):
    sizes = json.loads((folder / "python" / "sizes.json").read_text("utf-8"))
    for name, size in sizes.items():
        assert (folder / "python" / name).stat().st_size == size
    assert {"pyodide.asm.wasm", "minigrad.zip"} <= sizes.keys()


def test_minigrad_is_there_without_what_has_to_be_compiled(folder):
    names = zipfile.ZipFile(folder / "python" / "minigrad.zip").namelist()
    assert {"minigrad/__init__.pyi", "minigrad/studio/answers.py", "minigrad/nn/names.txt"} <= set(names)
    assert not [name for name in names if name.endswith((".c", ".so", ".pyd", ".pyc"))]


def test_every_licence_lies_beside(folder):
    texts = {path.name: path.read_text("utf-8") for path in (folder / "licences").iterdir()}
    assert "Mozilla Public License Version 2.0" in " ".join(texts["MPL-2.0.txt"].split())
    assert "PYTHON SOFTWARE FOUNDATION LICENSE" in texts["Python.txt"]
    assert "MIT License" in texts["minigrad.txt"]


def test_the_examples_are_those_of_the_menu():
    found = list(examples())
    script = (Path(__file__).parents[3] / "src/minigrad/studio/examples.js").read_text("utf-8")
    assert len(found) == script.count("key:") - script.count("{key: string") == len(set(found))
    assert found[0] == "a = 2\nb = 3\nc = 4\n\nab = a*b\ne = ab + c\nf = a - c\nL = e*f"


def test_what_is_prepared_is_what_the_studio_answers(folder):
    table = json.loads((folder / "prepared" / "start.json").read_text("utf-8"))["prepared"]
    assert len(table) == 4 * len(list(examples())) + 2 * len(list(programs()))
    for question, name in list(table.items())[::5]:
        api, language, text = question.split(" ", 2)
        if api == "program":
            continue
        _, found = answer(api, {"text": text, "inputs": {}, "language": language})
        found.pop("serial")
        assert json.loads((folder / "prepared" / name).read_text("utf-8")) == json.loads(json.dumps(found))


@pytest.mark.parametrize("package", ["pyodide", "esbuild"])
def test_a_package_that_is_missing_is_named(tmp_path, package):
    other = {"pyodide": ".bin/esbuild", "esbuild": "pyodide/pyodide.mjs"}[package]
    source, target = node_modules() / other, tmp_path / "modules" / other
    target.parent.mkdir(parents=True)
    shutil.copy(source, target)
    with pytest.raises(MissingPackageError, match=package):
        build(tmp_path / "out", tmp_path / "modules")
    assert not (tmp_path / "out").exists()
