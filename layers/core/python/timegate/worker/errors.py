"""Errors that handlers raise, and interruptions that are raised in them.

WorkError
├── PermanentError      trying again cannot help
└── RetryableError      it may, at a time of the handler's choosing
Interrupted             the run is to end without a result
├── RunCancelled        a caller asked for it
├── WorkerStopping      this worker must stop: another one goes on
└── LeaseLost           the run is another worker's now, or has ended
"""


class WorkError(Exception):
    """Failure of a run; its job's retry policy knows it by ``code``."""

    def __init__(self, message: str = "", *, code: str = "handler_error") -> None:
        super().__init__(message)
        self.code = code


class PermanentError(WorkError):
    """The same work would fail the same way."""


class RetryableError(WorkError):
    """It may succeed later, and not before ``retry_after_seconds``.

    Raises ``TypeError`` or ``ValueError`` for a wait that is no number of seconds.
    """

    def __init__(
        self,
        message: str = "",
        *,
        code: str = "handler_error",
        retry_after_seconds: float | None = None,
    ) -> None:
        super().__init__(message, code=code)
        asked = retry_after_seconds
        self.retry_after_seconds = None if asked is None else float(asked)


class Interrupted(Exception):
    """The run is to end without a result; a handler cleans up and lets it pass."""


class RunCancelled(Interrupted):
    """A caller asked to cancel the run."""


class WorkerStopping(Interrupted):
    """This worker must stop; another one goes on from the last checkpoint."""


class LeaseLost(Interrupted):
    """The run is another worker's now, or has ended: nothing more can be said of it."""
