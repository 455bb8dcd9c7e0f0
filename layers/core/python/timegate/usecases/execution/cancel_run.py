"""Cancelling a run: at once while it waits, at its worker's next heartbeat once it runs."""

from dataclasses import replace
from datetime import datetime
from typing import Protocol

from timegate.domain.execution.notices import listening
from timegate.domain.operations.reschedule import is_pending
from timegate.domain.runs.conclusion import end
from timegate.domain.runs.run import TERMINAL, Attempt, Reason, RunState
from timegate.domain.runs.watch import watched_end
from timegate.domain.values.errors import (
    Conflict,
    JobDamaged,
    JobNotFound,
    RunIsFinished,
)
from timegate.domain.values.identity import RunId
from timegate.domain.values.tenant import TenantId
from timegate.ports.stores import JobStore, RunStore
from timegate.ports.telemetry import run_events, run_metrics
from timegate.ports.telemetry.telemetry import Telemetry, of_run
from timegate.usecases.limits.overlap_releases import try_to_leave_line
from timegate.usecases.limits.tallied_ends import counted_as
from timegate.usecases.runs.left_to_executor import left_to_executor
from timegate.usecases.services.api_services import ApiServices


class CancelServices(Protocol):
    """Services that cancel runs, of the API and of operations."""

    @property
    def jobs(self) -> JobStore:
        """The definitions."""

    @property
    def runs(self) -> RunStore:
        """The store of runs."""

    @property
    def telemetry(self) -> Telemetry:
        """One event per decision."""


#: Workers claim, heartbeat and finish meanwhile; a run changes only so often.
MAX_TRIES = 5


def cancel_run(
    tenant: TenantId, run: RunId, services: ApiServices, *, now: datetime
) -> tuple[Attempt, ...]:
    """Cancel a run and return its attempts; one that is cancelled stays as it is.

    Raises ``RunNotFound``, ``RunIsFinished`` when it ended in another way, and ``Conflict``
    after losing every race.
    """
    for _ in range(MAX_TRIES):
        attempts = services.runs.attempts(tenant, run)
        last = attempts[-1]
        changed = _changed(last, services, now)
        if changed == last:
            return attempts
        if services.runs.replace(last, changed):
            _report(changed, services)
            if last.is_under_way and changed.state is RunState.CANCELLED:
                # It kept its slot between two slices.
                try_to_leave_line(last, services, now=now)
            return (*attempts[:-1], changed)
    raise Conflict(f"Run {run} keeps changing; try again.")


def cancel_pending(
    tenant: TenantId, run: RunId, services: CancelServices, *, now: datetime
) -> Attempt:
    """Cancel a run that has not begun, or whose next try is to come, and return its last attempt.

    One that is at work or has ended stays as it is. Raises ``RunNotFound``, ``RunDamaged`` and
    ``Conflict``.
    """
    for _ in range(MAX_TRIES):
        last = services.runs.attempts(tenant, run)[-1]
        if not is_pending(last):
            return last
        changed = _changed(last, services, now)
        if changed == last or services.runs.replace(last, changed):
            if changed != last:
                _report(changed, services)
            return changed
    raise Conflict(f"Run {run} keeps changing; try again.")


def _changed(last: Attempt, services: CancelServices, now: datetime) -> Attempt:
    """The last attempt of a run after the request; itself if there is nothing to do."""
    changed = _cancelled(last, now)
    if changed.state is RunState.CANCELLED and changed != last:
        changed = left_to_executor(last, services.runs, now=now) or changed
    if changed != last and changed.state is RunState.CANCELLED:
        changed = _heard(changed, services)
    return changed


def _cancelled(attempt: Attempt, now: datetime) -> Attempt:
    if attempt.state in {RunState.WAITING, RunState.QUEUED}:
        return end(attempt, RunState.CANCELLED, now=now, reason=Reason.CANCEL_REQUESTED)
    if attempt.state in TERMINAL and attempt.state is not RunState.CANCELLED:
        raise RunIsFinished(str(attempt.id.run), attempt.state)
    if attempt.state is RunState.RUNNING:
        return replace(attempt, cancel_requested=True)
    return attempt


def _heard(cancelled: Attempt, services: CancelServices) -> Attempt:
    """Return the cancelled attempt with the listeners of its job; no claim told it of them."""
    try:
        job = services.jobs.get(cancelled.tenant, cancelled.id.run.job_id)
        return watched_end(listening(cancelled, job))
    except (JobDamaged, JobNotFound):
        return cancelled


def _report(attempt: Attempt, services: CancelServices) -> None:
    services.telemetry.event(
        run_events.RUN_CANCELLED
        if attempt.state is RunState.CANCELLED
        else run_events.RUN_CANCEL_REQUESTED,
        **of_run(attempt),
    )
    is_over = attempt.state is RunState.CANCELLED
    services.telemetry.count(counted_as(attempt, run_metrics.RUNS_CANCELLED), int(is_over))
