"""The API's operations, as methods; each returns the API's JSON and raises ``ClientError``."""

import time
from collections.abc import Callable, Iterator, Mapping
from types import TracebackType
from typing import Self

import httpx

from timegate.client.authentication import authentication
from timegate.client.calling import Filter, segment
from timegate.client.dag_calls import DagCalls
from timegate.client.dag_run_calls import DagRunCalls
from timegate.client.dead_letter_calls import DeadLetterCalls
from timegate.client.operation_calls import OperationCalls
from timegate.client.pool_calls import PoolCalls
from timegate.client.profile import Profile
from timegate.client.restriction_calls import RestrictionCalls
from timegate.client.sending import JsonObject, Sender

#: Longer than any request to the API takes: its function is stopped before.
TIMEOUT_SECONDS = 30.0


class TimegateClient(
    RestrictionCalls, OperationCalls, PoolCalls, DeadLetterCalls, DagCalls, DagRunCalls
):
    """One tenant's view of one stage. Use it as a context manager, or close it."""

    def __init__(
        self,
        profile: Profile,
        *,
        transport: httpx.BaseTransport | None = None,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._http = httpx.Client(
            auth=authentication(profile.credentials),
            timeout=TIMEOUT_SECONDS,
            transport=transport,
        )
        super().__init__(Sender(http=self._http, api_url=profile.api_url, sleep=sleep))

    def __enter__(self) -> Self:
        """Itself."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Close it, whatever happened."""
        self.close()

    def close(self) -> None:
        """Give back the connections."""
        self._http.close()

    def create_job(
        self, definition: Mapping[str, object], *, idempotency_key: str | None = None
    ) -> JsonObject:
        """Create a job. With a key, repeating the call gives the same job and is done on faults."""
        headers = {} if idempotency_key is None else {"Idempotency-Key": idempotency_key}
        return self.send("POST", "/v1/jobs", body=definition, headers=headers)

    def get_job(self, job_id: str) -> JsonObject:
        """A job with its payload."""
        return self.send("GET", _job(job_id))

    def list_jobs(self, **filters: Filter) -> JsonObject:
        """A page of jobs; filters are ``limit cursor status kind priority tag``."""
        return self.page("/v1/jobs", filters)

    def update_job(
        self, job_id: str, changes: Mapping[str, object], *, version: int | None = None
    ) -> JsonObject:
        """Replace the fields given; with ``version``, only if the job still has it."""
        headers = {} if version is None else {"If-Match": f'"{version}"'}
        return self.send("PATCH", _job(job_id), body=changes, headers=headers)

    def pause_job(self, job_id: str) -> JsonObject:
        """Create no runs until it is resumed."""
        return self.send("POST", f"{_job(job_id)}/pause")

    def resume_job(self, job_id: str, *, catch_up: bool = False) -> JsonObject:
        """Go on from now, or with what passed meanwhile, as the job's catch-up policy says."""
        body = {"catch_up": True} if catch_up else None
        return self.send("POST", f"{_job(job_id)}/resume", body=body)

    def cancel_job(self, job_id: str) -> JsonObject:
        """End it, and its runs that have not begun."""
        return self.send("DELETE", _job(job_id))

    def trigger_job(self, job_id: str) -> JsonObject:
        """Run it now, beside its schedule; returns the run."""
        return self.send("POST", f"{_job(job_id)}/trigger")

    def list_runs(self, job_id: str, **filters: Filter) -> JsonObject:
        """A page of a job's runs, newest first; filters are ``limit cursor``."""
        return self.page(f"{_job(job_id)}/runs", filters)

    def read_ledger(self, job_id: str, *, start: str, end: str, **filters: Filter) -> JsonObject:
        """A page of what became of a job's instants, earliest first.

        ``start`` and ``end`` as RFC 3339, both inclusive; filters are ``limit cursor``.
        """
        return self.page(f"{_job(job_id)}/ledger", {"from": start, "to": end, **filters})

    def explain_instant(self, job_id: str, *, at: str) -> JsonObject:
        """Why a job ran at an instant (RFC 3339), or why it did not."""
        return self.send("GET", f"{_job(job_id)}/explain", query={"at": at})

    def get_run(self, run_id: str) -> JsonObject:
        """A run with its attempts."""
        return self.send("GET", _run(run_id))

    def list_attempts(self, run_id: str) -> JsonObject:
        """Every attempt at a run, first to last, as a page."""
        return self.page(f"{_run(run_id)}/attempts", {})

    def get_result(self, run_id: str) -> JsonObject:
        """What a run came to, or a link to it."""
        return self.send("GET", f"{_run(run_id)}/result")

    def read_log(self, run_id: str, *, cursor: str | None = None) -> JsonObject:
        """What happened to a run and what was said of it, earliest first: a page."""
        return self.page(f"{_run(run_id)}/logs", {"cursor": cursor})

    def list_notifications(self, run_id: str) -> JsonObject:
        """What was told of a run, and whether it arrived."""
        return self.send("GET", f"{_run(run_id)}/notifications")

    def cancel_run(self, run_id: str) -> JsonObject:
        """Prevent it, or ask its worker to stop."""
        return self.send("POST", f"{_run(run_id)}/cancel")

    def preview_schedule(self, request: Mapping[str, object]) -> JsonObject:
        """The next instants of a schedule, as the API computes them."""
        return self.send("POST", "/v1/schedules/preview", body=request)

    def simulate(self, scenario: Mapping[str, object]) -> JsonObject:
        """What would become of every instant; a scenario without a schedule names a job."""
        return self.send("POST", "/v1/simulate", body=scenario)


def every_page(fetch: Callable[[str | None], JsonObject]) -> Iterator[JsonObject]:
    """Every page of a listing; ``fetch`` takes the cursor of a page, ``None`` for the first."""
    cursor = None
    while True:
        page = fetch(cursor)
        yield page
        cursor = page["next_cursor"]
        if cursor is None:
            return


def _job(job_id: str) -> str:
    return f"/v1/jobs/{segment(job_id)}"


def _run(run_id: str) -> str:
    return f"/v1/runs/{segment(run_id)}"
