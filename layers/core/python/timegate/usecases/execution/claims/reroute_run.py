"""Rerouting: a run takes the way that its job's runs take now, through a queue or a pool."""

from dataclasses import replace
from datetime import datetime

from timegate.domain.actions.pool import Offer
from timegate.domain.runs.run import Attempt, RunState
from timegate.domain.runs.watch import PATIENCE
from timegate.ports.telemetry import run_events
from timegate.ports.telemetry.telemetry import of_run
from timegate.usecases.services.execution_services import Execution


def reroute_run(
    attempt: Attempt, offer: Offer | None, execution: Execution, *, now: datetime
) -> None:
    """Queue it for the workers that may claim it now, unless it changed since it was read.

    The record is the event: where it is to go through a queue, the stream publishes it.
    """
    moved = replace(
        attempt,
        offer=offer,
        state=RunState.QUEUED,
        lease=None,
        direct=False,
        watch_at=now + PATIENCE,
    )
    done = execution.runs.replace(attempt, moved)
    execution.telemetry.event(
        run_events.RUN_REROUTED,
        **of_run(attempt),
        pool=offer.pool if offer is not None else None,
        done=done,
    )
