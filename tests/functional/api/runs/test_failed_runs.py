"""Failed runs of all jobs over HTTP: what failed, why, and whose it was."""

from dataclasses import replace
from typing import Any

from tests.functional.api.operations.test_dead_letters import BROKEN, NOW_ONLY, ONCE
from tests.support.api import Answer, Api
from tests.support.factories import OTHER_TENANT, TENANT, after, timing_factory
from tests.support.operations.burying import dead_factory
from timegate.domain.jobs.retry import Failure, FailureKind
from timegate.domain.planning.reopen import reopened
from timegate.domain.runs.run import Reason, RunState
from timegate.domain.values.identity import JobId

PATH = "/v1/runs"
GONE = Failure(
    kind=FailureKind.PERMANENT,
    code="http_404",
    type="HttpStatus",
    message="The target answered 404: gone",
)


def fail(api: Api, failure: Failure = GONE, **fields: Any) -> str:  # noqa: ANN401 - as ``create``
    """A new job whose only run fails; its id."""
    api.world.target.then(failure)
    asked: dict[str, Any] = {"schedule": NOW_ONLY, "retry": ONCE} | fields
    job_id = str(api.create(**asked)["job_id"])
    api.world.settle()
    api.world.clock.advance(1)
    return job_id


def listed(api: Api, query: str = "") -> list[str]:
    """The jobs whose runs a listing names."""
    return [row["job_id"] for row in api.send("GET", f"{PATH}?{query}").body["items"]]


def test_a_permanent_failure_is_found_with_its_reason_and_the_name_of_its_job(api: Api) -> None:
    """No dead letter names such a run, and no other list across jobs."""
    job_id = fail(api, name="nightly report")
    (row,) = api.send("GET", PATH).body["items"]
    letters = api.send("GET", "/v1/dead-letters").body["items"]

    assert (row["job_id"], row["job_name"]) == (job_id, "nightly report")
    assert (row["state"], row["reason"]) == ("failed", "permanent")
    assert row["error"]["code"] == "http_404"
    assert letters == []


def test_a_failure_is_found_while_the_record_of_its_job_is_damaged(api: Api) -> None:
    """It has no name meanwhile. A run with a damaged later attempt is not listed by an old one."""
    job_id, other = fail(api, name="nightly report"), fail(api)
    (first,) = [each for each in api.world.attempts() if each.id.run.job_id == other]
    again = reopened(first, timing_factory(job_id=other), now=after(60))
    api.world.tables.put_attempt(again)
    api.world.tables.damaged.add((TENANT, JobId(job_id)))
    api.world.tables.damaged.add((TENANT, again.id))
    items = api.send("GET", PATH).body["items"]

    assert [(row["job_id"], row["job_name"]) for row in items] == [(job_id, None)]


def test_runs_that_succeed_are_none(api: Api) -> None:
    """They are listed by their jobs."""
    job_id = api.create(schedule=NOW_ONLY)["job_id"]
    api.world.settle()
    (run,) = api.send("GET", f"/v1/jobs/{job_id}/runs").body["items"]
    refused = api.send("GET", f"{PATH}?state=succeeded")

    assert run["state"] == "succeeded"
    assert listed(api) == []
    assert refused.status == 400
    (error,) = refused.body["errors"]
    assert error["code"] == "invalid_choice"
    assert "say which=all" in error["detail"]


def test_criteria_hold_together(api: Api) -> None:
    """By state, reason, code, name, job, tag and end; each alone, and two at once."""
    gone = fail(api, name="nightly report", tags={"team": "a"})
    dead = fail(api, BROKEN, name="nightly load", tags={"team": "b"})

    assert listed(api) == [dead, gone]
    assert listed(api, "state=failed") == [gone]
    assert listed(api, "state=failed&state=dead_lettered") == [dead, gone]
    assert listed(api, "reason=retries_exhausted") == [dead]
    assert listed(api, "error_code=http_404") == [gone]
    assert listed(api, "name=nightly*") == [dead, gone]
    assert listed(api, "name=nightly%20load") == [dead]
    assert listed(api, "name=nightly") == []
    assert listed(api, f"job_id={gone}") == [gone]
    assert listed(api, "tag=team:b") == [dead]
    assert listed(api, "tag=team:b&state=failed") == []
    assert listed(api, "from=2026-11-21T08:00:00Z") == []
    assert listed(api, "to=2026-11-21T08:00:00Z") == [dead, gone]


def test_a_tag_of_its_trigger_goes_before_that_of_its_job(api: Api) -> None:
    """The run is found by its own."""
    daily = {"kind": "rate", "every_seconds": 86_400}
    job_id = api.create(schedule=daily, retry=ONCE, tags={"team": "a", "env": "prod"})["job_id"]
    api.world.target.then(GONE)
    api.send("POST", f"/v1/jobs/{job_id}/trigger", {"tags": {"team": "b"}})
    api.world.settle()

    assert listed(api, "tag=team:b&tag=env:prod") == [job_id]
    assert listed(api, "tag=team:a") == []


def test_another_tenant_sees_none_of_it(api: Api) -> None:
    """Nor by the id of the job (S1)."""
    job_id = fail(api)
    page = api.send("GET", PATH, tenant=OTHER_TENANT).body
    named = api.send("GET", f"{PATH}?job_id={job_id}", tenant=OTHER_TENANT).body

    assert (page["items"], named["items"]) == ([], [])


def test_a_filter_that_fits_few_leads_on(api: Api) -> None:
    """A page may be empty and not the last; all pages together have each run once."""
    dead = fail(api, BROKEN)
    for _ in range(12):
        fail(api)
    found, cursor, pages = [], "", 0
    while True:
        query = f"state=dead_lettered&limit=1{cursor}"
        page = api.send("GET", f"{PATH}?{query}").body
        found += [row["job_id"] for row in page["items"]]
        pages += 1
        if page["next_cursor"] is None:
            break
        cursor = f"&cursor={page['next_cursor']}"

    assert found == [dead]
    assert pages == 2


