"""Listing approvals that wait for a person, of all DAG runs of a tenant."""

from collections.abc import Callable, Iterable, Mapping
from datetime import datetime

from timegate.domain.operations.waiting_approvals import WaitingApproval
from timegate.domain.values.identity import DagId
from timegate.domain.values.tenant import TenantId
from timegate.ports.operations.approvals import ApprovalPage
from timegate.ports.stores import NamedPage
from timegate.usecases.services.api_services import ApiServices
from timegate.usecases.services.damage_report import tell_of_damaged_tasks
from timegate.usecases.services.matching_rows import damaged_of, look_through
from timegate.value_classes import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class NamedApproval:
    """An approval that waits, and the name of its DAG."""

    waiting: WaitingApproval
    #: ``None``: the DAG is gone.
    dag_name: str | None


@dataclass(frozen=True, kw_only=True, slots=True)
class ApprovalFilter:
    """Criteria for approvals that wait; every one that is given must hold."""

    dag_id: str | None = None
    task: str | None = None

    def matches(self, waiting: WaitingApproval) -> bool:
        """Tell if every criterion holds."""
        return self.dag_id in {None, waiting.run.dag_id} and self.task in {None, waiting.task.key}


def list_approvals(
    tenant: TenantId,
    wanted: ApprovalFilter,
    services: ApiServices,
    *,
    limit: int,
    cursor: str | None,
    now: datetime,
) -> NamedPage[NamedApproval]:
    """A tenant's approvals that match and can be decided now, the latest begin first.

    Fewer than ``limit``, even none, with a cursor means "not finished looking". Raises
    ``InvalidInput`` for a cursor that is none.
    """

    def is_wanted(row: WaitingApproval) -> bool:
        return row.is_open(now) and wanted.matches(row)

    read = _read(tenant, services)
    rows, pages = look_through(read, is_wanted, limit=limit, cursor=cursor)
    names = dag_names(tenant, (row.run.dag_id for row in rows), services)
    named = [NamedApproval(waiting=row, dag_name=names.get(row.run.dag_id)) for row in rows]
    return NamedPage(rows=tuple(named), damaged=damaged_of(pages), cursor=pages[-1].cursor)


def latest_approvals(
    tenant: TenantId, services: ApiServices, *, most: int, now: datetime
) -> tuple[tuple[WaitingApproval, ...], bool]:
    """The latest approvals that can be decided now, of up to ``most``, and if there may be more."""
    page = _read(tenant, services)(most, None)
    return tuple(row for row in page.rows if row.is_open(now)), page.cursor is not None


def dag_names(
    tenant: TenantId, dag_ids: Iterable[DagId], services: ApiServices
) -> Mapping[DagId, str]:
    """The names of DAGs, as far as they exist: one read for a hundred of them."""
    distinct = set(dag_ids)
    return services.dags.names(tenant, distinct) if distinct else {}


def _read(tenant: TenantId, services: ApiServices) -> Callable[[int, str | None], ApprovalPage]:
    def read(most: int, begin: str | None) -> ApprovalPage:
        page = services.approvals().list_waiting(tenant, limit=most, cursor=begin)
        tell_of_damaged_tasks(tenant, page.damaged, services.telemetry)
        return page

    return read
