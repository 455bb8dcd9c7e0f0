"""The sparse indexes of the two tables: an item without their attributes is in none of them."""

from collections.abc import Mapping
from typing import Final

from timegate.value_classes import dataclass

#: Attributes of a job's timing that its planner reads from the index alone.
_TIMING = (
    *("tenant", "version", "status", "plan", "created_at", "anchored_at", "next_run_at"),
    *("runs_planned", "full", "standing", "decided_until", "pool", "handler"),
)


@dataclass(frozen=True, kw_only=True, slots=True)
class Index:
    """The attributes that place an item in an index, and those it shows beside its keys."""

    partition: str
    sort: str
    projected: tuple[str, ...] = ()


JOBS_INDEXES: Final[Mapping[str, Index]] = {
    "due": Index(partition="due_bucket", sort="due_at", projected=_TIMING),
    "by_tenant": Index(partition="tenant_key", sort="listed_at", projected=("name",)),
}
RUNS_INDEXES: Final[Mapping[str, Index]] = {
    "watch": Index(partition="watch_bucket", sort="watch_at"),
    "pool": Index(partition="pool_lane", sort="offered_at", projected=("handler",)),
    "failures": Index(partition="failure_part", sort="failure_at"),
    "listed": Index(partition="listed_part", sort="listed_at"),
    "dead_letters": Index(partition="dead_tenant", sort="dead_at"),
    "dead_by_job": Index(partition="pk", sort="dead_at"),
    "dead_by_reason": Index(partition="dead_reason", sort="dead_at"),
    "dead_by_code": Index(partition="dead_code", sort="dead_at"),
}
INDEXES: Final[Mapping[str, Index]] = {**JOBS_INDEXES, **RUNS_INDEXES}
#: The primary key, as an index of everything.
PRIMARY: Final = Index(partition="pk", sort="sk")
