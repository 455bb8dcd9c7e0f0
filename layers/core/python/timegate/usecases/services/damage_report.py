"""Telling operators of records that cannot be read: only operators can repair them."""

from collections.abc import Iterable, Sequence

from timegate.domain.ledger.damaged_records import DamagedGap, DamagedRecord, DamagedRun, RunDamaged
from timegate.domain.values.instants import rfc3339
from timegate.domain.values.tenant import TenantId
from timegate.ports.stores import DamagedJob
from timegate.ports.telemetry import service_events, service_metrics
from timegate.ports.telemetry.telemetry import LogEvent, Telemetry


def tell_of_damage(damaged: Sequence[DamagedJob], telemetry: Telemetry) -> None:
    """Count jobs, and name each with what is wrong with it."""
    if damaged:
        telemetry.count(service_metrics.RECORDS_UNREADABLE, len(damaged))
    for each in damaged:
        telemetry.event(
            service_events.JOB_DAMAGED,
            tenant_id=each.tenant,
            job_id=each.job_id,
            detail=each.reason,
        )


def tell_of_damaged_records(records: Iterable[object], telemetry: Telemetry) -> None:
    """Count those of these records that cannot be read, and name each: where it lies, and why."""
    for each in records:
        if isinstance(each, DamagedRun | DamagedGap):
            _tell(each, telemetry)


def tell_of_damaged_run(tenant: TenantId, error: RunDamaged, telemetry: Telemetry) -> None:
    """Count a run that was asked for, and name the attempt that cannot be read."""
    _report(service_events.RUN_DAMAGED, tenant, error.attempt, error.reason, telemetry)


def tell_of_damaged_tasks(
    tenant: TenantId, damaged: Iterable[tuple[str, str]], telemetry: Telemetry
) -> None:
    """Count tasks of DAG runs, and name each: where its record lies, and why."""
    tell_of_unreadable(service_events.RUN_DAMAGED, tenant, damaged, telemetry)


def tell_of_unreadable(
    event: LogEvent,
    tenant: TenantId,
    damaged: Iterable[tuple[str, str]],
    telemetry: Telemetry,
    *,
    named: str = "record",
) -> None:
    """Count records that a listing left out, and tell each by its own event, with the reason.

    ``named``: the field of the event that holds the record's name.
    """
    for name, detail in damaged:
        telemetry.count(service_metrics.RECORDS_UNREADABLE)
        telemetry.event(event, tenant_id=tenant, detail=detail, **{named: name})


def _tell(damaged: DamagedRecord, telemetry: Telemetry) -> None:
    match damaged:
        case DamagedRun():
            what = str(damaged.id)
            _report(service_events.RUN_DAMAGED, damaged.tenant, what, damaged.reason, telemetry)
        case DamagedGap():
            what = f"{damaged.job_id} {rfc3339(damaged.last)} version {damaged.job_version}"
            _report(service_events.GAP_DAMAGED, damaged.tenant, what, damaged.reason, telemetry)


def _report(
    event: LogEvent, tenant: TenantId, record: str, detail: str, telemetry: Telemetry
) -> None:
    tell_of_unreadable(event, tenant, [(record, detail)], telemetry)
