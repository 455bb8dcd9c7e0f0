"""The stage at a glance over HTTP: for its administration alone."""

from dataclasses import replace
from types import ModuleType
from unittest.mock import Mock

import pytest

from tests.support.api import SCOPES, Api, api_services, gateway_event
from tests.support.factories import TENANT, after
from tests.support.tenants.stage_metrics import MemoryStageMetrics
from timegate.domain.values.errors import Throttled
from timegate.ports.telemetry.stage_metrics import RaisedAlarm

PATH = "/v1/stage/overview"


@pytest.fixture
def metrics(api: Api, handler: ModuleType, monkeypatch: pytest.MonkeyPatch) -> MemoryStageMetrics:
    """The metrics of the stage."""
    found = MemoryStageMetrics(["normal-short"])
    services = replace(api_services(api.world), stage_metrics=found)
    monkeypatch.setattr(handler, "services", services)
    return found


def test_lanes_and_alarms_are_shown(api: Api, metrics: MemoryStageMetrics) -> None:
    """Twelve spans for each series; an alarm has its meaning and its runbook."""
    metrics.lanes = [
        replace(each, start_lag_p99_ms=(*each.start_lag_p99_ms[1:], 812.5))
        for each in metrics.lanes
    ]
    metrics.alarms.append(RaisedAlarm(name="relay-errors", meaning="It raises.", since=after(-60)))
    answer = api.send("GET", PATH)
    (lane,) = answer.body["lanes"]

    assert answer.status == 200
    assert lane["start_lag_ms"]["p99"] == [*[None] * 11, 812.5]
    assert len(answer.body["spans"]) == 12
    assert answer.body["alarms"] == [
        {"name": "relay-errors", "meaning": "It raises.", "since": "2026-11-21T06:59:00.000Z"}
    ]


def test_tenants_do_not_see_the_stage(api: Api) -> None:
    """Its lanes carry the work of all of them."""
    claims = {"client_id": TENANT, "scope": SCOPES}
    answer = api.deliver(gateway_event("GET", PATH, claims=claims))

    assert answer.status == 403


def test_an_answer_that_did_not_change_is_not_sent_again(
    api: Api, metrics: MemoryStageMetrics
) -> None:
    """A page that polls within a minute reads nothing."""
    etag = api.send("GET", PATH).headers["etag"]
    again = api.send("GET", PATH, If_None_Match=etag)
    api.world.clock.advance(60)
    later = api.send("GET", PATH, If_None_Match=etag)

    assert (again.status, later.status) == (304, 200)


def test_cloudwatch_that_does_not_answer_is_said(
    api: Api, metrics: MemoryStageMetrics, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The caller may try again."""

    monkeypatch.setattr(metrics, "read", Mock(side_effect=Throttled("CloudWatch did not answer.")))
    answer = api.send("GET", PATH)

    assert (answer.status, answer.body["code"]) == (503, "throttled")
