"""Retries after delays that a job lists, one after the other."""

from typing import Any

import pytest

from tests.support.api import Api, new_job
from tests.support.pools.worker_requests import BROKE, claim, offer, read, say

STEADY = {"delays_seconds": ["PT10S", 60], "jitter": False, "breaker": None}


def stored(api: Api, **retry: Any) -> dict[str, Any]:  # noqa: ANN401
    """The policy of a new job, as the API answers it."""
    shown: dict[str, Any] = api.create(retry=retry)["retry"]
    return shown


def test_each_retry_waits_for_the_delay_of_its_turn(api: Api) -> None:
    """Not a moment less; the last delay stands for the attempts that follow."""
    offer(api, retry={**STEADY, "max_attempts": 4})
    (run,) = claim(api)
    waits = []
    for delay in (10, 60, 60):
        say(api, "fail", run, error=BROKE)
        api.world.clock.advance(delay - 1)
        early = claim(api)
        api.world.clock.advance(1)
        (run,) = claim(api)
        waits.append((early, run["attempt"]))
    say(api, "fail", run, error=BROKE)

    assert waits == [([], 2), ([], 3), ([], 4)]
    assert read(api, run)["reason"] == "retries_exhausted"


def test_delays_alone_make_one_attempt_more_than_they_are(api: Api) -> None:
    """The default of three attempts would leave the third of them unused."""
    assert stored(api, delays_seconds=[10, 60, 600, 3600])["max_attempts"] == 5
    assert stored(api, delays_seconds=[10])["max_attempts"] == 2
    assert stored(api, delays_seconds=[])["max_attempts"] == 3
    assert stored(api, delays_seconds=[10], max_attempts=50)["max_attempts"] == 50


def test_an_answer_may_be_sent_back(api: Api) -> None:
    """The defaults beside the delays are no contradiction."""
    shown = stored(api, **STEADY)

    assert shown["delays_seconds"] == [10.0, 60.0]
    assert stored(api, **shown) == shown


def test_a_change_of_the_policy_replaces_its_delays(api: Api) -> None:
    """The member is left out, and the back-off computes them again."""
    job_id = api.create(retry=STEADY)["job_id"]
    changed = api.send("PATCH", f"/v1/jobs/{job_id}", {"retry": {"max_attempts": 2}}).body

    assert (changed["retry"]["delays_seconds"], changed["retry"]["max_attempts"]) == ([], 2)


def test_tasks_of_dags_list_them_too(api: Api) -> None:
    """A job of a task has the retries of a job."""
    job = {"action": new_job()["action"], "retry": {"delays_seconds": [5, 7]}}
    dag = {"name": "nightly", "tasks": [{"key": "load", "job": job}]}
    answer = api.send("POST", "/v1/dags", dag)

    assert answer.status == 201, answer.body
    retry = answer.body["tasks"][0]["job"]["retry"]
    assert (retry["delays_seconds"], retry["max_attempts"]) == ([5.0, 7.0], 3)


@pytest.mark.parametrize(
    ("retry", "field", "code"),
    [
        ({"delays_seconds": "10s,1m"}, "retry.delays_seconds", "wrong_type"),
        ({"delays_seconds": ["10s"]}, "retry.delays_seconds.0", "wrong_type"),
        ({"delays_seconds": [10, -1]}, "retry.delays_seconds.1", "too_small"),
        ({"delays_seconds": [86_401]}, "retry.delays_seconds.0", "too_large"),
        ({"delays_seconds": ["P1DT1S"]}, "retry.delays_seconds.0", "too_large"),
        ({"delays_seconds": [1] * 50}, "retry.delays_seconds", "too_long"),
        ({"delays_seconds": [1, None]}, "retry.delays_seconds.1", "wrong_type"),
    ],
)
def test_a_delay_is_refused_at_its_place(
    api: Api, retry: dict[str, object], field: str, code: str
) -> None:
    """The limits are those of every delay, in both spellings."""
    answer = api.send("POST", "/v1/jobs", new_job(retry=retry))

    assert (answer.status, answer.fields) == (400, [(field, code)])


def test_the_most_delays_fit(api: Api) -> None:
    """One less than the most attempts."""
    shown = stored(api, delays_seconds=[86_400] * 49)

    assert (len(shown["delays_seconds"]), shown["max_attempts"]) == (49, 50)
