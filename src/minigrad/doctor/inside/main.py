"""Program of the child process: load, find out how the engine is used, run probes, report.

It gets one request, and sends messages.  "begin" messages come before anything that may kill the process, so
that the parent knows what did.

What is to be run in a world of its own, so that nothing that came before can touch it, is an `Apart`.  In a
process such a world is a fork; `prepare` is for whoever has another way to make one, as a browser has.
"""

from __future__ import annotations

import contextlib
import os
import random
import sys
from time import process_time
from typing import TYPE_CHECKING, Protocol

from .adapter import Adapter
from .lazy_libraries import LazyLibraries
from .message_text import cut, describe, presentable, short_expansions, short_files
from .module_loader import SourceOverrides, import_libraries, load, neighbours
from .probe_run import TooSlowError, run_probe, shuffle_heap, within

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from types import ModuleType

    from .wire_data import CandidateData, ExpectedData, RequestData, ResultData, Send

__all__ = ["Apart", "main", "prepare"]

PATIENCE = 3  # probes that may take too long before the rest is left
SLOW = 41  # how a process says that
MOST_SKIPPED = 100  # statements of which is said why they could not be run
MOST_NOT_RUN = 10_000  # lines


class Apart(Protocol):
    """Calls that are made one after the other, each in a world of its own; their exit codes are all that
    comes back."""

    def __len__(self) -> int: ...

    def run(self, number: int) -> int:
        """One of them, in its world."""

    def goes_on(self, codes: Sequence[int]) -> bool:
        """Is the next one wanted, after so many?  It also says what the last one could not."""

    def finish(self, codes: Sequence[int]) -> None: ...


def main(request: RequestData, send: Send) -> None:
    apart = prepare(request, send, worlds=hasattr(os, "fork"))
    if apart is None:
        return
    codes: list[int] = []
    while len(codes) < len(apart):
        codes.append(_forked(apart, len(codes)))
        if not apart.goes_on(codes):
            break
    apart.finish(codes)


def _forked(apart: Apart, number: int) -> int:
    child = os.fork()
    if child == 0:
        code = 1
        try:
            code = apart.run(number)
        finally:
            os._exit(code)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def prepare(request: RequestData, send: Send, *, worlds: bool) -> Apart | None:
    """Do what need not be done apart, and return what is left; None where nothing is.

    Without `worlds`, probes that ask for one of their own run one after the other.
    """
    subject = request["subject"]
    plan = request.get("plan")
    known = "candidates" in request or plan
    find_out = None if known else _finder(request, send)  # its imports are not those of the examined folder
    sys.path[:0] = subject["search"]
    libraries = LazyLibraries(subject["search"])
    sys.meta_path[:0] = [SourceOverrides(subject.get("replaced", {})), libraries]
    if "candidates" in request:
        return _Candidates(request, libraries, send)
    send({"begin": "load"})
    try:
        module, failed, not_run = within(
            request.get("load_seconds", 10.0),
            lambda: load(
                subject["source"],
                subject["filename"],
                subject["name"],
                subject["package"],
                subject["classes"],
            ),
        )
    except TooSlowError:
        send({"trouble": "slow", "detail": "load"})
        return None
    except SyntaxError as error:
        send({"trouble": "syntax", "detail": cut(f"{error.msg}"), "line": error.lineno})
        return None
    except Exception as error:
        send({"trouble": "load", "detail": describe(error)})
        return None
    for line, why, _ in failed[:MOST_SKIPPED]:
        send({"skipped": line, "detail": describe(why)})
    send({"not run": not_run[:MOST_NOT_RUN]})
    loading = process_time()
    send({"begin": "find"})
    modules = neighbours(module, subject["package"], subject["folder"])
    adapter = find_out(module, modules, loading) if find_out else Adapter(module, plan or {})
    if adapter is None:
        return None
    adapter.modules |= modules
    if request.get("isolate") and worlds:
        return _Alone(adapter, request, libraries, send)
    run_all(adapter, request, send)
    send({"end": True})
    return None


def _finder(
    request: RequestData, send: Send
) -> Callable[[ModuleType, dict[str, ModuleType], float], Adapter | None]:
    """What finds out how an engine is used; None comes of it where that has failed, and why is sent.

    It is imported before the examined file and its folder can touch anything, and only where it is wanted:
    most processes are told the plan, and half the time that one takes to start would go into this.
    """
    from .engine_usage import NotAnEngineError, find
    from .op_expansion import expansions

    def find_out(module: ModuleType, modules: dict[str, ModuleType], loading: float) -> Adapter | None:
        try:
            plan = within(
                request.get("load_seconds", 5.0),
                lambda: find(module, request.get("pins", {}), request["subject"]["classes"], modules),
            )
        except TooSlowError:
            send({"trouble": "slow", "detail": "find"})
            return None
        except NotAnEngineError as error:
            send({"trouble": error.code, "detail": cut(error.detail)})
            return None
        too_long = presentable(plan)
        if too_long:
            send({"trouble": "long_name", "detail": too_long})
            return None
        adapter = Adapter(module, plan)
        adapter.modules |= modules
        files = short_files(sorted({str(holder.__file__) for holder in modules.values()}))
        composed = short_expansions(within(5.0, lambda: expansions(adapter)))
        send({"plan": plan, "expansions": composed, "files": files, "loading": loading})
        return adapter

    return find_out


