"""The client's operations on jobs, their instants and schedules."""

from collections.abc import Sequence

from timegate.client.calling import (
    ApiCall,
    Filter,
    PageCall,
    ask,
    change,
    get,
    job_path,
    keyed,
    page,
)
from timegate.client.operation import listing, operation
from timegate.client.schemas import (
    DamagedEntry,
    EditPreview,
    Explanation,
    GapEntry,
    Job,
    JobPage,
    JobPatch,
    JobStatistics,
    JobValidation,
    LedgerPage,
    LoadForecast,
    NewJob,
    Preview,
    PreviewRequest,
    Run,
    RunEntry,
    ScenarioContract,
    Simulation,
    TriggeredMany,
    TriggerRequest,
)
from timegate.client.sending import Calls


class JobCalls(Calls):
    """Jobs, and what their schedules mean."""

    @operation
    def create_job(self, definition: NewJob, *, idempotency_key: str | None = None) -> ApiCall[Job]:
        """Create a job; the same key with the same definition gives the same job."""
        return keyed("/v1/jobs", definition, idempotency_key)

    @operation
    def validate_new_job(self, definition: NewJob) -> ApiCall[JobValidation]:
        """Report problems and the job that creating would make; nothing is stored."""
        return ask("/v1/jobs/validate", definition)

    @operation
    def get_job(self, job_id: str) -> ApiCall[Job]:
        """A job with its payload."""
        return get(job_path(job_id))

    @operation
    def get_job_statistics(self, job_id: str) -> ApiCall[JobStatistics]:
        """Last run, last success, streak and percentiles of its latest runs; next instants."""
        return get(f"{job_path(job_id)}/statistics")

    @listing
    def list_jobs(
        self,
        *,
        status: str | None = None,
        kind: str | None = None,
        priority: str | None = None,
        name: str | None = None,
        tag: list[str] | None = None,
        last_outcome: str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> PageCall[JobPage, Job]:
        """A page of jobs, newest first; each tag is ``key:value``, and all must match.

        ``name`` that ends with ``*`` is the beginning of a name; ``last_outcome="failed"`` takes
        jobs whose last run failed.
        """
        filters = {"status": status, "kind": kind, "priority": priority, "name": name, "tag": tag}
        paging = {"limit": limit, "cursor": cursor}
        return page("/v1/jobs", {**filters, "last_outcome": last_outcome, **paging})

    @operation
    def update_job(
        self, job_id: str, changes: JobPatch, *, version: int | None = None
    ) -> ApiCall[Job]:
        """Replace the fields given; with ``version``, only if the job still has it."""
        return change("PATCH", job_path(job_id), body=changes, version=version)

    @operation
    def preview_job(
        self,
        job_id: str,
        changes: JobPatch,
        *,
        days: int | None = None,
        limit: int | None = None,
        resumed: bool = False,
        filled: bool = False,
        version: int | None = None,
    ) -> ApiCall[EditPreview]:
        """The instants it would gain, lose and move by these changes; nothing is stored.

        ``filled``: with the payload of the first run before and after them.
        """
        path = f"{job_path(job_id)}/preview"
        shown: dict[str, Filter] = {"days": days, "limit": limit}
        shown["resumed"] = "true" if resumed else None
        shown["filled"] = "true" if filled else None
        return ask(path, changes, shown, version=version)

    @operation
    def pause_job(
        self, job_id: str, *, reason: str | None = None, version: int | None = None
    ) -> ApiCall[Job]:
        """Create no runs until it is resumed; ``reason`` is for people."""
        body = None if reason is None else {"reason": reason}
        return change("POST", f"{job_path(job_id)}/pause", body=body, version=version)

    @operation
    def resume_job(
        self, job_id: str, *, catch_up: bool = False, version: int | None = None
    ) -> ApiCall[Job]:
        """Go on from now, or with what passed meanwhile, as the job's catch-up policy says."""
        body = {"catch_up": True} if catch_up else None
        return change("POST", f"{job_path(job_id)}/resume", body=body, version=version)

    @operation
    def cancel_job(self, job_id: str, *, version: int | None = None) -> ApiCall[Job]:
        """End it, and its runs that have not begun."""
        return change("DELETE", job_path(job_id), version=version)

    @operation
    def trigger_job(
        self,
        job_id: str,
        request: TriggerRequest | None = None,
        *,
        idempotency_key: str | None = None,
        traceparent: str | None = None,
    ) -> ApiCall[Run]:
        """Run it beside its schedule, now or as the request says; returns the run.

        A lost answer is asked for again: the same key with the same request is one run. With a
        ``traceparent`` it belongs to the caller's trace.
        """
        return keyed(f"{job_path(job_id)}/trigger", request, idempotency_key, traceparent)

    @operation
    def trigger_many(
        self,
        job_id: str,
        requests: Sequence[TriggerRequest],
        *,
        idempotency_key: str | None = None,
        traceparent: str | None = None,
    ) -> ApiCall[TriggeredMany]:
        """Run it up to 1,000 times, each with data of its own; returns what became of each.

        A lost answer is asked for again: the same key with the same requests is the same runs. With
        a ``traceparent`` they belong to the caller's trace.
        """
        body = {"triggers": list(requests)}
        return keyed(f"{job_path(job_id)}/trigger/batch", body, idempotency_key, traceparent)

    @listing
    def read_ledger(
        self,
        job_id: str,
        *,
        start: str,
        end: str,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> PageCall[LedgerPage, RunEntry | GapEntry | DamagedEntry]:
        """A page of what became of a job's instants, earliest first.

        ``start`` and ``end`` as RFC 3339, both inclusive.
        """
        filters = {"from": start, "to": end, "limit": limit, "cursor": cursor}
        return page(f"{job_path(job_id)}/ledger", filters)

    @operation
    def explain_instant(
        self, job_id: str, *, at: str, filled: bool = False
    ) -> ApiCall[Explanation]:
        """Explain a job's run at an instant (RFC 3339), or the lack of one.

        ``filled``: with the payload that the run sends.
        """
        return get(f"{job_path(job_id)}/explain", {"at": at, "filled": "true" if filled else None})

    @operation
    def preview_schedule(self, request: PreviewRequest) -> ApiCall[Preview]:
        """The next instants of a schedule, as the API computes them."""
        return ask("/v1/schedules/preview", request)

    @operation
    def forecast_load(
        self,
        *,
        start: str | None = None,
        days: int | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> ApiCall[LoadForecast]:
        """Count the runs due in each minute of the next days; the numbers of pages add up.

        Pages of one forecast name the same ``start`` (RFC 3339).
        """
        return get("/v1/forecast", {"from": start, "days": days, "limit": limit, "cursor": cursor})

    @operation
    def simulate(self, scenario: ScenarioContract) -> ApiCall[Simulation]:
        """Simulate every instant; a scenario without a schedule names a job."""
        return ask("/v1/simulate", scenario)
