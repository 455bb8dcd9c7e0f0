"""One trace for what a caller, a run or a DAG run begins, and its own for a planned run."""

import json
from collections import defaultdict
from dataclasses import replace
from typing import Any

import pytest

from infra.constructs.observability.log_queries import OPERATORS
from tests.support.api import Api
from tests.support.factories import NOW
from tests.support.pools.worker_requests import BROKE, claim, offer, read, say
from timegate.domain.cloud_events.run_transitions import run_transition
from timegate.domain.execution.trace_context import lease_traceparent, traceparent
from timegate.domain.jobs.notification import own_trace
from timegate.domain.runs.run import RunState

TRACE = "4bf92f3577b34da6a3ce929d0e0e4736"
PARENT = f"00-{TRACE}-00f067aa0ba902b7-01"
DAILY = {"kind": "rate", "every_seconds": 86_400}
DAG = {
    "name": "pipeline",
    "tasks": [{"key": "a", "job": {"action": {"type": "worker", "pool": "p", "handler": "h"}}}],
    "edges": [],
}


def of_attempts(api: Api) -> list[tuple[str, dict[str, str]]]:
    """Every name of an attempt in a line, with the line's; ends that are alike share a line."""
    found = []
    for line in api.world.telemetry.events:
        ends: Any = line.fields.get("ends", [line.fields])
        found += [(line.name, named) for named in ends if "attempt_id" in named]
    return found


def trigger(api: Api, job_id: str, **headers: str) -> str:
    """Trigger a job; the trace of its run."""
    answer = api.send("POST", f"/v1/jobs/{job_id}/trigger", {}, **headers)
    return str(answer.body["trace_id"])


def test_a_run_belongs_to_its_callers_trace(api: Api) -> None:
    """Its target is called with it, and every attempt shows it."""
    job_id = str(api.create(schedule=DAILY)["job_id"])
    shown = trigger(api, job_id, traceparent=PARENT)
    api.world.settle()
    (attempt,) = api.world.attempts()
    run = api.send("GET", f"/v1/runs/{attempt.id.run}").body

    assert shown == TRACE
    assert (run["trace_id"], run["attempts"][0]["trace_id"]) == (TRACE, TRACE)
    assert [call.trace for call in api.world.target.calls] == [f"{TRACE}-01"]


@pytest.mark.parametrize("header", [{}, {"traceparent": "00-nonsense"}])
def test_a_run_without_a_callers_trace_has_its_own(api: Api, header: dict[str, str]) -> None:
    """Nothing is stored for it; a header that is not valid refuses nothing."""
    job_id = str(api.create(schedule=DAILY)["job_id"])
    shown = trigger(api, job_id, **header)
    (attempt,) = api.world.attempts()

    assert attempt.trace is None
    assert shown == own_trace(attempt.tenant, attempt.id.run)


def test_a_collapsed_trigger_keeps_its_callers_trace(api: Api) -> None:
    """The run that stands for several belongs to the first one's."""
    collapse = {"span_seconds": 10, "max_wait_seconds": 25}
    job_id = str(api.create(schedule=DAILY, collapse=collapse)["job_id"])

    assert trigger(api, job_id, traceparent=PARENT) == TRACE


@pytest.mark.parametrize("collapse", [None, {"span_seconds": 10, "max_wait_seconds": 25}])
def test_the_runs_of_a_batch_belong_to_its_callers_trace(
    api: Api, collapse: dict[str, int] | None
) -> None:
    """All of them, also those that collapse; without a caller's trace each has its own."""
    job_id = str(api.create(schedule=DAILY, collapse=collapse)["job_id"])
    path = f"/v1/jobs/{job_id}/trigger/batch"
    given = api.send("POST", path, {"triggers": [{}, {}]}, traceparent=PARENT).body["items"]
    made = {each["run_id"] for each in given}
    traces = {str(each.id.run): each.trace_id for each in api.world.attempts()}
    own = api.send("POST", path, {"triggers": [{"collapse": None}]}).body["items"][0]["run_id"]

    assert traces == dict.fromkeys(made, TRACE)
    assert {str(each.id.run): each.trace for each in api.world.attempts()}[own] is None


