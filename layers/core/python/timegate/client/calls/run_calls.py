"""The client's operations on runs, for those who look at them."""

from timegate.client.calling import (
    ApiCall,
    PageCall,
    change,
    get,
    job_filter,
    job_path,
    keyed,
    page,
    segment,
)
from timegate.client.operation import listing, operation
from timegate.client.schemas import (
    ArchivedRunPage,
    Attempt,
    AttemptPage,
    CancelRuns,
    LogLine,
    LogPage,
    NamedRun,
    Notification,
    NotificationList,
    Operation,
    Redrive,
    RedriveFailed,
    Reschedule,
    RescheduleRuns,
    Result,
    Run,
    RunPage,
    RunRow,
    TenantRunPage,
)
from timegate.client.sending import Calls


class RunCalls(Calls):
    """Runs, and what is kept of them."""

    @listing
    def list_runs(
        self,
        job_id: str,
        *,
        state: str | None = None,
        start: str | None = None,
        end: str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> PageCall[RunPage, RunRow]:
        """A page of a job's runs, newest first; ``start`` and ``end`` as RFC 3339."""
        which = {"state": state, "from": start, "to": end}
        return page(f"{job_path(job_id)}/runs", {**which, "limit": limit, "cursor": cursor})

    @listing
    def list_all_runs(  # noqa: PLR0913 - so much tells runs apart
        self,
        *,
        which: str | None = None,
        state: list[str] | None = None,
        reason: str | None = None,
        error_code: str | None = None,
        job_id: str | None = None,
        name: str | None = None,
        tag: list[str] | None = None,
        dag_run_id: str | None = None,
        event_trigger: str | None = None,
        late_seconds: int | None = None,
        start: str | None = None,
        end: str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> PageCall[TenantRunPage, NamedRun]:
        """A page of the failed runs of all jobs, the latest end first.

        With ``which="all"`` runs in every state, the latest instant first, of jobs that list them;
        of any job that ``job_id`` names. ``name`` that ends with ``*`` is the beginning of a job's
        name; ``tag`` is ``key:value``; ``start`` and ``end`` of their ends, or with ``all`` of
        their instants, as RFC 3339.
        """
        ends = {"reason": reason, "error_code": error_code, "from": start, "to": end}
        jobs = {"job_id": job_filter(job_id), "name": name, "dag_run_id": dag_run_id}
        lists = {"state": state, "tag": tag}
        seen = {"late_seconds": late_seconds, "limit": limit, "cursor": cursor}
        causes = {"which": which, "event_trigger": event_trigger}
        return page("/v1/runs", {**causes, **ends, **jobs, **lists, **seen})

    @operation
    def get_run(self, run_id: str, *, filled: bool = False) -> ApiCall[Run]:
        """A run with its attempts; ``filled``: with the payload that its target gets."""
        return get(_run(run_id), {"filled": "true" if filled else None})

    @operation
    def redrive_run(
        self, run_id: str, request: Redrive | None = None, *, idempotency_key: str | None = None
    ) -> ApiCall[Run]:
        """Try a failed run again; the request may say ``payload``, ``fresh`` and ``note``."""
        return keyed(f"{_run(run_id)}/redrive", request, idempotency_key)

    @operation
    def redrive_runs(
        self, request: RedriveFailed, *, idempotency_key: str | None = None
    ) -> ApiCall[Operation]:
        """Try every failed run again that matches ``filter``; the operation that does it."""
        return keyed("/v1/runs/redrive", request, idempotency_key)

    @listing
    def list_archived_runs(
        self,
        *,
        start: str | None = None,
        end: str | None = None,
        job_id: str | None = None,
        state: str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> PageCall[ArchivedRunPage, RunRow]:
        """A page of archived runs, the latest day first; ``start`` and ``end`` are days."""
        which = {"from": start, "to": end, "job_id": job_filter(job_id), "state": state}
        return page("/v1/archive/runs", {**which, "limit": limit, "cursor": cursor})

    @operation
    def get_archived_run(self, run_id: str) -> ApiCall[Run]:
        """A run with its attempts, as it was when it was archived."""
        return get(f"/v1/archive/runs/{segment(run_id)}")

    @listing
    def list_attempts(self, run_id: str) -> PageCall[AttemptPage, Attempt]:
        """Every attempt at a run, first to last, as a page."""
        return page(f"{_run(run_id)}/attempts", {})

    @operation
    def get_result(self, run_id: str) -> ApiCall[Result]:
        """Read the result of a run, or a link to it."""
        return get(f"{_run(run_id)}/result")

    @listing
    def read_log(self, run_id: str, *, cursor: str | None = None) -> PageCall[LogPage, LogLine]:
        """Read a page of a run's log, earliest lines first."""
        return page(f"{_run(run_id)}/logs", {"cursor": cursor})

    @listing
    def list_notifications(self, run_id: str) -> PageCall[NotificationList, Notification]:
        """List the notifications of a run, with their deliveries, as a page."""
        return page(f"{_run(run_id)}/notifications", {})

    @operation
    def reschedule_run(self, run_id: str, request: Reschedule) -> ApiCall[Run]:
        """Let a run that has not begun be due ``at`` an instant, or after ``delay_seconds``."""
        return change("POST", f"{_run(run_id)}/reschedule", body=request)

    @operation
    def cancel_runs(
        self, request: CancelRuns, *, idempotency_key: str | None = None
    ) -> ApiCall[Operation]:
        """Cancel every run that has not begun and matches ``filter``; an operation does it."""
        return keyed("/v1/runs/cancel", request, idempotency_key)

    @operation
    def reschedule_runs(
        self, request: RescheduleRuns, *, idempotency_key: str | None = None
    ) -> ApiCall[Operation]:
        """Let every run that has not begun and matches ``filter`` be due at another instant."""
        return keyed("/v1/runs/reschedule", request, idempotency_key)

    @operation
    def cancel_run(self, run_id: str) -> ApiCall[Run]:
        """Prevent it, or ask its worker to stop."""
        return change("POST", f"{_run(run_id)}/cancel")


def _run(run_id: str) -> str:
    return f"/v1/runs/{segment(run_id)}"
