"""``timegate events send``: tell a stage what happened elsewhere."""

from collections import Counter
from collections.abc import Sequence
from typing import Annotated, Any
from uuid import uuid4

import typer
from rich.console import Group, RenderableType
from rich.text import Text

from timegate.cli.showing.grids import Column, table
from timegate.cli.terminal.agreeing import YesOption
from timegate.cli.terminal.ending import LookOptions
from timegate.cli.terminal.failures import EXIT_REFUSED
from timegate.cli.terminal.option_groups import grouped
from timegate.cli.terminal.session import SessionOptions, opened
from timegate.cli.terminal.values import json_lines, json_value
from timegate.cli.terminal.wording import plain, refusal
from timegate.client import JsonObject
from timegate.client.calls.parts import MOST_EVENTS, parts_of
from timegate.value_classes import dataclass

events = typer.Typer(help="Tell the stage what happened elsewhere.", no_args_is_help=True)

Type = Annotated[
    str | None,
    typer.Argument(metavar="[TYPE]", help="Name its type, such as com.example.order.paid."),
]


@dataclass(frozen=True, kw_only=True, slots=True)
class EventOptions:
    """The attributes and data of an event that is written in words."""

    key: Annotated[
        str | None,
        typer.Option(
            metavar="TEXT", help="Set its subject, by which waiting tasks find the event."
        ),
    ] = None
    #: In a dictionary: a list that is read would be taken for many options.
    data: Annotated[
        dict[str, Any] | None,
        typer.Option(
            parser=lambda text: {"data": json_value(text)},
            metavar="JSON",
            help="Give it these data; @PATH reads a file, - standard input.",
        ),
    ] = None
    source: Annotated[
        str, typer.Option(metavar="TEXT", help="Name its sender; with the id, its identity.")
    ] = "timegate-cli"
    event_id: Annotated[
        str | None,
        typer.Option(
            "--id", metavar="TEXT", help="Set its id; a repeated command repeats nothing."
        ),
    ] = None


File = Annotated[
    object,
    typer.Option(
        "--file",
        "-f",
        parser=json_lines,
        metavar="PATH|-",
        help="Read the API's events, one in a line of JSON, or a JSON list.",
    ),
]


@events.callback()
def _group() -> None:
    """Tell the stage what happened elsewhere."""


@events.command("send")
@grouped
def send(
    ctx: typer.Context,
    session: SessionOptions,
    written: EventOptions,
    terms: LookOptions,
    sure: YesOption,
    event_type: Type = None,
    file: File = None,
) -> None:
    """Send a CloudEvent, or, after a yes, those of a file; exits with 1 if one was refused.

    timegate events send com.example.order.paid --key 4711 --data '{"amount": 42}'
    """
    of_file = _of_file(file, event_type)
    sent = of_file or [_event(event_type, written)]
    with opened(ctx, session) as opening:
        if terms.dry_run:
            opening.show(_counted(sent), _count_table)
            return
        if of_file:
            sure.agree(f"Send {len(sent)} {'events' if len(sent) > 1 else 'event'}?")
        answers = (opening.client.send_events(part) for part in parts_of(sent, most=MOST_EVENTS))
        whole = opening.show_joined(answers, _table)
    if whole["failed"]:
        raise typer.Exit(EXIT_REFUSED)


def _of_file(file: object, event_type: str | None) -> list[Any]:
    if file is None:
        return []
    if event_type is not None:
        message = "give a type or a file, and not both."
        raise typer.BadParameter(message, param_hint="'--file'")
    if not isinstance(file, list) or not file:
        message = "it has no events."
        raise typer.BadParameter(message, param_hint="'--file'")
    return file


def _event(event_type: str | None, written: EventOptions) -> dict[str, Any]:
    if event_type is None:
        message = "name the type of the event, or a file with --file."
        raise typer.BadParameter(message, param_hint="'TYPE'")
    identity = {
        "id": written.event_id or uuid4().hex,
        "source": written.source,
        "type": event_type,
    }
    subject = {} if written.key is None else {"subject": written.key}
    return {"specversion": "1.0", **identity, **subject, **(written.data or {})}


def _counted(sent: Sequence[Any]) -> dict[str, Any]:
    """Count what would be sent, by type, most frequent first."""
    kinds = Counter(_type_of(each) for each in sent)
    types = [{"type": kind, "events": count} for kind, count in kinds.most_common()]
    requests = sum(1 for _ in parts_of(sent, most=MOST_EVENTS))
    return {"dry_run": True, "events": len(sent), "requests": requests, "types": types}


def _type_of(event: object) -> str | None:
    found = event.get("type") if isinstance(event, dict) else None
    return found if isinstance(found, str) else None


def _count_table(counted: JsonObject) -> RenderableType:
    columns: dict[str, Column] = {
        "type": lambda row: plain(row["type"]),
        "events": lambda row: str(row["events"]),
    }
    summary = f"{counted['events']} events in requests: {counted['requests']}. Nothing was sent."
    return Group(table(counted["types"], columns), Text(), Text(summary))


def _table(whole: JsonObject) -> RenderableType:
    columns: dict[str, Column] = {
        "event": lambda item: str(item["index"] + 1),
        "id": lambda item: plain(item["id"]),
        "receipt": lambda item: plain(item["receipt"]),
        "met": lambda item: plain(", ".join(map(_met, item["met"]))),
        "refused": lambda item: plain(item["error"] and refusal(item["error"])),
    }
    summary = f"{whole['received']} received, {whole['repeated']} known before"
    return Group(
        table(whole["items"], columns), Text(), Text(f"{summary}, {whole['failed']} refused")
    )


def _met(met: JsonObject) -> str:
    of = met["dag_run_id"] or met["run_id"]
    return f"{met['kind']} {met['name']}" + (f" of {of}" if of else "")
