"""Runs that are in the archive of a world, and nowhere else."""

from datetime import datetime, timedelta

from tests.support.factories import NOW, TENANT, attempt_factory, attempt_id
from tests.support.world import World
from timegate.adapters.archive.archive_rows import run_row
from timegate.adapters.dynamo.runs.items.attempt_items import attempt_to_fields
from timegate.adapters.dynamo.tables.values import stored
from timegate.adapters.parquet.writer import ParquetFiles
from timegate.domain.archive.rounds import complete_path, file_path
from timegate.domain.dispatch.shards import ONE_SHARD
from timegate.domain.runs.run import Attempt, RunState
from timegate.domain.values.identity import AttemptId, Origin
from timegate.domain.values.tenant import TenantId

#: Forty days before tests begin.
LONG_AGO = NOW - timedelta(days=40)
_ROUND = "2026-10-20"


def archived_attempt(
    tenant: TenantId = TENANT, attempt: AttemptId | None = None, *, ended_at: datetime = LONG_AGO
) -> Attempt:
    """The run of the tests' job that was triggered then, or another attempt that ended."""
    return attempt_factory(
        tenant=tenant,
        id=attempt or attempt_id(origin=Origin.TRIGGER, scheduled_at=LONG_AGO),
        state=RunState.SUCCEEDED,
        due_at=ended_at,
        created_at=ended_at,
        started_at=ended_at,
        ended_at=ended_at,
        watch_at=None,
        result="ok",
    )


def keep_archived(world: World, *attempts: Attempt) -> None:
    """Put attempts of one day into a file of their own, of a round that is complete."""
    items = (
        attempt_to_fields(each, shards=ONE_SHARD, retention=timedelta(days=30)) for each in attempts
    )
    rows = [row for each in items if (row := run_row(stored(each))) is not None]
    kind, tenant, day = rows[0].kind, rows[0].tenant, rows[0].day
    files = world.archive_files
    assert files.create(file_path(kind, tenant, day, _ROUND, 0), ParquetFiles().encode(kind, rows))
    complete_round(world)


def complete_round(world: World) -> None:
    """Mark the round as complete."""
    world.archive_files.create(complete_path(_ROUND), b"{}")
