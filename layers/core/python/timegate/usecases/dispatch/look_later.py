"""Records that the sweeper finds due and does not judge: it has them looked at later."""

from datetime import datetime, timedelta

from timegate.domain.runs.run import Attempt
from timegate.domain.runs.watch import show_end_again
from timegate.domain.values.instants import milliseconds_between
from timegate.ports.stores import AttemptRef, RunStore, Unreadable
from timegate.ports.telemetry import run_events, service_metrics
from timegate.ports.telemetry.telemetry import Telemetry, of_run
from timegate.value_classes import dataclass

#: An unreadable run is looked at again after this, until it has been repaired.
UNREADABLE_AGAIN = timedelta(minutes=10)


@dataclass(frozen=True, slots=True)
class Bucket:
    """The minute and the shard of the ``watch`` index that a record was found in."""

    minute: str
    shard: int


def put_off_unreadable(
    found: AttemptRef | Unreadable,
    attempt: Attempt | None,
    reason: str,
    bucket: Bucket,
    runs: RunStore,
    telemetry: Telemetry,
    *,
    now: datetime,
) -> None:
    """Leave an unreadable record to its repair, or one of an unreadable job; then look again.

    ``attempt``: the record, where its job is unreadable.
    """
    until = now + UNREADABLE_AGAIN
    done = runs.put_off(found, minute=bucket.minute, shard=bucket.shard, until=until)
    telemetry.count(service_metrics.RECORDS_UNREADABLE)
    telemetry.event(
        run_events.RUN_UNREADABLE,
        **({} if attempt is None else of_run(attempt)),
        item=f"{found.tenant} {found.id}" if isinstance(found, AttemptRef) else found.pk,
        detail=reason,
        put_off=done,
        until=until,
    )


def show_again(
    ended: Attempt, bucket: Bucket, runs: RunStore, telemetry: Telemetry, *, now: datetime
) -> bool:
    """Have the stream show outcomes an end once more; ``False`` where it is done, or not yet time.

    The write moves the watch instant and nothing else. Outcomes repeats all that it did before.
    """
    until = show_end_again(ended, now=now)
    if until is None:
        return False
    telemetry.measure(
        service_metrics.STREAM_UNREAD_MS, milliseconds_between(ended.ended_at or now, now)
    )
    ref = AttemptRef(tenant=ended.tenant, id=ended.id)
    done = runs.put_off(ref, minute=bucket.minute, shard=bucket.shard, until=until)
    telemetry.count(service_metrics.ENDS_SHOWN_AGAIN, int(done))
    telemetry.event(
        run_events.END_SHOWN_AGAIN,
        **of_run(ended),
        state=ended.state,
        ended_at=ended.ended_at,
        until=until,
        done=done,
    )
    return done
