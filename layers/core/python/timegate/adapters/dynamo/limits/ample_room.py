"""Room that is so ample that a job which ends soon need not be counted."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from timegate.adapters.dynamo.limits.creations import LARGE
from timegate.adapters.dynamo.limits.tally import QuotaTally
from timegate.domain.jobs.job import Job
from timegate.domain.runs.run import Attempt
from timegate.domain.values.tenant import TenantId

#: A process reads a tenant's counts so often for this.
READ_EACH = timedelta(minutes=5)


class AmpleRoom:
    """Room for jobs, by what a process has read of its tenants."""

    def __init__(self, tally: QuotaTally) -> None:
        self._tally = tally
        #: Used number, and the instant of its reading.
        self._used: dict[TenantId, tuple[int, datetime]] = {}

    def opened(
        self, job: Job, first: Sequence[Attempt], *, limit: int | None
    ) -> tuple[Job, Sequence[Attempt]]:
        """Return a new job and its first runs as they are stored: uncounted, where that may be.

        Raises ``Throttled``.
        """
        # Few functions create jobs.
        from timegate.domain.planning.untallied import ends_soon, untallied  # noqa: PLC0415

        if not ends_soon(first) or not self._is_ample(job, limit):
            return job, first
        return untallied(job, first)

    def _is_ample(self, job: Job, limit: int | None) -> bool:
        """Tell if the job's tenant has used less than half of a large quota, or has none."""
        if limit is None:
            return True
        if limit < LARGE:
            return False
        now, tenant = job.timing.created_at, job.tenant
        used, at = self._used.get(tenant, (0, None))
        if at is None or now >= at + READ_EACH:
            used = self._tally.used(tenant)
            self._used[tenant] = used, now
        return used < limit // 2
