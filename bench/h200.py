"""The exported GPT on a GPU: what `program.to_torch()` wrote, beside the same model written by hand in torch.

    python bench/h200.py [--names 4096] [--rounds N] [--dtypes float32,float64] [--json FILE] [--source FILE]
                         [--ways graph,compile,compile+graph] [--no-adam] [--cpu]

Both models take the same tokens and start from the same weights; their losses and gradients are compared
first.  A step is forward, backward and Adam (fused, capturable), without Adam with `--no-adam`.  Ways:

    graph           a CUDA graph of the step, run without Python
    compile         torch.compile, the step called from Python
    compile+graph   a CUDA graph of the step under torch.compile

The model by hand (torch_gpt.py) has three forms of attention, and the quickest one of each way is what the
exported program is compared with.  The models take turns; a figure is the median over the rounds, each of
many steps between two events of the GPU.  Target: within 1.2 times the model by hand.

The program is exported here (minigrad need not be built: the plain engine traces as well); `--source` also
writes the text.  Without a GPU this says so and ends with 2; `--cpu` runs a tiny size there, to see that
everything works.
"""

from __future__ import annotations

import argparse
import datetime
import json
import sys
from collections.abc import Callable
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any

__all__ = ["compared", "exported", "main"]

WITHIN = 1.2
FORMS = ("fused", "plain", "summed")
WAYS = ("graph", "compile", "compile+graph")
AGREE = {"float32": 2e-3, "float64": 1e-8}  # relative to the largest; sums are in another order on a GPU


def exported(dtype: str) -> Any:
    """The program of one name, as torch source: weights are its parameters, tokens come in batches."""
    from gpt_task import compiled_loss, model_of, names_of

    import minigrad

    _, weights = model_of(float)
    tokens = names_of(1)[0].tolist()
    return minigrad.compile(compiled_loss).to_torch(weights, tokens, dtype=dtype)


# ---- compare first ------------------------------------------------------------------------------


def flat_gradient(model: Any) -> dict[str, Any]:
    """The gradients by the name of the matrix, whatever the module calls it."""
    from by_hand import SHAPES

    found = {}
    for name, parameter in model.named_parameters():
        key = next((key for key in SHAPES if name.replace("weights", "").strip("_.") == key), name)
        found[key] = parameter.grad
    return found


def compared(module: Any, hand: Any, tokens: Any, agree: float) -> str:
    """Where the two models differ, in words; empty where they do not."""
    losses, slopes = [], []
    for model in (module, hand):
        model.zero_grad(set_to_none=True)
        loss = model(tokens).mean()
        loss.backward()
        losses.append(loss.item())
        slopes.append(flat_gradient(model))
    if not abs(losses[0] - losses[1]) <= agree * abs(losses[1]):
        return f"the loss is {losses[0]!r}, by hand {losses[1]!r}"
    if slopes[0].keys() != slopes[1].keys():
        return f"the parameters are {sorted(slopes[0])}, by hand {sorted(slopes[1])}"
    for name, wanted in slopes[1].items():
        off = (slopes[0][name] - wanted).abs().max().item()
        if not off <= agree * wanted.abs().max().item():
            return f"the gradient of {name} is off by {off:.3g}"
    return ""


# ---- then time ----------------------------------------------------------------------------------


def step_of(model: Any, tokens: Any, adam: bool, compiled: bool) -> Callable[[], None]:
    """A training step of a model on these tokens, ready to be captured."""
    import torch
    from programs import Adam

    forward = torch.compile(model) if compiled else model
    on_gpu = tokens.device.type == "cuda"
    rule = torch.optim.Adam(
        model.parameters(),
        lr=Adam.rate,
        betas=(Adam.first, Adam.second),
        eps=Adam.epsilon,
        fused=True,
        **({"capturable": True} if on_gpu else {}),
    )

    def step() -> None:
        for parameter in model.parameters():
            parameter.grad = None
        forward(tokens).mean().backward()
        if adam:
            rule.step()

    return step


def captured(step: Callable[[], None]) -> Callable[[], None]:
    """The step as a CUDA graph."""
    import torch

    aside = torch.cuda.Stream()
    aside.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(aside):
        for _ in range(5):
            step()
    torch.cuda.current_stream().wait_stream(aside)
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        step()
    return graph.replay


def seconds(step: Callable[[], None], count: int, on_gpu: bool) -> float:
    """Of one step, over `count` of them."""
    if not on_gpu:
        began = perf_counter()
        for _ in range(count):
            step()
        return (perf_counter() - began) / count
    import torch

    ends = [torch.cuda.Event(enable_timing=True) for _ in range(2)]
    torch.cuda.synchronize()
    ends[0].record()
    for _ in range(count):
        step()
    ends[1].record()
    torch.cuda.synchronize()
    return ends[0].elapsed_time(ends[1]) / 1e3 / count


