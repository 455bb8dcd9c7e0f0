"""What answers about dead letters look like."""

from typing import Any

from pydantic import Field

from api.openapi.answers import Answer, Attempt, Job, RunRow
from timegate.domain.jobs.job import JobStatus


class DeadLetterRow(RunRow):
    """A run that was given up, with the progress of its last attempt."""

    job_version: int = Field(ge=1, description="The version that the last attempt ran.")
    worker: str | None = Field(description="Who had the last lease.")
    payload_corrected: bool = Field(description="It had a payload of its own, not the job's.")


class DeadLetterPage(Answer):
    """Dead letters, newest first."""

    items: list[DeadLetterRow]
    next_cursor: str | None = Field(
        description="Null on the last page. A page may be short, or empty, and not the last."
    )


class JobNow(Answer):
    """What has become of the job since."""

    version: int = Field(ge=1)
    status: JobStatus
    same_definition: bool = Field(description="A redrive runs what the last attempt ran.")


class DeadLetter(DeadLetterRow):
    """A run that was given up, and everything that is known of it."""

    attempts: list[Attempt] = Field(min_length=1, description="First to last.")
    payload: Any = Field(description="What the last attempt was given, whatever its size.")
    job: Job = Field(description="As it was defined in the version that ran.")
    job_now: JobNow
