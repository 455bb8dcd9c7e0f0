"""The stage's health over HTTP: for its administration alone, and at a bounded cost."""

from dataclasses import replace
from types import ModuleType
from unittest.mock import Mock

import pytest

from api.tenants.health_views import WORST
from tests.support.api import SCOPES, Api, api_services, gateway_event
from tests.support.factories import NOW, TENANT, attempt_factory
from tests.support.tenants.stage_metrics import MemoryStageMetrics
from tests.support.world import World
from timegate.domain.auditing.stage_health import ShardTicks
from timegate.domain.dispatch.shards import OpenShards
from timegate.domain.recurrence.schedule import Schedule, ScheduleKind
from timegate.domain.values.errors import Throttled

PATH = "/v1/health"
MINUTELY = Schedule(kind=ScheduleKind.RATE, every_seconds=60)


@pytest.fixture
def running(api: Api) -> World:
    """A stage whose shard is open, and in which everything has ticked."""
    world = api.world
    world.shards.replace(None, OpenShards.first(1, at=NOW, key=b"k" * 32))
    world.tick()
    world.sweep()
    world.audit()
    return world


def test_a_stage_that_ticks_is_healthy(api: Api, running: World) -> None:
    """Each part is shown, whatever the judgement."""
    answer = api.send("GET", PATH)

    assert answer.status == 200
    assert (answer.body["status"], answer.body["problems"]) == ("healthy", [])
    assert answer.body["shards"]["open"] == 1
    assert answer.body["shards"]["planner_lag_seconds"] == 120
    assert answer.body["audit"]["last_at"] == "2026-11-21T07:00:00.000Z"
    assert [each["lane"] for each in answer.body["lanes"]] == ["normal-short"]


def test_ticks_that_stop_are_told_of(api: Api, running: World) -> None:
    """In words, with what to do, and with the runbook."""
    running.clock.advance(3600)
    answer = api.send("GET", PATH)
    planner = answer.body["problems"][0]

    assert answer.body["status"] == "unhealthy"
    assert planner["code"] == "planner_silent"
    assert planner["detail"].startswith("The planner is 62 minutes behind in 1 of 1 shards (0)")
    assert planner["remedy"]
    assert planner["runbook"] == "docs/operations/runbooks.md#planner-silence"


def test_what_the_auditor_found_is_told_of(api: Api, running: World) -> None:
    """Until an hour has passed, although later audits find nothing."""
    running.add_job(schedule=MINUTELY, next_run_at=None)
    running.runs.insert_all([attempt_factory(due_at=NOW)])
    running.clock.advance(30 * 60)
    found = running.audit()
    running.tick()
    running.sweep()
    answer = api.send("GET", PATH)
    codes = {each["code"] for each in answer.body["problems"]}

    assert found.unaccounted + found.lost > 0
    assert codes & {"instants_unaccounted", "records_lost"}
    assert answer.body["audit"]["found_at"] == "2026-11-21T07:30:00.000Z"


def test_metrics_that_cannot_be_read_leave_the_rest(
    api: Api, running: World, handler: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The records are the better half of the answer."""
    metrics = MemoryStageMetrics(["normal-short"])

    monkeypatch.setattr(metrics, "read", Mock(side_effect=Throttled("CloudWatch did not answer.")))
    services = replace(api_services(running), stage_metrics=metrics)
    monkeypatch.setattr(handler, "services", services)
    answer = api.send("GET", PATH)

    assert answer.status == 200
    assert answer.body["lanes"] is None
    assert [each["code"] for each in answer.body["problems"]] == ["metrics_unknown"]
    assert answer.body["status"] == "degraded"


def test_an_answer_names_the_worst_shards(
    api: Api, handler: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The largest stage has a thousand; an answer stays small."""

    class Many:
        """Shards of which each is later than the one before."""

        def open_shards(self) -> OpenShards:
            return OpenShards.first(1_024, at=NOW, key=b"k" * 32)

        def read(self, shards: OpenShards) -> tuple[ShardTicks, ...]:
            return tuple(ShardTicks(shard=n, opened_at=NOW) for n in range(shards.count))

    services = replace(api_services(api.world), stage_ticks=Many)
    monkeypatch.setattr(handler, "services", services)
    shards = api.send("GET", PATH).body["shards"]

    assert (shards["open"], shards["behind"]) == (1_024, 0)
    assert [each["shard"] for each in shards["worst"]] == list(range(WORST))


def test_tenants_do_not_see_the_stage(api: Api) -> None:
    """Its shards carry the work of all of them."""
    claims = {"client_id": TENANT, "scope": SCOPES}

    assert api.deliver(gateway_event("GET", PATH, claims=claims)).status == 403
