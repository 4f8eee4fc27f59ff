"""How the samples in this folder were made, by minigrad 0.1.0.  Kept to be read: later ones refuse to run it.

    cd tests/data/samples/0.1 && MINIGRAD_PURE=1 python make.py

The dates in progress.json were set to a day long ago, so that what is to be repeated is due on any day.
"""

from __future__ import annotations

import io
import json
import math
import os
import pickle
import re
import subprocess
import sys
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from shutil import copy, rmtree
from tempfile import mkdtemp
from typing import Any

import minigrad
from minigrad import Graph, Value, nn, take, trace
from minigrad import functions as F  # noqa: N812 as in the documentation

assert minigrad.__version__ == "0.1.0", "samples of another version belong into another folder"

HERE = Path(__file__).parent
DESK = Path(mkdtemp(prefix="minigrad-samples-"))
EXPECTED: dict[str, Any] = {"minigrad": minigrad.__version__}
CLASSIC = "ab = a*b; L = ab + tanh(c)"
AT = ["a=2", "b=3", "c=0.5"]


def run(words: Sequence[str], typed: str = "") -> tuple[int, str]:
    command = [sys.executable, "-m", "minigrad", *words, "--lang", "en"]
    done = subprocess.run(command, input=typed, capture_output=True, encoding="utf-8", cwd=DESK)
    assert done.returncode in (0, 1), done.stderr
    return done.returncode, done.stdout


# ---- graphs and traces ----------------------------------------------------------------------------


def graphs() -> None:
    a, b, c = Value(2.0, label="a"), Value(-3.0, label="b"), Value(0.5, label="c")
    shared = a * b
    out = (shared + c).tanh() / b + shared**2 - F.maximum(a, c) * 4.0
    out.label = "L"
    graph = Graph.of(out)
    write("graph.json", json.dumps(graph.to_json(), indent=1) + "\n")
    walked = trace(graph)
    write("trace.json", json.dumps(walked.to_json(), indent=1) + "\n")
    elsewhere = {"a": 1.5, "b": 0.25, "c": -1.0}
    EXPECTED["graph"] = {
        "names": list(graph.names),
        "output": graph.names[graph.output],
        "values": graph.evaluate(),
        "gradients": walked.gradients,
        "orders": [[graph.names[i] for i in order] for order in graph.orders()],
        "elsewhere": {"inputs": elsewhere, "value": graph.evaluate(inputs=elsewhere)[graph.output]},
    }
    EXPECTED["trace"] = {
        "gradients": walked.gradients,
        "order": [graph.names[i] for i in walked.order],
        "events": len(walked.events),
        "last": {name: getattr(walked.events[-1], name) for name in ("amount", "before", "after")},
    }


# ---- pickles --------------------------------------------------------------------------------------


class Noting(pickle.Unpickler):
    """Which names of which modules a pickle refers to."""

    def __init__(self, content: bytes) -> None:
        super().__init__(io.BytesIO(content))
        self.names: set[str] = set()

    def find_class(self, module: str, name: str) -> Any:
        self.names.add(f"{module}.{name}")
        return super().find_class(module, name)


def pickled(name: str, thing: Any, protocol: int = 4) -> list[str]:
    content = pickle.dumps(thing, protocol)
    (HERE / name).write_bytes(content)
    noting = Noting(content)
    noting.load()
    return sorted(noting.names)


def pickles() -> None:
    a, b, c = Value(2.0, label="a"), Value(-3.0, label="b"), Value(0.5)
    shared = a * b
    first = (shared + c).tanh() / b + shared**2
    second = F.sum([shared.exp(), a, c]) * Value(2.0, requires_grad=False)
    first.label, second.label = "L", "M"
    first.backward()
    row = {
        "data": [value.data for value in (a, b, c, first, second)],
        "labels": [value.label for value in (a, b, c, first, second)],
        "grads": [value.grad for value in (a, b, c, first, second)],
    }
    everyone = [a, b, c, first, second]
    row["refers_to"] = pickled("values.pickle", everyone)
    row["refers_to_in_protocol_0"] = pickled("values-protocol-0.pickle", everyone, 0)
    second.backward()  # on top of what the first pass left
    row["grads_after_the_second"] = [value.grad for value in (a, b, c)]
    EXPECTED["values.pickle"] = row

    leaf = Value(1.25, label="w")
    leaf.grad = -0.5
    names = pickled("leaf.pickle", leaf)
    EXPECTED["leaf.pickle"] = {"data": 1.25, "grad": -0.5, "label": "w", "refers_to": names}

    graph = Graph.from_json(json.loads((HERE / "graph.json").read_text()))
    EXPECTED["graph.pickle"] = {"refers_to": pickled("graph.pickle", graph)}

    things, said = modules()
    EXPECTED["modules.pickle"] = {"outputs": said, "refers_to": pickled("modules.pickle", things)}


