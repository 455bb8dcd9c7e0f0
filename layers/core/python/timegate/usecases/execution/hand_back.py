"""Handing a run back: a worker that must stop never just dies with it."""

from datetime import datetime, timedelta

from timegate.domain.runs.run import MAX_RELEASES, RunState
from timegate.domain.runs.watch import PATIENCE
from timegate.domain.values.errors import LeaseLost, SlotLost, TimegateError
from timegate.ports.telemetry import run_events, run_metrics
from timegate.ports.telemetry.telemetry import of_run
from timegate.usecases.limits.overlap_releases import release_slot
from timegate.usecases.services.execution_services import Claimed, Execution
from timegate.value_classes import dataclass

#: A run that could not begin because the store was too busy is looked at again after this.
NOT_BEGUN_PAUSE = timedelta(seconds=10)
#: The pause doubles with each time that the run was handed back, up to this.
LONGEST_PAUSE = timedelta(minutes=1)
#: Handed back so often, for a quarter of an hour, a run whose payload is not found has lost it: S3
#: copies it to another region sooner. More often would count as deaths of workers.
_NOT_FOUND_OFTEN = 17


@dataclass(frozen=True, kw_only=True, slots=True)
class PayloadLost:
    """The stored payload or checkpoint of a run is gone: its target was not called."""

    #: Name of the text in the blob store.
    path: str


def hand_back(claimed: Claimed, execution: Execution) -> bool:
    """Queue it again for another worker, at once; whether its message is settled.

    Its record is the event: the stream publishes it anew, so this message has done its duty.
    """
    watch_at = execution.clock.now() + PATIENCE
    return _release(claimed, execution, RunState.QUEUED, watch_at)


def is_lost_for_good(claimed: Claimed) -> bool:
    """Tell if a payload or checkpoint that was not found will not be found any more."""
    return claimed.attempt.releases >= _NOT_FOUND_OFTEN


def put_off(claimed: Claimed, execution: Execution) -> bool:
    """Its target was not called yet: the sweeper queues it once the store had time to recover."""
    doubled = NOT_BEGUN_PAUSE * 2 ** min(claimed.attempt.releases, MAX_RELEASES)
    watch_at = execution.clock.now() + min(doubled, LONGEST_PAUSE)
    return _release(claimed, execution, RunState.WAITING, watch_at)


def give_up(claimed: Claimed, execution: Execution, error: TimegateError) -> bool:
    """A lost lease is another worker's run now; anything else comes back after the lease.

    Also a run whose slot was lost: no other worker may have begun it.
    """
    execution.telemetry.event(
        run_events.RUN_UNSETTLED,
        **of_run(claimed.attempt),
        code=error.code,
        detail=str(error),
    )
    return isinstance(error, LeaseLost) and not isinstance(error, SlotLost)


def _release(claimed: Claimed, execution: Execution, state: RunState, watch_at: datetime) -> bool:
    """Should this fail too, the lease expires and another worker takes over."""
    now = execution.clock.now()
    # The slot first: the next worker must find it free.
    release_slot(claimed.attempt, claimed.lease, claimed.job, execution, now=now)
    try:
        released = execution.runs.release(claimed.attempt, state=state, watch_at=watch_at)
    except TimegateError as error:
        execution.telemetry.event(
            run_events.RELEASE_FAILED, **of_run(claimed.attempt), code=error.code
        )
        return False
    execution.telemetry.count(run_metrics.LEASES_RELEASED, int(released))
    execution.telemetry.event(
        run_events.RUN_RELEASED,
        **of_run(claimed.attempt),
        fence=claimed.lease.fence,
        state=state,
        released=released,
    )
    return True
