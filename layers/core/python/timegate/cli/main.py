"""The command line's root."""

from dataclasses import replace
from importlib.metadata import version
from typing import Annotated, Any

import typer

from timegate.cli.entries import ENTRIES
from timegate.cli.terminal.lazy_commands import LazyCommands
from timegate.cli.terminal.profile_option import ProfileOption


class Commands(LazyCommands):
    """The command line, whose errors become one sentence and an exit code."""

    entries = ENTRIES

    def main(self, *arguments: Any, **named: Any) -> Any:  # noqa: ANN401 - see invoke
        """Run the command line; its help is written before a command is invoked."""
        try:
            return super().main(*arguments, **named)
        except OSError as error:
            from timegate.cli.terminal.failures import say_io_failure  # noqa: PLC0415 - see invoke

            raise SystemExit(say_io_failure(error)) from error

    def invoke(self, ctx: Any) -> Any:  # noqa: ANN401 - as typer's own copy of click types it
        """Run a command."""
        # The client is slow to import, and help needs none of it.
        from timegate.cli.terminal.failures import failures_said, io_failures_said  # noqa: PLC0415

        words = [*ctx._protected_args, *ctx.args]  # noqa: SLF001 - as click
        with failures_said(words), io_failures_said():
            return super().invoke(ctx)


app = typer.Typer(
    cls=Commands,
    no_args_is_help=True,
    # A trace's local variables would show secrets.
    pretty_exceptions_show_locals=False,
)


def _show_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"timegate {version('timegate')}")
        raise typer.Exit


@app.callback()
def root(
    ctx: typer.Context,
    profile: ProfileOption = None,
    _version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_show_version, is_eager=True, help="Show the version and exit."
        ),
    ] = False,
) -> None:
    """Timegate, a serverless job scheduler for AWS."""
    from timegate.cli.terminal.session import surroundings  # noqa: PLC0415 - as the client

    ctx.obj = replace(surroundings(ctx), profile=profile)
