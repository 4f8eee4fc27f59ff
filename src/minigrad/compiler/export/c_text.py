"""Programs as one file of C99: the value, and the gradient, without a library beside the C library's own.

    int NAME_value(const double *weights_up, ..., double *result);
    int NAME_gradient(const double *weights_up, ..., double *result, double *d_weights_up, ...);

Each instruction of the plan is a loop over cells.  The kernels come out of the op table, and sums keep their
order, so a C compiler that rounds as IEEE 754 says gives the bits of the engine.  With dtype "float32" the
arrays are floats; a function of the table is computed in double precision and rounded.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, NoReturn

from ..._native.emitter import CNumber, CodeBlock, literal
from ...ops import OPS
from ...text.translation import say
from ..numpy_loader import numpy
from ..plan import Access, Chain, Instruction, Map, Most, Put, Take, accesses_of
from ..traced_function import TracedFunction
from .c_lines import alive, indented, library, once, place_of, plus, times, wrapped
from .job import ExportJob
from .leaves import Leaf, identifier
from .long_lines import break_line
from .source import Source, check_dtype

if TYPE_CHECKING:
    import numpy as np
else:
    np = numpy()

__all__ = ["CSource", "to_c"]

MOST_ON_STACK = 1 << 16  # cells; more of them are static, and then one call at a time is all there can be
WIDTH, SHORT = 100, 3  # characters of a line; terms of a sum that is written as one expression
OTHERS = {
    "equal": "return x0 == x1 ? 1.0 : 0.0;",
    "match": "return x0 == x1 ? x2 : 0.0;",
    "gate": "return x0 != 0.0 ? x1 : 0.0;",
    "stop": "return x0;",
}
ARITY = {"equal": 2, "match": 3, "gate": 2, "stop": 1}
INFIX = {
    "add": "{} + {}",
    "sub": "{} - {}",
    "mul": "{} * {}",
    "div": "{} / {}",
    "neg": "-{}",
    "square": "{0} * {0}",
}


class CSource(Source):
    """The text of a file in C."""

    suffix = ".c"

    def load(self) -> NoReturn:
        raise TypeError(say("compile.handover.c"))


def to_c(
    traced: TracedFunction,
    arguments: Sequence[object],
    *,
    names: Sequence[str] | None = None,
    name: str = "program",
    dtype: str = "float64",
    check: bool = True,
) -> CSource:
    """The program and its gradient in C99."""
    check_dtype(dtype)
    job = ExportJob(traced, arguments, names)
    own = {"c", "i", "j", "k", f"{name}_value", f"{name}_gradient"}  # words of the text itself
    job.leaves = [replace(leaf, name=identifier(leaf.name, own)) for leaf in job.leaves]
    source = CSource(_CWriter(job, name, dtype).text())
    if check:
        from .c_check import check_c

        check_c(job, source, name, dtype)
    return source


class _CWriter:
    def __init__(self, job: ExportJob, name: str, dtype: str) -> None:
        self.job = job
        self.name = name
        self.real = "double" if dtype == "float64" else "float"
        self.kernels: dict[str, str] = {}
        self.tables: list[str] = []
        self.exact = False

    def text(self) -> str:
        job = self.job
        functions = [self._function("value", [])]
        smooth = [leaf for leaf in job.leaves if job.smooth(leaf)]
        if job.scalar and smooth:
            functions.append(self._function("gradient", smooth))
        head = [f"/* {self._described()} */", "#include <math.h>\n#include <stddef.h>"]
        body = "\n\n".join(self.kernels.values())
        if self.exact or "ieee_" in body:
            head.append(library("ieee.h"))
        if self.exact:
            head.append(library("reductions.h", "---- the rows"))
        head.append(f"typedef {self.real} real;")
        return once("\n\n".join([*head, *([body] if body else []), *self.tables, *functions])) + "\n"

    def _described(self) -> str:
        job = self.job
        lines = [say("compile.handover.title", library="C99"), say("compile.handover.note.c"), ""]
        lines += [f"{leaf.name}: {' x '.join(map(str, leaf.shape)) or '1'}" for leaf in job.leaves]
        lines += [f"{leaf.name}: {' x '.join(map(str, leaf.shape)) or '1'}" for leaf in job.results]
        lines += ["", *textwrap.wrap(say("compile.handover.c.returns"), WIDTH)]
        lines += [f"    {place}: {where}" for place, (_, where) in enumerate(job.guards(), 1) if where]
        return "\n".join(f"   {line}".rstrip() for line in lines).replace("*/", "* /").lstrip()

    # ---- functions ---------------------------------------------------------------------------------

    def _function(self, kind: str, gradients: list[Leaf]) -> str:
        job = self.job
        plan = job.plan(gradients, reuse=True)
        taken = {leaf.name for leaf in job.leaves} | {"c", "i", "j", "k"}
        results = {leaf.name: identifier(leaf.name, taken) for leaf in job.results}
        slopes = {leaf.name: identifier(f"d_{leaf.name}", taken) for leaf in gradients}
        parameters = [f"const real *{leaf.name}" for leaf in job.leaves]
        parameters += [f"real *{its}" for its in (*results.values(), *slopes.values())]
        count = max(1, plan.cells[0])
        lines = [f"{'static ' if count > MOST_ON_STACK else ''}real c[{count}];"]
        for leaf in job.leaves:
            if leaf.size:
                cell = plan.inputs[leaf.first][1]
                lines.append(self._loop(leaf.size, f"c[{plus(cell)}i] = {leaf.name}[i];"))
        if len(plan.constants):
            table = f"{self.name}_{kind}_constants"
            values = ", ".join(literal(float(x)) for x in plan.constants)
            self.tables.append(
                f"static const double {table}[{len(plan.constants)}] = {{\n{wrapped(values)}\n}};"
            )
            lines.append(
                self._loop(len(plan.constants), f"c[{plus(plan.first_constant)}i] = (real){table}[i];")
            )
        for part in (plan.before, plan.body, plan.after):
            for ins in part:
                lines += self._instruction(ins, kind)
        values_count, guards, _ = plan.parts
        places = [cell for _, cell in plan.outputs]
        for leaf in job.results:
            lines += self._copied(results[leaf.name], places[leaf.first : leaf.first + leaf.size], kind)
        place = values_count + guards
        for leaf in gradients:
            copied = self._copied(slopes[leaf.name], places[place : place + leaf.size], kind)
            lines += [f"if ({slopes[leaf.name]}) {{", indented(copied), "}"] if copied else []
            place += leaf.size
        for number, (wanted, _) in enumerate(job.guards(), 1):
            cell = places[values_count + number - 1]
            test = f"c[{cell}] == {literal(wanted)}" if wanted == wanted else f"c[{cell}] != c[{cell}]"
            lines.append(f"if (!({test}))\n    return {number};")
        lines.append("return 0;")
        start = f"int {self.name}_{kind}("
        every = (
            ", ".join(parameters)
            .replace("const real *", "const\u00a0real\u00a0*")
            .replace("real *", "real\u00a0*")
        )
        head = textwrap.fill(
            f"{every or 'void'})",
            WIDTH,
            initial_indent=start,
            subsequent_indent=" " * len(start),
            break_long_words=False,
        ).replace("\u00a0", " ")
        body = [break_line(line, WIDTH, free=True) for line in indented(lines).split("\n")]
        return "\n".join([head, "{", *body, "}"])

    def _copied(self, target: str, cells: list[int], kind: str) -> list[str]:
        if not cells:
            return []
        first = cells[0]
        if cells == list(range(first, first + len(cells))):
            return [self._loop(len(cells), f"{target}[i] = c[{plus(first)}i];")]
        table = self._table(np.array(cells), kind)
        return [self._loop(len(cells), f"{target}[i] = c[{table}[i]];")]

    def _loop(self, count: int, body: str) -> str:
        if count == 1:
            return body.replace(" + i]", "]").replace("[i]", "[0]")
        return f"for (int i = 0; i < {count}; i++)\n    {body}"

    def _table(self, cells: np.ndarray, kind: str) -> str:
        name = f"{self.name}_{kind}_cells{len(self.tables)}"
        values = ", ".join(map(str, cells.reshape(-1).tolist()))
        self.tables.append(f"static const int {name}[{cells.size}] = {{\n{wrapped(values)}\n}};")
        return name

    # ---- instructions ------------------------------------------------------------------------------

    def _instruction(self, ins: Instruction, kind: str) -> list[str]:
        if isinstance(ins, Map):
            operands = [self._operand(a, ins.dims, 1, kind) for a in ins.operands]
            return self._members(ins, [f"$ = {self._call(ins.kernel, operands)};"])
        if isinstance(ins, Chain):
            return self._members(ins, self._chain(ins, kind))
        if isinstance(ins, Most):
            term = self._operand(ins.a, ins.dims, ins.terms, kind)
            lines = [
                "double most = -INFINITY;",
                f"for (int k = 0; k < {ins.terms}; k++) {{",
                f"    const double term = {term};",
                "    if (!(term <= most))",
                "        most = term;",
                "    if (most != most)",
                "        break;",
                "}",
                "$ = (real)most;",
            ]
            return self._members(ins, lines)
        if isinstance(ins, Put):
            which, row, source = (
                self._operand(access, ins.dims, terms, kind) for access, terms in accesses_of(ins)
            )
            lines = [
                "real sum = 0;",
                f"for (int k = 0; k < {ins.terms}; k++)",
                f"    if ({which} == {row})",
                f"        sum += {source};",
                "$ = sum;",
            ]
            return self._members(ins, lines)
        assert isinstance(ins, Take)
        which = self._operand(ins.which, ins.dims, 1, kind)
        table = self._operand(ins.table, ins.dims, ins.terms, kind)
        check = [f"if (k < 0 || k >= {ins.terms})", "    return -1;"]
        return self._members(ins, [f"const int k = (int){which};", *check, f"$ = {table};"])

    def _members(self, ins: Map | Chain | Most | Take | Put, body: list[str]) -> list[str]:
        """The loops over the members of an instruction."""
        loops: list[str] = []
        place: list[str] = []
        stride = 1
        for axis in reversed(range(len(ins.dims))):
            if ins.dims[axis] > 1:
                loops.insert(0, f"for (int i{axis} = 0; i{axis} < {ins.dims[axis]}; i{axis}++)")
                place.insert(0, times(f"i{axis}", stride))
            stride *= ins.dims[axis]
        out = f"c[{place_of(ins.out, place)}]"
        lines = [line.replace("$", out) for line in body]
        found = ["    " * depth + loop for depth, loop in enumerate(loops)]
        indent = "    " * len(loops)
        if len(lines) > 1 and loops:
            found[-1] += " {"
            lines = [*(indent + line for line in lines), indent[4:] + "}"]
        elif len(lines) > 1:
            lines = ["{", *(f"    {line}" for line in lines), "}"]
        else:
            lines = [indent + line for line in lines]
        return ["\n".join([*found, *lines])]

    def _operand(self, access: Access, dims: tuple[int, ...], terms: int, kind: str) -> str:
        if access.index is not None:
            member: list[str] = []
            stride = 1
            for axis in reversed(range(len(dims))):
                if dims[axis] > 1:
                    member.insert(0, times(f"i{axis}", stride * terms))
                stride *= dims[axis]
            place = " + ".join([*member, *(["k"] if terms > 1 else [])]) or "0"
            return f"c[{self._table(np.asarray(access.index), kind)}[{place}]]"
        parts = [times(f"i{axis}", s) for axis, s in enumerate(access.strides) if s and dims[axis] > 1]
        if terms > 1 and access.step:
            parts.append(times("k", access.step))
        return f"c[{place_of(access.base, parts)}]"

    def _chain(self, ins: Chain, kind: str) -> list[str]:
        lines: list[str] = []
        if not ins.exact and sum(run.terms for run in ins.runs) == len(ins.runs) <= SHORT:
            return [f"$ = {self._short(ins, kind)};"]
        begun = ins.zero or ins.exact
        if ins.exact:
            self.exact = True
            count = sum(run.terms for run in ins.runs)
            lines.append(f"double terms[{count}];")
            place = 0
        else:
            lines.append("real sum = 0.0;" if self.real == "double" else "real sum = 0.0f;")
        for run in ins.runs:
            a = self._operand(run.a, ins.dims, run.terms, kind)
            term = a if run.b is None else f"{a} * {self._operand(run.b, ins.dims, run.terms, kind)}"
            minus = run.kind in "-~"
            if ins.exact:
                text = f"terms[{place} + k] = {'-' if minus else ''}({term});"
                lines += [f"for (int k = 0; k < {run.terms}; k++)", f"    {text}"]
                place += run.terms
                continue
            first = 0
            if not begun:  # a sum that begins with its first term keeps the sign of a zero
                start = re.sub(r"\bk\b", "0", term)
                lines.append(f"sum = {f'-({start})' if minus else start};")
                first, begun = 1, True
            if run.terms == 1 and first == 0:
                lines.append(f"sum {'-' if minus else '+'}= {term};")
            elif run.terms > first:
                loop = f"for (int k = {first}; k < {run.terms}; k++)"
                lines += [loop, f"    sum {'-' if minus else '+'}= {term};"]
        if ins.exact:
            lines.append(f"$ = (real)ieee_fsum(terms, {count});")
        else:
            lines.append("$ = sum;")
        return lines

    def _short(self, ins: Chain, kind: str) -> str:
        """A sum of single terms as one expression, which C adds from left to right."""
        text = ("0.0" if self.real == "double" else "0.0f") if ins.zero else ""
        for run in ins.runs:
            term = self._operand(run.a, ins.dims, 1, kind)
            if run.b is not None:
                term += f" * {self._operand(run.b, ins.dims, 1, kind)}"
            minus = run.kind in "-~"
            if text:
                text += f" - {term}" if minus else f" + {term}"
            else:
                text = f"-({term})" if minus else term
        return text

    # ---- kernels -----------------------------------------------------------------------------------

    def _call(self, kernel: str, operands: list[str]) -> str:
        cast = "(real)" if self.real == "float" else ""
        if kernel in INFIX:
            text = INFIX[kernel].format(*operands)
            return f"{cast}({text})" if cast else text
        name = f"op_{kernel.replace(chr(39), '_slope')}"
        if kernel not in self.kernels:
            self.kernels[kernel] = self._kernel(kernel, name)
        wide = f"({', '.join(operands)})"
        return f"{cast}{name}{wide}"

    def _kernel(self, kernel: str, title: str) -> str:
        """A kernel as a C function, out of the op table."""
        if kernel in OTHERS:
            parameters = ", ".join(f"double x{place}" for place in range(ARITY[kernel]))
            return f"static double {title}({parameters})\n{{\n    {OTHERS[kernel]}\n}}"
        name, _, slot = kernel.partition("'")
        op, block = OPS[name], CodeBlock()
        xs = [CNumber(block, f"x{place}") for place in range(op.arity[1])]
        used = [f"double {x.text}" for x in xs]
        if slot:
            out = CNumber(block, "y")
            found = op.partials(block, out, *xs)[int(slot)]
            used.insert(0, "double y")
        else:
            found = op.forward(block, *xs)
        lines = alive(block.lines(), block.text(found))
        body = "\n    ".join([*lines, f"return {block.text(found)};"])
        names = [text.split()[1] for text in used]
        idle = [f"(void){its};" for its in names if not re.search(rf"\b{its}\b", body)]
        body = "\n    ".join([*idle, body])
        return f"static double {title}({', '.join(used)})\n{{\n    {body}\n}}"
