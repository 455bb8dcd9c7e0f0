"""Requests of workers: claims, heartbeats and ends."""

import json
from datetime import datetime, timedelta
from typing import Annotated, Any

from pydantic import Field, StringConstraints

from timegate.contracts.values.durations import Duration
from timegate.contracts.values.fields import PRINTABLE, Contract, Instant
from timegate.domain.actions.pool import HANDLER_NAME
from timegate.domain.execution.call import Answer
from timegate.domain.jobs.retry import MAX_RETRY_AFTER_SECONDS, Failure, FailureKind
from timegate.domain.jobs.slices import MAX_DELAY_SECONDS, Continuation
from timegate.domain.ledger.worker_log import MAX_BATCHES, MAX_LINE_CHARACTERS, MAX_LINES, Level
from timegate.domain.pools.pause import MAX_REASON, PoolPause
from timegate.domain.runs.run_result import excerpt, whole
from timegate.domain.values.tenant import TenantId
from timegate.usecases.pools.claim_from_pool import MAX_RUNS, MAX_WAIT_SECONDS
from timegate.usecases.pools.heartbeat_run import Said
from timegate.usecases.pools.look_at_pool import PoolClaim
from timegate.usecases.pools.post_log import SentLine

#: Runs of one worker at once.
MAX_CAPACITY = 10_000

_Worker = Annotated[str, StringConstraints(min_length=1, max_length=128, pattern=PRINTABLE)]
_Handler = Annotated[str, StringConstraints(pattern=f"^{HANDLER_NAME.pattern}$")]
_Code = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9_]{0,63}$")]
_Type = Annotated[str, StringConstraints(min_length=1, max_length=128, pattern=PRINTABLE)]
_Token = Annotated[str, StringConstraints(min_length=1, max_length=512, pattern=PRINTABLE)]

_RetryAfter = Annotated[float, Field(ge=0, le=MAX_RETRY_AFTER_SECONDS), Duration()]


class ClaimRequest(Contract):
    """Work that is wanted."""

    worker: _Worker = Field(description="Who asks: any name that tells it from others.")
    max: Annotated[int, Field(ge=0, le=MAX_RUNS)] = Field(
        1, description="At most so many runs; 0: none, the worker says that it is at work."
    )
    wait_seconds: Annotated[float, Field(ge=0, le=MAX_WAIT_SECONDS), Duration()] = Field(
        0, description="Wait so long for the first one."
    )
    handlers: Annotated[list[_Handler], Field(max_length=50)] = Field(
        default_factory=list, description="Only runs for these; none named: whatever there is."
    )
    capacity: Annotated[int, Field(ge=1, le=MAX_CAPACITY)] | None = Field(
        None, description="Runs that the worker can work on at once, shown with its pool."
    )
    in_use: Annotated[int, Field(ge=0, le=MAX_CAPACITY)] | None = Field(
        None, description="Runs that it works on before this claim; those it is given are added."
    )

    def to_domain(self, tenant: TenantId, pool: str) -> PoolClaim:
        """Return the use case's argument."""
        return PoolClaim(
            tenant=tenant,
            pool=pool,
            worker=self.worker,
            max_runs=self.max,
            wait=timedelta(seconds=self.wait_seconds),
            handlers=tuple(self.handlers),
            capacity=self.capacity,
            in_use=self.in_use,
        )


class PausePoolRequest(Contract):
    """Terms of a pause; without a body, no reason and no end."""

    reason: (
        Annotated[str, StringConstraints(min_length=1, max_length=MAX_REASON, pattern=PRINTABLE)]
        | None
    ) = Field(None, description="For people: shown with the pool and to its workers.")
    until: Instant | None = Field(
        None, description="End by itself then, within 366 days; null: when it is resumed."
    )

    def to_domain(self, pool: str, *, by: str, now: datetime) -> PoolPause:
        """Return the pause that is asked for, from now on."""
        return PoolPause(pool=pool, since=now, by=by, reason=self.reason, until=self.until)


