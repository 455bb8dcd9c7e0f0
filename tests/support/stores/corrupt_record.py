"""Records that say something no reader understands."""

from typing import Any

from tests.support.stores.contract_stores import Stores
from timegate.adapters.dynamo.tables.engine import Engine
from timegate.adapters.dynamo.tables.keys import Key, attempt_key, gap_key, job_key
from timegate.adapters.dynamo.tables.reading import LATEST_SHAPE, SHAPE
from timegate.adapters.dynamo.tables.writes import Update
from timegate.domain.jobs.job import Job
from timegate.domain.ledger.ledger import Gap
from timegate.domain.runs.run import Attempt
from timegate.domain.values.identity import AttemptId


def damage_gap(stores: Stores, gap: Gap, *, first_is_known: bool) -> None:
    """Let its item say something that no reader understands, perhaps of where it begins."""
    key = gap_key(gap.tenant, gap.job_id, gap.last, gap.job_version)
    write(stores, key, gap.job_id, "reason" if first_is_known else "first", "x")


def damage(stores: Stores, damaged: Job | Attempt) -> None:
    """Let its item say something that no reader understands."""
    if isinstance(damaged, Job):
        write(stores, job_key(damaged.tenant, damaged.job_id), damaged.job_id, "status", "x")
    else:
        write(stores, attempt_key(damaged.tenant, damaged.id), damaged.id, "priority", "x")


def repair(stores: Stores, damaged: Job | Attempt) -> None:
    """Let it say again what it said."""
    if isinstance(damaged, Job):
        status = damaged.timing.status
        write(stores, job_key(damaged.tenant, damaged.job_id), damaged.job_id, "status", status)
    else:
        key = attempt_key(damaged.tenant, damaged.id)
        write(stores, key, damaged.id, "priority", damaged.priority)


def from_later_release(engine: Engine, table: str, key: Key) -> None:
    """Let an item name a shape that this release does not understand."""
    fields = {SHAPE: LATEST_SHAPE + 1}
    engine.write(Update(table=table, key=key, fields=fields, where={}))


def write(stores: Stores, key: Key, own: object, name: str, text: str) -> None:
    """Change one attribute by hand."""
    store: Any = stores.runs if isinstance(own, AttemptId) else stores.jobs
    stores.engine.write(Update(table=store._table, key=key, fields={name: text}, where={}))
