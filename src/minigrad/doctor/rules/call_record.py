"""Record of the calls of custom backward rules: which rule, and with which arguments, while a program runs.

    with record() as seen:
        model(x)
    print(seen)             # the rules that were called
    seen.examine()          # a report on each, with the inputs of these calls

The program computes and raises what it would have without the record.  Of a rule, a few calls are kept that
differ in shapes, types, flags or plain values; large ones give way to small ones.  `torch_calls` and
`jax_calls` notice the calls of their library, also where that is imported only later.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Hashable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from importlib import import_module
from importlib.machinery import ModuleSpec
from threading import RLock
from time import monotonic
from types import ModuleType
from typing import Any

from ...text.page import Page, Result, Sections
from ...text.translation import say
from .examiner import RuleOptions, examine_rule
from .report import NOT_EXAMINED, Remark, RuleReport, Unseen
from .rule_place import RulePlace
from .rule_reports import ExaminedRule, InterruptedReportsError, RuleReports, worst_of
from .subject import Rule

__all__ = ["CallRecord", "RecordedCall", "Sighting", "begin_recording", "offer", "record"]

MOST_CALLS = 3  # that are kept of one rule
MOST_RULES = 300
SECONDS = 6.0  # with one rule, after which its further calls are left
SMALL = 1 << 12  # numbers of a call that need not give way to a smaller one
MOST_BYTES = 256 << 20  # of all arguments that are kept


@dataclass(frozen=True, eq=False)
class Sighting:
    """A call as it is noticed, before anything of it is copied."""

    key: Hashable  # the same for the same rule, also where its class is made anew for each call
    fn: Rule
    name: str
    library: str
    place: RulePlace
    signature: Hashable  # the same for calls of which one is enough
    size: int  # bytes
    numbers: int
    copied: Callable[[], tuple[tuple[object, ...], str]]  # the arguments, and their origin


class UncopiedError(Exception):
    """The arguments of a call cannot be had; the message is the code of the reason."""


@dataclass(frozen=True, eq=False)
class RecordedCall:
    """A call that was kept: what was called, and copies of its arguments."""

    fn: Rule
    name: str
    library: str
    place: RulePlace
    arguments: tuple[object, ...]
    origin: str  # recorded: the arguments of the call; shapes: its shapes, with other numbers
    key: Hashable = field(repr=False)
    signature: Hashable = field(repr=False)
    size: int = field(repr=False)
    numbers: int = field(repr=False)

    def inputs(self) -> tuple[object, ...]:
        """The arguments as the library takes them."""
        if self.library == "jax":
            from .jax_calls import arrays_of

            return arrays_of(self.arguments)
        return self.arguments


class CallRecord(Result):
    """The calls that were seen; it goes on growing until the block of `record()` ends."""

    def __init__(self) -> None:
        self._kept: dict[Hashable, list[RecordedCall]] = {}
        self._seen: dict[Hashable, set[Hashable]] = {}  # the signatures that need not be looked at again
        self._left_out: dict[tuple[str, str], RulePlace] = {}  # of (name, why)
        self._lock = RLock()
        self._bytes = 0

    # ---- while the program runs ------------------------------------------------------------

    def wants(self, sighting: Sighting) -> bool:
        """Is it worth a copy?"""
        with self._lock:
            known = self._seen.get(sighting.key, ())
            if sighting.signature in known or (
                sighting.key not in self._seen and len(self._seen) >= MOST_RULES
            ):
                return False
            kept = self._kept.get(sighting.key, [])
            return self._room(kept, sighting) is not None

    def _room(self, kept: Sequence[RecordedCall], sighting: Sighting) -> list[RecordedCall] | None:
        """The calls that have to go for this one; None where it has to stay out."""
        larger = sorted(
            (c for c in kept if c.numbers > max(SMALL, sighting.numbers)), key=lambda c: -c.numbers
        )
        if kept and sighting.numbers > SMALL and any(c.numbers < sighting.numbers for c in kept):
            return None
        gone = larger[:1] if len(kept) >= MOST_CALLS else []
        if len(kept) - len(gone) >= MOST_CALLS:
            return None
        room = MOST_BYTES - self._bytes + sum(call.size for call in gone)
        return gone if sighting.size <= room else None

    def keep(self, sighting: Sighting, arguments: tuple[object, ...], origin: str) -> None:
        with self._lock:
            seen = self._seen.setdefault(sighting.key, set())
            kept = self._kept.setdefault(sighting.key, [])
            gone = self._room(kept, sighting)
            if sighting.signature in seen or gone is None:
                return
            for call in gone:
                kept.remove(call)
            seen.add(sighting.signature)
            self._bytes += sighting.size - sum(call.size for call in gone)
            call = RecordedCall(
                sighting.fn, sighting.name, sighting.library, sighting.place, arguments, origin,
                sighting.key, sighting.signature, sighting.size, sighting.numbers,
            )  # fmt: skip
            kept.append(call)

    def leave_out(self, sighting: Sighting, why: str) -> None:
        with self._lock:
            self._seen.setdefault(sighting.key, set())
            self._left_out.setdefault((sighting.name, why), sighting.place)

    # ---- afterwards ------------------------------------------------------------------------

    @property
    def calls(self) -> list[RecordedCall]:
        """The calls that were kept, those of one rule beside each other."""
        with self._lock:
            return [call for kept in self._kept.values() for call in kept]

    @property
    def remarks(self) -> tuple[Remark, ...]:
        """The rules of which no call could be kept, and why."""
        with self._lock:
            kept = {call.name for call in self.calls}
            return tuple(Unseen(why, name) for name, why in self._left_out if name not in kept)

    def examine(
        self,
        *,
        seed: int = 0,
        beyond: bool = False,
        intended: str | None = None,
        only: str = "",
        watch: Callable[[int, int, str], None] | None = None,
        told: Callable[[ExaminedRule], None] | None = None,
        origin: str = "",
    ) -> RuleReports:
        """A report on each rule that was seen, or on the one of this name, with the inputs of its calls.

        Where the calls of a rule come out differently, the worst counts; after some seconds with one rule,
        its further calls are left.  `watch` is told which rule is next: its number, of how many, its name;
        `told` has each report as soon as it is there.  `origin` says where the numbers of the calls come
        from, if not from a program.  Ctrl-C is an InterruptedReportsError, with the reports until then.
        """
        options = RuleOptions(seed, beyond, intended)
        chosen = self._chosen(only)
        rules: list[ExaminedRule] = []
        try:
            with _paused():
                for number, kept in enumerate(chosen, 1):
                    if watch is not None:
                        watch(number, len(chosen), kept[0].name)
                    rules.append(ExaminedRule(_examined_calls(kept, options, origin), kept[0].place))
                    if told is not None:
                        told(rules[-1])
        except KeyboardInterrupt:
            left = [kept[0].name for kept in chosen[len(rules) :]]
            raise InterruptedReportsError(rules, left, self.remarks) from None
        return RuleReports(tuple(rules), self.remarks)

    def names(self, only: str = "") -> list[str]:
        """The rules that `examine` examines, in that order."""
        return [kept[0].name for kept in self._chosen(only)]

    def _chosen(self, only: str) -> list[list[RecordedCall]]:
        return [
            kept
            for kept in list(self._kept.values())
            if kept and only in ("", kept[0].name, kept[0].name.rpartition(":")[2])
        ]

    def sections(self, page: Page) -> Sections:
        lines = []
        for kept in self._kept.values():
            for call in kept[:1]:
                lines += page.wrap(f"{call.name}  {call.place}")
            for call in kept:
                lines += page.wrap(_described(call), "    ")
        yield say("rules.record.title"), lines or page.wrap(say("rules.record.none"))
        if self.remarks:
            rows = [line for each in self.remarks for line in page.wrap(each.unseen())]
            yield say("rules.title.unseen"), rows

    def _title(self) -> str:
        return say("rules.record.title")

    def __repr__(self) -> str:
        return f"<CallRecord: {len(self.calls)} calls of {len(self._kept)} rules>"


def _described(call: RecordedCall) -> str:
    def one(x: object) -> str:
        shape = getattr(x, "shape", None)
        if shape is not None:
            size = "x".join(map(str, tuple(shape))) or say("rules.scalar")
            return f"{str(getattr(x, 'dtype', '')).removeprefix('torch.')} {size}".strip()
        if isinstance(x, (list, tuple)):
            return "[" + ", ".join(map(one, x)) + "]"
        text = repr(x)
        return text if len(text) <= 40 else f"<{type(x).__name__}>"

    return ", ".join(map(one, call.arguments))


def _examined_calls(kept: Sequence[RecordedCall], options: RuleOptions, origin: str = "") -> RuleReport:
    """The worst report on some calls of one rule; what was not reached is told in it."""
    began = monotonic()
    reports: list[RuleReport] = []
    for call in kept:
        if reports and monotonic() - began > SECONDS:
            break
        reports.append(_examined(call, options, origin))
    worst = worst_of(reports)
    more: list[Remark] = (
        [Unseen("calls_left", str(len(kept) - len(reports)))] if len(reports) < len(kept) else []
    )
    if worst.verdict != NOT_EXAMINED:
        more += [remark for each in reports if each.verdict == NOT_EXAMINED for remark in each.not_examined]
    return replace(worst, not_examined=tuple(dict.fromkeys((*worst.not_examined, *more))))


def _examined(call: RecordedCall, options: RuleOptions, origin: str) -> RuleReport:
    given = origin if origin and call.origin == "recorded" else call.origin
    return examine_rule(call.fn, call.inputs(), call.library, given, options, name=call.name)


# ---- the records that are open ------------------------------------------------------------------

_open: list[CallRecord] = []
_begun: dict[str, Callable[[], None]] = {}  # what takes the hook out of a library again
_pauses = 0
_lock = RLock()


def offer(sighting: Sighting) -> Callable[[bool], None]:
    """Copy the arguments of a call for the records that want it; call what comes back when the call is over.

    Nothing that goes wrong here reaches the program.
    """
    wanting = [each for each in list(_open) if each.wants(sighting)] if not _pauses else []
    if not wanting:
        return _nothing
    try:
        arguments, origin = sighting.copied()
    except UncopiedError as error:
        why = str(error)
        return lambda returned: _each(wanting, lambda each: each.leave_out(sighting, why))
    except Exception:  # no memory left, or an argument like no other
        return lambda returned: _each(wanting, lambda each: each.leave_out(sighting, "call_uncopied"))

    def ended(returned: bool) -> None:
        for each in wanting:
            if returned:
                each.keep(sighting, arguments, origin)
            else:
                each.leave_out(sighting, "call_raised")

    return ended


def _nothing(returned: bool) -> None: ...


def _each(records: Sequence[CallRecord], act: Callable[[CallRecord], None]) -> None:
    for one in records:
        act(one)


@contextmanager
def record() -> Iterator[CallRecord]:
    """Record the custom rules of PyTorch and JAX that are called inside the block, with their arguments.

    Blocks may be nested, and threads may run inside them: each record has the calls of all threads.  Nothing
    that the program computes or raises is changed.
    """
    seen = CallRecord()
    end = begin_recording(seen)
    try:
        yield seen
    finally:
        end()


def begin_recording(seen: CallRecord) -> Callable[[], None]:
    """Let a record see every call from now on; what comes back ends that."""
    with _lock:
        _open.append(seen)
        if len(_open) == 1:
            sys.meta_path.insert(0, _WATCH)
            for module in _LIBRARIES:
                if module in sys.modules:
                    _begin(module)

    def end() -> None:
        with _lock:
            if seen not in _open:
                return
            _open.remove(seen)
            if not _open:
                sys.meta_path.remove(_WATCH)
                while _begun:
                    _begun.popitem()[1]()

    return end


@contextmanager
def _paused() -> Iterator[None]:
    """The examination calls the rules too, some thousand times."""
    global _pauses
    with _lock:
        _pauses += 1
    try:
        yield
    finally:
        with _lock:
            _pauses -= 1


# The modules after whose import calls can be noticed, and the function here that begins with it.
_LIBRARIES = {
    "torch.autograd.function": ("torch_calls", "hook_functions"),
    "torch._library.custom_ops": ("torch_calls", "hook_ops"),
    "jax._src.custom_derivatives": ("jax_calls", "hook"),
}


def _begin(module: str) -> None:
    with _lock:
        if _open and module not in _begun:
            try:
                file, name = _LIBRARIES[module]
                _begun[module] = getattr(import_module(f".{file}", __package__), name)()
            except (AttributeError, ImportError, TypeError, ValueError):
                return  # a version that is built in another way: its calls are not seen


class _ImportWatch:
    """A finder that finds what the others find, and is told when one of the libraries has been imported."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if fullname not in _LIBRARIES:
            return None
        for finder in [each for each in sys.meta_path if each is not self]:
            spec = finder.find_spec(fullname, path, target)
            if spec is not None:
                if spec.loader is not None:
                    spec.loader = _WatchedLoader(spec.loader, fullname)  # type: ignore[assignment]
                return spec
        return None


class _WatchedLoader:
    def __init__(self, loader: Any, name: str) -> None:
        self._loader, self._name = loader, name

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        made: ModuleType | None = self._loader.create_module(spec)
        return made

    def exec_module(self, module: ModuleType) -> None:
        module.__loader__ = self._loader
        if module.__spec__ is not None:
            module.__spec__.loader = self._loader
        self._loader.exec_module(module)
        _begin(self._name)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._loader, name)


_WATCH: Any = _ImportWatch()
