"""Mistakes that a step is known for, as changes of the textbook; the doctor's faults in the track's words.

A learner's file is recognised by what it does: by the numbers and errors that its probes give.  So a mistake
is found however it is written, as long as it acts like one of these.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache

from ...doctor.patches.planted_bugs import mutants
from ...doctor.patches.planted_bugs.field_names import read_anatomy
from ...faults import FAULTS
from ...text.translation import catalogue
from .learner_file import LearnerFile
from .probes import PROBES, Outcome, agree, expected, outcomes_in
from .textbook_parts import CLASS, STEPS, names_of, part, solution

__all__ = ["MISTAKES", "Likeness", "Mistake", "mistake_like", "planted", "slug_of_fault"]

UNPLANTED = ("by-hand", "paths", "neuron", "proof")  # steps in which the catalogue has nothing to plant
NO_MISTAKE = ("tanh-overflow",)  # for all inputs of the step a right way to write it
ENDLESS = ("revisits",)  # mistakes with which some probes would not end; the doctor names them
NEAR = 0.5  # of the failing probes, those that have to come out like a mistake's to call it by its name
Change = tuple[str, str]


@dataclass(frozen=True)
class Mistake:
    """One way to get a step wrong: passages of the step's part of the textbook, and what stands there."""

    step: str
    slug: str  # its sentence is track.mistake.SLUG
    changes: tuple[Change, ...]
    endless: bool = False  # does a probe take for ever with it?

    @property
    def source(self) -> str:
        """The engine after this step, with the mistake in it."""
        whole = solution(self.step)
        own = whole.index(next(text for text in part(self.step, filled=True) if text))
        for old, new in self.changes:
            at = whole.find(old, own)
            at = whole.find(old) if at < 0 else at
            if at < 0:
                raise RuntimeError(f"{self.step}/{self.slug}: the textbook has no passage {old!r}")
            whole = whole[:at] + new + whole[at + len(old) :]
        return whole


_N, _R, _H, _P, _O = "number", "rules", "by-hand", "paths", "order"
_D, _C, _A, _M, _F = "diamond", "constants", "again", "neuron", "proof"
_WRAP = "other = other if isinstance(other, Value) else Value(other)"
_LOOP = "        for child in node.children:\n            send(child)\n"
_MUL_END = "self.data * out.grad\n\n        out._backward = _backward\n        return out"
_CLEAR = "                for child in node.children:\n                    clear(child)\n"

