"""The checker of programs: what is right passes, and each rule has a program that breaks it and is caught."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from minigrad.compiler.plan import LANES, SHARED, Access, Chain, LaneSum, Map, Most, OpRun, Plan, Put, Take
from minigrad.compiler.program_check import ProgramError, check_scalars
from minigrad.compiler.scalars import Guard, Scalars
from minigrad.text.translation import speaking
from plan_checks import check_plan, check_same

pytestmark = pytest.mark.one_engine

# ---- scalars ------------------------------------------------------------------------------------


def dot() -> Scalars:
    """x0*x2 + x1*x3, and a guard."""
    program = Scalars()
    program.inputs = [program.add("input") for _ in range(4)]
    half = program.constant(0.5)
    total = program.add("chain:0**", 0, 2, 1, 3)
    over = program.add("greater", total, half)
    program.outputs, program.guards = [total], [Guard(over, 1.0, "model.py:3")]
    return program


def test_a_program_of_every_kind_of_op_is_right():
    program = dot()
    for op, args in [
        ("exp", (5,)), ("exp'0", (7, 5)), ("where", (6, 0, 1)), ("clamp'2", (0, 1, 2, 3)), ("max", (0, 1, 2)),
        ("take", (0, 1, 2)), ("match", (0, 1, 2)), ("gate", (0, 1)), ("equal", (0, 1)),
        ("stop", (5,)), ("lanesum", (5,)), ("chain:-+~", (0, 1, 2, 3)), ("exact:*", (0, 1)),
        ("dot", (0, 1, 2, 3)), ("logsumexp", (0, 1, 1)), ("put:2", (0, 1, 4, 2, 3)), ("leaky_relu", (0, 4)),
    ]:  # fmt: skip
        program.add(op, *args)
    check_scalars(program)


@pytest.mark.parametrize("op", ["lanesum", "chain:+", "exp'0", "put:1", "gate"])
def test_what_a_pass_writes_is_not_recorded(op):
    program = dot()
    program.ops[5], program.args[5] = "dot", (0, 1, 2, 3)
    program.add("take", 0, 1, 2)
    check_scalars(program, traced=True)
    with pytest.raises(ProgramError, match="which no program has"), speaking("en"):
        check_scalars(with_node(op, *range(2)), traced=True)


def broken(**changes) -> Scalars:
    return replace(dot(), **changes)


def with_node(op: str, *args: int) -> Scalars:
    program = dot()
    program.add(op, *args)
    return program


NAN = float("nan")

BROKEN_SCALARS = {
    "a list of arguments is missing": (broken(args=dot().args[:-1]), "7 ops and 6 lists"),
    "a node of the future": (with_node("exp", 8), "node 7 is computed from node 8"),
    "a node of itself": (with_node("exp", 7), "not older than itself"),
    "a node before the first": (with_node("exp", -1), "from node -1"),
    "an unknown op": (with_node("expp", 0), "node 7 has the op 'expp'"),
    "no derivative of that slot": (with_node("exp'1", 0, 0), "exp'1"),
    "no derivative of a list": (with_node("sum'0", 0, 0), "sum'0"),
    "a slot in other digits": (with_node("exp'\u0660", 0, 0), "node 7"),
    "a slot beyond all numbers": (with_node("exp'" + "9" * 5000, 0, 0), "node 7"),
    "a put beyond all numbers": (with_node("put:" + "9" * 5000, 0, 0), "node 7"),
    "a derivative without a slot": (with_node("exp'", 0, 0), 'op "exp\'"'),
    "a derivative without the output": (with_node("exp'0", 0), "cannot have 1 arguments"),
    "too few arguments": (with_node("mul", 0), "mul cannot have 1 arguments"),
    "an argument left out": (with_node("leaky_relu", 0), "cannot have 1 arguments"),
    "an odd dot": (with_node("dot", 0, 1, 2), "dot cannot have 3"),
    "a product without a factor": (with_node("chain:0*", 0), "cannot have 1 arguments"),
    "a chain of nothing": (with_node("chain:0"), "'chain:0'"),
    "a zero in the middle": (with_node("chain:+0+", 0, 1), "chain:+0+"),
    "a term of no kind": (with_node("chain:x", 0), "chain:x"),
    "nothing to choose from": (with_node("take", 0), "take cannot have 1"),
    "a match without a number": (with_node("match", 0, 1), "match cannot have 2"),
    "a put of nothing": (with_node("put:0", 0), "put:0"),
    "a put without its row": (with_node("put:1", 0, 1), "put:1 cannot have 2"),
    "an input with arguments": (with_node("input", 0), "input cannot have 1"),
    "a constant without a number": (broken(data={}), "node 4: a constant has a number"),
    "a number without a constant": (broken(data={4: 0.5, 5: 1.0}), "node 5"),
    "a number that is a text": (broken(data={4: "0.5"}), "node 4"),
    "an input that is not listed": (broken(inputs=[0, 1, 2]), "differ at node 3"),
    "an input that is none": (broken(inputs=[0, 1, 2, 3, 5]), "differ at node 5"),
    "an input twice": (broken(inputs=[0, 1, 2, 3, 3]), "differ at node 3"),
    "an output that is not there": (broken(outputs=[7]), "an output refers to node 7; the nodes are 0 to 6"),
    "a guard that is not there": (broken(guards=[Guard(-1, 1.0)]), "a guard refers to node -1"),
    "a guard that never holds": (broken(guards=[Guard(6, NAN)]), "expects NaN"),
    "times for other slots": (broken(when={5: (1, 2)}), "2 times for 4 slots"),
    "times for no node": (broken(when={70: (1, 2)}), "2 times for 0 slots"),
    "born too often": (broken(born=list(range(8))), "7 ops"),
}


def test_the_program_that_is_broken_below_is_right():
    check_scalars(dot())


@pytest.mark.parametrize("name", BROKEN_SCALARS)
def test_broken_scalars_are_caught(name):
    program, words = BROKEN_SCALARS[name]
    with speaking("en"), pytest.raises(ProgramError) as caught:
        check_scalars(program)
    assert words in str(caught.value)


# ---- plans --------------------------------------------------------------------------------------


def single() -> Plan:
    """Two sums of three products and their exponentials: shared cells only."""
    return Plan(
        cells=(14, 0),
        constants=np.array([2.0]),
        first_constant=9,
        inputs=[(SHARED, j) for j in range(9)],
        outputs=[(SHARED, 12), (SHARED, 13)],
        parts=(2, 0, 0),
        before=[
            Chain(SHARED, 10, (2,),
                  (OpRun("*", 3, Access(SHARED, 0, (3,), 1), Access(SHARED, 6, (0,), 1)),), zero=True),
            Map("exp", SHARED, 12, (2,), (Access(SHARED, 10, (1,)),)),
        ],
    )  # fmt: skip


def batched() -> Plan:
    """Per sample w*x + 2, the largest of it and x, and a row; the gradient of w summed over the samples."""
    return Plan(
        cells=(4, 6),
        constants=np.array([2.0]),
        first_constant=1,
        inputs=[(SHARED, 0), (LANES, 0), (LANES, 1)],
        outputs=[(LANES, 4), (SHARED, 3)],
        parts=(1, 0, 1),
        body=[
            Chain(LANES, 2, (1,), (OpRun("*", 1, Access(SHARED, 0, (0,)), Access(LANES, 0, (0,))),
                                   OpRun("+", 1, Access(SHARED, 1, (0,)))), zero=False),
            Most(LANES, 3, (1,), 2, Access(LANES, 0, (0,), 2)),
            Take(LANES, 4, (1,), 2, Access(LANES, 1, (0,)), Access(LANES, 0, (0,), index=np.array([[3, 2]]))),
            LaneSum(2, (1,), Access(LANES, 0, (0,))),
        ],
        after=[Map("mul", SHARED, 3, (1,), (Access(SHARED, 2, (0,)), Access(SHARED, 1, (0,))))],
        gradients=[0],
    )  # fmt: skip


def looked_up() -> Plan:
    """The gradient of two rows from two look-ups: indices in cells 0 and 1, messages in 2 and 3."""
    return Plan(
        cells=(8, 0),
        constants=np.array([0.0, 1.0]),
        first_constant=4,
        inputs=[(SHARED, j) for j in range(4)],
        outputs=[(SHARED, 6), (SHARED, 7)],
        parts=(2, 0, 0),
        before=[Put(SHARED, 6, (2,), 2, Access(SHARED, 0, (0,), 1), Access(SHARED, 4, (1,)),
                    Access(SHARED, 2, (0,), 1))],
    )  # fmt: skip


def changed(plan: Plan, part: str, at: int, **changes) -> Plan:
    """The plan with something else in one instruction."""
    instructions = list(getattr(plan, part))
    instructions[at] = replace(instructions[at], **changes)
    return replace(plan, **{part: instructions})


def of_chain(**changes) -> Plan:
    run = single().before[0].runs[0]
    return changed(single(), "before", 0, runs=(replace(run, **changes),))


GATHERED = {"index": np.array([[10], [11]]), "base": 0, "strides": (0,)}
EXP = {"kernel": "exp", "space": SHARED, "out": 12, "dims": (2,)}


def of_exp(**access) -> Plan:
    """The second instruction with another operand."""
    return changed(
        single(), "before", 1, operands=(Access(**{"space": SHARED, "base": 10, "strides": (1,), **access}),)
    )


BROKEN_PLANS = {
    "inputs with a gap": (replace(single(), inputs=[(SHARED, 0), (SHARED, 2)]), "input 1 lies in cell 2"),
    "inputs in no space": (replace(single(), inputs=[(7, 0)]), "input 0"),
    "constants that leave a gap": (replace(single(), first_constant=10), "from cell 10 on"),
    "constants beyond the cells": (replace(single(), constants=np.zeros(6)), "6 constants"),
    "parts that do not add up": (replace(single(), parts=(1, 0, 0)), "parts (1, 0, 0)"),
    "gradients without inputs": (replace(batched(), gradients=[3]), "input 3"),
    "gradients without outputs": (replace(batched(), gradients=[]), "0 gradients"),
    "an output of no cell": (replace(single(), outputs=[(SHARED, 12), (SHARED, 14)]), "output 1"),
    "an output that nothing wrote": (replace(single(), before=single().before[:1]), "cell 12"),
    "an output in no space": (replace(single(), outputs=[(SHARED, 12), (2, 13)]), "output 1"),
    "no members": (changed(single(), "before", 1, dims=(0,)), "instruction 1: (0,) are no dims"),
    "dims that are a list": (changed(single(), "before", 1, dims=[2]), "[2] are no dims"),
    "a kernel that is none": (changed(single(), "before", 1, kernel="expp"), "no kernel 'expp' of 1"),
    "a kernel of other operands": (changed(single(), "before", 1, kernel="mul"), "no kernel 'mul' of 1"),
    "a list as a kernel": (changed(single(), "before", 1, kernel="sum"), "no kernel 'sum'"),
    "a chain as a kernel": (changed(single(), "before", 1, kernel="chain:+"), "no kernel"),
    "a run of no kind": (of_chain(kind="/"), "kind '/'"),
    "a product of one": (of_chain(b=None), "with 1 operands"),
    "a term of two": (of_chain(kind="-"), "with 2 operands"),
    "a run of nothing": (of_chain(terms=0), "0 terms"),
    "a chain of nothing": (changed(single(), "before", 0, runs=()), "0 terms"),
    "the largest of none": (changed(batched(), "body", 1, terms=0), "instruction 1: 0 terms"),
    "a row of none": (changed(batched(), "body", 2, terms=0), "0 terms"),
    "strides for other dims": (of_exp(strides=(1, 1)), "2 strides for 1 dims"),
    "an index of another shape": (of_exp(**{**GATHERED, "index": np.array([[10, 11]])}), "shape (1, 2)"),
    "an index of another type": (of_exp(**{**GATHERED, "index": np.array([[10.0], [11.0]])}), "float64"),
    "an index and a rule": (of_exp(**{**GATHERED, "base": 1}), "an index"),
    "a gather beyond the cells": (of_exp(**{**GATHERED, "index": np.array([[10], [14]])}), "cells 10 to 14"),
    "a gather before the first": (of_exp(**{**GATHERED, "index": np.array([[-1], [11]])}), "cells -1 to 11"),
    "a stride beyond the cells": (of_exp(strides=(4,)), "cells 10 to 14 of space 0 are not all among its 14"),
    "a stride before the first": (of_exp(base=0, strides=(-1,)), "cells -1 to 0"),
    "terms beyond the cells": (of_chain(a=Access(SHARED, 0, (3,), 6)), "cells 0 to 15"),
    "results beyond the cells": (changed(single(), "before", 1, out=13), "cells 13 to 14"),
    "results before the first": (changed(single(), "before", 1, out=-1), "cells -1 to 0"),
    "a read of what comes later": (of_exp(base=12), "instruction 1: cell 12 of space 0 is read"),
    "the wrong order": (replace(single(), before=single().before[::-1]), "instruction 0: cell 10"),
    "a constant that is written": (changed(single(), "before", 1, out=9), "cell 9 holds a constant"),
    "lanes before the batch": (replace(batched(), before=batched().body[:1]), "instruction 0: space 1"),
    "lanes read after the batch": (
        changed(batched(), "after", 0, operands=(Access(LANES, 0, (0,)), Access(SHARED, 1, (0,)))),
        "after, instruction 4: space 1",
    ),
    "shared results in the body": (changed(batched(), "body", 0, space=SHARED, out=2), "space 0"),
    "a sum of what no space has": (changed(batched(), "body", 3, source=Access(2, 0, (0,))), "space 2"),
    "a sum after the batch": (replace(batched(), after=batched().body[3:]), "after"),
    "two sums in one cell": (replace(batched(), body=[*batched().body, batched().body[3]]), "two sums"),
    "a put of nothing": (changed(looked_up(), "before", 0, terms=0), "0 terms"),
    "a put into rows that are not there": (
        changed(looked_up(), "before", 0, source=Access(SHARED, 2, (0,), 4)), "cell 6"),
    "a sum that the body reads": (
        replace(changed(batched(), "body", 3, out=0), outputs=[(LANES, 4), (SHARED, 0)], after=[]),
        "the body reads cell 0, which a sum",
    ),
}  # fmt: skip


@pytest.mark.parametrize("plan", [single(), batched(), looked_up()], ids=["single", "batched", "looked up"])
def test_the_plans_that_are_broken_below_are_right(plan):
    check_plan(plan)


@pytest.mark.parametrize("name", BROKEN_PLANS)
def test_broken_plans_are_caught(name):
    plan, words = BROKEN_PLANS[name]
    with speaking("en"), pytest.raises(ProgramError) as caught:
        check_plan(plan)
    assert words in str(caught.value)


def test_a_gather_that_is_the_rule_is_right():
    check_plan(of_exp(**GATHERED))


def test_what_is_wrong_is_said_in_spanish():
    with speaking("es"), pytest.raises(ProgramError, match="difieren en el nodo 3"):
        check_scalars(broken(inputs=[0, 1, 2]))


# ---- a plan and its program ---------------------------------------------------------------------


def rows() -> Scalars:
    """What `single` computes."""
    program = Scalars()
    program.inputs = [program.add("input") for _ in range(9)]
    sums = [
        program.add("chain:0***", *(cell for k in range(3) for cell in (3 * row + k, 6 + k)))
        for row in (0, 1)
    ]
    program.outputs = [program.add("exp", total) for total in sums]
    return program


def test_a_plan_is_the_same_as_its_program():
    check_same(rows(), single())
    check_same(rows(), of_exp(**GATHERED))


def swapped_outputs() -> Scalars:
    return replace(rows(), outputs=rows().outputs[::-1])


def other_order() -> Scalars:
    """The terms of the first sum from right to left."""
    program = rows()
    program.args[9] = (2, 8, 1, 7, 0, 6)
    return program


OTHERS = {
    "outputs in another order": (swapped_outputs(), single(), "output 0"),
    "terms in another order": (other_order(), single(), "output 0"),
    "another op": (rows(), changed(single(), "before", 1, kernel="exp2"), "output 0"),
    "a stride that is off": (rows(), of_exp(strides=(0,)), "output 1"),
    "a sum without its zero": (rows(), changed(single(), "before", 0, zero=False), "output 0"),
    "a sum that is rounded once": (rows(), changed(single(), "before", 0, exact=True), "output 0"),
    "a factor from elsewhere": (rows(), of_chain(b=Access(SHARED, 5, (0,), 1)), "output 0"),
    "products that are subtracted": (rows(), of_chain(kind="~"), "output 0"),
    "too few outputs": (replace(rows(), outputs=rows().outputs[:1]), single(), "1 outputs and the plan 2"),
    "a cell that was given away too early": (
        rows(),
        replace(single(), before=[single().before[0],
                                  Map("neg", SHARED, 11, (1,), (Access(SHARED, 0, (0,)),)),
                                  single().before[1]]),
        "output 1",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", OTHERS)
def test_a_plan_that_computes_something_else_is_caught(name):
    program, plan, words = OTHERS[name]
    check_plan(plan)  # nothing is wrong with it as a plan
    with speaking("en"), pytest.raises(ProgramError, match=words):
        check_same(program, plan)


def test_factors_may_stand_in_either_order_and_constants_are_told_apart_by_their_sign():
    flipped = rows()
    flipped.args[9] = (6, 0, 7, 1, 8, 2)
    check_same(flipped, single())
    program = Scalars()
    program.inputs = [program.add("input")]
    program.outputs = [program.add("add", 0, program.constant(-0.0))]
    program.outputs = [2]
    plan = Plan(
        cells=(3, 0),
        constants=np.array([0.0]),
        first_constant=1,
        inputs=[(SHARED, 0)],
        outputs=[(SHARED, 2)],
        parts=(1, 0, 0),
        before=[Map("add", SHARED, 2, (1,), (Access(SHARED, 0, (0,)), Access(SHARED, 1, (0,))))],
    )
    with pytest.raises(ProgramError):
        check_same(program, plan)
    check_same(program, replace(plan, constants=np.array([-0.0])))
