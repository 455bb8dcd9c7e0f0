"""Workers as real processes against the deployed stack, killed with SIGKILL and told to stop."""

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from infra.local.access import profile, write_profile
from tests.support.deployed.stack import Stack, wait_until

ROOT = Path(__file__).resolve().parents[3]
REGIONS = [f"region-{number}" for number in range(12)]

Start = Callable[[], subprocess.Popen[bytes]]


@pytest.fixture
def start(stack: Stack, tmp_path: Path) -> Iterator[Start]:
    """Starts the example's worker, as its page says."""
    path = tmp_path / "profile.json"
    write_profile(profile(stack.cloud, stack.outputs, stack.outputs["UserPoolClientId"]), path)
    environ = {
        **{name: text for name, text in os.environ.items() if not name.startswith("TIMEGATE_")},
        "TIMEGATE_PROFILE_FILE": str(path),
        "PYTHONPATH": f"{ROOT}/layers/core/python",
    }
    command = "from timegate.cli.main import app; app()"
    words = [sys.executable, "-c", command, "worker", "run", "examples.worker.closing:worker"]
    processes: list[subprocess.Popen[bytes]] = []

    def begin() -> subprocess.Popen[bytes]:
        with (tmp_path / f"worker-{len(processes)}.log").open("wb") as log:
            processes.append(subprocess.Popen(words, cwd=ROOT, env=environ, stderr=log))
        return processes[-1]

    yield begin
    for process in processes:
        process.kill()
        process.wait()


def close_books(stack: Stack, journal: Path, handler: str = "close-month") -> str:
    """A run that is offered now; its job's id."""
    job = stack.create_job(
        name="close",
        schedule={"kind": "immediate"},
        action={"type": "worker", "pool": "ledgers", "handler": handler},
        payload={"regions": REGIONS, "journal": str(journal)},
        timeout_seconds=600,
    )
    return str(job["job_id"])


def lines(journal: Path) -> list[tuple[str, int]]:
    """Return region and fence of each line."""
    text = journal.read_text() if journal.exists() else ""
    parts = [line.split(" ") for line in text.splitlines()]
    return [(region, int(fence)) for region, fence in parts]


def run_of(stack: Stack, job_id: str) -> dict[str, Any]:
    """Its only run, with attempts."""
    (row,) = stack.runs(job_id)
    run: dict[str, Any] = stack.api.get(f"/v1/runs/{row['run_id']}").json()
    return run


def test_a_killed_workers_run_goes_on_from_its_last_checkpoint(
    stack: Stack, start: Start, tmp_path: Path
) -> None:
    """SIGKILL in mid-run: another worker finishes it, under a higher fence, and repeats no more
    than what followed the last checkpoint.
    """
    journal = tmp_path / "journal.txt"
    job_id = close_books(stack, journal)
    first = start()
    wait_until(lambda: len(lines(journal)) >= 3 or None, seconds=60, what=lambda: lines(journal))
    first.send_signal(signal.SIGKILL)
    first.wait()
    before = lines(journal)
    start()
    stack.wait_for_runs(job_id, 1, seconds=90)
    closed = lines(journal)
    (attempt,) = run_of(stack, job_id)["attempts"]

    # Where the machine is slow a lease may be lost once more.
    assert attempt["fence"] >= 2
    assert [fence for _, fence in closed] == sorted(fence for _, fence in closed)
    assert {region for region, _ in closed} == set(REGIONS)
    # The last region before a lease was lost may have been closed and not yet recorded as such.
    assert 0 <= len(closed) - len(REGIONS) < attempt["fence"]
    assert closed[: len(before)] == before
    assert {fence for _, fence in closed[len(before) :]} & {fence for _, fence in before} == set()


def test_a_worker_that_is_told_to_stop_hands_its_run_on(
    stack: Stack, start: Start, tmp_path: Path
) -> None:
    """SIGTERM, twice for an operator in a hurry: released, and taken up at once by another."""
    journal = tmp_path / "journal.txt"
    job_id = close_books(stack, journal)
    first = start()
    wait_until(lambda: len(lines(journal)) >= 1 or None, seconds=60, what=lambda: lines(journal))
    start()
    first.send_signal(signal.SIGTERM)
    first.send_signal(signal.SIGINT)
    stack.wait_for_runs(job_id, 1, seconds=60)
    (attempt,) = run_of(stack, job_id)["attempts"]

    assert first.wait(30) == 0
    assert attempt["fence"] >= 2
    assert attempt["releases"] >= 1
    assert {region for region, _ in lines(journal)} == set(REGIONS)


def test_a_permanent_failure_of_a_handler_ends_its_run(
    stack: Stack, start: Start, tmp_path: Path
) -> None:
    """And the pool shows who was there."""
    start()
    job_id = close_books(stack, tmp_path / "journal.txt", "reopen-month")
    stack.wait_for_runs(job_id, 1, state="failed", seconds=60)
    run = run_of(stack, job_id)
    pool = stack.api.get("/v1/pools/ledgers").json()

    assert (run["reason"], run["error"]["code"]) == ("permanent", "books_closed")
    assert {"close-month", "reopen-month"} <= {
        handler for worker in pool["workers"] for handler in worker["handlers"]
    }


def test_only_a_workers_token_claims(stack: Stack) -> None:
    """The gateway asks for the scope; and another tenant's pool of that name is another one."""
    answer = stack.other_api.post("/v1/pools/ledgers/claim", json={"worker": "stranger"})
    refused = stack.api.post(
        "/v1/pools/ledgers/claim", json={"worker": "x"}, headers={"authorization": "Bearer none"}
    )

    assert (answer.status_code, answer.json()["runs"]) == (200, [])
    assert refused.status_code == 401
