"""Messages of a process: it gathers more while calls last, and returns what it cannot claim."""

from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime, timedelta
from math import ceil
from threading import Lock

from timegate.domain.runs.gate import (
    LONG_CALL,
    LOOK_PAUSE,
    claim_at,
    has_long_call,
    must_hide_again,
    next_pause,
)
from timegate.domain.values.errors import TimegateError
from timegate.domain.values.identity import AttemptId
from timegate.ports.telemetry import run_events
from timegate.ports.telemetry.telemetry import of_message
from timegate.usecases.execution.claims.claim_runs import ClaimedGroup
from timegate.usecases.services.execution_services import Claimed, Delivery, Execution
from timegate.value_classes import dataclass

#: Messages that SQS hands over in one call.
MAX_RECEIVED = 10
#: A message that could not be settled is tried again after this.
RETRY_SECONDS = 2


@dataclass(frozen=True, kw_only=True, slots=True)
class Gathered:
    """Messages that were just received, and the circumstances of their claims."""

    deliveries: Sequence[Delivery]
    execution: Execution


class SharedTime:
    """The time of an environment, shared evenly by the calls that are under way."""

    def __init__(self) -> None:
        self._calls = 0
        self._reached: datetime | None = None
        #: Share of a call that is under way all the time.
        self._share = timedelta(0)

    def begin(self, now: datetime) -> timedelta:
        """Count one call more; returns the mark of its beginning."""
        self._go_on(now)
        self._calls += 1
        return self._share

    def end(self, mark: timedelta, now: datetime) -> timedelta:
        """Count one call less; returns its share of the time since its beginning."""
        self._go_on(now)
        self._calls -= 1
        return self._share - mark

    def _go_on(self, now: datetime) -> None:
        if self._reached is not None and self._calls:
            self._share += max(now - self._reached, timedelta(0)) / self._calls
        self._reached = now


class HeldCall:
    """A call of a held run's target."""

    def __init__(self, claimed: Claimed) -> None:
        #: The run that is held; after a long call it says its share of the environment's time.
        self.claimed = claimed

    def charge(self, share: timedelta) -> None:
        """Keep the share with the run, for the write of its end."""
        milliseconds = ceil(share / timedelta(milliseconds=1))
        attempt = replace(self.claimed.attempt, environment_ms=milliseconds)
        self.claimed = replace(self.claimed, attempt=attempt)


class Gatherer:
    """Messages under way in one invocation, and room for more.

    The queue hides a gathered message, delivers it again and gives it up as it does any other. The
    event source knows nothing of it, so it is deleted here.
    """

    def __init__(self, execution: Execution) -> None:
        self._execution = execution
        self._source = execution.source
        self._changed = Lock()
        #: By receipt, the tenant and the attempt of each message.
        self._under_way: dict[str, tuple[str, AttemptId]] = {}
        #: Starts of calls, by the tenant and the attempt; a task in a line has no message.
        self._starts: dict[tuple[str, AttemptId], datetime] = {}
        self._shared = SharedTime()
        self._gathered: set[str] = set()
        self._pause = LOOK_PAUSE
        self._look_at = execution.clock.now() + LONG_CALL

    @property
    def most_runs(self) -> int:
        """Most runs in the process at once; 0 where nothing is gathered."""
        return self._source.most_runs if self._source is not None else 0

    def begin(self, deliveries: Sequence[Delivery]) -> None:
        """These messages are under way."""
        with self._changed:
            self._under_way.update((each.receipt, _named(each)) for each in deliveries)

    @contextmanager
    def calling(self, claimed: Claimed) -> Iterator[HeldCall]:
        """A held run calls its target, at its instant at the earliest, until it has ended."""
        named, call, clock = _named(claimed.delivery), HeldCall(claimed), self._execution.clock
        with self._changed:
            now = clock.now()
            self._starts[named] = max(claimed.attempt.due_at, now)
            mark = self._shared.begin(now)
        try:
            yield call
        finally:
            with self._changed:
                now, start = clock.now(), self._starts.pop(named)
                share = self._shared.end(mark, now)
                if has_long_call(start, now=now):
                    call.charge(share)
                self._under_way.pop(claimed.delivery.receipt, None)

    def settle(self, deliveries: Sequence[Delivery], unsettled: Collection[str]) -> None:
        """These messages are done with: delete gathered ones, but those that must come again."""
        with self._changed:
            for each in deliveries:
                self._under_way.pop(each.receipt, None)
        settled = [each for each in deliveries if each.id not in unsettled]
        receipts = [each.receipt for each in settled if each.receipt in self._gathered]
        if receipts:
            self._execution.inbox.acknowledge(receipts)

    def close(self) -> None:
        """Gather no more: a run is to be executed alone, or something fails."""
        self._source = None

    def seconds_to_look(self) -> float | None:
        """Return the time until the next look at the queue; ``None``: there is none to come."""
        now = self._execution.clock.now()
        if self._source is None or now >= self._source.until:
            return None
        return max((self._look_at - now).total_seconds(), 0.0)

    def look(self) -> Gathered | None:
        """Receive messages if there is room for them, and a call has lasted long."""
        now, source = self._execution.clock.now(), self._source
        if source is None or now < self._look_at or now >= source.until:
            return None
        asked = min(self._room(now), MAX_RECEIVED)
        if asked <= 0 or self._execution.must_stop(now):
            self._look_at = now + LOOK_PAUSE
            return None
        fresh = self._execution.receiving_now()
        received = source.receive(asked, round(fresh.visibility.total_seconds()))
        self._pause = next_pause(self._pause, received=len(received), asked=asked)
        self._look_at = self._execution.clock.now() + self._pause
        with self._changed:
            known = self._known()
        # A second message of a run that this process has is left hidden: by its owner alone the
        # store could not tell the two claims apart.
        others = [each for each in received if _named(each) not in known]
        self._gathered.update(each.receipt for each in others)
        return Gathered(deliveries=others, execution=fresh) if others else None

    def _room(self, now: datetime) -> int:
        with self._changed:
            oldest = min(self._starts.values(), default=None)
            return self.most_runs - len(self._known()) if has_long_call(oldest, now=now) else 0

    def _known(self) -> set[tuple[str, AttemptId]]:
        return {*self._under_way.values(), *self._starts}


