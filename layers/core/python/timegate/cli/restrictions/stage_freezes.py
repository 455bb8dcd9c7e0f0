"""``timegate stage-freezes``: for a while, nothing of any tenant starts."""

from typing import Annotated, Any

import typer

from timegate.cli.completing.stage_names import complete_stage_freezes, complete_tenants
from timegate.cli.completing.words_of_jobs import complete_tags
from timegate.cli.options.job_options import given
from timegate.cli.restrictions.freezes import SpanOptions
from timegate.cli.restrictions.restriction_tables import freeze_details, freeze_table
from timegate.cli.terminal.ending import EndOptions
from timegate.cli.terminal.listing import PageOptions
from timegate.cli.terminal.option_groups import grouped, option_group
from timegate.cli.terminal.session import SessionOptions, opened, surroundings
from timegate.client import JsonObject
from timegate.domain.restrictions.freeze import ThawPolicy
from timegate.domain.values.instants import to_milliseconds

stage_freezes = typer.Typer(
    no_args_is_help=True,
    help="Hold every tenant back for a while; takes the scope timegate/admin.",
)

FreezeId = Annotated[
    str, typer.Argument(metavar="FREEZE_ID", autocompletion=complete_stage_freezes)
]


@option_group("What goes on")
class SparedOptions:
    """Options that select what a freeze of the stage does not hold back."""

    spare_tag: Annotated[
        str | None,
        typer.Option(
            metavar="KEY[=VALUE]",
            autocompletion=complete_tags,
            help="Let jobs with this tag go on.",
        ),
    ] = None
    spare_tenant: Annotated[
        list[str] | None,
        typer.Option(
            metavar="TENANT",
            autocompletion=complete_tenants,
            help="Let this tenant go on. May be repeated.",
        ),
    ] = None

    def as_json(self) -> dict[str, object]:
        """Return what is spared in the API's form."""
        tag = None
        if self.spare_tag is not None:
            key, equals, value = self.spare_tag.partition("=")
            tag = {"key": key, "value": value if equals else None}
        return given({"spared_tag": tag, "spared_tenants": self.spare_tenant})


@stage_freezes.command("create")
@grouped
def create(
    ctx: typer.Context,
    spared: SparedOptions,
    span: SpanOptions,
    sure: EndOptions,
    session: SessionOptions,
    thaw: Annotated[
        ThawPolicy | None,
        typer.Option(
            help="Choose what runs then of what it held back; by default, as each job says."
        ),
    ] = None,
    reason: Annotated[
        str | None,
        typer.Option(metavar="TEXT", help="Say why, for people of all tenants."),
    ] = None,
) -> None:
    """Let nothing of any tenant start for a while.

    timegate stage-freezes create --for 2h --thaw latest --spare-tag critical --reason incident
    """
    now = to_milliseconds(surroundings(ctx).now())
    body: Any = given(
        {**span.as_json(now), **spared.as_json(), "thaw": thaw, "reason": reason},
    )
    with opened(ctx, session) as opening:
        if sure.goes_on(
            opening, lambda: body, _asked, lambda _: "Let nothing of any tenant start?"
        ):
            opening.show(opening.client.create_stage_freeze(body), freeze_details)


def _asked(body: JsonObject) -> str:
    return f"It would hold every tenant back until {body['ends_at']}."


@stage_freezes.command("list")
@grouped
def list_page(
    ctx: typer.Context,
    page: PageOptions,
    session: SessionOptions,
    unended: Annotated[
        bool, typer.Option("--unended", help="List only those that have not ended.")
    ] = False,
) -> None:
    """List freezes of the whole stage, the last to start first."""
    with opened(ctx, session) as opening:
        found = page.read(opening.client.list_stage_freezes, unended=unended)
        opening.show(found, freeze_table)


@stage_freezes.command("get")
@grouped
def get(ctx: typer.Context, freeze_id: FreezeId, session: SessionOptions) -> None:
    """Show a freeze of the whole stage."""
    with opened(ctx, session) as opening:
        opening.show(opening.client.get_stage_freeze(freeze_id), freeze_details)


@stage_freezes.command("lift")
@grouped
def lift(
    ctx: typer.Context, freeze_id: FreezeId, sure: EndOptions, session: SessionOptions
) -> None:
    """End a freeze of the whole stage now."""
    with opened(ctx, session) as opening:
        if sure.goes_on(
            opening,
            lambda: opening.client.get_stage_freeze(freeze_id),
            freeze_details,
            lambda freeze: f"Lift the freeze {freeze['freeze_id']} of all tenants?",
        ):
            opening.show(opening.client.lift_stage_freeze(freeze_id), freeze_details)
