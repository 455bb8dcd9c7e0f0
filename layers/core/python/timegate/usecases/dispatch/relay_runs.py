"""The relay: the only way into the run queues, and the keeper of the time gate."""

from collections.abc import Sequence
from datetime import datetime
from itertools import compress
from operator import not_

from timegate.domain.dispatch.message import RunMessage
from timegate.domain.jobs.demands import Precision
from timegate.domain.runs.gate import queue_delay_seconds
from timegate.domain.runs.reserved_turns import own_turn
from timegate.domain.runs.run import Attempt, RunState
from timegate.domain.values.instants import milliseconds_between
from timegate.ports.dispatch.messaging import Delayed, Publisher
from timegate.ports.telemetry import run_events, run_metrics
from timegate.ports.telemetry.telemetry import Telemetry, of_run


def relay_runs(
    attempts: Sequence[Attempt],
    publisher: Publisher,
    telemetry: Telemetry,
    *,
    now: datetime,
    lead_seconds: float,
) -> list[bool]:
    """Publish queued attempts, each delayed to its instant; ``False`` where a queue refused.

    Attempts in any other state need no message and count as done, as do those that are offered in
    a pool: their records are the offers. Publishing one twice is harmless: the claim lets one
    message through.
    """
    queued = [attempt for attempt in attempts if _travels(attempt)]
    sent = iter(publisher.publish_all([_delayed(a, now, lead_seconds) for a in queued]))
    done = [next(sent) if _travels(attempt) else True for attempt in attempts]
    _report(queued, list(compress(done, map(_travels, attempts))), telemetry, now)
    return done


def _travels(attempt: Attempt) -> bool:
    return attempt.state is RunState.QUEUED and attempt.offer is None


def _delayed(attempt: Attempt, now: datetime, lead_seconds: float) -> Delayed:
    # Publish runs with a turn early, so that each starts at its instant; others follow.
    precision = Precision.SUBSECOND if own_turn(attempt) is not None else attempt.precision
    delay = queue_delay_seconds(attempt.due_at, now, precision, lead_seconds)
    return Delayed(message=RunMessage.of(attempt), delay_seconds=delay)


def _report(
    queued: Sequence[Attempt], done: Sequence[bool], telemetry: Telemetry, now: datetime
) -> None:
    published = list(compress(queued, done))
    telemetry.count(run_metrics.RUNS_PUBLISHED, len(published))
    for attempt in published:
        lag = max(0, milliseconds_between(attempt.due_at, now))
        telemetry.measure(run_metrics.SCHEDULING_LAG_MS, lag)
    for refused in compress(queued, map(not_, done)):
        told = {"queue": refused.queue_key, "due_at": refused.due_at}
        telemetry.event(run_events.RUN_PUBLISH_REFUSED, **of_run(refused), **told)
