"""Deleting a DAG: nothing of it starts any more, and all its versions stay readable."""

from dataclasses import replace
from datetime import datetime

from timegate.domain.dags.definition import Dag, DagStatus
from timegate.ports.telemetry import service_events
from timegate.usecases.dags.change_dag import change_dag
from timegate.usecases.dags.definition import DagRef
from timegate.usecases.services.api_services import ApiServices


def delete_dag(ref: DagRef, services: ApiServices, *, now: datetime) -> Dag:
    """Delete a DAG and cancel its job; one that is deleted stays as it is.

    Runs that have begun go on. Raises as ``change_dag``.
    """

    def delete(dag: Dag) -> Dag:
        return replace(dag, status=DagStatus.DELETED)

    return change_dag(ref, service_events.DAG_DELETED, delete, services, now=now)
