"""Validating a DAG: what creating or updating it would say, and nothing is stored."""

from datetime import datetime

from timegate.domain.dags.definition import SAID_OF_OWN_JOB, Dag
from timegate.domain.dags.edges import Graph
from timegate.domain.values.errors import InvalidInput
from timegate.domain.values.identity import DagId, dag_id_from
from timegate.domain.values.tenant import TenantId
from timegate.usecases.dags.check_definition import definition_problems
from timegate.usecases.dags.create_dag import as_dag
from timegate.usecases.dags.definition import DagChanges, DagDefinition
from timegate.usecases.dags.update_dag import merged
from timegate.usecases.jobs.create_job import CreateJobRequest
from timegate.usecases.services.api_services import ApiServices
from timegate.value_classes import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class Validated:
    """A definition, and what is wrong with it."""

    dag: Dag
    problems: tuple[InvalidInput, ...]

    @property
    def levels(self) -> tuple[tuple[str, ...], ...]:
        """Tasks that can begin together, were all to succeed; empty for one that is wrong."""
        return Graph.of(self.dag.tasks, self.dag.edges).levels() if not self.problems else ()


def validate_new(
    tenant: TenantId, definition: DagDefinition, services: ApiServices, *, now: datetime
) -> Validated:
    """Report problems that creating the DAG would meet."""
    request = CreateJobRequest(tenant=tenant, hash="")
    return _validated(as_dag(request, dag_id_from(b"none"), definition, now), services, now)


def validate_stored(
    tenant: TenantId, dag_id: DagId, changes: DagChanges, services: ApiServices, *, now: datetime
) -> Validated:
    """Report problems of a stored DAG after changes, against jobs and targets as they are now.

    Raises ``DagNotFound``.
    """
    stored = services.dags.get(tenant, dag_id)
    changed = merged(stored, changes)
    # A schedule that is stored may have run out since.
    is_new = any(getattr(changed, name) != getattr(stored, name) for name in SAID_OF_OWN_JOB)
    return _validated(changed, services, now if is_new else None, before=stored)


def _validated(
    dag: Dag, services: ApiServices, now: datetime | None, before: Dag | None = None
) -> Validated:
    problems = definition_problems(dag, services, now=now, before=before)
    return Validated(dag=dag, problems=problems)
