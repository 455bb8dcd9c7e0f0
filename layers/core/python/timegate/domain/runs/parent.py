"""Causes of a run: the end of another run, or a trigger, perhaps by an event that matched."""

from datetime import datetime

from timegate.domain.jobs.demands import Priority
from timegate.domain.jobs.follow_up import Given
from timegate.domain.jobs.notification import Occasion
from timegate.domain.values.identity import AttemptId
from timegate.domain.values.payload import Filling, Payload
from timegate.value_classes import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class MatchedEvent:
    """The event that started a run or a DAG run, and the event trigger that it matched."""

    event_trigger: str
    source: str
    id: str


@dataclass(frozen=True, kw_only=True, slots=True)
class TriggerTerms:
    """Settings of one run, beside or instead of those of its job."""

    #: Names and values, sorted by name.
    tags: tuple[tuple[str, str], ...] = ()
    #: ``None``: that of its job.
    priority: Priority | None = None
    #: A run that has not started by then never does; ``None``: it waits.
    start_by: datetime | None = None
    #: Key of its slots among those of its job; ``None``: that in its payload, or none.
    concurrency_key: str | None = None
    #: The event that triggered it; ``None``: another caller did.
    event: MatchedEvent | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Parent:
    """The ended attempt that triggered a run, and the payload it gives."""

    attempt: AttemptId
    #: The state it ended in.
    occasion: Occasion
    #: So many runs triggered one another until this one: 1 after a run without a trigger.
    depth: int
    #: How it ended, as JSON text: targets are told.
    document: str
    gives: Given = Given.OWN
    #: Parent's own payload, for ``gives`` parent.
    payload: Payload | None = None
    #: The run that fills it, as the parent's target got it; ``None``: its texts hold no marks.
    filling: Filling | None = None

    @property
    def given(self) -> Payload | None:
        """Return the payload that the parent gives; ``None``: the job's own."""
        match self.gives:
            case Given.OWN:
                return None
            case Given.PARENT:
                return self.payload
            case Given.RESULT:
                return Payload(inline=self.document, size_bytes=len(self.document.encode()))
