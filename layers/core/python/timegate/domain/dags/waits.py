"""Wait tasks: a sleep that ends by itself, an approval by a person, or an event."""

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from enum import StrEnum
from typing import ClassVar

from timegate.domain.dags.limits import MAX_APPROVERS, MAX_DEFAULT_BYTES, MAX_TIMEOUT_SECONDS
from timegate.domain.events.awaited_event import AwaitedEvent, awaited_problems
from timegate.domain.jobs.finish_by import FinishBy, finish_instant
from timegate.domain.recurrence.zones.zone_clock import load_zone
from timegate.domain.values.errors import InvalidInput
from timegate.domain.values.secrets import SecretRef
from timegate.value_classes import dataclass


class WaitKind(StrEnum):
    """Kinds of wait tasks."""

    #: It succeeds when its time has come.
    SLEEP = "sleep"
    #: It succeeds when a person approves, and fails when a person rejects.
    APPROVAL = "approval"
    #: It succeeds when an event comes.
    EVENT = "event"


class Expiry(StrEnum):
    """Ends of an approval that was not decided in time, and of an event that did not come."""

    SUCCEED = "succeed"
    FAIL = "fail"
    SKIP = "skip"


@dataclass(frozen=True, kw_only=True, slots=True)
class WaitTask:
    """A task that makes no run: it waits, at most until its end.

    Its end is a span, an instant or a local time of day; an approval or an event without one waits
    until the deadline of its DAG run.
    """

    tag: ClassVar[str] = "wait"
    kind: WaitKind
    #: Counted from the task's start.
    seconds: int | None = None
    until: datetime | None = None
    #: ``HH:MM`` or ``HH:MM:SS``: the first such time after the task's start.
    time: str | None = None
    #: IANA name of the zone of ``time``; ``None``: UTC.
    timezone: str | None = None
    #: End of an approval or an event when nothing came in time.
    on_expiry: Expiry = Expiry.FAIL
    #: Callers who may decide an approval; empty: every caller who may operate.
    approvers: tuple[str, ...] = ()
    #: Secret whose keys sign links to an approval, which let their holders decide as well;
    #: ``None``: there are no links.
    link_secret: SecretRef | None = None
    #: Event that an event task waits for.
    event: AwaitedEvent | None = None
    #: JSON text of an event task's result when none came in time, and ``on_expiry`` is succeed.
    default: str | None = None

    def ends_at(self, started_at: datetime, *, deadline_at: datetime) -> datetime:
        """Return the instant at which a wait ends that started at an instant."""
        if self.seconds is not None:
            return started_at + timedelta(seconds=self.seconds)
        if self.until is not None:
            return self.until
        if self.time is not None:
            by = FinishBy(time=self.time, timezone=self.timezone)
            return finish_instant(by, "UTC", after=started_at)
        return deadline_at

    def lets_decide(self, caller: str) -> bool:
        """Tell if a caller may decide this task."""
        return not self.approvers or caller in self.approvers


def wait_problems(wait: WaitTask, field: str) -> Iterator[InvalidInput]:
    """List what is wrong with a wait: no end or two, a field of the other kind."""
    ends = [name for name in ("seconds", "until", "time") if getattr(wait, name) is not None]
    if len(ends) > 1:
        detail = f"Give one end of the wait, and not both {ends[0]} and {ends[1]}."
        yield InvalidInput(f"{field}.{ends[1]}", "contradictory", detail)
    if wait.kind is WaitKind.SLEEP:
        yield from _sleep_problems(wait, field, ends)
    elif not ends and wait.on_expiry is not Expiry.FAIL:
        detail = f"The {wait.kind} never expires: give it an end, or leave on_expiry out."
        yield InvalidInput(f"{field}.on_expiry", "without_effect", detail)
    if wait.seconds is not None and not 1 <= wait.seconds <= MAX_TIMEOUT_SECONDS:
        detail = f"It is between 1 and {MAX_TIMEOUT_SECONDS}."
        yield InvalidInput(f"{field}.seconds", "out_of_range", detail)
    yield from _kind_problems(wait, field)
    if len(wait.approvers) > MAX_APPROVERS:
        detail = f"At most {MAX_APPROVERS} callers may be named."
        yield InvalidInput(f"{field}.approvers", "too_long", detail)
    yield from _zone_problems(wait, field)


def _sleep_problems(wait: WaitTask, field: str, ends: Sequence[str]) -> Iterator[InvalidInput]:
    if not ends:
        detail = "A sleep ends after seconds, until an instant, or at a time of day."
        yield InvalidInput(field, "required", detail)
    if wait.on_expiry is not Expiry.FAIL:
        detail = "A sleep cannot expire: it succeeds at its end."
        yield InvalidInput(f"{field}.on_expiry", "not_for_this_kind", detail)


def _kind_problems(wait: WaitTask, field: str) -> Iterator[InvalidInput]:
    """List fields that are missing of a kind, or of another kind."""
    if wait.approvers and wait.kind is not WaitKind.APPROVAL:
        detail = "Only an approval has approvers."
        yield InvalidInput(f"{field}.approvers", "not_for_this_kind", detail)
    if wait.link_secret is not None and wait.kind is not WaitKind.APPROVAL:
        detail = "Only an approval is decided by links."
        yield InvalidInput(f"{field}.link_secret", "not_for_this_kind", detail)
    if wait.link_secret is not None and wait.approvers:
        detail = "Any holder of a link may decide: leave approvers out, or the links."
        yield InvalidInput(f"{field}.link_secret", "contradictory", detail)
    if wait.kind is WaitKind.EVENT:
        if wait.event is None:
            detail = "Say which event: its type and its correlation."
            yield InvalidInput(f"{field}.event", "required", detail)
        else:
            yield from awaited_problems(wait.event, f"{field}.event")
    elif wait.event is not None:
        yield InvalidInput(f"{field}.event", "not_for_this_kind", "Only an event task has one.")
    if wait.default is not None:
        yield from _default_problems(wait, wait.default, field)


def _default_problems(wait: WaitTask, default: str, field: str) -> Iterator[InvalidInput]:
    if wait.kind is not WaitKind.EVENT:
        detail = "Only an event task has a default."
        yield InvalidInput(f"{field}.default", "not_for_this_kind", detail)
    elif wait.on_expiry is not Expiry.SUCCEED:
        detail = "It is the result when on_expiry is succeed."
        yield InvalidInput(f"{field}.default", "without_effect", detail)
    elif len(default.encode()) > MAX_DEFAULT_BYTES:
        detail = f"It has at most {MAX_DEFAULT_BYTES} bytes."
        yield InvalidInput(f"{field}.default", "too_long", detail)


def _zone_problems(wait: WaitTask, field: str) -> Iterator[InvalidInput]:
    if wait.timezone is None:
        return
    if wait.time is None:
        detail = "Only a time of day has a time zone; leave it out."
        yield InvalidInput(f"{field}.timezone", "without_effect", detail)
        return
    try:
        load_zone(wait.timezone)
    except InvalidInput as unknown:
        yield InvalidInput(f"{field}.timezone", unknown.code, unknown.detail)
