"""``timegate forecast``: how many runs fall due in the next days, and when most of them do."""

from typing import Annotated
from zoneinfo import ZoneInfo

import typer

from timegate.cli.completing.known_words import complete_zones
from timegate.cli.completing.stage_names import complete_queues, complete_tenants
from timegate.cli.previews.forecast_merging import Merged
from timegate.cli.previews.forecast_tables import forecast_drawn
from timegate.cli.showing.presentation import presentation
from timegate.cli.terminal.option_groups import grouped
from timegate.cli.terminal.session import Session, SessionOptions, opened, surroundings
from timegate.client import JsonObject
from timegate.domain.recurrence.zones.zone_clock import load_zone
from timegate.domain.values.errors import InvalidInput
from timegate.domain.values.instants import rfc3339

MAX_DAYS = 7


def _zone(name: str) -> ZoneInfo:
    try:
        return load_zone(name)
    except InvalidInput as refused:
        raise typer.BadParameter(refused.detail) from refused


def _shown_zone() -> ZoneInfo:
    zone = presentation().zone
    return zone if isinstance(zone, ZoneInfo) else load_zone("UTC")


Timezone = Annotated[
    ZoneInfo | None,
    typer.Option(
        "--timezone",
        parser=_zone,
        metavar="ZONE",
        autocompletion=complete_zones,
        help="Show hours of this zone; of this machine's by default.",
    ),
]


Queue = Annotated[
    str | None,
    typer.Option(
        "--queue",
        metavar="NAME",
        autocompletion=complete_queues,
        help="Show one queue, such as normal-short, or a pool.",
    ),
]


OtherTenant = Annotated[
    str | None,
    typer.Option(
        "--tenant",
        metavar="TENANT",
        autocompletion=complete_tenants,
        help="Show another tenant's; takes timegate/admin.",
    ),
]


@grouped
def forecast(
    ctx: typer.Context,
    days: Annotated[
        int,
        typer.Option("--days", min=1, max=MAX_DAYS, metavar="N", help="Look so many days ahead."),
    ] = MAX_DAYS,
    queue: Queue = None,
    timezone: Timezone = None,
    tenant: OtherTenant = None,
    max_jobs: Annotated[
        int, typer.Option("--max-jobs", min=1, metavar="N", help="Count at most so many jobs.")
    ] = 10_000,
    *,
    session: SessionOptions,
) -> None:
    """Show how many runs fall due in each hour of the next days, from the schedules alone."""
    start = rfc3339(surroundings(ctx).now().replace(second=0, microsecond=0))
    with opened(ctx, session) as opening:
        merged = Merged()
        cursor: str | None = None
        while True:
            page = _page(opening, tenant, start=start, days=days, cursor=cursor)
            merged.add(page)
            cursor = page["next_cursor"]
            if cursor is None or merged.jobs["read"] >= max_jobs:
                break
        whole = merged.forecast(queue, cursor)
        opening.show(whole, lambda it: forecast_drawn(it, timezone or _shown_zone()))


def _page(
    opening: Session, tenant: str | None, *, start: str, days: int, cursor: str | None
) -> JsonObject:
    client = opening.client
    if tenant is None:
        return client.forecast_load(start=start, days=days, cursor=cursor)
    return client.forecast_tenant_load(tenant, start=start, days=days, cursor=cursor)
