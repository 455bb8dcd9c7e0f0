"""Runs whose answers kill the worker, among those of another tenant on the deployed stack."""

import sys
from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from tests.support.deployed.deadly_target import DeadlyTarget, deadly_target
from tests.support.deployed.stack import Stack, wait_until

pytestmark = pytest.mark.deep

KILLERS = 2
NEIGHBOURS = 20
#: Time for everything to be created before anything is due.
DUE_IN = timedelta(seconds=25)
#: A killer takes a delivery each 20 s, four of them, and the sweeper if the queue cannot tell.
SECONDS = 420


@pytest.fixture
def deadly() -> Iterator[DeadlyTarget]:
    with deadly_target() as target:
        yield target


def create(api: Any, name: str, url: str, due_at: datetime) -> str:  # noqa: ANN401 - an HTTP client
    answer = api.post(
        "/v1/jobs",
        json={
            "name": name,
            "schedule": {"kind": "at", "at": due_at.isoformat()},
            "action": {"type": "webhook", "url": url},
            "priority": "high",
        },
    )
    assert answer.status_code == 201, answer.text
    return str(answer.json()["job_id"])


def ended(api: Any, jobs: list[str]) -> list[dict[str, Any]] | None:  # noqa: ANN401
    """The only run of each, once all have ended."""
    runs = [run for job in jobs for run in api.get(f"/v1/jobs/{job}/runs").json()["items"]]
    done = [run for run in runs if run["state"] not in {"waiting", "queued", "running"}]
    return done if len(done) == len(jobs) else None


def test_only_the_runs_that_kill_are_given_up(
    stack: Stack,
    deadly: DeadlyTarget,
    record_property: Any,  # noqa: ANN401 - pytest's own
) -> None:
    """Twenty runs of another tenant in the same batches all succeed."""
    due_at = (datetime.now(UTC) + DUE_IN).replace(microsecond=0)
    killers = [create(stack.api, f"k{n}", deadly.url(f"kill-{n}"), due_at) for n in range(KILLERS)]
    others = [
        create(stack.other_api, f"n{n}", deadly.url(f"ok-{n}"), due_at) for n in range(NEIGHBOURS)
    ]
    spared = wait_until(
        lambda: ended(stack.other_api, others), seconds=SECONDS, pause=3, what=lambda: deadly.calls
    )
    buried = wait_until(
        lambda: ended(stack.api, killers), seconds=SECONDS, pause=3, what=lambda: deadly.calls
    )
    again = sum(deadly.calls[f"ok-{n}"] > 1 for n in range(NEIGHBOURS))
    fences = Counter(run["fence"] for run in spared if "fence" in run)
    numbers = {"workers killed": len(deadly.killed), "called again": again, "fences": dict(fences)}
    record_property("killers", numbers)
    sys.stderr.write(f"{numbers}\n")

    assert Counter(run["state"] for run in spared) == {"succeeded": NEIGHBOURS}
    assert Counter(run["state"] for run in buried) == {"dead_lettered": KILLERS}
    assert {run["reason"] for run in buried} <= {"kills_workers", "poison_message"}
    assert len(deadly.killed) >= 4
