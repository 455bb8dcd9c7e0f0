"""The first thing to write: store the run, then move the job past it."""

from dataclasses import replace
from datetime import datetime, timedelta

from tests.support.stores.contract_stores import Stores
from timegate.adapters.dynamo.jobs.job_items import as_read, due_fields
from timegate.adapters.dynamo.tables.keys import job_key
from timegate.adapters.dynamo.tables.reading import written
from timegate.adapters.dynamo.tables.writes import Update
from timegate.domain.dispatch.shards import ONE_SHARD
from timegate.domain.jobs.job import Timing
from timegate.domain.planning.plan import plan_runs


def plan_naively(stores: Stores, jobs_table: str, timing: Timing, *, now: datetime) -> None:
    """Two writes a job. Dying in between leaves a run beyond the point where the job stands."""
    plan = plan_runs(timing, now=now, until=now + timedelta(minutes=10))
    stores.runs.insert_all(plan.attempts)
    after = replace(timing, next_run_at=plan.next_run_at)
    move = Update(
        table=jobs_table,
        key=job_key(timing.tenant, timing.job_id),
        fields={
            **due_fields(after, shards=ONE_SHARD, at=now),
            "status": plan.status_after,
            "next_run_at": written(plan.next_run_at),
            "runs_planned": plan.runs_planned,
        },
        where=as_read(timing),
    )
    stores.engine.write(move)
