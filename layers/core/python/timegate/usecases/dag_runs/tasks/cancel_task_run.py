"""Cancelling the run of a task: at once while it waits, at its worker's next heartbeat after."""

from collections.abc import Iterable, Mapping
from dataclasses import replace

from timegate.domain.dag_runs.run_identity import task_run_mark
from timegate.domain.runs.conclusion import end
from timegate.domain.runs.run import Attempt, Reason, RunState
from timegate.domain.values.identity import RunId
from timegate.ports.telemetry import service_events
from timegate.ports.telemetry.telemetry import of_run
from timegate.usecases.dag_runs.dag_run_services import DagWorks

#: Workers claim, heartbeat and finish meanwhile; a run changes only so often.
_TRIES = 5


def cancel_task_run(attempt: Attempt, works: DagWorks) -> None:
    """Cancel a run whose last attempt this was, unless it has ended; raises ``Throttled``."""
    for _ in range(_TRIES):
        if attempt.ends_run or attempt.cancel_requested:
            return
        if attempt.state in {RunState.WAITING, RunState.QUEUED}:
            after = _ended_or_left(attempt, works)
        else:
            after = replace(attempt, cancel_requested=True)
        if works.runs.replace(attempt, after):
            works.telemetry.event(
                service_events.TASK_RUN_CANCELLED,
                **of_run(attempt),
            )
            return
        attempt = works.runs.attempts(attempt.tenant, attempt.id.run)[-1]


def _ended_or_left(attempt: Attempt, works: DagWorks) -> Attempt:
    """A run that waits for another slice or try may have left something that goes on alone."""
    # Few runs are cancelled.
    from timegate.usecases.runs.left_to_executor import left_to_executor  # noqa: PLC0415

    now = works.clock.now()
    left = left_to_executor(attempt, works.runs, now=now)
    return left or end(attempt, RunState.CANCELLED, now=now, reason=Reason.CANCEL_REQUESTED)


def cancel_task_runs(attempts: Iterable[Attempt], works: DagWorks) -> None:
    """Cancel every run that these are attempts at, unless it has ended; raises ``Throttled``."""
    for attempt in last_attempts(attempts).values():
        cancel_task_run(attempt, works)


def last_attempts(attempts: Iterable[Attempt]) -> Mapping[RunId, Attempt]:
    """The last attempt of each run."""
    return {attempt.id.run: attempt for attempt in sorted(attempts, key=lambda a: a.id)}


def latest_runs(attempts: Iterable[Attempt]) -> Mapping[int, Attempt]:
    """Return the last attempt of each member in the latest round in which it has a run.

    Ids count rounds without leading zeros, so they do not sort as the rounds do.
    """
    marked = [
        (mark, attempt)
        for attempt in last_attempts(attempts).values()
        if (mark := task_run_mark(attempt.id.run)) is not None
    ]
    return {mark.index: attempt for mark, attempt in sorted(marked, key=lambda one: one[0].round)}
