"""The API's operations, as methods; each returns the API's JSON and raises ``ClientError``."""

import time
from collections.abc import Callable, Iterator, Mapping
from types import TracebackType
from typing import Self
from urllib.parse import quote

import httpx

from timegate.client.authentication import authentication
from timegate.client.errors import NotUnderstood
from timegate.client.profile import Profile
from timegate.client.sending import Call, JsonObject, Sender

#: Longer than any request to the API takes: its function is stopped before.
TIMEOUT_SECONDS = 30.0

#: Query parameters: text, several texts, or ``None`` for leaving it out.
Filter = str | int | list[str] | None


class TimegateClient:
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
        self._sender = Sender(http=self._http, api_url=profile.api_url, sleep=sleep)

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
        return self._send("POST", "/v1/jobs", body=definition, headers=headers)

    def get_job(self, job_id: str) -> JsonObject:
        """A job with its payload."""
        return self._send("GET", _job(job_id))

    def list_jobs(self, **filters: Filter) -> JsonObject:
        """A page of jobs; filters are ``limit cursor status kind priority tag``."""
        return self._page("/v1/jobs", filters)

    def update_job(
        self, job_id: str, changes: Mapping[str, object], *, version: int | None = None
    ) -> JsonObject:
        """Replace the fields given; with ``version``, only if the job still has it."""
        headers = {} if version is None else {"If-Match": f'"{version}"'}
        return self._send("PATCH", _job(job_id), body=changes, headers=headers)

    def pause_job(self, job_id: str) -> JsonObject:
        """Create no runs until it is resumed."""
        return self._send("POST", f"{_job(job_id)}/pause")

    def resume_job(self, job_id: str, *, catch_up: bool = False) -> JsonObject:
        """Go on from now, or with what passed meanwhile, as the job's catch-up policy says."""
        body = {"catch_up": True} if catch_up else None
        return self._send("POST", f"{_job(job_id)}/resume", body=body)

    def cancel_job(self, job_id: str) -> JsonObject:
        """End it, and its runs that have not begun."""
        return self._send("DELETE", _job(job_id))

    def trigger_job(self, job_id: str) -> JsonObject:
        """Run it now, beside its schedule; returns the run."""
        return self._send("POST", f"{_job(job_id)}/trigger")

    def list_runs(self, job_id: str, **filters: Filter) -> JsonObject:
        """A page of a job's runs, newest first; filters are ``limit cursor``."""
        return self._page(f"{_job(job_id)}/runs", filters)

    def read_ledger(self, job_id: str, *, start: str, end: str, **filters: Filter) -> JsonObject:
        """A page of what became of a job's instants, earliest first.

        ``start`` and ``end`` as RFC 3339, both inclusive; filters are ``limit cursor``.
        """
        return self._page(f"{_job(job_id)}/ledger", {"from": start, "to": end, **filters})

    def explain_instant(self, job_id: str, *, at: str) -> JsonObject:
        """Why a job ran at an instant (RFC 3339), or why it did not."""
        return self._send("GET", f"{_job(job_id)}/explain", query={"at": at})

    def get_run(self, run_id: str) -> JsonObject:
        """A run with its attempts."""
        return self._send("GET", _run(run_id))

    def cancel_run(self, run_id: str) -> JsonObject:
        """Prevent it, or ask its worker to stop."""
        return self._send("POST", f"{_run(run_id)}/cancel")

    def preview_schedule(self, request: Mapping[str, object]) -> JsonObject:
        """The next instants of a schedule, as the API computes them."""
        return self._send("POST", "/v1/schedules/preview", body=request)

    def simulate(self, scenario: Mapping[str, object]) -> JsonObject:
        """What would become of every instant; a scenario without a schedule names a job."""
        return self._send("POST", "/v1/simulate", body=scenario)

    def _page(self, path: str, filters: Mapping[str, Filter]) -> JsonObject:
        page = self._send("GET", path, query=filters)
        if not (isinstance(page.get("items"), list) and "next_cursor" in page):
            raise NotUnderstood(f"{path} gave no page")
        return page

    def _send(
        self,
        method: str,
        path: str,
        *,
        query: Mapping[str, Filter] | None = None,
        body: object = None,
        headers: Mapping[str, str] | None = None,
    ) -> JsonObject:
        call = Call(
            method=method, path=path, query=_given(query or {}), body=body, headers=headers or {}
        )
        return self._sender.send(call)


def every_page(fetch: Callable[[str | None], JsonObject]) -> Iterator[JsonObject]:
    """Every row of a listing; ``fetch`` takes the cursor of a page, ``None`` for the first."""
    cursor = None
    while True:
        page = fetch(cursor)
        yield from page["items"]
        cursor = page["next_cursor"]
        if cursor is None:
            return


def _given(filters: Mapping[str, Filter]) -> dict[str, str | list[str]]:
    return {
        name: value if isinstance(value, list) else str(value)
        for name, value in filters.items()
        if value is not None
    }


def _job(job_id: str) -> str:
    return f"/v1/jobs/{_segment(job_id)}"


def _run(run_id: str) -> str:
    return f"/v1/runs/{_segment(run_id)}"


def _segment(text: str) -> str:
    # Nothing but dots would be read as another path; "-" is no id either, and stays one segment.
    return quote(text, safe="") if text.strip(".") else "-"
