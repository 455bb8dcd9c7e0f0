"""``timegate mcp``: a server of tools on standard input and output."""

import asyncio
import os
from typing import Annotated

import typer

from timegate.cli.terminal.profile_option import ProfileOption
from timegate.cli.terminal.session import surroundings
from timegate.client import AsyncTimegateClient, Profile, load_profile


def mcp(
    ctx: typer.Context,
    profile: ProfileOption = None,
    allow_changes: Annotated[
        bool,
        typer.Option(
            "--allow-changes", help="Offer tools that trigger, pause, resume and redrive."
        ),
    ] = False,
) -> None:
    """Serve tools for agents on standard input and output; they read only, unless told otherwise.

    timegate mcp --profile prod
    """
    access = load_profile(os.environ, profile or surroundings(ctx).profile)
    asyncio.run(_serve(access, allow_changes=allow_changes))


async def _serve(access: Profile, *, allow_changes: bool) -> None:
    try:
        from timegate.cli.agents.server import agent_server  # noqa: PLC0415 - may lack its package
    except ModuleNotFoundError as error:
        if error.name is None or error.name.partition(".")[0] == "timegate":
            raise
        message = f"timegate mcp needs {error.name}: pip install 'timegate[mcp]'"
        raise typer.BadParameter(message) from error
    async with AsyncTimegateClient(access) as client:
        await agent_server(client, allow_changes=allow_changes).run_stdio_async()
