"""Telling of refusals: a tenant that is held up by a quota is a fact for its operators, too."""

from collections.abc import Iterator
from contextlib import contextmanager

from timegate.domain.execution.day_quota import DayIsFull
from timegate.domain.execution.quota_usage import QuotaExceeded
from timegate.domain.values.tenant import TenantId
from timegate.ports.telemetry import run_events, run_metrics
from timegate.ports.telemetry.telemetry import Telemetry


@contextmanager
def refusals_told(tenant: TenantId, telemetry: Telemetry) -> Iterator[None]:
    """Count and log a ``QuotaExceeded``, or a ``DayIsFull``, that passes.

    The metric has no dimension of tenants, of which there are any number: the event names him.
    """
    try:
        yield
    except (QuotaExceeded, DayIsFull) as error:
        telemetry.count(run_metrics.QUOTA_REFUSALS)
        telemetry.event(
            run_events.QUOTA_EXCEEDED,
            tenant_id=tenant,
            quota=error.quota,
            limit=error.limit,
            used=error.used,
        )
        raise
