"""Materialising: from a job's next instants to stored runs, exactly one per instant."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from timegate.domain.catch_up import Settlement, settle
from timegate.domain.gate import NEXT_TICK_WITHIN
from timegate.domain.job import JobStatus, Timing
from timegate.domain.plan import Plan, plan_runs
from timegate.domain.run import Attempt
from timegate.ports.messaging import Publisher
from timegate.ports.stores import Advance, JobStore, RunStore
from timegate.ports.surroundings import Telemetry
from timegate.usecases.relay_runs import relay_runs


@dataclass(frozen=True, kw_only=True, slots=True)
class Scheduling:
    """What planner and API share: where runs are stored and how far ahead they are made."""

    jobs: JobStore
    runs: RunStore
    publisher: Publisher
    telemetry: Telemetry
    look_ahead: timedelta
    #: How early a sub-second message arrives at its executor.
    lead_seconds: float


@dataclass(frozen=True, kw_only=True, slots=True)
class Materialised:
    """What one step did."""

    #: Jobs as they stand now, for those this call advanced.
    advanced: tuple[Timing, ...]
    runs_created: int


def materialise(
    timings: Sequence[Timing], scheduling: Scheduling, *, now: datetime
) -> Materialised:
    """Store the runs of the look-ahead window, publish those due now, then advance the jobs.

    In this order a crash anywhere repeats conditional writes and loses nothing: until a job is
    advanced it stays in its ``due`` bucket and the next tick comes back to it.
    """
    active = _settle([t for t in timings if t.status is JobStatus.ACTIVE], scheduling, now)
    until = now + scheduling.look_ahead
    plans = [plan_runs(timing, now=now, until=until) for timing in active]
    attempts = [attempt for plan in plans for attempt in plan.attempts]
    created = _store(attempts, scheduling, now)
    advanced = _advance(active, plans, scheduling)
    _complete_finished(active, plans, scheduling, now)
    return Materialised(advanced=advanced, runs_created=created)


def materialise_if_soon(timing: Timing, scheduling: Scheduling, *, now: datetime) -> Timing:
    """Materialise a job that the next planner tick might miss; returns it as it stands now."""
    due = timing.next_run_at
    if due is None or due - now > NEXT_TICK_WITHIN:
        return timing
    advanced = materialise([timing], scheduling, now=now).advanced
    return advanced[0] if advanced else timing


def _settle(timings: Sequence[Timing], scheduling: Scheduling, now: datetime) -> list[Timing]:
    """Decide what was missed before it runs late; a job that somebody else moved is left out."""
    settled = []
    for timing in timings:
        settlement = settle(timing, now=now)
        if settlement is None:
            settled.append(timing)
        elif scheduling.jobs.settle(timing, settlement):
            _report_missed(settlement, scheduling)
            settled.append(settlement.timing)
    return settled


def _report_missed(settlement: Settlement, scheduling: Scheduling) -> None:
    gap = settlement.gap
    scheduling.telemetry.count("InstantsMissed", gap.count if gap is not None else 0)
    scheduling.telemetry.event(
        "missed_settled",
        tenant_id=settlement.timing.tenant,
        job_id=settlement.timing.job_id,
        skipped=gap.count if gap is not None else 0,
        next_run_at=settlement.timing.next_run_at,
    )


def _store(attempts: Sequence[Attempt], scheduling: Scheduling, now: datetime) -> int:
    stored = scheduling.runs.insert_all(attempts) if attempts else []
    new = [attempt for attempt, is_new in zip(attempts, stored, strict=True) if is_new]
    scheduling.telemetry.count("RunsPlanned", len(new))
    scheduling.telemetry.count("DuplicatesRefused", len(attempts) - len(new))
    # A refusal here needs no handling: the attempt is in the watch index, and the sweeper
    # publishes what nobody claimed.
    relay_runs(
        [attempt for attempt in new if attempt.direct],
        scheduling.publisher,
        scheduling.telemetry,
        now=now,
        lead_seconds=scheduling.lead_seconds,
    )
    return len(new)


def _advance(
    timings: Sequence[Timing], plans: Sequence[Plan], scheduling: Scheduling
) -> tuple[Timing, ...]:
    moved = [
        Advance(timing=timing, plan=plan)
        for timing, plan in zip(timings, plans, strict=True)
        if plan.next_run_at != timing.next_run_at
    ]
    won = scheduling.jobs.advance_all(moved) if moved else []
    scheduling.telemetry.count("JobsPlanned", sum(won))
    return tuple(
        replace(
            advance.timing,
            next_run_at=advance.plan.next_run_at,
            runs_planned=advance.plan.runs_planned,
        )
        for advance, ok in zip(moved, won, strict=True)
        if ok
    )


def _complete_finished(
    timings: Sequence[Timing], plans: Sequence[Plan], scheduling: Scheduling, now: datetime
) -> None:
    """A job whose schedule ended without a further run has no last run to complete it."""
    for timing, plan in zip(timings, plans, strict=True):
        if plan.exhausts_job and not plan.attempts:
            scheduling.jobs.complete(timing.tenant, timing.job_id, now=now)
