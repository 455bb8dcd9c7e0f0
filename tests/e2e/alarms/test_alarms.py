"""Alarms ring by real faults, and end when their runbooks are followed.

Faults of records come first, while the planner ticks; then all others at once. Few waits serve all,
for an alarm takes some of its minutes, which last four seconds here. Ticks come each minute of the
clock: to these alarms that is silence, so they are quiet only while the test ticks by hand.
"""

import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cached_property
from typing import Any

import pytest
from botocore.exceptions import ClientError

from infra.local.webhook_target import Recorder
from infra.rollout_choice import LIVE
from tests.e2e.alarms.alarm_watch import AlarmWatch
from tests.e2e.alarms.record_faults import SHARDS, RecordFaults
from tests.e2e.alarms.rung_alarms import OF_FAULTS, OF_RECORDS, PREFIX
from tests.support.deployed.deadly_target import DeadlyTarget, deadly_target
from tests.support.deployed.reconfiguring import configure
from tests.support.deployed.stack import Stack, switch_schedule, switch_sources

pytestmark = [pytest.mark.deep, pytest.mark.timeout(1_800)]

#: Until all are quiet, in the end at once: looks of the sweeper begin anew, and the alarm on the
#: archive, whose tick comes once an hour, ends two hours of four seconds a minute after it.
QUIET_SECONDS = 640
#: A run has to kill four executors, and each leaves a lease that must end.
KILLS_SECONDS = 300
NO_RUN = "this is no run"


