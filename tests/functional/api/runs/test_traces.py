"""One trace for what a caller, a run or a DAG run begins, and its own for a planned run."""

import pytest

from tests.support.api import Api
from timegate.domain.jobs.notification import own_trace

TRACE = "4bf92f3577b34da6a3ce929d0e0e4736"
PARENT = f"00-{TRACE}-00f067aa0ba902b7-01"
DAILY = {"kind": "rate", "every_seconds": 86_400}
DAG = {
    "name": "pipeline",
    "tasks": [{"key": "a", "job": {"action": {"type": "worker", "pool": "p", "handler": "h"}}}],
    "edges": [],
}


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
    assert [call.trace for call in api.world.target.calls] == [TRACE]


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
