"""Starting a DAG run because of an event, once for each event."""

import json
from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any, Protocol

from timegate.domain.dag_runs.progress import DagRun
from timegate.domain.dag_runs.run_errors import DagRunNotFound
from timegate.domain.dag_runs.run_identity import DagTrigger
from timegate.domain.dags.errors import DagIsDeleted
from timegate.domain.execution.day_quota import DayIsFull, day_quota
from timegate.domain.tenants.standing import refuse_suspended
from timegate.domain.tenants.tenant_settings import TenantSettings
from timegate.domain.values.errors import InvalidInput, Malformed, Throttled, TimegateError
from timegate.domain.values.identity import parse_dag_id
from timegate.domain.values.payload import PayloadMismatch
from timegate.domain.values.redaction import without_credentials
from timegate.domain.values.tenant import TenantId, tenant_id
from timegate.domain.values.tenant_errors import TenantErased, TenantIsMoving, TenantIsSuspended
from timegate.ports.telemetry import service_events, service_metrics
from timegate.usecases.dag_runs.dag_run_services import DagWorks
from timegate.usecases.dag_runs.starting.start_dag_run import Start, start_dag_run
from timegate.usecases.services.dag_start_services import Starting
from timegate.usecases.services.tenants_at_hand import TenantsAtHand

if TYPE_CHECKING:
    from timegate.ports.dispatch.messaging import Rejects

#: EventBridge tries for so long. An older event was archived or made up: it may have started a run
#: whose record was forgotten, so a repeated one could not be recognised.
MAX_AGE = timedelta(days=1)


#: Refusals that a tenant's standing, quota, deletion or schema explains: nothing is wrong with the
#: stage, and no operator is called.
OF_TENANTS = (
    *(DagIsDeleted, DayIsFull, PayloadMismatch),
    *(TenantErased, TenantIsMoving, TenantIsSuspended),
)


class EventTooOld(Malformed):
    """The event is of more than a day ago."""

    code = "event_too_old"


class EventStarts(Protocol):
    """Services that start runs because of events."""

    @property
    def works(self) -> DagWorks:
        """Stores and telemetry."""

    @property
    def tenants(self) -> TenantsAtHand:
        """Standing and quotas of tenants."""

    @property
    def refused(self) -> "Callable[[], Rejects] | None":
        """Builds the queue of events that tenants' standing refused; ``None``: there is none."""


def start_on_event(
    told: Mapping[str, Any], services: EventStarts, *, now: datetime
) -> DagRun | None:
    """Start a run of the DAG that a rule names, with the event as its parameters.

    The rule names the DAG's tenant. The same event starts it once, however often it comes.
    ``None``: the tenant's standing refuses it, and it is among the ``refused``. Raises
    ``Malformed``, ``EventTooOld``, ``DayIsFull``, and as ``refuse_suspended`` and
    ``start_dag_run``: then its sender keeps it for a person, with the reason.
    """
    try:
        return _start(told, services.works, services.tenants, now=now)
    except Throttled:
        # It comes again.
        raise
    except TimegateError as error:
        services.works.telemetry.count(service_metrics.EVENTS_NOT_STARTED)
        services.works.telemetry.event(
            service_events.EVENT_NOT_STARTED,
            tenant_id=str(told.get("tenant")),
            dag_id=str(told.get("dag_id")),
            event_id=_id_of(told),
            code=error.code,
            detail=str(error),
        )
        if services.refused is None or not isinstance(error, OF_TENANTS):
            raise
        if not isinstance(error, TenantErased):
            # Nothing of an erased tenant is kept.
            services.refused().park("event of a rule", json.dumps(told), f"{error.code}: {error}")
        return None


def _start(
    told: Mapping[str, Any], works: DagWorks, tenants: TenantsAtHand, *, now: datetime
) -> DagRun:
    tenant, start = _read(told)
    settings = tenants.settings(tenant, now=now)
    within = day_quota(settings.quotas.over(tenants.stage), now)
    starting = Starting(
        dags=works.dags, dag_runs=works.dag_runs, blobs=works.blobs, telemetry=works.telemetry
    )
    refusal = _refusal(start, settings, now=now)
    if refusal is None:
        return start_dag_run(tenant, start, starting, now=now, within=within)
    try:
        # One that comes again has started what it is to start.
        return works.dag_runs.get(tenant, start.dag_run_id(tenant))
    except DagRunNotFound:
        raise refusal from None


def _refusal(start: Start, settings: TenantSettings, *, now: datetime) -> TimegateError | None:
    """Return the reason to refuse an event, for any DAG of its tenant."""
    if start.scheduled_at is not None and now - start.scheduled_at > MAX_AGE:
        return EventTooOld(f"The event is of {start.scheduled_at.isoformat()}.")
    try:
        refuse_suspended(settings)
    except TimegateError as refusal:
        return refusal
    return None


def _id_of(told: Mapping[str, Any]) -> str:
    event = told.get("event")
    return str(event.get("id")) if isinstance(event, Mapping) else ""


def _read(told: Mapping[str, Any]) -> tuple[TenantId, Start]:
    try:
        tenant, dag_id = tenant_id(told["tenant"]), parse_dag_id(told["dag_id"])
        event = told["event"]
        event_id, at = str(event["id"]), _instant(event["time"])
    except (InvalidInput, KeyError, TypeError, ValueError) as error:
        raise Malformed(f"The rule told {error!r}.") from error
    if dag_id is None:
        raise Malformed(f"{told['dag_id']!r} is no DAG.")
    return tenant, Start(
        dag_id=dag_id,
        key=event_id,
        # There is no caller who could be told to name a secret instead.
        parameters=without_credentials(
            json.dumps(event, separators=(",", ":"), ensure_ascii=False)
        ),
        trigger=DagTrigger.EVENT,
        scheduled_at=at,
    )


def _instant(text: str) -> datetime:
    instant = datetime.fromisoformat(text)
    if instant.tzinfo is None:
        message = f"{text} is in no time zone"
        raise ValueError(message)
    return instant.astimezone(UTC)
