"""One step of a planner's tick: jobs that are materialised together, or else one by one."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from timegate.domain.jobs.job import Timing
from timegate.domain.planning.roll_ahead import is_ripe
from timegate.domain.values.corrupt_record import DAMAGE
from timegate.domain.values.instants import minute_start
from timegate.ports.clock import Clock
from timegate.ports.stores import Unreadable
from timegate.ports.telemetry import service_events, service_metrics
from timegate.usecases.dispatch.setbacks import Setbacks
from timegate.usecases.planning.fair_shares import FairShares
from timegate.usecases.planning.materialise import Materialised, materialise
from timegate.usecases.planning.planning import ParkedJob
from timegate.usecases.restrictions.look_up_restrictions import RestrictionLookup
from timegate.usecases.services.planner_services import Scheduling
from timegate.value_classes import dataclass

#: An unreadable job leaves its bucket, so that the shard goes on, and is looked at again so
#: long after the look-ahead, until it has been repaired.
UNREADABLE_AGAIN = timedelta(minutes=10)
#: A frozen job goes on to a later bucket this long before its own is passed by a tick: a write a
#: look-ahead, and a look a tick.
PARKS_BEFORE = timedelta(minutes=1)


@dataclass(frozen=True, kw_only=True, slots=True)
class Planner:
    """One tick under way."""

    shard: int
    scheduling: Scheduling
    clock: Clock
    lookup: RestrictionLookup
    #: The tick's beginning.
    began_at: datetime
    #: No further step starts after this.
    deadline: datetime
    shares: FairShares
    #: Errors over single jobs, which stay in their buckets.
    setbacks: Setbacks

    @property
    def is_over(self) -> bool:
        """Tell if no further step may start."""
        return self.clock.now() >= self.deadline

    @property
    def again_at(self) -> datetime:
        """Return the instant of the next look at a job that cannot be planned."""
        return self.clock.now() + self.scheduling.look_ahead + UNREADABLE_AGAIN

    def plans(self, found: Timing | Unreadable) -> bool:
        """Tell if this tick is to plan a job, and not a later one."""
        if isinstance(found, Unreadable):
            return True
        try:
            return is_ripe(found, now=self.began_at, look_ahead=self.scheduling.look_ahead)
        except DAMAGE:
            # Its step meets the damage again, and puts it off.
            return True


def plan_step(step: Sequence[Timing | Unreadable], minute: str, planner: Planner) -> Materialised:
    """Plan what can be planned; of what cannot, none holds up its neighbours or its shard."""
    for each in step:
        if isinstance(each, Unreadable):
            with planner.setbacks.apart():
                _put_off(each, each.reason, minute, planner)
    timings = [each for each in step if not isinstance(each, Unreadable)]
    done = Materialised(moved=(), runs_created=0)
    try:
        done = _materialise(timings, minute, planner)
    except DAMAGE as damage:
        if len(timings) > 1:
            return _plan_singly(timings, minute, planner)
        with planner.setbacks.apart():
            _put_off(timings[0], repr(damage), minute, planner)
    except Exception as error:  # noqa: BLE001 - the tick raises it at its end
        if len(timings) > 1:
            return _plan_singly(timings, minute, planner)
        planner.setbacks.keep(error)
    return done


def _materialise(timings: Sequence[Timing], minute: str, planner: Planner) -> Materialised:
    now = planner.clock.now()
    done = materialise(timings, planner.scheduling, now=now, lookup=planner.lookup)
    for parked in done.parked:
        _park(parked, minute, planner, now)
    return done


def _plan_singly(timings: Sequence[Timing], minute: str, planner: Planner) -> Materialised:
    """Plan one by one: those that were written before an error are not as they were read."""
    singly = [plan_step([timing], minute, planner) for timing in timings if not planner.is_over]
    return Materialised(
        moved=tuple(timing for one in singly for timing in one.moved),
        runs_created=sum(one.runs_created for one in singly),
    )


def _park(parked: ParkedJob, minute: str, planner: Planner, now: datetime) -> None:
    """Move a job that waits to the bucket of its next look, once its own is about to pass.

    Ticks see a frozen job until then: a freeze that is lifted frees it at once. One that was
    written meanwhile has left this bucket already.
    """
    if minute_start(minute) - now > PARKS_BEFORE:
        return
    timing, until = parked.timing, parked.until
    done = planner.scheduling.jobs.put_off(timing, minute=minute, shard=planner.shard, until=until)
    planner.scheduling.telemetry.event(
        service_events.JOB_PARKED,
        tenant_id=timing.tenant,
        job_id=timing.job_id,
        next_run_at=timing.next_run_at,
        until=until,
        done=done,
    )


def _put_off(found: Timing | Unreadable, reason: str, minute: str, planner: Planner) -> None:
    until, telemetry = planner.again_at, planner.scheduling.telemetry
    done = planner.scheduling.jobs.put_off(found, minute=minute, shard=planner.shard, until=until)
    telemetry.count(service_metrics.RECORDS_UNREADABLE)
    telemetry.event(
        service_events.JOB_UNREADABLE,
        item=f"{found.tenant} {found.job_id}" if isinstance(found, Timing) else found.pk,
        detail=reason,
        put_off=done,
        until=until,
    )
