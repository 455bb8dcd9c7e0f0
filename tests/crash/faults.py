"""Faults: a process dies, stalls, or is not answered, at one of its calls."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from itertools import groupby
from random import Random
from typing import Any

from botocore.awsrequest import AWSPreparedRequest, AWSResponse
from botocore.exceptions import ConnectTimeoutError, ReadTimeoutError

Transport = Callable[[AWSPreparedRequest], AWSResponse]


class Mode(StrEnum):
    """Effect of a fault at a call."""

    #: The process dies, and the call is never made.
    BEFORE = "dies before"
    #: The process dies, and the call has taken effect.
    AFTER = "dies after"
    #: It took effect, no answer came, and the client, which asks again, is answered.
    RETRIED = "answer lost, asked again"
    #: It took effect, no answer came, and the service is not to be reached any more.
    UNANSWERED = "answer lost"
    #: The process stands still before the call, while everything else goes on, and then makes it.
    STALLED = "stalls before"
    #: It is answered, and what was published has been lost: as if it had never been published.
    LOST = "is lost"


_READS = frozenset(
    {
        *("Query", "GetItem", "BatchGetItem", "Scan", "GetQueueAttributes"),
        *("GetObject", "HeadObject", "ListObjectsV2", "AssumeRole"),
        *("DescribeTable", "GetPublicKey"),
    }
)
_TICKS = frozenset({"planner", "sweeper", "auditor"})
_PUBLISHES = "SendMessageBatch"


@dataclass(frozen=True)
class Call:
    """One call of a flow: the process's number in the flow, and the call's in the process."""

    process: int
    function: str
    number: int
    operation: str

    @property
    def is_read(self) -> bool:
        """It changes nothing."""
        return self.operation in _READS

    def __str__(self) -> str:
        return f"{self.function} {self.process}, call {self.number}: {self.operation}"


@dataclass
class Outage:
    """A function that dies whatever it is given, at a call of its own, for a while."""

    function: str
    #: Calls that each invocation makes before it dies.
    calls: int
    #: Invocations that die; ``None``: all until ``seconds`` have passed.
    tries: int | None = None
    seconds: float = 0

    def strikes(self, function: str, passed: timedelta) -> bool:
        """Return whether an invocation that begins ``passed`` after the story's start dies."""
        if function != self.function:
            return False
        if self.tries is None:
            return passed.total_seconds() < self.seconds
        self.tries -= 1
        return self.tries >= 0


@dataclass(frozen=True)
class Fault:
    """A fault and its call."""

    call: Call
    mode: Mode

    def __str__(self) -> str:
        return f"{self.mode} {self.call}"


#: Course of a process: its function, and its calls in order.
Shape = tuple[str, ...]


def faults_of(calls: Sequence[Call], known: set[Shape], *, every: bool) -> list[Fault]:
    """Return the faults to try on a flow that made these calls; ``every``: all, in all modes.

    Otherwise faults that look alike are tried once. A read changes nothing: dying at one looks to
    others like dying before the next write. Only its own process without the answer is to be
    tried, at the first and the last of equal reads in a row. Dying before a write is dying after
    the write before it. Only the first of a function's ticks with the very same calls is tried;
    ``known`` are those of other flows, for most ticks find nothing to do. An operation that is not
    listed is taken for a write.
    """
    by_process = [tuple(group) for _, group in groupby(sorted(calls, key=_place), _process)]
    faults = []
    for made in by_process:
        shape = (made[0].function, *(call.operation for call in made))
        if made[0].function in _TICKS and shape in known and not every:
            continue
        known.add(shape)
        tried: set[Mode] = set()
        for operation, row in groupby(made, lambda call: call.operation):
            same = list(row)
            if every or operation not in _READS:
                for call in same:
                    faults += [Fault(call, m) for m in _modes(call) if every or m not in tried]
                    tried = {Mode.BEFORE}
            else:
                ends = dict.fromkeys([same[0], same[-1]])
                faults += [Fault(call, Mode.UNANSWERED) for call in ends]
    return faults