MISTAKES: tuple[Mistake, ...] = (
    Mistake(_N, "grad-missing", (("        self.grad = 0.0\n", ""),)),
    Mistake(_N, "grad-missing", (("self.grad = 0.0", "grad = 0.0"),)),
    Mistake(_N, "grad-none", (("self.grad = 0.0", "self.grad = None"),)),
    Mistake(_N, "grads-start-at-one", (("self.grad = 0.0", "self.grad = 1.0"),)),
    Mistake(_N, "grad-is-data", (("self.grad = 0.0", "self.grad = data"),)),
    Mistake(_N, "data-missing", (("        self.data = data\n", ""),)),
    Mistake(_N, "data-fixed", (("self.data = data", "self.data = 0.0"),)),
    Mistake(_N, "integer-truncation", (("self.data = data", "self.data = int(data)"),)),
    Mistake(_N, "data-is-text", (("self.data = data", "self.data = str(data)"),)),
    Mistake(_N, "children-missing", (("        self.children = children\n", ""),)),
    Mistake(_N, "children-empty", (("self.children = children", "self.children = ()"),)),
    Mistake(_N, "children-in-a-set", (("self.children = children", "self.children = set(children)"),)),
    Mistake(_N, "children-one", (("self.children = children", "self.children = children[:1]"),)),
    Mistake(_N, "op-missing", (("        self.op = op\n", ""),)),
    Mistake(_N, "op-empty", (("self.op = op", 'self.op = ""'),)),
    Mistake(_N, "rule-missing", (("        self._backward = lambda: None\n", ""),)),
    Mistake(_N, "rule-none", (("self._backward = lambda: None", "self._backward = None"),)),
    Mistake(_R, "no-return", ((_MUL_END, _MUL_END.removesuffix("        return out")),)),
    Mistake(_R, "rule-called", ((_MUL_END, _MUL_END.replace("= _backward\n", "= _backward()\n")),)),
    Mistake(_R, "rule-called", ((_MUL_END, _MUL_END.replace("out._backward = _backward", "_backward()")),)),
    Mistake(_R, "value-of-product", (("self.data * other.data", "self.data + other.data"),)),
    Mistake(_R, "operands-missing", (("data * other.data, (self, other)", "data * other.data, (self,)"),)),
    Mistake(
        _R, "operands-swapped", (("data * other.data, (self, other)", "data * other.data, (other, self)"),)
    ),
    Mistake(
        _R, "data-changed", (("self.grad = other.data * out.grad", "self.data = other.data * out.grad"),)
    ),
    Mistake(
        _R, "sends-to-itself", (("self.grad = other.data * out.grad", "out.grad = other.data * out.grad"),)
    ),
    Mistake(
        _H,
        "by-hand-early",
        (
            (
                "    total._backward()\n    product._backward()",
                "    product._backward()\n    total._backward()",
            ),
        ),
    ),
    Mistake(_H, "by-hand-no-product", (("    product._backward()\n", ""),)),
    Mistake(_H, "by-hand-no-product", (("product._backward()", "product._backward"),)),
    Mistake(_H, "by-hand-no-total", (("    total._backward()\n", ""),)),
    Mistake(
        _H,
        "by-hand-leaves",
        (
            (
                "    total._backward()\n    product._backward()",
                "    a._backward()\n    b._backward()\n    c._backward()",
            ),
        ),
    ),
    Mistake(
        _H,
        "by-hand-data",
        (
            (
                "    total._backward()\n    product._backward()",
                "    product.grad = c.grad = 1.0\n    a.grad = a.data\n    b.grad = b.data",
            ),
        ),
    ),
    Mistake(_P, "no-seed", (("    out.grad = 1.0\n", ""),)),
    Mistake(_P, "no-seed", (("out.grad = 1.0", "out.grad = 0.0"),)),
    Mistake(_P, "seed-scaled", (("out.grad = 1.0", "out.grad = 2.0"),)),
    Mistake(_P, "seed-is-data", (("out.grad = 1.0", "out.grad = out.data"),)),
    Mistake(_P, "seed-late", (("    out.grad = 1.0\n    send(out)", "    send(out)\n    out.grad = 1.0"),)),
    Mistake(
        _P,
        "seed-everywhere",
        (("        node._backward()\n", "        node.grad = 1.0\n        node._backward()\n"),),
    ),
    Mistake(
        _P, "children-first", (("        node._backward()\n" + _LOOP, _LOOP + "        node._backward()\n"),)
    ),
    Mistake(_P, "one-child", (("in node.children:", "in node.children[:1]:"),)),
    Mistake(_P, "nothing-runs", (("        node._backward()\n", ""),)),
    Mistake(_P, "nothing-runs", (("node._backward()", "node._backward"),)),
    Mistake(_P, "one-level", (("send(child)", "child._backward"),)),
    Mistake(_P, "nothing-runs", (("    out.grad = 1.0\n    send(out)", "    out.grad = 1.0"),)),
    Mistake(_P, "endless-recursion", (("send(child)", "send(node)"),)),
    Mistake(_O, "nothing-runs", (("                order.append(node)\n", ""),)),
    Mistake(_O, "nothing-runs", (("        visit(self)\n", ""),)),
    Mistake(_O, "no-seed", (("self.grad = 1.0", "self.grad = 0.0"),)),
    Mistake(
        _O,
        "seed-late",
        (
            ("        self.grad = 1.0\n", ""),
            ("            node._backward()\n", "            node._backward()\n        self.grad = 1.0\n"),
        ),
    ),
    Mistake(_O, "nothing-runs", (("node._backward()", "node._backward"),)),
    Mistake(_O, "guard-missing", (("                visited.add(node)\n", ""),), endless=True),
    Mistake(_O, "one-child", (("in node.children:", "in node.children[:1]:"),)),
    *(
        Mistake(
            _C,
            "constant-not-wrapped",
            (
                (
                    f"        {_WRAP}\n        out = Value(self.data {sign} ",
                    f"        out = Value(self.data {sign} ",
                ),
            ),
        )
        for sign in "+*-"
    ),
    Mistake(_C, "constant-lost", (("self * -1", "self * 0"),)),
    Mistake(_C, "reflected-recursion", (("return self * other", "return other * self"),)),
    Mistake(_C, "reflected-recursion", (("return Value(other) - self", "return other - self"),)),
    Mistake(_C, "reflected-product", (("return self * other", "return self + other"),)),
    Mistake(_C, "reflected-cut", (("return self * other", "return Value(other * self.data)"),)),
    Mistake(_C, "reflected-cut", (("return Value(other) - self", "return Value(other - self.data)"),)),
    Mistake(_C, "reflected-sub", (("return Value(other) - self", "return self - other"),)),
    Mistake(_C, "reflected-sum", (("return Value(other) - self", "return Value(other) + self"),)),
    Mistake(_C, "reflected-number", (("return self * other", "return other * self.data"),)),
    Mistake(_A, "clears-itself-only", (("        clear(self)\n", "        self.grad = 0.0\n"),)),
    Mistake(
        _A,
        "clears-leaves-only",
        (
            (
                "                node.grad = 0.0\n",
                "                if not node.children:\n                    node.grad = 0.0\n",
            ),
        ),
    ),
    Mistake(
        _A,
        "clears-inner-only",
        (
            (
                "                node.grad = 0.0\n",
                "                if node.children:\n                    node.grad = 0.0\n",
            ),
        ),
    ),
    Mistake(_A, "clears-data", (("node.grad = 0.0", "node.data = 0.0"),)),
    Mistake(_A, "clears-data", (("node.grad = 0.0", "node.data = node.grad = 0.0"),)),
    Mistake(_A, "clears-to-one", (("node.grad = 0.0", "node.grad = 1.0"),)),
    Mistake(_A, "clears-to-none", (("node.grad = 0.0", "node.grad = None"),)),
    Mistake(_A, "clears-nothing", (("        clear(self)\n", ""),)),
    Mistake(
        _A,
        "clears-one-branch",
        (
            (
                "in node.children:\n                    clear",
                "in node.children[:1]:\n                    clear",
            ),
        ),
    ),
    Mistake(_A, "clears-itself-only", ((_CLEAR, ""),)),
    Mistake(_A, "clears-again", (("                seen.add(node)\n", ""),), endless=True),
    Mistake(_M, "no-bias", (("total = self.bias", "total = Value(0.0)"),)),
    Mistake(_M, "no-activation", (("return total.tanh()", "return total"),)),
    Mistake(_M, "other-activation", (("return total.tanh()", "return total.relu()"),)),
    Mistake(_M, "bias-every-time", (("total + weight * x", "total + weight * x + self.bias"),)),
    Mistake(
        _M,
        "bias-changed",
        (
            (
                "            total = total + weight * x\n        return total.tanh()",
                "            self.bias = self.bias + weight * x\n        return self.bias.tanh()",
            ),
        ),
    ),
    Mistake(_M, "weight-added", (("weight * x", "weight + x"),)),
    Mistake(_M, "only-last-input", (("total = total + weight * x", "total = self.bias + weight * x"),)),
    Mistake(_M, "only-first-input", (("        return total.tanh()", "            return total.tanh()"),)),
    Mistake(_M, "weights-cut", (("weight * x", "weight.data * x"),)),
    Mistake(_M, "neuron-cut", (("return total.tanh()", "return Value(math.tanh(total.data))"),)),
    Mistake(
        _M, "activation-every-time", (("total = total + weight * x", "total = (total + weight * x).tanh()"),)
    ),
    Mistake(_M, "first-weight-only", (("weight * x", "self.weights[0] * x"),)),
    Mistake(_F, "slope-no-half", (("/ (2 * distance)", "/ distance"),)),
    Mistake(_F, "slope-not-divided", ((" / (2 * distance)", ""),)),
    Mistake(_F, "slope-sign", (("at(distance) - at(-distance)", "at(-distance) - at(distance)"),)),
    Mistake(_F, "slope-sum", (("at(distance) - at(-distance)", "at(distance) + at(-distance)"),)),
    Mistake(_F, "slope-all-inputs", (("x + shift if i == which else x", "x + shift"),)),
    Mistake(_F, "slope-none", (("x + shift if i == which else x", "x"),)),
    Mistake(_F, "slope-first-input", (("i == which", "i == 0"),)),
    Mistake(_F, "slope-other-inputs", (("i == which", "i != which"),)),
    Mistake(_F, "slope-none", (("f(*values).data", "f(*values).grad"),)),
    Mistake(_F, "slope-is-a-value", (("f(*values).data", "f(*values)"),)),
    Mistake(
        _F,
        "slope-absolute",
        (("return (at(distance) - at(-distance)) /", "return abs(at(distance) - at(-distance)) /"),),
    ),
    Mistake(
        _F,
        "slope-changes-numbers",
        (
            (
                "        values = [Value(x + shift if i == which else x) for i, x in enumerate(numbers)]\n",
                "        numbers[which] += shift\n        values = [Value(x) for x in numbers]\n",
            ),
        ),
    ),
)

