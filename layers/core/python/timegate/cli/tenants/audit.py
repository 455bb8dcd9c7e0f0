"""``timegate audit``: who changed what, when, and what it was before."""

from typing import Annotated, Any

import typer
from rich.console import RenderableType

from timegate.cli.completing.stage_names import (
    complete_actors,
    complete_resources,
    complete_tenants,
)
from timegate.cli.showing.grids import Column, listing
from timegate.cli.showing.instants import moment
from timegate.cli.terminal.listing import PageOptions
from timegate.cli.terminal.moments import moment_option, moment_text
from timegate.cli.terminal.option_groups import grouped
from timegate.cli.terminal.session import SessionOptions, opened
from timegate.cli.terminal.wording import compact_json, plain
from timegate.client import JsonObject, TimegateClient
from timegate.value_classes import dataclass

_Since = Annotated[
    str | None, moment_option(help="Show changes from then on: yesterday, 22:00, 6h, an instant.")
]
_Until = Annotated[str | None, moment_option(help="Show changes until then; as --since.")]


Resource = Annotated[
    str | None,
    typer.Option(
        metavar="KIND/ID",
        autocompletion=complete_resources,
        help="Show changes of one thing, such as job/JOB_ID.",
    ),
]


@dataclass(frozen=True, kw_only=True, slots=True)
class TrailOptions:
    """The trail that is read: the caller's own, another tenant's, or that of the stage."""

    tenant: Annotated[
        str | None,
        typer.Option(
            metavar="TENANT",
            autocompletion=complete_tenants,
            help="Show another tenant's; takes timegate/admin.",
        ),
    ] = None
    stage: Annotated[
        bool,
        typer.Option(
            "--stage", help="Show changes of the whole stage, as its freezes; takes timegate/admin."
        ),
    ] = False

    def read(self, page: PageOptions, client: TimegateClient, query: dict[str, Any]) -> JsonObject:
        """Read its page; raises ``BadParameter`` for two trails."""
        if self.stage and self.tenant is not None:
            raise typer.BadParameter("--stage and --tenant name two trails; give one of them.")
        if self.stage:
            return page.read(client.read_stage_audit, **query)
        if self.tenant is not None:
            return page.read(client.read_tenant_audit, self.tenant, **query)
        return page.read(client.read_audit, **query)


@grouped
def audit_command(
    ctx: typer.Context,
    page: PageOptions,
    session: SessionOptions,
    trail: TrailOptions,
    resource: Resource = None,
    since: _Since = None,
    until: _Until = None,
    actor: Annotated[
        str | None,
        typer.Option(
            metavar="SUBJECT",
            autocompletion=complete_actors,
            help="Show changes by this person or client.",
        ),
    ] = None,
) -> None:
    """Show who changed what, latest first.

    timegate audit --resource job/JOB_ID --since yesterday --actor ci
    """
    with opened(ctx, session) as opening:
        now = opening.surroundings.now()
        query = {
            "resource": resource,
            "since": moment_text(since, now),
            "until": moment_text(until, now),
            "actor": actor,
        }
        opening.show(trail.read(page, opening.client, query), audit_table)


def audit_table(found: JsonObject) -> RenderableType:
    """A listing of changes."""
    columns: dict[str, Column] = {
        "at (UTC)": lambda each: moment(each["at"]),
        "who": lambda each: plain(each["actor"]["subject"]),
        "did": lambda each: plain(each["operation"]),
        "to": lambda each: plain(f"{each['resource']['kind']}/{each['resource']['id']}"),
        # Each on a line of its own: a line break in what was changed is not one of the table's.
        "changes": lambda each: "\n".join(plain(_change(one)) for one in each["changes"]),
    }
    return listing(found, columns, "No changes.")


def _change(change: JsonObject) -> str:
    after = compact_json(change["after"])
    if change["before"] is None:
        return f"{change['field']}: {after}"
    return f"{change['field']}: {compact_json(change['before'])} → {after}"
