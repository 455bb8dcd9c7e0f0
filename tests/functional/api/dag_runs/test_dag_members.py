"""Members of a fan-out through the API: run again, completed, left out."""

from typing import Any

import pytest

from tests.functional.api.dag_runs.test_dag_runs import WORK, moved
from tests.support.api import Answer, Api
from tests.support.dag_runs.dag_world import DagWorld
from timegate.domain.dag_runs.run_identity import task_run_mark
from timegate.domain.runs.run import RunState

FAN_OUT = {"over": "parameters.parts", "max_width": 9}
PIPELINE = {
    "name": "parts",
    "tasks": [{"key": "part", "job": WORK, "fan_out": FAN_OUT}, {"key": "load", "job": WORK}],
    "edges": [{"source": "part", "target": "load"}],
}


@pytest.fixture
def started(api: Api) -> tuple[DagWorld, str]:
    """A run of three members, of which the last fails and the others succeed."""
    dag_id = api.send("POST", "/v1/dags", PIPELINE).body["dag_id"]
    path = f"/v1/dags/{dag_id}/runs"
    run = api.send("POST", path, {"parameters": {"parts": ["a", "b", "c"]}}).body
    dag_world, _ = moved(api, run["dag_run_id"])
    for attempt in dag_world.waiting():
        mark = task_run_mark(attempt.id.run)
        assert mark is not None
        state = RunState.FAILED if mark.index == 2 else RunState.SUCCEEDED
        dag_world.hear(dag_world.finish(attempt, state, result=str(mark.index)))
    return dag_world, run["dag_run_id"]


def ask(api: Api, dag_run_id: str, what: str, body: object, key: str = "part") -> Answer:
    """Send an operator's request to the task."""
    return api.send("POST", f"/v1/dag-runs/{dag_run_id}/tasks/{key}/{what}", body)


def part(api: Api, dag_run_id: str) -> dict[str, Any]:
    """The fan-out, as it is shown."""
    task: dict[str, Any] = api.send("GET", f"/v1/dag-runs/{dag_run_id}").body["tasks"][0]
    return task


def test_failed_members_are_shown_and_run_again(api: Api, started: tuple[DagWorld, str]) -> None:
    """And told in the audit trail, by their numbers."""
    dag_world, dag_run_id = started
    before = part(api, dag_run_id)
    answer = ask(api, dag_run_id, "rerun", {"members": "failed", "reason": "back"})
    dag_world.follow()
    again = [task_run_mark(each.id.run) for each in dag_world.waiting()]
    trail = api.send("GET", f"/v1/audit?resource=dag_run/{dag_run_id}").body["items"]
    told = {c["field"]: c["after"] for entry in trail for c in entry["changes"]}

    assert before["members"] == {
        "width": 3,
        "succeeded": 2,
        "failed": 1,
        "skipped": 0,
        "failed_numbers": [2],
    }
    assert answer.status == 202
    assert answer.body["task"]["state"] == "running"
    assert answer.body["task"]["intervention"]["members"] == [2]
    assert [(mark.index, mark.round) for mark in again if mark is not None] == [(2, 2)]
    assert told["tasks.part"]["members"] == [2]


def test_a_member_is_completed_with_its_result(api: Api, started: tuple[DagWorld, str]) -> None:
    """Its run can be read as any; another is left out."""
    dag_world, dag_run_id = started
    body = {"members": [2], "result": {"rows": 7}}
    answers = [ask(api, dag_run_id, "complete", body).status for _ in range(2)]
    dag_world.follow()
    (own,) = [each for each in dag_world.world.attempts() if "-2-part-2." in str(each.id)]
    shown = api.send("GET", f"/v1/runs/{own.id.run}").body

    assert answers == [202, 200]
    assert part(api, dag_run_id)["result"] == '[0,1,{"rows":7}]'
    assert shown["state"] == "succeeded"


def test_a_member_is_left_out(api: Api, started: tuple[DagWorld, str]) -> None:
    """The join is about the others."""
    dag_world, dag_run_id = started
    ask(api, dag_run_id, "skip", {"members": [2]})
    dag_world.follow()
    after = part(api, dag_run_id)

    assert (after["state"], after["result"]) == ("succeeded", "[0,1,null]")
    assert after["members"]["skipped"] == 1


REFUSED: dict[str, tuple[object, int, str]] = {
    "word": ({"members": "all"}, 400, "wrong_type"),
    "text": ({"members": ["2"]}, 400, "wrong_type"),
    "truth": ({"members": [True]}, 400, "wrong_type"),
    "none": ({"members": []}, 400, "too_short"),
    "many": ({"members": [1] * 1001}, 400, "too_long"),
    "negative": ({"members": [-1]}, 400, "out_of_range"),
    "beyond": ({"members": [1000]}, 400, "out_of_range"),
    "not-as-wide": ({"members": [3]}, 404, "member_not_found"),
}


@pytest.mark.parametrize(("body", "status", "code"), REFUSED.values(), ids=REFUSED)
def test_what_names_no_member_is_refused(
    api: Api, started: tuple[DagWorld, str], body: object, status: int, code: str
) -> None:
    """With what is wrong."""
    answer = ask(api, started[1], "rerun", body)
    errors = answer.body.get("errors") or [{"field": "members", "code": answer.body["code"]}]

    assert answer.status == status
    assert [(each["field"], each["code"]) for each in errors] == [("members", code)]


def test_what_cannot_be_done_with_members_says_why(api: Api, started: tuple[DagWorld, str]) -> None:
    """Nothing is changed by it."""
    _, dag_run_id = started
    answers = [
        ask(api, dag_run_id, "skip", {"members": [0]}),
        ask(api, dag_run_id, "rerun", {"members": [0]}, key="load"),
    ]
    ask(api, dag_run_id, "skip", {"members": "failed"})
    answers.append(ask(api, dag_run_id, "rerun", {"members": "failed"}))

    assert [(each.status, each.body["code"]) for each in answers] == [
        (409, "member_ended"),
        (409, "not_a_fan_out"),
        (409, "dag_run_busy"),
    ]
