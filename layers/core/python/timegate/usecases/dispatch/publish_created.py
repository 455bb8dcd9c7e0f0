"""Publishing runs that are due at once: their creator does it, and no other function at first."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from timegate.domain.jobs.job import Timing
from timegate.domain.runs.gate import DIRECT_WITHIN
from timegate.domain.runs.run import Attempt
from timegate.domain.runs.watch import is_unsure
from timegate.domain.values.errors import Throttled
from timegate.ports.telemetry import run_events
from timegate.ports.telemetry.telemetry import of_run
from timegate.usecases.dispatch.relay_runs import relay_runs

if TYPE_CHECKING:
    from timegate.usecases.services.planner_services import Scheduling

#: The first instant of a job may lie this long before its creation: clocks differ.
_BEFORE_CREATION = timedelta(minutes=1)


def publish_created(attempts: Sequence[Attempt], scheduling: "Scheduling") -> None:
    """Publish new attempts; what a queue refuses is left to the stream, by one write.

    Each message is delayed from the moment of its sending: the stores may have taken their time.

    Should the creator die before that, or this write fail, the sweeper publishes them.
    """
    sent = relay_runs(
        attempts,
        scheduling.publisher,
        scheduling.telemetry,
        now=scheduling.clock.now(),
        lead_seconds=scheduling.lead_seconds,
    )
    for attempt, done in zip(attempts, sent, strict=True):
        if not done:
            _leave_to_stream(attempt, scheduling)


def publish_if_unsure(timing: Timing, scheduling: "Scheduling", *, now: datetime) -> None:
    """Publish the last run of a job again if nothing on record says that it was published.

    For a caller who repeats a request: the process that answered first may have died before it
    published. Publishing twice is harmless.
    """
    last = scheduling.runs.history(
        timing.tenant,
        timing.job_id,
        start=timing.created_at - _BEFORE_CREATION,
        end=now + DIRECT_WITHIN,
        limit=1,
        latest_first=True,
    )
    unsure = [each for each in last if isinstance(each, Attempt) and is_unsure(each)]
    publish_created(unsure, scheduling)


def _leave_to_stream(attempt: Attempt, scheduling: "Scheduling") -> None:
    try:
        left = scheduling.runs.replace(attempt, replace(attempt, direct=False))
    except Throttled:
        left = False
    scheduling.telemetry.event(
        run_events.PUBLICATION_LEFT_TO_STREAM,
        **of_run(attempt),
        recorded=left,
    )
