"""Asking for work: at once while there is some, and less often the longer there is none."""

import logging
import math
import time
from collections.abc import Callable, Mapping, Sequence
from itertools import cycle
from threading import Event, Lock, Thread
from typing import Any

from timegate.client import ClientError, InvalidRequest, NotUnderstood, TimegateClient
from timegate.worker.task import ClaimedRun

logger = logging.getLogger("timegate.worker")

#: A claim waits so long: short enough that a worker that stops does not wait long either.
WAIT_SECONDS = 5.0
#: A stage that is well has answered a claim by then, whatever the claim waits for.
ANSWER_SECONDS = WAIT_SECONDS + 2.0
#: Without work for so long, claims do not wait any more: waiting is what costs.
IDLE_AFTER_SECONDS = 60.0
#: A worker whose runners all work says so this often: its pool shows who serves it.
BUSY_EVERY_SECONDS = 30.0
_MOST_AT_ONCE = 10
#: Handlers that a claim may name; a worker with more asks for some after the others.
_MOST_HANDLERS = 50
_FIRST_PAUSE_SECONDS = 0.5
_LONGEST_PAUSE_SECONDS = 30.0
#: Fields that a stage of an earlier release does not know, and refuses.
_OF_CAPACITY = frozenset({"capacity", "in_use"})
_DEFAULT_LEASE_SECONDS = 60.0
#: No stage has a lease as long, nor lets a worker wait for so long.
_MOST_SECONDS = 86_400.0


#: Runs that were claimed, and the pause before the next claim.
Claimed = tuple[list[ClaimedRun], float]


class ClaimUnderWay:
    """A claim in a thread of its own: a worker that must stop leaves one that is not answered."""

    def __init__(
        self, ask: Callable[[], Claimed], give_back: Callable[[list[ClaimedRun]], None]
    ) -> None:
        self._ask = ask
        #: Takes the runs of an answer that comes after it was left.
        self._give_back = give_back
        self._answer: Claimed | None = None
        self._failure: BaseException | None = None
        self._changing = Lock()
        self._ended = Event()
        self._is_left = False
        Thread(target=self._work, name="claim", daemon=True).start()

    def ends_within(self, seconds: float) -> bool:
        """Wait so long for its end, and tell if it has ended."""
        return self._ended.wait(seconds)

    def leave(self) -> Claimed:
        """Return its answer, or nothing in place of one that has not come; raises its failure."""
        with self._changing:
            self._is_left = True
            if self._failure is not None:
                raise self._failure
            return self._answer or ([], 0.0)

    def _work(self) -> None:
        answer, failure = None, None
        try:
            answer = self._ask()
        except BaseException as error:  # noqa: BLE001 - raised where the answer is taken
            failure = error
        with self._changing:
            self._answer, self._failure = answer, failure
            is_left = self._is_left
            self._ended.set()
        if is_left and answer is not None:
            self._give_back(answer[0])


