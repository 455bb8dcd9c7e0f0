"""Many jobs in one request: each by itself, and each recognised when it comes again."""

from typing import Any

import pytest

from tests.support.api import Answer, Api, new_job
from timegate.domain.values.errors import Throttled


def create(api: Api, *jobs: object, **headers: str) -> Answer:
    """Ask for these jobs."""
    return api.send("POST", "/v1/jobs/bulk", {"jobs": jobs}, **headers)


def statuses(answer: Answer) -> list[int]:
    """Return the status of each job."""
    assert answer.status == 207
    return [item["status"] for item in answer.body["items"]]


def test_each_job_is_created_as_if_it_were_the_only_one(api: Api) -> None:
    """In the order asked; what is due at once is published."""
    names = [f"job {number}" for number in range(20)]
    answer = create(api, *(new_job(name=n, schedule={"kind": "immediate"}) for n in names))
    items = answer.body["items"]

    assert statuses(answer) == [201] * 20
    assert [item["job"]["name"] for item in items] == names
    assert [item["index"] for item in items] == list(range(20))
    assert (answer.body["created"], answer.body["failed"]) == (20, 0)
    assert api.send("GET", f"/v1/jobs/{items[3]['job']['job_id']}").body["name"] == "job 3"
    assert len(api.world.publisher.sent) == 20


def test_a_bad_job_stops_no_other(api: Api) -> None:
    """Every field of it that is wrong is named, with its place."""
    bad = new_job(name="", schedule={"kind": "cron", "cron": "0 0 31 2 *"})
    never = new_job(schedule={"kind": "cron", "cron": "0 0 31 2 *"})
    answer = create(api, new_job(), bad, never, "no job", None, new_job())
    errors = [item["error"] for item in answer.body["items"]]

    assert statuses(answer) == [201, 400, 400, 400, 400, 201]
    assert errors[0] is None
    assert [error["field"] for error in errors[1]["errors"]] == ["jobs.1.name"]
    assert [(e["field"], e["code"]) for e in errors[2]["errors"]] == [
        ("jobs.2.schedule.cron", "never_fires")
    ]
    assert [(e["field"], e["code"]) for e in errors[3]["errors"]] == [("jobs.3.body", "wrong_type")]
    assert len(api.world.tables.jobs) == 2


def after(key: str) -> dict[str, object]:
    """A job that the job of a key has a run of follow."""
    return new_job(then=[{"job_id": f"key:{key}", "on": ["succeeded"]}])


def test_a_key_of_no_job_refuses_its_job_alone(api: Api) -> None:
    """Ten jobs may be named by key; a further key is refused where it stands."""
    known = [f"step-{number}" for number in range(11)]
    for key in known:
        api.create(key=key, schedule={"kind": "manual"})
    answer = create(api, *map(after, ("unknown", *known[:9], known[0], *known[9:])), new_job())
    refused = [item["error"]["errors"][0] for item in answer.body["items"] if item["error"]]

    assert statuses(answer) == [400, *[201] * 10, 400, 400, 201]
    assert [(each["field"], each["code"]) for each in refused] == [
        ("jobs.0.then.0.job_id", "unknown_job"),
        ("jobs.11.then.0.job_id", "too_many"),
        ("jobs.12.then.0.job_id", "too_many"),
    ]


def test_a_job_that_names_another_by_key_is_the_same_request_alone(api: Api) -> None:
    """A key that has gone to another job makes no difference."""
    first = api.create(key="next", schedule={"kind": "manual"})
    made = create(api, after("next") | {"idempotency_key": "k"})
    api.send("DELETE", f"/v1/jobs/{first['job_id']}")
    api.create(key="next", schedule={"kind": "manual"})
    api.world.clock.advance(1)
    again = create(api, after("next") | {"idempotency_key": "k"})
    alone = api.send("POST", "/v1/jobs", after("next"), Idempotency_Key="k")

    assert [*statuses(made), *statuses(again), alone.status] == [201, 200, 200]


def test_a_request_with_a_key_is_repeated_without_harm(api: Api) -> None:
    """Job by job, by its place; one that was refused and is mended is created."""
    good, bad = new_job(), new_job(schedule={"kind": "cron", "cron": "nope"})
    first = create(api, good, bad, good, Idempotency_Key="import-7")
    api.world.clock.advance(1)
    again = create(api, good, new_job(name="mended"), good, Idempotency_Key="import-7")
    changed = create(api, new_job(name="other"), Idempotency_Key="import-7")

    assert statuses(first) == [201, 400, 201]
    assert statuses(again) == [200, 201, 200]
    assert again.body["replayed"] == 2
    assert again.body["items"][0] == first.body["items"][0] | {"status": 200}
    assert statuses(changed) == [409]
    assert changed.body["items"][0]["error"]["code"] == "idempotency_conflict"
    assert len(api.world.tables.jobs) == 3


def test_a_job_may_have_a_key_of_its_own(api: Api) -> None:
    """The same as that of a request for it alone, wherever it stands and however often."""
    alone = api.send("POST", "/v1/jobs", new_job(), Idempotency_Key="nightly")
    api.world.clock.advance(1)
    keyed = {**new_job(), "idempotency_key": "nightly"}
    answer = create(api, new_job(name="x"), keyed, keyed, Idempotency_Key="import-8")

    assert statuses(answer) == [201, 200, 200]
    assert {item["job"]["job_id"] for item in answer.body["items"][1:]} == {alone.body["job_id"]}


def test_jobs_without_any_key_are_all_new(api: Api) -> None:
    """Single creations behave alike."""
    assert statuses(create(api, new_job(), new_job())) == [201, 201]
    assert statuses(create(api, new_job())) == [201]
    assert len(api.world.tables.jobs) == 3


def test_a_store_that_is_overloaded_refuses_some(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    """503 for those; the request is repeated with its key."""
    stored = api.world.runs.create_job

    def busy(job: Any, *runs: Any, **asked: Any) -> Any:  # noqa: ANN401 - as the store's
        if job.name == "second":
            raise Throttled
        return stored(job, *runs, **asked)

    monkeypatch.setattr(api.world.runs, "create_job", busy)
    answer = create(api, new_job(), new_job(name="second"), new_job())

    assert statuses(answer) == [201, 503, 201]
    assert answer.body["items"][1]["error"]["code"] == "throttled"


@pytest.mark.parametrize(
    ("body", "field", "code"),
    [
        ({}, "jobs", "missing"),
        ({"jobs": []}, "jobs", "too_short"),
        ({"jobs": [{}] * 101}, "jobs", "too_long"),
        ({"jobs": {}}, "jobs", "wrong_type"),
        ({"jobs": [{}], "more": 1}, "more", "unknown_field"),
    ],
    ids=["none", "empty", "too many", "no list", "more"],
)
def test_a_list_that_is_none_is_refused_as_a_whole(
    api: Api, body: object, field: str, code: str
) -> None:
    """400: there is no job to answer for."""
    answer = api.send("POST", "/v1/jobs/bulk", body)

    assert (answer.status, answer.fields) == (400, [(field, code)])


def test_a_hundred_jobs_are_created(api: Api) -> None:
    """The most there may be."""
    answer = create(api, *(new_job() for _ in range(100)))

    assert answer.body["created"] == 100
