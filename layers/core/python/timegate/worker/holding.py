"""Holding on to a run: heartbeats beside its handler, whatever that does."""

import logging
import time
from collections.abc import Callable
from http import HTTPStatus
from threading import Event, Lock, Thread
from typing import Any

from timegate.client import CallbackClient, ClientError, NotSendable, ProblemError, TimegateClient
from timegate.worker.errors import Interrupted, LeaseLost, PermanentError, RunCancelled
from timegate.worker.logs.log_buffer import LogBuffer
from timegate.worker.task import ClaimedRun

logger = logging.getLogger("timegate.worker")

#: Two heartbeats may be lost before the lease expires.
BEATS_PER_LEASE = 3
#: After one that was not answered.
_SOONER = 4


def seconds_passed() -> float:
    """Read a clock that goes on while the machine sleeps, as its leases do, where there is one."""
    asleep_as_well = getattr(time, "CLOCK_BOOTTIME", None)
    return time.monotonic() if asleep_as_well is None else time.clock_gettime(asleep_as_well)


class Hold:
    """The lease of one run, kept by a thread of its own until it is let go."""

    def __init__(
        self,
        client: TimegateClient | CallbackClient,
        task: ClaimedRun,
        *,
        monotonic: Callable[[], float] = seconds_passed,
    ) -> None:
        self.task = task
        self._client = client.traced(task.traceparent)
        self._monotonic = monotonic
        self._renewed_at = monotonic()
        self._ended = Event()
        #: One heartbeat at a time: they arrive in the order in which they are sent.
        self._sending = Lock()
        self._changing = Lock()
        self._progress: dict[str, Any] | None = None
        self._interruption: Interrupted | None = None
        #: Also where another interruption came first.
        self._is_lost = False
        self._hearing: list[Callable[[], None]] = []
        self._log_lines = LogBuffer(self._client, task)

    @property
    def interruption(self) -> Interrupted | None:
        """Return the reason for which the handler should stop, if there is one."""
        return self._interruption

    @property
    def is_over(self) -> bool:
        """Tell if the run was let go."""
        return self._ended.is_set()

    def start(self) -> None:
        """Begin to send heartbeats, and to watch the lease."""
        for work in (self._keep, self._watch):
            Thread(target=work, name=f"hold {self.task.run_id}", daemon=True).start()

    def is_ours(self) -> bool:
        """Say a word at once; whether the run is held, as far as the API answers."""
        self._beat()
        return not isinstance(self._interruption, LeaseLost)

    def end(self) -> None:
        """Send no more."""
        self._ended.set()
        self._log_lines.end()

    def log(self, text: str, level: str) -> None:
        """Keep a line for the run's log; it is sent soon."""
        self._log_lines.add(text, level)

    def flush_log(self) -> None:
        """Send what was said, before the run's end is: after that no report is taken."""
        self._log_lines.flush()

    def interrupt(self, why: Interrupted) -> None:
        """Let the handler know that it should stop; the first reason stays."""
        with self._changing:
            if self._interruption is not None:
                return
            self._interruption = why
            hearing, self._hearing = self._hearing, []
        self._log("run_interrupted", reason=type(why).__name__)
        for hear in hearing:
            hear()

    def on_interruption(self, hear: Callable[[], None]) -> None:
        """Call this once the handler should stop, or at once if it should already."""
        with self._changing:
            if self._interruption is None:
                self._hearing.append(hear)
                return
        hear()

    def progress(self, percent: float | None, message: str | None) -> None:
        """Remember it for the next heartbeat."""
        with self._changing:
            self._progress = {"percent": percent, "message": message}

    def checkpoint(self, value: object) -> None:
        """Store it now, trying as long as the lease may live, also for an interrupted handler.

        Raises ``Interrupted``, and ``PermanentError`` for what is refused.
        """
        pause = self._interval / _SOONER / _SOONER
        while not self._beat(checkpoint=value):
            if self._ended.wait(pause):
                self._lose()
            if self._is_lost:
                break
        if self._interruption is not None:
            raise self._interruption

    @property
    def _interval(self) -> float:
        return self.task.lease_seconds / BEATS_PER_LEASE

    def _keep(self) -> None:
        pause = self._interval
        while not self._ended.wait(pause):
            answered = self._beat()
            pause = self._interval if answered else self._interval / _SOONER

    def _watch(self) -> None:
        """Lose the lease once it has expired by this clock, whatever a heartbeat waits for.

        A wait stands still while the machine sleeps, so it is a short one.
        """
        while (left := self._renewed_at + self.task.lease_seconds - self._monotonic()) > 0:
            if self._ended.wait(min(left, self._interval / _SOONER)):
                return
        self._lose()

    def _lose(self) -> None:
        self._is_lost = True
        self.interrupt(LeaseLost("The run is not held any more."))

    def _beat(self, checkpoint: object = None) -> bool:
        """Send a heartbeat and tell if it was answered; the answer is applied by then."""
        with self._sending:
            with self._changing:
                progress, self._progress = self._progress, None
            # The lease is counted from no later instant than the API counts it from.
            sent_at = self._monotonic()
            try:
                heard = self._client.heartbeat_run(
                    self.task.run_id,
                    lease_token=self.task.lease_token,
                    progress=progress,
                    checkpoint=checkpoint,
                )
            except ClientError as error:
                self._refused(error, progress, with_checkpoint=checkpoint is not None)
                return False
            self._renewed_at = sent_at
        if heard.get("cancel_requested"):
            self.interrupt(RunCancelled("A cancel was requested."))
        return True

    def _refused(
        self, error: ClientError, progress: dict[str, Any] | None, *, with_checkpoint: bool
    ) -> None:
        self._log("heartbeat_missed", code=error.code)
        if is_lost(error) or self._monotonic() - self._renewed_at > self.task.lease_seconds:
            self._lose()
        elif is_our_fault(error):
            # Sent again, it would be refused again; without it the lease can be kept. A checkpoint
            # is sent once more without the progress, which may be what was refused.
            if with_checkpoint and progress is None:
                raise PermanentError(error.detail, code="checkpoint_refused") from error
        else:
            with self._changing:
                self._progress = self._progress or progress

    def _log(self, event: str, **fields: object) -> None:
        told = {"run_id": self.task.run_id, "fence": self.task.fence, **fields}
        logger.info(event, extra={"fields": told})


#: Another worker holds it, it has ended, or it is forgotten. Other conflicts may pass.
_LOST = frozenset({"lease_lost", "run_not_found"})
#: A later checkpoint of the same worker is on record already, or the job has no slices.
_UNFIT = frozenset({"checkpoint_outdated", "continue_not_allowed"})


def is_lost(error: ClientError) -> bool:
    """The API says that the run is not this worker's."""
    return isinstance(error, ProblemError) and error.code in _LOST


def is_our_fault(error: ClientError) -> bool:
    """Tell if the same words would be refused again."""
    refused = (HTTPStatus.BAD_REQUEST, HTTPStatus.REQUEST_ENTITY_TOO_LARGE)
    if not isinstance(error, ProblemError):
        return isinstance(error, NotSendable)
    return error.status in refused or error.code in _UNFIT