def measure(options: argparse.Namespace) -> dict[str, Any]:
    import torch
    from gpt_task import names_of, weights_at_start
    from torch_gpt import Gpt

    device = "cpu" if options.cpu else "cuda"
    tokens = torch.from_numpy(names_of(options.names)).long().to(device)
    found: dict[str, Any] = {
        "schema": "minigrad.bench.h200/1",
        "date": datetime.date.today().isoformat(),
        "device": "cpu" if options.cpu else torch.cuda.get_device_name(),
        "torch": torch.__version__,
        "names": options.names,
        "adam": not options.no_adam,
        "rows": [],
    }
    for dtype in options.dtypes.split(","):
        source = exported(dtype)
        if options.source:
            Path(options.source).write_text(source.text, encoding="utf-8")
        number = getattr(torch, dtype)

        def models(source: Any = source, number: Any = number) -> dict[str, Any]:
            hand = {f"by hand, {form}": Gpt(weights_at_start(), form, number).to(device) for form in FORMS}
            return {"exported": source.module().to(device), **hand}

        fresh = models()
        for name in list(fresh)[1:]:
            if said := compared(fresh["exported"], fresh[name], tokens, AGREE[dtype]):
                raise SystemExit(f"{dtype}, {name}: {said}")
        for way in options.ways.split(","):
            found["rows"].append(row_of(way, dtype, models(), tokens, options))
    return found


def row_of(
    way: str, dtype: str, models: dict[str, Any], tokens: Any, options: argparse.Namespace
) -> dict[str, Any]:
    """All models one way, in turn."""
    import torch

    steps, failed = {}, {}
    for name, model in models.items():
        torch.compiler.reset()
        try:
            step = step_of(model, tokens, not options.no_adam, "compile" in way)
            for _ in range(3):
                step()
            steps[name] = captured(step) if "graph" in way else step
            steps[name]()
        except Exception as error:  # a compiler that gives up is a result, and is shown as one
            failed[name] = f"{type(error).__name__}: {error}".splitlines()[0][:120]
    times: dict[str, list[float]] = {name: [] for name in steps}
    order = list(steps)
    for turn in range(options.rounds):
        shift = turn % max(1, len(order))
        for name in order[shift:] + order[:shift]:
            seconds(steps[name], 5, not options.cpu)
            times[name].append(seconds(steps[name], options.steps, not options.cpu))
    row: dict[str, Any] = {"way": way, "dtype": dtype, "failed": failed}
    row["seconds"] = {name: median(some) for name, some in times.items() if some}
    hand = {name: value for name, value in row["seconds"].items() if name != "exported"}
    if hand and "exported" in row["seconds"]:
        best = min(hand, key=lambda name: hand[name])
        pairs = zip(times["exported"], times[best], strict=True)
        row["compared with"] = best
        row["ratio"] = median(ours / theirs for ours, theirs in pairs)
        row["met"] = None if options.cpu else row["ratio"] <= WITHIN
    return row


def table(found: dict[str, Any]) -> str:
    lines = [
        f"{found['device']}, torch {found['torch']}, {found['date']}: a training step of the small GPT on "
        f"{found['names']:,} names{'' if found['adam'] else ', without Adam'}, microseconds",
        f"  {'':24}{'exported':>12}"
        + "".join(f"{f'by hand, {form}':>17}" for form in FORMS)
        + f"{'ratio':>8}",
    ]
    for row in found["rows"]:
        line = f"  {row['dtype']:9}{row['way']:15}"
        for name, width in (("exported", 12), *((f"by hand, {form}", 17) for form in FORMS)):
            time = row["seconds"].get(name)
            line += f"{'-' if time is None else f'{1e6 * time:,.1f}':>{width}}"
        if "ratio" in row:
            said = {None: "not a measurement", True: "met", False: "NOT MET"}[row["met"]]
            line += f"{row['ratio']:8.2f}  {said} (at most {WITHIN})"
        lines.append(line)
        lines += [f"    {name}: {why}" for name, why in row["failed"].items()]
    return "\n".join(lines)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--names", type=int, default=4096, help="of one batch")
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--steps", type=int, default=100, help="of one round")
    parser.add_argument("--dtypes", default="float32,float64")
    parser.add_argument("--ways", default=",".join(WAYS))
    parser.add_argument("--no-adam", action="store_true", help="forward and backward alone")
    parser.add_argument("--source", metavar="FILE", help="write the exported text here")
    parser.add_argument("--json", metavar="FILE", help="write the figures here as well")
    parser.add_argument("--cpu", action="store_true", help="a tiny size without a GPU, to see that it works")
    options = parser.parse_args()
    for way in options.ways.split(","):
        if way not in (*WAYS, "eager"):
            parser.error(f"there is no way {way!r}; there are {', '.join(WAYS)}, eager")
    try:
        import torch
    except ImportError:
        print("PyTorch is missing: pip install torch", file=sys.stderr)
        return 2
    if options.cpu:
        options.names, options.rounds, options.steps, options.ways = 8, 2, 2, "eager"
    elif not torch.cuda.is_available():
        print("there is no GPU here; --cpu runs a tiny size without one", file=sys.stderr)
        return 2
    found = measure(options)
    print(table(found))
    if options.json:
        Path(options.json).write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
