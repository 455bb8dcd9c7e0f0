"""The message that carries an attempt through its queue: small, and enough to find the record."""

from datetime import datetime
from typing import Self

from timegate.domain.jobs.demands import Precision
from timegate.domain.jobs.notification import own_trace, trace_id
from timegate.domain.runs.run import Attempt
from timegate.domain.values.identity import AttemptId
from timegate.domain.values.instants import compact, from_compact
from timegate.domain.values.tenant import TenantId, tenant_id
from timegate.value_classes import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class RunMessage:
    """Names one attempt and when it is due. Losing or doubling it is harmless."""

    tenant: TenantId
    attempt: AttemptId
    due_at: datetime
    precision: Precision
    queue_key: str
    #: The run's trace as its record has it; ``None``: its own, by its id.
    trace: str | None = None

    @property
    def trace_id(self) -> str:
        """Return the id of the run's trace, 32 hexadecimal digits."""
        return trace_id(self.trace or own_trace(self.tenant, self.attempt.run))

    @classmethod
    def of(cls, attempt: Attempt) -> Self:
        """The message for a queued attempt."""
        return cls(
            tenant=attempt.tenant,
            attempt=attempt.id,
            due_at=attempt.due_at,
            precision=attempt.precision,
            queue_key=attempt.queue_key,
            trace=attempt.trace,
        )

    def fields(self) -> dict[str, str]:
        """Return the fields of the message, without the queue it travels in."""
        fields: dict[str, str] = {
            "tenant": self.tenant,
            "attempt": str(self.attempt),
            "due_at": compact(self.due_at),
            "precision": self.precision,
        }
        return fields if self.trace is None else {**fields, "trace": self.trace}

    @classmethod
    def from_fields(cls, fields: dict[str, str], *, queue_key: str) -> Self:
        """Read ``fields`` back; raises ``KeyError``, ``ValueError`` or a ``TimegateError``."""
        return cls(
            tenant=tenant_id(fields["tenant"]),
            attempt=AttemptId.parse(fields["attempt"]),
            due_at=from_compact(fields["due_at"]),
            precision=Precision(fields["precision"]),
            queue_key=queue_key,
            trace=fields.get("trace"),
        )
