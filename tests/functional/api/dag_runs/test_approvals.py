"""Approvals that wait, over HTTP: listed until they are decided, and grouped among decisions."""

from datetime import timedelta
from typing import Any

import pytest

from tests.functional.api.dag_runs.test_dag_runs import WORK, moved, start
from tests.support.api import Api
from tests.support.factories import OTHER_TENANT
from timegate.usecases.operations import read_decisions

PATH = "/v1/approvals"
GATE = {"kind": "approval", "seconds": "PT1H", "on_expiry": "skip"}


def define(api: Api, name: str = "release", **wait: object) -> str:
    """The id of a DAG whose first task waits."""
    own = {
        "name": name,
        "tasks": [{"key": "gate", "wait": {**GATE, **wait}}, {"key": "publish", "job": WORK}],
        "edges": [{"source": "gate", "target": "publish"}],
    }
    return str(api.send("POST", "/v1/dags", own).body["dag_id"])


def wait(api: Api, dag_id: str) -> str:
    """A run of it that has come to its first task, a second after the last one."""
    api.world.clock.advance(1)
    dag_run_id = str(start(api, dag_id).headers["location"]).rpartition("/")[2]
    moved(api, dag_run_id)
    return dag_run_id


def listed(api: Api, query: str = "", **sent: Any) -> list[str]:  # noqa: ANN401 - as Api.send
    """DAG runs of the approvals that are listed."""
    items = api.send("GET", f"{PATH}?{query}", **sent).body["items"]
    return [each["dag_run_id"] for each in items]


def groups(api: Api) -> list[dict[str, Any]]:
    """Groups of approvals among the decisions."""
    found: list[dict[str, Any]] = api.send("GET", "/v1/decisions").body["approvals"]
    return found


def decide(api: Api, dag_run_id: str, **body: object) -> tuple[int, str | None]:
    """Approve the task of a DAG run."""
    path = f"/v1/dag-runs/{dag_run_id}/tasks/gate/decide"
    answer = api.send("POST", path, {"decision": "approve", **body})
    return answer.status, answer.body.get("code")


def test_approvals_of_all_dag_runs_are_listed_latest_first(api: Api) -> None:
    """With what a decision takes, in pages; by DAG and by task."""
    release, purge = define(api), define(api, "purge")
    first, second, third = wait(api, release), wait(api, purge), wait(api, release)
    (row, *_) = api.send("GET", PATH).body["items"]
    page = api.send("GET", f"{PATH}?limit=2").body
    rest = listed(api, f"limit=2&cursor={page['next_cursor']}")

    assert listed(api) == [third, second, first]
    assert ([each["dag_run_id"] for each in page["items"]], rest) == ([third, second], [first])
    assert row == {
        "dag_run_id": third,
        "dag_id": release,
        "dag_name": "release",
        "task_key": "gate",
        "round": 1,
        "since": row["since"],
        "until": row["until"],
    }
    assert (row["since"], row["until"]) == ("2026-11-21T07:00:03.000Z", "2026-11-21T08:00:03.000Z")
    assert listed(api, f"dag_id={purge}") == [second]
    assert listed(api, "task_key=gate&limit=100") == [third, second, first]
    assert listed(api, "task_key=publish") == []


def test_approvals_are_grouped_by_dag_and_task_among_decisions(api: Api) -> None:
    """The group that ends first before the others; the latest five of each are shown."""
    release, purge = define(api), define(api, "purge", seconds="PT2H")
    waiting = [wait(api, release) for _ in range(6)]
    later = wait(api, purge)
    (first, second) = groups(api)

    assert (first["dag_name"], first["task_key"], first["count"]) == ("release", "gate", 6)
    assert [each["dag_run_id"] for each in first["latest"]] == waiting[:0:-1]
    assert (first["first_at"], first["last_at"]) == (
        "2026-11-21T07:00:01.000Z",
        "2026-11-21T07:00:06.000Z",
    )
    assert first["until"] == "2026-11-21T08:00:01.000Z"
    assert (second["dag_id"], [each["dag_run_id"] for each in second["latest"]]) == (purge, [later])


