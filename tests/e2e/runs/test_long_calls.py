"""Long calls share an environment: more are under way than Lambda's batches would hold."""

from infra.local.webhook_target import Recorder
from infra.stage.settings import QUEUE_KEYS, STAGES
from tests.e2e.runs.test_main_job import webhook
from tests.support.deployed.stack import Stack

LANE = "low-long"
#: Runs that Lambda hands over at once: each environment of the lane has a batch of ten.
BATCHED = 10 * next(STAGES["local"].max_concurrency(key) for key in QUEUE_KEYS if str(key) == LANE)
#: A slow machine starts the lane's processes for many seconds.
PATIENCE_SECONDS = 180.0


def test_more_calls_are_under_way_than_batches_hold(stack: Stack, recorder: Recorder) -> None:
    """No call ends before all have begun; each run is called once and ends as it should."""
    held = recorder.hold("held")
    priority, resource_class = LANE.split("-")
    jobs = [
        stack.create_job(
            name=f"long {number}",
            schedule={"kind": "immediate"},
            action=webhook(recorder, "held"),
            priority=priority,
            resource_class=resource_class,
            timeout_seconds=600,
        )["job_id"]
        for number in range(BATCHED + 5)
    ]
    called = recorder.wait_for("held", len(jobs), seconds=PATIENCE_SECONDS)
    held.set()
    runs = [run for job_id in jobs for run in stack.wait_for_runs(job_id, 1)]

    assert {run["state"] for run in runs} == {"succeeded"}
    assert len({request.run_id for request in called}) == len(jobs)
    assert len(recorder.requests("held")) == len(jobs)
