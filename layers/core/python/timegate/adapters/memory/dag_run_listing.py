"""The runs of a DAG, by page."""

from collections.abc import Iterable

from timegate.adapters.page_cursor import read_cursor, write_cursor
from timegate.domain.dag_runs.progress import DagRun
from timegate.domain.values.identity import DagId
from timegate.domain.values.instant_range import InstantRange
from timegate.domain.values.instants import compact
from timegate.domain.values.tenant import TenantId
from timegate.ports.stores import Page


def page(
    stored: Iterable[DagRun],
    tenant: TenantId,
    dag_id: DagId,
    *,
    within: InstantRange,
    limit: int,
    cursor: str | None,
) -> Page[DagRun]:
    """Those that were created within, newest first."""
    listing = f"dag-runs#{tenant}#{dag_id}"
    below = read_cursor(listing, cursor) if cursor is not None else None
    own = {
        f"{compact(run.created_at)}#{run.dag_run_id}": run
        for run in stored
        if (run.tenant, run.dag_id) == (tenant, dag_id) and within.covers(run.created_at)
    }
    places = sorted((place for place in own if below is None or place < below), reverse=True)
    shown = places[:limit]
    more = write_cursor(listing, shown[-1]) if len(places) > limit else None
    return Page(rows=tuple(own[place] for place in shown), cursor=more)
