"""What a function does when it starts, and what it tells of its work."""

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from tests.functional.events.functions import NEEDS, Functions, sample
from timegate.domain.errors import MissingSetting, Throttled
from timegate.runtime import wiring
from timegate.runtime.dag_wiring import dag_services
from timegate.runtime.telemetry import LambdaTelemetry

BUILDERS: dict[str, Callable[[], object]] = {
    "planner": wiring.planner_services,
    "sweeper": wiring.sweeper_services,
    "auditor": wiring.auditor_services,
    "relay": wiring.relay_services,
    "outcomes": wiring.outcomes_services,
    "dag_runs": dag_services,
    "operations": wiring.operator_services,
    "executor": wiring.executor_services,
    "dead_letter": wiring.dead_letter_services,
}
MISSING = [(function, name) for function, names in NEEDS.items() for name in names]


@pytest.mark.parametrize(("function", "name"), MISSING)
def test_a_function_names_the_variable_it_lacks(
    told: None, monkeypatch: pytest.MonkeyPatch, function: str, name: str
) -> None:
    """At its start: a deployment that forgot one fails before it takes any work."""
    monkeypatch.delenv(name)

    with pytest.raises(MissingSetting, match=name):
        BUILDERS[function]()


def metrics(output: str) -> list[dict[str, Any]]:
    """The documents of metrics among what a function printed."""
    lines = [json.loads(line) for line in output.splitlines() if line.startswith("{")]
    return [line for line in lines if "_aws" in line]


@pytest.fixture
def heard(functions: Functions, monkeypatch: pytest.MonkeyPatch) -> Functions:
    """The functions, with the telemetry that Lambda's logs receive."""
    for module in functions.handlers.values():
        services = replace(module.services, telemetry=LambdaTelemetry())
        monkeypatch.setattr(module, "services", services)
    return functions


def test_an_invocation_publishes_its_metrics_once(
    heard: Functions, capsys: pytest.CaptureFixture[str]
) -> None:
    """And never by tenant: a metric per tenant would be billed per tenant (O1)."""
    heard.send("relay", sample("relay"))
    (document,) = metrics(capsys.readouterr().out)
    (directive,) = document["_aws"]["CloudWatchMetrics"]

    assert document["RunsPublished"] == [1.0, 1.0]
    assert directive["Namespace"] == "Timegate"
    assert directive["Dimensions"] == [["service"]]
    assert "acme" not in json.dumps(document)


def test_an_invocation_without_metrics_publishes_none(
    heard: Functions, capsys: pytest.CaptureFixture[str]
) -> None:
    """Nor does it warn of it: most of them find nothing to count."""
    heard.send("outcomes", {"Records": []})

    assert metrics(capsys.readouterr().out) == []


def test_metrics_are_published_by_an_invocation_that_fails(
    heard: Functions, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """What it counted before it failed did happen."""

    def fail(*_: str) -> None:
        raise Throttled("Too much.")

    monkeypatch.setattr(heard.rejects, "park", fail)
    with pytest.raises(Throttled):
        heard.send("relay", {"Records": [{}]})
    (document,) = metrics(capsys.readouterr().out)

    assert document["MessagesRejected"] == [1.0]
