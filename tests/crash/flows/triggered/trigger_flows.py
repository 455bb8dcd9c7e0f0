"""A caller who triggers a job with data, and repeats the request until he is answered."""

from tests.crash.flows.triggered.batches import send_whole
from tests.crash.flows.triggered.hook_flows import HOOKS
from tests.crash.flows.triggered.repeated_flows import REPEATED
from tests.crash.story import Flow, Story

_OWN = {"page": 1, "state": "open"}
_EVENT = {"specversion": "1.0", "id": "e1", "source": "shop", "type": "order.paid"}
_PATCH = {"payload_patch": {"page": 2}, "tags": {"team": "a"}}


def _trigger(story: Story, **more: object) -> str:
    """A trigger under a key, of a job that runs by itself in a year."""
    schedule = {"kind": "delay", "delay_seconds": 31_536_000}
    job_id = story.create(schedule=schedule, payload=_OWN, function="fails-1", retry=_RETRY)
    body = {**_PATCH, **more}
    story.send("POST", f"/v1/jobs/{job_id}/trigger", body, Idempotency_Key="one")
    story.once_ended(lambda: story.send("DELETE", f"/v1/jobs/{job_id}"))
    return job_id


_RETRY = {
    "backoff": "fixed",
    "jitter": False,
    "breaker": None,
    "max_attempts": 3,
    "initial_delay_seconds": 5,
}


def _begin(story: Story) -> str:
    return _trigger(story)


def _begin_later(story: Story) -> str:
    return _trigger(story, delay_seconds=100)


def _is_one_run(story: Story, job_id: str) -> None:
    """With the payload of its trigger at each try, and succeeded at the second, or taken over."""
    ends = story.ends(job_id)
    assert len({(row.key[0], row.run) for row in story.rows}) == 1, ends
    assert ends[-1] == ("succeeded", None), ends
    assert {state for state, _ in ends[:-1]} <= {"failed", "timed_out"}
    assert all(effect.payload == {**_OWN, "page": 2} for effect in story.effects)
    story.assert_called()


def _begin_batch(story: Story) -> str:
    """Three triggers, one of them later, in one request under a key."""
    schedule = {"kind": "delay", "delay_seconds": 31_536_000}
    job_id = story.create(schedule=schedule, payload=_OWN)
    triggers = [{"payload_patch": {"page": n}, "delay_seconds": 60 * (n == 2)} for n in range(3)]
    path = f"/v1/jobs/{job_id}/trigger/batch"
    answered = story.send("POST", path, {"triggers": triggers}, Idempotency_Key="one")
    assert answered.body["failed"] == 0, answered.body
    story.once_ended(lambda: story.send("DELETE", f"/v1/jobs/{job_id}"))
    return job_id


def _are_three_runs(story: Story, job_id: str) -> None:
    """Each with its own payload, whatever was repeated."""
    ends = story.ends(job_id)
    assert len({row.run for row in story.rows}) == 3, ends
    assert [end for end in ends if end == ("succeeded", None)] == [("succeeded", None)] * 3, ends
    wanted = [{**_OWN, "page": n} for n in range(3)]
    assert all(effect.payload in wanted for effect in story.effects)
    assert all(any(each == effect.payload for effect in story.effects) for each in wanted)
    story.assert_called()


def _collapse(story: Story) -> str:
    """Three triggers of one key, each under a key of its own; the last two in a batch."""
    schedule = {"kind": "delay", "delay_seconds": 31_536_000}
    rule = {"span_seconds": 20, "max_wait_seconds": 60, "key_from": "/page"}
    job_id = story.create(schedule=schedule, payload=_OWN, collapse=rule)
    path = f"/v1/jobs/{job_id}/trigger"
    story.send("POST", path, {"payload_patch": {"state": "0"}}, Idempotency_Key="one")
    triggers = [{"payload_patch": {"state": str(n)}} for n in (1, 2)]
    batch = send_whole(story, f"{path}/batch", {"triggers": triggers}, "two")
    assert batch.body["failed"] == 0, batch.body
    story.once_ended(lambda: story.send("DELETE", f"/v1/jobs/{job_id}"))
    return job_id


