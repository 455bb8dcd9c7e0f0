"""Deciding an approval through its link."""

from dataclasses import replace
from datetime import datetime
from typing import Literal

from timegate.domain.dag_runs.progress import InterventionKind
from timegate.domain.dag_runs.run_errors import TaskHasEnded
from timegate.usecases.approvals.approval_links import LinkedApproval
from timegate.usecases.dag_runs.interventions.intervene import InterventionRequest, intervene
from timegate.usecases.services.api_services import ApiServices


def decide_by_link(
    approval: LinkedApproval,
    decision: Literal["approve", "reject"],
    note: str | None,
    services: ApiServices,
    *,
    now: datetime,
) -> tuple[LinkedApproval, bool]:
    """Decide an approval as its API does, by one conditional write; as it is then.

    The second part tells if this decided it. A task that has ended is left as it is: the caller
    sees by whom it was decided. Raises ``TaskWasPutBack``, ``ApprovalExpired``, ``DagRunIsBusy``
    and as ``intervene``.
    """
    if approval.progress.has_ended:
        return approval, False
    link = approval.link
    request = InterventionRequest(
        tenant=link.tenant,
        dag_run_id=link.dag_run_id,
        key=link.task,
        kind=InterventionKind(decision),
        by=link.actor,
        note=note,
        round=link.round,
    )
    try:
        done = intervene(request, services, now=now)
    except TaskHasEnded:
        progress = services.dag_runs.task(link.tenant, link.dag_run_id, link.task)
        return replace(approval, progress=progress or approval.progress), False
    return replace(approval, run=done.run, progress=done.progress), not done.is_replay