def modules() -> tuple[dict[str, Any], dict[str, Any]]:
    """One of each kind in `minigrad.nn` that has something to remember, and what it says of two numbers."""
    x = [0.5, -1.0]
    layers: dict[str, nn.Module] = {
        "MLP": nn.MLP(2, [2, 1], seed=1),
        "Layer": nn.Layer(2, 2, seed=2),
        "Neuron": nn.Neuron(2, seed=3),
        "Linear": nn.Linear(2, 2, seed=4),
        "Sequential": nn.Sequential(nn.Linear(2, 2, seed=5), nn.Tanh(), nn.Identity()),
        "LayerNorm": nn.LayerNorm(2),
        "RMSNorm": nn.RMSNorm(2),
    }
    kinds = ("ELU", "GELU", "LeakyReLU", "ReLU", "SiLU", "Sigmoid", "Softmax", "Softplus", "Tanh")
    layers |= {kind: getattr(nn, kind)() for kind in kinds}
    said = {name: numbers(layer([Value(number) for number in x])) for name, layer in layers.items()}
    embedding, attention = nn.Embedding(3, 2, seed=6), nn.Attention(2, 1, seed=7)
    gpt = nn.GPT(3, block=2, layers=1, width=2, heads=1, seed=8)
    said["Embedding"] = numbers(embedding(2))
    said["Attention"] = numbers(attention([[Value(number) for number in x]]))
    said["GPT"] = numbers(gpt([0, 2]))
    dropout = nn.Dropout(0.5, seed=9)
    dropout([Value(1.0)] * 3)
    things = {**layers, "Embedding": embedding, "Attention": attention, "GPT": gpt, "Dropout": dropout}
    things["Vocabulary"] = nn.Vocabulary(["ada", "bo"])
    said["Vocabulary"] = list(things["Vocabulary"].encode("ada"))
    for kind, options in (("SGD", {"momentum": 0.9}), ("Adam", {}), ("AdamW", {})):
        model = nn.Neuron(2, seed=10)
        optimiser = getattr(nn, kind)(model.parameters(), lr=0.1, **options)
        half_a_step(model, optimiser)
        things[kind] = (model, optimiser)
    schedules = {
        "ConstantLR": lambda one: nn.ConstantLR(one, 0.5, 3),
        "CosineAnnealingLR": lambda one: nn.CosineAnnealingLR(one, 10),
        "LambdaLR": lambda one: nn.LambdaLR(one, math.cos),
        "LinearLR": lambda one: nn.LinearLR(one, 0.5, 1.0, 4),
        "SequentialLR": lambda one: nn.SequentialLR(
            one, [nn.LinearLR(one, 0.5, 1.0, 2), nn.CosineAnnealingLR(one, 5)], [2]
        ),
    }
    for kind, made in schedules.items():
        optimiser = nn.SGD([Value(1.0)], lr=0.1)
        schedule = made(optimiser)
        schedule.step()
        things[kind] = schedule
    content = pickle.dumps(things)
    later = pickle.loads(content)
    said["Dropout"] = numbers(later["Dropout"]([Value(1.0)] * 8))
    for kind in ("SGD", "Adam", "AdamW"):
        half_a_step(*later[kind])
        said[kind] = [value.data for value in later[kind][0].parameters()]
    for kind in schedules:
        later[kind].step()
        said[kind] = later[kind].get_last_lr()
    return pickle.loads(content), said


def half_a_step(model: Any, optimiser: Any) -> None:
    optimiser.zero_grad()
    model([0.5, -1.0]).backward()
    optimiser.step()


def numbers(said: Any) -> Any:
    return [numbers(part) for part in said] if isinstance(said, (list, tuple)) else said.data


# ---- programs -------------------------------------------------------------------------------------


