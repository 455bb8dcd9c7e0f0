"""Rescheduling a run: one conditional write decides against a claim."""

from datetime import datetime
from typing import Protocol

from timegate.domain.operations.reschedule import rescheduled
from timegate.domain.runs.run import Attempt
from timegate.domain.values.errors import Conflict, TimegateError
from timegate.domain.values.identity import RunId
from timegate.domain.values.tenant import TenantId
from timegate.ports.stores import AttemptRef
from timegate.ports.telemetry import run_events
from timegate.ports.telemetry.telemetry import of_run
from timegate.usecases.execution.cancel_run import MAX_TRIES, CancelServices
from timegate.usecases.limits.overlap_releases import SlotKeeper, leave_line
from timegate.value_classes import dataclass


class RescheduleServices(CancelServices, SlotKeeper, Protocol):
    """Services that reschedule runs, of the API and of operations."""


@dataclass(frozen=True, kw_only=True, slots=True)
class NewInstant:
    """A run, and when it is to be due."""

    tenant: TenantId
    run: RunId
    due_at: datetime


def reschedule_run(
    wish: NewInstant, services: RescheduleServices, *, now: datetime
) -> tuple[Attempt, ...]:
    """Let a run that has not begun be due at another instant, and return its attempts.

    Repeated, it changes nothing. Raises ``RunNotFound``, ``RunIsFinished``, ``NotReschedulable``
    where a worker was faster, and ``Conflict`` after losing every race.
    """
    for _ in range(MAX_TRIES):
        attempts = services.runs.attempts(wish.tenant, wish.run)
        last = attempts[-1]
        after = rescheduled(last, wish.due_at, now=now)
        if after == last:
            return attempts
        if services.runs.replace(last, after):
            services.telemetry.event(
                run_events.RUN_RESCHEDULED,
                **of_run(last),
                due_at=after.due_at,
            )
            if last.queueing is not None:
                _leave_line(last, services, now)
            return (*attempts[:-1], after)
    raise Conflict(f"Run {wish.run} keeps changing; try again.")


def _leave_line(last: Attempt, services: RescheduleServices, now: datetime) -> None:
    """It waits for no slot now; one that stays in the line is passed over once it is called."""
    try:
        (loaded,) = services.runs.load_all([AttemptRef(tenant=last.tenant, id=last.id)])
        if loaded.job is not None:
            leave_line(last, loaded.job, services, now=now)
    except TimegateError as error:
        services.telemetry.event(run_events.SLOT_NOT_RELEASED, **of_run(last), code=error.code)