def run_all(adapter: Adapter, request: RequestData, send: Send) -> None:
    rng = random.Random(request.get("shuffle", 0))
    kept: list[object] = []
    slow = 0
    too_deep: ResultData = {}
    for probe in request.get("probes", []):
        if slow >= PATIENCE:
            return
        send({"begin": "probe", "probe": probe["id"]})
        if too_deep and probe["kind"] == "chain":  # they come by depth: the next has no chance
            send({"probe": probe["id"], **too_deep})
            continue
        if request.get("shuffle"):
            adapter.begin()
            kept = [kept[-1:], shuffle_heap(adapter, rng)]
        found = run_probe(adapter, probe)
        too_deep = found if found.get("failed") == "recursion" and probe["kind"] == "chain" else too_deep
        slow += found.get("failed") == "slow" and probe["kind"] not in ("chain", "doubling")
        send({"probe": probe["id"], **found})


class _Alone:
    """Probes of which each is run alone: nothing that an earlier one left behind can touch it."""

    def __init__(self, adapter: Adapter, request: RequestData, libraries: LazyLibraries, send: Send) -> None:
        self.adapter, self.probes, self.send = adapter, request.get("probes", []), send
        if self.probes:
            libraries.imported_by(lambda: run_probe(adapter, self.probes[0]))

    def __len__(self) -> int:
        return len(self.probes)

    def run(self, number: int) -> int:
        probe = self.probes[number]
        self.send({"begin": "probe", "probe": probe["id"]})
        found = run_probe(self.adapter, probe)
        self.send({"probe": probe["id"], **found})
        return SLOW if found.get("failed") == "slow" else 0

    def goes_on(self, codes: Sequence[int]) -> bool:
        if codes[-1] not in (0, SLOW):
            probe = self.probes[len(codes) - 1]
            self.send({"probe": probe["id"], "failed": "died", "stage": "", "detail": str(codes[-1])})
        return codes.count(SLOW) < PATIENCE

    def finish(self, codes: Sequence[int]) -> None:
        self.send({"end": True})


# ---- changed sources ------------------------------------------------------------------------------


class _Candidates:
    """Changed sources, until one gives what is expected on every probe."""

    def __init__(self, request: RequestData, libraries: LazyLibraries, send: Send) -> None:
        self.request, self.send = request, send
        unchanged: CandidateData = {"file": "", "source": request["subject"]["source"]}
        with contextlib.suppress(Exception, TooSlowError, SystemExit):
            within(2.0, lambda: import_libraries(request["subject"]["source"], request["subject"]["search"]))
        libraries.imported_by(lambda: _green(request, unchanged))

    def __len__(self) -> int:
        return len(self.request["candidates"])

    def run(self, number: int) -> int:
        try:
            return 0 if _green(self.request, self.request["candidates"][number]) else 1
        except BaseException:
            return 1

    def goes_on(self, codes: Sequence[int]) -> bool:
        return codes[-1] != 0

    def finish(self, codes: Sequence[int]) -> None:
        self.send({"green": len(codes) - 1} if codes and codes[-1] == 0 else {"end": True})


def _green(request: RequestData, candidate: CandidateData) -> bool:
    subject = request["subject"]
    source = subject["source"]
    if candidate["file"]:
        sys.meta_path.insert(
            0, SourceOverrides({**subject.get("replaced", {}), candidate["file"]: candidate["source"]})
        )
    else:
        source = candidate["source"]
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, 1)
    os.dup2(null, 2)
    module, _, _ = within(
        2.0,
        lambda: load(source, subject["filename"], subject["name"], subject["package"], subject["classes"]),
    )
    adapter = Adapter(module, request["plan"] or {})
    adapter.modules |= neighbours(module, subject["package"], subject["folder"])
    for probe in request["probes"]:
        found = run_probe(adapter, probe)
        if not _as_expected(found, request["expect"][probe["id"]]):
            return False
    return True


def _as_expected(found: ResultData, right: ExpectedData) -> bool:
    if "failed" in found or not _near(found["value"], right["value"]):
        return False
    return all(_near(found["grads"].get(name), grad) for name, grad in right["grads"].items())


def _near(x: float | None, right: float) -> bool:
    if x is None:
        return right == 0.0
    return x == right or abs(x - right) <= 1e-6 * max(abs(right), 1e-9)
