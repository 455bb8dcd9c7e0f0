"""A function checks its variables at start, and publishes the metrics of its work."""

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any
from unittest.mock import Mock

import pytest

from bench.cost.meter import logged_bytes
from tests.functional.events.functions import NEEDS, Functions, sample
from tests.support.api import Context
from tests.support.factories import attempt_factory, attempt_id
from timegate.adapters.memory.telemetry import MemoryTelemetry
from timegate.domain.limits.quotas import Quotas
from timegate.domain.runs.run import RunState
from timegate.domain.values.errors import MissingSetting, Throttled
from timegate.ports.telemetry import run_events, run_metrics
from timegate.ports.telemetry.telemetry import Telemetry, lines_of_ends, of_run
from timegate.runtime.telemetry import LambdaTelemetry
from timegate.runtime.wiring.auditor import auditor_services
from timegate.runtime.wiring.cloud_events import cloud_event_services
from timegate.runtime.wiring.dag_runs import dag_services
from timegate.runtime.wiring.dead_letter import dead_letter_services
from timegate.runtime.wiring.executor import executor_services
from timegate.runtime.wiring.operations import operations_services
from timegate.runtime.wiring.outcomes import outcomes_services
from timegate.runtime.wiring.planner import planner_services
from timegate.runtime.wiring.relay import relay_services
from timegate.runtime.wiring.sweeper import sweeper_services
from timegate.runtime.wiring.workers import worker_services

BUILDERS: dict[str, Callable[[], object]] = {
    "planner": planner_services,
    "sweeper": sweeper_services,
    "auditor": auditor_services,
    "relay": relay_services,
    "outcomes": outcomes_services,
    "dag_runs": dag_services,
    "operations": operations_services,
    "executor": executor_services,
    "dead_letter": dead_letter_services,
    "cloud_events": cloud_event_services,
}
#: Its context, which is no Lambda's.
INVOCATION: Any = Context()
MISSING = [(function, name) for function, names in NEEDS.items() for name in names]


@pytest.mark.parametrize(("function", "name"), MISSING)
def test_a_function_names_the_variable_it_lacks(
    told: None, monkeypatch: pytest.MonkeyPatch, function: str, name: str
) -> None:
    """At its start: a deployment that forgot one fails before it takes any work."""
    monkeypatch.delenv(name)

    with pytest.raises(MissingSetting, match=name):
        BUILDERS[function]()


def test_workers_of_pools_are_under_the_quotas_of_the_stage(
    told: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Executors load runs with the same quotas."""
    own = {
        "WORKER_LEASE_SECONDS": "60",
        "TRACE_PERCENT": "5",
        "TENANT_CLAIM": "client_id",
        "SCOPE_PREFIX": "timegate",
    }
    own["TOKEN_ISSUER"] = "https://issuer.example.com"
    stage = {"BLOB_BUCKET": "blobs", "STAGE_QUOTAS": '{"concurrent_runs": 3, "runs_per_day": 9}'}
    for name, text in {**own, **stage}.items():
        monkeypatch.setenv(name, text)
    loading = [executor_services().runs, worker_services().runs]

    assert [vars(store)["_stage"] for store in loading] == [
        Quotas(concurrent_runs=3, runs_per_day=9)
    ] * 2


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

    assert document["RunsPublished"] == [2.0]
    assert directive["Namespace"] == "Timegate"
    assert directive["Dimensions"] == [["service"]]
    assert "acme" not in json.dumps(document)


def test_ends_that_are_alike_share_a_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Each names its tenant and its trace; no line has what its log group says."""
    monkeypatch.setenv("POWERTOOLS_SERVICE_NAME", "timegate-prod-executor-high-short")
    runs = [
        attempt_factory(id=attempt_id(number), state=RunState.SUCCEEDED, fence=number)
        for number in (1, 1, 2)
    ]
    telemetry = LambdaTelemetry()

    def work(*_: object) -> None:
        for fields in lines_of_ends(runs):
            telemetry.event(run_events.RUN_ENDED, **fields)

    telemetry.instrument(work)({}, INVOCATION)
    first, last = (json.loads(each) for each in capsys.readouterr().out.splitlines())

    assert first["ends"] == [of_run(each) for each in runs[:2]]
    assert last["ends"] == [of_run(runs[2])]
    assert (first["number"], first["state"], first["fence"]) == (1, "succeeded", 1)
    assert first.keys() == {
        *("level", "message", "timestamp", "function_request_id"),
        *("number", "state", "fence", "ends"),
    }


def test_costs_assume_as_many_bytes_as_are_printed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Lines, and the document of metrics, of a function with a long name on a traced stage."""
    monkeypatch.setenv("POWERTOOLS_SERVICE_NAME", "timegate-prod-executor-normal-short")
    monkeypatch.setenv("POWERTOOLS_METRICS_NAMESPACE", "Timegate")
    monkeypatch.setenv("_X_AMZN_TRACE_ID", "Root=1-5759e988-bd862e3fe1be46a994272793;Sampled=1")
    printing, counting = LambdaTelemetry(), MemoryTelemetry()

    def work(telemetry: Telemetry) -> None:
        for number in range(1, 4):
            attempt = attempt_factory(id=attempt_id(number), state=RunState.FAILED)
            for fields in lines_of_ends([attempt, attempt]):
                telemetry.event(run_events.RUN_ENDED, **fields)
            telemetry.count(run_metrics.RUNS_FAILED)
            telemetry.measure(run_metrics.START_LAG_MS, 144)

    work(counting)
    printing.instrument(lambda *_: work(printing))({}, INVOCATION)
    printed = sum(len(each) + 1 for each in capsys.readouterr().out.splitlines())

    assert logged_bytes(counting) == pytest.approx(printed, rel=0.03)


def test_an_invocation_without_metrics_publishes_none(
    heard: Functions, capsys: pytest.CaptureFixture[str]
) -> None:
    """Nor does it warn of it: most of them find nothing to count."""
    heard.send("outcomes", {"Records": []})

    assert metrics(capsys.readouterr().out) == []


def test_metrics_are_published_by_an_invocation_that_fails(
    heard: Functions, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Counts made before the failure are published."""

    monkeypatch.setattr(heard.rejects, "park", Mock(side_effect=Throttled("Too much.")))
    with pytest.raises(Throttled):
        heard.send("relay", {"Records": [{}]})
    (document,) = metrics(capsys.readouterr().out)

    assert document["MessagesRejected"] == [1.0]
