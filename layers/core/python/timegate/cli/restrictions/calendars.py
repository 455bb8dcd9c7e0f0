"""``timegate calendars``: sets of time that jobs leave out, or keep to."""

from datetime import datetime
from typing import Annotated

import typer

from timegate.cli.completing.known_words import complete_zones
from timegate.cli.completing.stage_names import complete_calendars
from timegate.cli.naming.named_things import NamedThings, Version, add_commands
from timegate.cli.options.calendar_options import CalendarOptions
from timegate.cli.restrictions.restriction_tables import (
    calendar_details,
    calendar_table,
    check_details,
    import_details,
)
from timegate.cli.terminal.option_groups import grouped
from timegate.cli.terminal.session import SessionOptions, opened
from timegate.cli.terminal.values import file_text, instant_option
from timegate.domain.values.instants import rfc3339

calendars = typer.Typer(no_args_is_help=True, help="Say when jobs are not to run.")

Name = Annotated[str, typer.Argument(metavar="CALENDAR", autocompletion=complete_calendars)]


@calendars.command("put")
@grouped
def put(
    ctx: typer.Context,
    name: Name,
    options: CalendarOptions,
    session: SessionOptions,
    version: Version = None,
) -> None:
    """Create a calendar, or replace it.

    timegate calendars put holidays --timezone Europe/Berlin --weekday sun --day 2026-12-25
    """
    body = options.as_json()
    with opened(ctx, session) as opening:
        opening.show(opening.client.put_calendar(name, body, version=version), calendar_details)


add_commands(
    calendars,
    NamedThings(
        name=Name,
        of=lambda client: client.calendars,
        details=lambda _: calendar_details,
        table=calendar_table,
        show_help="Show what a calendar covers.",
        list_help="List calendars, by name.",
        validate_help="Say what is wrong with a calendar, and store nothing.",
        delete_help="Forget a calendar; jobs that name it run as if they did not.",
        question="Forget the calendar",
    ),
)


@calendars.command("import")
@grouped
def import_file(
    ctx: typer.Context,
    name: Name,
    path: Annotated[
        str, typer.Argument(metavar="FILE|-", help="Read this iCal file; - is standard input.")
    ],
    session: SessionOptions,
    timezone: Annotated[
        str | None,
        typer.Option(
            metavar="NAME", autocompletion=complete_zones, help="Read its days in this zone."
        ),
    ] = None,
    horizon: Annotated[
        int | None, typer.Option(metavar="DAYS", help="Repeat events so far; 732 days by default.")
    ] = None,
    version: Version = None,
) -> None:
    """Replace a calendar's days and periods by those of an iCal file."""
    text = file_text(path)
    with opened(ctx, session) as opening:
        imported = opening.client.import_calendar(
            name, text, timezone=timezone, horizon_days=horizon, version=version
        )
        opening.show(imported, import_details)


@calendars.command("check")
@grouped
def check(
    ctx: typer.Context,
    name: Name,
    session: SessionOptions,
    at: Annotated[
        datetime | None, instant_option("--at", help="Ask about this instant; by default now.")
    ] = None,
) -> None:
    """Say whether a calendar covers an instant, and until when."""
    with opened(ctx, session) as opening:
        asked = None if at is None else rfc3339(at)
        opening.show(opening.client.check_calendar(name, at=asked), check_details)
