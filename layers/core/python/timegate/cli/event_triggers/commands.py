"""``timegate event-triggers``: patterns over events, and what they start."""

from typing import Annotated

import typer

from timegate.cli.event_triggers.trigger_options import EventTriggerOptions, StartsOptions
from timegate.cli.event_triggers.trigger_tables import (
    tried_details,
    trigger_details,
    trigger_table,
)
from timegate.cli.terminal.completion import complete_event_triggers
from timegate.cli.terminal.ending import EndOptions
from timegate.cli.terminal.listing import PageOptions
from timegate.cli.terminal.option_groups import grouped
from timegate.cli.terminal.session import SessionOptions, opened
from timegate.cli.terminal.values import json_file
from timegate.client import JsonObject

event_triggers = typer.Typer(no_args_is_help=True, help="Let events start jobs and DAGs.")

Name = Annotated[str, typer.Argument(metavar="TRIGGER", autocompletion=complete_event_triggers)]
Version = Annotated[
    int | None,
    typer.Option(
        "--if-version",
        metavar="N",
        help="Change it only if it has this version; 0: if there is none.",
    ),
]


@event_triggers.command("put")
@grouped
def put(
    ctx: typer.Context,
    name: Name,
    starts: StartsOptions,
    options: EventTriggerOptions,
    session: SessionOptions,
    version: Version = None,
) -> None:
    """Create an event trigger, or replace it.

    timegate event-triggers put paid --pattern '{"type": ["order.paid"]}' --job invoice
    """
    body = options.as_json(starts.as_json())
    with opened(ctx, session) as opening:
        stored = opening.client.put_event_trigger(name, body, version=version)
        opening.show(stored, trigger_details)


@event_triggers.command("get")
@grouped
def get(ctx: typer.Context, name: Name, session: SessionOptions) -> None:
    """Show an event trigger, and the address of its web hook."""
    with opened(ctx, session) as opening:
        opening.show(opening.client.get_event_trigger(name), trigger_details)


@event_triggers.command("list")
@grouped
def list_page(ctx: typer.Context, page: PageOptions, session: SessionOptions) -> None:
    """List event triggers, by name."""
    with opened(ctx, session) as opening:

        def fetch(cursor: str | None) -> JsonObject:
            return opening.client.list_event_triggers(limit=page.limit, cursor=cursor)

        opening.show(page.read(fetch), trigger_table)


@event_triggers.command("delete")
@grouped
def delete(
    ctx: typer.Context,
    name: Name,
    sure: EndOptions,
    session: SessionOptions,
    version: Version = None,
) -> None:
    """Forget an event trigger, and the address of its web hook."""
    with opened(ctx, session) as opening:
        if sure.goes_on(
            opening,
            lambda: opening.client.get_event_trigger(name),
            trigger_details,
            lambda _: f"Forget the event trigger {name}?",
        ):
            deleted = opening.client.delete_event_trigger(name, version=version)
            opening.show(deleted, trigger_details)


@event_triggers.command("pause")
@grouped
def pause(ctx: typer.Context, name: Name, session: SessionOptions) -> None:
    """Let events pass it by; what comes meanwhile starts nothing later."""
    with opened(ctx, session) as opening:
        opening.show(opening.client.pause_event_trigger(name), trigger_details)


@event_triggers.command("resume")
@grouped
def resume(ctx: typer.Context, name: Name, session: SessionOptions) -> None:
    """Let events reach it again."""
    with opened(ctx, session) as opening:
        opening.show(opening.client.resume_event_trigger(name), trigger_details)


@event_triggers.command("try")
@grouped
def try_event(
    ctx: typer.Context,
    name: Name,
    path: Annotated[str, typer.Argument(metavar="FILE|-", help="Read an event as JSON.")],
    session: SessionOptions,
) -> None:
    """Say whether an event would start something; nothing starts."""
    event = json_file(path)
    with opened(ctx, session) as opening:
        opening.show(opening.client.try_event_trigger(name, event), tried_details)
