"""Measure the lateness of sub-second jobs on the local stack (N4): one JSON line.

    {"jobs": 200, "spread_seconds": 60, "count": 200, "early": 0, "p50_ms": 0, …, "arrival": {…}}

Lateness is the start of a run, as its record says it, minus the instant it was due. ``arrival`` is
measured by the target itself, on the same clock: when the request had arrived, minus that instant.
Exits with 1 when a run is missing, early, or p99 is not below 100 ms.
"""

import json
import math
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta

from infra.local.__main__ import HOME
from infra.local.access import profile_path
from infra.local.cloud import LocalCloud
from infra.local.demo.show import warm
from infra.local.deployment import deploy
from infra.local.webhook_target import Request, recording
from timegate.client import TimegateClient, load_profile
from timegate.domain.values.instants import rfc3339

JOBS = 200
SPREAD_SECONDS = 60.0
#: From creating the jobs to the first of them.
HEAD_START = timedelta(seconds=25)
LIMIT_MS = 100.0


def main() -> None:
    """Create the jobs, wait for them, report."""
    cloud = LocalCloud.running(HOME)
    if cloud is None:
        sys.exit("No local stack is running: make local.")
    warm(cloud, deploy(cloud))
    profile = load_profile({"TIMEGATE_PROFILE_FILE": str(profile_path())})
    with TimegateClient(profile) as timegate, recording() as target:
        _measure(timegate, target.url("warm-up"), jobs=20, spread_seconds=2.0)
        lateness = _measure(timegate, target.url("bench"), JOBS, SPREAD_SECONDS)
        arrivals = sorted(_arrival_ms(request) for request in target.requests("bench"))
    report = {"jobs": JOBS, "spread_seconds": SPREAD_SECONDS, **summary(lateness)}
    sys.stdout.write(f"{json.dumps(report | {'arrival': summary(arrivals)})}\n")
    good = report["count"] == JOBS and report["early"] == 0
    sys.exit(not (good and percentile(lateness, 99) < LIMIT_MS))


def summary(values: list[float]) -> dict[str, float]:
    """Summarise sorted values, in milliseconds."""
    return {
        "count": len(values),
        "early": sum(value < 0 for value in values),
        **{f"p{p}_ms": percentile(values, p) for p in (50, 95, 99)},
        "max_ms": percentile(values, 100),
    }


def percentile(values: list[float], percent: int) -> float:
    """The smallest value that so many percent of the sorted values do not exceed."""
    if not values:
        return math.inf
    return values[math.ceil(len(values) * percent / 100) - 1]


def _measure(timegate: TimegateClient, url: str, jobs: int, spread_seconds: float) -> list[float]:
    """The lateness of every run that ended well, in milliseconds, sorted."""
    first = datetime.now(UTC) + HEAD_START
    dues = [first + timedelta(seconds=spread_seconds * n / jobs) for n in range(jobs)]
    with ThreadPoolExecutor(2) as pool:
        job_ids = list(pool.map(lambda due: _create(timegate, url, due), dues))
    time.sleep(max(0.0, (dues[-1] - datetime.now(UTC)).total_seconds() + 3))
    found = (run for job_id in job_ids for run in timegate.list_runs(job_id)["items"])
    return sorted(run["lateness_ms"] or 0 for run in found if run["state"] == "succeeded")


def _arrival_ms(request: Request) -> float:
    due = datetime.fromisoformat(request.headers["timegate-scheduled-at"])
    return round((request.arrived_at - due) / timedelta(milliseconds=1), 1)


def _create(timegate: TimegateClient, url: str, due: datetime) -> str:
    job_id: str = timegate.create_job(
        {
            "name": "bench lateness",
            "schedule": {"kind": "at", "at": rfc3339(due)},
            "action": {"type": "webhook", "url": url},
            "precision": "subsecond",
        }
    )["job_id"]
    return job_id


if __name__ == "__main__":
    main()