# Faults that no sentence of their own tells from another one here.
_LIKE: Mapping[str, str] = {
    "overwrite-one-op": "overwrite",
    "keep-largest": "keep-first",
    "upstream-ignored-one-op": "upstream-ignored",
    "zero-seed": "no-seed",
    "own-grad-for-upstream": "upstream-of-operand",
    "mul-as-add": "local-ignored",
    "exp-without-itself": "local-ignored",
    "relu-open": "local-ignored",
    "pow-as-relu": "local-ignored",
    "div-numerator-one": "div-numerator",
    "div-numerator-times-b": "div-numerator",
    "div-swapped": "slots-swapped",
    "mul-own-factor": "slots-swapped",
    "stack-revisits": "revisits",
    "queue-revisits": "revisits",
    "recursion": "revisits",
    "guard-misplaced": "guard-missing",
    "guard-missing": "guard-missing",
    "op-without-rule": "closure-never-attached",
    "reflected-sub-rule": "reflected-sub",
    "reflected-div-rule": "reflected-div",
    "default-arguments-outlive": "visited-outlives",
    "visited-flags-outlive": "visited-outlives",
}


def slug_of_fault(fault: str) -> str:
    """The mistake that a fault of the catalogue, or a finding of the doctor's, is in the track's words."""
    slug = _LIKE.get(fault, fault)
    if f"track.mistake.{slug}" in catalogue():
        return slug
    return "rule-wrong" if fault in FAULTS else "gradient-wrong"


