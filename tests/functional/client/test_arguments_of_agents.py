"""``timegate mcp``: what a tool does not take is refused, and not left alone."""

from typing import Any

import pytest
from mcp import ClientSession

from tests.functional.cli.served import served
from tests.functional.client.test_agents import Within, refused, told, within

__all__ = ["served", "within"]


@pytest.mark.parametrize(
    ("tool", "more", "there_are"),
    [
        ("trigger_job", {"delay": 3600}, "job, idempotency_key, payload, delay_seconds"),
        ("pause_job", {"idempotency_key": "a"}, "job"),
        ("list_runs", {"states": "failed"}, "job, state, limit, cursor"),
    ],
)
def test_an_argument_that_a_tool_does_not_take_is_refused(
    within: Within, tool: str, more: dict[str, object], there_are: str
) -> None:
    """A run began at once for an agent that had asked for one in an hour."""

    async def body(session: ClientSession) -> tuple[str, Any]:
        key = {"idempotency_key": "a"} if tool == "trigger_job" else {}
        said = refused(await session.call_tool(tool, {"job": "nightly", **key, **more}))
        return said, told(await session.call_tool("list_runs", {"job": "nightly"}))["items"]

    said, runs = within(body, allow_changes=True)

    assert f"There is no argument {next(iter(more))}. There are: {there_are}." in said
    assert runs == []


def test_each_schema_says_that_there_are_no_other_arguments(within: Within) -> None:
    """A client that checks its calls does so before it sends them."""

    async def tools(session: ClientSession) -> Any:  # noqa: ANN401 - of the SDK
        return (await session.list_tools()).tools

    schemas = {each.name: each.inputSchema for each in within(tools, allow_changes=True)}
    closed = {name for name, each in schemas.items() if each.get("additionalProperties") is False}

    assert schemas.keys() - closed == {"list_decisions"}


def test_a_tool_without_arguments_takes_the_filler_of_some_clients(within: Within) -> None:
    """They cannot call a tool without any."""

    async def body(session: ClientSession) -> Any:  # noqa: ANN401 - any JSON
        return told(await session.call_tool("list_decisions", {"random_string": "x"}))

    assert within(body)["groups"] == []
