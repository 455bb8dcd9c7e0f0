"""Measure how late jobs of both lanes start on an idle local stack (N4): one JSON line.

    {"jobs": 200, "spread_seconds": 60, "lanes": {"subsecond": {"start": {…}, "arrival": {…}}, …}}

``start`` is the start of a run, as its record says it, minus the instant it was due. ``arrival`` is
measured by the target itself, on the same clock: when the request had arrived, minus that instant.
Exits with 1 when a run is missing, early, or a lane's p99 is not below its limit.

    python -m bench.lateness
"""

import json
import math
import sys
import time
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from typing import Any

from bench.alternatives.origin import origin
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
#: Bounds of p99, by the precision of a job.
LIMITS_MS = {"subsecond": 100.0, "second": 1000.0}
#: Points of the curve that a page draws: every twentieth of the runs.
CURVE = range(5, 101, 5)


def main() -> None:
    """Create the jobs, wait for them, report."""
    cloud = LocalCloud.running(HOME)
    if cloud is None:
        sys.exit("No local stack is running: make local.")
    warm(cloud, deploy(cloud))
    profile = load_profile({"TIMEGATE_PROFILE_FILE": str(profile_path())})
    with TimegateClient(profile) as timegate, recording() as target:
        _measure(timegate, target.url("warm-up"), "subsecond", jobs=20, spread_seconds=2.0)
        lanes = {}
        for lane in LIMITS_MS:
            starts = _measure(timegate, target.url(lane), lane, JOBS, SPREAD_SECONDS)
            arrivals = sorted(_arrival_ms(request) for request in target.requests(lane))
            lanes[lane] = {"start": summary(starts), "arrival": summary(arrivals)}
    report = {"jobs": JOBS, "spread_seconds": SPREAD_SECONDS, "lanes": lanes}
    sys.stdout.write(f"{json.dumps({**origin(), **report})}\n")
    sys.exit(not all(_is_good(lanes[lane]["start"], limit) for lane, limit in LIMITS_MS.items()))


def _is_good(starts: Mapping[str, Any], limit_ms: float) -> bool:
    return bool(starts["count"] == JOBS and not starts["early"] and starts["p99_ms"] < limit_ms)


def summary(values: list[float]) -> dict[str, Any]:
    """Summarise sorted values, in milliseconds."""
    return {
        "count": len(values),
        "early": sum(value < 0 for value in values),
        **{f"p{p}_ms": percentile(values, p) for p in (50, 95, 99)},
        "max_ms": percentile(values, 100),
        "curve_ms": [percentile(values, percent) for percent in CURVE],
    }


def percentile(values: list[float], percent: int) -> float:
    """The smallest value that so many percent of the sorted values do not exceed."""
    if not values:
        return math.inf
    return values[math.ceil(len(values) * percent / 100) - 1]


def _measure(
    timegate: TimegateClient, url: str, precision: str, jobs: int, spread_seconds: float
) -> list[float]:
    """The lateness of every run that ended well, in milliseconds, sorted."""
    first = datetime.now(UTC) + HEAD_START
    dues = [first + timedelta(seconds=spread_seconds * n / jobs) for n in range(jobs)]
    with ThreadPoolExecutor(2) as pool:
        job_ids = list(pool.map(lambda due: _create(timegate, url, precision, due), dues))
    time.sleep(max(0.0, (dues[-1] - datetime.now(UTC)).total_seconds() + 3))
    found = (run for job_id in job_ids for run in timegate.list_runs(job_id)["items"])
    return sorted(run["lateness_ms"] or 0 for run in found if run["state"] == "succeeded")


def _arrival_ms(request: Request) -> float:
    due = datetime.fromisoformat(request.headers["timegate-scheduled-at"])
    return round((request.arrived_at - due) / timedelta(milliseconds=1), 1)


def _create(timegate: TimegateClient, url: str, precision: str, due: datetime) -> str:
    job: Any = {
        "name": "bench lateness",
        "schedule": {"kind": "at", "at": rfc3339(due)},
        "action": {"type": "webhook", "url": url},
        "precision": precision,
    }
    return str(timegate.create_job(job)["job_id"])


if __name__ == "__main__":
    main()
