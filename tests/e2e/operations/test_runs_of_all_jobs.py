"""Runs of all jobs at the command line, on the deployed stack: found, moved, and redriven."""

from typing import Any

import pytest

from infra.local.webhook_target import Recorder
from tests.support.command_line import CommandLine
from tests.support.deployed.stack import Stack, wait_until

pytestmark = pytest.mark.wide


def listed_job(stack: Stack, recorder: Recorder, name: str) -> str:
    """A job whose runs are listed with those of all jobs; its id."""
    job = stack.create_job(
        name=name,
        key=name,
        schedule={"kind": "manual"},
        action={"type": "webhook", "url": recorder.url(name)},
        list_runs="all",
        retry={"max_attempts": 1},
    )
    return str(job["job_id"])


def triggered(stack: Stack, job_id: str, count: int, **body: object) -> list[str]:
    """Trigger a job as often; its runs, the first first."""
    path = f"/v1/jobs/{job_id}/trigger"
    return [
        stack.api.post(path, json=body).raise_for_status().json()["run_id"] for _ in range(count)
    ]


def ids(page: dict[str, Any]) -> set[str]:
    """The runs of a listing."""
    return {row["run_id"] for row in page["items"]}


def short_id(table: str, run_id: str) -> str:
    """The id of a run as a table shows it: the beginning of its job's, and its instant."""
    words = (line.split()[-1] for line in table.splitlines() if line.split())
    return next(w for w in words if w.partition(".")[2] and w.partition(".")[2] in run_id)


def counts(operation: dict[str, Any]) -> tuple[str, int, int]:
    """Return an operation's status, and its counts of matched and done items."""
    return operation["status"], operation["counts"]["matched"], operation["counts"]["done"]


def test_pending_runs_are_found_moved_and_cancelled(
    stack: Stack, recorder: Recorder, timegate: CommandLine
) -> None:
    """One is named by the beginning of its id and begins now; a dry run of the rest ends none."""
    job_id = listed_job(stack, recorder, "pending-every")
    first, *rest = triggered(stack, job_id, 3, delay_seconds=3600)
    criteria = ("--name", "pending-e*", "--state", "waiting", "--state", "queued")
    found = timegate.json("runs", "list", *criteria)
    shown = timegate("runs", "list", "--name", "pending-every").stdout
    short = short_id(shown, first)
    moved = timegate.json("runs", "reschedule", short, "--delay", "1s")
    watched = timegate.json("runs", "watch", short, "--timeout", "60s")
    many = ("runs", "cancel", "--pending", "--job", "pending-every")
    meant = timegate.json(*many, "--dry-run")
    untouched = timegate.json("runs", "list", *criteria)
    cancelled = timegate.json(*many, "--yes", "--wait", "--timeout", "60s")
    after = {run["run_id"]: run["state"] for run in stack.runs(job_id)}

    assert ids(found) == {first, *rest}
    assert len(short) < len(first)
    assert (moved["run_id"], watched["state"]) == (first, "succeeded")
    assert (meant["matched"], ids(untouched)) == (2, set(rest))
    assert counts(cancelled) == ("succeeded", 2, 2)
    assert after == {first: "succeeded", **dict.fromkeys(rest, "cancelled")}
    assert len(recorder.requests("pending-every")) == 1


def test_last_night_s_failures_are_found_and_tried_again(
    stack: Stack, recorder: Recorder, timegate: CommandLine
) -> None:
    """Dead letters and permanent failures alike; the same criteria list and repair them."""
    recorder.answer("failed-all", 404, 503)
    job_id = listed_job(stack, recorder, "failed-all")
    runs = set(triggered(stack, job_id, 2))
    criteria = ("--failed", "--since", "1h", "--name", "failed-all")
    found = wait_until(
        lambda: page if len(ids(page := timegate.json("runs", "list", *criteria))) == 2 else None,
        seconds=60,
        what=lambda: stack.runs(job_id),
    )
    meant = timegate.json("runs", "redrive", *criteria, "--dry-run")
    done = timegate.json("runs", "redrive", *criteria, "--yes", "--wait", "--timeout", "60s")
    for run in runs:
        timegate("runs", "watch", run, "--timeout", "60s")

    assert ids(found) == runs
    assert {row["state"] for row in found["items"]} == {"failed", "dead_lettered"}
    assert (meant["matched"], ids(meant)) == (2, runs)
    assert counts(done) == ("succeeded", 2, 2)
    assert ids(timegate.json("runs", "list", *criteria)) == set()
    assert len(recorder.requests("failed-all")) == 4
    assert stack.other_api.get("/v1/runs", params={"which": "all"}).json()["items"] == []
