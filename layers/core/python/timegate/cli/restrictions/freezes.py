"""``timegate freezes``: for a while, nothing of a tenant, a tag or a job starts."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Annotated, Any

import typer

from timegate.cli.options.job_options import given
from timegate.cli.restrictions.restriction_tables import freeze_details, freeze_table
from timegate.cli.terminal.completion import complete_freezes
from timegate.cli.terminal.listing import PageOptions
from timegate.cli.terminal.option_groups import grouped
from timegate.cli.terminal.session import SessionOptions, opened, surroundings
from timegate.cli.terminal.values import instant, seconds
from timegate.client import JsonObject
from timegate.domain.restrictions.freeze import ThawPolicy
from timegate.domain.values.instants import rfc3339, to_milliseconds

freezes = typer.Typer(no_args_is_help=True, help="Let nothing start for a while.")

FreezeId = Annotated[str, typer.Argument(metavar="FREEZE_ID", autocompletion=complete_freezes)]
_SCOPE = "What (one of)"
_END = "Until when (one of)"


@dataclass(frozen=True, kw_only=True, slots=True)
class ScopeOptions:
    """Options that select the jobs of a freeze."""

    everything: Annotated[
        bool, typer.Option("--everything", help="Every job.", rich_help_panel=_SCOPE)
    ] = False
    tag: Annotated[
        str | None,
        typer.Option(metavar="KEY[=VALUE]", help="Jobs with this tag.", rich_help_panel=_SCOPE),
    ] = None
    job: Annotated[
        str | None, typer.Option(metavar="JOB_ID", help="One job.", rich_help_panel=_SCOPE)
    ] = None

    def as_json(self) -> dict[str, object]:
        """Return the scope in the API's form."""
        said = [self.everything, self.tag is not None, self.job is not None]
        if said.count(True) != 1:
            message = "Exactly one of --everything, --tag and --job says what."
            raise typer.BadParameter(message)
        if self.tag is not None:
            key, equals, value = self.tag.partition("=")
            return {"kind": "tag", "key": key, "value": value if equals else None}
        return {"kind": "tenant"} if self.everything else {"kind": "job", "job_id": self.job}


@dataclass(frozen=True, kw_only=True, slots=True)
class SpanOptions:
    """From when to when."""

    until: Annotated[
        datetime | None,
        typer.Option(parser=instant, metavar="INSTANT", help="Then.", rich_help_panel=_END),
    ] = None
    lasting: Annotated[
        float | None,
        typer.Option(
            "--for",
            parser=seconds,
            metavar="DURATION",
            help="So long after its start.",
            rich_help_panel=_END,
        ),
    ] = None
    start: Annotated[
        datetime | None,
        typer.Option("--from", parser=instant, metavar="INSTANT", help="Now without."),
    ] = None

    def as_json(self, now: datetime) -> dict[str, object]:
        """Return the span in the API's form; one without a beginning begins at ``now``."""
        if (self.until is None) == (self.lasting is None):
            message = "Exactly one of --until and --for says until when."
            raise typer.BadParameter(message)
        end = self.until
        if self.lasting is not None:
            end = (self.start or now) + timedelta(seconds=self.lasting)
        return given(
            {"starts_at": self.start and rfc3339(self.start), "ends_at": end and rfc3339(end)}
        )


@freezes.command("create")
@grouped
def create(
    ctx: typer.Context,
    scope: ScopeOptions,
    span: SpanOptions,
    session: SessionOptions,
    thaw: Annotated[
        ThawPolicy | None,
        typer.Option(help="What runs then of what it held back; job without: its own catch-up."),
    ] = None,
    reason: Annotated[str | None, typer.Option(metavar="TEXT", help="For people.")] = None,
) -> None:
    """Let nothing start for a while.

    timegate freezes create --tag team=billing --for 2h --thaw latest --reason migration
    """
    now = to_milliseconds(surroundings(ctx).now())
    body: Any = given(
        {"scope": scope.as_json(), **span.as_json(now), "thaw": thaw, "reason": reason},
    )
    with opened(ctx, session) as opening:
        opening.show(opening.client.create_freeze(body), freeze_details)


@freezes.command("list")
@grouped
def list_page(
    ctx: typer.Context,
    page: PageOptions,
    session: SessionOptions,
    unended: Annotated[
        bool, typer.Option("--unended", help="Only those that have not ended.")
    ] = False,
) -> None:
    """List freezes, the last to start first."""
    with opened(ctx, session) as opening:

        def fetch(cursor: str | None) -> JsonObject:
            return opening.client.list_freezes(unended=unended, limit=page.limit, cursor=cursor)

        opening.show(page.read(fetch), freeze_table)


@freezes.command("get")
@grouped
def get(ctx: typer.Context, freeze_id: FreezeId, session: SessionOptions) -> None:
    """Show a freeze."""
    with opened(ctx, session) as opening:
        opening.show(opening.client.get_freeze(freeze_id), freeze_details)


@freezes.command("lift")
@grouped
def lift(ctx: typer.Context, freeze_id: FreezeId, session: SessionOptions) -> None:
    """End a freeze now."""
    with opened(ctx, session) as opening:
        opening.show(opening.client.lift_freeze(freeze_id), freeze_details)
