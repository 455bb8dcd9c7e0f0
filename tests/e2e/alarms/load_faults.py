"""Faults by which runs are late, and requests fail: each with what its runbook does.

They need hours, or a lane that works slower than its runs come. The stack's clock can be set.
"""

import struct
import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import timedelta
from functools import cached_property
from http import HTTPStatus
from itertools import count
from pathlib import Path
from typing import Any

import httpx

from infra.local.clock import CloudClock
from infra.local.shifted.sitecustomize import SETTING, VARIABLE
from infra.local.webhook_target import Recorder, Request
from tests.e2e.alarms.given_commands import commands, given
from tests.e2e.alarms.rung_alarms import PREFIX
from tests.support.deployed.deployed_losses import DeployedLosses
from tests.support.deployed.reconfiguring import answers, configure, reconfigure
from tests.support.deployed.stack import Stack, switch_sources, wait_until

#: A message waits for so long, and a lost run is overdue for its auditor.
LONG = timedelta(minutes=25)
SHARDS = [0, 1, 2, 3]
STOPPED, SLOW, SKEWED = (
    PREFIX + f"executor-{lane}" for lane in ("critical-short", "high-short", "low-short")
)
API, RELAY = PREFIX + "api", PREFIX + "relay"
#: Seconds that a target takes; the executor of its lane may run once at a time.
WORKS_SECONDS = 2.0
#: Jobs whose runs wait for each other.
QUEUEING = 3
SKEW_NANOSECONDS = 5_000_000_000
#: A mistake of the test; a rate that is exceeded, or a function that is late, is none.
REFUSED = {HTTPStatus.BAD_REQUEST, HTTPStatus.CONFLICT, HTTPStatus.UNPROCESSABLE_ENTITY}
#: Requests at once; the alarm counts five in each of two minutes.
REQUESTS = 6


