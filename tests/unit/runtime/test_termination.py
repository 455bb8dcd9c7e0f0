"""A worker's process that is told to stop: a real process, and a real signal."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Timer

REPOSITORY = Path(__file__).resolve().parents[3]

#: Works on one run whose target never answers, and tells what became of it.
WORKER = """
import json, time
from datetime import UTC, datetime, timedelta
from threading import Event

from tests.support.execution.executing import only, prepare
from tests.support.factories import attempt_factory, attempt_id
from tests.support.world import World
from timegate.adapters.system_clock import SystemClock
from timegate.adapters.threaded_call_runner import ThreadedCallRunner
from timegate.domain.execution.call import Answer
from timegate.domain.jobs.delivery import DeliveryMode
from timegate.domain.values.instants import to_milliseconds
from timegate.domain.runs.run import RunState
from timegate.runtime.termination import Termination
from timegate.usecases.services.completions import Completions
from timegate.usecases.execution.execute_batch import execute_batch


class Silent:
    def invoke(self, call):
        print("called", flush=True)
        Event().wait()
        return Answer(text="never")


world = World(now=datetime.now(UTC))
call_runner = ThreadedCallRunner(Silent(), SystemClock())
termination = Termination(call_runner.close)
termination.install()
{body}
"""
WORKING = """
now = to_milliseconds(datetime.now(UTC))
attempt = attempt_factory(id=attempt_id(scheduled_at=now), due_at=now, state=RunState.QUEUED)
message = prepare(world, attempt, anchored_at=now, delivery=DeliveryMode("{mode}"))
world.call_runner = call_runner
execution = world.execution(stops_at=now + timedelta(hours=1))
from dataclasses import replace
execution = replace(execution, clock=SystemClock())
with termination.working():
    again = execute_batch([message], execution, Completions(world.runs, world.telemetry))
ended = only(world)
error = ended.error.code if ended.error else None
told = {{"state": ended.state, "releases": ended.releases, "again": sorted(again), "error": error}}
print(json.dumps(told), flush=True)
"""
IDLE = """
print("idle", flush=True)
time.sleep(60)
"""


@contextmanager
def process(body: str) -> Iterator[subprocess.Popen[str]]:
    """The worker, with the code of this repository."""
    paths = [REPOSITORY, REPOSITORY / "layers/core/python", REPOSITORY / "functions"]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(map(str, paths))}
    command = [sys.executable, "-c", WORKER.replace("{body}", body)]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, text=True, env=environment, cwd=REPOSITORY
    ) as worker:
        # A worker that does not react must not keep the test waiting.
        watchdog = Timer(60, worker.kill)
        watchdog.start()
        yield worker
        watchdog.cancel()
        worker.kill()


def stopped(mode: str) -> dict[str, object]:
    """Return the report of a worker that was stopped while its target worked."""
    with process(WORKING.format(mode=mode)) as worker:
        assert worker.stdout is not None
        assert worker.stdout.readline() == "called\n"
        worker.send_signal(signal.SIGTERM)
        told: dict[str, object] = json.loads(worker.stdout.readline())
        assert worker.wait(20) == 0
        return told


def test_a_worker_that_is_told_to_stop_hands_its_run_back() -> None:
    """Its process ends by itself, and not before the record is written."""
    assert stopped("at_least_once") == {
        "state": "queued",
        "releases": 1,
        "again": [],
        "error": None,
    }


def test_what_may_run_once_only_is_ended_instead() -> None:
    """With an error that says why."""
    assert stopped("at_most_once") == {
        "state": "failed",
        "releases": 0,
        "again": [],
        "error": "worker_stopped",
    }


def test_an_idle_worker_ends_at_once() -> None:
    """It holds nothing."""
    with process(IDLE) as worker:
        assert worker.stdout is not None
        assert worker.stdout.readline() == "idle\n"
        worker.send_signal(signal.SIGTERM)

        assert worker.wait(20) == 0
