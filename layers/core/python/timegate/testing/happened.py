"""Record of a handler's run under test."""

from dataclasses import field
from datetime import datetime
from enum import StrEnum
from typing import Any

from timegate.value_classes import dataclass


class Outcome(StrEnum):
    """Ends of a run's attempt, as the API records them."""

    SUCCEEDED = "succeeded"
    #: The run is over: permanent, or no attempt is left.
    FAILED = "failed"
    #: Another attempt follows at ``retry_at``.
    RETRY = "retry"
    CONTINUED = "continued"
    RELEASED = "released"
    CANCELLED = "cancelled"
    #: Another worker has the run, and the API refused what this one said.
    LOST = "lost"


@dataclass(kw_only=True, slots=True)
class Happened:
    """Everything that the API in this process heard of one attempt."""

    outcome: Outcome = Outcome.LOST
    #: The handler's return value, as JSON gives it back.
    result: Any = None
    #: The API keeps the beginning of a larger result alone.
    result_is_cut: bool = False
    #: Code, type and message of a failure.
    error: dict[str, str] | None = None
    #: Words about another attempt after a failure.
    explanation: str | None = None
    retry_at: datetime | None = None
    #: Seconds until the next slice of a run that continues.
    delay_seconds: float | None = None
    #: Checkpoints in the order in which the API stored them.
    checkpoints: list[Any] = field(default_factory=list)
    #: The next attempt, slice or worker begins here.
    last_checkpoint: Any = None
    progress: list[dict[str, Any]] = field(default_factory=list)
    #: Level and text of each line: what the handler said, printed and logged, and the trace of its
    #: failure.
    logs: list[tuple[str, str]] = field(default_factory=list)
    #: Instants of the heartbeats that the API accepted.
    heartbeats: list[datetime] = field(default_factory=list)
    #: Codes of the refusals that the API gave, in turn.
    refusals: list[str] = field(default_factory=list)
