"""Materialising: from a job's next instants to stored runs, exactly one per instant."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from timegate.domain.catch_up import Settlement, settle
from timegate.domain.gate import NEXT_TICK_WITHIN
from timegate.domain.identity import JobId
from timegate.domain.job import JobStatus, Timing
from timegate.domain.plan import MAX_RUNS_PER_STEP, MAX_STEPS, plan_runs
from timegate.domain.tenant import TenantId
from timegate.ports.messaging import Publisher
from timegate.ports.restrictions import RestrictionStore
from timegate.ports.stores import Advance, JobStore, RunStore
from timegate.ports.surroundings import Telemetry
from timegate.usecases.relay_runs import relay_runs


@dataclass(frozen=True, kw_only=True, slots=True)
class Scheduling:
    """What planner and API share: where runs are stored and how far ahead they are made."""

    jobs: JobStore
    runs: RunStore
    restrictions: RestrictionStore
    publisher: Publisher
    telemetry: Telemetry
    look_ahead: timedelta
    #: How early a sub-second message arrives at its executor.
    lead_seconds: float


@dataclass(frozen=True, kw_only=True, slots=True)
class Materialised:
    """What was done."""

    #: Jobs as they stand now, for those this call moved.
    moved: tuple[Timing, ...]
    runs_created: int


def materialise(
    timings: Sequence[Timing], scheduling: Scheduling, *, now: datetime
) -> Materialised:
    """Store the runs of the look-ahead window with their jobs' moves, and publish those due now.

    A job and its runs are written together, so a crash anywhere leaves a job that stands at the
    first instant without a run, in a ``due`` bucket that the next tick comes to.
    """
    moved, active = _settle([t for t in timings if t.status is JobStatus.ACTIVE], scheduling, now)
    created = 0
    for _ in range(MAX_STEPS):
        until = now + scheduling.look_ahead
        plans = [plan_runs(timing, now=now, until=until) for timing in active]
        advances = [
            Advance(timing=timing, plan=plan, at=now)
            for timing, plan in zip(active, plans, strict=True)
            if plan.next_run_at != timing.next_run_at
        ]
        if not advances:
            break
        done = _advance(advances, scheduling, now)
        moved |= {(t.tenant, t.job_id): t for t in done.moved}
        created += done.runs_created
        full = {a.timing.job_id for a in advances if len(a.plan.attempts) == MAX_RUNS_PER_STEP}
        active = [timing for timing in done.moved if timing.job_id in full]
    return Materialised(moved=tuple(moved.values()), runs_created=created)


def materialise_if_soon(timing: Timing, scheduling: Scheduling, *, now: datetime) -> Timing:
    """Materialise a job that the next planner tick might miss; returns it as it stands now."""
    due = timing.next_run_at
    if due is None or due - now > NEXT_TICK_WITHIN:
        return timing
    moved = materialise([timing], scheduling, now=now).moved
    return moved[0] if moved else timing


def _settle(
    timings: Sequence[Timing], scheduling: Scheduling, now: datetime
) -> tuple[dict[tuple[TenantId, JobId], Timing], list[Timing]]:
    """Decide what was missed before it runs late: who was settled, and all that go on.

    A job that somebody else moved is left out.
    """
    settled, active = {}, []
    for timing in timings:
        settlement = settle(timing, now=now)
        if settlement is None:
            active.append(timing)
        elif scheduling.jobs.settle(timing, settlement):
            _report_missed(settlement, scheduling)
            settled[timing.tenant, timing.job_id] = settlement.timing
            active.append(settlement.timing)
    return settled, active


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


def _advance(advances: Sequence[Advance], scheduling: Scheduling, now: datetime) -> Materialised:
    """One step of each job; those that somebody else moved first are left to him."""
    stored = scheduling.runs.plan_all(advances)
    won = [(a, new) for a, new in zip(advances, stored, strict=True) if new is not None]
    created = [attempt for _, new in won for attempt in new]
    planned = sum(len(advance.plan.attempts) for advance, _ in won)
    scheduling.telemetry.count("JobsPlanned", len(won))
    scheduling.telemetry.count("RunsPlanned", len(created))
    scheduling.telemetry.count("DuplicatesRefused", planned - len(created))
    # A refusal here needs no handling: the attempt is in the watch index, and the sweeper
    # publishes what nobody claimed.
    relay_runs(
        [attempt for attempt in created if attempt.direct],
        scheduling.publisher,
        scheduling.telemetry,
        now=now,
        lead_seconds=scheduling.lead_seconds,
    )
    moved = tuple(
        replace(
            advance.timing,
            status=advance.plan.status_after,
            next_run_at=advance.plan.next_run_at,
            runs_planned=advance.plan.runs_planned,
        )
        for advance, _ in won
    )
    return Materialised(moved=moved, runs_created=len(created))
