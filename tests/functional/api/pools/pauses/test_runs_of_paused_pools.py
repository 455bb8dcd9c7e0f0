"""Runs that wait for the end of a pool's pause: they say so, and the rules of time still hold."""

from datetime import timedelta
from typing import Any

import pytest

from tests.support.api import Api
from tests.support.dag_runs.dag_world import DagWorld
from tests.support.factories import TENANT
from tests.support.pools.worker_requests import ACTION, claim, offer, read, say
from timegate.domain.values.identity import DagRunId
from timegate.domain.values.tenant import TenantId

PAUSE, RESUME = "/v1/pools/reports/pause", "/v1/pools/reports/resume"
#: When tests begin; the hour after is the end of pauses that have one.
NOW, LATER = "2026-11-21T07:00:00.000Z", "2026-11-21T08:00:00.000Z"
TERMS = {"reason": "The warehouse moves.", "until": LATER}
IS_PAUSED = f"Pool reports is paused by {TENANT} since {NOW} until {LATER} (The warehouse moves.)."
WAS_PAUSED = IS_PAUSED.replace("is paused", "was paused")


def explained(api: Api, job_id: str) -> list[str]:
    """Return the explanations of the job's only run, and of its instant."""
    (row,) = api.send("GET", f"/v1/jobs/{job_id}/runs").body["items"]
    run = api.send("GET", f"/v1/runs/{row['run_id']}").body
    instant = api.send("GET", f"/v1/jobs/{job_id}/explain?at={row['scheduled_at']}").body
    return [run["explanation"], instant["explanation"]]


def expiring(api: Api) -> str:
    """Trigger a job of the pool whose run is to begin within a minute; return the run's id."""
    job = api.create(schedule={"kind": "manual"}, action=ACTION)
    triggered = api.trigger(job["job_id"], {"expires_after_seconds": "PT1M"})
    return str(triggered.body["run_id"])


def shown(api: Api, run_id: str) -> tuple[str, str, str]:
    """Return the run's state, its reason and its explanation."""
    body = api.send("GET", f"/v1/runs/{run_id}").body
    return body["state"], body["reason"], body["explanation"]


def test_a_waiting_run_names_the_pause(api: Api) -> None:
    """In place of the workers, which have no part in it; after the pause they are told of."""
    job_id = offer(api)
    api.send("POST", PAUSE, TERMS)
    api.world.clock.advance(60)
    during = explained(api, job_id)
    api.send("POST", RESUME)
    after = explained(api, job_id)

    waits = f"It waits in pool reports since {NOW}. {IS_PAUSED}"
    assert [each.endswith(waits) for each in during] == [True, True]
    assert ["paused" in each for each in after] == [False, False]


def test_a_run_that_began_late_tells_the_end_of_the_pause(api: Api) -> None:
    """Its lateness is the pause's, and no part of the stage's start lag."""
    offer(api)
    api.send("POST", PAUSE, TERMS)
    api.world.clock.advance(60)
    api.send("POST", RESUME)
    api.world.clock.advance(2)
    (run,) = claim(api)
    say(api, "complete", run)

    told = f" It was due at {NOW}, and its pool was paused until 2026-11-21T07:01:00.000Z."
    assert read(api, run)["explanation"] == f"It ran and succeeded.{told}"
    assert api.world.telemetry.measures["StartLagMs"] == [2_000]


@pytest.mark.parametrize(("seconds", "told"), [(60, False), (59.999, True)])
def test_a_run_that_was_due_at_the_end_waited_for_no_pause(
    api: Api, seconds: float, *, told: bool
) -> None:
    """The end of a pause is no part of it."""
    api.send("POST", PAUSE, {"until": "2026-11-21T07:01:00Z"})
    api.world.clock.advance(seconds)
    offer(api)
    api.world.clock.advance(1)
    (run,) = claim(api)

    assert ("paused until" in read(api, run)["explanation"]) is told


def test_a_run_that_expires_in_a_pause_says_why(api: Api) -> None:
    """The sweeper ends it: no worker comes."""
    api.send("POST", PAUSE, TERMS)
    run_id = expiring(api)
    api.world.clock.advance(61)
    api.world.sweep()
    why = "It could not start within the time that its trigger allows."

    assert shown(api, run_id) == ("skipped", "expired", f"{why} {WAS_PAUSED}")


@pytest.mark.parametrize("paused", [True, False])
def test_a_run_that_expired_meanwhile_is_ended_by_a_claim(api: Api, *, paused: bool) -> None:
    """With the pause for which it waited, although that is over."""
    if paused:
        api.send("POST", PAUSE, {"until": "2026-11-21T07:02:00Z"})
    run_id = expiring(api)
    api.world.clock.advance(121)

    assert claim(api) == []
    state, reason, explanation = shown(api, run_id)
    assert (state, reason) == ("skipped", "expired")
    assert ("was paused" in explanation) is paused


def test_a_run_that_may_not_begin_late_says_why(api: Api) -> None:
    """Its job's limit holds: the pause is no excuse, and is named."""
    job_id = offer(api, start_within_seconds=30)
    api.send("POST", PAUSE, TERMS)
    api.world.clock.advance(3_600)
    handed = claim(api)

    assert handed == []
    assert [WAS_PAUSED in each for each in explained(api, job_id)] == [True, True]


@pytest.mark.parametrize("paused", [True, False])
def test_the_sweeper_measures_no_offer_that_a_pause_holds_back(api: Api, *, paused: bool) -> None:
    """The alarm on offers that no worker claims is not for those."""
    offer(api)
    if paused:
        api.send("POST", PAUSE)
    api.world.clock.advance(timedelta(minutes=10).total_seconds())
    api.world.sweep()

    assert (api.world.telemetry.measures["OfferAgeMs"] == []) is paused


def test_a_paused_claim_reads_once(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    """No offer is looked for: an empty pool is looked through by sixteen queries."""
    queries: list[Any] = []
    read_offers = api.world.pools.offered

    def counted(*asked: Any, **named: Any) -> Any:  # noqa: ANN401 - as the store has it
        queries.append(asked)
        return read_offers(*asked, **named)

    monkeypatch.setattr(api.world.pools, "offered", counted)
    api.send("POST", PAUSE)
    claim(api, wait_seconds=20)

    assert queries == []


def test_a_task_of_a_dag_waits_for_the_end_of_the_pause(api: Api) -> None:
    """It is offered as any run of the pool."""
    tasks = [{"key": "load", "job": {"action": ACTION}}]
    dag = api.send("POST", "/v1/dags", {"name": "nightly", "tasks": tasks}).body
    started = api.send("POST", f"/v1/dags/{dag['dag_id']}/runs").body
    dag_run = api.world.dag_runs.get(TenantId(TENANT), DagRunId(started["dag_run_id"]))
    DagWorld(world=api.world, dags=api.world.dags).open(dag_run)
    api.send("POST", PAUSE, TERMS)
    api.world.stream()
    during = claim(api)
    api.send("POST", RESUME)
    (load,) = claim(api)
    said = say(api, "complete", load)

    assert (during, said.status) == ([], 200)
