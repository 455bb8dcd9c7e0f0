"""``timegate rules``: being told of many jobs at once."""

from typing import Annotated, Any

import typer

from timegate.cli.rules.rule_options import (
    RuleSelectionOptions,
    WhenOptions,
    WhomOptions,
    rule_body,
)
from timegate.cli.rules.rule_tables import rule_details, rule_table
from timegate.cli.terminal.completion import complete_rules
from timegate.cli.terminal.ending import EndOptions
from timegate.cli.terminal.listing import PageOptions
from timegate.cli.terminal.option_groups import grouped
from timegate.cli.terminal.session import SessionOptions, opened
from timegate.client import JsonObject

rules = typer.Typer(
    no_args_is_help=True,
    help="Say of which jobs you are told what: failures in a row, absence, recovery.",
)

Name = Annotated[str, typer.Argument(metavar="RULE", autocompletion=complete_rules)]
Version = Annotated[
    int | None,
    typer.Option(
        "--if-version",
        metavar="N",
        help="Change it only if it has this version; 0: if there is none.",
    ),
]


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


@rules.command("get")
@grouped
def get(ctx: typer.Context, name: Name, session: SessionOptions) -> None:
    """Show a notification rule."""
    with opened(ctx, session) as opening:
        opening.show(opening.client.get_rule(name), rule_details)


@rules.command("list")
@grouped
def list_page(ctx: typer.Context, page: PageOptions, session: SessionOptions) -> None:
    """List notification rules, by name."""
    with opened(ctx, session) as opening:

        def fetch(cursor: str | None) -> JsonObject:
            return opening.client.list_rules(limit=page.limit, cursor=cursor)

        opening.show(page.read(fetch), rule_table)


@rules.command("delete")
@grouped
def delete(
    ctx: typer.Context,
    name: Name,
    sure: EndOptions,
    session: SessionOptions,
    version: Version = None,
) -> None:
    """Delete a notification rule: it tells of nothing any more."""
    with opened(ctx, session) as opening:
        if sure.goes_on(
            opening,
            lambda: opening.client.get_rule(name),
            rule_details,
            lambda _: f"Delete the notification rule {name}?",
        ):
            opening.show(opening.client.delete_rule(name, version=version), rule_details)
