"""Triggers, as they are asked for."""

from datetime import datetime
from typing import Annotated, Any

from pydantic import Field, StringConstraints

from timegate.contracts.limits import CollapseContract
from timegate.contracts.values.durations import Duration
from timegate.contracts.values.fields import PRINTABLE, Contract, Instant, Labels
from timegate.domain.execution.triggers import MAX_AHEAD, MAX_TAGS_BYTES, Trigger
from timegate.domain.jobs.definition import UNSET
from timegate.domain.jobs.demands import Priority
from timegate.domain.limits.collapse import MAX_KEY_LENGTH
from timegate.domain.values.errors import InvalidInput, RunNotFound
from timegate.domain.values.identity import RunId

#: Triggers in one request.
MAX_TRIGGERS = 1000
_RunId = Annotated[str, StringConstraints(max_length=100, pattern=PRINTABLE)]
_Delay = Annotated[float, Field(ge=0, le=MAX_AHEAD.total_seconds()), Duration()]

_Key = Annotated[str, Field(min_length=1, max_length=MAX_KEY_LENGTH)]
_Expiry = Annotated[float, Field(ge=1, le=MAX_AHEAD.total_seconds()), Duration()]


class TriggerRequest(Contract):
    """Settings of one run, instead of or beside those of its job; an absent one leaves it to it."""

    payload: Any = Field(
        default=None,
        description="Instead of the job's: any JSON up to 256 KB; null: none.",
    )
    payload_patch: dict[str, Any] | None = Field(
        default=None,
        description="Merged into the job's payload, as JSON merge patches are (RFC 7396).",
    )
    at: Instant | None = Field(
        default=None, description=f"When it is due; at most {MAX_AHEAD.days} days ahead."
    )
    delay_seconds: _Delay | None = Field(
        default=None, description="It is due so long after the request."
    )
    priority: Priority | None = Field(default=None, description="Null: that of its job.")
    tags: Labels = Field(
        default_factory=dict,
        description=f"Of the run; names and values up to {MAX_TAGS_BYTES} bytes together.",
    )

    expires_after_seconds: _Expiry | None = Field(
        default=None,
        description="It is skipped unless it starts so soon after it was due; null: it waits.",
    )

    collapse: CollapseContract | None = Field(
        default=None, description="Instead of the job's rule; null: it is a run of its own."
    )
    collapse_key: _Key | None = Field(
        default=None,
        description="Triggers with this key collapse; null: that in the payload, or none.",
    )

    concurrency_key: _Key | None = Field(
        default=None,
        description=(
            "Its run takes the slots of this key among those of the job's overlap; null: of that"
            " in the payload, or none."
        ),
    )

    like_run_id: _RunId | None = Field(
        default=None,
        description=(
            "Run this run of the job again, however it ended, as a run of its own: with its "
            "payload, priority, tags and concurrency_key where the request gives none."
        ),
    )

    def to_domain(self, payload: str | None) -> Trigger:
        """Return the use case's argument; ``payload`` as JSON text. May raise ``InvalidInput``."""
        whole = "payload" in self.model_fields_set
        _refuse_both("payload_patch", whole and self.payload_patch is not None, "payload")
        both = self.at is not None and self.delay_seconds is not None
        _refuse_both("delay_seconds", both, "at")
        rule = None if self.collapse is None else self.collapse.to_domain()
        return Trigger(
            payload=payload if whole else UNSET,
            collapse=rule if "collapse" in self.model_fields_set else UNSET,
            collapse_key=self.collapse_key,
            concurrency_key=self.concurrency_key,
            payload_patch=self.payload_patch,
            at=self.at,
            delay_seconds=self.delay_seconds,
            priority=self.priority,
            tags=tuple(sorted(self.tags.items())),
            expires_after_seconds=self.expires_after_seconds,
            like=self._like(),
        )

    def _like(self) -> RunId | None:
        if self.like_run_id is None:
            return None
        try:
            return RunId.parse(self.like_run_id)
        except RunNotFound as error:
            raise InvalidInput("like_run_id", "invalid_format", "It is no id of a run.") from error


class Reschedule(Contract):
    """Another instant for a run that has not begun."""

    at: Instant | None = Field(default=None, description=f"At most {MAX_AHEAD.days} days ahead.")
    delay_seconds: _Delay | None = Field(default=None, description="So long after the request.")

    def due_at(self, now: datetime) -> datetime:
        """Return the instant; raises ``InvalidInput`` unless one of both says it."""
        _refuse_both("delay_seconds", self.at is not None and self.delay_seconds is not None, "at")
        if self.at is None and self.delay_seconds is None:
            raise InvalidInput("at", "missing", "Say at or delay_seconds: when is it to be due?")
        return Trigger(at=self.at, delay_seconds=self.delay_seconds).due_at(now)


class TriggerMany(Contract):
    """Triggers of one job, each by itself: one that is refused stops no other."""

    triggers: list[TriggerRequest | Any] = Field(min_length=1, max_length=MAX_TRIGGERS)


class TriggerList(Contract):
    """The same before any of them is looked at."""

    triggers: list[Any] = Field(min_length=1, max_length=MAX_TRIGGERS)


def _refuse_both(field: str, are_given: bool, other: str) -> None:
    if are_given:
        raise InvalidInput(field, "contradictory", f"It goes without {other}: give one of both.")
