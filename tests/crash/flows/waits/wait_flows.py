"""DAG runs that wait: for a time, for a person, and for events that come early, late and last."""

from dataclasses import dataclass
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
from timegate.domain.events.awaited_event import AwaitedEvent

_MOST = 12
#: The approver comes so late; the last moment is when the wait of the third flow ends.
_COMES_AFTER_SECONDS = 30
#: No program is there; it is the address that counts.
_ADDRESS = "https://93.184.216.34/decisions"
_ARROWS = ("a -> gate", "gate -> b")


def waiting(wait: WaitTask) -> Pipeline:
    """A task before the wait, and one behind it."""
    return Pipeline(dag((task("a"), task("gate", spec=wait), task("b")), *_ARROWS))


_SLEEPING = waiting(WaitTask(kind=WaitKind.SLEEP, seconds=45))
_APPROVED = waiting(WaitTask(kind=WaitKind.APPROVAL, seconds=3600))
_CLOSE = waiting(WaitTask(kind=WaitKind.APPROVAL, seconds=30, on_expiry=Expiry.SKIP))
#: Waits for the payment of an order, for so many seconds.
_ORDER = AwaitedEvent(type="order.paid", correlation='"4711"')
_PAID = waiting(WaitTask(kind=WaitKind.EVENT, seconds=3600, event=_ORDER))
_LAST = waiting(WaitTask(kind=WaitKind.EVENT, seconds=30, event=_ORDER, on_expiry=Expiry.SKIP))
_EVENT = {"specversion": "1.0", "id": "1", "source": "shop", "type": "order.paid"}


@dataclass(frozen=True)
class _Telling(Pipeline):
    """One whose approval an address is told of."""

    def body(self) -> dict[str, object]:
        """Return the request that defines the DAG."""
        told = [{"url": _ADDRESS, "on": ["needs_decision"]}]
        return {**super().body(), "notifications": told}


_TOLD = _Telling(_APPROVED.dag)


def _begin_telling(story: Story) -> Pipeline:
    """The DAG has a job of its own, which governs what is told."""
    story.expects_job("nightly")
    return _begin_with_approver(_TOLD, story)


def _begin_with_sender(after_seconds: int, pipeline: Pipeline, story: Story) -> Pipeline:
    begun = begin(pipeline, story)
    story.cloud.at(after_seconds, partial(_send, story))
    return begun


def _send(story: Story) -> None:
    """The sender repeats the event until it is answered."""
    event = {**_EVENT, "subject": "4711", "data": {"amount": 42}}
    if story.cloud.request(story.tenant, "POST", "/v1/events", event).status != 202:
        story.cloud.at(5, partial(_send, story))


def _is_resumed(story: Story, pipeline: Pipeline) -> None:
    _wakes(story, pipeline)
    assert gate_of(story) == ("received", None)


def _is_resumed_once(story: Story, pipeline: Pipeline) -> None:
    """The event came in time and the task went on, or it expired: the record says which."""
    del pipeline
    decided = {"succeeded": ("received", "succeeded"), "skipped": ("expired", "skipped")}
    states = states_of(story)
    assert (gate_of(story)[0], states["b"]) == decided[states["gate"]]
    assert status_of(story)[0] == "succeeded"
    assert {mark_of(row)[1] for row in task_rows(story.runs)} == (
        {"a", "b"} if states["b"] == "succeeded" else {"a"}
    )


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
    assert gate_of(story) == ("approved", "approve")


def _is_decided_once(story: Story, pipeline: Pipeline) -> None:
    """It was approved and went on, or expired and came to nothing: the record says which."""
    del pipeline
    decided = {
        "succeeded": (("approved", "approve"), "succeeded"),
        "skipped": (("expired", None), "skipped"),
    }
    states = states_of(story)
    assert (gate_of(story), states["b"]) == decided[states["gate"]]
    assert status_of(story)[0] == "succeeded"
    assert {mark_of(row)[1] for row in task_rows(story.runs)} == (
        {"a", "b"} if states["b"] == "succeeded" else {"a"}
    )


def gate_of(story: Story) -> tuple[str, str | None]:
    """Return the reason of the wait's end, and the decision of a person."""
    (gate,) = (i for i in story.runs if "task_state" in i and key_of(i) == "gate")
    kind = gate["intervention"]["M"]["kind"]["S"] if "intervention" in gate else None
    return gate["reason"]["S"], kind


def _is_told_of_and_approved(story: Story, pipeline: Pipeline) -> None:
    """One notice, however often it was sent; it has no place for a link, as there is no key."""
    _is_approved(story, pipeline)
    told = [
        effect.payload
        for effect in story.effects
        if isinstance(effect.payload, dict)
        and effect.payload.get("type") == "dag_run.needs_decision"
    ]
    (notice,) = {each["notification_id"] for each in told}
    assert f"needs_decision-{notice.rpartition('-')[2]}" in notice
    assert {each["approval"]["task"] for each in told} == {"gate"}
    assert {each["approval"]["url"] for each in told} == {None}


WAITS = (
    Flow("dag sleeps", partial(begin, _SLEEPING), _wakes, most=_MOST),
    Flow("dag is approved", partial(_begin_with_approver, _APPROVED), _is_approved, most=_MOST),
    Flow(
        "dag tells of its approval",
        _begin_telling,
        _is_told_of_and_approved,
        most=_MOST,
    ),
    Flow(
        "dag, approval at its end",
        partial(_begin_with_approver, _CLOSE),
        _is_decided_once,
        most=_MOST,
    ),
    Flow("dag, early event", partial(_begin_with_sender, 0, _PAID), _is_resumed, most=_MOST),
    Flow("dag, late event", partial(_begin_with_sender, 40, _PAID), _is_resumed, most=_MOST),
    Flow(
        "dag, event at its end",
        partial(_begin_with_sender, 31, _LAST),
        _is_resumed_once,
        most=_MOST,
    ),
)
