"""Triggers: what one says about its run alone, and keys that make it one run when repeated."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any, Self

from timegate.domain.jobs.definition import UNSET, Unset
from timegate.domain.jobs.demands import Priority
from timegate.domain.limits.collapse import (
    Collapse,
    CollapseWindow,
    WindowState,
    check_collapse,
)
from timegate.domain.limits.overlap import Overlap, OverlapPolicy
from timegate.domain.runs.gate import has_expired
from timegate.domain.runs.parent import MatchedEvent
from timegate.domain.runs.run import Attempt, Collapsed, RunState, TriggerTerms
from timegate.domain.values.errors import InvalidInput
from timegate.domain.values.identity import JobId, RunId, job_id_from
from timegate.domain.values.instants import to_milliseconds
from timegate.domain.values.tenant import TenantId
from timegate.value_classes import dataclass

#: A trigger's key is remembered for so long.
KEY_KEPT = timedelta(days=7)
#: A run can be triggered so far ahead.
MAX_AHEAD = timedelta(days=366)
#: Every write of a run bills its tags again.
MAX_TAGS_BYTES = 1024
_MARK_LENGTH = 16


@dataclass(frozen=True, kw_only=True, slots=True)
class Trigger:
    """A request for a run beside the schedule."""

    #: JSON text instead of the job's payload; ``UNSET``: the job's own.
    payload: str | Unset | None = UNSET
    #: A merge patch for the job's payload, as JSON; ``None``: none.
    payload_patch: Mapping[str, Any] | None = None
    #: ``None``: at once, or after the delay.
    at: datetime | None = None
    delay_seconds: float | None = None
    priority: Priority | None = None
    #: Sorted by name.
    tags: tuple[tuple[str, str], ...] = ()
    #: Its run starts within so long after it is due, or never; ``None``: whenever it can.
    expires_after_seconds: float | None = None
    #: Instead of the job's rule; ``None``: it is a run of its own. ``UNSET``: the job's.
    collapse: Collapse | Unset | None = UNSET
    #: Triggers with this key collapse; ``None``: that in the payload, or none.
    collapse_key: str | None = None
    #: Key of its run's slots among those of the job; ``None``: that in the payload, or none.
    concurrency_key: str | None = None
    #: A run of the job whose payload, priority, tags and key it takes where it says none.
    like: RunId | None = None
    #: The event that it is of; ``None``: a caller's own request.
    event: MatchedEvent | None = None

    def terms(self, due: datetime) -> TriggerTerms | None:
        """Return the terms of a run that is due then; ``None``: it sets none."""
        after = self.expires_after_seconds
        start_by = None if after is None else to_milliseconds(due + timedelta(seconds=after))
        terms = TriggerTerms(
            tags=self.tags,
            priority=self.priority,
            start_by=start_by,
            concurrency_key=self.concurrency_key,
            event=self.event,
        )
        return terms if terms != TriggerTerms() else None

    def rule(self, of_job: Collapse | None) -> Collapse | None:
        """Return the rule by which it collapses; ``None``: it is a run of its own.

        Raises ``InvalidInput`` for one that contradicts the rest of it.
        """
        rule = of_job if isinstance(self.collapse, Unset) else self.collapse
        if rule is None:
            if self.collapse_key is not None:
                detail = "Nothing collapses: neither the trigger nor its job has a rule."
                raise InvalidInput("collapse_key", "without_effect", detail)
            return None
        check_collapse(rule)
        for name in ("at", "delay_seconds"):
            if getattr(self, name) is not None:
                detail = "The rule sets the instant; with collapse: null it is a run of its own."
                raise InvalidInput(name, "contradictory", detail)
        return rule

    def due_at(self, now: datetime) -> datetime:
        """Return the instant at which its run is due; raises ``InvalidInput``."""
        if self.at is not None:
            check_due(self.at, now=now)
            return to_milliseconds(self.at)
        return to_milliseconds(now + timedelta(seconds=self.delay_seconds or 0))


#: It says nothing: a run now, as its job is.
PLAIN = Trigger()


@dataclass(frozen=True, kw_only=True, slots=True)
class TriggerKey:
    """An idempotency key of a trigger, as it is stored: the same for the same key and job."""

    #: A hash of tenant, job and key.
    digest: str
    #: Fingerprint of the request.
    request_hash: str

    @classmethod
    def of(cls, tenant: TenantId, job_id: JobId, key: str, *, request_hash: str) -> Self:
        """Return the stored form of a caller's key."""
        return cls(digest=_digest(f"{tenant}\n{job_id}\n{key}".encode()), request_hash=request_hash)

    @property
    def mark(self) -> str:
        """Return the end of the id of the run that the key names."""
        return self.digest[:_MARK_LENGTH]


def mark_in_batch(seed: str, index: int) -> str:
    """Return the end of the id of a run of a batch: the same for the same seed and place."""
    return _digest(f"{seed}\n{index}".encode())[:_MARK_LENGTH]


@dataclass(frozen=True, kw_only=True, slots=True)
class KeyedRun:
    """A run that was triggered under a key, and the fingerprint of the request."""

    run: RunId
    request_hash: str


def mark_from(seed: bytes) -> str:
    """Return the end of the id of a run whose trigger has data and no key."""
    return _digest(seed)[:_MARK_LENGTH]


def check_due(at: datetime, *, now: datetime) -> None:
    """Raise ``InvalidInput`` for an instant that has passed or is more than ``MAX_AHEAD`` away."""
    if at < now:
        raise InvalidInput("at", "in_the_past", "It has already passed.")
    if at - now > MAX_AHEAD:
        detail = f"It is more than {MAX_AHEAD.days} days ahead."
        raise InvalidInput("at", "out_of_range", detail)


def check_tags(tags: tuple[tuple[str, str], ...]) -> None:
    """Raise ``InvalidInput`` for tags beyond ``MAX_TAGS_BYTES``."""
    size = sum(len(name.encode()) + len(value.encode()) for name, value in tags)
    if size > MAX_TAGS_BYTES:
        detail = f"Names and values have {size} bytes together; the limit is {MAX_TAGS_BYTES}."
        raise InvalidInput("tags", "too_long", detail)


def check_key(key: str | None, overlap: Overlap, *, field: str = "concurrency_key") -> None:
    """Raise ``InvalidInput`` for a key of slots where the policy has none."""
    if key is not None and overlap.policy is OverlapPolicy.ALLOW:
        detail = "The job's overlap policy is allow: its runs take no slots."
        raise InvalidInput(field, "without_effect", detail)


def mark_of(window: CollapseWindow, *, into: RunId | None = None) -> Collapsed:
    """Return what the record of a run of the window says."""
    return Collapsed(
        key=window.key.digest,
        window=window.number,
        shown=window.key.shown,
        since=window.since,
        triggers=window.triggers,
        into=into,
    )


def state_of_window(last: Attempt | None, now: datetime) -> WindowState:
    """Return the state of a window by the last attempt at its run; ``None``: it is forgotten.

    A run that has expired, or was asked to stop, can stand for no trigger, though nothing has ended
    it yet.
    """
    if last is None or last.ends_run or last.cancel_requested or has_expired(last, now):
        return WindowState.ENDED
    waits = last.state in {RunState.WAITING, RunState.QUEUED}
    # A run that was opened again may not be replaced.
    pending = waits and last.fence == 0 and last.id.number == 1
    return WindowState.PENDING if pending else WindowState.BEGUN


def _digest(seed: bytes) -> str:
    return job_id_from(b"trigger\n" + seed)
