"""Long runs on the deployed stack: slices, progress, and a worker that is killed half-way."""

import json
import time
from dataclasses import dataclass, field
from threading import Event
from typing import Any

import httpx
import pytest

from infra.local.cloud import ANSWER_SECONDS
from infra.local.webhook_target import Recorder, Request
from tests.support.deployed.stack import Stack, wait_until

pytestmark = pytest.mark.wide

#: Ten minutes of work, scaled down: a row stands for half a minute.
ROWS = 20
ROWS_PER_SLICE = 4
SECONDS_PER_ROW = 0.05
#: In the middle of the third of five slices.
FATAL_ROW = 9


@dataclass
class RowCopier:
    """Copies rows from the last checkpoint on, and orders to go on."""

    #: Copied rows, each with the fence it was copied under.
    copied: list[tuple[int, int]] = field(default_factory=list)
    half_way: Event = field(default_factory=Event)
    killed: Event = field(default_factory=Event)

    def __call__(self, request: Request) -> Any:  # noqa: ANN401 - JSON
        """One slice."""
        told = request.headers.get("timegate-checkpoint")
        first = json.loads(told)["row"] if told else 0
        until = min(first + ROWS_PER_SLICE, ROWS)
        for row in range(first, until):
            time.sleep(SECONDS_PER_ROW)
            self.copied.append((row, request.fence))
            if row == FATAL_ROW and not self.half_way.is_set():
                self.half_way.set()
                self.killed.wait(60)
                return {"too": "late"}
        if until == ROWS:
            return {"copied": ROWS}
        said = {"percent": 100 * until / ROWS, "message": f"row {until}"}
        return {"timegate": {"continue": {"checkpoint": {"row": until}, "progress": said}}}


def test_a_long_run_whose_worker_is_killed_repeats_what_followed_its_last_checkpoint(
    stack: Stack, recorder: Recorder
) -> None:
    """SIGKILL half-way: every row is copied, and two of twenty twice (R12)."""
    copier = RowCopier()
    recorder.work("copier", copier)
    job = stack.create_job(
        name="copy the ledger",
        schedule={"kind": "immediate"},
        action={"type": "webhook", "url": recorder.url("copier")},
        priority="critical",
        timeout_seconds=30,
        overlap={"policy": "queue"},
        long_run={"max_duration_seconds": 600, "max_slices": 50},
    )
    assert copier.half_way.wait(60)
    (before,) = stack.runs(job["job_id"])
    killed = stack.kill_workers(executor(stack, "critical-short"))
    copier.killed.set()
    (run,) = stack.wait_for_runs(job["job_id"], 1, seconds=90)
    rows = [row for row, _ in copier.copied]
    fences = [fence for _, fence in copier.copied]

    assert killed >= 1
    assert (before["slices"]["ended"], before["progress"]["message"]) == (2, "row 8")
    assert rows == [*range(10), *range(8, ROWS)]
    assert fences == sorted(fences)
    assert {fence for row, fence in copier.copied if row == FATAL_ROW} == {3, 4}
    assert (run["attempt"], run["slices"]["ended"]) == (1, 4)
    assert (run["checkpoint"]["sequence"], run["progress"]["percent"]) == (4, 80)
    assert {r.run_id for r in recorder.requests("copier")} == {run["run_id"]}


def test_a_run_between_its_slices_is_cancelled(stack: Stack, recorder: Recorder) -> None:
    """The next slice, which is far away, never begins; a large checkpoint can be read by link."""
    large = {"rows": ["x" * 100] * 30}
    orders = iter([{"checkpoint": large}, {"delay_seconds": 3600}])
    recorder.work("sleeper", lambda _: {"timegate": {"continue": next(orders)}})
    job = stack.create_job(
        name="sleeper",
        schedule={"kind": "immediate"},
        action={"type": "webhook", "url": recorder.url("sleeper")},
        long_run={"max_duration_seconds": 86_400},
    )
    (run,) = stack.wait_for_runs(job["job_id"], 1, state="waiting", seconds=60)
    answer = stack.api.post(f"/v1/runs/{run['run_id']}/cancel")
    second = recorder.requests("sleeper")[1]
    link = second.headers["timegate-checkpoint-link"]

    assert answer.json()["state"] == "cancelled"
    assert run["slices"]["ended"] == 2
    assert second.headers["timegate-slice"] == "2"
    assert large == wait_until(lambda: read(link), seconds=10)
    assert len(recorder.requests("sleeper")) == 2


def read(link: str) -> Any:  # noqa: ANN401 - JSON
    """Return the JSON at a presigned address, or ``None``."""
    answer = httpx.get(link, timeout=ANSWER_SECONDS)
    return answer.json() if answer.status_code == 200 else None


def executor(stack: Stack, key: str) -> str:
    """The function behind a queue."""
    name: str = json.loads(stack.outputs["ExecutorFunctionNames"])[key]
    return name
