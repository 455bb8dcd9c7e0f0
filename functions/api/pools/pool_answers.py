"""Answers to workers, and about their pools."""

from typing import Annotated, Any

from pydantic import Field
from typing_extensions import TypedDict

from api.values.ids import JOB_ID, RUN_ID, TRACEPARENT
from timegate.contracts.values.fields import WrittenInstant


class ClaimedRun(TypedDict):
    """A run that is the worker's until its lease expires."""

    run_id: Annotated[str, Field(pattern=RUN_ID)]
    job_id: Annotated[str, Field(pattern=JOB_ID)]
    job_name: str
    handler: str
    payload: Any
    last_checkpoint: Annotated[Any, Field(description="Where its last worker would go on.")]
    attempt: Annotated[int, Field(ge=1)]
    idempotency_key: Annotated[str, Field(description="The same for every try at the run.")]
    fence: Annotated[
        int, Field(ge=1, description="Higher than that of any lease of the run before.")
    ]
    scheduled_at: WrittenInstant
    due_at: WrittenInstant
    lease_token: Annotated[str, Field(description="Shown with every heartbeat, and in the end.")]
    lease_expires_at: Annotated[WrittenInstant, Field(description="Send a heartbeat before then.")]
    deadline_at: Annotated[
        WrittenInstant, Field(description="The run is stopped then, whatever its heartbeats.")
    ]
    traceparent: Annotated[
        str,
        Field(
            pattern=TRACEPARENT,
            description="W3C: the run's trace, and a span of this lease; the work's parent.",
        ),
    ]
    parent: Annotated[
        Any, Field(description="How the run ended that triggered this one; null: none did.")
    ]


class PoolPause(TypedDict):
    """A pause of a pool: no worker is handed a run of it."""

    since: WrittenInstant
    until: Annotated[
        WrittenInstant | None, Field(description="It ends then; null: when it is resumed.")
    ]
    by: Annotated[str, Field(description="The caller that set its terms last.")]
    reason: Annotated[str | None, Field(description="For people.")]


Pause = Annotated[PoolPause | None, Field(description="Null: the pool is not paused.")]


class Claim(TypedDict):
    """Runs that were claimed."""

    runs: list[ClaimedRun]
    lease_seconds: Annotated[float, Field(gt=0, description="How long a worker may be silent.")]
    ask_again_after_seconds: Annotated[
        float, Field(ge=0, description="Nothing is known to be due before.")
    ]
    pause: Pause


class Heartbeat(TypedDict):
    """The answer to a worker's heartbeat."""

    lease_expires_at: WrittenInstant
    cancel_requested: Annotated[bool, Field(description="Stop, and release the run.")]


class Recorded(TypedDict):
    """The worker's report is on record."""

    run_id: Annotated[str, Field(pattern=RUN_ID)]


Capacity = Annotated[
    int | None,
    Field(ge=0, description="Runs that these workers can work on at once; null: none said."),
]
InUse = Annotated[
    int | None, Field(ge=0, description="Runs that they work on, half a minute late.")
]
LastSeen = Annotated[
    WrittenInstant | None,
    Field(
        description="When a worker asked last, half a minute late, after a day to the hour; "
        "null: none in 90 days."
    ),
]


class PoolWorker(TypedDict):
    """A worker that asked for work within the last five minutes."""

    worker: str
    seen_at: Annotated[WrittenInstant, Field(description="May lag behind by half a minute.")]
    handlers: Annotated[list[str], Field(description="Empty: whatever the pool offers.")]
    capacity: Annotated[
        int | None, Field(ge=1, description="Runs that it can work on at once; null: not said.")
    ]
    in_use: Annotated[
        int | None, Field(ge=0, description="Runs that it worked on when it was seen.")
    ]


class Pool(TypedDict):
    """Runs that wait in a pool now; a pool that is not used looks like an empty one."""

    pool: str
    depth: Annotated[int, Field(ge=0, description="Runs that may be claimed now.")]
    depth_is_partial: Annotated[bool, Field(description="There are more than were counted.")]
    depth_by_priority: dict[str, int]
    oldest_age_seconds: Annotated[
        float | None, Field(description="How long the first one has waited.")
    ]
    workers: list[PoolWorker]
    capacity: Capacity
    in_use: InUse
    last_seen_at: LastSeen
    pause: Pause


class PoolStanding(TypedDict):
    """A pool that was paused or resumed."""

    pool: str
    pause: Pause
    last_seen_at: LastSeen


class WaitingRuns(TypedDict):
    """Runs that may be claimed now."""

    count: Annotated[int, Field(ge=0, description="Up to 25 of each lane of each priority.")]
    is_partial: Annotated[bool, Field(description="There may be more than were counted.")]
    oldest_at: Annotated[
        WrittenInstant | None, Field(description="Since when the first one waits; null: none does.")
    ]


class ListedPool(TypedDict):
    """A pool that a worker asked within a day, that a job names, or that is paused."""

    pool: str
    workers: Annotated[int, Field(ge=0, description="Workers that asked within five minutes.")]
    capacity: Capacity
    in_use: InUse
    last_seen_at: LastSeen
    jobs: Annotated[
        int, Field(ge=0, description="Of the newest 100 jobs, active and paused ones that name it.")
    ]
    waiting: Annotated[
        WaitingRuns | None,
        Field(description="Of the first ten pools; null: GET /v1/pools/{pool} reads it."),
    ]
    pause: Pause


class PoolList(TypedDict):
    """Pools of a tenant: those without a worker first, then by name."""

    pools: list[ListedPool]
    is_partial: Annotated[
        bool, Field(description="The tenant has more jobs, workers or pauses than were read.")
    ]
