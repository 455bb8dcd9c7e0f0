"""``timegate mcp``: an agent reads a list on from where an answer ended."""

from typing import Any

import pytest
from mcp import ClientSession

from tests.functional.cli.served import served
from tests.functional.client.test_agents import CHANGING, READING, Within, told, within

__all__ = ["served", "within"]

PAGED = {"list_jobs", "list_runs", "list_failed_runs", "read_run_log"}


def test_each_tool_of_pages_takes_a_cursor(within: Within) -> None:
    """The others have one answer."""

    async def tools(session: ClientSession) -> Any:  # noqa: ANN401 - of the SDK
        return (await session.list_tools()).tools

    found = {each.name for each in within(tools) if "cursor" in each.inputSchema["properties"]}

    assert found == PAGED
    assert found <= READING - CHANGING


@pytest.mark.parametrize("limit", [1, 20])
def test_an_agent_reads_runs_page_by_page(within: Within, limit: int) -> None:
    """Each once, the newest first."""

    async def body(session: ClientSession) -> list[str]:
        for key in "abc":
            asked = {"job": "nightly", "idempotency_key": key}
            told(await session.call_tool("trigger_job", asked))
        found: list[str] = []
        cursor: dict[str, str] = {}
        while True:
            of_page: dict[str, Any] = {"job": "nightly", "limit": limit, **cursor}
            page = told(await session.call_tool("list_runs", of_page))
            found += [run["run_id"] for run in page["items"]]
            if page["next_cursor"] is None:
                return found
            cursor = {"cursor": page["next_cursor"]}

    runs = within(body, allow_changes=True)

    assert len(runs) == len(set(runs)) == 3
    assert runs == sorted(runs, reverse=True)
