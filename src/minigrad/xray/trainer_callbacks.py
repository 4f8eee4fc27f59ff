"""Callbacks that record the first steps of the loop of a trainer: PyTorch Lightning's and Hugging Face's.

    seen = lightning_callback()                     # or transformers_callback()
    Trainer(callbacks=[seen]).fit(module)
    print(seen.report)

The loop computes what it would have computed.  Loops in several processes (DDP, FSDP, DeepSpeed) and models
in pieces are not supported: the report then says so, and gives no verdict.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from importlib import import_module
from typing import TYPE_CHECKING, Any

from ..text.excerpts import describe
from .build_record import BuildRecord
from .examination import XrayError, check_intended
from .report import NOT_EXAMINED, XrayRemark, XrayReport

if TYPE_CHECKING:
    from .loop_record import LoopRecord

__all__ = ["LoopWatch", "lightning_callback", "transformers_callback"]

STEPS = 4  # of the optimizer, that are watched
LIGHTNING = "lightning.pytorch", "pytorch_lightning"  # the same under two names
SPREAD = "DistributedDataParallel", "FullyShardedDataParallel", "DataParallel", "DeepSpeedEngine"


class LoopWatch:
    """The record of a trainer's first steps; `report` is what they showed, when they are over."""

    def __init__(self, steps: int, intended: Sequence[str]) -> None:
        check_intended(intended)
        if type(steps) is not int or steps < 1:
            raise XrayError("trainer_steps", given=describe(steps))
        self.most, self.intended = steps, frozenset(intended)
        self.report = XrayReport(NOT_EXAMINED, remarks=(XrayRemark("no_steps"),))
        self._seen: LoopRecord | None = None
        self._opened = ExitStack()

    def begin(self, model: Any, optimizer: Any, spread: str) -> None:
        """Training is about to start; `spread` is what divides it among processes, if anything does."""
        from .loop_record import LoopRecord, recording_loop

        self.end()
        spread = spread or next((name for name in map(_class_of, _layers(model)) if name in SPREAD), "")
        if spread:
            self.report = XrayReport(NOT_EXAMINED, remarks=(XrayRemark("spread", spread),))
            return
        self._seen = LoopRecord(model, optimizer, BuildRecord(), intended=self.intended)
        self._opened.enter_context(recording_loop(self._seen))

    def look(self) -> None:
        """A batch is over: was it enough?"""
        if self._seen is not None and self._seen.steps >= self.most:
            self.end()

    def end(self) -> None:
        """No more is recorded, and PyTorch is as it was."""
        seen, self._seen = self._seen, None
        self._opened.close()
        if seen is not None:
            self.report = seen.report()


def _layers(model: Any) -> list[Any]:
    """A model, and what it wraps."""
    found = [model]
    while getattr(found[-1], "module", None) is not None and len(found) < 8:
        found.append(found[-1].module)
    return found


def _class_of(x: object) -> str:
    return type(x).__name__


def _plain(optimizer: Any) -> Any:
    """The optimizer of PyTorch in what a trainer wraps it in."""
    for _ in range(8):
        inner = getattr(optimizer, "optimizer", None)
        if not hasattr(inner, "param_groups"):
            break
        optimizer = inner
    return optimizer


def lightning_callback(steps: int = STEPS, *, intended: Sequence[str] = ()) -> Any:
    """A callback for a Lightning Trainer that records its first steps.

    Its `report` is what they showed: gradients left over, accumulated without scale, clipped too late.
    """
    base = _base("lightning", LIGHTNING, "Callback")
    watch = LoopWatch(steps, intended)

    class LightningXray(base):  # type: ignore[misc,valid-type]
        @property
        def report(self) -> XrayReport:
            return watch.report

        def on_train_start(self, trainer: Any, module: Any) -> None:
            strategy = getattr(trainer, "strategy", None)
            several = getattr(trainer, "world_size", 1) != 1 or getattr(trainer, "num_devices", 1) != 1
            optimizers = [_plain(each) for each in trainer.optimizers]
            only = optimizers[0] if len(optimizers) == 1 else None
            watch.begin(module, only, _class_of(strategy) if several else "")

        def on_train_batch_end(self, trainer: Any, module: Any, *rest: Any, **named: Any) -> None:
            watch.look()

        def on_train_end(self, trainer: Any, module: Any) -> None:
            watch.end()

        def on_exception(self, trainer: Any, module: Any, exception: BaseException) -> None:
            watch.end()

    return LightningXray()


def transformers_callback(steps: int = STEPS, *, intended: Sequence[str] = ()) -> Any:
    """A callback for the Trainer of Hugging Face's transformers that records its first steps.

    Its `report` is what they showed: gradients left over, accumulated without scale, clipped too late.
    """
    base = _base("transformers", ("transformers",), "TrainerCallback")
    watch = LoopWatch(steps, intended)

    class TransformersXray(base):  # type: ignore[misc,valid-type]
        @property
        def report(self) -> XrayReport:
            return watch.report

        def on_train_begin(self, args: Any, state: Any, control: Any, **given: Any) -> None:
            several = getattr(args, "world_size", 1) != 1 or getattr(args, "n_gpu", 1) > 1
            spread = str(getattr(args, "parallel_mode", "")) if several else ""
            for name in ("deepspeed", "fsdp"):
                spread = spread or (name if getattr(args, name, None) else "")
            watch.begin(given.get("model"), _plain(given.get("optimizer")), spread)

        def on_step_end(self, args: Any, state: Any, control: Any, **given: Any) -> None:
            watch.look()

        def on_train_end(self, args: Any, state: Any, control: Any, **given: Any) -> None:
            watch.end()

    return TransformersXray()


def _base(library: str, modules: Sequence[str], name: str) -> Any:
    """The class that a callback of a library has to be of."""
    for module in modules:
        try:
            return getattr(import_module(module), name)
        except ImportError:
            continue
    raise XrayError("no_trainer", name=library)
