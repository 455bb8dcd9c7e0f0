"""``timegate schedule convert``: what other programs run, and what would run here."""

from collections.abc import Iterator
from datetime import datetime
from itertools import zip_longest
from typing import Annotated

import typer
from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table

from timegate.cli.completing.known_words import complete_zones
from timegate.cli.migrating.comparing import compared
from timegate.cli.migrating.entries import Source
from timegate.cli.migrating.reading import read_source
from timegate.cli.terminal.failures import EXIT_DIFFERENT, EXIT_REFUSED
from timegate.cli.terminal.option_groups import grouped
from timegate.cli.terminal.session import OutputOptions, show, surroundings
from timegate.cli.terminal.values import file_text, instant_option
from timegate.cli.terminal.wording import compact_json, plain
from timegate.client import JsonObject
from timegate.domain.values.instants import to_milliseconds

_MAX_FIRES = 100

TimezoneOption = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        autocompletion=complete_zones,
        help="Read times in this zone, where the file names none.",
    ),
]
SystemOption = Annotated[
    bool,
    typer.Option("--system", help="Read a crontab of the system, with a user before each command."),
]
FaithfulOption = Annotated[
    bool,
    typer.Option("--faithful", help="Meet clock changes as the other program does, by policies."),
]


@grouped
def convert(
    ctx: typer.Context,
    source: Annotated[Source, typer.Option("--from", help="Read the file as this program does.")],
    file: Annotated[
        str, typer.Argument(metavar="FILE", help="Read this file; - is standard input.")
    ],
    timezone: TimezoneOption = None,
    system: SystemOption = False,
    faithful: FaithfulOption = False,
    start: Annotated[
        datetime | None,
        instant_option("--after", help="Show instants after this one; by default after now."),
    ] = None,
    count: Annotated[
        int,
        typer.Option(
            "-n", "--count", min=1, max=_MAX_FIRES, metavar="N", help="Show so many instants."
        ),
    ] = 3,
    *,
    output: OutputOptions,
) -> None:
    """Show what each entry of a file means there and here. Works offline.

    Exits with 0 if all mean the same, with 5 if some differ, with 1 if some cannot be converted.
    """
    begin = start or to_milliseconds(surroundings(ctx).now())
    reads = read_source(file_text(file), source, timezone=timezone, system=system)
    entries = [compared(read, start=begin, count=count, keep=faithful) for read in reads]
    value: JsonObject = {"from": str(source), "entries": entries}
    show(value, _drawn, output=output.format)
    if any(entry["error"] for entry in entries):
        raise typer.Exit(EXIT_REFUSED)
    if any(entry["differs"] for entry in entries):
        raise typer.Exit(EXIT_DIFFERENT)


def _drawn(value: JsonObject) -> RenderableType:
    entries = value["entries"]
    differing = sum(entry["differs"] for entry in entries)
    refused = sum(entry["error"] is not None for entry in entries)
    parts = [part for entry in entries for part in _entry(entry)]
    summary = f"{len(entries)} read, {differing} with differences, {refused} refused."
    return Group(*parts, summary)


def _entry(entry: JsonObject) -> Iterator[RenderableType]:
    name = f"{plain(entry['name'])}: " if entry["name"] != entry["text"] else ""
    yield f"line {entry['line']}  {name}{plain(entry['text'])}"
    if error := entry["error"]:
        yield f"  refused [{plain(error['code'])}]: {plain(error['detail'])}"
    else:
        yield f"  there  {plain(entry['there']['description'])}"
        yield f"  here   {plain(entry['here']['description'])}"
        yield f"  job    {compact_json(entry['here']['job'])}"
        yield Padding(_fires(entry), (0, 0, 0, 2), expand=False)
    for warning in entry["warnings"]:
        yield f"  warning [{plain(warning['code'])}]: {plain(warning['detail'])}"
    yield ""


def _fires(entry: JsonObject) -> Table:
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="bold")
    for heading in ("", "there", "here"):
        table.add_column(heading, no_wrap=True)
    pairs = zip_longest(entry["there"]["fires"], entry["here"]["fires"])
    for number, (there, here) in enumerate(pairs, start=1):
        table.add_row(str(number), plain(there), plain(here))
    return table
