"""The subjects of mutation testing: files that are changed, and the tests that must notice.

Of SUBJECTS, the core, every change is made (`run.py`); of PACKAGES a sample (`sample.py`)."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from survivors import SOURCE

REPOSITORY = Path(__file__).resolve().parents[2]
TESTS = REPOSITORY / "tests" / "minigrad"


class Subject(NamedTuple):
    files: tuple[str, ...]  # patterns below src/minigrad
    tests: tuple[str, ...]  # patterns below tests/minigrad, of those that run in one process, and fast
    without: str = ""  # what is left out of them, for pytest's -k

    def paths(self) -> list[str]:
        found = [path for pattern in self.files for path in SOURCE.glob(pattern)]
        return sorted(str(path.relative_to(SOURCE)) for path in found if path.stem != "messages")

    def test_files(self) -> list[Path]:
        """Relative to the repository, in the order of the patterns: the first file notices most."""
        missing = [pattern for pattern in self.tests if not [*TESTS.glob(pattern)]]
        assert not missing, f"no test is called {missing}"
        found = [path for pattern in self.tests for path in sorted(TESTS.glob(pattern))]
        return [path.relative_to(REPOSITORY) for path in dict.fromkeys(found)]

    def selection(self, part: slice = slice(None)) -> list[str]:
        without = ["-k", f"not ({self.without})"] if self.without else []
        return [*without, *map(str, self.test_files()[part])]


GRAPH = ("graph/test_graph.py", "graph/test_trace.py", "graph/test_json_reader.py", "graph/test_paths.py")
SUBJECTS = {
    "ops": Subject(
        ("ops.py",),
        ("test_ops.py", "test_ops_conventions.py", "test_scalar.py", "test_functional_gradcheck.py"),
    ),
    "scalar": Subject(
        ("scalar.py",),
        ("test_scalar.py", "test_scalar_[!d]*.py", "values/test_no_grad.py", "values/test_copies.py"),
        "another_process",
    ),
    "graph": Subject(("graph/graph.py",), GRAPH, "any_json or at_once"),
    "trace": Subject(("graph/trace.py",), (GRAPH[1], *GRAPH), "any_json or at_once"),
    "language": Subject(
        ("language/*.py",),
        ("language/test_language.py", "language/test_reader_errors.py"),
        "many_signs or thousand or any_text",
    ),
    "faults": Subject(
        ("faults/*.py", "faults/catalogue/*.py"),
        (
            "faults/catalogue/test_catalogue.py",
            "faults/test_specimen.py",
            "faults/catalogue/test_[!i]*.py",  # but for test_in_court.py, which asks every witness
            "faults/test_*.py",
            "cli/commands/test_diagnose.py",
            "cli/commands/test_break*.py",
        ),
        "named_where_it_shows or large_graph_is or pairs_are_told or nobody_is_accused or enough_faults or "
        "terminal or must_be_cut or fifteen or goes_through or fits_the_page or same_data or can_be_told",
    ),
}


class Package(NamedTuple):
    """A package of which a sample of changes is tried; its own tests are those of its folder."""

    name: str
    tests: tuple[str, ...] = ()  # more of them: files or folders below tests/minigrad
    otherwise: tuple[
        str, ...
    ] = ()  # files for what only child processes run, where no test is seen to run it
    without: str = ""  # what is left out of them, for pytest's -k
    apart: tuple[str, ...] = ()  # folders of it that are packages of their own here

    @property
    def short(self) -> str:
        """Its name as a part of the names of files."""
        return self.name.replace("/", "-")

    def owns(self, file: str) -> bool:
        """Is this file, named from src/minigrad, one of this package?"""
        return file.startswith(f"{self.name}/") and not file.startswith(
            tuple(f"{self.name}/{folder}/" for folder in self.apart)
        )

    def paths(self) -> list[str]:
        found = (path.relative_to(SOURCE) for path in (SOURCE / self.name).rglob("*.py"))
        names = (path.as_posix() for path in found if not {"messages", "messages.py"} & {*path.parts})
        return sorted(filter(self.owns, names))

    def selection(self) -> list[str]:
        without = ["-k", f"not ({self.without})"] if self.without else []
        without += [f"--ignore=tests/minigrad/{self.name}/{folder}" for folder in self.apart]
        return [*without, *(f"tests/minigrad/{test}" for test in (self.name, *self.tests))]


PACKAGES = {
    package.name: package
    for package in (
        Package("compiler"),
        Package(
            "doctor",
            otherwise=("doctor/engine/test_examination.py", "doctor/engine/test_probes.py"),
            apart=("rules",),
        ),
        Package("doctor/rules"),
        Package("verify"),
        Package("nn"),
        Package(
            "training",
            (
                "cli/commands/test_train.py",
                "cli/commands/test_train_refusals.py",
                "cli/commands/test_train_resume.py",
                "cli/commands/test_duel.py",
                "drawing/test_braille.py",
                "drawing/test_chart.py",
                "drawing/test_chart_numbers.py",
                "nn/test_checkpoint.py",
                "nn/test_safetensors_corrupted.py",
            ),
        ),
        Package("learn", ("cli/commands/test_learn.py",)),
        Package("studio", otherwise=("studio/test_answers.py", "studio/test_worker_pool.py")),
    )
}
