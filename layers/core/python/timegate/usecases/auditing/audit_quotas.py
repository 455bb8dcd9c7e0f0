"""The auditor's look at quotas: are the jobs and DAGs of some tenants as many as were counted?"""

import random
from collections.abc import Collection
from datetime import timedelta

from timegate.domain.execution.quota_usage import Quota
from timegate.domain.values.errors import Throttled
from timegate.domain.values.tenant import TenantId
from timegate.ports.clock import Clock
from timegate.ports.limits.quotas import UsageStore
from timegate.ports.telemetry import service_metrics
from timegate.ports.telemetry.telemetry import Telemetry
from timegate.usecases.auditing.recount import SETTLES, recount, report_drift

#: Tenants of a shard's jobs that one tick recounts, drawn by lot.
DRAWN = 3
#: Records of a tenant that it looks at for that; one with more is recounted by operators.
MOST = 500
#: No tenant is begun with later: differences are waited for, and other shards wait behind.
TIME = timedelta(seconds=5)


def audit_quotas(
    tenants: Collection[TenantId],
    usage: UsageStore,
    telemetry: Telemetry,
    lot: random.Random,
    clock: Clock,
) -> None:
    """Recount some of these tenants, and report what has drifted.

    Never raises ``Throttled``: another tick draws again.
    """

    def settle() -> None:
        clock.wait_until(clock.now() + SETTLES)

    until = clock.now() + TIME
    for tenant in lot.sample(sorted(tenants), min(len(tenants), DRAWN)):
        if clock.now() >= until:
            return
        for quota in (Quota.JOBS, Quota.DAGS):
            try:
                found = recount(tenant, quota, usage, settle, most=MOST)
            except Throttled:
                found = None
            telemetry.count(service_metrics.RECOUNTS_INCONCLUSIVE, int(found is None))
            if found is not None:
                report_drift(found, telemetry)
