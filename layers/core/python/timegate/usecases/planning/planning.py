"""One call of the planner: what it knows of restrictions, runs and places, and what it decides."""

from collections.abc import Collection, Iterable, Mapping
from datetime import datetime

from timegate.domain.jobs.job import JobStatus, Timing
from timegate.domain.planning.catch_up import SettledCatchUp, is_parked, settle
from timegate.domain.planning.places import COUNTED_WITHIN, Places
from timegate.domain.planning.plan import Plan
from timegate.domain.planning.roll_ahead import next_look
from timegate.domain.planning.skipped_by_pause import plan_reopening
from timegate.domain.restrictions.restrictions import Restrictions
from timegate.domain.values.tenant import TenantId
from timegate.usecases.ledger.count_places import places_of
from timegate.usecases.ledger.runs_on_record import latest_runs, runs_on_record
from timegate.usecases.services.planner_services import Scheduling
from timegate.value_classes import dataclass

#: Runs read at once.
_PAGE = 500


@dataclass(frozen=True, kw_only=True, slots=True)
class ParkedJob:
    """A job with nothing to plan yet, and the moment under which the index is to show it."""

    timing: Timing
    until: datetime


@dataclass(frozen=True, kw_only=True, slots=True)
class Planning:
    """One call: what it works with, and when."""

    scheduling: Scheduling
    restrictions: Mapping[TenantId, Restrictions]
    now: datetime

    @property
    def until(self) -> datetime:
        """The end of the look-ahead."""
        return self.now + self.scheduling.look_ahead

    def of(self, timing: Timing) -> Restrictions:
        """Return the restrictions of the job's tenant."""
        return self.restrictions[timing.tenant]

    def places_of(self, timing: Timing) -> Places | None:
        """The places that the job's runs hold; a read, for jobs that count them only."""
        since = self.now - COUNTED_WITHIN
        return places_of(timing, self.scheduling.runs, passing_by=since)

    def settlement_of(self, timing: Timing) -> SettledCatchUp | None:
        """Return the decisions about instants that passed or were frozen.

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

    def _settled(
        self, timing: Timing, recorded: Collection[datetime] = ()
    ) -> SettledCatchUp | None:
        return settle(
            timing,
            now=self.now,
            restrictions=self.of(timing),
            look_ahead=self.scheduling.look_ahead,
            recorded=recorded,
        )

    def _recorded_in(self, settlement: SettledCatchUp) -> Collection[datetime]:
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

    def reopening_of(self, timing: Timing) -> Plan | None:
        """Plan again the runs that the job's last pause skipped; costs a read or two."""
        if not timing.reopens:
            return None
        return plan_reopening(
            timing,
            latest_runs(timing, self.scheduling.runs),
            now=self.now,
            restrictions=self.of(timing),
            places=self.places_of(timing),
        )

    def parks(self, timing: Timing) -> bool:
        """Tell if the job waits for a place, or a freeze holds it beyond the look-ahead."""
        if timing.status is not JobStatus.ACTIVE or timing.full or timing.reopens:
            return timing.status is JobStatus.ACTIVE and timing.full
        return is_parked(
            timing,
            now=self.now,
            restrictions=self.of(timing),
            look_ahead=self.scheduling.look_ahead,
        )

    def parked(self, timings: Iterable[Timing]) -> tuple[ParkedJob, ...]:
        """Return the jobs that wait, each with the instant of its next look."""
        active = [each for each in timings if each.status is JobStatus.ACTIVE]
        found = ((each, self._parked_until(each)) for each in active)
        return tuple(
            ParkedJob(timing=each, until=until) for each, until in found if until is not None
        )

    def _parked_until(self, timing: Timing) -> datetime | None:
        ahead = next_look(timing, self.until, self.of(timing))
        if self.parks(timing):
            return self.until if ahead is None else min(self.until, ahead)
        return ahead

    def is_due(self, timing: Timing) -> bool:
        """Tell if the job has more to plan."""
        first = timing.next_run_at
        if timing.status is not JobStatus.ACTIVE or self.parks(timing):
            return False
        return timing.reopens or (first is not None and first <= self.until)