@dataclass
class LoadFaults:
    """Faults of a stack that nothing else uses."""

    stack: Stack
    recorder: Recorder
    clock: CloudClock
    home: Path
    #: Those that are there.
    jobs: list[str] = field(default_factory=list)
    _numbers: Iterator[int] = field(default_factory=count)

    # --- hours pass

    def let_hours_pass(self) -> None:
        """Let a message wait in its queue, a run in its stream, and a record be gone, for long."""
        lost = self.create("lost", {"kind": "rate", "every_seconds": 2, "max_runs": 3})
        ran = self.stack.wait_for_runs(lost, 3)
        self.stop_lane()
        switch_sources(self.stack, RELAY, on=False)
        self.create("unread", {"kind": "delay", "delay_seconds": 10})
        DeployedLosses(self.stack).lose_run(ran[-1])
        self.clock.jump_to(self.clock.now() + LONG)

    def stop_lane(self) -> None:
        """Let no executor of a lane receive the message that waits there."""
        switch_sources(self.stack, STOPPED, on=False)
        self.create("waits", {"kind": "immediate"}, priority="critical")
        wait_until(lambda: self._waiting("critical-short") or None, seconds=60)

    def audit(self) -> None:
        """Let the auditor look at all that is due by now."""
        self.stack.invoke("AuditorFunctionName", {"shards": SHARDS})

    def go_on(self) -> None:
        """Switch lane and relay on again; their runs start late."""
        switch_sources(self.stack, RELAY, on=True)
        switch_sources(self.stack, STOPPED, on=True)
        self._delete_jobs()

    # --- more runs than the lane can start

    def overload(self) -> None:
        """Let few workers serve many runs, let runs wait for each other, and skew a clock."""
        self.recorder.work("slow", _work)
        self._functions.put_function_concurrency(FunctionName=SLOW, ReservedConcurrentExecutions=1)
        reconfigure(self.stack, SKEWED, **{VARIABLE: str(self._clock_behind())})
        for number in range(QUEUEING):
            self.create(
                f"queues-{number}",
                {"kind": "rate", "every_seconds": 1},
                path="slow",
                overlap={"policy": "queue"},
            )

    def suffer(self) -> None:
        """Let more runs come than the lane starts."""
        for _ in range(2):
            self.create("crowd", {"kind": "immediate"}, priority="high", path="slow")
        self.create("skewed", {"kind": "immediate"}, priority="low")

    def relieve(self) -> None:
        """Follow the runbooks: give the lane its concurrency, and take the load away."""
        self._functions.delete_function_concurrency(FunctionName=SLOW)
        self._begin_new_environments()
        self._delete_jobs()

    def _begin_new_environments(self) -> None:
        """Give the commands of the runbook; new environments have a clock that is right.

        Running ones have mapped the file that was there when they began.
        """
        right = self.home / "right"
        right.hardlink_to(self.clock.file)
        right.replace(self._behind)
        found: Mapping[str, Any] = {}
        for words in commands("Clock skew"):
            known = {"FUNCTION": SKEWED, "VERSION": str(found.get("Version"))}
            found = given(self.stack, [known.get(word, word) for word in words])

    # --- an API that raises

    def call(self) -> None:
        """Call an API whose function raises."""
        with ThreadPoolExecutor(REQUESTS) as pool:
            list(pool.map(lambda _: self._ask(), range(REQUESTS)))

    def break_api(self) -> None:
        """Let the API's function know its table by a wrong name."""
        self._name_table(lambda name: f"{name}-gone")

    def mend_api(self) -> None:
        """Let it know the right one again, as a deployment would."""
        self._name_table(lambda name: name.removesuffix("-gone"))
        wait_until(lambda: answers(self.stack), seconds=180)

    def _name_table(self, change: Callable[[str], str]) -> None:
        found = self._functions.get_function_configuration(FunctionName=API)
        variables = found["Environment"]["Variables"]
        changed = {"JOBS_TABLE": change(variables["JOBS_TABLE"])}
        configure(self.stack, API, Environment={"Variables": variables | changed})

    # --- parts of these

    def _ask(self) -> None:
        with suppress(httpx.TimeoutException):
            self.stack.api.get("/v1/jobs")

    def create(
        self,
        name: str,
        schedule: Mapping[str, object],
        path: str = "",
        **more: object,
    ) -> str:
        """Create a job; a function that starts on a busy machine may answer too late at first."""
        url = self.recorder.url(path or f"alarms-{name}")
        fields = {"name": name, "schedule": schedule, "action": {"type": "webhook", "url": url}}
        proof = {"idempotency-key": f"{name}-{next(self._numbers)}"}

        def created() -> str | None:
            with suppress(httpx.TimeoutException):
                answer = self.stack.api.post("/v1/jobs", json=fields | more, headers=proof)
                assert answer.status_code not in REFUSED, answer.text
                return str(answer.json()["job_id"]) if answer.is_success else None
            return None

        self.jobs.append(wait_until(created, seconds=180, pause=1))
        return self.jobs[-1]

    def _delete_jobs(self) -> None:
        while self.jobs:
            path = f"/v1/jobs/{self.jobs.pop()}"
            # The tenant's rate of requests refuses some of them for a moment.
            wait_until(lambda: self._is_deleted(path) or None, seconds=30, pause=1)  # noqa: B023

    def _is_deleted(self, path: str) -> bool:
        return self.stack.api.delete(path).status_code in {HTTPStatus.OK, HTTPStatus.NO_CONTENT}

    def _clock_behind(self) -> Path:
        """Write a clock that is behind the cloud's."""
        standing, ahead = struct.unpack(SETTING, self.clock.file.read_bytes())
        self._behind.write_bytes(struct.pack(SETTING, standing, ahead - SKEW_NANOSECONDS))
        return self._behind

    def _waiting(self, queue: str) -> bool:
        """Tell if a message of this lane waits to be received."""
        url = self._queues.get_queue_url(QueueName=PREFIX + queue)["QueueUrl"]
        name = "ApproximateNumberOfMessages"
        found = self._queues.get_queue_attributes(QueueUrl=url, AttributeNames=[name])
        return int(found["Attributes"][name]) > 0

    @property
    def _behind(self) -> Path:
        """The clock of the lane that is skewed."""
        return self.home / "behind"

    @cached_property
    def _functions(self) -> Any:  # noqa: ANN401 - a boto3 client
        return self.stack.aws("lambda")

    @cached_property
    def _queues(self) -> Any:  # noqa: ANN401 - a boto3 client
        return self.stack.aws("sqs")


def _work(_: Request) -> dict[str, bool]:
    """Take a target's time; no answer is wanted of it."""
    time.sleep(WORKS_SECONDS)
    return {}
