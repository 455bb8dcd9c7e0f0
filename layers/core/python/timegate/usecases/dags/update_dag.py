"""Updating a DAG: the fields that are given replace the stored ones, as a new version."""

from dataclasses import replace
from datetime import datetime
from typing import Any

from timegate.domain.dags.definition import SAID_OF_OWN_JOB, Dag, DagStatus
from timegate.domain.dags.errors import DagIsDeleted
from timegate.domain.jobs.definition import UNSET
from timegate.ports.telemetry import service_events
from timegate.usecases.dags.change_dag import change_dag
from timegate.usecases.dags.check_definition import check_definition
from timegate.usecases.dags.definition import DagChanges, DagRef
from timegate.usecases.dags.own_job import check_own_job
from timegate.usecases.services.api_services import ApiServices

#: An edit that leaves all of these as they are changes nothing of how it runs.
_GRAPH = ("tasks", "edges", "failure_policy", "max_retries", "timeout_seconds")
_MAY_BE_NONE = ("schedule", "late_after_seconds", "absent_after_seconds", "finish_by")


def update_dag(ref: DagRef, changes: DagChanges, services: ApiServices, *, now: datetime) -> Dag:
    """Replace what is given; giving what is stored already changes nothing.

    Raises ``InvalidDag``, ``DagIsDeleted``, and as ``change_dag``.
    """

    def update(dag: Dag) -> Dag:
        if dag.status is DagStatus.DELETED:
            raise DagIsDeleted(dag.dag_id)
        updated = merged(dag, changes)
        if any(getattr(updated, name) != getattr(dag, name) for name in SAID_OF_OWN_JOB):
            check_own_job(updated, services, now=now, before=dag)
        # A graph accepted once is no reason to refuse an unrelated change.
        if any(getattr(updated, name) != getattr(dag, name) for name in _GRAPH):
            check_definition(updated, services)
        return updated

    return change_dag(ref, service_events.DAG_UPDATED, update, services, now=now)


def merged(dag: Dag, changes: DagChanges) -> Dag:
    """The DAG with the fields that are given."""
    given: dict[str, Any] = {
        name: value
        for name in (
            *("name", "tasks", "edges"),
            *("timeout_seconds", "description", "tags", "metadata", "notifications", "then"),
        )
        if (value := getattr(changes, name)) is not None
    }
    if changes.failures is not None:
        given["failure_policy"] = changes.failures.policy
        given["max_retries"] = changes.failures.max_retries
    for name in _MAY_BE_NONE:
        if (value := getattr(changes, name)) is not UNSET:
            given[name] = value
    changed = replace(dag, **given)
    return replace(changed, has_job=dag.has_job or changed.wants_job)
