"""The SDK and ``timegate apply`` on the deployed stack."""

import asyncio
import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from infra.local.access import profile, write_profile
from tests.support.deployed.stack import Stack
from timegate.cli.main import app
from timegate.client import AsyncTimegateClient, load_profile

DECLARED = """
kind: Calendar
name: e2e-apply
spec: {weekdays: [sun]}
---
kind: Job
name: e2e applied
spec:
  schedule: {kind: cron, cron: "0 0 1 1 *"}
  action: {type: worker, pool: e2e-apply, handler: work}
  calendars: [{calendar: e2e-apply}]
---
kind: Dag
name: e2e applied
spec:
  tasks: [{key: only, job_id: Job/e2e applied}]
"""


@pytest.fixture
def access(stack: Stack, tmp_path: Path) -> dict[str, str]:
    """The environment of the first tenant."""
    path = tmp_path / "profile.json"
    write_profile(profile(stack.cloud, stack.outputs, stack.outputs["UserPoolClientId"]), path)
    return {"TIMEGATE_PROFILE_FILE": str(path)}


def test_what_is_declared_is_there_and_stays(access: dict[str, str], tmp_path: Path) -> None:
    """Applied twice: the second time nothing is to be done; then found, awaited, and pruned."""
    path = tmp_path / "declared.yaml"
    path.write_text(DECLARED)

    def timegate(*words: str) -> Result:
        result = CliRunner(env=access).invoke(app, [*words, "-f", str(path), "--set", "e2e"])
        assert result.exit_code in {0, 5}, result.output
        return result

    first = timegate("apply", "--yes", "--json")
    second = timegate("apply", "--yes", "--json")
    unchanged = timegate("diff")
    found = asyncio.run(_applied(access))
    path.write_text(DECLARED.split("---", maxsplit=1)[0])
    pruned = timegate("apply", "--yes", "--json", "--prune")
    left = asyncio.run(_applied(access))

    assert [step["verb"] for step in json.loads(first.stdout)["steps"]] == ["create"] * 3
    assert [step["verb"] for step in json.loads(second.stdout)["steps"]] == ["keep"] * 3
    assert unchanged.exit_code == 0
    assert [step["verb"] for step in json.loads(pruned.stdout)["steps"]] == ["keep"] + ["prune"] * 2
    assert (len(found), [status for _, status in left]) == (1, ["cancelled"])


async def _applied(access: dict[str, str]) -> list[tuple[str, str]]:
    """Name and status of every job of the set; asked for one a page, and a few at once."""
    async with AsyncTimegateClient(load_profile(access)) as timegate:
        rows = timegate.list_jobs.iterate(tag=["timegate-apply:e2e"], limit=1)
        ids = [job["job_id"] async for job in rows]
        jobs = await asyncio.gather(*(timegate.get_job(each) for each in ids))
        return [(job["name"], job["status"]) for job in jobs]
