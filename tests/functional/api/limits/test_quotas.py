"""Quotas as callers meet them: what is refused, with what, and what never is."""

from dataclasses import replace
from typing import Any

import pytest

from tests.support.api import Api, new_job
from tests.support.factories import OTHER_TENANT, TENANT
from tests.support.pools.worker_requests import claim, offer
from timegate.domain.limits.quotas import Quotas
from timegate.domain.runs.run import Reason

SOON = {"kind": "delay", "delay_seconds": 100}
RENAME = {"name": "another"}
ONCE = {"kind": "at", "at": "2027-01-01T00:00:00Z"}
DAG = {"name": "nightly", "tasks": [{"key": "a", "job_id": "j" * 26}], "edges": []}


def allow(api: Api, **quotas: int) -> None:
    """Give a tenant quotas of its own, and let the API hear of them."""
    before = api.world.tenants.get(TENANT)
    assert api.world.tenants.put(TENANT, before, replace(before, quotas=Quotas.of(quotas)))
    api.world.clock.advance(11)


def test_a_job_too_many_is_refused_with_the_quota_it_meets(api: Api) -> None:
    """409, and how many there are of how many; nothing is stored."""
    allow(api, jobs=1)
    api.create()
    refused = api.send("POST", "/v1/jobs", new_job())

    assert (refused.status, refused.body["code"]) == (409, "quota_exceeded")
    assert refused.body["quota"] == {"name": "jobs", "limit": 1, "used": 1}
    assert api.send("GET", "/v1/tenant").body["usage"] == {
        "jobs": 1,
        "dags": 0,
        "runs_per_day": None,
    }
    assert len(api.world.tables.jobs) == 1
    assert api.world.telemetry.counts["QuotaRefusals"] == 1
    (told,) = api.world.telemetry.named("quota_exceeded")
    assert told.fields == {"tenant_id": TENANT, "quota": "jobs", "limit": 1, "used": 1}


def test_a_job_that_ends_soon_counts_once_it_is_paused_or_redefined(api: Api) -> None:
    """It may live long then. Its quota is far from being used."""
    allow(api, jobs=10_000)
    used: list[int] = []
    for changes in ([("POST", "/pause", None), ("POST", "/resume", None)], [("PATCH", "", RENAME)]):
        made = api.create(name=f"job {len(used)}", schedule=SOON)
        for method, place, body in [*changes, ("DELETE", "", None)]:
            used.append(api.send("GET", "/v1/tenant").body["usage"]["jobs"])
            assert api.send(method, f"/v1/jobs/{made['job_id']}{place}", body).status == 200

    assert used == [0, 1, 1, 0, 1]
    assert api.send("GET", "/v1/tenant").body["usage"]["jobs"] == 0


def test_a_repetition_is_answered_however_full_it_is(api: Api) -> None:
    """The same key and body: the job it made, not a refusal."""
    allow(api, jobs=1)
    first = api.send("POST", "/v1/jobs", new_job(), Idempotency_Key="one")
    api.world.clock.advance(1)
    again = api.send("POST", "/v1/jobs", new_job(), Idempotency_Key="one")

    assert (first.status, again.status) == (201, 200)


def test_of_many_in_one_request_as_many_are_created_as_there_is_room_for(api: Api) -> None:
    """Each of the others is refused by itself."""
    allow(api, jobs=3)
    answer = api.send("POST", "/v1/jobs/bulk", {"jobs": [new_job() for _ in range(5)]})
    codes = sorted(item["status"] for item in answer.body["items"])
    refused = [item["error"] for item in answer.body["items"] if item["status"] == 409]

    assert codes == [201, 201, 201, 409, 409]
    assert {error["code"] for error in refused} == {"quota_exceeded"}
    assert (answer.body["created"], answer.body["failed"]) == (3, 2)


def test_who_cancels_a_job_may_create_another(api: Api) -> None:
    """A cancelled job counts no more at once."""
    allow(api, jobs=1)
    job_id = api.create()["job_id"]
    api.send("DELETE", f"/v1/jobs/{job_id}")

    assert api.send("POST", "/v1/jobs", new_job()).status == 201


def test_a_new_schedule_for_a_job_that_is_over_needs_room(api: Api) -> None:
    """A change of one that still runs needs none."""
    allow(api, jobs=1)
    over = api.create(schedule=ONCE)["job_id"]
    job = next(iter(api.world.tables.jobs.values()))
    done = replace(job, timing=replace(job.timing, next_run_at=None))
    api.world.tables.put_job(done)
    assert api.world.jobs.complete(TENANT, job.job_id, now=api.world.clock.now())
    other = api.create()["job_id"]
    revived = api.send(
        "PATCH", f"/v1/jobs/{over}", {"schedule": {**ONCE, "at": "2028-01-01T00:00:00Z"}}
    )
    changed = api.send("PATCH", f"/v1/jobs/{other}", {"schedule": ONCE})

    assert (revived.status, revived.body["code"]) == (409, "quota_exceeded")
    assert changed.status == 200


