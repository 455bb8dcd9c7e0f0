"""Materialising: from a job's next instants to stored runs, exactly one per instant."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from timegate.domain.catch_up import Settlement, is_parked, settle
from timegate.domain.gate import NEXT_TICK_WITHIN
from timegate.domain.identity import JobId
from timegate.domain.job import JobStatus, Timing
from timegate.domain.plan import MAX_STEPS, plan_runs
from timegate.domain.restrictions import Restrictions
from timegate.domain.run import Reason
from timegate.domain.tenant import TenantId
from timegate.ports.messaging import Publisher
from timegate.ports.restrictions import RestrictionStore
from timegate.ports.stores import Advance, JobStore, RunStore
from timegate.ports.surroundings import Telemetry
from timegate.usecases.calendars_at_hand import CalendarsAtHand
from timegate.usecases.look_up_restrictions import RestrictionLookup
from timegate.usecases.publish_created import publish_created


@dataclass(frozen=True, kw_only=True, slots=True)
class Scheduling:
    """What planner and API share: where runs are stored and how far ahead they are made."""

    jobs: JobStore
    runs: RunStore
    restrictions: RestrictionStore
    calendars: CalendarsAtHand
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
    #: Jobs that a freeze holds back; they are to be looked at again before it ends.
    parked: tuple[Timing, ...] = ()


def materialise(
    timings: Sequence[Timing],
    scheduling: Scheduling,
    *,
    now: datetime,
    lookup: RestrictionLookup | None = None,
) -> Materialised:
    """Store the runs of the look-ahead window with their jobs' moves, and publish those due now.

    A job and its runs are written together, so a crash anywhere leaves a job that stands at the
    first instant without a run, in a ``due`` bucket that the next tick comes to.
    """
    active = [timing for timing in timings if timing.status is JobStatus.ACTIVE]
    lookup = lookup or RestrictionLookup(scheduling.restrictions, scheduling.calendars)
    planning = _Planning(
        scheduling=scheduling, restrictions=lookup.of(active) if active else {}, now=now
    )
    moved: dict[_Key, Timing] = {}
    created = 0
    for _ in range(MAX_STEPS):
        now_at, ready = _settle(active, planning)
        done = _advance(_advances(ready, planning), planning)
        now_at |= {_key(timing): timing for timing in done.moved}
        moved |= now_at
        created += done.runs_created
        active = [timing for timing in now_at.values() if planning.is_due(timing)]
        if not active:
            break
    return Materialised(
        moved=tuple(moved.values()),
        runs_created=created,
        parked=tuple(t for t in (moved.get(_key(t), t) for t in timings) if planning.parks(t)),
    )


def materialise_if_soon(timing: Timing, scheduling: Scheduling, *, now: datetime) -> Timing:
    """Materialise a job that the next planner tick might miss; returns it as it stands now."""
    due = timing.next_run_at
    if due is None or due - now > NEXT_TICK_WITHIN:
        return timing
    moved = materialise([timing], scheduling, now=now).moved
    return moved[0] if moved else timing


_Key = tuple[TenantId, JobId]


@dataclass(frozen=True, kw_only=True, slots=True)
class _Planning:
    """One call: what it works with, and when."""

    scheduling: Scheduling
    restrictions: Mapping[TenantId, Restrictions]
    now: datetime

    @property
    def until(self) -> datetime:
        """The end of the look-ahead."""
        return self.now + self.scheduling.look_ahead

    def of(self, timing: Timing) -> Restrictions:
        """What keeps this job from running."""
        return self.restrictions[timing.tenant]

    def settlement_of(self, timing: Timing) -> Settlement | None:
        """What is to be decided about instants that passed, or were frozen."""
        return settle(
            timing,
            now=self.now,
            restrictions=self.of(timing),
            look_ahead=self.scheduling.look_ahead,
        )

    def parks(self, timing: Timing) -> bool:
        """Whether a freeze holds it back, for longer than the look-ahead."""
        return timing.status is JobStatus.ACTIVE and is_parked(
            timing,
            now=self.now,
            restrictions=self.of(timing),
            look_ahead=self.scheduling.look_ahead,
        )

    def is_due(self, timing: Timing) -> bool:
        """Whether there is more to plan."""
        first = timing.next_run_at
        active = timing.status is JobStatus.ACTIVE
        return active and first is not None and first <= self.until and not self.parks(timing)


def _key(timing: Timing) -> _Key:
    return timing.tenant, timing.job_id


def _settle(
    timings: Sequence[Timing], planning: _Planning
) -> tuple[dict[_Key, Timing], list[Timing]]:
    """Decide what was missed before it runs late: who was settled, and who may be planned.

    Not those that somebody else moved, nor those about whom there is more to decide.
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


def _report_settled(settlement: Settlement, scheduling: Scheduling) -> None:
    skipped = sum(gap.count for gap in settlement.gaps if gap.reason is settlement.reason)
    excluded = sum(gap.count for gap in settlement.gaps) - skipped
    frozen = settlement.reason is Reason.FROZEN
    scheduling.telemetry.count("InstantsFrozen" if frozen else "InstantsMissed", skipped)
    scheduling.telemetry.count("InstantsExcluded", excluded)
    scheduling.telemetry.event(
        "frozen_settled" if frozen else "missed_settled",
        tenant_id=settlement.timing.tenant,
        job_id=settlement.timing.job_id,
        skipped=skipped,
        excluded=excluded,
        next_run_at=settlement.timing.next_run_at,
    )


def _advances(timings: Sequence[Timing], planning: _Planning) -> list[Advance]:
    now = planning.now
    plans = [
        plan_runs(timing, now=now, until=planning.until, restrictions=planning.of(timing))
        for timing in timings
    ]
    return [
        Advance(timing=timing, plan=plan, at=now)
        for timing, plan in zip(timings, plans, strict=True)
        if plan.next_run_at != timing.next_run_at
    ]


def _advance(advances: Sequence[Advance], planning: _Planning) -> Materialised:
    """One step of each job; those that somebody else moved first are left to him."""
    scheduling = planning.scheduling
    stored = scheduling.runs.plan_all(advances) if advances else []
    won = [(a, new) for a, new in zip(advances, stored, strict=True) if new is not None]
    created = [attempt for _, new in won for attempt in new]
    planned = sum(len(advance.plan.attempts) for advance, _ in won)
    scheduling.telemetry.count("JobsPlanned", len(won))
    scheduling.telemetry.count("RunsPlanned", len(created))
    scheduling.telemetry.count("DuplicatesRefused", planned - len(created))
    gaps = [gap for advance, _ in won for gap in advance.plan.gaps]
    scheduling.telemetry.count("InstantsExcluded", sum(gap.count for gap in gaps))
    direct = [attempt for attempt in created if attempt.direct]
    publish_created(direct, scheduling, now=planning.now)
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
