"""Measure memory and processor time of the functions at full batches, on the local stack.

    {"functions": {"executor-normal-short": {"peak_mb": 62.0, "items": 300, "cpu_ms": 2.9}, …}, …}

``peak_mb`` is the largest resident memory that any process of a function had, ``cpu_ms`` its
processor time for an item: a run, or a request of the API. Loads: one-shots that are due in one
second; calls that last, so many in one environment as it takes; and the same with the largest
payloads and answers. Lambda's own runtime is in it as the emulator's worker is.

    python -m bench.alternatives.memory
"""

import json
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from bench.alternatives.origin import origin
from bench.alternatives.processor_time import of_process, workers
from infra.local.__main__ import HOME
from infra.local.access import profile_path
from infra.local.cloud import LocalCloud
from infra.local.demo.show import warm
from infra.local.deployment import deploy
from infra.local.webhook_target import Recorder, Request, recording
from infra.stage.capacity import CLASSES
from timegate.client import TimegateClient, load_profile
from timegate.domain.values.instants import rfc3339

#: One-shots that are due in one second.
BURST = 300
#: Calls that last, in one environment.
LONG = CLASSES["long"].runs_at_once
LASTING_SECONDS = 12.0
#: Bytes of a small payload and answer, and of the largest that are stored (J11).
SMALL, LARGE = 200, 250_000
#: From the last creation to the instant.
AHEAD = timedelta(seconds=10)
#: Creations that are expected in a second, with a margin.
CREATIONS_A_SECOND = 3
PATIENCE_SECONDS = 300.0
#: Runs of the bench are of a lane that nothing else uses.
LANE = "executor-low-long"
_STAGE = "timegate-local-"


def main() -> None:
    """Put each load on the stack, and read what its functions took."""
    cloud = LocalCloud.running(HOME)
    if cloud is None:
        sys.exit("No local stack is running: make local.")
    warm(cloud, deploy(cloud))
    profile = load_profile({"TIMEGATE_PROFILE_FILE": str(profile_path())})
    with TimegateClient(profile) as timegate, recording() as target:
        load = _Load(cloud, timegate, target)
        functions = load.measure("burst", BURST, SMALL, 0.0, "normal", "short")
        peaks = {}
        with _one_environment(cloud):
            for name, size in (("long calls", SMALL), ("large long calls", LARGE)):
                found = load.measure(name, LONG, size, LASTING_SECONDS, "low", "long")
                peaks[name] = found[LANE] | {"most_at_once": load.most}
    report = {"burst": BURST, "functions": functions, "long": peaks}
    sys.stdout.write(f"{json.dumps({**origin(), **report})}\n")


class _Load:
    """Runs of web hooks, all due at one instant."""

    def __init__(self, cloud: LocalCloud, timegate: TimegateClient, target: Recorder) -> None:
        self._cloud, self._timegate, self._target = cloud, timegate, target
        self._now = 0
        self.most = 0

    def measure(
        self, name: str, runs: int, size: int, seconds: float, priority: str, resource_class: str
    ) -> dict[str, dict[str, Any]]:
        """Return peak memory and processor time for each run, by function."""
        path, before = name.replace(" ", "-"), self._cpu()
        self.most = 0
        self._target.work(path, lambda request: self._answer(request, size, seconds))
        due = datetime.now(UTC) + AHEAD + timedelta(seconds=runs / CREATIONS_A_SECOND)
        job: Any = {
            "name": name,
            "schedule": {"kind": "at", "at": rfc3339(due)},
            "action": {"type": "webhook", "url": self._target.url(path)},
            "payload": {"text": "x" * size},
            "priority": priority,
            "resource_class": resource_class,
        }
        with ThreadPoolExecutor(2) as pool:
            list(pool.map(lambda _: self._timegate.create_job(job), range(runs)))
        deadline = time.monotonic() + PATIENCE_SECONDS
        while len(self._target.requests(path)) < runs or self._now:
            if time.monotonic() > deadline:
                sys.exit(f"{name}: {len(self._target.requests(path))} of {runs} runs called.")
            time.sleep(0.5)
        time.sleep(AHEAD.total_seconds())
        return self._read(before, runs)

    def _answer(self, _: Request, size: int, seconds: float) -> dict[str, str]:
        self._now += 1
        self.most = max(self.most, self._now)
        time.sleep(seconds)
        self._now -= 1
        return {"text": "y" * size}

    def _cpu(self) -> dict[int, float]:
        return {pid: of_process(pid) for pid, _ in workers(self._cloud.pid)}

    def _read(self, before: dict[int, float], items: int) -> dict[str, dict[str, Any]]:
        found: dict[str, dict[str, Any]] = {}
        for pid, function in workers(self._cloud.pid):
            if not function.startswith(_STAGE):
                continue  # It is another bench's.
            each = found.setdefault(
                function.removeprefix(_STAGE), {"peak_mb": 0.0, "items": items, "cpu_ms": 0.0}
            )
            each["peak_mb"] = max(each["peak_mb"], _peak_mb(pid))
            spent = of_process(pid) - before.get(pid, 0.0)
            each["cpu_ms"] = round(each["cpu_ms"] + spent * 1000 / items, 3)
        return found


def _peak_mb(pid: int) -> float:
    """Return the largest resident memory that a process had; 0 once it is gone."""
    try:
        status = Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return 0.0
    (line,) = [each for each in status.splitlines() if each.startswith("VmHWM:")]
    return round(int(line.split()[1]) / 1024, 1)


@contextmanager
def _one_environment(cloud: LocalCloud) -> Iterator[None]:
    """Let the lane have one environment, which takes all the runs that it may."""
    functions = cloud.client("lambda")
    name = f"{_STAGE}{LANE}"
    functions.put_function_concurrency(FunctionName=name, ReservedConcurrentExecutions=1)
    try:
        yield
    finally:
        functions.delete_function_concurrency(FunctionName=name)


if __name__ == "__main__":
    main()
