"""Tasks that wait for events, through the API: defined, shown, resumed, signalled."""

import pytest

from tests.functional.api.dag_runs.test_dag_runs import WORK, moved, start
from tests.functional.api.dag_runs.test_dag_waits import task_of
from tests.support.api import Api
from tests.support.factories import OTHER_TENANT

EVENT = {"type": "order.paid", "correlation": "4711"}
PAID = {"specversion": "1.0", "id": "1", "source": "shop", "type": "order.paid", "subject": "4711"}


def define(api: Api, **wait: object) -> str:
    """A run of a DAG whose first task waits for an event; its path."""
    own = {
        "name": "order",
        "tasks": [
            {"key": "paid", "wait": {"kind": "event", "seconds": "PT1H", "event": EVENT, **wait}},
            {"key": "ship", "job": WORK},
        ],
        "edges": [{"source": "paid", "target": "ship"}],
    }
    dag_id = str(api.send("POST", "/v1/dags", own).body["dag_id"])
    return str(start(api, dag_id).headers["location"])


def test_a_definition_is_shown_as_it_was_sent(api: Api) -> None:
    """With its pattern, its reference and its default as JSON."""
    event = {
        **EVENT,
        "correlation": {"$ref": "parameters.order"},
        "source": "shop",
        "match": {"amount": [{"numeric": [">", 0]}]},
        "lookback_seconds": 60,
    }
    wait = {"event": event, "on_expiry": "succeed", "default": {"amount": 0}}
    path = define(api, **wait)
    dag_id = api.send("GET", path).body["dag_id"]
    shown = api.send("GET", f"/v1/dags/{dag_id}").body["tasks"][0]["wait"]

    assert {name: shown[name] for name in wait} == wait


def test_a_task_is_shown_resumed_and_told(api: Api) -> None:
    """Its type and key while it waits; then the event, which says what it met."""
    path = define(api)
    fresh = task_of(api, path)["wait"]
    dag_world, _ = moved(api, path.rpartition("/")[2])
    waits = task_of(api, path)
    graph = api.send("GET", f"{path}/graph").body["nodes"][0]
    foreign = api.send("POST", "/v1/events", PAID, tenant=OTHER_TENANT)
    still = task_of(api, path)["state"]
    sent = api.send("POST", "/v1/events", {**PAID, "data": {"amount": 42}})
    dag_world.follow()
    done = task_of(api, path)

    assert (fresh["event_type"], fresh["correlation"]) == ("order.paid", None)
    assert (waits["state"], waits["run_id"]) == ("running", None)
    assert (waits["wait"]["correlation"], graph["runs"]) == ("4711", "event")
    assert (foreign.body["items"][0]["met"], still) == ([], "running")
    assert sent.body["items"][0]["met"] == [
        {
            "kind": "task",
            "name": "paid",
            "dag_run_id": path.rpartition("/")[2],
            "run_id": None,
            "code": None,
            "detail": None,
        }
    ]
    assert (done["state"], done["reason"], done["result"]) == (
        "succeeded",
        "received",
        '{"amount":42}',
    )
    assert (done["wait"]["event"]["source"], done["wait"]["event"]["id"]) == ("shop", "1")


def test_a_caller_answers_in_the_place_of_an_event(api: Api) -> None:
    """Once under a key; no other tenant's task, and no task of another kind."""
    path = define(api)
    moved(api, path.rpartition("/")[2])
    body = {"data": {"amount": 1}, "note": "Told on the phone."}
    foreign = api.send("POST", f"{path}/tasks/paid/signal", body, tenant=OTHER_TENANT)
    wrong = api.send("POST", f"{path}/tasks/ship/signal", body)
    done = api.send("POST", f"{path}/tasks/paid/signal", body)
    again = api.send("POST", f"{path}/tasks/paid/signal", body)
    shown = task_of(api, path)

    assert (foreign.status, foreign.code) == (404, "dag_run_not_found")
    assert (wrong.status, wrong.code) == (409, "not_an_event_task")
    assert (done.status, done.body["task"]["state"]) == (202, "succeeded")
    assert (again.status, again.headers["idempotency-replayed"]) == (200, "true")
    assert (shown["reason"], shown["intervention"]["kind"]) == ("signalled", "signal")
    assert shown["result"] == '{"amount":1}'


@pytest.mark.parametrize(
    ("wait", "field", "code"),
    [
        ({"event": None}, "tasks.0.wait.event", "required"),
        ({"event": {"type": "a"}}, "tasks.0.wait.event.correlation", "missing"),
        ({"event": {**EVENT, "match": {"a": 1}}}, "tasks.0.wait.event.match.a", "invalid_pattern"),
        (
            {"event": {**EVENT, "correlation": {"$ref": "tasks.ship.result"}}},
            "tasks.0.wait.event.correlation",
            "not_an_ancestor",
        ),
    ],
)
def test_a_wait_for_no_event_is_refused(
    api: Api, wait: dict[str, object], field: str, code: str
) -> None:
    """The answer names the field."""
    task = {"key": "paid", "wait": {"kind": "event", "event": EVENT, **wait}}
    ship = {"key": "ship", "job": WORK}
    edges = [{"source": "paid", "target": "ship"}]
    own = {"name": "order", "tasks": [task, ship], "edges": edges}
    refused = api.send("POST", "/v1/dags", own)

    assert refused.fields == [(field, code)]
