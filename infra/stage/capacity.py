"""Capacity: time and memory of an environment, and how many each lane and function may have."""

from collections.abc import Mapping
from dataclasses import dataclass

#: AWS accepts no lower ceiling for an event source.
LEAST_SOURCE_CONCURRENCY = 2


@dataclass(frozen=True, kw_only=True)
class ResourceClass:
    """Time and memory that a run of this class may use."""

    #: The executor's timeout and the queue's visibility: AWS refuses a visibility below it.
    timeout_seconds: int
    #: How long a claim lasts without a heartbeat; always shorter than the visibility.
    lease_seconds: int
    memory_mb: int
    #: Most runs in one environment, bounded by memory: it takes more messages while calls last.
    #: 0: it takes none beside its batch.
    runs_at_once: int = 100


CLASSES = {
    # Close to the visibility: then the queue itself returns a dead worker's run, for no call.
    # Its memory is for the processor that comes with it: runs of a burst start on time.
    "short": ResourceClass(timeout_seconds=90, lease_seconds=80, memory_mb=1024),
    # Its calls wait: memory is for as many as there may be (bench/results/memory.json).
    "long": ResourceClass(timeout_seconds=900, lease_seconds=60, memory_mb=512),
}


@dataclass(frozen=True, kw_only=True)
class Capacity:
    """Concurrency that a stage takes from its account."""

    name: str
    #: Most batches in work at once, per resource class and priority (2 to 1,000).
    lanes: Mapping[str, Mapping[str, int]]
    #: Most environments of the functions whose need does not follow from lanes and ticks.
    functions: Mapping[str, int]
    #: Each lane and function has its number to itself: its ceiling, and its floor. ``False`` sets
    #: nothing aside, and the first to come has what the account has left.
    reserves: bool = True


#: For production: the account's quota has to be raised for it.
FULL = Capacity(
    name="full",
    lanes={
        "short": {"critical": 1_000, "high": 1_000, "normal": 1_000, "low": 250},
        "long": {"critical": 500, "high": 500, "normal": 500, "low": 100},
    },
    functions={
        "api": 500,
        "workers": 200,
        # Shards of the stream times ``stream_parallelism``: up to twenty shards.
        "relay": 200,
        "outcomes": 200,
        "dag_runs": 100,
        "operations": 50,
    },
)
#: Production in an account with the usual quota of 1,000, alone in it.
STANDARD = Capacity(
    name="standard",
    lanes={
        "short": {"critical": 100, "high": 75, "normal": 75, "low": 20},
        "long": {"critical": 30, "high": 20, "normal": 20, "low": 10},
    },
    functions={
        "api": 100,
        "workers": 50,
        # A table on demand begins with four shards; a stage reads ten batches of each at once.
        "relay": 40,
        "outcomes": 40,
        "dag_runs": 20,
        "operations": 10,
    },
)
#: For development: several stages fit into an account with the usual quota.
SMALL = Capacity(
    name="small",
    lanes={
        "short": {"critical": 20, "high": 20, "normal": 20, "low": 20},
        "long": {"critical": 10, "high": 10, "normal": 10, "low": 10},
    },
    functions={
        "api": 50,
        "workers": 20,
        "relay": 10,
        "outcomes": 10,
        "dag_runs": 10,
        "operations": 5,
    },
)
#: For a new account, whose quota may be as low as 10: it can set nothing aside.
NONE = Capacity(
    name="none",
    lanes={
        resource_class: dict.fromkeys(
            ("critical", "high", "normal", "low"), LEAST_SOURCE_CONCURRENCY
        )
        for resource_class in ("short", "long")
    },
    functions={},
    reserves=False,
)

CAPACITIES: Mapping[str, Capacity] = {each.name: each for each in (FULL, STANDARD, SMALL, NONE)}