def programs() -> None:
    scale = Value(0.5, label="scale")

    def chosen(table, i, x):
        row = take(table, i)
        out = row[0] * x + row[1] * scale
        return out.exp() if out > 0.0 else out * out

    program = minigrad.compile(chosen)
    table = [[0.5, 0.25], [-1.0, 2.0], [3.0, -0.125]]
    program(table, 0, 1.0)
    program(table, 2, -1.0)
    program.save(HERE / "chosen.program")
    calls = []
    for i, x in ((0, 0.75), (1, 2.5), (2, -1.5)):
        value, gradient = program.value_and_grad(table, i, x)
        calls.append(
            {
                "i": i,
                "x": x,
                "value": value,
                "by_table": gradient,
                "by_x": program.grad(table, i, x, argnums=2),
            }
        )
    EXPECTED["chosen.program"] = {"name": "chosen", "table": table, "calls": calls}


# ---- checkpoints ----------------------------------------------------------------------------------


def model_and_memory() -> tuple[nn.Module, nn.Optimizer, Any]:
    model = nn.Sequential(
        nn.Linear(2, 3, seed=1), nn.Tanh(), nn.Dropout(0.25, seed=2), nn.Linear(3, 1, seed=3)
    )
    optimiser = nn.AdamW(model.parameters(), lr=0.05, weight_decay=0.01)
    parts = [nn.LinearLR(optimiser, 0.5, 1.0, 3), nn.CosineAnnealingLR(optimiser, 10)]
    return model, optimiser, nn.SequentialLR(optimiser, parts, [3])


def steps(model: nn.Module, optimiser: nn.Optimizer, schedule: Any, count: int) -> dict[str, list[float]]:
    losses, rates = [], []
    for _ in range(count):
        optimiser.zero_grad()
        said = [model([Value(x), Value(y)])[0] for x, y in ((0.5, -1.0), (1.5, 0.25), (-0.75, 2.0))]
        loss = nn.mse_loss(said, [1.0, -1.0, 0.5])
        loss.backward()
        optimiser.step()
        schedule.step()
        losses.append(loss.data)
        rates += schedule.get_last_lr()
    return {"losses": losses, "rates": rates}


def checkpoints() -> None:
    model, optimiser, schedule = model_and_memory()
    steps(model, optimiser, schedule, 4)
    nn.save(HERE / "model.safetensors", model, optimiser, schedule, epoch=4, note="after four steps")
    weights = model.state_dict()
    row = {"state": {"epoch": 4, "note": "after four steps"}, "weights": weights}
    EXPECTED["model.safetensors"] = {**row, "continued": steps(model, optimiser, schedule, 3)}


MOONS = ["moons", "--points", "8", "--hidden", "3", "--batch", "4", "--steps", "4"]
SMALL = ["--width", "2", "--heads", "1", "--block", "3"]
POEMS = ["poems.txt", *SMALL, "--dropout", "0.25", "--steps", "3", "--samples", "2"]


def runs() -> None:
    for name, words, after, at_the_end in (
        ("moons.safetensors", MOONS, ["--steps", "7"], []),
        ("poems.safetensors", POEMS, ["--steps", "5", "--samples", "2"], ["poems.txt"]),
    ):
        begun = json.loads(run(["train", *words, "--save", name, "--json"])[1])
        copy(DESK / name, HERE / name)
        resume = ["--resume", name, *at_the_end, *after]
        ended = json.loads(run(["train", *resume, "--json"])[1])
        copy(HERE / name, DESK / name)
        kept = ("step", "losses", "samples", "accuracy")
        EXPECTED[name] = {
            "words": ["train", *resume, "--json"],
            "begun": {key: begun[key] for key in kept},
            "ended": {key: ended[key] for key in kept},
        }


# ---- learners and classes -------------------------------------------------------------------------


def learner() -> None:
    path = DESK / "progress.json"
    empty = {"schema": "minigrad.progress/1", "seed": 7, "units": {}, "answers": []}
    path.write_text(json.dumps(empty))
    first = ["", "", "z=5", "z=6", "v=3", "C", "D", ""]
    run(["learn", "1", "--progress", "progress.json"], "\n".join(first) + "\n")
    second = ["", "", "", "u=4 v=-4 w=3", "r", ""]
    run(["learn", "2", "--progress", "progress.json"], "\n".join(second) + "\n")
    moments: dict[str, str] = {}
    long_ago = datetime(2025, 1, 6, 10, tzinfo=UTC)

    def earlier(found: re.Match[str]) -> str:
        return moments.setdefault(found[0], (long_ago + timedelta(seconds=len(moments))).isoformat())

    text = re.sub(r"\d{4}-\d\d-\d\dT[\d:]+[+-]\d\d:\d\d", earlier, path.read_text())
    write("progress.json", text)
    document = json.loads(text)
    EXPECTED["progress.json"] = {
        "seed": document["seed"],
        "units": document["units"],
        "answers": document["answers"],
        "listed": {"data-and-grad": "[x]", "local-rules": "[>]", "by-hand": "[ ]"},
        "due": 2,
    }


