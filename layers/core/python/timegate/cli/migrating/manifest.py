"""Documents that ``timegate apply`` takes, and a report of what they leave out."""

import sys
from collections.abc import Callable, Iterable
from dataclasses import replace
from datetime import datetime
from typing import Any

import typer
import yaml

from timegate.cli.migrating.clock_policies import faithful
from timegate.cli.migrating.entries import (
    Note,
    Read,
    ScheduleEntry,
    UnconvertedEntry,
    checked,
    schedule_json,
    unconverted,
)
from timegate.cli.showing.data import json_data
from timegate.cli.streams import writes_unicode
from timegate.cli.terminal.failures import EXIT_REFUSED
from timegate.cli.terminal.session import Output
from timegate.cli.terminal.wording import plain
from timegate.domain.recurrence.schedule import Schedule
from timegate.domain.values.errors import InvalidInput

Document = dict[str, Any]
#: An entry, and the fields of its job beside the schedule.
Imported = tuple[Read, Document]


def with_fields(
    read: Read, map_target: Callable[[], tuple[Document, tuple[Note, ...]]]
) -> Imported:
    """Return a schedule with the notes of its target, and the fields that this becomes.

    A target that is refused with ``InvalidInput`` makes the schedule one that cannot be converted.
    """
    if isinstance(read, UnconvertedEntry):
        return read, {}
    try:
        fields, notes = map_target()
    except InvalidInput as refused:
        wrong = unconverted(read.name, read.line, read.text, refused)
        return wrong, {}
    return replace(read, notes=(*read.notes, *notes)), fields


def finish(found: Iterable[Imported], *, keep: bool, now: datetime, output: Output) -> None:
    """Print the manifest on standard output and the report on standard error.

    ``keep``: under policies that imitate the other program. A schedule that names no instant from
    ``now`` on is refused, as the API would refuse it. Raises ``typer.Exit`` with 1 when an entry
    was refused.
    """
    reads: list[Read] = []
    documents: list[Document] = []
    for given, fields in found:
        read, schedule = _kept(given, keep=keep, now=now)
        reads.append(read)
        if schedule is not None and isinstance(read, ScheduleEntry):
            documents.append(_document_of(read, schedule, fields))
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


def _kept(read: Read, *, keep: bool, now: datetime) -> tuple[Read, Schedule | None]:
    """Return an entry and what becomes its schedule; ``None``: it is refused."""
    if isinstance(read, UnconvertedEntry):
        return read, None
    schedule = faithful(read.schedule, read.there) if keep else read.schedule
    return checked(read, schedule, now=now), schedule


def _document_of(entry: ScheduleEntry, schedule: Schedule, fields: Document) -> Document:
    spec = {"schedule": schedule_json(schedule), **fields, **entry.job}
    return {"kind": "Job", "name": entry.name, "spec": spec}


def _report(reads: Iterable[Read]) -> Iterable[str]:
    for read in reads:
        place = f"line {read.line} {plain(read.name)}"
        if isinstance(read, UnconvertedEntry):
            yield f"{place}: refused [{plain(read.code)}]: {plain(read.detail)}"
        else:
            for note in read.notes:
                yield f"{place}: warning [{plain(note.code)}]: {plain(note.detail)}"
