"""Notifying: what is to be heard of a run becomes runs of its own, which tell of it."""

import json
from collections.abc import Sequence
from datetime import datetime

from timegate.domain.errors import JobDamaged, JobNotFound
from timegate.domain.notices import is_late, notices
from timegate.domain.notification import Occasion
from timegate.domain.run import Attempt
from timegate.ports.messaging import Rejects
from timegate.ports.stores import JobStore, RunStore
from timegate.ports.surroundings import Telemetry
from timegate.usecases.execution import Claimed, Execution


def notify_of_ends(
    ended: Sequence[Attempt],
    jobs: JobStore,
    runs: RunStore,
    rejects: Rejects,
    telemetry: Telemetry,
) -> None:
    """Store the notices of these ends, for the relay to publish; raises ``Throttled``.

    Their ids are computed and each is inserted once: a record that comes twice, late or out of
    order changes nothing.
    """
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
        _store(
            notices(job, attempt, occasion, at=attempt.ended_at), attempt, occasion, runs, telemetry
        )


def notify_of_lateness(
    candidates: Sequence[Claimed], execution: Execution, *, now: datetime
) -> None:
    """Store the notices of runs that are about to begin late; raises ``Throttled``.

    Before the claim: whoever dies in between leaves a run that is claimed, and told of, again.
    """
    for candidate in candidates:
        attempt, job = candidate.attempt, candidate.job
        begins_at = max(now, attempt.due_at)
        if is_late(attempt, job, now=begins_at):
            late = notices(job, attempt, Occasion.LATE, at=begins_at)
            _store(late, attempt, Occasion.LATE, execution.runs, execution.telemetry)


def _store(
    made: Sequence[Attempt],
    attempt: Attempt,
    occasion: Occasion,
    runs: RunStore,
    telemetry: Telemetry,
) -> None:
    stored = sum(runs.insert_all(made)) if made else 0
    telemetry.count("NotificationsMade", stored)
    telemetry.event(
        "notifications_made",
        tenant_id=attempt.tenant,
        attempt_id=str(attempt.id),
        occasion=occasion,
        hooks=len(made),
        stored=stored,
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
