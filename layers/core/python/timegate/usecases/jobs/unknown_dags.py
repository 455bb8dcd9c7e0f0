"""Refusing jobs that start DAGs that do not exist."""

from timegate.domain.actions.action import Action
from timegate.domain.actions.kinds.dag import DagAction
from timegate.domain.dags.definition import DagStatus
from timegate.domain.dags.errors import DagNotFound
from timegate.domain.values.errors import InvalidInput
from timegate.domain.values.identity import parse_dag_id
from timegate.domain.values.tenant import TenantId
from timegate.usecases.services.api_services import ApiServices

_FIELD = "action.dag_id"


def refuse_unknown_dag(tenant: TenantId, action: Action, services: ApiServices) -> None:
    """Raise ``InvalidInput`` for a DAG that the tenant does not have, or has deleted.

    One may be deleted later: runs that are due then fail, and say so.
    """
    if not isinstance(action, DagAction):
        return
    # The same words for another tenant's.
    unknown = InvalidInput(_FIELD, "unknown_dag", f"There is no DAG {action.dag_id[:100]}.")
    if parse_dag_id(action.dag_id) is None:
        raise unknown
    try:
        dag = services.dags.get(tenant, action.dag_id)
    except DagNotFound as missing:
        raise unknown from missing
    if dag.status is DagStatus.DELETED:
        detail = f"DAG {action.dag_id} is deleted, and never runs again."
        raise InvalidInput(_FIELD, "dag_deleted", detail)
