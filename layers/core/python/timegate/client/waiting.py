"""Waiting for runs to end: repeated looks, less often the longer it takes."""

from collections.abc import Callable, Iterator

from timegate.client.errors import ClientError
from timegate.client.retries import Retries
from timegate.client.schemas import Run
from timegate.domain.runs.run_states import TERMINAL

_FIRST_PAUSE_SECONDS = 0.5
_LONGEST_PAUSE_SECONDS = 5.0
_GROWTH = 1.3
#: A stage may be away for so long between two looks.
_OUTAGE_SECONDS = 300.0


class RunNotEnded(ClientError):
    """The run was still waiting or running when the time was up."""

    def __init__(self, run_id: str, timeout_seconds: float) -> None:
        super().__init__("run_not_ended", f"{run_id} has not ended after {timeout_seconds:g} s.")
        self.run_id = run_id


class RunNotSucceeded(ClientError):
    """The run has ended otherwise; ``run`` has its attempts."""

    def __init__(self, run: Run) -> None:
        error = run["error"]
        why = f": {error['message']}" if error is not None else ""
        code = error["code"] if error is not None else run["reason"] or "run_not_succeeded"
        super().__init__(code, f"{run['run_id']} is {run['state']}{why}")
        self.run = run


def has_ended(run: Run) -> bool:
    """No attempt at it is to come or under way."""
    return run["state"] in TERMINAL


def stands_for(run: Run) -> str | None:
    """Return the run that stands for a trigger that collapsed; ``None``: it is its own."""
    # An older API says nothing of it.
    collapse = run.get("collapse") if run.get("reason") == "collapsed" else None
    return None if collapse is None else collapse["into"]


def is_over(run: Run) -> bool:
    """The run has ended, and no other one stands for it."""
    return has_ended(run) and stands_for(run) is None


class Looks:
    """Repeated looks at a run: which one to look at, and when again.

    A stage that was reached once may be away for five minutes: a deployment, or a network that is
    lost for a moment, ends no wait.
    """

    def __init__(
        self,
        run_id: str,
        timeout_seconds: float | None,
        *,
        retries: Retries,
        clock: Callable[[], float],
    ) -> None:
        #: The run to look at; another one than was asked for, once that stands for it.
        self.run_id = run_id
        self._retries = retries
        self._clock = clock
        self._pauses = _pauses(run_id, timeout_seconds, clock)
        self._left: set[str] = set()
        #: The last look that was answered; ``None``: none was yet.
        self._answered_at: float | None = None

    def after(self, run: Run) -> float:
        """Return the seconds until the next look at what is not over; raises ``RunNotEnded``."""
        self._answered_at = self._clock()
        other = stands_for(run)
        if other is None or other in self._left:
            return next(self._pauses)
        self._left.add(self.run_id)
        self.run_id = other
        return 0.0

    def after_failure(self, error: ClientError) -> float:
        """Return the seconds until the next look after one that failed; raises ``RunNotEnded``.

        Raises the error itself if no look was answered yet, for five minutes, or if another try
        would not help.
        """
        known = self._answered_at
        asked = self._retries.wait_seconds(error, 0.0, is_repeatable=True)
        if known is None or asked is None or self._clock() - known > _OUTAGE_SECONDS:
            raise error
        return max(asked, next(self._pauses))


def _pauses(
    run_id: str, timeout_seconds: float | None, clock: Callable[[], float]
) -> Iterator[float]:
    """Yield the seconds between looks; raises ``RunNotEnded`` when the time is up.

    A look that takes long counts by the clock.
    """
    begun, waited, pause = clock(), 0.0, _FIRST_PAUSE_SECONDS
    while timeout_seconds is None or waited < timeout_seconds:
        left = pause if timeout_seconds is None else min(pause, timeout_seconds - waited)
        yield left
        waited = max(waited + left, clock() - begun)
        pause = min(_GROWTH * pause, _LONGEST_PAUSE_SECONDS)
    raise RunNotEnded(run_id, timeout_seconds)
