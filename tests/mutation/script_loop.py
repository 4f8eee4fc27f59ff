"""One pytest session that tries changes of scripts: run by `scripts.py`, in the folder that it made.

    script_loop.py cover FILE...        which tests reach which changes: coverage-N.jsonl
    script_loop.py try FILE...          makes the changes of todo-N.json one by one: verdicts-N.jsonl

N is $MINIGRAD_MUTATION_WORKER.  The browser and the studio stay while changes come and go: a page asks the
switch of a change (`script_changes.py`), and a script that runs before all others says which one is made.
For a change those tests are run that reach it, until one fails, which has to pass again without the change;
those that failed for other changes of the file come first, then the fastest, up to BUDGET seconds.  So what
is killed here is killed by the suite, and what survives may still be killed by a test that was not tried.
"""

from __future__ import annotations

import json
import os
import sys
from collections import defaultdict
from pathlib import Path
from time import monotonic
from typing import Any

import pytest

BUDGET = 120.0  # seconds of tests, as they took without a change
BRIEF = 20.0  # the same for a change that is in the list of survivors
NEWS = "mutant reached: "
REACHED = Path(f"reached-{os.environ.get('MINIGRAD_MUTATION_WORKER', '0')}.txt")

SWITCH = """(() => {
  const reached = new Set();
  globalThis.__mutant = (number) => {
    if (%(covering)s && !reached.has(number)) console.debug("%(news)s" + number);
    reached.add(number);
    return number === %(number)s;
  };
})()"""


class SwitchedBrowser:
    """A browser whose pages ask our switch."""

    def __init__(self, browser: Any, loop: ScriptLoop) -> None:
        self.browser, self.loop = browser, loop

    def new_context(self, **options: Any) -> Any:
        context = self.browser.new_context(**options)
        covering, number = json.dumps(self.loop.covering), json.dumps(self.loop.number)
        context.add_init_script(SWITCH % {"covering": covering, "news": NEWS, "number": number})
        if self.loop.covering:
            context.on("console", lambda message: self.loop.hear(message.text))
        return context

    def __getattr__(self, name: str) -> Any:
        return getattr(self.browser, name)


class ScriptLoop:
    """In place of pytest's own loop over the tests."""

    def __init__(self, covering: bool, worker: str) -> None:
        self.covering, self.worker = covering, worker
        self.number: int | None = None  # of the change that is made
        self.failed = False
        self.reached: set[int] = set()

    def hear(self, text: str) -> None:
        if text.startswith(NEWS):
            self.reached.add(int(text.removeprefix(NEWS)))

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self.failed |= report.failed

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        import browser

        born = browser.Visits.__init__

        def begin(visits: Any, found: Any, folder: Path) -> None:
            born(visits, SwitchedBrowser(found, self), folder)

        browser.Visits.__init__ = begin  # type: ignore[method-assign]
        self.session = session
        if self.covering:
            self.cover()
        else:
            self.try_all()
        self.end()
        return True

    # ---- coverage -------------------------------------------------------------------------------

    def cover(self) -> None:
        with open(f"coverage-{self.worker}.jsonl", "w") as file:
            for item in self.session.items:
                self.reached, started = set(), monotonic()
                REACHED.write_text("")
                os.environ["MINIGRAD_MUTANTS_REACHED"] = str(REACHED.absolute())
                if self.fails(item, None):
                    raise pytest.UsageError(f"{item.nodeid} fails without any change")
                found = sorted(self.reached | {int(line) for line in REACHED.read_text().split()})
                row = {"test": item.nodeid, "seconds": monotonic() - started, "mutants": found}
                print(json.dumps(row), file=file, flush=True)

    # ---- changes --------------------------------------------------------------------------------

    def try_all(self) -> None:
        rows = json.loads(Path("coverage.json").read_text())
        items = {item.nodeid: item for item in self.session.items}
        seconds = {row["test"]: row["seconds"] for row in rows}
        tests: dict[int, list[str]] = defaultdict(list)
        for row in rows:
            for number in row["mutants"]:
                tests[number].append(row["test"])
        failures: dict[tuple[str, str], int] = defaultdict(int)  # of a test, for changes of one file
        with open(f"verdicts-{self.worker}.jsonl", "a") as file:
            for number, script, is_listed in json.loads(Path(f"todo-{self.worker}.json").read_text()):
                print(json.dumps({"number": number, "verdict": "begun"}), file=file, flush=True)
                order = sorted(tests[number], key=lambda test: (-failures[script, test], seconds[test]))
                spent, killer = 0.0, ""
                for test in order:
                    spent += seconds[test]
                    if spent > (BRIEF if is_listed else BUDGET) + seconds[order[0]]:
                        break
                    if self.notices(items[test], number):
                        failures[script, test] += 1
                        killer = test
                        break
                verdict = "killed" if killer else "survived" if order else "unreached"
                row = {"number": number, "verdict": verdict, "test": killer, "tests": len(order)}
                print(json.dumps(row), file=file, flush=True)

    def notices(self, item: pytest.Item, number: int) -> bool:
        """Whether a test fails because of a change, and not of what an earlier one has left behind."""
        if not self.fails(item, number):
            return False
        if not self.fails(item, None):
            return True
        self.end()  # a new browser and a new studio
        return not self.fails(item, None) and self.fails(item, number) and not self.fails(item, None)

    def fails(self, item: pytest.Item, number: int | None) -> bool:
        self.number, self.failed = number, False
        Path(f"verdicts-{self.worker}.jsonl").touch()  # a sign of life
        os.environ["MINIGRAD_MUTANT"] = str(number)
        module = item.parent
        self.session._setupstate.teardown_exact(module)  # type: ignore[arg-type]
        item._initrequest()  # type: ignore[attr-defined]  # it may have been run before
        item.config.hook.pytest_runtest_protocol(item=item, nextitem=module)
        return self.failed

    def end(self) -> None:
        self.session._setupstate.teardown_exact(None)


if __name__ == "__main__":
    what, *arguments = sys.argv[1:]
    sys.path.insert(0, "src")
    loop = ScriptLoop(what == "cover", os.environ["MINIGRAD_MUTATION_WORKER"])
    sys.exit(pytest.main(["-s", "--tb=short", "-p", "no:xdist", *arguments], plugins=[loop]))
