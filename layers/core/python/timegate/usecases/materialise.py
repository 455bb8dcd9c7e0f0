"""Materialising: from a job's next instants to stored runs, exactly one per instant."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from timegate.domain.catch_up import Settlement, is_parked, settle
from timegate.domain.gate import NEXT_TICK_WITHIN
from timegate.domain.identity import JobId
from timegate.domain.instants import MILLISECOND
from timegate.domain.job import JobStatus, Timing
from timegate.domain.places import Places
from timegate.domain.plan import MAX_STEPS, plan_runs
from timegate.domain.restrictions import Restrictions
from timegate.domain.roll_ahead import needed_from, next_look
from timegate.domain.run import Reason
from timegate.domain.tenant import TenantId
from timegate.ports.messaging import Publisher
from timegate.ports.restrictions import RestrictionStore
from timegate.ports.stores import Advance, JobStore, RunStore
from timegate.ports.surroundings import Telemetry
from timegate.usecases.calendars_at_hand import CalendarsAtHand
from timegate.usecases.count_places import places_of
from timegate.usecases.look_up_restrictions import RestrictionLookup
from timegate.usecases.publish_created import publish_created
from timegate.usecases.runs_on_record import runs_on_record

#: Runs read at once.
_PAGE = 500


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
class Parked:
    """A job with nothing to plan yet, and the moment under which the index is to show it."""

    timing: Timing
    until: datetime


@dataclass(frozen=True, kw_only=True, slots=True)
class Materialised:
    """What was done."""

    #: Jobs as they stand now, for those this call moved.
    moved: tuple[Timing, ...]
    runs_created: int
    #: Jobs that a freeze or a lack of places holds back, or that may roll backward: planners look
    #: at them again meanwhile.
    parked: tuple[Parked, ...] = ()


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
        parked=planning.parked(moved.get(_key(each), each) for each in timings),
    )


def materialise_if_soon(
    timing: Timing, scheduling: Scheduling, *, now: datetime, at_once: bool = False
) -> Timing:
    """Materialise a job that the next planner tick might miss; returns it as it stands now.

    ``at_once``: however far away its next instant is.
    """
    due = needed_from(timing)
    if due is None or (due - now > NEXT_TICK_WITHIN and not at_once):
        return timing
    moved = materialise([timing], scheduling, now=now).moved
    return moved[0] if moved else timing


def materialise_past(timing: Timing, scheduling: Scheduling, *, now: datetime) -> None:
    """Settle and store what a job's schedule named before ``now``, and nothing from then on.

    Instants that a freeze holds back, or that have no place, stay as they are. Raises
    ``Throttled``.
    """
    past = replace(scheduling, look_ahead=-MILLISECOND)
    while timing.next_run_at is not None and timing.next_run_at < now:
        moved = materialise([timing], past, now=now).moved
        if not moved or moved[0].next_run_at == timing.next_run_at:
            return
        timing = moved[0]


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

    def places_of(self, timing: Timing) -> Places | None:
        """The places that the job's runs hold; a read, for jobs that count them only."""
        return places_of(timing, self.scheduling.runs)

    def settlement_of(self, timing: Timing) -> Settlement | None:
        """What is to be decided about instants that passed, or were frozen.

        While runs hold all places of ``max_runs``, nothing is: a place that is given back goes to
        the first instant that the catch-up policy then lets run.
        """
        settlement = self._settled(timing)
        if settlement is None:
            return None
        places = self.places_of(timing)
        if places is not None and places.free == 0:
            return None
        recorded = self._recorded_in(settlement)
        return self._settled(timing, recorded) if recorded else settlement

    def _settled(self, timing: Timing, recorded: Collection[datetime] = ()) -> Settlement | None:
        return settle(
            timing,
            now=self.now,
            restrictions=self.of(timing),
            look_ahead=self.scheduling.look_ahead,
            recorded=recorded,
        )

    def _recorded_in(self, settlement: Settlement) -> Collection[datetime]:
        """Instants of the gaps that have a run: of a job whose next instant was set back.

        A planner that stores another one meanwhile moves the job, and the settlement is refused.
        Readers take the run of a backfill out of the gap, whichever of them comes first.
        """
        if not settlement.gaps:
            return ()
        first, last = settlement.gaps[0].first, settlement.gaps[-1].last
        records = runs_on_record(
            settlement.timing, self.scheduling.runs, start=first, end=last, page_size=_PAGE
        )
        return [each.id.run.scheduled_at for each in records]

    def parks(self, timing: Timing) -> bool:
        """Whether it waits for a place, or a freeze holds it back longer than the look-ahead."""
        return timing.status is JobStatus.ACTIVE and (
            timing.full
            or is_parked(
                timing,
                now=self.now,
                restrictions=self.of(timing),
                look_ahead=self.scheduling.look_ahead,
            )
        )

    def parked(self, timings: Iterable[Timing]) -> tuple[Parked, ...]:
        """Those that wait, each with the moment of the next look."""
        active = [each for each in timings if each.status is JobStatus.ACTIVE]
        found = ((each, self._parked_until(each)) for each in active)
        return tuple(Parked(timing=each, until=until) for each, until in found if until is not None)

    def _parked_until(self, timing: Timing) -> datetime | None:
        ahead = next_look(timing, self.until, self.of(timing))
        if self.parks(timing):
            return self.until if ahead is None else min(self.until, ahead)
        return ahead

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
    moved = tuple(advance.plan.as_stored(new).after(advance.timing) for advance, new in won)
    return Materialised(moved=moved, runs_created=len(created))