class ClaimLoop:
    """One worker's claims, one after the other."""

    def __init__(
        self,
        client: TimegateClient,
        pool: str,
        worker: str,
        handlers: Sequence[str],
        *,
        capacity: int,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._client = client
        self._pool = pool
        self._worker = worker
        begins = range(0, len(handlers), _MOST_HANDLERS)
        self._parts = [handlers[begin : begin + _MOST_HANDLERS] for begin in begins]
        self._turns = cycle(self._parts)
        self._capacity = capacity
        self._monotonic = monotonic
        self._worked_at = self._asked_at = monotonic()
        self._pause = _FIRST_PAUSE_SECONDS
        self._says_capacity = True
        #: The pool was paused at the last look.
        self._is_paused = False

    def say_busy(self) -> None:
        """Tell the pool that all runners work, unless it was asked lately."""
        if self.is_silent():
            self.next(limit=0)

    def is_silent(self) -> bool:
        """Tell if the pool knows nothing of this worker but what it said a while ago."""
        return self._says_capacity and self._monotonic() - self._asked_at >= BUSY_EVERY_SECONDS

    def next(self, *, limit: int) -> Claimed:
        """Up to ``limit`` runs, as many as there are free runners, and the pause if there are none.

        The pause is to be kept before the next claim. A ``limit`` of 0 claims nothing. While the
        pool is paused, claims do not wait at the stage.
        """
        self._asked_at = self._monotonic()
        idle = limit == 0 or self._asked_at - self._worked_at >= IDLE_AFTER_SECONDS
        wait_seconds = 0 if idle or self._is_paused else WAIT_SECONDS / len(self._parts)
        try:
            answer = self._ask(limit, next(self._turns), wait_seconds)
            tasks, ask_again = _read(answer)
        except ClientError as error:
            pause, self._pause = self._pause, min(2 * self._pause, _LONGEST_PAUSE_SECONDS)
            fields = {"code": error.code, "detail": error.detail, "pause_seconds": pause}
            logger.warning("claim_failed", extra={"fields": fields})
            return [], pause
        self._pause = _FIRST_PAUSE_SECONDS
        if limit:
            told = answer.get("pause")
            self._note(told if isinstance(told, Mapping) else None)
        if self._is_paused:
            # For all of its handlers alike.
            return tasks, ask_again
        if tasks:
            self._worked_at = self._monotonic()
        return tasks, ask_again / len(self._parts) if idle else 0.0

    def _note(self, pause: Mapping[str, Any] | None) -> None:
        """Say once that the pool is paused, and once that it goes on."""
        if pause is not None and not self._is_paused:
            fields = {name: pause.get(name) for name in ("since", "until", "by", "reason")}
            logger.warning("pool_paused", extra={"fields": {"pool": self._pool, **fields}})
        if pause is None and self._is_paused:
            logger.warning("pool_resumed", extra={"fields": {"pool": self._pool}})
            # Work is to be expected: the next claims wait for it.
            self._worked_at = self._monotonic()
        self._is_paused = pause is not None

    def _ask(self, limit: int, handlers: Sequence[str], wait_seconds: float) -> Mapping[str, Any]:
        """Claim runs, and say the worker's capacity to a stage that knows of it."""
        try:
            return self._claim(limit, handlers, wait_seconds)
        except InvalidRequest as error:
            is_unknown = any(each.field in _OF_CAPACITY for each in error.errors)
            if not (self._says_capacity and is_unknown):
                raise
            # The stage is of an earlier release, or was taken back to one.
            self._says_capacity = False
            if limit == 0:
                raise
        return self._claim(limit, handlers, wait_seconds)

    def _claim(self, limit: int, handlers: Sequence[str], wait_seconds: float) -> Mapping[str, Any]:
        says = self._says_capacity
        return self._client.claim_runs(
            self._pool,
            worker=self._worker,
            limit=min(limit, _MOST_AT_ONCE),
            wait_seconds=wait_seconds,
            handlers=handlers,
            capacity=self._capacity if says else None,
            in_use=self._capacity - limit if says else None,
        )


def _read(answer: Mapping[str, Any]) -> Claimed:
    """Return the runs of a claim, and when to ask again; raises ``NotUnderstood``."""
    try:
        lease_seconds = _seconds(answer.get("lease_seconds", _DEFAULT_LEASE_SECONDS))
        runs = [ClaimedRun.of(run, lease_seconds=lease_seconds) for run in answer["runs"]]
        pause = _seconds(answer["ask_again_after_seconds"])
    except (KeyError, TypeError, ValueError) as error:
        raise NotUnderstood(f"a claim lacks {error}") from error
    if not lease_seconds:
        raise NotUnderstood("a claim lacks a lease")
    return runs, pause


def _seconds(value: Any) -> float:  # noqa: ANN401 - any JSON
    """Return a length of time that a thread can wait; raises ``TypeError`` or ``ValueError``."""
    seconds = float(value)
    if not (math.isfinite(seconds) and 0 <= seconds <= _MOST_SECONDS):
        message = f"seconds that can be waited: {value}"
        raise ValueError(message)
    return seconds
