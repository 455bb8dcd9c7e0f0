"""A run as it was claimed."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Self

from timegate.value_classes import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class ClaimedRun:
    """A claimed run, in the API's words."""

    run_id: str
    job_id: str
    job_name: str
    handler: str
    payload: Any
    last_checkpoint: Any
    attempt: int
    idempotency_key: str
    fence: int
    scheduled_at: datetime
    due_at: datetime
    deadline_at: datetime
    lease_token: str
    #: How long the worker may be silent.
    lease_seconds: float
    #: W3C: the run's trace, and a span of this lease; ``None``: an older API says nothing of it.
    traceparent: str | None = None
    #: How the run ended that triggered this one; ``None``: none did.
    parent: Mapping[str, Any] | None = None

    @classmethod
    def of(cls, run: Mapping[str, Any], *, lease_seconds: float) -> Self:
        """Read a claimed run; raises ``KeyError`` or ``ValueError`` for what is none."""
        instants: dict[str, Any] = {
            name: datetime.fromisoformat(run[name])
            for name in ("scheduled_at", "due_at", "deadline_at")
        }
        told = (
            *("run_id", "job_id", "job_name", "handler", "payload", "last_checkpoint"),
            *("attempt", "idempotency_key", "fence", "lease_token"),
        )
        return cls(
            **{name: run[name] for name in told},
            **instants,
            lease_seconds=lease_seconds,
            # An older API says nothing of them.
            traceparent=run.get("traceparent"),
            parent=run.get("parent"),
        )
