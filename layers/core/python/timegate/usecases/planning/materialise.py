"""Materialising: from a job's next instants to stored runs, exactly one per instant."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from timegate.domain.jobs.job import JobStatus, Timing
from timegate.domain.ledger.ledger import withdrawn_zone
from timegate.domain.planning.catch_up import SettledCatchUp
from timegate.domain.planning.plan import MAX_STEPS, plan_runs
from timegate.domain.planning.roll_ahead import needed_from
from timegate.domain.runs.gate import NEXT_TICK_WITHIN
from timegate.domain.runs.run import Attempt, Reason
from timegate.domain.values.identity import JobId
from timegate.domain.values.instants import MILLISECOND
from timegate.domain.values.tenant import TenantId
from timegate.ports.stores import Advance
from timegate.ports.telemetry import run_metrics, service_events, service_metrics
from timegate.usecases.dispatch.publish_created import publish_created
from timegate.usecases.planning.planning import ParkedJob, Planning
from timegate.usecases.restrictions.look_up_restrictions import RestrictionLookup
from timegate.usecases.services.planner_services import Scheduling
from timegate.value_classes import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class Materialised:
    """Counts of stored runs and moved jobs."""

    #: Jobs as they stand now, for those this call moved.
    moved: tuple[Timing, ...]
    runs_created: int
    #: Jobs that a freeze or a lack of places holds back, or that may roll backward: planners look
    #: at them again meanwhile.
    parked: tuple[ParkedJob, ...] = ()


def materialise(
    timings: Sequence[Timing],
    scheduling: Scheduling,
    *,
    now: datetime,
    lookup: RestrictionLookup | None = None,
) -> Materialised:
    """Store the runs of the look-ahead window with their jobs' moves, and publish those due now.

    A job and its runs are written together. So a job stands at its first instant without a run
    after a crash anywhere, in a ``due`` bucket that the next tick comes to.
    """
    active = [timing for timing in timings if timing.status is JobStatus.ACTIVE]
    planning = _planning_of(active, scheduling, now, lookup)
    finished, active = _finish(active, planning)
    moved = {_key(timing): timing for timing in finished.moved}
    created = finished.runs_created
    for _ in range(MAX_STEPS):
        again, open_to_plan = _reopen(active, planning)
        settled, ready = _settle(open_to_plan, planning)
        done = _advance(_advances(ready, planning), planning)
        now_at = {_key(timing): timing for timing in again.moved}
        now_at |= settled | {_key(timing): timing for timing in done.moved}
        moved |= now_at
        created += again.runs_created + done.runs_created
        active = [timing for timing in now_at.values() if planning.is_due(timing)]
        if not active:
            break
    return Materialised(
        moved=tuple(moved.values()),
        runs_created=created,
        parked=planning.parked(moved.get(_key(each), each) for each in timings),
    )


def finish_announced(timing: Timing, scheduling: Scheduling, *, now: datetime) -> bool:
    """Store the runs that a job announces, and move it past them; ``False``: it announces none.

    A planner died, or is at work: a process that changes the job makes its runs records first, and
    reads the job again. Raises ``Throttled``.
    """
    if timing.announced is None:
        return False
    _finish([timing], _planning_of([timing], scheduling, now))
    return True


def materialise_if_soon(
    timing: Timing, scheduling: Scheduling, *, now: datetime, at_once: bool = False
) -> Timing:
    """Materialise a job that the next planner tick might miss; returns it as it stands now.

    ``at_once``: however far away its next instant is. A job whose zone was withdrawn stays where it
    is: no clock tells its instants.
    """
    due = needed_from(timing)
    if due is None or (due - now > NEXT_TICK_WITHIN and not at_once):
        return timing
    if withdrawn_zone(timing.schedule) is not None:
        return timing
    moved = materialise([timing], scheduling, now=now).moved
    return moved[0] if moved else timing


def materialise_past(timing: Timing, scheduling: Scheduling, *, now: datetime) -> bool:
    """Settle and store what a job's schedule named before ``now``, and nothing from then on.

    Instants that a freeze holds back, or that have no place, stay as they are. Returns if the job
    has moved, so that its record is another one. Raises ``Throttled``.
    """
    past = replace(scheduling, look_ahead=-MILLISECOND)
    has_moved = False
    while timing.next_run_at is not None and timing.next_run_at < now:
        moved = materialise([timing], past, now=now).moved
        if not moved or moved[0].next_run_at == timing.next_run_at:
            break
        timing, has_moved = moved[0], True
    return has_moved


_Key = tuple[TenantId, JobId]


def _key(timing: Timing) -> _Key:
    return timing.tenant, timing.job_id


def _planning_of(
    timings: Sequence[Timing],
    scheduling: Scheduling,
    now: datetime,
    lookup: RestrictionLookup | None = None,
) -> Planning:
    lookup = lookup or RestrictionLookup(scheduling.restrictions, scheduling.calendars)
    restrictions = lookup.of(timings) if timings else {}
    return Planning(scheduling=scheduling, restrictions=restrictions, now=now)


def _finish(timings: Sequence[Timing], planning: Planning) -> tuple[Materialised, list[Timing]]:
    """Store what jobs announced before anything else is decided; and which may be planned then.

    Not those that another process moved.
    """
    others = [timing for timing in timings if timing.announced is None]
    if len(others) == len(timings):
        return Materialised(moved=(), runs_created=0), others
    # Few meet what a planner left.
    from timegate.domain.planning.announced_runs import announced_plan  # noqa: PLC0415

    advances = [
        Advance(timing=timing, plan=plan, at=planning.now)
        for timing in timings
        if (plan := announced_plan(timing, now=planning.now, restrictions=planning.of(timing)))
    ]
    done = _advance(advances, planning)
    return done, [*others, *(each for each in done.moved if planning.is_due(each))]


def _reopen(timings: Sequence[Timing], planning: Planning) -> tuple[Materialised, list[Timing]]:
    """Reopen what pauses skipped, before anything else is decided; and who may be settled then.

    Not those that another planner moved.
    """
    plans = {_key(timing): planning.reopening_of(timing) for timing in timings if timing.reopens}
    advances = [
        Advance(timing=timing, plan=plan, at=planning.now)
        for timing in timings
        if (plan := plans.get(_key(timing))) is not None
    ]
    done = _advance(advances, planning) if advances else Materialised(moved=(), runs_created=0)
    for timing in done.moved:
        planning.scheduling.telemetry.event(
            service_events.SKIPPED_REOPENED,
            tenant_id=timing.tenant,
            job_id=timing.job_id,
            next_from=timing.reopens_from,
        )
    stand = {_key(timing): timing for timing in (*timings, *done.moved)}
    lost = {_key(each.timing) for each in advances} - {_key(each) for each in done.moved}
    return done, [each for key, each in stand.items() if key not in lost]


def _settle(
    timings: Sequence[Timing], planning: Planning
) -> tuple[dict[_Key, Timing], list[Timing]]:
    """Decide what was missed before it runs late: who was settled, and who may be planned.

    Not those that another planner moved, nor those about whom there is more to decide.
    """
    settled, ready = {}, []
    for read in timings:
        timing = read
        for _ in range(MAX_STEPS):
            settlement = planning.settlement_of(timing)
            if settlement is None:
                ready.append(timing)
                break
            if not planning.scheduling.jobs.settle(timing, settlement):
                break
            _report_settled(settlement, planning.scheduling)
            timing = settlement.timing
            settled[_key(timing)] = timing
    return settled, ready


def _report_settled(settlement: SettledCatchUp, scheduling: Scheduling) -> None:
    skipped = sum(gap.count for gap in settlement.gaps if gap.reason is settlement.reason)
    excluded = sum(gap.count for gap in settlement.gaps) - skipped
    frozen = settlement.reason is Reason.FROZEN
    scheduling.telemetry.count(
        service_metrics.INSTANTS_FROZEN if frozen else service_metrics.INSTANTS_MISSED, skipped
    )
    scheduling.telemetry.count(service_metrics.INSTANTS_EXCLUDED, excluded)
    scheduling.telemetry.event(
        service_events.FROZEN_SETTLED if frozen else service_events.MISSED_SETTLED,
        tenant_id=settlement.timing.tenant,
        job_id=settlement.timing.job_id,
        skipped=skipped,
        excluded=excluded,
        next_run_at=settlement.timing.next_run_at,
    )


def _advances(timings: Sequence[Timing], planning: Planning) -> list[Advance]:
    now = planning.now
    plans = [
        plan_runs(
            timing,
            now=now,
            until=planning.until,
            restrictions=planning.of(timing),
            places=planning.places_of(timing),
        )
        for timing in timings
    ]
    return [
        Advance(timing=timing, plan=plan, at=now)
        for timing, plan in zip(timings, plans, strict=True)
        if plan.moves(timing)
    ]


def _advance(advances: Sequence[Advance], planning: Planning) -> Materialised:
    """One step of each job; those that another planner moved first are left to it."""
    scheduling = planning.scheduling
    stored = _stored(advances, scheduling) if advances else []
    won = [(a, new) for a, new in zip(advances, stored, strict=True) if new is not None]
    created = [attempt for _, new in won for attempt in new]
    planned = sum(len(advance.plan.attempts) for advance, _ in won)
    scheduling.telemetry.count(service_metrics.JOBS_PLANNED, len(won))
    scheduling.telemetry.count(service_metrics.RUNS_PLANNED, len(created))
    scheduling.telemetry.count(run_metrics.DUPLICATES_REFUSED, planned - len(created))
    gaps = [gap for advance, _ in won for gap in advance.plan.gaps]
    scheduling.telemetry.count(service_metrics.INSTANTS_EXCLUDED, sum(gap.count for gap in gaps))
    direct = [attempt for attempt in created if attempt.direct]
    publish_created(direct, scheduling)
    moved = tuple(advance.plan.as_stored(new).after(advance.timing) for advance, new in won)
    return Materialised(moved=moved, runs_created=len(created))


def _stored(
    advances: Sequence[Advance], scheduling: Scheduling
) -> Sequence[tuple[Attempt, ...] | None]:
    """Store plans; ``None`` for those of jobs that had changed."""
    if scheduling.announced_plans is None:
        return scheduling.runs.plan_all(advances)
    # Planners alone have it.
    from timegate.usecases.planning.store_apart import store_plans  # noqa: PLC0415

    return store_plans(advances, scheduling, scheduling.announced_plans)
