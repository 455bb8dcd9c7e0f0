"""Reading decisions: what of a tenant failed for good, or asks, and waits for a person."""

from collections.abc import Mapping
from datetime import datetime

from timegate.domain.operations.dead_letter import NamedRun
from timegate.domain.operations.decisions import Decision, decisions
from timegate.domain.operations.waiting_approvals import ApprovalGroup, approval_groups
from timegate.domain.values.identity import DagId
from timegate.domain.values.instant_range import InstantRange
from timegate.domain.values.tenant import TenantId
from timegate.usecases.approvals.list_approvals import dag_names, latest_approvals
from timegate.usecases.runs.read_tenant_runs import load_last_attempts
from timegate.usecases.services.api_services import ApiServices
from timegate.value_classes import dataclass

#: Failed runs that are looked at for one answer, and for one read of it.
MOST_READ = 500
_READ = 100
#: Approvals that are looked at for one answer.
MOST_APPROVALS = 200


@dataclass(frozen=True, kw_only=True, slots=True)
class Decisions:
    """Groups of what waits, by failed runs that were looked at: the latest ends."""

    groups: tuple[Decision, ...]
    #: Failed runs that were looked at.
    read: int
    #: There are more.
    is_partial: bool
    #: Approvals that wait, however long, of the latest ``MOST_APPROVALS``.
    approvals: tuple[ApprovalGroup, ...]
    #: There are more of them.
    approvals_are_partial: bool
    #: The names of their DAGs, as far as they exist.
    dag_names: Mapping[DagId, str]


def read_decisions(
    tenant: TenantId, services: ApiServices, *, since: datetime, now: datetime
) -> Decisions:
    """Group the tenant's failed runs that ended since, the jobs that they paused, and approvals."""
    found, read, is_partial = _failed(tenant, services, since=since)
    waiting, has_more = latest_approvals(tenant, services, most=MOST_APPROVALS, now=now)
    groups = approval_groups(waiting)
    return Decisions(
        groups=decisions(found),
        read=read,
        is_partial=is_partial,
        approvals=groups,
        approvals_are_partial=has_more,
        dag_names=dag_names(tenant, (group.dag_id for group in groups), services),
    )


def _failed(
    tenant: TenantId, services: ApiServices, *, since: datetime
) -> tuple[list[NamedRun], int, bool]:
    """Up to ``MOST_READ`` failed runs, the latest end first, how many were looked at, and if there
    are more: four queries and a batch of reads for each hundred.
    """
    found: list[NamedRun] = []
    cursor, read, within = None, 0, InstantRange(start=since)
    while read < MOST_READ:
        page = services.failures.list_failures(tenant, within=within, limit=_READ, cursor=cursor)
        found += [
            NamedRun(last=row.attempt, job=row.job)
            for row in load_last_attempts(page.rows, services)
            if row.attempt is not None
        ]
        cursor, read = page.cursor, read + len(page.rows)
        if cursor is None:
            break
    return found, read, cursor is not None
