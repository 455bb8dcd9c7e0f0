"""A trigger gets another target, and an event is repeated: nothing starts twice."""

from typing import Any

import pytest

from tests.support.api import Api
from tests.support.event_triggers.triggering import cloud_event
from timegate.domain.event_triggers.event_trigger import MAX_FORMER

PATH = "/v1/event-triggers/paid"
TASK = {"key": "one", "job": {"action": {"type": "worker", "pool": "p", "handler": "h"}}}
DAY = 86_400


def job(api: Api) -> dict[str, Any]:
    return {"type": "job", "job_id": api.create(schedule={"kind": "manual"})["job_id"]}


def dag(api: Api) -> dict[str, Any]:
    made = api.send("POST", "/v1/dags", {"name": "orders", "tasks": [TASK]}).body
    return {"type": "dag_run", "dag_id": made["dag_id"]}


def put(api: Api, starts: dict[str, Any]) -> None:
    body = {"pattern": {"type": ["order.paid"]}, "starts": starts}
    assert api.send("PUT", PATH, body).status == 200
    # Triggers are known for ten seconds.
    api.world.clock.advance(10)


def started(api: Api, name: str) -> str:
    """Send an event of this id; returns the run, or the DAG run, that it started."""
    (met,) = api.send("POST", "/v1/events", cloud_event(id=name)).body["items"][0]["met"]
    return str(met["run_id"] or met["dag_run_id"])


@pytest.mark.parametrize("first", [job, dag], ids=["job", "dag"])
@pytest.mark.parametrize("second", [job, dag], ids=["job", "dag"])
def test_a_repeated_event_stays_with_what_it_began(api: Api, first: Any, second: Any) -> None:  # noqa: ANN401
    """A new event starts the new target."""
    put(api, first(api))
    began = started(api, "e1")
    put(api, second(api))

    assert started(api, "e1") == began
    assert started(api, "e2") != began
    assert started(api, "e1") == began


def test_an_event_that_came_after_the_change_is_of_the_new_target(api: Api) -> None:
    """Also once the former target is back."""
    first, second = job(api), job(api)
    put(api, first)
    put(api, second)
    began = started(api, "e1")
    put(api, first)

    assert began.startswith(second["job_id"])
    assert started(api, "e1") == began
    assert started(api, "e2").startswith(first["job_id"])


@pytest.mark.parametrize(("changes", "stays"), [(MAX_FORMER, True), (MAX_FORMER + 1, False)])
def test_so_many_former_targets_are_asked(api: Api, changes: int, stays: bool) -> None:
    """An owner changes a target seldom; each costs a read for an event."""
    put(api, job(api))
    began = started(api, "e1")
    for _ in range(changes):
        put(api, job(api))

    assert (started(api, "e1") == began) is stays


@pytest.mark.parametrize(("days", "stays"), [(6, True), (8, False)])
def test_former_targets_are_asked_for_a_week(api: Api, days: int, stays: bool) -> None:
    """The key of a trigger is kept for so long."""
    put(api, job(api))
    began = started(api, "e1")
    put(api, job(api))
    api.world.clock.advance(days * DAY)

    assert (started(api, "e1") == began) is stays


def test_other_data_for_the_same_target_are_no_other_target(api: Api) -> None:
    """Neither is it shown, nor recorded as a change of the owner's."""
    target = job(api)
    put(api, target)
    put(api, {**target, "priority": "high"})
    shown = api.send("GET", PATH).body
    (changed, *_) = api.send("GET", "/v1/audit?resource=event_trigger/paid").body["items"]

    assert "former" not in shown
    assert [each["field"] for each in changed["changes"]] == ["starts"]
