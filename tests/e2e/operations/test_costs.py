"""Metered costs of the deployed stack: by tenant, job and month, and their sum for the stage."""

from pathlib import Path
from typing import Any

import httpx
import pytest

from infra.local.access import admin_profile, write_profile
from infra.local.webhook_target import Recorder
from tests.support.auditing.metered_stack import counted_now, on_record
from tests.support.command_line import CommandLine
from tests.support.deployed.stack import Stack, wait_until
from tests.support.deployed.timing.clock_edges import stay_clear_of_midnight

pytestmark = pytest.mark.wide

RUNS = {"first": 4, "second": 2}


def ended_runs(api: httpx.Client, recorder: Recorder, name: str, count: int) -> str:
    """A job of which so many runs have ended; its id."""
    action = {"type": "webhook", "url": recorder.url(f"costs-{name}")}
    job = {"name": f"costs of {name}", "schedule": {"kind": "manual"}, "action": action}
    job_id: str = api.post("/v1/jobs", json=job).raise_for_status().json()["job_id"]
    for _ in range(count):
        api.post(f"/v1/jobs/{job_id}/trigger").raise_for_status()

    def ended() -> bool | None:
        runs = api.get(f"/v1/jobs/{job_id}/runs").raise_for_status().json()["items"]
        return [run["state"] for run in runs] == ["succeeded"] * count or None

    wait_until(ended, seconds=90)
    return job_id


def summed(stack: Stack, month: str) -> dict[str, float]:
    """US dollars, runs and attempts of all tenants of the stage, added up."""
    answer = stack.admin.get("/v1/stage/cost", params={"month": month}).raise_for_status().json()
    wholes = [each["whole"] for each in answer["items"]]
    return {
        "usd": sum(each["usd"] for each in wholes),
        "runs": sum(each["runs"] for each in wholes),
        "attempts": sum(sum(each["attempts"].values()) for each in wholes),
    }


def of_job(report: dict[str, Any], job_id: str) -> dict[str, Any]:
    """The row of a job in a report."""
    (row,) = [each for each in report["jobs"] if each["job_id"] == job_id]
    found: dict[str, Any] = row
    return found


def test_costs_of_tenants_add_up_to_those_of_the_stage(
    stack: Stack, recorder: Recorder, timegate: CommandLine, tmp_path: Path
) -> None:
    """API and command line agree by tenant, job and month; the sum is that of all records.

    Earlier runs on the stack are counted first. The records are added up without the
    meter's rounds, tallies and months.
    """
    stay_clear_of_midnight()
    since = counted_now(stack)
    month = f"{since:%Y-%m}"
    before = summed(stack, month)
    ours = ended_runs(stack.api, recorder, "first", RUNS["first"])
    theirs = ended_runs(stack.other_api, recorder, "second", RUNS["second"])
    until = counted_now(stack)
    after = summed(stack, month)
    recorded = on_record(stack, since=since, until=until)
    report = stack.api.get("/v1/cost", params={"month": month}).raise_for_status().json()
    other = stack.other_api.get("/v1/cost", params={"job_id": theirs}).raise_for_status().json()
    path = tmp_path / "admin.json"
    write_profile(admin_profile(stack.cloud, stack.outputs), path)
    operator = CommandLine({"TIMEGATE_PROFILE_FILE": str(path)})
    tenant = stack.tenant("first")
    rows = operator.json("cost", "report", "--stage")["items"]
    stage = {each["tenant"]: each["whole"] for each in rows}

    assert recorded.runs >= sum(RUNS.values())
    assert after["runs"] - before["runs"] == recorded.runs
    assert after["attempts"] - before["attempts"] == recorded.attempts
    assert after["usd"] - before["usd"] == pytest.approx(recorded.usage.usd, rel=0.02)
    assert timegate.json("cost", "report", "--month", month) == report
    assert timegate.json("cost", "report", "--job", ours)["jobs"] == [of_job(report, ours)]
    assert operator.json("cost", "report", "--tenant", tenant)["whole"] == report["whole"]
    assert stage[tenant] == report["whole"]
    assert (of_job(report, ours)["runs"], of_job(other, theirs)["runs"]) == (4, 2)
    assert ours not in str(other)
