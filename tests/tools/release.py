"""Builds what is released, and tries each piece where a stranger would: make release

    python tests/tools/release.py [--fast] [--python PROGRAM ...]

1. An sdist of the repository as git has it; out of the sdist alone, a wheel in plain Python and, with each
   Python, one with the compiled engine.  All of it lies in dist/ afterwards.
2. The sdist and the wheels are built a second time in another folder: the bytes must be the same.
3. twine, validate-pyproject and check-wheel-contents read the metadata and what is in the wheels.
4. Each piece is installed on each Python into an environment with nothing in it, out of reach of a compiler
   and, for the sdist, also within reach of one; then `smoke.py` runs there.  The wheels with an engine are
   tried once more beside pytest and NumPy, with `test_wheel.py`.

Nothing is published.  Exit code 0: all of it is right; 1: something is not; 3: a Python is missing, so nobody
knows.  `--fast` compiles without optimising (what is built that way is not for release).
"""

from __future__ import annotations

import argparse
import calendar
import gzip
import os
import re
import shutil
import subprocess
import sys
import tarfile
import time
import tomllib
from collections.abc import Callable, Iterator
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from typing import Any

__all__ = ["OutcomeError", "empty", "epoch", "run", "sdist", "smoke", "staged", "wheel"]

ROOT = Path(__file__).resolve().parents[2]
SETUPTOOLS = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["build-system"]["requires"]
TOOLS = (*SETUPTOOLS, "twine>=6", "validate-pyproject[all]>=0.20", "check-wheel-contents>=0.6")
BUILD_SDIST = "import sys; from setuptools import build_meta; build_meta.build_sdist(sys.argv[1])"
COLOUR = re.compile(r"\x1b\[[0-9;]*m")
UNBUILT = (  # what a build says where there is no compiler, each once
    "minigrad: the compiled engine was not built",
    "minigrad: install a C compiler",
    "minigrad: the executor of compiled programs was not built",
)


class OutcomeError(Exception):
    """A command that ended otherwise than it must; the text is what it said."""


def run(words: list[str | Path], folder: Path, **environment: str) -> str:
    """What a command says, run in a folder with nothing of ours in its environment but this."""
    kept = {name: text for name, text in os.environ.items() if not name.startswith(("MINIGRAD", "PYTHON"))}
    done = subprocess.run(
        words,
        cwd=folder,
        env={**kept, "PYTHONUTF8": "1", **environment},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        errors="replace",
    )
    if done.returncode:
        raise OutcomeError(f"{' '.join(map(str, words))}: exit code {done.returncode}\n{done.stdout}")
    return done.stdout


def pip(*words: str | Path, folder: Path, **environment: str) -> str:
    return run([sys.executable, "-m", "pip", "--disable-pip-version-check", *words], folder, **environment)


# ---- building -----------------------------------------------------------------------------------


def epoch() -> int:
    """The date of the newest version in the changelog, which is the date of everything that is built."""
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    found = re.search(r"^## \S+ \((\d{4}-\d\d-\d\d)\)$", text, re.MULTILINE)
    if not found:
        raise OutcomeError("CHANGELOG.md has no heading such as: ## 0.1.0 (2026-11-16)")
    return calendar.timegm(time.strptime(found[1], "%Y-%m-%d"))


def staged(folder: Path) -> Path:
    """What a clone has, without what was built in this one; whoever made the clone, with the same modes."""
    listed = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    for name in run(listed, ROOT).rstrip("\0").split("\0"):
        source, target = ROOT / name, folder / name
        if source.is_file():  # one that was deleted is listed until that is committed
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(source, target)
            target.chmod(0o755 if os.access(source, os.X_OK) else 0o644)
    return folder


def sdist(python: str | Path, checkout: Path, dist: Path, **environment: str) -> Path:
    """The sdist of a checkout, by a Python that has setuptools; whoever builds it, the same bytes."""
    dist.mkdir(parents=True, exist_ok=True)
    run([python, "-c", BUILD_SDIST, dist], checkout, **environment)
    (built,) = dist.glob("*.tar.gz")
    without_traces(built)
    return built


def without_traces(archive: Path) -> None:
    """Written once more, without who packed it and when."""
    packed = BytesIO()
    with (
        tarfile.open(archive) as old,
        tarfile.open(fileobj=packed, mode="w", format=tarfile.PAX_FORMAT) as new,
    ):
        for member in sorted(old.getmembers(), key=lambda each: each.name):
            member.mtime, member.uid, member.gid, member.uname, member.gname = epoch(), 0, 0, "", ""
            member.mode = 0o755 if member.isdir() or member.mode & 0o100 else 0o644
            member.pax_headers = {}
            new.addfile(member, old.extractfile(member) if member.isfile() else None)
    archive.write_bytes(gzip.compress(packed.getvalue(), 9, mtime=epoch()))


