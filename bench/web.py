"""How long the site takes that runs by itself: its first picture, Python, an edit, a drag; in a Chromium.

    python bench/web.py [--json FILE] [--rounds N] [--quick]

It builds the site (npm's packages are where `make web` put them), serves it as any server of static files
does, and opens it in a browser that has never seen it.  A drag is a move of a slider and all that the page
makes of it, down to the next picture.  Medians.

The exit code is 0 whether or not the targets are met: this is a benchmark and not a test.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from statistics import median
from threading import Thread
from time import perf_counter
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from web.build import build  # noqa: E402 a folder of the repository

TWENTY = "x = 0.5; w1 = 0.5; b1 = 0.1; w2 = -0.3; b2 = 0.2; v1 = 1.5; v2 = -0.7\n" + (
    "h1 = tanh(w1*x + b1); h2 = tanh(w2*x + b2); o = h1*v1 + h2*v2; L = (o - 1)**2"
)
READY = "document.documentElement.dataset.python === 'ready'"
DRAWN = "document.querySelector('#player svg.drawing') !== null"
KEPT = "navigator.serviceWorker.getRegistration().then(found => found?.active?.state === 'activated')"
PATIENCE = 300.0  # seconds

# Notes the time of the first picture, by the page's own clock, and how many bytes had come by then.
FIRST = """{
  const watch = new MutationObserver(() => {
    if (!document.querySelector('#player svg.drawing')) return;
    watch.disconnect();
    const pages = performance.getEntriesByType('navigation');
    const parts = performance.getEntriesByType('resource').filter(({ name }) => !name.includes('/python'));
    const size = [...pages, ...parts].reduce((sum, each) => sum + each.transferSize, 0);
    requestAnimationFrame(() => (window.firstPicture = [performance.now() / 1000, size]));
  });
  watch.observe(document, { subtree: true, childList: true });
}"""

# Moves of the first slider, one in each picture that the browser shows: seconds for all of them.
DRAG = """moves => new Promise(done => {
  const range = document.querySelector('.input input[type=range]');
  const began = performance.now();
  let move = 0;
  const next = () => {
    if (move++ === moves) { done((performance.now() - began) / 1000); return; }
    range.value = String(Number(range.min) + (Number(range.max) - Number(range.min)) * (move / (moves + 1)));
    range.dispatchEvent(new Event('input', { bubbles: true }));
    requestAnimationFrame(next);
  };
  requestAnimationFrame(next);
})"""


def network(nodes: int) -> str:
    """A ladder of so many nodes, of which two are inputs that can be dragged."""
    rungs = (f"v{i} = v{i - 1}*b + v{i - 2}" for i in range(2, nodes // 2))
    return "\n".join(["x = 0.5; b = 0.25", "v0 = x*b", "v1 = v0*b + x", *rungs])


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *words: object) -> None:
        pass


@contextmanager
def served() -> Iterator[str]:
    """The site at an address of this machine."""
    modules = Path(os.environ.get("MINIGRAD_NODE_MODULES") or ROOT / ".venv" / "node" / "node_modules")
    with tempfile.TemporaryDirectory() as folder:
        build(Path(folder) / "web", modules)
        handler = partial(_Quiet, directory=f"{folder}/web")
        server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()
        server.server_close()


def until(page: Any, expression: str) -> float:
    """Wait until this holds; how long that took.  (The page's policy lets nothing be evaluated in it.)"""
    began = perf_counter()
    while not page.evaluate(expression):
        if perf_counter() > began + PATIENCE:
            raise SystemExit(f"still not: {expression}")
        page.wait_for_timeout(5)
    return perf_counter() - began


def write(page: Any, text: str) -> float:
    """Type a whole text, and wait until its picture is there; the pause after typing is part of it."""
    mark = "document.querySelector('#player svg.drawing').dataset.old"
    page.evaluate(f"() => {{ {mark} = 'yes'; }}")
    page.fill("#statements", text)
    return until(page, f"document.querySelector('#player svg.drawing') && {mark} !== 'yes'")


def visit(browser: Any, address: str, figures: dict[str, list[float]], large: int, moves: int) -> None:
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    context.add_init_script(FIRST)
    page = context.new_page()
    began = perf_counter()
    page.goto(address)
    until(page, "window.firstPicture !== undefined")
    first, size = page.evaluate("window.firstPicture")
    figures["first picture"].append(first)
    figures["bytes to the first picture"].append(size)
    until(page, READY)
    figures["Python ready, cold"].append(perf_counter() - began)
    write(page, TWENTY)
    figures["an edit of 20 nodes"] += [write(page, TWENTY.replace("0.5", f"0.{n}")) for n in (6, 7, 8)]
    for name, nodes in (("54", 54), (f"{large:,}", large)):
        write(page, network(nodes))
        figures[f"pictures a second, dragging {name} nodes"].append(moves / page.evaluate(DRAG, moves))
    until(page, KEPT)
    began = perf_counter()
    page.goto(f"{address}index.html")
    until(page, READY)
    figures["Python ready, warm"].append(perf_counter() - began)
    context.close()


def measure(rounds: int, large: int, moves: int) -> dict[str, Any]:
    from playwright.sync_api import sync_playwright

    program = shutil.which("chromium-headless-shell") or shutil.which("chromium")
    if program is None:
        raise SystemExit("chromium is missing; on Debian: apt-get install chromium")
    targets: dict[str, tuple[float, str]] = {
        "first picture": (0.5, "s"),
        "bytes to the first picture": (300_000, "bytes"),
        "Python ready, cold": (5.0, "s"),
        "Python ready, warm": (3.0, "s"),
        "an edit of 20 nodes": (0.15, "s"),
        "pictures a second, dragging 54 nodes": (30.0, "1/s"),
        f"pictures a second, dragging {large:,} nodes": (10.0, "1/s"),
    }
    figures: dict[str, list[float]] = {name: [] for name in targets}
    with served() as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        for _ in range(rounds):
            visit(browser, address, figures, large, moves)
        version = browser.version
        browser.close()
    return {
        "schema": "minigrad.bench.web/1",
        "browser": f"Chromium {version}",
        "python": f"{platform.python_implementation()} {platform.python_version()}",
        "rounds": rounds,
        "figures": {
            name: {"value": median(figures[name]), "unit": unit, "target": target}
            for name, (target, unit) in targets.items()
        },
    }


def table(found: dict[str, Any]) -> str:
    lines = [f"{found['browser']}, medians of {found['rounds']} rounds"]
    for name, row in found["figures"].items():
        least = row["unit"] == "1/s"
        met = row["value"] >= row["target"] if least else row["value"] <= row["target"]
        word = "at least" if least else "at most"
        lines.append(
            f"  {name:44}{row['value']:12,.2f} {row['unit']:5}  {word} {row['target']:g}:"
            f" {'met' if met else 'NOT MET'}"
        )
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--json", metavar="FILE", help="write the figures here as well")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--quick", action="store_true", help="tiny sizes, to see that it runs")
    options = parser.parse_args()
    found = measure(1, 100, 5) if options.quick else measure(options.rounds, 2000, 60)
    print(table(found))
    if options.json:
        with open(options.json, "w", encoding="utf-8") as file:
            json.dump(found, file, indent=1)


if __name__ == "__main__":
    main()
