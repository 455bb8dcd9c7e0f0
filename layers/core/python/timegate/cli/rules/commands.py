"""``timegate rules``: being told of many jobs at once."""

from typing import Annotated, Any

import typer

from timegate.cli.completing.stage_names import complete_rules
from timegate.cli.naming.named_things import NamedThings, Version, add_commands
from timegate.cli.options.listing_options import RangeOptions
from timegate.cli.rules.rule_options import (
    RuleSelectionOptions,
    WhenOptions,
    WhomOptions,
    rule_body,
)
from timegate.cli.rules.rule_tables import (
    message_table,
    rule_details,
    rule_table,
    sent_table,
)
from timegate.cli.terminal.listing import PageOptions
from timegate.cli.terminal.option_groups import grouped
from timegate.cli.terminal.session import SessionOptions, opened

rules = typer.Typer(
    no_args_is_help=True,
    help="Say of which jobs you are told what: failures in a row, absence, recovery.",
)

Name = Annotated[str, typer.Argument(metavar="RULE", autocompletion=complete_rules)]


@rules.command("put")
@grouped
def put(
    ctx: typer.Context,
    name: Name,
    jobs: RuleSelectionOptions,
    when: WhenOptions,
    whom: WhomOptions,
    session: SessionOptions,
    version: Version = None,
) -> None:
    """Create a notification rule, or replace it.

    timegate rules put data --tag team:data --failures 3 --recovered --tell https://...
    """
    body: Any = rule_body(jobs, when, whom)
    with opened(ctx, session) as opening:
        opening.show(opening.client.put_rule(name, body, version=version), rule_details)


add_commands(
    rules,
    NamedThings(
        name=Name,
        of=lambda client: client.rules,
        details=lambda _: rule_details,
        table=rule_table,
        show_help="Show a notification rule.",
        list_help="List notification rules, by name.",
        validate_help="Say what is wrong with a notification rule, and store nothing.",
        delete_help="Delete a notification rule: it tells of nothing any more.",
        question="Delete the notification rule",
    ),
)


@rules.command("test")
@grouped
def test(ctx: typer.Context, name: Name, session: SessionOptions) -> None:
    """Send a test message to each channel of a notification rule.

    timegate rules messages shows afterwards how far each delivery came.
    """
    with opened(ctx, session) as opening:
        opening.show(opening.client.test_rule(name), sent_table)


@rules.command("messages")
@grouped
def messages(
    ctx: typer.Context,
    name: Name,
    page: PageOptions,
    within: RangeOptions,
    session: SessionOptions,
) -> None:
    """List what a notification rule told whom, the last message first."""
    with opened(ctx, session) as opening:
        span = within.as_query(opening.surroundings.now())
        opening.show(page.read(opening.client.list_rule_messages, name, **span), message_table)