@dataclass
class Faults:
    """Faults of the deployed stack, each with what its runbook does about it."""

    stack: Stack
    recorder: Recorder
    deadly: DeadlyTarget
    #: Jobs whose runs were given up.
    jobs: list[str] = field(default_factory=list)

    def tick(self) -> None:
        """Tick by hand, as the runbooks of silent functions say."""
        for function in ("Planner", "Sweeper", "Auditor", "Archiver"):
            self.stack.invoke(f"{function}FunctionName", {"shards": SHARDS})

    def make(self) -> None:
        """Make every fault."""
        for output in ("PlannerFunctionName", "SweeperFunctionName"):
            switch_schedule(self.stack, output, "DISABLED")
        # A sweeper that looks between two deliveries would publish a killer's run once more.
        switch_sources(self.stack, PREFIX + "sweeper", on=False)
        switch_sources(self.stack, PREFIX + "relay", on=False)
        switch_sources(self.stack, PREFIX + "dead_letter", on=False, source="low-long-dlq")
        self._kill_executors()
        self._give_up_a_run()
        self._give_up_at_a_worker()
        self._send(json.loads(self.stack.outputs["DeadLetterQueueUrls"])["low-long"])
        self._send(json.loads(self.stack.outputs["DeadLetterQueueUrls"])["low-short"])
        self._send(self._queue("ticks-dlq"))
        configure(self.stack, self._auditor, Handler="auditor.handler.nothing")
        self._functions.put_function_concurrency(
            FunctionName=PREFIX + "dag_runs", ReservedConcurrentExecutions=0
        )

    def suffer(self) -> None:
        """Have functions called that cannot answer."""
        functions = [*[self._auditor] * 4, *[PREFIX + "dag_runs"] * 12]
        with ThreadPoolExecutor(len(functions)) as pool:
            list(pool.map(self._call, functions))

    def _call(self, function: str) -> None:
        with suppress(ClientError):
            self._functions.invoke(
                FunctionName=function, Qualifier=LIVE, Payload=b'{"shards": [0]}'
            )

    def mend(self) -> None:
        """Follow the runbooks: functions first, for queues are emptied by them."""
        configure(self.stack, self._auditor, Handler="auditor.handler.handle")
        self._functions.delete_function_concurrency(FunctionName=PREFIX + "dag_runs")
        switch_sources(self.stack, PREFIX + "dead_letter", on=True, source="low-long-dlq")
        switch_sources(self.stack, PREFIX + "relay", on=True)
        switch_sources(self.stack, PREFIX + "sweeper", on=True)
        self.deadly.is_repaired = True
        for output in ("PlannerFunctionName", "SweeperFunctionName"):
            switch_schedule(self.stack, output, "ENABLED")
        for job in self.jobs:
            (letter,) = self._letters(job)
            self.stack.api.post(f"/v1/dead-letters/{letter}/redrive").raise_for_status()

    def tidy(self) -> None:
        """Tick by hand, and delete parked messages, which are understood."""
        self.tick()
        for url in (self._queue("rejected"), self._queue("ticks-dlq")):
            for each in self._queues.receive_message(QueueUrl=url, MaxNumberOfMessages=10).get(
                "Messages", []
            ):
                self._queues.delete_message(QueueUrl=url, ReceiptHandle=each["ReceiptHandle"])

    def _kill_executors(self) -> None:
        """Let a run kill each executor that is given it, as one does that takes all memory."""
        self._once({"type": "webhook", "url": self.deadly.url("kill")}, priority="high")

    def _give_up_a_run(self) -> None:
        """Let a target refuse a run; its relay stands still, so its creator publishes it."""
        self.recorder.answer("rings", 503)
        self._once({"type": "webhook", "url": self.recorder.url("rings")})

    def _give_up_at_a_worker(self) -> None:
        """Let a worker of a pool refuse a run, whose offer no relay has to publish."""
        self._once({"type": "worker", "pool": "rings", "handler": "ring"})
        api = self.stack.api
        asked = {"worker": "ringer", "max": 1, "wait_seconds": 10}
        (run,) = api.post("/v1/pools/rings/claim", json=asked).raise_for_status().json()["runs"]
        said = {
            "lease_token": run["lease_token"],
            "error": {"code": "refused", "type": "Refused", "message": "No."},
        }
        api.post(f"/v1/runs/{run['run_id']}/fail", json=said).raise_for_status()

    def _once(self, action: dict[str, str], **more: object) -> None:
        """Create a job of one attempt at one run."""
        job = self.stack.create_job(
            name="rings",
            schedule={"kind": "immediate"},
            action=action,
            retry={"max_attempts": 1},
            **more,
        )
        self.jobs.append(job["job_id"])

    def _letters(self, job_id: str) -> list[str]:
        answer = self.stack.api.get("/v1/dead-letters", params={"job_id": job_id})
        return [row["run_id"] for row in answer.raise_for_status().json()["items"]]

    def _send(self, url: str) -> None:
        self._queues.send_message(QueueUrl=url, MessageBody=NO_RUN)

    def _queue(self, name: str) -> str:
        return str(self._queues.get_queue_url(QueueName=PREFIX + name)["QueueUrl"])

    @property
    def _auditor(self) -> str:
        return self.stack.outputs["AuditorFunctionName"]

    @cached_property
    def _functions(self) -> Any:  # noqa: ANN401 - a boto3 client
        return self.stack.aws("lambda")

    @cached_property
    def _queues(self) -> Any:  # noqa: ANN401 - a boto3 client
        return self.stack.aws("sqs")


@pytest.fixture(scope="module")
def deadly() -> Iterator[DeadlyTarget]:
    """A target that kills its callers."""
    with deadly_target() as target:
        yield target


@pytest.fixture(scope="module")
def rung(stack: Stack, recorder: Recorder, deadly: DeadlyTarget) -> dict[str, list[str]]:
    """The states that each alarm went through: quiet, rung by its fault, mended."""
    faults, records = Faults(stack, recorder, deadly), RecordFaults(stack)
    watch = AlarmWatch(stack)
    watch.wait_until_quiet(OF_FAULTS, faults.tidy, QUIET_SECONDS)
    began_at = datetime.now(UTC)
    records.make()
    watch.wait_until_rung(OF_RECORDS, began_at, records.suffer)
    records.mend()
    faults.make()
    try:
        left = set(OF_FAULTS) - OF_RECORDS
        watch.wait_until_rung(left, began_at, faults.suffer, KILLS_SECONDS)
    finally:
        faults.mend()
    watch.wait_until_quiet(OF_FAULTS, faults.tidy, QUIET_SECONDS)
    return watch.seen


@pytest.mark.parametrize("alarm", OF_FAULTS)
def test_an_alarm_rings_by_its_fault_and_ends_by_its_runbook(
    rung: dict[str, list[str]], alarm: str
) -> None:
    """Quiet, on, and quiet again."""
    assert rung.get(alarm) == ["OK", "ALARM", "OK"]
