"""A call: everything a target is told about the run it executes."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from timegate.domain.action import Action
from timegate.domain.identity import AttemptId
from timegate.domain.tenant import TenantId


@dataclass(frozen=True, kw_only=True, slots=True)
class Call:
    """One invocation of a target (requirement R6)."""

    tenant: TenantId
    attempt: AttemptId
    #: Grows with every lease; a target that remembers the highest one refuses dead workers.
    fence: int
    scheduled_at: datetime
    #: The call is abandoned then.
    deadline_at: datetime
    action: Action
    #: JSON text, or ``None`` when the job has no payload.
    payload: str | None

    @property
    def idempotency_key(self) -> str:
        """The same for every attempt at, and every duplicate of, the same run."""
        return str(self.attempt.run)


@dataclass(frozen=True, kw_only=True, slots=True)
class Answer:
    """What a target returned on success."""

    #: Cut to an excerpt by the adapter.
    text: str
    details: Mapping[str, str] = field(default_factory=dict)