def a_class() -> None:
    rmtree(HERE / "class", ignore_errors=True)
    (HERE / "class").mkdir()
    write("class/names.txt", "Ada Lovelace\nSofía Núñez\nEmmy Noether\nMoses ibn Tibbon\n")
    copy(HERE / "class" / "names.txt", DESK / "names.txt")
    made = ["learn", "--class", "names.txt", "--kinds", "gradient,lost", "--questions", "2", "--seed", "7"]
    made += ["--title", "Monday"]
    run([*made, "--forms", "md", "--out", str(HERE / "class" / "monday")])
    run([*made, "--out", "all-forms"])
    key = (HERE / "class" / "monday" / "key.json").read_text()
    assert key == (DESK / "all-forms" / "key.json").read_text()
    codes = {row["file"]: row["sheet"] for row in json.loads(key)["sheets"]}
    sheets, returned = DESK / "all-forms" / "sheets", HERE / "class" / "monday" / "returned"
    returned.mkdir()
    right = solutions((HERE / "class" / "monday" / "key.md").read_text())

    # Ada writes into the text, and has all right
    text = (sheets / "ada-lovelace.md").read_text()
    for blank, value in right["ada-lovelace"][0].items():
        text = text.replace(f"\n{blank} = ____", f"\n{blank} = {value}", 1)
    text = text.replace("answer = ____", f"answer = {right['ada-lovelace'][1]['choice']}")
    (returned / "ada-lovelace.md").write_text(text)

    # Sofía fills in the notebook, and her second answer is wrong
    text = (sheets / "sofia-nunez.ipynb").read_text()
    for blank, value in right["sofia-nunez"][0].items():
        text = text.replace(f"{blank}=...", f"{blank}={value}", 1)
    wrong = next(letter for letter in "ABC" if letter != right["sofia-nunez"][1]["choice"])
    (returned / "sofia-nunez.ipynb").write_text(text.replace("choice=...", f'choice=\\"{wrong}\\"'))

    # Emmy saves the page from her browser, with the first question left empty
    text = (sheets / "emmy-noether.html").read_text()
    letter = right["emmy-noether"][1]["choice"]
    blank = f'value="{letter}" data-blank="choice"'
    assert blank in text
    (returned / "emmy-noether.html").write_text(
        text.replace(blank, f'value="{letter}" checked data-blank="choice"')
    )

    # Moses presses the button of the page, which saves a small file; one of two gradients is wrong
    first, second = right["moses-ibn-tibbon"]
    answers = {"1": {**first, "a": "99"}, "2": second}
    saved = {
        "schema": "minigrad.answers/1",
        "sheet": codes["moses-ibn-tibbon"],
        "saved": "2025-01-06T10:00:00",
    }
    content = json.dumps({**saved, "answers": answers}, indent=1)
    (returned / "moses-ibn-tibbon.answers.json").write_text(content + "\n")


def solutions(key: str) -> dict[str, list[dict[str, str]]]:
    found: dict[str, list[dict[str, str]]] = {}
    for part in key.split("\n## ")[1:]:
        who = re.search(r"files `(.*)`", part)
        rows = re.findall(r"^\d\. \*\*(.*)\*\*", part, re.MULTILINE)
        assert who is not None
        found[who[1]] = [
            dict(pair.split(" = ") for pair in row.split(", ")) if "=" in row else {"choice": row}
            for row in rows
        ]
    return found


# ---- commands -------------------------------------------------------------------------------------

