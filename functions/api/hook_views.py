"""What users see of hooks: what is asked before a run, what follows it, and what triggered it."""

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from timegate.domain.jobs.condition import Condition
from timegate.domain.jobs.follow_up import FollowUp
from timegate.domain.jobs.notification import Hook
from timegate.domain.runs.parent import Parent
from timegate.domain.runs.run import Attempt

View = dict[str, Any]


def condition_view(condition: Condition | None) -> View | None:
    """Who is asked."""
    if condition is None:
        return None
    signing = condition.signing_secret
    return {
        "type": "http",
        "url": condition.url,
        "signing_secret": asdict(signing) if signing is not None else None,
        "every_seconds": condition.every_seconds,
        "give_up_after_seconds": condition.give_up_after_seconds,
    }


def follow_up_view(follow_up: FollowUp) -> View:
    """A job that follows."""
    return {
        "job_id": follow_up.job_id,
        "on": list(follow_up.on),
        "payload": follow_up.payload,
    }


def parent_view(parent: Parent | None) -> View | None:
    """What triggered a run."""
    if parent is None:
        return None
    run = parent.attempt.run
    return {
        "run_id": str(run),
        "job_id": run.job_id,
        "attempt": parent.attempt.number,
        "state": parent.occasion,
        "depth": parent.depth,
    }


def triggered_view(triggered: Sequence[Attempt]) -> list[View]:
    """What a run triggered, as the last attempts show it."""
    return [
        {
            "run_id": str(last.id.run),
            "job_id": last.id.run.job_id,
            "by_attempt": last.parent.attempt.number if last.parent is not None else None,
            "state": last.state,
            "reason": last.reason,
        }
        for last in triggered
    ]


def hook_view(hook: Hook) -> View:
    """An address that is told of runs."""
    signing = hook.signing_secret
    return {
        "url": hook.url,
        "on": list(hook.on),
        "signing_secret": asdict(signing) if signing is not None else None,
    }