def _the_last_one_ran(story: Story, job_id: str) -> None:
    """Each of three is on record; what stands for the others succeeded, with its own payload.

    A caller who was held up for longer than a span triggers the first and the others apart.
    """
    ends = story.ends(job_id)
    collapsed, succeeded = ends.count(("skipped", "collapsed")), ends.count(("succeeded", None))
    assert len({row.run for row in story.rows}) == 3, ends
    assert collapsed + succeeded == 3, ends
    assert succeeded in ({1, 2} if story.faults else {1}), ends
    wanted = [{**_OWN, "state": state} for state in ("0", "2")]
    assert all(effect.payload in wanted for effect in story.effects)
    called = [each for each in wanted if any(each == e.payload for e in story.effects)]
    assert called == wanted[-succeeded:], ends
    windows = [item for item in story.jobs if item["sk"]["S"].startswith("collapse#")]
    assert sum(int(each["triggers"]["N"]) for each in windows) == 3, windows
    assert len(windows) == succeeded
    # A run that another one stands for never calls its target.
    assert len({effect.run for effect in story.effects}) == succeeded


def _begin_event(story: Story) -> str:
    """A trigger of a job that runs by itself in a year, and an event that it matches."""
    job_id = story.create(schedule={"kind": "delay", "delay_seconds": 31_536_000})
    body = {"pattern": {"type": ["order.paid"]}, "starts": {"type": "job", "job_id": job_id}}
    story.send("PUT", "/v1/event-triggers/paid", body)
    story.send("POST", "/v1/events", {**_EVENT, "data": {"order": 7}})
    story.once_ended(lambda: story.send("DELETE", f"/v1/jobs/{job_id}"))
    return job_id


def _is_one_run_of_the_event(story: Story, job_id: str) -> None:
    """With the event for its payload, and succeeded at the end."""
    *failed, last = story.ends(job_id)
    assert last == ("succeeded", None)
    assert set(failed) <= {("failed", "retried"), ("timed_out", "retried")}
    assert len({(row.key[0], row.run) for row in story.rows}) == 1
    assert all(effect.payload == {**_EVENT, "data": {"order": 7}} for effect in story.effects)
    story.assert_called()


def _begin_moved(story: Story) -> str:
    """A run of a minute from now, which is moved to three minutes from now."""
    schedule = {"kind": "delay", "delay_seconds": 31_536_000}
    job_id = story.create(schedule=schedule, payload=_OWN)
    asked = {"payload": _OWN, "delay_seconds": 60}
    path = f"/v1/jobs/{job_id}/trigger"
    run = story.send("POST", path, asked, Idempotency_Key="one").body["run_id"]
    story.send("POST", f"/v1/runs/{run}/reschedule", {"at": story.instant(180)})
    story.once_ended(lambda: story.send("DELETE", f"/v1/jobs/{job_id}"))
    return job_id


def _ran_once_moved(story: Story, job_id: str) -> None:
    """At its new instant and not before, though its first message came at the old one."""
    ends = story.ends(job_id)
    assert ends[-1] == ("succeeded", None), ends
    assert len({row.run for row in story.rows}) == 1, ends
    story.assert_called()


def _begin_cancelled(story: Story) -> str:
    """Three runs of an hour from now, which an operation cancels."""
    schedule = {"kind": "delay", "delay_seconds": 31_536_000}
    job_id = story.create(schedule=schedule, payload=_OWN)
    triggers = [{"payload": n, "delay_seconds": 3600} for n in range(3)]
    path = f"/v1/jobs/{job_id}/trigger/batch"
    story.send("POST", path, {"triggers": triggers}, Idempotency_Key="three")
    wanted = {"filter": {"job_id": job_id}}
    story.send("POST", "/v1/runs/cancel", wanted, Idempotency_Key="stop")
    story.once_ended(lambda: story.send("DELETE", f"/v1/jobs/{job_id}"))
    return job_id


def _are_all_cancelled(story: Story, job_id: str) -> None:
    """None began, and each is counted once, whatever step was repeated."""
    assert story.ends(job_id) == [("cancelled", "cancel_requested")] * 3
    (operation,) = story.send("GET", "/v1/operations").body["items"]
    assert (operation["status"], operation["counts"]["done"]) == ("succeeded", 3), operation
    assert not story.effects


TRIGGERS = (
    Flow("triggers that collapse", _collapse, _the_last_one_ran, request=3, most=8),
    Flow(
        "cancel pending runs", _begin_cancelled, _are_all_cancelled, function="operations", most=8
    ),
    Flow("reschedule a run", _begin_moved, _ran_once_moved, request=3, most=8),
    Flow("trigger with data", _begin, _is_one_run, request=2, most=8),
    Flow("trigger later", _begin_later, _is_one_run, request=2, most=8),
    Flow("trigger in a batch", _begin_batch, _are_three_runs, request=2, most=8),
    *REPEATED,
    *HOOKS,
    Flow("event trigger", _begin_event, _is_one_run_of_the_event, request=3, most=8),
)
