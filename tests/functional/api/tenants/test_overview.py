"""A tenant at a glance over HTTP: what fails, what is held back, what is used."""

from typing import Any

import pytest

from tests.functional.api.jobs.test_failing_jobs import GONE, failing, minutes
from tests.functional.api.operations.test_dead_letters import BROKEN
from tests.functional.api.runs.test_failed_runs import fail
from tests.support.api import Api
from tests.support.factories import OTHER_TENANT

PATH = "/v1/overview"
FREEZE: dict[str, Any] = {
    "scope": {"kind": "tenant"},
    "starts_at": "2026-11-21T09:00:00Z",
    "ends_at": "2026-11-21T10:00:00Z",
}


def seen(api: Api, **request: Any) -> dict[str, Any]:  # noqa: ANN401 - as ``send``
    """The overview."""
    answer = api.send("GET", PATH, **request)

    assert answer.status == 200
    return dict(answer.body)


def test_a_tenant_that_has_nothing_sees_zeros(api: Api) -> None:
    """Nothing is missing from the answer."""
    found = seen(api)

    assert found["failing"]["count"] == 0
    assert found["failing"]["latest"] == []
    assert found["dead_letters"] == {"count": 0, "is_partial": False}
    assert found["jobs"] == {"active": 0, "paused": 0, "completed": 0, "cancelled": 0}
    assert (found["paused_jobs"], found["freezes"]) == ([], [])
    assert found["usage"] == {"jobs": 0, "dags": 0, "runs_per_day": None}
    assert found["effective_quotas"]["jobs"] == 1_000_000


def test_failures_of_the_last_day_are_counted_and_the_latest_shown(api: Api) -> None:
    """A dead letter is a failure too. After a day the failures are not counted any more."""
    for number in range(6):
        fail(api, name=f"job {number}")
    dead = fail(api, BROKEN, name="broken")
    found = seen(api)
    api.world.clock.advance(24 * 3600 + 60)
    later = seen(api)

    assert (found["failing"]["count"], found["failing"]["is_partial"]) == (7, False)
    assert [each["job_name"] for each in found["failing"]["latest"]] == [
        *("broken", "job 5", "job 4", "job 3", "job 2")
    ]
    assert found["failing"]["latest"][0]["job_id"] == dead
    assert found["dead_letters"] == {"count": 1, "is_partial": False}
    assert later["failing"]["count"] == 0
    assert later["dead_letters"]["count"] == 1


@pytest.mark.parametrize(("failures", "expected"), [(100, (100, False)), (101, (100, True))])
def test_more_than_a_hundred_are_not_counted(
    api: Api, failures: int, expected: tuple[int, bool]
) -> None:
    """The answer says that there are more."""
    for _ in range(failures):
        fail(api, BROKEN)
    found = seen(api)

    assert (found["failing"]["count"], found["failing"]["is_partial"]) == expected
    assert tuple(found["dead_letters"].values()) == expected


def test_a_job_that_failures_paused_is_shown_until_it_is_resumed(api: Api) -> None:
    """With the number of failures, and the run that decided."""
    path = failing(api, name="nightly")
    minutes(api, GONE, GONE)
    (paused,) = seen(api)["paused_jobs"]
    by_status = seen(api)["jobs"]
    api.send("POST", f"{path}/resume")

    assert (paused["job_id"], paused["name"]) == (path.rpartition("/")[2], "nightly")
    assert paused["failures"] == 2
    assert paused["run_id"].startswith(paused["job_id"])
    assert (by_status["active"], by_status["paused"]) == (0, 1)
    assert seen(api)["paused_jobs"] == []


@pytest.mark.parametrize(
    "decisions", [("DELETE",), ("POST resume", "POST pause")], ids=["cancelled", "paused-again"]
)
def test_a_pause_that_a_caller_decided_about_is_not_shown(
    api: Api, decisions: tuple[str, ...]
) -> None:
    """Cancelled, or resumed and paused by the caller."""
    path = failing(api)
    minutes(api, GONE, GONE)
    for decision in decisions:
        method, _, end = decision.partition(" ")
        api.send(method, f"{path}/{end}".rstrip("/"))

    assert seen(api)["paused_jobs"] == []


def test_a_job_that_a_caller_paused_is_not_shown(api: Api) -> None:
    """No operator has to decide about it."""
    path = failing(api)
    minutes(api, GONE)
    api.send("POST", f"{path}/pause")

    assert seen(api)["paused_jobs"] == []


@pytest.mark.parametrize(("jobs", "counted"), [(99, True), (100, False)])
def test_jobs_of_a_large_tenant_are_not_told_apart(api: Api, jobs: int, counted: bool) -> None:
    """The quota's own count is there for any number."""
    for _ in range(jobs):
        api.create()
    found = seen(api)

    assert (found["jobs"] is not None) == counted
    assert found["usage"]["jobs"] == jobs


def test_freezes_that_have_not_ended_are_shown(api: Api) -> None:
    """Freezes in force and freezes still to start are shown."""
    freeze = api.send("POST", "/v1/freezes", FREEZE).body
    found = seen(api)["freezes"]
    api.world.clock.advance(4 * 3600)

    assert found == [freeze]
    assert seen(api)["freezes"] == []


def test_another_tenant_sees_none_of_it(api: Api) -> None:
    """The tenant is the token's (S1)."""
    fail(api, BROKEN)
    api.send("POST", "/v1/freezes", FREEZE)
    found = seen(api, tenant=OTHER_TENANT)

    assert (found["failing"]["count"], found["dead_letters"]["count"]) == (0, 0)
    assert (found["freezes"], found["usage"]["jobs"]) == ([], 0)
    assert found["tenant"] == OTHER_TENANT
