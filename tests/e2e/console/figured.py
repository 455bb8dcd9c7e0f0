"""Work whose figures and charts are compared."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from infra.local.webhook_target import Recorder
from tests.e2e.console.test_actions import until
from tests.support.deployed.stack import Stack


@dataclass(frozen=True)
class Made:
    """Work that has ended, or waits for good: nothing of it changes while it is read."""

    job: str
    run: str
    hourly: str
    dag_run: str
    operation: str


def filled(stack: Stack, recorder: Recorder) -> tuple[str, str]:
    """A job whose last six hours were backfilled, and the operation that did it."""
    recorder.answer("figures-hourly", *[200] * 6)
    action = {"type": "webhook", "url": recorder.url("figures-hourly")}
    now = datetime.now(UTC)
    # Name the six hours behind it alone: the next hour would add a run while pages are compared.
    hours = ",".join(str((now - timedelta(hours=past)).hour) for past in range(6))
    hourly = {"kind": "cron", "cron": f"0 {hours} * * *", "timezone": "UTC"}
    job = str(stack.create_job(name="hourly figures", schedule=hourly, action=action)["job_id"])
    span = {"from": (now - timedelta(hours=6)).isoformat(), "to": now.isoformat()}
    started = stack.api.post(f"/v1/jobs/{job}/backfill", json=span).raise_for_status()
    operation = str(started.json()["operation_id"])
    until(stack, f"/v1/operations/{operation}", status="succeeded")
    return job, operation
