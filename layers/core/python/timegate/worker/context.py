"""The handler's context: the run, and ways to report progress."""

from collections.abc import Callable, Mapping
from contextvars import ContextVar
from datetime import datetime
from typing import Any, Protocol

from timegate.client import Profile
from timegate.domain.ledger.worker_log import Level
from timegate.worker.errors import Interrupted, LeaseLost
from timegate.worker.task import ClaimedRun


class Reporter(Protocol):
    """Carries what a handler says to the API, from wherever the handler runs."""

    @property
    def interruption(self) -> Interrupted | None:
        """Return the reason to stop, if there is one."""

    def progress(self, percent: float | None, message: str | None) -> None:
        """Remember it for the next heartbeat."""

    def checkpoint(self, value: object) -> None:
        """Store it now; raises ``Interrupted`` when that cannot be done any more."""

    def log(self, text: str, level: str) -> None:
        """Keep a line for the run's log."""

    def on_interruption(self, hear: Callable[[], None]) -> None:
        """Call this once the handler should stop, or at once if it should already."""


class Context:
    """One run, in the hands of its handler."""

    def __init__(
        self, task: ClaimedRun, reporter: Reporter, *, profile: Profile | None = None
    ) -> None:
        self._task = task
        self._reporter = reporter
        #: Access of the run's worker, for jobs that the handler triggers; ``None``: the
        #: environment's.
        self.profile = profile
        #: Where the run's last worker would go on; ``None``: at the beginning.
        self.last_checkpoint: Any = task.last_checkpoint

    @property
    def run_id(self) -> str:
        """The run."""
        return self._task.run_id

    @property
    def job_id(self) -> str:
        """Its job."""
        return self._task.job_id

    @property
    def job_name(self) -> str:
        """The job's name."""
        return self._task.job_name

    @property
    def payload(self) -> Any:  # noqa: ANN401 - any JSON
        """The payload of the job's runs."""
        return self._task.payload

    @property
    def attempt(self) -> int:
        """The number of the try at the run, from 1."""
        return self._task.attempt

    @property
    def idempotency_key(self) -> str:
        """The same for every try at the run."""
        return self._task.idempotency_key

    @property
    def fence(self) -> int:
        """Higher than that of every worker that held the run before."""
        return self._task.fence

    @property
    def parent(self) -> Mapping[str, Any] | None:
        """The end of the run that triggered this one; ``None``: none did."""
        return self._task.parent

    @property
    def traceparent(self) -> str | None:
        """The run's place in its trace (W3C), for what the handler calls; ``None``: not told."""
        return self._task.traceparent

    @property
    def scheduled_at(self) -> datetime:
        """The instant that the schedule names."""
        return self._task.scheduled_at

    @property
    def deadline_at(self) -> datetime:
        """The run is stopped then."""
        return self._task.deadline_at

    @property
    def interrupted(self) -> bool:
        """The handler should stop: the run is cancelled, lost, or its worker must stop."""
        return self._reporter.interruption is not None

    def raise_if_interrupted(self) -> None:
        """Raise ``RunCancelled``, ``WorkerStopping`` or ``LeaseLost`` if it is to stop."""
        interruption = self._reporter.interruption
        if interruption is not None:
            raise interruption

    def progress(self, percent: float | None = None, message: str | None = None) -> None:
        """Say how far the run is: 0 to 100, a line of text, or both; sent with a heartbeat.

        Raises as ``raise_if_interrupted``, and ``TypeError`` for a percentage that is no number.
        """
        self.raise_if_interrupted()
        self._reporter.progress(
            None if percent is None else float(percent),
            None if message is None else sendable(message),
        )

    def checkpoint(self, value: object) -> None:
        """Store where the next worker begins: any JSON up to 256 KB; it is safe on return.

        Raises as ``raise_if_interrupted``, ``PermanentError`` for what is refused, and
        ``ValueError`` for ``None``, by which the API knows that there is none. A handler that is
        interrupted has stored it all the same, unless the run is lost: what is done stays done.
        """
        if value is None:
            message = "None is no checkpoint: the last one would stay; store where to begin"
            raise ValueError(message)
        if isinstance(self._reporter.interruption, LeaseLost):
            self.raise_if_interrupted()
        self._reporter.checkpoint(value)
        self.last_checkpoint = value

    def log(self, text: str, level: str = "info") -> None:
        """Say something into the run's log: a line of up to 4,096 characters, sent soon.

        ``level`` is ``debug``, ``info``, ``warning`` or ``error``; raises ``ValueError`` for
        another. Never fails for want of the log: the work goes on without it.
        """
        self._reporter.log(sendable(text), Level(level).value)


def sendable(text: object) -> str:
    """Return the text of a value, with halves of surrogate pairs, which have no bytes, escaped."""
    return str(text).encode(errors="backslashreplace").decode()


#: That of the handler at work, in its thread or task: ``RunLogHandler`` speaks through it.
CURRENT: ContextVar[Context | None] = ContextVar("timegate_run", default=None)
