"""A call: everything a target is told about the run it executes."""

from collections.abc import Mapping
from dataclasses import field
from datetime import datetime
from typing import TYPE_CHECKING

from timegate.domain.actions.action import Action
from timegate.domain.jobs.slices import Continuation
from timegate.domain.runs.parent import Parent
from timegate.domain.values.identity import AttemptId
from timegate.domain.values.tenant import TenantId
from timegate.value_classes import dataclass

if TYPE_CHECKING:
    from timegate.domain.approvals.link import LinkTerms


@dataclass(frozen=True, kw_only=True, slots=True)
class Resume:
    """Position of a long run: its slice, and the checkpoint to go on from."""

    #: Counted from 1.
    slice: int
    #: Number of the last checkpoint; 0: there is none.
    sequence: int = 0
    #: Its JSON text.
    checkpoint: str | None = None
    #: Where one that is too large for an item can be read by holders of this link.
    link: str | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class ReportTerms:
    """Token and limits of a target that works on by itself and reports its end."""

    #: Speaks for the lease under which it is called, and for nothing else.
    token: str
    #: How long it may be silent.
    silence_seconds: int
    #: The run is stopped then.
    deadline_at: datetime


@dataclass(frozen=True, kw_only=True, slots=True)
class Call:
    """One invocation of a target (requirement R6)."""

    tenant: TenantId
    attempt: AttemptId
    #: Grows with every lease; a target that remembers the highest one refuses dead workers.
    fence: int
    scheduled_at: datetime
    #: The call is abandoned then.
    deadline_at: datetime
    action: Action
    #: JSON text, or ``None`` when the job has no payload.
    payload: str | None
    #: It may reach its target twice in no case: the run's delivery is ``at_most_once``.
    once: bool = False
    #: Progress of a run that may go on in slices.
    resume: Resume | None = None
    #: Run whose end triggered this one.
    parent: Parent | None = None
    #: Purpose of a call that is not the run's work, but about it.
    purpose: str | None = None
    #: Number of earlier answers "not now" to a condition's question.
    refused: int = 0
    #: Terms for a target that may call back.
    callback: ReportTerms | None = None
    #: Terms for the link of an approval in a message that has a place for it.
    link: "LinkTerms | None" = None
    #: Texts of the call, beside its credentials, that no answer and no failure may keep.
    hidden: tuple[str, ...] = field(default=(), repr=False)
    #: The trace that its run belongs to; ``None``: the run's own.
    trace: str | None = None
    #: Share of the stage's own traces that is recorded; the target's router says so.
    trace_percent: float = 100

    @property
    def idempotency_key(self) -> str:
        """The same for every attempt at, and every duplicate of, the same run."""
        run = str(self.attempt.run)
        return run if self.purpose is None else f"{run}-{self.purpose}"

    @property
    def message_id(self) -> str:
        """The same for every delivery of a message; it has no dot, and up to 128 characters.

        A run has one message for each slice, and its condition one for each time it is asked.
        """
        key = self.idempotency_key.replace(".", "_")
        if self.purpose is not None:
            # Answers pass: one that is remembered would let a later question's run begin.
            return f"{key}~{self.attempt.number}-{self.refused + 1}"
        number = self.resume.slice if self.resume is not None else 1
        # No run's id has a tilde.
        return key if number == 1 else f"{key}~{number}"


@dataclass(frozen=True, kw_only=True, slots=True)
class Answer:
    """A target's answer on success."""

    #: Cut to an excerpt by the adapter.
    text: str
    #: All of it, where the excerpt is not, and it can be kept.
    whole: str | None = None
    details: Mapping[str, str] = field(default_factory=dict)
    #: There is more to do: the run goes on in another slice.
    continuation: Continuation | None = None
    #: The target works on by itself: the run is its own to hold, and to end.
    accepted: bool = False
