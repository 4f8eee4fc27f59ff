"""Program of the child process: a user's file is loaded, what is to be examined in it found, and examined."""

from __future__ import annotations

import importlib.util
import inspect
import os
import sys
import traceback
from collections.abc import Callable, Mapping
from types import ModuleType
from typing import Any

from ..text.translation import speaking
from .build_record import BuildRecord, recording
from .report import NOT_EXAMINED, XrayRemark, XrayReport

__all__ = ["LOSSES", "MODELS", "OPTIMIZERS", "STEPS", "examined", "examined_call", "main"]

LOSSES = ("make_loss", "compute_loss", "loss_fn", "get_loss", "loss", "training_step", "closure")
STEPS = ("step", "train_step", "training_step", "train_one_step")
MODELS = ("model", "net", "network", "module", "agent", "policy")
OPTIMIZERS = ("optimizer", "optim", "opt", "optimiser")
LONGEST = 300


class ProgramRefusedError(Exception):
    """Nothing to examine: the code of the reason, and what it speaks of."""

    def __init__(self, code: str, **detail: str) -> None:
        super().__init__(code)
        self.code, self.detail = code, detail


def main(request: Mapping[str, Any], send: Callable[[object], None]) -> None:
    with speaking(request["language"]):
        try:
            send(examined(request).to_json())
        except ProgramRefusedError as refusal:
            send({"refused": refusal.code, "detail": refusal.detail})


def examined(request: Mapping[str, Any]) -> XrayReport:
    """The report on the program that a request names, loaded into this process."""
    try:
        import torch  # noqa: F401
    except ImportError:
        raise ProgramRefusedError("no_torch") from None
    sys.path.insert(0, os.path.dirname(request["file"]))
    os.chdir(request["folder"])
    with recording() as build:
        try:
            module = _load(request["file"])
        except (Exception, SystemExit) as error:
            return _raised("loading", error, request["file"])
    from .examination import SECONDS, XrayError, examine

    try:
        subject = _subject(module, request, build)
        return examine(subject, request["seconds"] or SECONDS)
    except XrayError as refusal:
        raise ProgramRefusedError(refusal.code, **refusal.detail) from None
    except ProgramRefusedError:
        raise
    except Exception as error:
        if not _is_of(error, request["file"]):
            raise
        return _raised("running", error, request["file"])


class _XrayCalled(BaseException):
    """The program asks for an x-ray: what it gave for it."""

    def __init__(self, given: inspect.BoundArguments) -> None:
        self.given = given


def examined_call(request: Mapping[str, Any]) -> XrayReport:
    """The report that a program asks for itself, by a call of `xray`; it ends there."""
    from .. import xray as package
    from .examination import SECONDS, examine, xray
    from .subject import XraySubject

    def call(*args: Any, **options: Any) -> None:
        raise _XrayCalled(inspect.signature(xray).bind(*args, **options))

    setattr(package, "xray", call)  # noqa: B010 it is found there by its name
    sys.path.insert(0, os.path.dirname(request["file"]))
    os.chdir(request["folder"])
    try:
        with recording() as build:
            _load(request["file"], "__main__")
    except _XrayCalled as called:
        given = called.given.arguments
        intended = frozenset(given.get("intended", ()))
        model, optimizer, inputs = (given.get(name) for name in ("model", "optimizer", "inputs"))
        subject = XraySubject(given["make_loss"], model, optimizer, inputs, build, intended)
        return examine(subject, SECONDS)
    raise ProgramRefusedError("no_loss", file=request["file"], known="xray()")


def _load(file: str, name: str = "") -> ModuleType:
    name = name or os.path.basename(file).removesuffix(".py")
    spec = importlib.util.spec_from_file_location(name if name.isidentifier() else "program", file)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def _raised(code: str, error: BaseException, file: str) -> XrayReport:
    line = next(
        (
            frame.lineno
            for frame in reversed(traceback.extract_tb(error.__traceback__))
            if frame.filename == file
        ),
        None,
    )
    about = f"{type(error).__name__}: {error}"[:LONGEST]
    place = f"{os.path.basename(file)}:{line}: " if line else ""
    return XrayReport(NOT_EXAMINED, remarks=(XrayRemark(code, place + about),))


def _is_of(error: BaseException, file: str) -> bool:
    return any(frame.filename == file for frame in traceback.extract_tb(error.__traceback__))


# ---- what is to be examined -----------------------------------------------------------------------


def _subject(module: ModuleType, request: Mapping[str, Any], build: BuildRecord) -> Any:
    import torch

    from .examination import takes_nothing
    from .subject import XraySubject

    names = vars(module)
    model = _first(names, MODELS, torch.nn.Module) or _only(names, torch.nn.Module)
    optimizer = _first(names, OPTIMIZERS, torch.optim.Optimizer) or _only(names, torch.optim.Optimizer)
    file = os.path.basename(request["file"])
    wanted = request["function"]
    if wanted:
        if not callable(names.get(wanted)):
            raise ProgramRefusedError("no_function", name=wanted, file=file)
        make_loss, step = names[wanted], None
        if wanted in STEPS and wanted not in LOSSES:
            make_loss, step = None, names[wanted]
    else:
        make_loss, step = _function(names, LOSSES), _function(names, STEPS)
    if make_loss is not None and step is not None:  # one that can be called is enough
        make_loss = make_loss if takes_nothing(make_loss) else None
        step = step if make_loss is None or takes_nothing(step) else None
    if make_loss is None and step is None:
        raise ProgramRefusedError("no_loss", file=file, known=", ".join((*LOSSES[:3], *STEPS[:2])))
    for function in (make_loss, step):
        if function is not None and not takes_nothing(function):
            raise ProgramRefusedError("loss_arguments", name=function.__name__, file=file)
    inputs = names.get("inputs")
    if inputs is not None and not isinstance(inputs, (tuple, list)):
        inputs = (inputs,)
    return XraySubject(make_loss, model, optimizer, inputs, build, frozenset(request["intended"]), step=step)


def _first(names: Mapping[str, Any], known: tuple[str, ...], kind: type) -> Any:
    return next((names[name] for name in known if isinstance(names.get(name), kind)), None)


def _only(names: Mapping[str, Any], kind: type) -> Any:
    """The one of this kind that holds most parameters."""
    import torch

    found: list[Any] = [x for name, x in names.items() if isinstance(x, kind) and not name.startswith("_")]
    if kind is torch.nn.Module:
        found.sort(key=lambda module: -sum(each.numel() for each in module.parameters()))
    return found[0] if found else None


def _function(names: Mapping[str, Any], known: tuple[str, ...]) -> Any:
    from .examination import takes_nothing

    found = [names[name] for name in known if inspect.isfunction(names.get(name))]
    return next((each for each in found if takes_nothing(each)), found[0] if found else None)