def test_what_follows_a_run_belongs_to_its_trace(api: Api) -> None:
    """One after the other, however long the chain is."""
    last = str(api.create(name="last", schedule={"kind": "manual"})["job_id"])
    then = [{"job_id": last, "on": ["succeeded"]}]
    first = str(api.create(name="first", schedule=DAILY, then=then)["job_id"])
    trigger(api, first, traceparent=PARENT)
    api.world.settle()

    assert len(api.world.attempts()) == 2
    assert {attempt.trace_id for attempt in api.world.attempts()} == {TRACE}


def test_a_dag_run_belongs_to_its_callers_trace(api: Api) -> None:
    """Else it has one of its own, the same whenever it is shown."""
    dag_id = api.send("POST", "/v1/dags", DAG).body["dag_id"]
    path = f"/v1/dags/{dag_id}/runs"
    given = api.send("POST", path, {}, traceparent=PARENT).body
    own = api.send("POST", path, {}).body
    again = api.send("GET", f"/v1/dag-runs/{own['dag_run_id']}").body

    assert given["trace_id"] == TRACE
    assert own["trace_id"] != TRACE
    assert again["trace_id"] == own["trace_id"]


def test_every_line_of_a_run_names_its_trace(api: Api) -> None:
    """From its trigger to its end, and of what follows it."""
    last = str(api.create(name="last", schedule={"kind": "manual"})["job_id"])
    then = [{"job_id": last, "on": ["succeeded"]}]
    first = str(api.create(name="first", schedule=DAILY, then=then)["job_id"])
    trigger(api, first, traceparent=PARENT)
    api.world.settle()
    named = of_attempts(api)

    assert {each["trace_id"] for _, each in named} == {TRACE}
    assert {"job_triggered", "run_ended"} <= {line for line, _ in named}
    assert {each["attempt_id"].partition(".")[0] for _, each in named} == {first, last}


def test_a_trace_adds_few_bytes_to_a_runs_lines(api: Api) -> None:
    """The one line of an ordinary run; a gigabyte of logs is half a dollar."""
    api.create(schedule={"kind": "immediate"})
    api.world.settle()
    told = [each for _, each in of_attempts(api)]
    added = sum(len(f',"trace_id":"{fields["trace_id"]}"') for fields in told)

    assert len({fields["attempt_id"] for fields in told}) == 1
    assert 0 < added <= 50


@pytest.mark.parametrize(("query", "field"), [("one-run", "attempt_id"), ("one-trace", "trace_id")])
@pytest.mark.parametrize("together", [1, 2])
def test_saved_queries_ask_for_text_that_lines_have(
    api: Api, query: str, field: str, together: int
) -> None:
    """A line's attempt begins with its run's id; runs that end together share a line."""
    for name in ("first", "second")[:together]:
        job_id = str(api.create(name=name, schedule=DAILY)["job_id"])
        trigger(api, job_id)
    api.world.settle()
    attempt = api.world.attempts()[0]
    asked = {"attempt_id": str(attempt.id.run), "trace_id": attempt.trace_id}[field]
    lines: dict[str, Any] = {
        each.name: each.fields
        for each in api.world.telemetry.events
        if asked in json.dumps(each.fields, default=str)
    }

    assert 'filter @message like "PASTE-A-' in OPERATORS[query]
    assert {"job_triggered", "run_ended"} == lines.keys()
    assert len(lines["run_ended"]["ends"]) == together