def test_a_redriven_run_leaves_and_comes_back_when_it_fails_again(api: Api) -> None:
    """Once each time, with its last attempt."""
    job_id = fail(api, BROKEN)
    (row,) = api.send("GET", PATH).body["items"]
    api.send("POST", f"/v1/dead-letters/{row['run_id']}/redrive")
    gone = listed(api)
    api.world.target.then(GONE)
    api.world.settle()
    (again,) = api.send("GET", PATH).body["items"]

    assert gone == []
    assert (again["job_id"], again["run_id"], again["attempt"]) == (job_id, row["run_id"], 2)


def test_a_run_that_a_backfill_opened_again_is_none(api: Api) -> None:
    """It is listed again once its next attempt has failed."""
    failed = dead_factory(state=RunState.FAILED, reason=Reason.PERMANENT)
    opened = reopened(failed, timing_factory(), now=after(60))
    again = replace(
        opened,
        state=RunState.FAILED,
        reason=Reason.PERMANENT,
        started_at=after(61),
        ended_at=after(90),
        watch_at=None,
    )
    api.world.runs.insert_all([failed])
    before = listed(api)
    api.world.runs.insert_all([opened])
    open_again = listed(api)
    api.world.runs.replace(opened, again)
    (row,) = api.send("GET", PATH).body["items"]

    assert len(before) == 1
    assert open_again == []
    assert (row["run_id"], row["attempt"]) == (str(failed.id.run), 2)
    assert row["job_name"] is None


def redrive(api: Api, run_id: str, body: Any = None, **headers: str) -> Answer:  # noqa: ANN401
    """Ask for another try."""
    return api.send("POST", f"{PATH}/{run_id}/redrive", body, **headers)


def test_a_permanent_failure_is_tried_again(api: Api) -> None:
    """The same run is tried once, under its present job, with a corrected payload, and recorded."""
    fail(api, payload={"to": "bob"})
    (row,) = api.send("GET", PATH).body["items"]
    first = redrive(api, row["run_id"], {"payload": {"to": "ann"}, "note": "typo"})
    second = redrive(api, row["run_id"])
    api.world.settle()
    run = api.send("GET", f"{PATH}/{row['run_id']}").body
    failed, succeeded = run["attempts"]

    assert (first.status, first.body["attempt"], first.body["state"]) == (202, 2, "queued")
    assert (second.status, second.code) == (409, "run_unfinished")
    assert (failed["state"], succeeded["state"]) == ("failed", "succeeded")
    assert (failed["resolution"]["settled"], failed["resolution"]["note"]) == ("redriven", "typo")
    assert succeeded["fence"] > failed["fence"]
    assert [call.payload for call in api.world.target.calls] == ['{"to":"bob"}', '{"to":"ann"}']
    assert listed(api) == []


def test_a_redrive_may_be_repeated_under_its_key(api: Api) -> None:
    """The second request begins nothing."""
    fail(api)
    (row,) = api.send("GET", PATH).body["items"]
    key = {"Idempotency_Key": "again"}
    first = redrive(api, row["run_id"], {"note": "a"}, **key)
    api.world.settle()
    again = redrive(api, row["run_id"], {"note": "a"}, **key)
    other = redrive(api, row["run_id"], {"note": "b"}, **key)

    assert (first.status, again.status) == (202, 200)
    assert again.headers["idempotency-replayed"] == "true"
    assert again.body["attempt"] == 2
    assert (other.status, other.code) == (409, "idempotency_conflict")


def test_a_run_that_succeeded_or_never_began_is_not_tried_again(api: Api) -> None:
    """Its instant is settled, and its place in ``max_runs`` was given back."""
    job_id = api.create(schedule=NOW_ONLY)["job_id"]
    api.world.settle()
    (succeeded,) = api.send("GET", f"/v1/jobs/{job_id}/runs").body["items"]
    daily = api.create(schedule={"kind": "rate", "every_seconds": 86_400})["job_id"]
    ids = [api.send("POST", f"/v1/jobs/{daily}/trigger").body["run_id"] for _ in range(1)]
    waiting = redrive(api, ids[0])
    api.send("POST", f"{PATH}/{ids[0]}/cancel")
    refused = [redrive(api, run_id) for run_id in (succeeded["run_id"], ids[0])]

    assert (waiting.status, waiting.code) == (409, "run_unfinished")
    assert [(each.status, each.code) for each in refused] == [(409, "not_redrivable")] * 2
    assert "it is succeeded" in refused[0].body["detail"]


def test_a_run_of_a_cancelled_job_is_not_tried_again(api: Api) -> None:
    """A cancelled job stays cancelled."""
    job_id = api.create(schedule={"kind": "rate", "every_seconds": 86_400}, retry=ONCE)["job_id"]
    api.world.target.then(GONE)
    api.send("POST", f"/v1/jobs/{job_id}/trigger")
    api.world.settle()
    api.send("DELETE", f"/v1/jobs/{job_id}")
    (row,) = api.send("GET", PATH).body["items"]

    assert redrive(api, row["run_id"]).code == "job_cancelled"


def test_another_tenants_run_is_not_found(api: Api) -> None:
    """The answer is that for an unknown run (S1)."""
    fail(api)
    (row,) = api.send("GET", PATH).body["items"]
    answer = api.send("POST", f"{PATH}/{row['run_id']}/redrive", tenant=OTHER_TENANT)

    assert (answer.status, answer.code) == (404, "run_not_found")
