"""A plan as what it writes into its job's item."""

from timegate.adapters.dynamo.jobs.job_items import as_read, due_fields, place_fields
from timegate.adapters.dynamo.tables.keys import job_key
from timegate.adapters.dynamo.tables.reading import written
from timegate.adapters.dynamo.tables.writes import Update
from timegate.domain.dispatch.shards import Placement
from timegate.domain.planning.plan import Plan
from timegate.ports.stores import Advance


def move_of(advance: Advance, plan: Plan, *, table: str, shards: Placement) -> Update:
    """The job past a plan, if it is still as it was read."""
    timing = advance.timing
    after = plan.after(timing)
    return Update(
        table=table,
        key=job_key(timing.tenant, timing.job_id),
        fields={
            **due_fields(after, shards=shards, at=advance.at),
            "status": plan.status_after,
            "next_run_at": written(plan.next_run_at),
            "runs_planned": plan.runs_planned,
            **place_fields(after),
        },
        where=as_read(timing),
    )