def wheel(
    python: str | Path, source: Path, dist: Path, *options: str, **environment: str
) -> tuple[Path, str]:
    """The wheel that pip builds of an sdist or a checkout for this Python, and what is said meanwhile."""
    before = set(dist.glob("*.whl"))
    own = {"SOURCE_DATE_EPOCH": str(epoch())}
    words = ("wheel", "--no-deps", "--no-cache-dir", "-w", dist, *options, source)
    said = run([python, "-m", "pip", "--disable-pip-version-check", *words], dist, **own, **environment)
    (built,) = set(dist.glob("*.whl")) - before
    return built, said


# ---- trying -------------------------------------------------------------------------------------


def empty(python: str | Path, folder: Path) -> Path:
    """The Python of a new environment with nothing in it, not even pip."""
    run([python, "-m", "venv", "--without-pip", folder], folder.parent)
    return folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")


def without_compiler(python: Path) -> dict[str, str]:
    """An environment in which no program is found but those of this Python's own folder."""
    return {"PATH": str(python.parent), "CC": "", "CXX": ""}


def smoke(
    python: str | Path, folder: Path, piece: Path, engine: str, *, compiler: bool = False, **given: str
) -> str:
    """Install a piece into an empty environment and try it there; what was found."""
    folder.mkdir(parents=True)
    own = empty(python, folder / "environment")
    hidden = given if compiler else without_compiler(own)
    said = pip("--python", own, "install", "--no-cache-dir", "-v", piece, folder=folder, **hidden)
    if piece.name.endswith(".tar.gz") and {said.count(line) for line in UNBUILT} != {engine == "plain"}:
        raise OutcomeError(f"the install did not say once what is missing, or did:\n{said[-2000:]}")
    (folder / "empty").mkdir()
    strict = {**without_compiler(own), "PYTHONWARNINGS": "error"}
    found = run([own, ROOT / "tests/tools/smoke.py", engine], folder / "empty", **strict)
    pip("--python", own, "uninstall", "--yes", "minigrad-lab", folder=folder)
    left = [str(path) for path in (folder / "environment").rglob("*minigrad*")]
    if left:
        raise OutcomeError(f"uninstalling leaves: {', '.join(left)}")
    return found.strip()


def beside_numpy(python: str | Path, folder: Path, piece: Path, engine: str) -> str:
    """`test_wheel.py` where the wheel is installed beside pytest and NumPy."""
    folder.mkdir(parents=True)
    own = empty(python, folder / "environment")
    pip("--python", own, "install", "--quiet", f"{piece}[compile]", "pytest>=8", folder=folder)
    shutil.copy(ROOT / "tests/project/test_wheel.py", folder)
    (folder / "pytest.ini").write_text("[pytest]\n", encoding="utf-8")  # so that none above is taken
    pure = {"MINIGRAD_PURE": "1"} if engine == "plain" else {}
    words = [own, "-m", "pytest", "-q", "-W", "error", "-p", "no:cacheprovider", "test_wheel.py"]
    return run(words, folder, **pure).strip().splitlines()[-1]


# ---- the whole matrix ---------------------------------------------------------------------------


