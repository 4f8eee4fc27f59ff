"""The subjects of mutation testing: files that are changed, and the tests that must notice."""

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
