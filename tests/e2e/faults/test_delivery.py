"""Delivery modes on the deployed stack, whose workers are killed, stopped and confused."""

import json
import os
import signal
import time
from contextlib import suppress
from datetime import UTC, datetime
from typing import Any

import pytest

from infra.local.webhook_target import Recorder
from tests.e2e.faults.test_robustness import executor
from tests.support.deployed.stack import Stack, wait_until

#: The local stage's leases, and what N6 allows beyond a lease.
LEASE_SECONDS = 15
BEYOND_LEASE_SECONDS = 30
#: The shortest that a job may ask for.
SILENCE_SECONDS = 5


@pytest.fixture(scope="module", autouse=True)
def looks(stack: Stack) -> None:
    """Looks come from the second minute on, the first one after a tick; which may be the first."""
    shards = [*range(4)]
    stack.invoke("SweeperFunctionName", {"shards": shards, "of": len(shards), "looks": shards})
    time.sleep(61 - datetime.now(UTC).second)


def start(stack: Stack, recorder: Recorder, name: str, *, priority: str, delivery: str) -> str:
    """A job whose target does not answer before it is told to; its id."""
    job = stack.create_job(
        name=name,
        schedule={"kind": "immediate"},
        action={"type": "webhook", "url": recorder.url(name)},
        priority=priority,
        delivery=delivery,
        timeout_seconds=60,
    )
    recorder.wait_for(name, 1)
    return str(job["job_id"])


def run_of(stack: Stack, job_id: str) -> dict[str, Any]:
    """Its only run, with attempts."""
    (run,) = stack.runs(job_id)
    read: dict[str, Any] = stack.api.get(f"/v1/runs/{run['run_id']}").json()
    return read


def test_a_killed_workers_run_is_not_executed_again(stack: Stack, recorder: Recorder) -> None:
    """At most once: SIGKILL in mid-run, and in time the record says that its worker died (N6)."""
    released = recorder.hold("once")
    job_id = start(stack, recorder, "once", priority="low", delivery="at_most_once")
    killed_at = datetime.now(UTC)

    assert stack.kill_workers(executor(stack, "low-short")) >= 1

    released.set()
    wait_until(
        lambda: run_of(stack, job_id)["state"] == "failed" or None,
        seconds=2 * LEASE_SECONDS + BEYOND_LEASE_SECONDS,
        what=lambda: run_of(stack, job_id),
    )
    run = run_of(stack, job_id)
    took = datetime.fromisoformat(run["ended_at"]) - killed_at

    assert (run["reason"], run["error"]["code"]) == ("worker_died", "worker_died")
    assert len(recorder.requests("once")) == 1
    assert took.total_seconds() <= LEASE_SECONDS + BEYOND_LEASE_SECONDS


def test_a_silent_targets_run_is_begun_anew(stack: Stack, recorder: Recorder) -> None:
    """It has accepted the run, which has no message any more: the sweeper alone sees it (N6)."""
    recorder.answer("silent", 202, 200)
    action = {"type": "webhook", "url": recorder.url("silent"), "wait": "callback"}
    stack.create_job(
        name="to a target that says nothing",
        schedule={"kind": "immediate"},
        action=action | {"heartbeat_seconds": SILENCE_SECONDS},
        timeout_seconds=600,
    )
    first, second = recorder.wait_for("silent", 2, seconds=180)
    took = second.arrived_at - first.arrived_at

    assert (first.fence, second.fence) == (1, 2)
    assert took.total_seconds() <= SILENCE_SECONDS + BEYOND_LEASE_SECONDS


def test_a_stopped_workers_run_goes_on(stack: Stack, recorder: Recorder) -> None:
    """SIGTERM in mid-run: handed back and begun anew, under the next fence and not as a death.

    The local cloud stops its processes like this; Lambda sends no signal in mid-run.
    """
    released = recorder.hold("stopped")
    job_id = start(stack, recorder, "stopped", priority="critical", delivery="at_least_once")
    workers = stack.workers(executor(stack, "critical-short"))
    for pid in workers:
        os.kill(pid, signal.SIGTERM)
    wait_until(
        lambda: run_of(stack, job_id)["attempts"][0]["releases"] == 1 or None,
        seconds=30,
        what=lambda: run_of(stack, job_id),
    )
    for pid in workers:
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)

    # A worker that is about to end may be offered the message once more.
    recorder.wait_for("stopped", 2, seconds=150)
    released.set()
    stack.wait_for_runs(job_id, 1)
    (attempt,) = run_of(stack, job_id)["attempts"]

    assert [request.fence for request in recorder.requests("stopped")] == [1, 2]
    assert (attempt["fence"], attempt["releases"]) == (2, 1)


def test_a_duplicate_message_of_exactly_once_is_counted(stack: Stack, recorder: Recorder) -> None:
    """Delivered again while the run works, and once more when it has ended: one request."""
    released = recorder.hold("exactly")
    job_id = start(stack, recorder, "exactly", priority="high", delivery="exactly_once")
    run = run_of(stack, job_id)
    scheduled = run["run_id"].split(".s")[1]
    fields = {
        "tenant": stack.outputs["UserPoolClientId"],
        "attempt": f"{run['run_id']}.1",
        "due_at": scheduled,
        "precision": "second",
    }
    url = json.loads(stack.outputs["QueueUrls"])["high-short"]

    def prevented(count: int) -> bool | None:
        return run_of(stack, job_id)["duplicates_prevented"] == count or None

    stack.aws("sqs").send_message(QueueUrl=url, MessageBody=json.dumps(fields))
    wait_until(lambda: prevented(1), seconds=30, what=lambda: run_of(stack, job_id))
    released.set()
    stack.wait_for_runs(job_id, 1)
    stack.aws("sqs").send_message(QueueUrl=url, MessageBody=json.dumps(fields))
    wait_until(lambda: prevented(2), seconds=30, what=lambda: run_of(stack, job_id))

    assert len(recorder.requests("exactly")) == 1
