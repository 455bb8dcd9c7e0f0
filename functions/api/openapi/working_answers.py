"""What workers are answered, and what the route table does not say of their operations."""

from collections.abc import Mapping
from http import HTTPStatus
from types import MappingProxyType
from typing import Any

from pydantic import Field

from api.contracts.fields import Instant
from api.openapi.answers import JOB_ID, RUN_ID, Answer
from api.openapi.described import Described


class ClaimedRun(Answer):
    """A run that is the worker's until its lease expires."""

    run_id: str = Field(pattern=RUN_ID)
    job_id: str = Field(pattern=JOB_ID)
    job_name: str
    handler: str
    payload: Any
    last_checkpoint: Any = Field(description="Where whoever held it last would go on.")
    attempt: int = Field(ge=1)
    idempotency_key: str = Field(description="The same for every try at the run.")
    fence: int = Field(ge=1, description="Higher than that of any lease of the run before.")
    scheduled_at: Instant
    due_at: Instant
    lease_token: str = Field(description="Shown with every heartbeat, and in the end.")
    lease_expires_at: Instant = Field(description="Send a heartbeat before then.")
    deadline_at: Instant = Field(description="The run is stopped then, whatever its heartbeats.")
    parent: Any = Field(description="How the run ended that triggered this one; null: none did.")


class Claim(Answer):
    """Runs that were claimed."""

    runs: list[ClaimedRun]
    lease_seconds: float = Field(gt=0, description="How long a worker may be silent.")
    ask_again_after_seconds: float = Field(ge=0, description="Nothing is known to be due before.")


class Heartbeat(Answer):
    """What a worker hears."""

    lease_expires_at: Instant
    cancel_requested: bool = Field(description="Stop, and release the run.")


class Recorded(Answer):
    """What was said is on record."""

    run_id: str = Field(pattern=RUN_ID)


class PoolWorker(Answer):
    """A worker that asked for work within the last five minutes."""

    worker: str
    seen_at: Instant = Field(description="May lag behind by half a minute.")
    handlers: list[str] = Field(description="Empty: whatever the pool offers.")


class Pool(Answer):
    """What waits in a pool now; one that nobody uses looks like one that is empty."""

    pool: str
    depth: int = Field(ge=0, description="Runs that may be claimed now.")
    depth_is_partial: bool = Field(description="There are more than were counted.")
    depth_by_priority: dict[str, int]
    oldest_age_seconds: float | None = Field(description="How long the first one has waited.")
    workers: list[PoolWorker]


_CONFLICT = HTTPStatus.CONFLICT
_NOT_FOUND = HTTPStatus.NOT_FOUND
_ENDS = Described(
    answer=Recorded,
    success={200: "It is on record; saying it again changes nothing."},
    refusals=(_NOT_FOUND, _CONFLICT),
)
_SAID = Described(
    answer=Recorded,
    success={200: "The lines are kept; sending them again changes nothing."},
    refusals=(_NOT_FOUND, _CONFLICT),
)
_HELD = Described(
    answer=Heartbeat,
    success={200: "The lease was renewed."},
    refusals=(_NOT_FOUND, _CONFLICT),
)

WORKING_OPERATIONS: Mapping[str, Described] = MappingProxyType(
    {
        "getPool": Described(answer=Pool, success={200: "The pool as it is now."}),
        "claimRuns": Described(answer=Claim, success={200: "Runs, or none."}),
        "heartbeatRun": _HELD,
        "completeRun": _ENDS,
        "failRun": _ENDS,
        "releaseRun": _ENDS,
        "continueRun": _ENDS,
        "heartbeatCallback": _HELD,
        "completeCallback": _ENDS,
        "failCallback": _ENDS,
        "releaseCallback": _ENDS,
        "continueCallback": _ENDS,
        "postLog": _SAID,
        "postCallbackLog": _SAID,
    }
)
