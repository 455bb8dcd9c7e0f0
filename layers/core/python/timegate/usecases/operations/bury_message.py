"""Burying: what a queue gave up on becomes a record that people can read."""

from dataclasses import replace
from datetime import datetime

from timegate.domain.dispatch.message import RunMessage
from timegate.domain.execution.admission import is_claimable
from timegate.domain.jobs.delivery import DeliveryMode
from timegate.domain.runs.conclusion import end_unworked
from timegate.domain.runs.run import Attempt, Reason, RunState
from timegate.domain.runs.run_states import check_transition
from timegate.domain.runs.suspects import has_killed
from timegate.domain.runs.watch import MAX_RECEIVES, PATIENCE, looked_at_for_finish
from timegate.domain.values.errors import Malformed
from timegate.ports.stores import AttemptRef, RunStore
from timegate.ports.telemetry import run_events, run_metrics, service_metrics
from timegate.ports.telemetry.telemetry import Telemetry, of_run


def bury_message(
    message: RunMessage, runs: RunStore, telemetry: Telemetry, *, now: datetime
) -> bool:
    """Dead-letter the attempt whose message exhausted its receives.

    Raises ``Malformed`` when it cannot be read. One whose job is unreadable waits for the repair.

    ``False`` where there is nothing to bury:

    - It has ended by another way, or a worker holds a live lease on it and will end it.
    - Some receives came to no lease, or to one beside other runs. Then a queue or store was
      overloaded, or another run killed the worker. The sweeper publishes it again, and gives it
      up itself when it has killed enough workers.

    One that no worker holds waits for a minute until then. Its queue may be full of other
    messages, but has not its own.
    """
    ref = AttemptRef(tenant=message.tenant, id=message.attempt)
    loaded = runs.load_all([ref])[0]
    attempt = loaded.attempt
    if attempt is None and loaded.unreadable is not None:
        telemetry.count(service_metrics.RECORDS_UNREADABLE)
        raise Malformed(loaded.unreadable)
    buried = attempt is not None and _is_spent(attempt, now) and _bury(attempt, runs, now)
    if attempt is not None and not buried and _lost_its_message(attempt, message):
        runs.replace(attempt, _to_be_published(attempt, now))
    telemetry.count(run_metrics.RUNS_DEAD_LETTERED, int(buried))
    named = {"tenant_id": message.tenant, "attempt_id": str(message.attempt)}
    told = of_run(attempt) if attempt is not None else named
    telemetry.event(run_events.MESSAGE_BURIED, **told, buried=buried)
    return buried


def _lost_its_message(attempt: Attempt, message: RunMessage) -> bool:
    """Tell if a run waits for this very message; one that was put off since has another."""
    waits = attempt.state is RunState.QUEUED and attempt.offer is None
    return waits and attempt.due_at == message.due_at


def _to_be_published(attempt: Attempt, now: datetime) -> Attempt:
    """The attempt, published by the next sweep after ``PATIENCE``: a busy store gets that time."""
    check_transition(attempt.state, RunState.WAITING)
    watch_at = now + PATIENCE
    waits = replace(attempt, state=RunState.WAITING, watch_at=watch_at, direct=False)
    return looked_at_for_finish(waits, now=now)


def _is_spent(attempt: Attempt, now: datetime) -> bool:
    """Tell if no worker holds the run and every receive killed a worker, the later ones alone.

    A run that may run once is spent by its lease.
    """
    killed = has_killed(attempt, leases=MAX_RECEIVES)
    return is_claimable(attempt, now) and (killed or _ran_once(attempt))


def _ran_once(attempt: Attempt) -> bool:
    return attempt.state is RunState.RUNNING and attempt.delivery is DeliveryMode.AT_MOST_ONCE


def _bury(attempt: Attempt, runs: RunStore, now: datetime) -> bool:
    state, reason = RunState.DEAD_LETTERED, Reason.POISON_MESSAGE
    if _ran_once(attempt):
        state, reason = RunState.FAILED, Reason.WORKER_DIED
    return runs.replace(attempt, end_unworked(attempt, state, now=now, reason=reason))
