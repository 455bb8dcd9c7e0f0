"""Processes that stand still between any two of their calls, and go on from there in many ways.

Each step begins a process anew, repeats the answers that it had, lets it make one more call, and
stops it before the next one. So its act and its answers are all that a process is.
"""

from collections.abc import Callable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from typing import Any

from tests.support.world import World
from timegate.adapters.dynamo.tables.engine import Answer, Asked, Query
from timegate.adapters.memory.inbox import MemoryInbox
from timegate.adapters.memory.publisher import MemoryPublisher
from timegate.adapters.memory.telemetry import MemoryTelemetry
from timegate.domain.values.errors import Throttled

_READS_AT_ONCE = "reads"
_READS = frozenset({"get", "get_all", "query", "scan", _READS_AT_ONCE})


class Fault(StrEnum):
    """Faults of a call."""

    #: It takes effect, no answer comes, and the client asks again by itself.
    ASKED_AGAIN = "and asks again"
    #: It takes effect, and the answer is an error.
    UNANSWERED = "and is not answered"


@dataclass(frozen=True, kw_only=True)
class Answered:
    """An answer that a process had, by its clock then."""

    answer: Any
    at: datetime
    text: str


@dataclass(frozen=True, kw_only=True)
class Process:
    """One process, between two of its calls."""

    name: str
    act: Callable[[World], object]
    began: datetime
    answers: tuple[Answered, ...] = ()
    #: The call that it makes next.
    stands_before: str = ""
    has_ended: bool = False
    result: object = None
    #: Reads that are made side by side are one step, and not one after the other.
    reads_at_once: bool = False

    @property
    def writes_next(self) -> bool:
        """Tell if its next call may change something."""
        return self.stands_before.partition(" ")[0] not in _READS

    @property
    def named(self) -> tuple[object, ...]:
        """Tell it apart: its answers decide all that it can do."""
        return self.name, self.began, tuple((each.text, each.at) for each in self.answers)


class _Stopped(BaseException):
    """The process stands still; nothing in it handles this."""


def begun(
    name: str,
    act: Callable[[World], object],
    world: World,
    *,
    at: datetime,
    reads_at_once: bool = False,
) -> Process:
    """Begin a process: it stands before its first call, or has ended without one."""
    process = Process(name=name, act=act, began=at, reads_at_once=reads_at_once)
    return _run(process, world, _Calls(world, process, None, 0))


def gone_on(process: Process, world: World, *, at: datetime, fault: Fault | None) -> Process:
    """Let a process make its next call, and stop before the one after it."""
    calls = _Calls(world, process, fault, 1)
    calls.next_at = at
    return _run(process, world, calls)


def _run(process: Process, world: World, calls: "_Calls") -> Process:
    try:
        result = process.act(calls.view)
    except _Stopped:
        return replace(process, answers=tuple(calls.answers), stands_before=calls.next)
    return replace(process, answers=(), stands_before="", has_ended=True, result=result)


class _Calls:
    """The engine of a process: repeats the answers it had, makes new calls, and stops it then."""

    def __init__(self, world: World, process: Process, fault: Fault | None, allowed: int) -> None:
        self.answers = [*process.answers]
        self.next, self.next_at = "", process.began
        self._engine: Any = world.tables.engine
        self._fault = fault
        self._made = 0
        self._last = len(process.answers) + allowed
        self._reads_at_once, self._is_within = process.reads_at_once, False
        self.view = _seen_by(self, world, process.began)

    def __getattr__(self, name: str) -> Callable[..., Any]:
        """A method of the engine, as one call."""

        def call(*args: Any, **kwargs: Any) -> Any:  # noqa: ANN401 - as the engine has them
            return self._call(name, args, kwargs)

        return call

    def write_each(self, writes: Sequence[Any]) -> list[Any]:
        """Write items one by one: others come in between."""
        return [self._call("write", (write,), {}) for write in writes]

    def execute(self, writes: Sequence[Any]) -> list[Any]:
        """Write items one by one, as a batch of statements is carried out."""
        return self.write_each(writes)

    def side_by_side(self, call: Callable[[Asked], Answer], asked: Sequence[Asked]) -> list[Answer]:
        """Make calls in order; all of a process whose reads are one step, at one moment."""
        if not self._reads_at_once:
            return [call(each) for each in asked]
        return self._call(_READS_AT_ONCE, (call, asked), {})  # type: ignore[no-any-return]

    def _call(self, name: str, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Any:  # noqa: ANN401
        if self._is_within:
            return getattr(self._engine, name)(*args, **kwargs)
        place, self._made = self._made, self._made + 1
        if place >= self._last:
            if place == self._last:
                self.next = f"{name} {_subject(args)}"
            raise _Stopped
        if place == len(self.answers):
            answer = self._ask(name, args, kwargs)
            said = Answered(answer=answer, at=self.next_at, text=repr(answer))
            self.answers.append(said)
        given = self.answers[place]
        self.view.clock.set(given.at)
        if isinstance(given.answer, Exception):
            raise given.answer
        return given.answer

    def _ask(self, name: str, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Any:  # noqa: ANN401
        if name == _READS_AT_ONCE:
            call, asked = args
            self._is_within = True
            answers = [call(each) for each in asked]
            self._is_within = False
            return answers
        ask = getattr(self._engine, name)
        match self._fault:
            case Fault.ASKED_AGAIN:
                first = ask(*args, **kwargs)
                is_one = name == "transact" and kwargs.get("is_named")
                return first if is_one and not first else ask(*args, **kwargs)
            case Fault.UNANSWERED:
                ask(*args, **kwargs)
                return Throttled("the answer was lost")
        return ask(*args, **kwargs)


def _subject(args: tuple[Any, ...]) -> str:
    """Name what a call is about, for the path that a failure tells."""
    asked = args[0] if args else ""
    if isinstance(asked, Query):
        return f"{asked.index or asked.table} {asked.of[-12:]}"
    if isinstance(asked, list | tuple):
        return " & ".join(_subject((each,)) for each in asked)
    key = getattr(asked, "key", None)
    if key is not None:
        return f"{type(asked).__name__} {key.sk[:24]}"
    fields = getattr(asked, "fields", None)
    return f"{type(asked).__name__} {fields['sk'][:24]}" if fields else type(asked).__name__


def _seen_by(calls: _Calls, world: World, began: datetime) -> World:
    """Return the world as a process sees it: its stores, on its own calls, by its own clock."""
    tables: Any = copy(world.tables)
    tables.engine = calls
    view = copy(world)
    view.tables, view.now = tables, began
    view.telemetry, view.publisher = MemoryTelemetry(), MemoryPublisher()
    view.inbox = MemoryInbox()
    view.__post_init__()
    view.slots._pause = lambda _: None  # type: ignore[attr-defined]
    return view