@pytest.mark.parametrize("flag", ["00", "01"])
def test_a_callers_flag_goes_to_all_that_follows(api: Api, flag: str) -> None:
    """To the run's target, to its follow-up's, and to what a stage without samples says."""
    last = str(api.create(name="last", schedule={"kind": "manual"})["job_id"])
    then = [{"job_id": last, "on": ["succeeded"]}]
    first = str(api.create(name="first", schedule=DAILY, then=then)["job_id"])
    trigger(api, first, traceparent=f"{PARENT[:-2]}{flag}")
    api.world.settle()
    calls = [replace(each, trace_percent=50) for each in api.world.target.calls]

    assert len(calls) == 2
    assert {traceparent(each)[-2:] for each in calls} == {flag}
    assert {traceparent(each)[3:35] for each in calls} == {TRACE}


def test_a_trace_of_the_stage_has_one_flag_everywhere(api: Api) -> None:
    """By its id: the call of a run, of its follow-up, and its events say the same."""
    last = str(api.create(name="last", schedule={"kind": "manual"})["job_id"])
    then = [{"job_id": last, "on": ["succeeded"]}]
    for number in range(12):
        job = str(api.create(name=f"first {number}", schedule=DAILY, then=then)["job_id"])
        trigger(api, job)
    api.world.settle()
    flags: dict[str, set[str]] = defaultdict(set)
    for each in api.world.target.calls:
        header = traceparent(replace(each, trace_percent=50))
        flags[header[3:35]].add(header[-2:])
    for attempt in api.world.attempts():
        event = run_transition(None, replace(attempt, state=RunState.QUEUED), written_at=NOW)
        assert event is not None
        flags[attempt.trace_id].add(event.document("prod", trace_percent=50)["traceparent"][-2:])

    assert len(flags) == 12
    assert {len(each) for each in flags.values()} == {1}
    assert set().union(*flags.values()) == {"00", "01"}


def test_a_run_that_a_worker_claims_is_one_trace(api: Api) -> None:
    """From its trigger through the claim, each lease a span, to its follow-up's call."""
    last = str(api.create(name="last", schedule={"kind": "manual"})["job_id"])
    then = [{"job_id": last, "on": ["succeeded"]}]
    first = offer(api, schedule={"kind": "manual"}, then=then)
    trigger(api, first, traceparent=PARENT)
    (run,) = claim(api)
    say(api, "release", run)
    (again,) = claim(api)
    say(api, "fail", again, error=BROKE)
    api.world.clock.advance(600)
    (retried,) = claim(api)
    say(api, "complete", retried)
    api.world.settle()
    told = [each["traceparent"] for each in (run, again, retried)]

    assert {each[:35] for each in told} == {f"00-{TRACE}"}
    assert {each[-2:] for each in told} == {"01"}
    assert len({each[36:52] for each in told}) == 3
    assert read(api, retried)["trace_id"] == TRACE
    assert [traceparent(each)[3:35] for each in api.world.target.calls] == [TRACE]
    assert {each["trace_id"] for _, each in of_attempts(api)} == {TRACE}


def test_a_worker_is_told_the_flag_of_its_runs_trace(api: Api) -> None:
    """That of its caller; without one the stage's share decides, by the trace's id."""
    job_id = offer(api, schedule={"kind": "manual"})
    trigger(api, job_id, traceparent=f"{PARENT[:-2]}00")
    api.world.clock.advance(1)
    trigger(api, job_id)
    given, own = sorted(claim(api, max=2), key=lambda each: TRACE not in each["traceparent"])
    (attempt,) = [each for each in api.world.attempts() if str(each.id.run) == own["run_id"]]
    threshold = 100 * (1 - int(attempt.trace_id[-14:], 16) / 16**14)
    shares = [threshold - 0.001, threshold + 0.001]

    assert given["traceparent"].endswith("-00")
    assert own["traceparent"][3:35] == attempt.trace_id
    assert own["traceparent"].endswith("-01")
    assert [lease_traceparent(attempt, 1, percent=each)[-2:] for each in shares] == ["00", "01"]