def test_a_decided_approval_is_gone_and_one_that_is_run_again_is_listed_anew(api: Api) -> None:
    """In the round that it asks in; a decision that names another round is refused."""
    dag_run_id = wait(api, define(api))
    wrong = decide(api, dag_run_id, round=2)
    done = decide(api, dag_run_id, round=1)
    after = (listed(api), groups(api))
    api.send("POST", f"/v1/dag-runs/{dag_run_id}/tasks/gate/rerun")
    moved(api, dag_run_id)
    (again,) = api.send("GET", PATH).body["items"]

    assert wrong == (409, "task_was_put_back")
    assert done == (202, None)
    assert after == ([], [])
    assert (again["dag_run_id"], again["round"]) == (dag_run_id, 2)
    assert decide(api, dag_run_id, round=1) == (409, "task_was_put_back")
    assert listed(api) == [dag_run_id]


@pytest.mark.parametrize(
    "ending",
    [
        "tasks/gate/skip",
        "tasks/gate/complete",
        "cancel",
    ],
)
def test_whatever_ends_the_wait_takes_it_off_the_list(api: Api, ending: str) -> None:
    """An operator's word, or the end of the DAG run."""
    dag_run_id = wait(api, define(api))
    before = listed(api)
    api.send("POST", f"/v1/dag-runs/{dag_run_id}/{ending}")

    assert (before, listed(api)) == ([dag_run_id], [])


def test_an_approval_is_listed_until_its_end_and_not_at_it(api: Api) -> None:
    """From then on a decision is refused, whether its expiry is written or not."""
    dag_run_id = wait(api, define(api))
    api.world.clock.advance(timedelta(hours=1, milliseconds=-1).total_seconds())
    before = listed(api)
    api.world.clock.advance(0.001)

    assert (before, listed(api)) == ([dag_run_id], [])
    assert groups(api) == []
    assert decide(api, dag_run_id) == (409, "approval_expired")


def test_other_waits_are_no_approvals(api: Api) -> None:
    """A sleep ends by itself, and an event by its sender."""
    for other in (
        {"kind": "sleep", "seconds": "PT1H"},
        {"kind": "event", "seconds": "PT1H", "event": {"type": "a.b", "correlation": "1"}},
    ):
        own = {"name": "other", "tasks": [{"key": "gate", "wait": other}], "edges": []}
        wait(api, str(api.send("POST", "/v1/dags", own).body["dag_id"]))

    assert (listed(api), groups(api)) == ([], [])


@pytest.mark.parametrize(("waiting", "partial"), [(2, False), (3, True)])
def test_so_many_approvals_are_looked_at_for_decisions_and_no_more(
    api: Api, monkeypatch: pytest.MonkeyPatch, waiting: int, partial: bool
) -> None:
    """The answer says that there are more."""
    monkeypatch.setattr(read_decisions, "MOST_APPROVALS", 2)
    dag_id = define(api)
    for _ in range(waiting):
        wait(api, dag_id)
    found = api.send("GET", "/v1/decisions").body

    assert [each["count"] for each in found["approvals"]] == [2]
    assert found["approvals_are_partial"] is partial


def test_another_tenant_has_no_approvals(api: Api) -> None:
    """The tenant is the token's (S1), and a cursor is good for its own listing."""
    dag_id = define(api)
    for _ in range(2):
        wait(api, dag_id)
    cursor = api.send("GET", f"{PATH}?limit=1").body["next_cursor"]
    foreign = api.send("GET", f"{PATH}?limit=1&cursor={cursor}", tenant=OTHER_TENANT)

    assert listed(api, tenant=OTHER_TENANT) == []
    assert api.send("GET", "/v1/decisions", tenant=OTHER_TENANT).body["approvals"] == []
    assert (foreign.status, foreign.code) == (400, "invalid_request")


def test_failures_and_approvals_do_not_show_in_one_another_s_lists(api: Api) -> None:
    """They share an index, and no partition of it."""
    wait(api, define(api))

    assert api.send("GET", "/v1/runs").body["items"] == []
    assert api.send("GET", "/v1/decisions").body["read"] == 0
