"""Notifying: what is to be heard of a run becomes runs of its own, which tell of it."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import islice

from timegate.domain.errors import JobDamaged, JobNotFound
from timegate.domain.notices import is_late, notices
from timegate.domain.notification import Occasion
from timegate.domain.run import Attempt
from timegate.ports.messaging import Rejects
from timegate.ports.stores import JobStore, RunStore
from timegate.ports.surroundings import Telemetry
from timegate.usecases.execution import Claimed, Execution


@dataclass(frozen=True, kw_only=True, slots=True)
class _Told:
    """An occasion of an attempt, and what tells of it."""

    attempt: Attempt
    occasion: Occasion
    notices: tuple[Attempt, ...]


def notify_of_ends(
    ended: Sequence[Attempt],
    jobs: JobStore,
    runs: RunStore,
    rejects: Rejects,
    telemetry: Telemetry,
    *,
    now: datetime,
) -> None:
    """Store the notices of these ends, for the relay to publish; raises ``Throttled``.

    Their ids are computed and each is inserted once: a record that comes twice, late or out of
    order changes nothing.
    """
    told: list[_Told] = []
    for attempt in ended:
        occasion = attempt.heard_occasion
        if occasion is None or attempt.ended_at is None:
            continue
        try:
            job = jobs.get(attempt.tenant, attempt.id.run.job_id)
        except (JobDamaged, JobNotFound) as error:
            # Nobody knows whom to tell; holding the stream up would help nobody either.
            _give_up(attempt, error, rejects, telemetry)
            continue
        made = notices(job, attempt, occasion, at=attempt.ended_at, now=now)
        told.append(_Told(attempt=attempt, occasion=occasion, notices=made))
    _store(told, runs, telemetry)


def notify_of_lateness(
    candidates: Sequence[Claimed], execution: Execution, *, now: datetime
) -> None:
    """Store the notices of runs that are about to begin late; raises ``Throttled``.

    Before the claim: whoever dies in between leaves a run that is claimed, and told of, again.
    """
    told: list[_Told] = []
    for candidate in candidates:
        attempt, job = candidate.attempt, candidate.job
        begins_at = max(now, attempt.due_at)
        if is_late(attempt, job, now=begins_at):
            late = notices(job, attempt, Occasion.LATE, at=begins_at, now=now)
            told.append(_Told(attempt=attempt, occasion=Occasion.LATE, notices=late))
    _store(told, execution.runs, execution.telemetry)


def _store(told: Sequence[_Told], runs: RunStore, telemetry: Telemetry) -> None:
    """Of all of them at once: their writes go side by side."""
    made = [notice for each in told for notice in each.notices]
    stored = iter(runs.insert_all(made) if made else [])
    for each in told:
        new = sum(islice(stored, len(each.notices)))
        telemetry.count("NotificationsMade", new)
        telemetry.event(
            "notifications_made",
            tenant_id=each.attempt.tenant,
            attempt_id=str(each.attempt.id),
            occasion=each.occasion,
            hooks=len(each.notices),
            stored=new,
        )


def _give_up(
    attempt: Attempt, error: JobDamaged | JobNotFound, rejects: Rejects, telemetry: Telemetry
) -> None:
    telemetry.count("MessagesRejected")
    telemetry.event(
        "notifications_not_made",
        tenant_id=attempt.tenant,
        attempt_id=str(attempt.id),
        detail=str(error),
    )
    parked = json.dumps({"tenant": attempt.tenant, "attempt": str(attempt.id)})
    rejects.park("notifications", parked, str(error))
