"""Batches of triggers for a job by its key: the key may go to another job."""

import pytest

from tests.support.api import Answer, Api

PATH = "/v1/jobs/key:nightly/trigger/batch"


def job(api: Api, key: str | None) -> str:
    return str(api.create(schedule={"kind": "manual"}, key=key)["job_id"])


def batch(api: Api, count: int, key: str = "one") -> Answer:
    return api.send("POST", PATH, {"triggers": [{}] * count}, Idempotency_Key=key)


def jobs_of(answer: Answer) -> set[str]:
    """Return the jobs of the runs."""
    return {item["run_id"].split(".")[0] for item in answer.body["items"]}


@pytest.fixture
def former(api: Api) -> tuple[str, str, Answer]:
    """The job that had the key, the one that has it now, and a batch of the first."""
    first = job(api, "nightly")
    answer = batch(api, 3)
    assert api.send("PATCH", f"/v1/jobs/{first}", {"key": None}).status == 200
    return first, job(api, "nightly"), answer


def test_a_repeated_batch_is_of_the_job_that_it_triggered_first(
    api: Api, former: tuple[str, str, Answer]
) -> None:
    """A response was lost, and the key went to another job meanwhile: nothing runs twice."""
    first, _, answer = former
    again = batch(api, 3)

    assert jobs_of(answer) == jobs_of(again) == {first}
    assert again.body["replayed"] == 3
    assert len(api.world.attempts()) == 3


def test_a_new_batch_is_of_the_job_that_has_the_key(
    api: Api, former: tuple[str, str, Answer]
) -> None:
    """The former holder knows no such Idempotency-Key."""
    answer = batch(api, 2, key="two")

    assert jobs_of(answer) == {former[1]}
    assert answer.body["triggered"] == 2


def test_another_request_under_the_key_is_refused(
    api: Api, former: tuple[str, str, Answer]
) -> None:
    """At the job that knows it."""
    answer = batch(api, 4)

    assert (answer.status, answer.code) == (409, "idempotency_conflict")
