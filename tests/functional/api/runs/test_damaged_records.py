"""Runs and gaps that no reader understands: shown as such, and around them everything as it is."""

from dataclasses import replace

import pytest

from tests.support.api import Answer, Api
from tests.support.factories import TENANT, after, gap_factory
from timegate.domain.runs.run import Attempt
from timegate.domain.values.identity import JobId
from timegate.domain.values.instants import rfc3339

EVERY_MINUTE = {"kind": "rate", "every_seconds": 60, "starts_at": "2026-11-21T07:00:00Z"}
RANGE = "from=2026-11-21T07:00:00Z&to=2026-11-21T08:00:00Z"


@pytest.fixture
def job(api: Api) -> JobId:
    """Planned to 07:10, and from 07:20 to 07:25 there is a gap."""
    job_id: JobId = api.create(schedule=EVERY_MINUTE)["job_id"]
    api.world.tables.put_gap(
        gap_factory(job_id=job_id, first=after(1200), last=after(1500), count=6)
    )
    return job_id


def damaged_run(api: Api, at: float) -> Attempt:
    """Let the run of an instant be one that no reader understands."""
    (run,) = [each for each in api.world.attempts() if each.id.run.scheduled_at == after(at)]
    api.world.tables.damaged.add((TENANT, run.id))
    return run


def explain(api: Api, job: JobId, at: float) -> Answer:
    """Return the explanation of an instant."""
    return api.send("GET", f"/v1/jobs/{job}/explain?at={rfc3339(after(at))}")


def told(api: Api) -> list[object]:
    """Return the damaged records reported to operators, once per report."""
    events = [*api.world.telemetry.named("run_damaged"), *api.world.telemetry.named("gap_damaged")]
    assert api.world.telemetry.counts["RecordsUnreadable"] == len(events)
    return [event.fields["record"] for event in events]


def test_a_ledger_shows_a_damaged_run_where_it_is(api: Api, job: JobId) -> None:
    """With a stable code; its neighbours are there."""
    run = damaged_run(api, 300)
    answer = api.send("GET", f"/v1/jobs/{job}/ledger?{RANGE}")
    items = answer.body["items"]

    assert answer.status == 200
    assert [item["kind"] for item in items] == ["run"] * 4 + ["damaged"] + ["run"] * 5 + ["gap"]
    assert items[4] == {
        "kind": "damaged",
        "code": "run_damaged",
        "first": "2026-11-21T07:05:00.000Z",
        "last": "2026-11-21T07:05:00.000Z",
        "run_id": str(run.id.run),
        "explanation": (
            "It became a run, whose record cannot be read until operators have repaired it."
        ),
    }
    assert told(api) == [str(run.id)]


@pytest.mark.parametrize("first_is_known", [True, False], ids=["begins", "only-ends"])
def test_a_ledger_shows_a_damaged_gap_where_it_ends(
    api: Api, job: JobId, *, first_is_known: bool
) -> None:
    """And where it begins, if it says so."""
    api.world.tables.damaged_gaps[TENANT, job, after(1500), 1] = first_is_known
    items = api.send("GET", f"/v1/jobs/{job}/ledger?{RANGE}").body["items"]

    assert [item["kind"] for item in items] == ["run"] * 10 + ["damaged"]
    assert items[-1]["code"] == "gap_damaged"
    assert items[-1]["run_id"] is None
    assert items[-1]["first"] == (rfc3339(after(1200)) if first_is_known else None)
    assert items[-1]["last"] == rfc3339(after(1500))
    assert len(told(api)) == 1


def test_a_damaged_run_is_explained_as_one(api: Api, job: JobId) -> None:
    """Its instant has a record; those beside it have their own."""
    run = damaged_run(api, 300)
    answers = [explain(api, job, at) for at in (240, 300, 360)]

    assert [answer.status for answer in answers] == [200] * 3
    assert [answer.body["verdict"] for answer in answers] == ["run", "damaged", "run"]
    assert answers[1].body["record"]["code"] == "run_damaged"
    assert answers[1].body["explanation"] == answers[1].body["record"]["explanation"]
    assert answers[1].body["nearest"]["before"] == rfc3339(after(240))
    assert told(api) == [str(run.id)]


@pytest.mark.parametrize(
    ("first_is_known", "at", "verdict"),
    [
        (True, 1200, "damaged"),
        (True, 1500, "damaged"),
        (True, 1199, "not_named"),
        (True, 1201, "not_named"),
        (True, 600, "run"),
        (True, 1140, "unrecorded"),
        (True, 1560, "unrecorded"),
        (False, 1500, "damaged"),
        (False, 1140, "damaged"),
        (False, 1560, "unrecorded"),
        (False, 600, "run"),
    ],
)
def test_a_damaged_gap_explains_what_it_may_cover(
    api: Api, job: JobId, *, first_is_known: bool, at: float, verdict: str
) -> None:
    """It may cover instants from its known beginning on, or all earlier ones without a record."""
    stored = api.world.tables.jobs[TENANT, job]
    api.world.tables.damaged_gaps[TENANT, job, after(1500), 1] = first_is_known
    moved = replace(stored.timing, next_run_at=after(7200))
    api.world.tables.put_job(replace(stored, timing=moved))

    assert explain(api, job, at).body["verdict"] == verdict


def test_a_listing_of_runs_names_the_damaged(api: Api, job: JobId) -> None:
    """Beside the others; asked for alone, it is said to be damaged."""
    run = damaged_run(api, 300)
    listed = api.send("GET", f"/v1/jobs/{job}/runs?limit=100")
    alone = api.send("GET", f"/v1/runs/{run.id.run}")

    assert listed.status == 200
    assert len(listed.body["items"]) == 9
    assert listed.body["damaged"] == {"count": 1, "run_ids": [str(run.id.run)]}
    assert (alone.status, alone.code) == (500, "run_damaged")
    assert alone.body["detail"] == (
        f"The record of run {run.id.run} cannot be read; operators must repair it."
    )
    assert told(api) == [str(run.id)] * 2


def test_a_job_whose_only_run_is_damaged_has_one(api: Api) -> None:
    """Its listing is not empty, and the job is there."""
    job_id = api.create(schedule={"kind": "immediate"})["job_id"]
    (run,) = api.world.attempts()
    api.world.tables.damaged.add((TENANT, run.id))
    listed = api.send("GET", f"/v1/jobs/{job_id}/runs")

    assert (listed.body["items"], listed.body["damaged"]["count"]) == ([], 1)


def test_a_schedule_is_changed_around_a_damaged_gap(api: Api, job: JobId) -> None:
    """It stays as it is, for operators; what else was left out ahead is cut."""
    api.world.tables.damaged_gaps[TENANT, job, after(1500), 1] = True
    answer = api.send(
        "PATCH", f"/v1/jobs/{job}", {"schedule": {"kind": "rate", "every_seconds": 90}}
    )

    assert answer.status == 200
    assert (TENANT, job, after(1500), 1) in api.world.tables.gaps
