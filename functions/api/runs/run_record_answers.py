"""Answers about records that runs leave behind: results, logs, notifications, dead letters."""

from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import Field
from typing_extensions import TypedDict

from api.jobs.job_answers import Job
from api.runs.run_answers import Attempt, RunFailure, RunRow
from api.values.ids import RUN_ID
from timegate.contracts.values.fields import WrittenInstant
from timegate.domain.channels.channel import CHANNELS
from timegate.domain.jobs.job import JobStatus
from timegate.domain.jobs.notification import Occasion
from timegate.domain.ledger.run_log import LogKind
from timegate.domain.ledger.worker_log import Level
from timegate.domain.runs.run import Reason, RunState

if TYPE_CHECKING:
    ChannelType = str
else:
    ChannelType = Literal[tuple(CHANNELS)]


class AttemptPage(TypedDict):
    """Every attempt at a run, first to last."""

    items: list[Attempt]
    next_cursor: Annotated[None, Field(description="There is one page.")]


class Result(TypedDict):
    """The target's answer to the last attempt."""

    run_id: Annotated[str, Field(pattern=RUN_ID)]
    attempt: Annotated[int, Field(ge=1)]
    state: RunState
    result: Annotated[str | None, Field(description="The answer, or its first 500 characters.")]
    size_bytes: Annotated[int | None, Field(ge=0, description="Of all that is kept.")]
    link: Annotated[
        str | None,
        Field(
            description="Where the whole of a longer one can be read without a token; "
            "null: it is all."
        ),
    ]
    link_expires_at: WrittenInstant | None


class LogLine(TypedDict):
    """One thing that happened to an attempt."""

    at: WrittenInstant
    attempt: Annotated[int, Field(ge=1)]
    kind: LogKind
    level: Annotated[Level | None, Field(description="Of a message; null: a record says it.")]
    text: Annotated[str, Field(description="For people; it may change.")]


class LogPage(TypedDict):
    """Log lines of a run, earliest first."""

    items: list[LogLine]
    next_cursor: Annotated[str | None, Field(description="null: there is no more, yet.")]


class ToldChannel(TypedDict):
    """A channel that is told something."""

    type: ChannelType
    address: Annotated[
        str, Field(description="URL or ARN; of a secret address, where the secret is kept.")
    ]


class NotificationDelivery(TypedDict):
    """Progress of the delivery of a notification."""

    attempt: Annotated[int, Field(ge=1, description="Tries to deliver it so far.")]
    state: Annotated[RunState, Field(description="succeeded: it arrived.")]
    due_at: WrittenInstant
    started_at: WrittenInstant | None
    ended_at: WrittenInstant | None
    error: RunFailure | None
    reason: Reason | None
    explanation: Annotated[str, Field(description="For people; it may change.")]


class Notification(NotificationDelivery):
    """A message to one address on one occasion; a run of its own, with its retries."""

    notification_id: Annotated[str, Field(pattern=RUN_ID, description="It can be read as a run.")]
    run_attempt: Annotated[int, Field(ge=1, description="The attempt that it tells of.")]
    on: Occasion
    channel: Annotated[
        ToldChannel | None, Field(description="Null: the job does not tell it any more.")
    ]
    message: Annotated[
        Any, Field(description="What is sent; docs/guides/notifications.md describes it.")
    ]


class NotificationList(TypedDict):
    """Everything that was told of a run, by attempt."""

    items: list[Notification]
    next_cursor: Annotated[str | None, Field(description="Null: a run has few.")]


class DeadLetterRow(RunRow):
    """A run that was given up, with the progress of its last attempt."""

    job_version: Annotated[int, Field(ge=1, description="The version that the last attempt ran.")]
    worker: Annotated[str | None, Field(description="Who had the last lease.")]
    payload_corrected: Annotated[
        bool, Field(description="It had a payload of its own, not the job's.")
    ]


class DeadLetterPage(TypedDict):
    """Dead letters, newest first."""

    items: list[DeadLetterRow]
    next_cursor: Annotated[
        str | None,
        Field(
            description="Null on the last page. A page may be short, or empty, and not the last."
        ),
    ]


class JobNow(TypedDict):
    """The job's present state."""

    version: Annotated[int, Field(ge=1)]
    status: JobStatus
    same_definition: Annotated[bool, Field(description="A redrive runs what the last attempt ran.")]


class DeadLetter(DeadLetterRow):
    """A run that was given up, and everything that is known of it."""

    attempts: Annotated[list[Attempt], Field(min_length=1, description="First to last.")]
    payload: Annotated[
        Any, Field(description="What the last attempt was given, whatever its size.")
    ]
    job: Annotated[Job, Field(description="As it was defined in the version that ran.")]
    job_now: JobNow
