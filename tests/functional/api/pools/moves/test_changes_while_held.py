"""Jobs and quotas are changed while workers hold runs, which go on as they were claimed."""

from typing import Any

import pytest

from tests.support.api import Answer, Api
from tests.support.factories import TENANT
from tests.support.pools.worker_requests import ACTION, claim, offer, read, say

QUEUE = {"policy": "queue", "concurrency_key": "database"}
FREE = {"policy": "allow"}
DAG = {"name": "etl", "tasks": [{"key": "load", "job": {"action": ACTION}}]}


def held(api: Api, **fields: Any) -> dict[str, Any]:  # noqa: ANN401 - as the API takes them
    """A run that a worker works on."""
    offer(api, timeout_seconds=600, **fields)
    (run,) = claim(api)
    return run


def edit(api: Api, run: dict[str, Any], **fields: Any) -> None:  # noqa: ANN401 - as above
    assert api.send("PATCH", f"/v1/jobs/{run['job_id']}", fields).status == 200


def allow(api: Api, runs: int | None) -> None:
    """The administration sets the tenant's quota of concurrent runs."""
    body = {"quotas": {"concurrent_runs": runs}}
    path = f"/v1/tenants/{TENANT}"
    assert api.send("PATCH", path, body).status == 200


@pytest.mark.parametrize("after", [FREE, {"policy": "queue"}, {"policy": "forbid"}, QUEUE], ids=str)
@pytest.mark.parametrize("before", [FREE, {"policy": "queue"}, QUEUE], ids=str)
def test_another_overlap_stops_no_run_at_work(
    api: Api, before: dict[str, str], after: dict[str, str]
) -> None:
    """Its worker goes on for as long as it sends heartbeats, and says how it ended."""
    run = held(api, overlap=before)
    edit(api, run, overlap=after)
    beats = []
    for _ in range(3):
        api.world.clock.advance(50)
        beats.append(say(api, "heartbeat", run).status)

    assert beats == [200, 200, 200]
    assert say(api, "complete", run).status == 200


@pytest.mark.parametrize("after", [None, 1, 5, 1_000], ids=str)
@pytest.mark.parametrize("before", [None, 5, 150], ids=str)
def test_another_quota_stops_no_run_at_work(
    api: Api, before: int | None, after: int | None
) -> None:
    """Also where its runs take their slots from other parts by now."""
    allow(api, before)
    runs = [held(api) for _ in range(4)]
    allow(api, after)
    api.world.clock.advance(50)
    beats = [say(api, "heartbeat", run).status for run in runs]
    api.world.clock.advance(50)

    assert beats == [200] * 4
    assert [say(api, "complete", run).status for run in runs] == [200] * 4


@pytest.mark.parametrize("ends", ["complete", "release"])
def test_a_run_gives_back_the_slot_that_it_took(api: Api, ends: str) -> None:
    """At once, though its job has left the key meanwhile; the next one in the line is called."""
    run = held(api, overlap=QUEUE)
    offer(api, overlap=QUEUE, key="second")
    waits = claim(api)
    edit(api, run, overlap=FREE, action={**ACTION, "pool": "elsewhere"})
    say(api, ends, run)

    assert waits == []
    assert len(claim(api)) == 1


def test_a_slot_that_expired_is_lost_as_ever(api: Api) -> None:
    """The worker stops: another run may have the slot by now."""
    run = held(api, overlap=QUEUE)
    api.world.clock.advance(59.999)
    in_time = say(api, "heartbeat", run)
    api.world.clock.advance(60)
    late = say(api, "heartbeat", run)

    assert in_time.status == 200
    assert (late.status, late.code) == (409, "lease_lost")


def test_a_run_that_was_claimed_once_is_never_claimed_again(api: Api) -> None:
    """Its job may be executed again by now; how far its worker came is unknown all the same."""
    run = held(api, delivery="at_most_once")
    edit(api, run, delivery="at_least_once")
    say(api, "release", run)

    assert claim(api) == []
    assert (read(api, run)["state"], read(api, run)["reason"]) == ("failed", "at_most_once")


@pytest.mark.parametrize("ends", ["release", "death"])
def test_a_cancelled_run_ends_though_its_job_starts_a_dag_by_now(api: Api, ends: str) -> None:
    """Its worker began none, so none is to be stopped."""
    run = held(api)
    dag_id = api.send("POST", "/v1/dags", DAG).body["dag_id"]
    edit(api, run, action={"type": "dag", "dag_id": dag_id}, timeout_seconds=60)
    api.send("POST", f"/v1/runs/{run['run_id']}/cancel")
    answer = say(api, "release", run) if ends == "release" else claimed_again(api)

    assert answer.status == 200
    assert read(api, run)["state"] == "cancelled"
    assert api.world.telemetry.named("run_unreadable") == []


def claimed_again(api: Api) -> Answer:
    """The answer to another worker, once the first one has been silent."""
    api.world.clock.advance(61)
    return api.send("POST", "/v1/pools/reports/claim", {"worker": "another"})
