"""The SDK and ``timegate apply`` on the deployed stack."""

import asyncio
from collections.abc import Mapping
from pathlib import Path

from tests.support.command_line import CommandLine
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


def test_what_is_declared_is_there_and_stays(timegate: CommandLine, tmp_path: Path) -> None:
    """Applied twice: the second time nothing is to be done; then found, awaited, and pruned."""
    path = tmp_path / "declared.yaml"
    path.write_text(DECLARED)

    def verbs(*words: str) -> list[str]:
        done = timegate.json(*words, "--yes", "-f", str(path), "--set", "e2e")
        return [step["verb"] for step in done["steps"]]

    first, second = verbs("apply"), verbs("apply")
    timegate("diff", "-f", str(path), "--set", "e2e")
    found = asyncio.run(_applied(timegate.environ))
    path.write_text(DECLARED.split("---", maxsplit=1)[0])
    pruned = verbs("apply", "--prune")
    left = asyncio.run(_applied(timegate.environ))

    assert (first, second) == (["create"] * 3, ["keep"] * 3)
    assert pruned == ["keep", "prune", "prune"]
    assert (len(found), [status for _, status in left]) == (1, ["cancelled"])


async def _applied(access: Mapping[str, str]) -> list[tuple[str, str]]:
    """Name and status of every job of the set; asked for one a page, and a few at once."""
    async with AsyncTimegateClient(load_profile(access)) as timegate:
        rows = timegate.list_jobs.iterate(tag=["timegate-apply:e2e"], limit=1)
        ids = [job["job_id"] async for job in rows]
        jobs = await asyncio.gather(*(timegate.get_job(each) for each in ids))
        return [(job["name"], job["status"]) for job in jobs]