class LeaseBody(Contract):
    """A lease that is held."""

    lease_token: _Token = Field(description="As the claim gave it.")


class ProgressContract(Contract):
    """Progress of a run."""

    percent: float | None = None
    message: str | None = None


class HeartbeatBody(LeaseBody):
    """A run that is worked on."""

    progress: ProgressContract | None = Field(None, description="Shown with the run.")
    checkpoint: Any = Field(
        None, description="Any JSON up to 256 KB: the next worker of the run is given the last."
    )

    def to_domain(self) -> Said:
        """Return the use case's argument."""
        progress = self.progress or ProgressContract()
        checkpoint = None if self.checkpoint is None else _json(self.checkpoint)
        return Said(percent=progress.percent, message=progress.message, checkpoint=checkpoint)


class ContinueBody(LeaseBody):
    """A run with more to do."""

    checkpoint: Any = Field(None, description="Any JSON up to 256 KB; null: the last one stays.")
    delay_seconds: Annotated[float, Field(ge=0, le=MAX_DELAY_SECONDS), Duration()] = Field(
        0, description="When the next slice is due, from now."
    )
    progress: ProgressContract | None = Field(None, description="Shown with the run.")

    def to_domain(self) -> Continuation:
        """Return the use case's argument."""
        progress = self.progress or ProgressContract()
        return Continuation(
            checkpoint=None if self.checkpoint is None else _json(self.checkpoint),
            delay_seconds=self.delay_seconds,
            percent=progress.percent,
            message=progress.message,
        )


class LineContract(Contract):
    """A line of a run's log."""

    text: Annotated[str, StringConstraints(min_length=1, max_length=MAX_LINE_CHARACTERS)]
    level: Level = Level.INFO
    at: Instant | None = Field(
        None, description="By the speaker's clock, within the life of its lease; null: now."
    )


class LogBody(LeaseBody):
    """Lines of a run's log."""

    sequence: Annotated[int, Field(ge=1, le=MAX_BATCHES)] = Field(
        description="Counts what is sent under this lease: sent again, it changes nothing."
    )
    lines: Annotated[list[LineContract], Field(min_length=1, max_length=MAX_LINES)]

    def to_domain(self) -> list[SentLine]:
        """Return the use case's lines."""
        return [SentLine(at=line.at, level=line.level, text=line.text) for line in self.lines]


class CompletionBody(LeaseBody):
    """A run that is done."""

    result: Any = Field(
        None, description="Any JSON, kept up to 256 KB; of a larger one, its beginning."
    )

    def to_domain(self) -> Answer:
        """Return it as a target's answer: text as it is, anything else as JSON."""
        if self.result is None:
            return Answer(text="")
        text = self.result if isinstance(self.result, str) else _json(self.result)
        return Answer(text=excerpt(text), whole=whole(text))


class WorkerError(Contract):
    """An error: its code, and its message."""

    code: _Code = Field(description="Stable: retry_on and give_up_on name it.")
    type: _Type = Field("WorkerError", description="The error's own type.")
    message: str = Field("", max_length=4096)


class FailureBody(LeaseBody):
    """A run that failed."""

    error: WorkerError
    retryable: bool = Field(default=True, description="Whether trying again can help.")
    retry_after_seconds: (
        Annotated[float, Field(ge=0, le=MAX_RETRY_AFTER_SECONDS), Duration()] | None
    ) = Field(None, description="Not before; the job's back-off if that is longer.")

    def to_domain(self) -> Failure:
        """Return the failure for the retry policy."""
        return Failure(
            kind=FailureKind.RETRYABLE if self.retryable else FailureKind.PERMANENT,
            code=self.error.code,
            type=self.error.type,
            message=excerpt(self.error.message),
            retry_after_seconds=self.retry_after_seconds,
        )


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
