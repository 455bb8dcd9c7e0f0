"""CloudEvents 1.0: attributes that every event has, in the order in which they are written."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Any, Final
from urllib.parse import quote

from timegate.domain.cloud_events.event_types import RUN_PLANNED, EventType
from timegate.domain.jobs.notification import trace_flag, trace_id
from timegate.domain.values.instants import rfc3339
from timegate.domain.values.tenant import TenantId
from timegate.value_classes import dataclass

SPEC_VERSION: Final = "1.0"
CONTENT_TYPE: Final = "application/json"
#: Grows when data of an event loses a field or changes one; a new field changes nothing.
DATA_VERSION: Final = 1
#: A function that stores an end or a change has ended within fifteen minutes of its instant.
STORED_WITHIN = timedelta(minutes=16)
#: Characters of a source that need no escape.
_SAFE = "@:"
#: EventBridge takes no longer source.
MAX_SOURCE = 256
_DIGEST_CHARACTERS = 32


@dataclass(frozen=True, kw_only=True, slots=True)
class CloudEvent:
    """One transition."""

    tenant: TenantId
    type: EventType
    #: The thing that changed: ``runs/<run_id>``.
    subject: str
    #: When it changed.
    time: datetime
    data: Mapping[str, Any]
    #: Text that tells this transition from others of its type and subject.
    occurrence: str
    #: The trace of the run; ``None``: it has none.
    trace: str | None = None

    @property
    def id(self) -> str:
        """Compute the id: a record that is read twice gives the same id twice."""
        seed = f"{self.tenant}\n{self.type}\n{self.subject}\n{self.occurrence}"
        return sha256(seed.encode()).hexdigest()[:32]

    def document(self, stage: str, *, trace_percent: float = 100) -> dict[str, Any]:
        """Return the event as JSON, in structured mode.

        ``trace_percent``: the share of the stage's own traces that are recorded.
        """
        own_id = self.id
        trace = {}
        if self.trace is not None:
            flag = trace_flag(self.trace, trace_percent)
            trace["traceparent"] = f"00-{trace_id(self.trace)}-{own_id[:16]}-{flag}"
        return {
            "specversion": SPEC_VERSION,
            "id": own_id,
            "source": source_of(stage, self.tenant),
            "type": self.type.name,
            "subject": self.subject,
            "time": rfc3339(self.time),
            "datacontenttype": CONTENT_TYPE,
            "dataschema": data_schema(self.type.data.__name__),
            "tenant": self.tenant,
            **trace,
            "data": dict(self.data),
        }


def is_of_the_past(event: CloudEvent, *, written_at: datetime) -> bool:
    """Tell if a record that is new at ``written_at`` says what happened long before.

    An import stored it, and another stage told it. No import stores an attempt that is to run: that
    is planned in the stage that tells it, and one that is made good names the instant of an end.
    """
    return event.type is not RUN_PLANNED and event.time < written_at - STORED_WITHIN


def source_of(stage: str, tenant: TenantId) -> str:
    """Return the source of a tenant's events, a URI reference: ``/timegate/prod/acme``.

    Policies of a bus can tell tenants apart by it and by nothing else. Where a name whose
    characters need escapes makes it too long for EventBridge, it ends in ``_h`` and a hash of the
    name.
    """
    source = f"/timegate/{stage}/{quote(tenant, safe=_SAFE)}"
    if len(source) <= MAX_SOURCE:
        return source
    return f"/timegate/{stage}/_h{sha256(tenant.encode()).hexdigest()[:_DIGEST_CHARACTERS]}"


def data_schema(name: str) -> str:
    """Return the URI of a data type's schema, with the version of its meaning."""
    return f"urn:timegate:events:{DATA_VERSION}:{name}"


def without_none(**fields: object) -> dict[str, Any]:
    """Leave out fields without a value."""
    return {name: value for name, value in fields.items() if value is not None}