def test_dags_have_a_quota(api: Api) -> None:
    """A DAG is refused as a job is, and one that is deleted makes room."""
    allow(api, dags=1)
    dag: dict[str, Any] = {**DAG, "tasks": [{"key": "a", "job_id": api.create()["job_id"]}]}
    first = api.send("POST", "/v1/dags", dag)
    refused = api.send("POST", "/v1/dags", dag)
    api.send("DELETE", f"/v1/dags/{first.body['dag_id']}")

    assert first.status == 201
    assert refused.body["quota"] == {"name": "dags", "limit": 1, "used": 1}
    assert api.send("POST", "/v1/dags", dag).status == 201


def test_a_run_too_many_today_is_refused_until_tomorrow(api: Api) -> None:
    """429 with the seconds that are left of the day; what is scheduled is skipped instead."""
    allow(api, runs_per_day=1)
    job_id = api.create(schedule=ONCE)["job_id"]
    first = api.send("POST", f"/v1/jobs/{job_id}/trigger")
    api.world.settle()
    refused = api.send("POST", f"/v1/jobs/{job_id}/trigger")
    usage = api.send("GET", "/v1/tenant").body["usage"]
    api.world.clock.advance(int(refused.headers["retry-after"]))
    tomorrow = api.send("POST", f"/v1/jobs/{job_id}/trigger")

    assert (first.status, refused.status, tomorrow.status) == (202, 429, 202)
    assert refused.body["code"] == "quota_exceeded"
    assert refused.body["quota"] == {"name": "runs_per_day", "limit": 1, "used": 1}
    assert usage["runs_per_day"] == 1
    assert api.send("GET", "/v1/tenant").body["usage"]["runs_per_day"] == 0
    assert api.world.telemetry.counts["QuotaRefusals"] == 1


def test_a_dag_run_counts_when_it_begins(api: Api) -> None:
    """A repetition is answered however full the day is; its tasks do not count."""
    allow(api, runs_per_day=1)
    dag: dict[str, Any] = {**DAG, "tasks": [{"key": "a", "job_id": api.create()["job_id"]}]}
    path = f"/v1/dags/{api.send('POST', '/v1/dags', dag).body['dag_id']}/runs"
    first = api.send("POST", path, {}, Idempotency_Key="one")
    refused = api.send("POST", path, {}, Idempotency_Key="two")
    again = api.send("POST", path, {}, Idempotency_Key="one")

    assert (first.status, refused.status) == (202, 429)
    assert refused.body["quota"] == {"name": "runs_per_day", "limit": 1, "used": 1}
    assert again.body["dag_run_id"] == first.body["dag_run_id"]


def test_workers_of_pools_are_under_the_quota_of_the_day(api: Api) -> None:
    """They are handed as many runs as may begin."""
    allow(api, runs_per_day=1)
    for _ in range(3):
        offer(api)
    handed = claim(api, max=3)
    ends = [each.reason for each in api.world.attempts()]

    assert len(handed) == 1
    assert ends.count(Reason.QUOTA) == 2


def test_who_asks_too_often_is_told_when_to_ask_again(api: Api) -> None:
    """429 with the policy; another tenant is served meanwhile, and a moment later this one is."""
    allow(api, requests_per_second=2, burst=3)
    served = [api.send("GET", "/v1/jobs").status for _ in range(3)]
    refused = api.send("GET", "/v1/jobs")
    theirs = api.send("GET", "/v1/jobs", tenant=OTHER_TENANT)
    api.world.clock.advance(0.5)
    later = [api.send("GET", "/v1/jobs").status for _ in range(2)]

    assert served == [200] * 3
    assert (refused.status, refused.body["code"]) == (429, "rate_exceeded")
    assert refused.headers["retry-after"] == "1"
    assert refused.headers["ratelimit-policy"] == '"requests";q=3;w=2'
    assert refused.headers["ratelimit"] == '"requests";r=0;t=1'
    assert theirs.status == 200
    assert later == [200, 429]
    assert api.world.telemetry.counts["RequestsOverRate"] == 2


@pytest.mark.parametrize(
    "quotas", [{"requests_per_second": 0}, {"burst": 0}], ids=["rate", "burst"]
)
def test_who_may_not_ask_at_all_is_refused(api: Api, quotas: dict[str, int]) -> None:
    """A quota of none is one; there is no policy to tell."""
    allow(api, **quotas)
    refused = api.send("GET", "/v1/jobs")

    assert refused.status == 429
    assert refused.headers["retry-after"] == "1"
    assert "ratelimit-policy" not in refused.headers


def test_workers_are_not_held_up(api: Api) -> None:
    """A heartbeat that is refused is a run that is lost."""
    allow(api, requests_per_second=0)

    claim = {"worker_id": "w", "max_runs": 1}

    assert api.send("POST", "/v1/pools/any/claim", claim).status != 429
