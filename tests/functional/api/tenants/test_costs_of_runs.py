"""A tenant reads its own runs' cost; the administration reads each tenant's."""

import pytest

from tests.functional.api.dag_runs.test_dag_followers import TOLD, created
from tests.functional.api.dag_runs.test_dag_runs import moved, start
from tests.support.api import SCOPES, Api, gateway_event
from tests.support.factories import OTHER_TENANT, TENANT
from timegate.domain.runs.run import RunState
from timegate.usecases.dag_runs.tasks.end_task import end_tasks
from timegate.usecases.metering.meter_runs import meter_runs
from timegate.usecases.metering.metering_services import Metering

ZEROES = {"scheduled", "one_shot", "triggered", "retry", "notification", "dag_task"}


def meter(api: Api) -> None:
    """The meter counts, an hour later."""
    world = api.world
    world.clock.advance(3600)
    metering = Metering(store=world.meter, clock=world.clock, telemetry=world.telemetry)
    meter_runs(metering, now=world.clock.now())


def play(api: Api, minutes: int) -> None:
    """Let everything run for some minutes, and the meter count an hour later."""
    world = api.world
    for _ in range(minutes):
        world.tick()
        world.stream()
        world.clock.advance(60)
        world.settle()
    meter(api)


@pytest.fixture
def counted(api: Api) -> Api:
    """Two tenants whose jobs ran: one every minute, one once, one by hand."""
    api.create(name="pulse")
    api.create(name="once", schedule={"kind": "immediate"})
    asked = api.create(name="asked", schedule={"kind": "manual"}, tenant=OTHER_TENANT)
    api.send("POST", f"/v1/jobs/{asked['job_id']}/trigger", tenant=OTHER_TENANT)
    play(api, 12)
    return api


def test_a_tenant_reads_its_month(counted: Api) -> None:
    """In all, by kind, by service, and by job."""
    body = counted.send("GET", "/v1/cost").body
    (job,) = body["jobs"]

    assert (body["tenant"], body["month"]) == (TENANT, "2026-11")
    assert body["metered_until"] == "2026-11-21T08:07:00.000Z"
    assert body["whole"]["attempts"] == dict.fromkeys(ZEROES, 0) | {
        "scheduled": job["runs"],
        "one_shot": 1,
    }
    ended = [each for each in counted.world.attempts() if each.id.run.job_id == job["job_id"]]
    assert (job["name"], job["runs"]) == ("pulse", sum(each.ends_run for each in ended))
    assert job["runs"] >= 1
    assert body["whole"]["usd"] == pytest.approx(job["usd"] + body["one_shots"]["usd"], abs=2e-6)
    assert body["whole"]["usd"] == pytest.approx(sum(body["whole"]["services"].values()), abs=1e-5)
    assert (body["other_jobs"], body["is_complete"]) == (0, True)


def test_no_tenant_reads_another_s(counted: Api) -> None:
    """The token names the tenant; a job of another is not found."""
    own = counted.send("GET", "/v1/cost", tenant=OTHER_TENANT).body
    foreign = counted.send("GET", "/v1/cost").body["jobs"][0]["job_id"]
    asked = counted.send("GET", f"/v1/cost?job_id={foreign}", tenant=OTHER_TENANT).body

    assert [each["name"] for each in own["jobs"]] == ["asked"]
    assert own["whole"]["attempts"]["triggered"] == 1
    assert (asked["jobs"][0]["runs"], asked["jobs"][0]["name"]) == (0, None)


def test_one_job_is_shown_alone(counted: Api) -> None:
    """And the month of its tenant beside it."""
    (job,) = counted.send("GET", "/v1/cost").body["jobs"]
    body = counted.send("GET", f"/v1/cost?job_id={job['job_id']}").body

    assert body["jobs"] == [job]


def test_the_administration_reads_each_tenant(counted: Api) -> None:
    """Their sum is what runs cost the stage; one tenant's is what it reads itself."""
    stage = counted.send("GET", "/v1/stage/cost").body
    one = counted.send("GET", f"/v1/tenants/{OTHER_TENANT}/cost").body

    assert [each["tenant"] for each in stage["items"]] == [TENANT, OTHER_TENANT]
    assert stage["items"][1]["whole"] == one["whole"]
    assert (stage["next_cursor"], stage["month"]) == (None, "2026-11")


def test_another_month_is_empty(counted: Api) -> None:
    """Nothing of it was counted."""
    body = counted.send("GET", "/v1/cost?month=2026-10").body

    assert (body["whole"]["usd"], body["jobs"]) == (0, [])
    assert counted.send("GET", "/v1/stage/cost?month=2026-10").body["items"] == []


@pytest.mark.parametrize("query", ["month=2026-13", "month=november", "limit=0", "job=x"])
def test_a_query_that_says_nothing_known_is_refused(api: Api, query: str) -> None:
    """A misspelt filter is not ignored."""
    assert api.send("GET", f"/v1/cost?{query}").status == 400


@pytest.mark.parametrize("path", ["/v1/stage/cost", f"/v1/tenants/{TENANT}/cost"])
def test_costs_of_all_take_the_scope_of_the_administration(api: Api, path: str) -> None:
    """A tenant's token does not read the stage's."""
    claims = {"client_id": TENANT, "scope": SCOPES}

    assert api.deliver(gateway_event("GET", path, claims=claims)).status == 403


def test_an_end_of_a_dag_run_that_is_recorded_late_is_counted(api: Api) -> None:
    """Outcomes stood still for an hour: the meter had counted up to the end before it was told."""
    dag = created(api, notifications=TOLD)
    dag_run_id = start(api, dag["dag_id"]).body["dag_run_id"]
    dag_world, run = moved(api, dag_run_id)
    while waiting := dag_world.waiting():
        end_tasks([dag_world.finish(waiting[0], RunState.SUCCEEDED)], dag_world.works)
    ended = dag_world.dag_runs.get(run.tenant, run.dag_run_id)
    meter(api)
    before = api.send("GET", "/v1/cost").body["whole"]["attempts"]
    dag_world.follow()
    meter(api)
    after = api.send("GET", "/v1/cost").body["whole"]["attempts"]
    (record,) = api.send("GET", f"/v1/jobs/{dag['job_id']}/runs").body["items"]

    assert ended.has_ended
    assert (before["dag_task"], before["triggered"]) == (2, 0)
    assert (after["dag_task"], after["triggered"]) == (2, 1)
    assert record["ended_at"] == "2026-11-21T08:00:00.000Z"
