"""DAG runs that wait: for a time, for a person, and for a person who comes at the last moment."""

from functools import partial

from tests.crash.flows.pipelines import (
    Pipeline,
    begin,
    dag_run_id_of,
    states_of,
    status_of,
    succeeds,
)
from tests.crash.judges.dag_judge import key_of, mark_of, task_rows, tasks_of
from tests.crash.story import Flow, Story
from tests.unit.domain.dags.definitions import dag, task
from timegate.domain.dags.waits import Expiry, WaitKind, WaitTask

_MOST = 12
#: The approver comes so late; the last moment is when the wait of the third flow ends.
_COMES_AFTER_SECONDS = 30
_ARROWS = ("a -> gate", "gate -> b")


def _pipeline(wait: WaitTask) -> Pipeline:
    return Pipeline(dag((task("a"), task("gate", spec=wait), task("b")), *_ARROWS))


_SLEEPING = _pipeline(WaitTask(kind=WaitKind.SLEEP, seconds=45))
_APPROVED = _pipeline(WaitTask(kind=WaitKind.APPROVAL, seconds=3600))
_CLOSE = _pipeline(WaitTask(kind=WaitKind.APPROVAL, seconds=30, on_expiry=Expiry.SKIP))


def _begin_with_approver(pipeline: Pipeline, story: Story) -> Pipeline:
    story.cloud.at(_COMES_AFTER_SECONDS, partial(_approve, story))
    return begin(pipeline, story)


def _approve(story: Story) -> None:
    """He repeats it under his key until he is answered."""
    if tasks_of(story.runs).get("gate", (0, "pending"))[1] != "pending":
        path = f"/v1/dag-runs/{dag_run_id_of(story)}/tasks/gate/decide"
        answered = story.cloud.request(
            story.tenant, "POST", path, {"decision": "approve"}, Idempotency_Key="4711"
        )
        if answered.status < 400 or answered.code in {"task_ended", "approval_expired"}:
            return
        assert answered.code in {"dag_run_busy", "conflict", "task_not_started"}, answered.body
    story.cloud.at(5, partial(_approve, story))


def _wakes(story: Story, pipeline: Pipeline) -> None:
    """It made no run, and the task behind it one."""
    succeeds(story, pipeline)
    assert {mark_of(row)[1] for row in task_rows(story.runs)} == {"a", "b"}


def _is_approved(story: Story, pipeline: Pipeline) -> None:
    _wakes(story, pipeline)
    assert _gate(story) == ("approved", "approve")


def _is_decided_once(story: Story, pipeline: Pipeline) -> None:
    """It was approved and went on, or expired and came to nothing: the record says which."""
    del pipeline
    decided = {
        "succeeded": (("approved", "approve"), "succeeded"),
        "skipped": (("expired", None), "skipped"),
    }
    states = states_of(story)
    assert (_gate(story), states["b"]) == decided[states["gate"]]
    assert status_of(story)[0] == "succeeded"
    assert len(task_rows(story.runs)) == (2 if states["b"] == "succeeded" else 1)


def _gate(story: Story) -> tuple[str, str | None]:
    """Why the wait ended, and what a person did with it."""
    (gate,) = (i for i in story.runs if "task_state" in i and key_of(i) == "gate")
    kind = gate["intervention"]["M"]["kind"]["S"] if "intervention" in gate else None
    return gate["reason"]["S"], kind


WAITS = (
    Flow("dag sleeps", partial(begin, _SLEEPING), _wakes, most=_MOST),
    Flow("dag is approved", partial(_begin_with_approver, _APPROVED), _is_approved, most=_MOST),
    Flow(
        "dag, approval at its end",
        partial(_begin_with_approver, _CLOSE),
        _is_decided_once,
        most=_MOST,
    ),
)
