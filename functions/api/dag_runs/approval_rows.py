"""From approvals that wait to JSON: rows of listings, and groups."""

from collections.abc import Mapping

from api.values.views import View
from timegate.domain.operations.waiting_approvals import ApprovalGroup, WaitingApproval
from timegate.domain.values.identity import DagId
from timegate.domain.values.instants import rfc3339


def approval_row(waiting: WaitingApproval, *, dag_name: str | None) -> View:
    """An approval in a listing."""
    return {
        "dag_run_id": waiting.run.dag_run_id,
        "dag_id": waiting.run.dag_id,
        "dag_name": dag_name,
        "task_key": waiting.task.key,
        "round": waiting.task.round,
        "since": rfc3339(waiting.since),
        "until": rfc3339(waiting.until),
    }


def approval_group_view(group: ApprovalGroup, names: Mapping[DagId, str]) -> View:
    """Approvals of one task of one DAG, and the latest of them."""
    name = names.get(group.dag_id)
    return {
        "dag_id": group.dag_id,
        "dag_name": name,
        "task_key": group.task,
        "count": group.count,
        "first_at": rfc3339(group.first_at),
        "last_at": rfc3339(group.last_at),
        "until": rfc3339(group.until),
        "latest": [approval_row(each, dag_name=name) for each in group.latest],
    }
