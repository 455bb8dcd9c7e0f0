"""Following ends: who wants to hear of one is told, and the jobs that follow it are begun."""

import json
from collections.abc import Sequence
from datetime import datetime

from timegate.domain.execution.follow_ups import following, parent_of, triggered
from timegate.domain.jobs.job import Job
from timegate.domain.jobs.notification import Occasion
from timegate.domain.runs.run import Attempt
from timegate.domain.values.errors import JobDamaged, JobNotFound
from timegate.ports.dispatch.messaging import Rejects
from timegate.ports.stores import JobStore, RunStore
from timegate.ports.telemetry import run_events, run_metrics, service_metrics
from timegate.ports.telemetry.telemetry import Telemetry, of_run
from timegate.usecases.outcomes.notify import OccasionNotice, store_told, told_of_end
from timegate.value_classes import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class Followers:
    """Services that follow ends."""

    jobs: JobStore
    runs: RunStore
    rejects: Rejects
    telemetry: Telemetry


def follow_ends(ended: Sequence[Attempt], followers: Followers, *, now: datetime) -> None:
    """Store what these ends bring about, for the relay to publish; raises ``Throttled``.

    Ids are computed and each run is inserted once: a record that comes twice, late or out of order
    changes nothing.
    """
    told: list[OccasionNotice] = []
    made: list[Attempt] = []
    for attempt in ended:
        occasion, missed = attempt.heard_occasion, attempt.heard_miss
        if attempt.ended_at is None or (occasion is None and not missed):
            continue
        try:
            job = followers.jobs.get(attempt.tenant, attempt.id.run.job_id)
        except (JobDamaged, JobNotFound) as error:
            # No channel is known to tell; holding the stream up would not change that.
            _give_up(attempt, error, followers)
            continue
        if missed:
            told.append(told_of_end(job, attempt, Occasion.MISSED_DEADLINE, now=now))
        if occasion is not None:
            told.append(told_of_end(job, attempt, occasion, now=now))
            made += _triggered(job, attempt, occasion, followers, now)
    store_told(told, followers.runs, followers.telemetry)
    _store(made, followers)


def _triggered(
    job: Job, attempt: Attempt, occasion: Occasion, followers: Followers, now: datetime
) -> list[Attempt]:
    """One run of each job that follows this end; of an unreadable one, none."""
    made = []
    for follow_up in following(job, attempt, occasion):
        try:
            target = followers.jobs.get(attempt.tenant, follow_up.job_id)
        except (JobDamaged, JobNotFound) as error:
            _give_up(attempt, error, followers)
            continue
        parent = parent_of(follow_up, job, attempt, occasion)
        ended_at = attempt.ended_at or now
        made.append(
            triggered(
                follow_up,
                target.timing,
                parent,
                trace=attempt.any_trace,
                ended_at=ended_at,
                now=now,
            )
        )
    return made


def _store(made: Sequence[Attempt], followers: Followers) -> None:
    if not made:
        return
    stored = followers.runs.insert_all(made)
    followers.telemetry.count(run_metrics.FOLLOW_UPS_TRIGGERED, sum(stored))
    for run, is_new in zip(made, stored, strict=True):
        followers.telemetry.event(
            run_events.FOLLOW_UP_TRIGGERED,
            **of_run(run),
            parent=str(run.parent.attempt) if run.parent is not None else None,
            is_new=is_new,
        )


def _give_up(attempt: Attempt, error: JobDamaged | JobNotFound, followers: Followers) -> None:
    followers.telemetry.count(service_metrics.MESSAGES_REJECTED)
    followers.telemetry.event(
        run_events.END_NOT_FOLLOWED,
        **of_run(attempt),
        detail=str(error),
    )
    parked = json.dumps({"tenant": attempt.tenant, "attempt": str(attempt.id)})
    followers.rejects.park("ends", parked, str(error))
