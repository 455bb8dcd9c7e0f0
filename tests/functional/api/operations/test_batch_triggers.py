"""Many triggers in one request: each is decided by itself, and a repetition makes no second run."""

import json
from typing import Any

import pytest

from tests.functional.api.limits.test_quotas import allow
from tests.support.api import Answer, Api
from tests.support.factories import OTHER_TENANT, TENANT
from timegate.domain.values.identity import AttemptId, RunId

OWN = {"page": 0, "size": 9}
KEY = {"Idempotency_Key": "one"}


@pytest.fixture
def job_id(api: Api) -> str:
    """A job with a payload."""
    return str(api.create(schedule={"kind": "manual"}, payload=OWN)["job_id"])


def batch(
    api: Api, job_id: str, triggers: list[Any], *, tenant: str = TENANT, **headers: str
) -> Answer:
    """Trigger a job as often as there are triggers."""
    path = f"/v1/jobs/{job_id}/trigger/batch"
    return api.send("POST", path, {"triggers": triggers}, tenant=tenant, **headers)


def pages(count: int) -> list[Any]:
    """Triggers, each with a page of its own."""
    return [{"payload_patch": {"page": number}} for number in range(count)]


def called(api: Api) -> list[Any]:
    """The payloads that the target was called with, once all has run."""
    api.world.settle()
    return [json.loads(call.payload or "null") for call in api.world.target.calls]


def outcome(answer: Answer) -> tuple[int, int, int]:
    """Return the numbers of triggered, replayed and failed items."""
    return answer.body["triggered"], answer.body["replayed"], answer.body["failed"]


def ids(answer: Answer) -> list[str]:
    """The runs, in the order of the request."""
    return [item["run_id"] for item in answer.body["items"]]


@pytest.mark.parametrize("count", [1, 30, 1000])
def test_each_trigger_is_a_run_with_its_own_data(api: Api, job_id: str, count: int) -> None:
    """In the order of the request; each run is there, and has been called once."""
    answer = batch(api, job_id, pages(count))
    last = api.send("GET", f"/v1/runs/{ids(answer)[-1]}").body

    assert (answer.status, outcome(answer)) == (207, (count, 0, 0))
    assert [item["index"] for item in answer.body["items"]] == list(range(count))
    assert len(set(ids(answer))) == count
    assert last["payload"] == {"page": count - 1, "size": 9}
    assert sorted(each["page"] for each in called(api)) == list(range(count))


@pytest.mark.parametrize(("count", "status"), [(0, 400), (1, 207), (1000, 207), (1001, 400)])
def test_a_batch_has_one_to_a_thousand(api: Api, job_id: str, count: int, status: int) -> None:
    """The refusal names the field."""
    answer = batch(api, job_id, [{"delay_seconds": 60}] * count)

    assert answer.status == status
    if status == 400:
        assert answer.body["errors"][0]["field"] == "triggers"


def test_plain_triggers_are_runs_of_their_own(api: Api, job_id: str) -> None:
    """Alone they would be one run, for they are due at one millisecond."""
    answer = batch(api, job_id, [{}, {}, {}])

    assert outcome(answer) == (3, 0, 0)
    assert called(api) == [OWN, OWN, OWN]


def test_one_that_is_refused_stops_no_other(api: Api, job_id: str) -> None:
    """Each refusal is that of a request for it alone, with its place before the field."""
    wrong: list[Any] = [
        {"at": "2020-01-01T00:00:00Z"},
        {"nothing": 1},
        {"payload": {"password": "hunter2-hunter2-9x"}},
        {"tags": {"a": "b" * 257}},
        {"payload": 1, "payload_patch": {}},
    ]
    answer = batch(api, job_id, [{"payload": 1}, *wrong, 7, {"payload": 2}])
    refused = [item for item in answer.body["items"] if item["error"] is not None]
    alone = [api.send("POST", f"/v1/jobs/{job_id}/trigger", each) for each in wrong]

    assert outcome(answer) == (2, 0, 6)
    assert sorted(called(api)) == [1, 2]
    assert [(each["status"], each["error"]["code"]) for each in refused[:5]] == [
        (each.status, each.body["code"]) for each in alone
    ]
    assert refused[0]["error"]["errors"][0]["field"] == "triggers.1.at"
    assert (refused[5]["status"], refused[5]["run_id"]) == (400, None)


def test_a_repetition_makes_no_second_run(api: Api, job_id: str) -> None:
    """Later and with a delay: instants count from the first request."""
    triggers = [*pages(3), {"delay_seconds": 60}, {"at": "2026-11-21T07:00:30Z"}]
    first = batch(api, job_id, triggers, **KEY)
    api.world.clock.advance(45)
    second = batch(api, job_id, triggers, **KEY)

    assert (outcome(first), outcome(second)) == ((5, 0, 0), (0, 5, 0))
    assert ids(first) == ids(second)
    api.world.clock.advance(60)
    assert len(called(api)) == 5


