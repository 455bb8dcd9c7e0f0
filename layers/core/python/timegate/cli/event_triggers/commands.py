"""``timegate event-triggers``: patterns over events, and what they start."""

from typing import Annotated

import typer

from timegate.cli.completing.stage_names import complete_event_triggers
from timegate.cli.event_triggers.trigger_options import EventTriggerOptions, StartsOptions
from timegate.cli.event_triggers.trigger_tables import (
    tried_details,
    trigger_details,
    trigger_table,
)
from timegate.cli.naming.named_things import NamedThings, Version, add_commands
from timegate.cli.terminal.option_groups import grouped
from timegate.cli.terminal.session import SessionOptions, opened
from timegate.cli.terminal.values import document_file

event_triggers = typer.Typer(no_args_is_help=True, help="Let events start jobs and DAGs.")

Name = Annotated[str, typer.Argument(metavar="TRIGGER", autocompletion=complete_event_triggers)]


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
        opening.show(stored, trigger_details(opening))


add_commands(
    event_triggers,
    NamedThings(
        name=Name,
        of=lambda client: client.event_triggers,
        details=trigger_details,
        table=trigger_table,
        show_help="Show an event trigger, and the address of its web hook.",
        list_help="List event triggers, by name.",
        validate_help="Say what is wrong with an event trigger, and store nothing.",
        delete_help="Forget an event trigger, and the address of its web hook.",
        question="Forget the event trigger",
    ),
)


@event_triggers.command("pause")
@grouped
def pause(ctx: typer.Context, name: Name, session: SessionOptions) -> None:
    """Let events pass it by; what comes meanwhile starts nothing later."""
    with opened(ctx, session) as opening:
        opening.show(opening.client.pause_event_trigger(name), trigger_details(opening))


@event_triggers.command("resume")
@grouped
def resume(ctx: typer.Context, name: Name, session: SessionOptions) -> None:
    """Let events reach it again."""
    with opened(ctx, session) as opening:
        opening.show(opening.client.resume_event_trigger(name), trigger_details(opening))


@event_triggers.command("try")
@grouped
def try_event(
    ctx: typer.Context,
    name: Name,
    path: Annotated[str, typer.Argument(metavar="FILE|-", help="Read an event, as JSON or YAML.")],
    session: SessionOptions,
) -> None:
    """Say whether an event would start something; nothing starts."""
    event = document_file(path)
    with opened(ctx, session) as opening:
        opening.show(opening.client.try_event_trigger(name, event), tried_details)
