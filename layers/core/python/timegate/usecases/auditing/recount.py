"""Recounting: is what was counted of a tenant's jobs and DAGs what there is?"""

from collections.abc import Callable
from datetime import timedelta

from timegate.domain.execution.quota_usage import Quota, Tallied
from timegate.domain.values.tenant import TenantId
from timegate.ports.limits.quotas import UsageStore
from timegate.ports.telemetry import service_events, service_metrics
from timegate.ports.telemetry.telemetry import Telemetry
from timegate.value_classes import dataclass

#: The index that a recount reads is seconds late: what it finds wrong is looked at so often.
LOOKS = 3
#: Between two looks: the index shows by then what was stored before the first.
SETTLES = timedelta(seconds=5)


@dataclass(frozen=True, kw_only=True, slots=True)
class Recount:
    """One quota of one tenant, counted while no caller made or ended anything of it."""

    tenant: TenantId
    quota: Quota
    tallied: Tallied
    present: int

    @property
    def drift(self) -> int:
        """Count the records that the tally lacks; negative if it has too many."""
        return self.present - self.tallied.used


def recount(
    tenant: TenantId,
    quota: Quota,
    usage: UsageStore,
    settle: Callable[[], None],
    *,
    most: int,
) -> Recount | None:
    """Count what is there; ``None`` where that proves nothing.

    There are more than ``most``, or the tenant makes and ends things all the time. A difference is
    believed where it stands for a while in which nothing was made or ended: ``settle`` waits for
    ``SETTLES``. Raises ``Throttled``.
    """
    found = _look(tenant, quota, usage, most)
    for _ in range(LOOKS - 1):
        if found is None or not found.drift:
            return found
        settle()
        again = _look(tenant, quota, usage, most)
        if again == found:
            return again
        found = again
    return None if found is None or found.drift else found


def report_drift(found: Recount, telemetry: Telemetry) -> None:
    """Tell operators, if there is any."""
    telemetry.count(service_metrics.QUOTA_DRIFT, abs(found.drift))
    if found.drift:
        telemetry.event(
            service_events.QUOTA_DRIFTED,
            tenant_id=found.tenant,
            quota=found.quota,
            counted=found.tallied.used,
            present=found.present,
        )


def repair(found: Recount, usage: UsageStore) -> bool:
    """Set the count right by one conditional write; ``False``: others were made since.

    Raises ``Throttled``.
    """
    return usage.correct(found.tenant, found.quota, found.tallied, by=found.drift)


def _look(tenant: TenantId, quota: Quota, usage: UsageStore, most: int) -> Recount | None:
    """Between two readings of the counts that are the same nothing was made and nothing ended."""
    before = usage.tallied(tenant, quota)
    present = usage.present(tenant, quota, most=most)
    if present is None or usage.tallied(tenant, quota) != before:
        return None
    return Recount(tenant=tenant, quota=quota, tallied=before, present=present)
