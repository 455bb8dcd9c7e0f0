"""DAGs by version, as the use cases see them."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import field
from datetime import datetime
from typing import Protocol

from timegate.domain.dags.definition import Dag, DagStatus
from timegate.domain.jobs.job import Job, JobStatus
from timegate.domain.ledger.gap_parts import Cut
from timegate.domain.ledger.ledger import Gap
from timegate.domain.runs.run import Attempt
from timegate.domain.values.identity import DagId, JobId
from timegate.domain.values.tenant import TenantId
from timegate.ports.stores import Page
from timegate.value_classes import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class DagRow:
    """A version of a DAG in a listing: without its tasks and edges."""

    dag_id: DagId
    version: int
    status: DagStatus
    name: str
    description: str = ""
    tags: Mapping[str, str] = field(default_factory=dict)
    tasks: int
    edges: int
    created_at: datetime
    updated_at: datetime

    @classmethod
    def of(cls, dag: Dag) -> "DagRow":
        """The row of a version."""
        return cls(
            dag_id=dag.dag_id,
            version=dag.version,
            status=dag.status,
            name=dag.name,
            description=dag.description,
            tags=dag.tags,
            tasks=len(dag.tasks),
            edges=len(dag.edges),
            created_at=dag.created_at,
            updated_at=dag.updated_at,
        )


@dataclass(frozen=True, kw_only=True, slots=True)
class DagPage(Page[DagRow]):
    """DAGs, and those between them whose records cannot be read."""

    damaged: tuple[DagId, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class DagVersionPage(Page[DagRow]):
    """Versions of a DAG, and the numbers of those between them that cannot be read."""

    damaged: tuple[int, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class OwnJobWrite:
    """A DAG's own job, as it is stored with the DAG or not at all."""

    #: Job as it was read; ``None``: it is new.
    before: Job | None = None
    after: Job
    #: First runs of a new one: it is past them.
    attempts: Sequence[Attempt] = ()
    #: Gap that ``JobStore.update`` stores with a change.
    gap: Gap | None = None
    cuts: Sequence[Cut] = ()
    #: Gaps that have no room in the transaction: the caller cuts them afterwards.
    later: Sequence[Cut] = ()
    #: So many jobs the tenant may have; ``None``: any number.
    limit: int | None = None


class DagStore(Protocol):
    """One item per DAG, and one per version that was replaced: those never change.

    Throttling raises ``Throttled`` everywhere.
    """

    def create(
        self, dag: Dag, *, limit: int | None = None, own_job: OwnJobWrite | None = None
    ) -> Dag:
        """Store a new DAG and its job unless its id exists; returns what is stored, new or old.

        Raises ``QuotaExceeded`` for a new one where the tenant has ``limit`` that are not deleted,
        or no room for the job.
        """

    def get(self, tenant: TenantId, dag_id: DagId) -> Dag:
        """The DAG as it is now, strongly consistent; raises ``DagNotFound``."""

    def own_job(self, tenant: TenantId, dag_id: DagId) -> Job | None:
        """The DAG's own job, strongly consistent; ``None``: there is none that can be read."""

    def version(self, tenant: TenantId, dag_id: DagId, version: int) -> Dag:
        """The DAG as that version has it, whatever became of it since.

        Raises ``DagNotFound`` and ``DagVersionNotFound``.
        """

    def versions(
        self, tenant: TenantId, dag_id: DagId, *, limit: int, cursor: str | None
    ) -> DagVersionPage:
        """All versions of a DAG, the latest first; raises ``DagNotFound`` and ``InvalidInput``."""

    def update(self, before: Dag, after: Dag, *, own_job: OwnJobWrite | None = None) -> None:
        """Store the next version, keep ``before``, and write the DAG's job: all or nothing.

        Raises ``DagChanged`` unless ``before`` is the latest and the job is as it was read, and
        ``QuotaExceeded`` where a job that is new, or runs again, has no room.
        """

    def list_dags(
        self, tenant: TenantId, status: DagStatus, *, limit: int, cursor: str | None
    ) -> DagPage:
        """The tenant's DAGs of a status, newest first; raises ``InvalidInput`` for no cursor."""

    def job_statuses(
        self, tenant: TenantId, job_ids: Collection[JobId]
    ) -> Mapping[JobId, JobStatus]:
        """Read the status of these jobs, as far as they exist, strongly consistent: tasks name
        them.
        """

    def names(self, tenant: TenantId, dag_ids: Collection[DagId]) -> Mapping[DagId, str]:
        """Read the names of these DAGs, as far as they exist, strongly consistent."""
