"""Decisions over HTTP: what failed for good, grouped by cause, until an operator settles it."""

from typing import Any

import pytest

from tests.functional.api.jobs.test_failing_jobs import failing, minutes
from tests.functional.api.operations.test_dead_letters import BROKEN
from tests.functional.api.runs.test_failed_runs import GONE, fail
from tests.support.api import Api
from tests.support.factories import OTHER_TENANT
from timegate.domain.jobs.retry import Failure, FailureKind
from timegate.usecases.operations import read_decisions

PATH = "/v1/decisions"
DENIED = Failure(kind=FailureKind.PERMANENT, code="http_403", type="HttpStatus", message="denied")


def groups(api: Api, query: str = "") -> list[tuple[str, str, int]]:
    """Kind, error code and count of each group."""
    found = api.send("GET", f"{PATH}?{query}").body["groups"]
    return [(each["kind"], each["error_code"], each["count"]) for each in found]


def run_of(api: Api, job_id: str) -> str:
    """The only run of a job."""
    (run,) = api.send("GET", f"/v1/jobs/{job_id}/runs").body["items"]
    return str(run["run_id"])


def test_failures_are_grouped_by_cause_and_the_largest_group_comes_first(api: Api) -> None:
    """Dead letters before permanent failures: they wait for a redrive."""
    for _ in range(2):
        fail(api, GONE)
    denied = fail(api, DENIED, name="denied")
    fail(api, BROKEN)
    found = api.send("GET", PATH).body
    (_, _, last) = found["groups"]

    assert groups(api) == [
        ("dead_letter", BROKEN.code, 1),
        ("failed_run", "http_404", 2),
        ("failed_run", "http_403", 1),
    ]
    assert (found["read"], found["is_partial"]) == (4, False)
    assert (last["reason"], last["jobs"]) == ("permanent", 1)
    assert last["first_at"] == last["last_at"] == last["latest"][0]["ended_at"]
    assert (last["latest"][0]["job_id"], last["latest"][0]["job_name"]) == (denied, "denied")


def test_a_group_shows_its_latest_five(api: Api) -> None:
    """The listing of failed runs has the others, by the group's code."""
    failed = [fail(api, GONE) for _ in range(6)]
    (group,) = api.send("GET", PATH).body["groups"]

    assert (group["count"], group["jobs"]) == (6, 6)
    assert [each["job_id"] for each in group["latest"]] == failed[:0:-1]
    assert group["first_at"] < group["last_at"]


@pytest.mark.parametrize("settle", ["discard", "redrive"])
def test_a_dead_letter_that_was_settled_is_gone(api: Api, settle: str) -> None:
    """Discarded or tried again, it waits no more."""
    job_id = fail(api, BROKEN)
    waiting = groups(api)
    api.send("POST", f"/v1/dead-letters/{run_of(api, job_id)}/{settle}")
    api.world.settle()

    assert waiting == [("dead_letter", BROKEN.code, 1)]
    assert groups(api) == []


def test_a_run_that_was_cancelled_or_skipped_needs_no_decision(api: Api) -> None:
    """An operator has decided already, or a rule of the job."""
    job_id = str(api.create(schedule={"kind": "delay", "delay_seconds": 300})["job_id"])
    api.world.tick()
    api.send("POST", f"/v1/runs/{run_of(api, job_id)}/cancel")
    listed = api.send("GET", "/v1/runs").body["items"]

    assert [each["state"] for each in listed] == ["cancelled"]
    assert groups(api) == []


def test_a_job_that_failures_paused_is_a_group_of_its_own(api: Api) -> None:
    """Once for the job, beside its failed runs; resumed, it is gone."""
    path = failing(api, name="nightly")
    minutes(api, GONE, GONE)
    waiting = groups(api)
    (paused, _) = api.send("GET", PATH).body["groups"]
    api.send("POST", f"{path}/resume")

    assert waiting == [("paused_job", "http_404", 1), ("failed_run", "http_404", 2)]
    assert [each["job_name"] for each in paused["latest"]] == ["nightly"]
    assert groups(api) == [("failed_run", "http_404", 2)]


@pytest.mark.parametrize(("from_", "expected"), [("07:00:00", 1), ("07:00:00.001", 0)])
def test_the_span_begins_where_it_is_asked_to(api: Api, from_: str, expected: int) -> None:
    """Its own instant included."""
    job_id = fail(api, GONE)
    (ended,) = api.send("GET", f"/v1/jobs/{job_id}/runs").body["items"]

    assert ended["ended_at"].startswith("2026-11-21T07:00:00")
    assert len(groups(api, f"from=2026-11-21T{from_}Z")) == expected


def test_seven_days_are_looked_back_by_default(api: Api) -> None:
    """Older failures are found by their span."""
    fail(api, GONE)
    # The run ended at 07:00:00, and the clock shows a second later: whole minutes count.
    api.world.clock.advance(7 * 24 * 3600 + 58)
    within = groups(api)
    api.world.clock.advance(1)

    assert len(within) == 1
    assert groups(api) == []
    assert len(groups(api, "from=2026-11-01T00:00:00Z")) == 1


@pytest.mark.parametrize(("failures", "expected"), [(4, (4, False)), (5, (4, True))])
def test_so_many_failures_are_looked_at_and_no_more(
    api: Api, monkeypatch: pytest.MonkeyPatch, failures: int, expected: tuple[int, bool]
) -> None:
    """The answer says that there are more, and how many it is of."""
    monkeypatch.setattr(read_decisions, "MOST_READ", 4)
    monkeypatch.setattr(read_decisions, "_READ", 2)
    for _ in range(failures):
        fail(api, GONE)
    found = api.send("GET", PATH).body

    assert (found["read"], found["is_partial"]) == expected
    assert groups(api) == [("failed_run", "http_404", 4)]


def test_another_tenant_has_nothing_to_decide(api: Api) -> None:
    """The tenant is the token's (S1)."""
    fail(api, BROKEN)
    found: dict[str, Any] = api.send("GET", PATH, tenant=OTHER_TENANT).body

    assert (found["groups"], found["read"]) == ([], 0)
