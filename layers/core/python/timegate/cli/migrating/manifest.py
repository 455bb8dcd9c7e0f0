"""Documents that ``timegate apply`` takes, and a report of what they leave out."""

import sys
from collections.abc import Iterable, Sequence
from typing import Any

import typer
import yaml

from timegate.cli.migrating.clock_policies import faithful
from timegate.cli.migrating.entries import Read, ScheduleEntry, UnconvertedEntry, schedule_json
from timegate.cli.showing.data import json_data
from timegate.cli.streams import writes_unicode
from timegate.cli.terminal.failures import EXIT_REFUSED
from timegate.cli.terminal.session import Output
from timegate.cli.terminal.wording import plain

Document = dict[str, Any]


def document_of(entry: ScheduleEntry, fields: Document, *, keep: bool) -> Document:
    """Declare one job; ``keep``: under policies that imitate the other program."""
    schedule = faithful(entry.schedule, entry.there) if keep else entry.schedule
    spec = {"schedule": schedule_json(schedule), **fields, **entry.job}
    return {"kind": "Job", "name": entry.name, "spec": spec}


def finish(reads: Sequence[Read], documents: Sequence[Document], output: Output) -> None:
    """Print the manifest on standard output and the report on standard error.

    Raises ``typer.Exit`` with 1 when an entry was refused.
    """
    is_unicode = writes_unicode(sys.stdout)
    if output is Output.JSON:
        typer.echo(json_data(documents, to=sys.stdout, indent=2))
    elif documents:
        text = yaml.safe_dump_all(documents, sort_keys=False, allow_unicode=is_unicode, width=100)
        typer.echo(text, nl=False)
    for line in _report(reads):
        typer.echo(line, err=True)
    refused = [read for read in reads if isinstance(read, UnconvertedEntry)]
    typer.echo(f"{len(documents)} imported, {len(refused)} refused.", err=True)
    if refused:
        raise typer.Exit(EXIT_REFUSED)


def _report(reads: Iterable[Read]) -> Iterable[str]:
    for read in reads:
        place = f"line {read.line} {plain(read.name)}"
        if isinstance(read, UnconvertedEntry):
            yield f"{place}: refused [{plain(read.code)}]: {plain(read.detail)}"
        else:
            for note in read.notes:
                yield f"{place}: warning [{plain(note.code)}]: {plain(note.detail)}"
