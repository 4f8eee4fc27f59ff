"""Program of the child process that reduces a program: PyTorch is loaded once, each candidate runs in a fork.

A fork examines its candidate like any program, and sends back where the finding is.  This process itself
never computes with PyTorch: what threads would start in it, a fork does not have.
"""

from __future__ import annotations

import ast
import copy
import json
import os
import select
import signal
import sys
import tempfile
from collections.abc import Callable, Mapping
from contextlib import suppress
from importlib import import_module
from time import monotonic
from typing import Any

from ..text.translation import speaking
from .child import LOSSES, MODELS, OPTIMIZERS, STEPS
from .reduction import Budget, Reduction, line_count, origins, with_modules, with_origins, written

__all__ = ["main"]

SLOWEST = 20.0  # seconds of a candidate, where the program itself takes less than a fifth of them
CHUNK = 1 << 16


def main(request: Mapping[str, Any], send: Callable[[object], None]) -> None:
    with speaking(request["language"]):
        try:
            import torch
        except ImportError:
            send({"failed": "no_torch"})
            return
        torch.set_num_threads(1)
        send(_reduced(request))


def _reduced(request: Mapping[str, Any]) -> dict[str, Any]:
    with open(request["file"], encoding="utf-8") as file:
        tree = with_origins(ast.parse(file.read()))
    trials = _Trials(request)
    begun = monotonic()
    found = trials.run(written(tree))
    trials.slowest = max(SLOWEST, 5 * (monotonic() - begun))
    for name in found.get("modules", ()):  # once, and not in every fork
        _load(name)
    if not trials.shows(tree):
        return {"failed": "other_finding"}
    wanted = request["function"]
    kept = frozenset((*LOSSES, *STEPS, *MODELS, *OPTIMIZERS, "inputs", wanted))
    reduction = Reduction(
        tree, trials.shows, Budget(request["trials"], request["seconds"]), request["lines"], kept
    )
    if request["trials"]:
        reduction.attempt(with_modules(tree, os.path.dirname(request["file"])))
        reduction.run()
    if request["captured"]:
        reduction.attempt(_printing(reduction.tree))
    return {
        "text": written(reduction.tree) + "\n",
        "line": trials.line,
        "tried": reduction.tried,
        "accepted": reduction.accepted,
        "lines_before": line_count(tree),
        "spent": reduction.budget.is_spent(),
    }


def _printing(tree: ast.Module) -> ast.Module:
    """A copy that prints the report it asks for."""

    class PrintedCall(ast.NodeTransformer):
        def visit_Assign(self, node: ast.Assign) -> ast.stmt:
            value = node.value
            if isinstance(value, ast.Call) and ast.unparse(value.func).split(".")[-1] == "xray":
                return ast.Expr(ast.Call(ast.Name("print", ast.Load()), [value], []))
            return node

    changed: ast.Module = PrintedCall().visit(copy.deepcopy(tree))
    return changed


def _load(name: str) -> None:
    try:
        import_module(name)
    except Exception:  # it is quicker with it, and no worse without
        return


class _Trials:
    """Candidates, each of which is examined in a fork."""

    def __init__(self, request: Mapping[str, Any]) -> None:
        self.request, self.slowest, self.line = request, 10 * SLOWEST, 0
        self.remarks: set[str] | None = None  # those of the program itself, which a candidate may have too
        self.folder = tempfile.mkdtemp()
        self.path = os.path.join(self.folder, os.path.basename(request["file"]))
        sys.path.insert(0, os.path.dirname(request["file"]))  # what the program imports lies beside it

    def shows(self, tree: ast.Module) -> bool:
        """Is the finding one of this candidate's, at the line that comes from the same one?

        A candidate of which something could not be examined that could before, as where a second run raises
        an error, is another program.
        """
        wanted, found = self.request["entry"], self.run(written(tree))
        remarks = set(found.get("remarks", ()))
        self.remarks = remarks if self.remarks is None else self.remarks
        if remarks - self.remarks:
            return False
        for entry in found.get("entries", ())[: wanted["position"] + 1]:
            if any(entry[key] != wanted[key] for key in ("family", "code", "grade")):
                continue
            if wanted["line"] and wanted["own"] and wanted["line"] not in origins(tree, entry["line"]):
                continue
            self.line = entry["line"]
            return True
        return False

    def run(self, text: str) -> dict[str, Any]:
        """What an examination of a program shows; empty where it raises, or does not end."""
        with open(self.path, "w", encoding="utf-8") as file:
            file.write(text + "\n")
        reading, writing = os.pipe()
        number = os.fork()
        if not number:
            os.close(reading)
            self._examine(writing)
        os.close(writing)
        try:
            return self._answer(reading)
        finally:
            os.close(reading)
            with suppress(ProcessLookupError):
                os.kill(number, signal.SIGKILL)
            os.waitpid(number, 0)

    def _answer(self, reading: int) -> dict[str, Any]:
        until, raw = monotonic() + self.slowest, b""
        while (left := until - monotonic()) > 0 and select.select([reading], [], [], left)[0]:
            part = os.read(reading, CHUNK)
            if not part:
                break
            raw += part
        try:
            found = json.loads(raw)
        except ValueError:
            return {}
        return found if isinstance(found, dict) else {}

    def _examine(self, writing: int) -> None:
        """In the fork, which ends here."""
        from .child import examined, examined_call

        try:
            silent = os.open(os.devnull, os.O_WRONLY)
            os.dup2(silent, 1)
            os.dup2(silent, 2)
            before = set(sys.modules)
            look = examined_call if self.request["captured"] else examined
            report = look({**self.request, "file": self.path, "seconds": None})
            rows = [
                {
                    "family": e.family, "code": e.code, "grade": e.grade,
                    "line": e.place.line if e.place.file == self.path else 0,
                }
                for e in report.entries
            ]  # fmt: skip
            loaded = [n for n in sys.modules if n not in before and n.startswith(("torch.", "minigrad."))]
            remarks = [each.code for each in report.remarks]
            answer = json.dumps({"entries": rows, "remarks": remarks, "modules": loaded}).encode()
            while answer:
                answer = answer[os.write(writing, answer) :]
        finally:
            os._exit(0)