@dataclass(frozen=True)
class Likeness:
    """The known mistakes that a file acts like: in every probe of a step, or in most of those that fail."""

    exact: tuple[str, ...] = ()
    near: str = ""

    @property
    def best(self) -> str:
        return self.exact[0] if self.exact else self.near


def mistake_like(step: str, outcomes: Mapping[str, Outcome]) -> Likeness:
    """The mistakes that these outcomes of a step's probes look like."""
    right = expected(step)
    exact: dict[str, None] = {}
    nearest, most = "", 0.0
    for slug, signature in _signatures(step):
        if not all(key in outcomes for key in signature):
            continue
        if all(agree(outcomes[key], outcome) for key, outcome in signature.items()):
            exact[slug] = None
            continue
        failing = {key for key, outcome in signature.items() if not agree(outcome, right[key])}
        ours = {key for key in signature if not agree(outcomes[key], right[key])}
        alike = sum(agree(outcomes[key], signature[key]) for key in failing) / max(1, len(failing))
        if ours == failing and alike > max(most, NEAR):
            nearest, most = slug, alike
    return Likeness(tuple(exact), nearest)


@cache
def _signatures(step: str) -> tuple[tuple[str, Mapping[str, Outcome]], ...]:
    """What a step's probes give with each mistake in its part: those above, and the catalogue's faults."""
    probes = tuple(probe for probe in PROBES if probe.step == step)
    known = [(one.slug, one.source) for one in MISTAKES if one.step == step and not one.endless]
    known += [(slug, text) for slug, text in planted(step) if slug not in ENDLESS]
    found = [(slug, outcomes_in(source, probes)) for slug, source in known]
    right = expected(step)
    return tuple(
        (slug, signature)
        for slug, signature in found
        if not all(agree(outcome, right[name]) for name, outcome in signature.items())
    )


def planted(step: str) -> Iterator[tuple[str, str]]:
    """The faults of the catalogue in what a step adds: the mistake, and the whole engine with it."""
    source = solution(step)
    file = LearnerFile(source)
    if step in UNPLANTED:
        return
    for mutant in mutants(source, read_anatomy(source, CLASS)):
        overwrites = mutant.kind.startswith("overwrite")
        if mutant.kind in NO_MISTAKE or (overwrites and STEPS.index(step) < STEPS.index("diamond")):
            continue
        is_own = (file.function_at(mutant.line) or CLASS) in names_of(step)
        if is_own or (overwrites and step == "diamond"):
            yield slug_of_fault(mutant.kind), mutant.apply(source)
