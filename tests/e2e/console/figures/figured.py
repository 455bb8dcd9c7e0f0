"""Work whose figures and charts are compared."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from infra.local.webhook_target import Recorder
from tests.e2e.console.acting import until
from tests.support.deployed.stack import Stack
from tests.support.deployed.timing.clock_edges import hours_until

MANUAL = {"kind": "manual"}


@dataclass(frozen=True)
class Made:
    """Work that has ended, or waits for good: nothing of it changes while it is read."""

    job: str
    run: str
    hourly: str
    dag_run: str
    operation: str


def tried(stack: Stack, recorder: Recorder, name: str) -> str:
    """A job whose runs succeeded twice, and then failed for good."""
    recorder.answer(name, 200, 200, 404)
    action = {"type": "webhook", "url": recorder.url(name)}
    job = str(stack.create_job(name=f"of {name}", schedule=MANUAL, action=action)["job_id"])
    for count, state in [(1, "succeeded"), (2, "succeeded"), (1, "failed")]:
        stack.api.post(f"/v1/jobs/{job}/trigger").raise_for_status()
        stack.wait_for_runs(job, count, state=state, seconds=60)
    return job


def filled(stack: Stack, recorder: Recorder) -> tuple[str, str]:
    """A job whose last six hours were backfilled, and the operation that did it."""
    recorder.answer("figures-hourly", *[200] * 6)
    action = {"type": "webhook", "url": recorder.url("figures-hourly")}
    now = datetime.now(UTC)
    hourly = hours_until(now, count=6)
    job = str(stack.create_job(name="hourly figures", schedule=hourly, action=action)["job_id"])
    span = {"from": (now - timedelta(hours=6)).isoformat(), "to": now.isoformat()}
    started = stack.api.post(f"/v1/jobs/{job}/backfill", json=span).raise_for_status()
    operation = str(started.json()["operation_id"])
    until(stack, f"/v1/operations/{operation}", status="succeeded")
    return job, operation
