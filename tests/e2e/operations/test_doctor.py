"""``timegate doctor`` and ``timegate health`` on the deployed stack."""

from pathlib import Path

from infra.local.access import admin_profile, write_profile
from tests.support.command_line import CommandLine
from tests.support.deployed.stack import Stack, wait_until

WELL = ["create a job", "start its run", "offer its task", "end its run", "complete the job"]


def test_a_canary_flies_through_the_stage(
    stack: Stack, timegate: CommandLine, tmp_path: Path
) -> None:
    """Its run succeeds, its job is completed, its DAG is deleted; the stage's ticks are in time."""
    path = tmp_path / "admin.json"
    write_profile(admin_profile(stack.cloud, stack.outputs), path)
    administration = CommandLine({"TIMEGATE_PROFILE_FILE": str(path)})
    found = timegate.json("doctor")
    outcomes = {each["step"]: each["outcome"] for each in found["steps"]}
    jobs = timegate.json("jobs", "list", "--tag", "timegate:doctor")["items"]
    dags = timegate.json("dags", "list", "--status", "active")["items"]

    def planned() -> int | None:
        lag: int | None = administration.json("health")["shards"]["planner_lag_seconds"]
        return lag

    lag = wait_until(planned, seconds=90)

    assert found["ok"]
    assert [outcomes[step] for step in WELL] == ["ok"] * len(WELL)
    assert outcomes["read the stage's health"] == "skipped"
    assert [each["status"] for each in jobs] == ["completed"]
    assert "timegate doctor" not in {each["name"] for each in dags}
    assert lag < 600