def test_a_repetition_meets_its_runs_when_the_job_is_cancelled(api: Api, job_id: str) -> None:
    """Its caller learns of them; none that is missing is made, and no other batch begins."""
    first = batch(api, job_id, pages(3), **KEY)
    lost = AttemptId(run=RunId.parse(ids(first)[1]), number=1)
    del api.world.tables.attempts[TENANT, lost]
    api.send("DELETE", f"/v1/jobs/{job_id}")
    api.world.clock.advance(1)
    second = batch(api, job_id, pages(3), **KEY)
    other = batch(api, job_id, pages(3), Idempotency_Key="two")

    assert outcome(second) == (0, 2, 1)
    assert ids(second) == [ids(first)[0], None, ids(first)[2]]
    assert second.body["items"][1]["error"]["code"] == "job_cancelled"
    assert (other.status, other.code) == (409, "job_cancelled")


def test_a_repetition_publishes_again_what_may_be_lost(api: Api, job_id: str) -> None:
    """Nothing on record says that the first messages arrived; those of later runs are not due."""
    triggers = [*pages(3), {"delay_seconds": 60}]
    batch(api, job_id, triggers, **KEY)
    first = [sent.message.attempt for sent in api.world.publisher.sent]
    api.world.clock.advance(1)
    batch(api, job_id, triggers, **KEY)
    second = [sent.message.attempt for sent in api.world.publisher.sent[len(first) :]]

    assert len(first) == 3
    assert set(second) == set(first)


def test_a_repetition_creates_what_is_missing(api: Api, job_id: str) -> None:
    """A process that dies after its first writes leaves the others to the next request."""
    first = batch(api, job_id, pages(3), **KEY)
    lost = AttemptId(run=RunId.parse(ids(first)[1]), number=1)
    del api.world.tables.attempts[TENANT, lost]
    api.world.clock.advance(45)
    second = batch(api, job_id, pages(3), **KEY)

    assert outcome(second) == (1, 2, 0)
    assert ids(first) == ids(second)
    assert sorted(each["page"] for each in called(api)) == [0, 1, 2]


def test_runs_beyond_the_day_are_refused_one_by_one(api: Api, job_id: str) -> None:
    """A run of another day is accepted; the day's count is read once."""
    allow(api, runs_per_day=2)
    answer = batch(api, job_id, [{"delay_seconds": 86_400}, *pages(3)])
    statuses = [item["status"] for item in answer.body["items"]]

    assert statuses[0] == 202
    assert sorted(statuses[1:]) == [202, 202, 429]


def test_a_batch_counts_by_its_triggers(api: Api, job_id: str) -> None:
    """Five requests, and one for each four triggers."""
    api.send("PUT", "/v1/tenants/acme", {"quotas": {"requests_per_second": 50, "burst": 100}})
    api.world.clock.advance(60)
    answers = [batch(api, job_id, [{"delay_seconds": 9}] * 160) for _ in range(4)]

    assert [each.status for each in answers] == [207, 207, 429, 429]
    assert answers[-1].body["code"] == "rate_exceeded"


def test_without_a_key_each_request_is_new(api: Api, job_id: str) -> None:
    """A single trigger behaves alike."""
    first, second = batch(api, job_id, pages(2)), batch(api, job_id, pages(2))

    assert (outcome(first), outcome(second)) == ((2, 0, 0), (2, 0, 0))
    assert len(called(api)) == 4


def test_a_key_is_of_one_batch(api: Api, job_id: str) -> None:
    """Another batch with it is a conflict, and a trigger alone with it is a run of its own."""
    batch(api, job_id, pages(2), **KEY)
    other = batch(api, job_id, pages(3), **KEY)
    alone = api.send("POST", f"/v1/jobs/{job_id}/trigger", **KEY)

    assert (other.status, other.body["code"]) == (409, "idempotency_conflict")
    assert alone.status == 202
    assert len(called(api)) == 3


def test_a_large_payload_of_the_job_is_merged_with_each(api: Api) -> None:
    """However many patches there are."""
    large = {"page": 0, "text": "x" * 3000}
    job_id = str(api.create(schedule={"kind": "manual"}, payload=large)["job_id"])
    batch(api, job_id, pages(20))
    found = called(api)

    assert sorted(each["page"] for each in found) == list(range(20))
    assert all(each["text"] == large["text"] for each in found)


@pytest.mark.parametrize(("is_own", "code"), [(True, "job_cancelled"), (False, "job_not_found")])
def test_a_job_that_cannot_run_refuses_the_whole(
    api: Api, job_id: str, code: str, *, is_own: bool
) -> None:
    """A cancelled job, and one of another tenant: nothing is stored."""
    if is_own:
        api.send("DELETE", f"/v1/jobs/{job_id}")
    answer = batch(api, job_id, pages(2), tenant=TENANT if is_own else OTHER_TENANT)

    assert answer.body["code"] == code
    assert called(api) == []
