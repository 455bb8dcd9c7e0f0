"""A tenant reaches each of its quotas on the deployed stack, and none is exceeded."""

from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from typing import Any

import httpx
import pytest

from infra.local.webhook_target import Recorder
from tests.support.deployed.stack import Stack, wait_until
from tests.support.deployed.timing.clock_edges import stay_clear_of_midnight

pytestmark = pytest.mark.wide

PATIENCE = 120.0
#: None of what a tenant has of its own.
UNSET = dict.fromkeys(
    ("jobs", "dags", "concurrent_runs", "runs_per_day", "requests_per_second", "burst")
)
YEARLY = {"kind": "cron", "cron": "0 0 1 1 *"}


class Tenant:
    """The second tenant: it asks, and the stage's administration sets its quotas."""

    def __init__(self, stack: Stack, recorder: Recorder) -> None:
        self.api = stack.other_api
        self._admin = stack.admin
        self._path = f"/v1/tenants/{stack.tenant('second')}"
        self._recorder = recorder

    def may(self, **quotas: int | None) -> None:
        """Set its quotas, and no others."""
        answer = self._admin.patch(self._path, json={"quotas": UNSET | quotas})
        assert answer.status_code == 200, answer.text

    def create(self, name: str, **fields: object) -> httpx.Response:
        """Create a job that calls a webhook."""
        action = {"type": "webhook", "url": self._recorder.url(name)}
        return self.api.post("/v1/jobs", json={"name": name, "action": action} | fields)

    def trigger(self, job_id: str) -> httpx.Response:
        return self.api.post(f"/v1/jobs/{job_id}/trigger")

    def run(self, run_id: str) -> dict[str, Any]:
        found: dict[str, Any] = self.api.get(f"/v1/runs/{run_id}").json()
        return found

    def usage(self) -> dict[str, int]:
        found: dict[str, int] = self.api.get("/v1/tenant").json()["usage"]
        return found


@pytest.fixture
def tenant(stack: Stack, recorder: Recorder) -> Iterator[Tenant]:
    """It has the stage's quotas, and no jobs, in the end."""
    tenant = Tenant(stack, recorder)
    yield tenant
    tenant.may()
    listed = answered(lambda: tenant.api.get("/v1/jobs", params={"status": "active"}), 200)
    for job in listed.json()["items"]:
        answered(lambda job=job: tenant.api.delete(f"/v1/jobs/{job['job_id']}"), 200)  # type: ignore[misc]


def answered(ask: Callable[[], httpx.Response], status: int) -> httpx.Response:
    """The answer, once it has this status: what is set is heard of within ten seconds."""

    def look() -> httpx.Response | None:
        answer = ask()
        return answer if answer.status_code == status else None

    return wait_until(look, seconds=PATIENCE, pause=0.5, what=lambda: ask().text)


def ended(tenant: Tenant, *run_ids: str) -> list[dict[str, Any]]:
    """The runs, once each has ended."""

    def look() -> list[dict[str, Any]] | None:
        runs = [tenant.run(each) for each in run_ids]
        return runs if all(run["ended_at"] for run in runs) else None

    return wait_until(look, seconds=PATIENCE, what=lambda: [tenant.run(each) for each in run_ids])


def records_of(tenant: Tenant, job_id: str, since: datetime, count: int) -> list[dict[str, Any]]:
    """The records of a job's ledger, once so many runs of it have ended."""
    span = {"from": since.isoformat(), "to": (since + timedelta(minutes=5)).isoformat()}

    def look() -> list[dict[str, Any]] | None:
        page = tenant.api.get(f"/v1/jobs/{job_id}/ledger", params=span).json()
        over = [each for each in page["items"] if each.get("state") in {"succeeded", "skipped"}]
        return over if len(over) == count else None

    return wait_until(look, seconds=PATIENCE)


def test_a_tenant_meets_each_of_its_quotas(recorder: Recorder, tenant: Tenant) -> None:
    """Jobs are refused and freed, runs wait and are skipped, requests are refused."""
    stay_clear_of_midnight()
    # Three runs that wait for each other, and two of a job that fires three times.
    tenant.may(concurrent_runs=1, runs_per_day=5, jobs=tenant.usage()["jobs"] + 3)
    jobs, refused = _runs_that_wait_for_each_other(recorder, tenant)
    tenant.api.delete(f"/v1/jobs/{jobs[0]}")
    freed = tenant.create("quota-d", schedule=YEARLY)
    tenant.api.delete(f"/v1/jobs/{jobs[1]}")
    _a_run_too_many_is_skipped(tenant)
    untimely = answered(lambda: tenant.trigger(jobs[2]), 429)
    begun = tenant.usage()["runs_per_day"]
    tenant.may(requests_per_second=1, burst=1)
    hasty = answered(lambda: tenant.api.get("/v1/jobs"), 429)

    assert refused["quota"]["name"] == "jobs"
    assert freed.status_code == 201
    assert (untimely.json()["code"], begun) == ("quota_exceeded", 5)
    assert 0 < int(untimely.headers["retry-after"]) <= 86_400
    assert (hasty.json()["code"], hasty.headers["retry-after"]) == ("rate_exceeded", "1")


def _runs_that_wait_for_each_other(
    recorder: Recorder, tenant: Tenant
) -> tuple[list[str], dict[str, Any]]:
    """Their jobs, and how one job more was refused meanwhile."""
    names = ["quota-a", "quota-b", "quota-c"]
    released = [recorder.hold(name) for name in names]
    jobs = [tenant.create(name, schedule=YEARLY).json()["job_id"] for name in names]
    run_ids = [tenant.trigger(job_id).json()["run_id"] for job_id in jobs]

    def waiting() -> list[str] | None:
        runs = [tenant.run(each) for each in run_ids]
        found = [run["explanation"] for run in runs if run["state"] == "waiting"]
        return found if len(found) == 2 else None

    said = wait_until(waiting, seconds=PATIENCE)
    refused = _one_job_too_many(tenant)
    for each in released:
        each.set()
    spans = sorted((run["started_at"], run["ended_at"]) for run in ended(tenant, *run_ids))

    assert set(said) == {
        "It was due, and waits for a slot of the tenant's quota of 1 concurrent run."
    }
    assert all(before[1] <= after[0] for before, after in pairwise(spans))
    return jobs, refused


def _a_run_too_many_is_skipped(tenant: Tenant) -> None:
    """And its ledger says why."""
    began_at = datetime.now(UTC)
    thrice = {"kind": "rate", "every_seconds": 1, "max_runs": 3}
    job_id = tenant.create("quota-day", schedule=thrice).json()["job_id"]
    records = records_of(tenant, job_id, began_at, 3)
    (skipped,) = (each for each in records if each["state"] == "skipped")

    assert sorted(each["state"] for each in records) == ["skipped", "succeeded", "succeeded"]
    assert (skipped["reason"], skipped["explanation"]) == (
        "quota",
        "The tenant's quota of runs per day was used up.",
    )


def _one_job_too_many(tenant: Tenant) -> dict[str, Any]:
    """The refusal, once the quota is heard of; what was created until then is gone."""

    def look() -> dict[str, Any] | None:
        answer = tenant.create("quota-too-many", schedule=YEARLY)
        if answer.status_code == 201:
            tenant.api.delete(f"/v1/jobs/{answer.json()['job_id']}")
            return None
        problem: dict[str, Any] = answer.json()
        return problem if problem["code"] == "quota_exceeded" else None

    return wait_until(look, seconds=PATIENCE, pause=0.5)