def _named(delivery: Delivery) -> tuple[str, AttemptId]:
    return delivery.message.tenant, delivery.message.attempt


def split_early(
    deliveries: Sequence[Delivery], execution: Execution
) -> tuple[list[Delivery], list[Delivery]]:
    """Return the messages that are too early to be held in memory, and the others."""
    now = execution.clock.now()
    early = [d for d in deliveries if must_hide_again(d.message.due_at, now)]
    timely = [d for d in deliveries if not must_hide_again(d.message.due_at, now)]
    return early, timely


def hide_early(early: Sequence[Delivery], execution: Execution) -> set[str]:
    """Too early to be held in memory: back into the queue until they are due."""
    now = execution.clock.now()
    for delivery in early:
        seconds = int((claim_at(delivery.message.due_at) - now).total_seconds())
        execution.inbox.hide([delivery.receipt], seconds=seconds)
        execution.telemetry.event(
            run_events.MESSAGE_EARLY, **of_message(delivery.message), hidden_seconds=seconds
        )
    return {delivery.id for delivery in early}


def return_unreadable(claims: ClaimedGroup, execution: Execution) -> set[str]:
    """Let unreadable messages go on to the dead letters."""
    if claims.unreadable:
        receipts = [delivery.receipt for delivery in claims.unreadable]
        execution.inbox.hide(receipts, seconds=RETRY_SECONDS)
    return {delivery.id for delivery in claims.unreadable}


def return_failed(claims: ClaimedGroup, execution: Execution) -> set[str]:
    """Deliver those again soon that the store refused for load; nothing of them is held."""
    returned: set[str] = set()
    for failed in claims.failed:
        if isinstance(failed.error, TimegateError):
            returned |= return_all(failed.deliveries, execution, failed.error)
    return returned


def raise_broken(claims: ClaimedGroup) -> None:
    """Raise any other error, once the runs of the others have ended.

    Their messages stay hidden as they are: a claim without an answer may have been written.
    """
    for failed in claims.failed:
        if not isinstance(failed.error, TimegateError):
            raise failed.error


def leave_all(group: Sequence[Delivery], execution: Execution) -> set[str]:
    """This worker has no time for them: another one gets them at once."""
    execution.inbox.hide([delivery.receipt for delivery in group], seconds=0)
    execution.telemetry.event(run_events.MESSAGES_LEFT, messages=len(group))
    return {delivery.id for delivery in group}


def return_all(group: Sequence[Delivery], execution: Execution, error: TimegateError) -> set[str]:
    """Deliver them again soon: a call that concerns them failed."""
    execution.inbox.hide([delivery.receipt for delivery in group], seconds=RETRY_SECONDS)
    execution.telemetry.event(run_events.CLAIM_FAILED, code=error.code, messages=len(group))
    return {delivery.id for delivery in group}
