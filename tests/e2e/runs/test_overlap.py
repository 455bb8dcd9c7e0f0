"""Overlap on the deployed stack: decided when a run is due, while another one works."""

from typing import Any

from infra.local.webhook_target import Recorder
from tests.support.deployed.stack import Stack, wait_until


def trigger(stack: Stack, job: dict[str, Any]) -> str:
    """Ask for a run now; its id."""
    answer = stack.api.post(f"/v1/jobs/{job['job_id']}/trigger")
    assert answer.status_code == 202, answer.text
    run_id: str = answer.json()["run_id"]
    return run_id


def wait_for_state(stack: Stack, run_id: str, *states: str) -> dict[str, Any]:
    """The run, once it is in one of the states."""

    def look() -> dict[str, Any] | None:
        run: dict[str, Any] = stack.api.get(f"/v1/runs/{run_id}").json()
        return run if run["state"] in states else None

    return wait_until(look, seconds=60, what=lambda: stack.api.get(f"/v1/runs/{run_id}").json())


def job_with(stack: Stack, recorder: Recorder, name: str, **overlap: object) -> dict[str, Any]:
    """A job that runs when it is asked to."""
    return stack.create_job(
        name=name,
        schedule={"kind": "cron", "cron": "0 0 1 1 *"},
        action={"type": "webhook", "url": recorder.url(name)},
        overlap=overlap,
    )


def test_one_too_many_is_skipped(stack: Stack, recorder: Recorder) -> None:
    """``forbid``: while one works, the next is recorded as skipped; afterwards one runs again."""
    released = recorder.hold("forbid")
    job = job_with(stack, recorder, "forbid", policy="forbid")
    first = trigger(stack, job)
    recorder.wait_for("forbid", 1)
    second = wait_for_state(stack, trigger(stack, job), "skipped", "succeeded")
    released.set()
    wait_for_state(stack, first, "succeeded")
    third = wait_for_state(stack, trigger(stack, job), "skipped", "succeeded")

    assert (second["state"], second["reason"]) == ("skipped", "overlap")
    assert third["state"] == "succeeded"
    assert len(recorder.requests("forbid")) == 2


def test_one_too_many_waits_for_its_turn(stack: Stack, recorder: Recorder) -> None:
    """``queue``, over jobs that share a key: the second runs when the first has ended."""
    released = recorder.hold("queue-first")
    first, second = (
        job_with(stack, recorder, name, policy="queue", concurrency_key="erp")
        for name in ("queue-first", "queue-second")
    )
    running = trigger(stack, first)
    recorder.wait_for("queue-first", 1)
    waiting = trigger(stack, second)
    wait_for_state(stack, waiting, "waiting")
    assert recorder.requests("queue-second") == []
    released.set()
    ended = wait_for_state(stack, running, "succeeded")
    followed = wait_for_state(stack, waiting, "succeeded")

    assert followed["started_at"] >= ended["ended_at"]


def test_the_newest_replaces_the_oldest(stack: Stack, recorder: Recorder) -> None:
    """``replace``: the one that works is cancelled at its next heartbeat, and the new one runs."""
    released = recorder.hold("replace")
    job = job_with(stack, recorder, "replace", policy="replace")
    old = trigger(stack, job)
    recorder.wait_for("replace", 1)
    new = trigger(stack, job)
    cancelled = wait_for_state(stack, old, "cancelled", "succeeded")
    released.set()

    assert (cancelled["state"], cancelled["reason"]) == ("cancelled", "replaced")
    assert cancelled["replaced_by"] == new
    assert wait_for_state(stack, new, "succeeded")["state"] == "succeeded"
