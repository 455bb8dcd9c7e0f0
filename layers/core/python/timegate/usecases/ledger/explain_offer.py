"""Explaining a run that waits in a pool: since when, and if workers come that do it."""

from collections.abc import Callable
from datetime import datetime, timedelta

from timegate.domain.actions.pool import Offer
from timegate.domain.jobs.job import Job
from timegate.domain.pools.offered import is_offered_elsewhere
from timegate.domain.runs.run import Attempt, RunState
from timegate.domain.values.instants import rfc3339
from timegate.ports.pools import SEEN_WITHIN, PoolStore
from timegate.ports.stores import AttemptRef, RunStore

_MINUTES = SEEN_WITHIN // timedelta(minutes=1)


def explain_offer(
    attempt: Attempt, pools: PoolStore, *, job_of: Callable[[], Job | None], now: datetime
) -> str:
    """Say why a run that is due has no worker; an empty text if it does not wait in a pool.

    ``job_of``: reads its job, and is called for a run that waits in a pool alone. That one costs a
    read, and a query unless the pool is paused; any other costs none. Raises ``Throttled``.
    """
    offer = attempt.offer
    if offer is None or attempt.state is not RunState.QUEUED or attempt.due_at > now:
        return ""
    waits = f" It waits in pool {offer.pool} since {rfc3339(attempt.due_at)}"
    job = job_of()
    if job is not None and is_offered_elsewhere(attempt, job):
        return f"{waits}, and moves within ten minutes to {_place(job.timing.offer)}."
    pause = pools.pause(attempt.tenant, offer.pool)
    if pause is not None and pause.is_active(now):
        # Imported here: few pools are ever paused.
        from timegate.domain.pools.pause import explain_pause  # noqa: PLC0415

        return f"{waits}. {explain_pause(pause, verb='is')}"
    seen = pools.served(attempt.tenant, offer.pool, since=now - SEEN_WITHIN, now=now).workers
    able = [each for each in seen if not each.handlers or offer.handler in each.handlers]
    if not seen:
        return f"{waits}, and no worker asked that pool for runs in the last {_MINUTES} minutes."
    if not able:
        return f"{waits}, and none of the pool's workers does {offer.handler} ({len(seen)} seen)."
    return f"{waits}; workers that do {offer.handler} asked lately ({len(able)} seen)."


def read_job(attempt: Attempt, runs: RunStore) -> Job | None:
    """Read the job of a run as it is now; ``None``: it has none that can be read."""
    (loaded,) = runs.load_all([AttemptRef(tenant=attempt.tenant, id=attempt.id)])
    return loaded.job


def _place(offer: Offer | None) -> str:
    if offer is None:
        return "a queue, for its job names no pool any more"
    return f"pool {offer.pool}, which its job names now, for handler {offer.handler}"