def second_fault(first: Fault, calls: Sequence[Call], seed: str) -> Fault | None:
    """Another fault, somewhere in what followed a first one; ``calls``: those made with the first.

    The same one for the same seed. ``None``: nothing followed.
    """
    after = [call for call in calls[calls.index(first.call) + 1 :] if call.operation not in _READS]
    if not after:
        return None
    chance = Random(f"{seed} {first}")
    call = chance.choice(after)
    return Fault(call, chance.choice(_modes(call)))


def _modes(call: Call) -> list[Mode]:
    return [mode for mode in Mode if mode is not Mode.LOST or call.operation == _PUBLISHES]


def _place(call: Call) -> tuple[int, int]:
    return call.process, call.number


def _process(call: Call) -> int:
    return call.process


class Died(BaseException):
    """The process is gone: nothing catches this, and it makes no call any more."""


@dataclass
class Process:
    """One invocation of a function."""

    number: int
    function: str
    #: When it began.
    began_at: datetime | None = None
    calls: int = 0
    dead: bool = False
    #: The call it is making.
    call: Call | None = None
    #: Requests sent for that call so far.
    sent: int = 0
    #: It waits for its target.
    working: bool = False
    #: It dies at the call after so many; ``None``: it lives.
    dies_after: int | None = None

    @property
    def name(self) -> str:
        """Its request id, with which the owner of its leases begins."""
        return f"{self.function}-{self.number}"


NO_PROCESS = Process(number=0, function="none")


class NotMet(AssertionError):
    """A fault met no call: courses of two tenants differ where their records lie elsewhere."""


class Injector:
    """Stands between the clients and what answers them; each fault strikes one call of a flow."""

    def __init__(self, stall: Callable[[Process], None], lose: Transport) -> None:
        self.stall = stall
        self._lose = lose
        #: Process that has its turn: there is one at a time.
        self.current = NO_PROCESS
        self.calls: list[Call] = []
        #: Those that have not struck yet.
        self.ahead: set[Fault] = set()
        self._faults: dict[tuple[int, int], Fault] = {}
        self._started = 0

    def begin(self, faults: Collection[Fault]) -> None:
        """Count processes and calls from here on."""
        self._faults = {_place(fault.call): fault for fault in faults}
        self.ahead, self._started = set(faults), 0
        self.calls = []
        self.current = NO_PROCESS

    def assert_met(self) -> None:
        """Raise ``NotMet`` for a fault that has not struck."""
        if self.ahead:
            raise NotMet(f"met no call: {self.ahead}")

    @property
    def newest(self) -> int:
        """The number of the process that began last."""
        return self._started

    def started(self, function: str, at: datetime) -> Process:
        """A process begins."""
        self._started += 1
        return Process(number=self._started, function=function, began_at=at)

    def before_call(self, model: Any, **_: object) -> None:  # noqa: ANN401 - botocore's model
        """A process is about to make a call."""
        process = self.current
        if process.dead:
            raise Died
        if process.dies_after == process.calls:
            self._die(process)
        process.calls += 1
        call = Call(process.number, process.function, process.calls, model.name)
        process.call, process.sent = call, 0
        self.calls.append(call)
        match self._mode(call):
            case Mode.BEFORE:
                self._die(process)
            case Mode.STALLED:
                self.stall(process)
            case _:
                pass

    def send(self, request: AWSPreparedRequest, transport: Transport) -> AWSResponse:
        """Send one request, of which a call may need several."""
        process = self.current
        process.sent += 1
        mode = self._mode(process.call)
        if mode is Mode.UNANSWERED and process.sent > 1:
            raise ConnectTimeoutError(endpoint_url=request.url)
        response = (self._lose if mode is Mode.LOST else transport)(request)
        if mode in {Mode.RETRIED, Mode.UNANSWERED} and process.sent == 1:
            raise ReadTimeoutError(endpoint_url=request.url)
        return response

    def after_call(self, **_: object) -> None:
        """The call has been answered."""
        process = self.current
        if self._mode(process.call) is Mode.AFTER:
            self._die(process)

    def _mode(self, call: Call | None) -> Mode | None:
        fault = self._faults.get(_place(call)) if call is not None else None
        if fault is None:
            return None
        assert call == fault.call, f"The flow went another way: {call}, not {fault.call}."
        self.ahead.discard(fault)
        return fault.mode

    def _die(self, process: Process) -> None:
        process.dead = True
        raise Died
