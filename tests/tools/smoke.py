"""What must work where minigrad is installed and nothing else is: python smoke.py native|plain

Run by the Python of that environment, in an empty folder, with warnings as errors.  It imports nothing but
the standard library and minigrad, and tries every command, through the script that was installed and through
`python -m`.  `tests/tools/release.py` and `tests/project/test_packaging.py` run this file.
"""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
from collections.abc import Iterator
from importlib.metadata import distributions
from pathlib import Path

CLASSIC = ("c = a*b; d = a + b; e = c + d", "a=2", "b=-3")
ENGINE = """
class Value:
    def __init__(self, data, children=()):
        self.data, self.grad, self.children, self._backward = data, 0.0, children, lambda: None

    def __add__(self, other):
        out = Value(self.data + other.data, (self, other))
        def _backward():
            self.grad += out.grad
            other.grad += out.grad
        out._backward = _backward
        return out

    def __mul__(self, other):
        out = Value(self.data * other.data, (self, other))
        def _backward():
            self.grad = other.data * out.grad
            other.grad = self.data * out.grad
        out._backward = _backward
        return out

    def backward(self):
        order, seen = [], set()
        def visit(v):
            if v not in seen:
                seen.add(v)
                for child in v.children:
                    visit(child)
                order.append(v)
        visit(self)
        self.grad = 1.0
        for v in reversed(order):
            v._backward()
"""

# words after `minigrad`, the exit code, something that is said
COMMANDS = [
    (("--version",), 0, "minigrad "),
    (("--help",), 0, "minigrad explain"),
    ((), 0, "central differences agree on 3 of 3"),
    (("explain", *CLASSIC), 0, "a: -2 = "),
    (("explain", *CLASSIC, "--lang", "es"), 0, "las diferencias centrales coinciden en 2 de 2"),
    (("explain", *CLASSIC, "--json"), 0, '"schema"'),
    (("explain", *CLASSIC, "--out", "pass.html"), 0, "pass.html"),
    (("explain", *CLASSIC, "--view", "river", "--out", "river.svg"), 0, "river.svg"),
    (("explain", "a*"), 2, "^"),
    (("check", *CLASSIC, "--ask", "quick"), 0, "RIGHT"),
    (("break", "overwrite", *CLASSIC), 0, "overwrite"),
    (("diagnose", *CLASSIC, "--got", "a=1", "b=1"), 1, "overwrite"),
    (("doctor", "engine.py"), 1, "= in place of += in mul only"),
    (("xray", "engine.py"), 2, "minigrad-lab[torch]"),
    (("train", "moons", "--steps", "2", "--points", "10", "--save", "run.safetensors"), 0, "run.safetensors"),
    (("train", "names", "--steps", "1", "--samples", "1"), 0, "loss"),
    (("train", "moons", "--compile"), 2, "minigrad-lab[compile]"),
    (("duel", "overwrite-one-op", "--on", "moons", "--steps", "20"), 0, "overwrite-one-op"),
    (("learn", "--list"), 0, "Diamonds"),
    (("learn", "diamonds", "--out", "diamonds.html"), 0, "diamonds.html"),
    (("learn", "diamonds", "--lang", "es", "--out", "rombos.ipynb"), 0, "rombos.ipynb"),
    (("learn", "--class", "class.txt", "--out", "monday"), 0, "monday"),
    (("build", "mine"), 0, "engine.py"),
    (("build", "check", "mine"), 1, "line 6"),
    (("grade", "monday"), 0, "Ada"),
    (("studio", "--port", "0"), 2, "minigrad-lab[studio]"),
]


def complaints(wanted: str) -> Iterator[str]:
    """What is not as it must be."""
    import minigrad

    known = {each.metadata["Name"]: each for each in distributions()}
    if set(known) != {"minigrad-lab"}:
        yield f"the environment is not empty: {sorted(known)}"
    about = known["minigrad-lab"]
    if about.version != minigrad.__version__:
        yield f"the package is {minigrad.__version__} and its metadata {about.version}"
    if not Path(minigrad.__file__).is_relative_to(sys.prefix):
        yield f"not the installed package: {minigrad.__file__}"
    if wanted != minigrad.ENGINE:
        yield f"the engine is {minigrad.ENGINE}, not {wanted}"
    files = {str(path) for path in about.files or ()}
    licences = {name for name in files if name.endswith("licenses/LICENSE")}
    if not licences or "minigrad/py.typed" not in files:
        yield "no licence, or no py.typed"
    if any("tests" in Path(name).parts for name in files):
        yield "tests are installed"

    a, b, c = minigrad.Value(2.0), minigrad.Value(3.0), minigrad.Value(4.0)
    ((a * b + c) * (a - c)).backward()
    if (a.grad, b.grad, c.grad) != (4.0, -4.0, -12.0):
        yield f"the gradients are {a.grad, b.grad, c.grad}"

    Path("engine.py").write_text(ENGINE, encoding="utf-8")
    Path("class.txt").write_text("Ada\nGrace\n", encoding="utf-8")
    script = Path(sysconfig.get_path("scripts"), "minigrad.exe" if os.name == "nt" else "minigrad")
    for words, code, text in COMMANDS:
        yield from said_by([str(script), *words], code, text)
    yield from said_by([sys.executable, "-m", "minigrad", "--version"], 0, minigrad.__version__)
    for name in ("pass.html", "river.svg", "run.safetensors", "diamonds.html", "rombos.ipynb", "monday"):
        if not Path(name).exists():
            yield f"{name} was not written"


def said_by(words: list[str], code: int, text: str) -> Iterator[str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("MINIGRAD")}
    own = {"MINIGRAD_LANG": "en", "MINIGRAD_PROGRESS": "progress.json", "PYTHONUTF8": "1"}
    with subprocess.Popen(
        words,
        env=kept | own,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
    ) as done:
        try:
            said, _ = done.communicate(timeout=120)
        except subprocess.TimeoutExpired:
            done.kill()
            said, _ = done.communicate()
    if done.returncode != code or text not in said or "Traceback" in said:
        ending = "\n    ".join(said.splitlines()[-12:])
        yield f"{' '.join(words)}: exit code {done.returncode}, wanted {code} and {text!r}\n    {ending}"


def main() -> int:
    found = list(complaints(sys.argv[1]))
    print("\n".join(found) or f"the package and {len(COMMANDS)} commands: all right")
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main())
