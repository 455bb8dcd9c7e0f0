"""The fire ledger on the deployed stack: every instant once, and why."""

from datetime import UTC, datetime, timedelta
from typing import Any

from infra.local.webhook_target import Recorder
from tests.support.deployed.reconfiguring import kept_as_they_were, reconfigure
from tests.support.deployed.stack import Stack, wait_until


def instant(text: str) -> datetime:
    """An instant as the API writes it."""
    return datetime.fromisoformat(text)


def ledger(stack: Stack, job: dict[str, Any], until: datetime) -> list[dict[str, Any]]:
    """The ledger of a job from its creation on."""
    answer = stack.api.get(
        f"/v1/jobs/{job['job_id']}/ledger",
        params={"from": job["created_at"], "to": until.isoformat(), "limit": 500},
    )
    assert answer.status_code == 200, answer.text
    entries: list[dict[str, Any]] = answer.json()["items"]
    return entries


def states(entries: list[dict[str, Any]]) -> list[str]:
    """Return the state of each instant."""
    return [str(entry["state"]) for entry in entries]


def test_each_instant_is_on_record_once_through_a_pause(stack: Stack, recorder: Recorder) -> None:
    """Runs before and after, skips with their reason in between; nothing is missing or doubled."""
    job = stack.create_job(
        name="ledger",
        schedule={"kind": "rate", "every_seconds": 2},
        action={"type": "webhook", "url": recorder.url("ledger")},
    )
    path = f"/v1/jobs/{job['job_id']}"
    recorder.wait_for("ledger", 1)
    paused_at = datetime.now(UTC)
    assert stack.api.post(f"{path}/pause").status_code == 200
    wait_until(
        lambda: states(ledger(stack, job, datetime.now(UTC))).count("skipped") > 1 or None,
        seconds=30,
        what=lambda: ledger(stack, job, datetime.now(UTC)),
    )
    assert stack.api.post(f"{path}/resume").status_code == 200
    resumed_at = datetime.now(UTC)
    wait_until(
        lambda: any(r.arrived_at > resumed_at for r in recorder.requests("ledger")) or None,
        seconds=30,
        what=lambda: states(ledger(stack, job, datetime.now(UTC))),
    )
    entries = ledger(stack, job, resumed_at)
    instants = [instant(entry["instant"]) for entry in entries]
    first = instant(job["created_at"]) + timedelta(seconds=2)

    assert instants == [first + timedelta(seconds=2 * n) for n in range(len(instants))]
    assert instants[-1] > resumed_at - timedelta(seconds=2)
    assert {entry["reason"] for entry in entries if entry["state"] == "skipped"} == {"paused"}
    ran = [instant(entry["instant"]) for entry in entries if entry["state"] == "succeeded"]
    assert min(ran) < paused_at
    assert stack.api.delete(path).status_code == 200


def test_any_instant_is_explained(stack: Stack, recorder: Recorder) -> None:
    """One that ran, and one after the job had nothing left to fire."""
    job = stack.create_job(
        name="explained",
        schedule={"kind": "delay", "delay_seconds": 1},
        action={"type": "webhook", "url": recorder.url("explained")},
    )
    (run,) = stack.wait_for_runs(job["job_id"], 1)
    explain = f"/v1/jobs/{job['job_id']}/explain"
    ran = stack.api.get(explain, params={"at": run["scheduled_at"]}).json()
    beside = instant(run["scheduled_at"]) + timedelta(seconds=1)
    beyond = stack.api.get(explain, params={"at": beside.isoformat()}).json()

    assert ran["verdict"] == "run"
    assert ran["record"]["run_id"] == run["run_id"]
    assert beyond["verdict"] == "ended"
    assert beyond["nearest"]["before"] == run["scheduled_at"]


def test_the_auditor_finds_nothing_missing(stack: Stack) -> None:
    """The tests before this one may have done anything to the stack."""
    found = stack.invoke("AuditorFunctionName", {"shards": [0, 1, 2, 3]})

    assert found["unaccounted"] == 0


def test_a_good_audit_calls_the_operator_s_address(stack: Stack, recorder: Recorder) -> None:
    """Once for a tick that looked at every shard of its group and misses nothing."""
    with kept_as_they_were(stack, "AuditorFunctionName"):
        reconfigure(stack, "AuditorFunctionName", HEARTBEAT_URL=recorder.url("dead-man"))
        tick = {"shards": [0, 1, 2, 3]}
        # A tick of the schedule may hold a shard just now.
        audited = wait_until(
            lambda: done if len(tick["shards"]) == (done := audit(stack, tick))["shards"] else None,
            seconds=90,
        )
        requests = recorder.requests("dead-man")

    assert (audited["unaccounted"], audited["lost"]) == (0, 0)
    assert [request.method for request in requests] == ["GET"]


def audit(stack: Stack, tick: dict[str, list[int]]) -> dict[str, int]:
    """Let the auditor look at shards; what it found."""
    found: dict[str, int] = stack.invoke("AuditorFunctionName", tick)
    return found