def versions() -> list[str]:
    """The Pythons that the metadata names."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return [
        text for each in project["classifiers"] if re.fullmatch(r"3\.\d+", text := each.split(" :: ")[-1])
    ]


def found(version: str, named: list[str]) -> str | None:
    """A program that is this version of Python and has pip: one that was named, else one on the path or of
    pyenv."""
    home = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv"))
    ours = sorted(map(str, home.glob(f"versions/{version}.*/bin/python")))
    for program in (*named, sys.executable, *ours, f"python{version}"):
        try:
            said = run([program, "-c", "import sys, pip, venv; print('%d.%d' % sys.version_info[:2])"], ROOT)
        except (OSError, OutcomeError):
            continue
        if said.strip() == version:
            return program
    return None


class Table:
    """What was tried, and what came of it; a failure is told at once and kept for the end."""

    def __init__(self) -> None:
        self.failed: list[str] = []

    def row(self, what: str, call: Callable[..., str], *words: Any, **options: Any) -> None:
        began = time.monotonic()
        try:
            came = call(*words, **options).splitlines()[-1:]
            verdict = "right"
        except (OutcomeError, OSError) as error:
            came, verdict = [str(error)], "WRONG"
            self.failed.append(what)
        print(
            f"  {what:44} {verdict}  {time.monotonic() - began:4.0f} s  {COLOUR.sub('', ''.join(came))}",
            flush=True,
        )


def same(pieces: list[Path], again: list[Path]) -> str:
    """The bytes of two builds are the same."""
    differing = [
        one.name for one, two in zip(pieces, again, strict=True) if one.read_bytes() != two.read_bytes()
    ]
    if differing:
        raise OutcomeError(f"two builds differ: {', '.join(differing)}")
    return f"{len(pieces)} pieces, the same bytes"


def sizes(pieces: list[Path]) -> Iterator[str]:
    for piece in pieces:
        digest = sha256(piece.read_bytes()).hexdigest()
        yield f"  {piece.name:62} {piece.stat().st_size / 1024:7.0f} KB  sha256 {digest[:16]}..."


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--fast", action="store_true", help="compile without optimising")
    parser.add_argument("--python", action="append", default=[], help="a Python to be among those looked at")
    options = parser.parse_args()
    flags = {"CFLAGS": "-O0"} if options.fast else {}
    work, dist = ROOT / "build/release", ROOT / "dist"
    for folder in (work, dist):
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
    pythons = {version: found(version, options.python) for version in versions()}
    present = [python for python in pythons.values() if python]
    missing = [version for version, python in pythons.items() if python is None]
    if not present:
        raise OutcomeError(f"none of these Pythons is here: {', '.join(missing)}")

    repository = staged(work / "repository")
    table = Table()
    tools = empty(sys.executable, work / "tools")
    pip("--python", tools, "install", "--quiet", *TOOLS, folder=work)

    def build(number: int, into: Path) -> list[Path]:
        """Everything, from a copy of its own; both are of the repository as it is at the beginning."""
        into.mkdir(exist_ok=True)
        checkout = shutil.copytree(repository, work / f"checkout-{number}")
        pieces = [sdist(tools, checkout, into)]
        pieces.append(wheel(present[0], pieces[0], into, MINIGRAD_PURE="1")[0])
        pieces += [wheel(python, pieces[0], into, **flags)[0] for python in present]
        return pieces

    print("Built", flush=True)
    pieces = build(1, dist)
    print("\n".join(sizes(pieces)))
    print("Looked at", flush=True)
    table.row("built twice", lambda: same(pieces, build(2, work / "again")))
    names = [str(piece) for piece in pieces]
    table.row("twine check --strict", run, [tools, "-m", "twine", "check", "--strict", *names], work)
    table.row("validate-pyproject", run, [tools, "-m", "validate_pyproject", ROOT / "pyproject.toml"], work)
    table.row("check-wheel-contents", run, [tools.with_name("check-wheel-contents"), *names[1:]], work)
    archive, pure, *compiled = pieces
    native = dict(zip((version for version in pythons if pythons[version]), compiled, strict=True))
    quick = {"compiler": True, "CFLAGS": "-O0"}  # for the wheel, the same sources were compiled in full
    print("Tried", flush=True)
    for version, built in native.items():
        attempts: list[tuple[str, Callable[..., str], Path, str, dict[str, Any]]] = [
            ("compiled wheel, no compiler", smoke, built, "native", {}),
            ("plain wheel, no compiler", smoke, pure, "plain", {}),
            ("sdist, no compiler", smoke, archive, "plain", {}),
            ("sdist, with a compiler", smoke, archive, "native", quick),
            ("compiled wheel, NumPy", beside_numpy, built, "native", {}),
            ("plain wheel, NumPy", beside_numpy, pure, "plain", {}),
        ]
        for at, (what, call, piece, engine, given) in enumerate(attempts):
            place = work / version / str(at)
            table.row(f"Python {version}, {what}", call, pythons[version], place, piece, engine, **given)
    if run(["git", "status", "--porcelain"], ROOT):
        print("The working tree has changes that are not committed: this is no release.")
    if options.fast:
        print("Compiled without optimising: this is no release.")
    print(f"WRONG: {'; '.join(table.failed)}" if table.failed else "Everything that was tried is right.")
    if missing:
        print(f"Not tried, because there is none here: Python {', '.join(missing)}")
    return 1 if table.failed else 3 if missing else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except OutcomeError as error:
        sys.exit(str(error))
