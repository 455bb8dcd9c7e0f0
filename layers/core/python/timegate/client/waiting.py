"""Waiting for runs to end: repeated looks, less often the longer it takes."""

from collections.abc import Callable, Iterator

from timegate.client.errors import ClientError
from timegate.client.schemas import Run
from timegate.domain.runs.run_states import TERMINAL

_FIRST_PAUSE_SECONDS = 0.5
_LONGEST_PAUSE_SECONDS = 5.0
_GROWTH = 1.3


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


def pauses(
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
