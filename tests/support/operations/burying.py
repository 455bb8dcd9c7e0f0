"""Runs that were given up, as they stand in the stores."""

from dataclasses import replace
from typing import Any

from tests.support.factories import JOB_ID, NOW, after, attempt_factory, attempt_id, lease_factory
from timegate.domain.runs.resolution import Resolution, Settled
from timegate.domain.runs.run import Attempt, Reason, RunError, RunState
from timegate.domain.runs.watch import MAX_RECEIVES

BROKEN = RunError(code="http_503", type="HttpStatus", message="The target answered 503: busy")


def spent(attempt: Attempt) -> Attempt:
    """Each receive of its message killed a worker, the first one beside other runs."""
    lease = attempt.lease and replace(attempt.lease, fence=MAX_RECEIVES)
    return replace(attempt, fence=MAX_RECEIVES, alone=MAX_RECEIVES - 1, lease=lease)


def dead_factory(seconds: float = 0, **fields: Any) -> Attempt:  # noqa: ANN401 - the dataclass checks them
    """A run of the tests' job that was given up so many seconds after ``NOW``.

    Its instant is as many seconds before it, so that each is a run of its own; ``job`` is another
    job's id.
    """
    defaults: dict[str, Any] = {
        "id": attempt_id(scheduled_at=after(-seconds), job=fields.pop("job", JOB_ID)),
        "state": RunState.DEAD_LETTERED,
        "reason": Reason.RETRIES_EXHAUSTED,
        "error": BROKEN,
        "fence": 3,
        "lease": lease_factory(fence=3),
        "watch_at": None,
        "started_at": after(seconds - 1),
        "ended_at": after(seconds),
        "explanation": "attempt 1 of 1, no more",
    }
    return attempt_factory(**(defaults | fields))


def resolution_factory(**fields: Any) -> Resolution:  # noqa: ANN401 - the dataclass checks them
    """Discarded by an operator, now."""
    defaults: dict[str, Any] = {"settled": Settled.DISCARDED, "by": "ci", "at": NOW}
    return Resolution(**(defaults | fields))
