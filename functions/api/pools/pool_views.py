"""From pools and claims to JSON."""

import json
from datetime import datetime

from api.values.views import View
from timegate.domain.pools.pause import PoolPause
from timegate.domain.values.instants import rfc3339
from timegate.usecases.pools.claim_from_pool import HandedOut
from timegate.usecases.pools.hand_run import Handed
from timegate.usecases.pools.heartbeat_run import Heard
from timegate.usecases.pools.read_pool import PoolState


def handed_out_view(handed: HandedOut) -> View:
    """Claimed runs."""
    return {
        "runs": [handed_view(each) for each in handed.runs],
        "lease_seconds": handed.lease_length.total_seconds(),
        "ask_again_after_seconds": round(handed.ask_again_after.total_seconds(), 3),
        "pause": pause_view(handed.pause),
    }


def handed_view(handed: Handed) -> View:
    """A run as its worker is told of it."""
    attempt, job, lease = handed.claimed.attempt, handed.claimed.job, handed.claimed.lease
    run = attempt.id.run
    return {
        "run_id": str(run),
        "job_id": run.job_id,
        "job_name": job.name,
        "handler": attempt.offer.handler if attempt.offer is not None else None,
        "payload": None if handed.payload is None else json.loads(handed.payload),
        "last_checkpoint": None if handed.checkpoint is None else json.loads(handed.checkpoint),
        "attempt": attempt.id.number,
        "idempotency_key": str(run),
        "fence": lease.fence,
        "scheduled_at": rfc3339(run.scheduled_at),
        "due_at": rfc3339(attempt.due_at),
        "lease_token": handed.token,
        "lease_expires_at": rfc3339(lease.expires_at),
        "deadline_at": rfc3339(lease.deadline_at),
        "traceparent": handed.traceparent,
        "parent": json.loads(attempt.parent.document) if attempt.parent is not None else None,
    }


def heard_view(heard: Heard) -> View:
    """The answer to a heartbeat."""
    return {
        "lease_expires_at": rfc3339(heard.lease_expires_at),
        "cancel_requested": heard.cancel_requested,
    }


def pool_view(pool: PoolState, *, now: datetime) -> View:
    """A pool."""
    depths = pool.depths
    oldest = pool.oldest_at
    return {
        "pool": pool.pool,
        "depth": sum(depth.count for depth in depths.values()),
        "depth_is_partial": any(depth.is_partial for depth in depths.values()),
        "depth_by_priority": {str(priority): depth.count for priority, depth in depths.items()},
        "oldest_age_seconds": (
            None if oldest is None else round((now - oldest).total_seconds(), 3)
        ),
        "workers": [
            {
                "worker": seen.worker,
                "seen_at": rfc3339(seen.seen_at),
                "handlers": list(seen.handlers),
                "capacity": seen.capacity,
                "in_use": seen.in_use,
            }
            for seen in pool.workers
        ],
        "capacity": pool.load.capacity,
        "in_use": pool.load.in_use,
        "last_seen_at": None if pool.last_seen_at is None else rfc3339(pool.last_seen_at),
        "pause": pause_view(pool.pause),
    }


def pause_view(pause: PoolPause | None) -> View | None:
    """The pause of a pool; ``None``: it is not paused."""
    if pause is None:
        return None
    return {
        "since": rfc3339(pause.since),
        "until": None if pause.until is None else rfc3339(pause.until),
        "by": pause.by,
        "reason": pause.reason,
    }