# What may change without breaking a program that reads the document: texts, counts of what was tried,
# numbers of lines in our sources, paths.  What may grow: lists of faults.
COMMANDS: dict[str, dict[str, Any]] = {
    "explain": {"words": ["explain", CLASSIC, *AT]},
    "check": {"words": ["check", CLASSIC, *AT, "--ask", "mpmath,exact,complex,central,paper,dual"]},
    "check-wrong": {
        "words": ["check", CLASSIC, *AT, "--ask", "exact,central,paper", "--got", "a=2", "c=0.79"]
    },
    "break": {
        "words": ["break", "overwrite", "a*b + a", "a=2", "b=3"],
        "loose": ["diff", "hides.expression"],
    },
    "break-all": {"words": ["break", "a*b + a", "a=2", "b=3"], "growing": ["faults"]},
    "break-list": {
        "words": ["break", "--list"],
        "loose": [f"faults.*.{key}" for key in ("name.*", "story.*", "smallest", "seen", "case")],
        "growing": ["faults"],
    },
    "diagnose": {
        "words": ["diagnose", "c = a*b; d = a + b; c + d", "a=2", "b=-3", "--got", "a=1", "b=1"],
        "growing": ["diagnoses"],
    },
    "diagnose-right": {"words": ["diagnose", "a*b + a", "a=2", "b=3", "--got", "a=4", "b=2"]},
    "doctor": {
        "words": ["doctor", "engine.py"],
        "loose": ["path", "probes", "findings.*.name", "findings.*.probes", "not_examined"],
    },
    "doctor-torch": {
        "words": ["doctor", "--torch", "rules:Scale"],
        "loose": ["comparisons", "findings.*.got", "findings.*.expected", "findings.*.position"],
        "needs": "torch",
    },
    "mutate": {
        "words": ["mutate", "engine.py", "--tests", "{python} check_engine.py", "--only", "overwrite"],
        "loose": ["path", "tests", "copied.*", "planted", "mutants.*.diff.*"],
    },
    "duel": {"words": ["duel", "overwrite", "--on", "moons", "--steps", "20"]},
    "train": {"words": ["train", *MOONS]},
    "train-names": {"words": ["train", "names", *SMALL, "--steps", "2", "--samples", "1"]},
    "weights": {"words": ["explain", "moons.safetensors"]},
    "weight": {"words": ["explain", "moons.safetensors", "--weight", "layers.0.neurons.0.w[0]"]},
    "grade": {"words": ["grade", "monday"]},
}


def commands() -> None:
    for name, row in COMMANDS.items():
        words = [word.replace("{python}", sys.executable) for word in row["words"]]
        code, out = run([*words, "--json"])
        document = json.loads(out)
        if name == "break-list":
            document["faults"] = document["faults"][:3] + document["faults"][-1:]
        if "path" in document:
            document["path"] = Path(document["path"]).name
        if "tests" in document:
            document["tests"] = document["tests"].replace(sys.executable, "python")
        write(f"commands/{name}.json", json.dumps(document, indent=1) + "\n")
        row["code"] = code
        row["words"] = [*row["words"], "--json"]
    EXPECTED["commands"] = COMMANDS
    marks = json.loads((HERE / "commands" / "grade.json").read_text())["learners"]
    EXPECTED["class"] = {row["name"]: [row["points"], row["of"]] for row in marks}


def write(name: str, text: str) -> None:
    (HERE / name).write_text(text, encoding="utf-8")


def main() -> None:
    os.environ["MINIGRAD_PROGRESS"] = str(DESK / "nobody.json")
    write("poems.txt", "ada\nbo\nabba\ndoda\n")
    write(
        "check_engine.py",
        "from engine import Value\n\na = Value(2.0)\n(a * 3.0).backward()\nassert a.grad == 3.0\n",
    )
    (HERE / "commands").mkdir(exist_ok=True)
    for name in ("engine.py", "check_engine.py", "rules.py", "poems.txt"):
        copy(HERE / name, DESK / name)
    graphs()
    pickles()
    programs()
    checkpoints()
    runs()
    learner()
    a_class()
    (DESK / "monday").symlink_to(HERE / "class" / "monday")
    commands()
    unit()
    write("expected.json", json.dumps(EXPECTED, indent=1, ensure_ascii=False) + "\n")
    rmtree(DESK)


def unit() -> None:
    """A unit as a script, which imports names of minigrad; kept under a name that no linter reads."""
    run(["learn", "1", "--out", "unit.py"])
    copy(DESK / "unit.py", HERE / "unit.py.txt")
    done = subprocess.run([sys.executable, "unit.py"], capture_output=True, encoding="utf-8", cwd=DESK)
    assert done.returncode == 0, done.stderr
    EXPECTED["unit.py.txt"] = {"prints": done.stdout.splitlines()[:2]}


if __name__ == "__main__":
    main()
