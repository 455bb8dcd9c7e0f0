"""Notifying: what is to be heard of a run becomes runs of its own, which tell of it."""

from collections.abc import Sequence
from datetime import datetime
from itertools import islice

from timegate.domain.execution.late_starts import is_late
from timegate.domain.execution.notices import notices
from timegate.domain.jobs.job import Job
from timegate.domain.jobs.notification import Occasion
from timegate.domain.runs.run import Attempt
from timegate.ports.stores import RunStore
from timegate.ports.telemetry import run_events, run_metrics
from timegate.ports.telemetry.telemetry import Telemetry, of_run
from timegate.usecases.services.execution_services import Claimed, Execution
from timegate.value_classes import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class OccasionNotice:
    """An occasion of an attempt, and what tells of it."""

    attempt: Attempt
    occasion: Occasion
    notices: tuple[Attempt, ...]


def told_of_end(job: Job, attempt: Attempt, occasion: Occasion, *, now: datetime) -> OccasionNotice:
    """Build the notifications of an end, for each hook that wants them."""
    made = notices(job, attempt, occasion, at=attempt.ended_at or now, now=now)
    return OccasionNotice(attempt=attempt, occasion=occasion, notices=made)


def notify_of_lateness(
    candidates: Sequence[Claimed], execution: Execution, *, now: datetime
) -> None:
    """Store the notices of runs that are about to begin late; raises ``Throttled``.

    Before the claim: a crash in between leaves a run that is claimed, and told of, again.
    """
    told: list[OccasionNotice] = []
    for candidate in candidates:
        attempt, job = candidate.attempt, candidate.job
        begins_at = max(now, attempt.due_at)
        if is_late(attempt, job, now=begins_at):
            late = notices(job, attempt, Occasion.LATE, at=begins_at, now=now)
            told.append(OccasionNotice(attempt=attempt, occasion=Occasion.LATE, notices=late))
    store_told(told, execution.runs, execution.telemetry)


def store_told(told: Sequence[OccasionNotice], runs: RunStore, telemetry: Telemetry) -> None:
    """Store notices, for the relay to publish, side by side; raises ``Throttled``.

    Their ids are computed and each is inserted once: an end that is shown twice changes nothing.
    """
    told = [each for each in told if each.notices]
    made = [notice for each in told for notice in each.notices]
    stored = iter(runs.insert_all(made) if made else [])
    for each in told:
        new = sum(islice(stored, len(each.notices)))
        telemetry.count(run_metrics.NOTIFICATIONS_MADE, new)
        telemetry.event(
            run_events.NOTIFICATIONS_MADE,
            **of_run(each.attempt),
            occasion=each.occasion,
            hooks=len(each.notices),
            stored=new,
        )
