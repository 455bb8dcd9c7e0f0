"""What was told of a run."""

from typing import Any

from pydantic import Field

from api.contracts.fields import Instant
from api.openapi.answers import RUN_ID, Answer, RunFailure
from timegate.domain.jobs.notification import Occasion
from timegate.domain.runs.run import Reason, RunState


class Notification(Answer):
    """What one address is told on one occasion; a run of its own, with its retries."""

    notification_id: str = Field(pattern=RUN_ID, description="It can be read as a run.")
    run_attempt: int = Field(ge=1, description="The attempt that it tells of.")
    on: Occasion
    url: str | None = Field(description="Null: the job does not tell it any more.")
    message: Any = Field(description="What is sent; docs/guides/notifications.md describes it.")
    attempt: int = Field(ge=1, description="Tries to deliver it so far.")
    state: RunState = Field(description="succeeded: it arrived.")
    due_at: Instant
    started_at: Instant | None
    ended_at: Instant | None
    error: RunFailure | None
    reason: Reason | None
    explanation: str = Field(description="For people; it may change.")


class NotificationList(Answer):
    """Everything that was told of a run, by attempt."""

    items: list[Notification]
    next_cursor: str | None = Field(description="Null: a run has few.")
