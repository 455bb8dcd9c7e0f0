"""Approvals as the holder of a link sees them: as JSON, and as a page."""

from collections.abc import Mapping
from typing import Any

from api.values.pages import facts, isolated, page
from api.values.views import View, instant_view
from timegate.domain.approvals.link import link_address
from timegate.domain.dag_runs.progress import Intervention
from timegate.domain.runs.resolution import MAX_NOTE
from timegate.domain.values.instants import rfc3339
from timegate.usecases.approvals.approval_links import LinkedApproval
from timegate.usecases.approvals.make_link import MadeLink

_FORM = (
    '<form method="post">\n'
    '<label for="note">Comment (optional)</label>\n'
    f'<textarea id="note" name="note" rows="3" maxlength="{MAX_NOTE}"></textarea>\n'
    '<button name="decision" value="approve">Approve</button>\n'
    '<button name="decision" value="reject">Reject</button>\n'
    "</form>"
)
_DONE = {"approve": "approved", "reject": "rejected"}


def link_view(made: MadeLink) -> View:
    """Show a link that was made."""
    return {
        "path": link_address("", made.text),
        "receiver": made.link.receiver,
        "expires_at": rfc3339(made.link.until),
    }


def approval_view(approval: LinkedApproval, *, decided_now: bool = False) -> View:
    """Show an approval."""
    done = approval.progress
    return {
        "dag": approval.dag.name,
        "description": approval.dag.description,
        "task": approval.task.name or approval.task.key,
        "task_key": approval.task.key,
        "dag_run_id": approval.run.dag_run_id,
        "tenant": approval.link.tenant,
        "receiver": approval.link.receiver,
        "asked_at": instant_view(done.started_at),
        "until": rfc3339(approval.link.until),
        "state": done.state,
        "reason": done.reason,
        "decision": _decision_view(done.intervention),
        "decided_now": decided_now,
    }


def approval_page(view: Mapping[str, Any]) -> str:
    """Return an approval as a page: a form while it waits, or what became of it."""
    rows = {
        "Asked by": f"{view['dag']} ({view['tenant']})",
        "About": view["description"] or None,
        "Asked at": view["asked_at"],
        "Until": view["until"],
        "DAG run": view["dag_run_id"],
        "Link made for": view["receiver"],
    }
    waits = view["state"] == "running"
    return page(f"Approve: {view['task']}", f"{facts(rows)}\n{_FORM if waits else _end(view)}")


def _end(view: Mapping[str, Any]) -> str:
    decision = view["decision"]
    if decision is None or decision["kind"] not in _DONE:
        return f"<p>Nothing is to be decided any more: the task is {isolated(view['state'])}.</p>"
    done = _DONE[decision["kind"]]
    if view["decided_now"]:
        said = f"Thank you. It is {done}."
    else:
        said = f"It was already {done} by {isolated(decision['by'])} at {decision['at']}."
    return f"<p><strong>{said}</strong></p>\n{facts({'Comment': decision['note']})}"


def _decision_view(intervention: Intervention | None) -> View | None:
    if intervention is None:
        return None
    return {
        "kind": intervention.kind,
        "by": intervention.by,
        "at": rfc3339(intervention.at),
        "note": intervention.note,
    }
