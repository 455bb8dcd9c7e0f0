"""What answers about what a run left behind look like."""

from typing import Annotated

from pydantic import Field

from api.contracts.fields import Instant
from api.openapi.answers import RUN_ID, Answer, Attempt
from timegate.domain.ledger.run_log import LogKind
from timegate.domain.ledger.worker_log import Level
from timegate.domain.runs.run import RunState


class AttemptPage(Answer):
    """Every attempt at a run, first to last."""

    items: list[Attempt]
    next_cursor: None = Field(description="There is one page.")


class Result(Answer):
    """What the last attempt was answered."""

    run_id: Annotated[str, Field(pattern=RUN_ID)]
    attempt: int = Field(ge=1)
    state: RunState
    result: str | None = Field(description="The answer, or its first 500 characters.")
    size_bytes: int | None = Field(ge=0, description="Of all that is kept.")
    link: str | None = Field(
        description="Where the whole of a longer one can be read without a token; null: it is all."
    )
    link_expires_at: Instant | None


class LogLine(Answer):
    """One thing that happened to an attempt."""

    at: Instant
    attempt: int = Field(ge=1)
    kind: LogKind
    level: Level | None = Field(description="Of a message; null: a record says it.")
    text: str = Field(description="For people; it may change.")


class LogPage(Answer):
    """What happened to a run, earliest first."""

    items: list[LogLine]
    next_cursor: str | None = Field(description="null: there is no more, yet.")
