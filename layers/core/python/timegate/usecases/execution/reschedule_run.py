"""Rescheduling a run: one conditional write decides against a claim."""

from datetime import datetime
from typing import Protocol

from timegate.domain.operations.reschedule import rescheduled
from timegate.domain.runs.run import Attempt
from timegate.domain.values.errors import Conflict
from timegate.domain.values.identity import RunId
from timegate.domain.values.tenant import TenantId
from timegate.ports.telemetry import run_events
from timegate.ports.telemetry.telemetry import of_run
from timegate.usecases.execution.cancel_run import MAX_TRIES, CancelServices
from timegate.usecases.limits.overlap_releases import SlotKeeper, try_to_leave_line
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
                try_to_leave_line(last, services, now=now)
            return (*attempts[:-1], after)
    raise Conflict(f"Run {wish.run} keeps changing; try again.")
