"""The client's operations on runs of DAGs."""

from collections.abc import Mapping
from typing import Literal

from timegate.client.calling import (
    ApiCall,
    PageCall,
    ask,
    change,
    get,
    keyed,
    page,
    picture,
    segment,
)
from timegate.client.operation import listing, operation
from timegate.client.schemas import (
    ApprovalPage,
    DagRun,
    DagRunGantt,
    DagRunGraph,
    DagRunPage,
    DagRunRow,
    DagRunWithTask,
    NewApprovalLink,
    NewLink,
    PictureScheme,
    TaskCompletion,
    TaskDecision,
    TaskRerun,
    TaskSignal,
    TaskSkip,
    WaitingApproval,
)
from timegate.client.sending import Calls


class DagRunCalls(Calls):
    """Runs of DAGs, and their tasks."""

    @operation
    def start_dag_run(
        self,
        dag_id: str,
        parameters: Mapping[str, object] | None = None,
        *,
        idempotency_key: str | None = None,
        traceparent: str | None = None,
    ) -> ApiCall[DagRunRow]:
        """Start a run; the same key with the same parameters gives the same one."""
        body = {"parameters": dict(parameters or {})}
        return keyed(f"/v1/dags/{segment(dag_id)}/runs", body, idempotency_key, traceparent)

    @listing
    def list_dag_runs(
        self,
        dag_id: str,
        *,
        status: str | None = None,
        event_trigger: str | None = None,
        start: str | None = None,
        end: str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> PageCall[DagRunPage, DagRunRow]:
        """A page of a DAG's runs, newest first."""
        which = {"status": status, "event_trigger": event_trigger, "from": start, "to": end}
        return page(f"/v1/dags/{segment(dag_id)}/runs", {**which, "limit": limit, "cursor": cursor})

    @operation
    def get_dag_run(self, dag_run_id: str) -> ApiCall[DagRun]:
        """A DAG run with its tasks."""
        return get(_run(dag_run_id))

    @operation
    def cancel_dag_run(self, dag_run_id: str) -> ApiCall[DagRunRow]:
        """Start nothing more of it, and cancel what is under way."""
        return change("POST", f"{_run(dag_run_id)}/cancel")

    @operation
    def retry_dag_run(self, dag_run_id: str) -> ApiCall[DagRunRow]:
        """Run again what failed, and what came to nothing because of it."""
        return change("POST", f"{_run(dag_run_id)}/retry")

    @operation
    def complete_dag_task(
        self,
        dag_run_id: str,
        task_key: str,
        request: TaskCompletion | None = None,
        *,
        idempotency_key: str | None = None,
    ) -> ApiCall[DagRunWithTask]:
        """Say that a task has succeeded, and what it answered."""
        path = f"{_task(dag_run_id, task_key)}/complete"
        return keyed(path, request or {}, idempotency_key)

    @operation
    def skip_dag_task(
        self,
        dag_run_id: str,
        task_key: str,
        request: TaskSkip | None = None,
        *,
        idempotency_key: str | None = None,
    ) -> ApiCall[DagRunWithTask]:
        """Say that a task is not to be run."""
        path = f"{_task(dag_run_id, task_key)}/skip"
        return keyed(path, request or {}, idempotency_key)

    @operation
    def decide_dag_task(
        self,
        dag_run_id: str,
        task_key: str,
        request: TaskDecision,
        *,
        idempotency_key: str | None = None,
    ) -> ApiCall[DagRunWithTask]:
        """Approve or reject what a task waits for."""
        path = f"{_task(dag_run_id, task_key)}/decide"
        return keyed(path, request, idempotency_key)

    @listing
    def list_approvals(
        self,
        *,
        dag_id: str | None = None,
        task_key: str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> PageCall[ApprovalPage, WaitingApproval]:
        """A page of approvals that wait, of all DAG runs, the latest begin first."""
        which = {"dag_id": dag_id, "task_key": task_key}
        return page("/v1/approvals", {**which, "limit": limit, "cursor": cursor})

    @operation
    def create_dag_task_link(
        self, dag_run_id: str, task_key: str, request: NewLink | None = None
    ) -> ApiCall[NewApprovalLink]:
        """Make the link of an approval that waits; its path stands below the API's URL."""
        return ask(f"{_task(dag_run_id, task_key)}/approval-link", request or {})

    @operation
    def signal_dag_task(
        self,
        dag_run_id: str,
        task_key: str,
        request: TaskSignal | None = None,
        *,
        idempotency_key: str | None = None,
    ) -> ApiCall[DagRunWithTask]:
        """Give a task the data of the event that it waits for."""
        path = f"{_task(dag_run_id, task_key)}/signal"
        return keyed(path, request or {}, idempotency_key)

    @operation
    def rerun_dag_task(
        self,
        dag_run_id: str,
        task_key: str,
        request: TaskRerun | None = None,
        *,
        idempotency_key: str | None = None,
    ) -> ApiCall[DagRunWithTask]:
        """Run a task again, and what is behind it."""
        path = f"{_task(dag_run_id, task_key)}/rerun"
        return keyed(path, request or {}, idempotency_key)

    @operation
    def draw_dag_run(
        self, dag_run_id: str, *, language: Literal["json", "mermaid", "dot"] = "json"
    ) -> ApiCall[DagRunGraph]:
        """Its graph, with the states of its tasks."""
        return get(f"{_run(dag_run_id)}/graph", {"format": language})

    @operation
    def draw_dag_run_gantt(
        self,
        dag_run_id: str,
        *,
        language: Literal["json", "text"] = "json",
        tz: str | None = None,
    ) -> ApiCall[DagRunGantt]:
        """Its tasks over time."""
        return get(f"{_run(dag_run_id)}/gantt", {"format": language, "tz": tz})

    @operation
    def draw_dag_run_picture(
        self, dag_run_id: str, *, scheme: PictureScheme | None = None
    ) -> ApiCall[str]:
        """Its graph as SVG, with the states of its tasks."""
        return picture(f"{_run(dag_run_id)}/graph.svg", {"scheme": scheme})

    @operation
    def draw_dag_run_gantt_picture(
        self, dag_run_id: str, *, scheme: PictureScheme | None = None, tz: str | None = None
    ) -> ApiCall[str]:
        """Its tasks over time, as SVG."""
        return picture(f"{_run(dag_run_id)}/gantt.svg", {"scheme": scheme, "tz": tz})


def _run(dag_run_id: str) -> str:
    return f"/v1/dag-runs/{segment(dag_run_id)}"


def _task(dag_run_id: str, task_key: str) -> str:
    return f"{_run(dag_run_id)}/tasks/{segment(task_key)}"
