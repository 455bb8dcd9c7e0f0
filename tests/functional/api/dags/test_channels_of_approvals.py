"""Approvals of a DAG run under way are told of to the channels that its DAG has by then."""

from typing import Any

import pytest

from tests.functional.api.dag_runs.test_dag_followers import created
from tests.functional.api.dag_runs.test_dag_runs import WORK, moved, start
from tests.support.api import Api
from timegate.domain.runs.run import RunState

FORMER, NEW = "https://former.example.com/told", "https://new.example.com/told"
TASKS = [{"key": "a", "job": WORK}, {"key": "gate", "wait": {"kind": "approval"}}]


def telling(*urls: str) -> list[dict[str, Any]]:
    """Channels that are told of approvals."""
    return [{"type": "webhook", "url": url, "on": ["needs_decision"]} for url in urls]


@pytest.mark.parametrize(
    ("before", "after", "told"),
    [
        ((FORMER,), (NEW,), {NEW}),
        ((FORMER,), (FORMER, NEW), {FORMER, NEW}),
        ((FORMER,), (), set()),
        ((FORMER,), None, {FORMER}),
        ((), (NEW,), {NEW}),
    ],
    ids=["another", "one more", "none", "deleted", "its first"],
)
def test_an_approval_is_told_to_the_channels_of_now(
    api: Api, before: tuple[str, ...], after: tuple[str, ...] | None, told: set[str]
) -> None:
    """The channels of the version that runs were skipped as superseded, and no other was told."""
    edges = [{"source": "a", "target": "gate"}]
    dag = created(api, tasks=TASKS, edges=edges, notifications=telling(*before))
    dag_world, _ = moved(api, start(api, dag["dag_id"]).body["dag_run_id"])
    path = f"/v1/dags/{dag['dag_id']}"
    changed = (
        api.send("DELETE", path)
        if after is None
        else api.send("PATCH", path, {"notifications": telling(*after)})
    )
    dag_world.hear(dag_world.finish(dag_world.waiting()[0], RunState.SUCCEEDED))
    api.world.settle()

    assert changed.status == 200
    assert {getattr(call.action, "url", None) for call in api.world.target.calls} == told
    assert len(api.send("GET", "/v1/approvals").body["items"]) == 1
