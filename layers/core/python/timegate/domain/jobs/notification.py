"""Occasions of notifications, ids of the runs that tell of them, and the traces of both."""

import re
from collections.abc import Collection
from enum import StrEnum
from hashlib import sha256

from timegate.domain.values.identity import Origin, RunId
from timegate.domain.values.tenant import TenantId
from timegate.value_classes import dataclass

#: End of a notification's run id: the run's origin and attempt, occasion and hook.
NOTICE_MARK = re.compile(
    r"(s|t(?:[a-z2-7]{16})?|f[a-z2-7]{16})([1-9]\d{0,8})-([a-z_]{1,16})-([a-z2-7]{8})", re.ASCII
)

#: The type of a message of an approval that waits.
DECISION_TOLD = "dag_run.needs_decision"
#: The type of a message of a job that has not succeeded for long.
ABSENCE_TOLD = "job.absent"
#: The type of a message of a rule.
RULE_TOLD = "rule.told"
#: The same of a message of a rule: the message, and the hook.
RULE_MARK = re.compile(r"r([a-z2-7]{16})-([a-z2-7]{8})", re.ASCII)

_NONE = "0" * 32
_NO_SPAN = "0" * 16
#: W3C Trace Context: a later version may have more fields behind these.
_PARENT = re.compile(r"([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?")
_FORBIDDEN_VERSION = "ff"
#: Flags of a trace context: its spans are recorded, or not.
_SAMPLED, _NOT_SAMPLED = "01", "00"
#: Hexadecimal digits of a trace's id, and of those that are random by the standard: the last ones.
_DIGITS, _RANDOM = 32, 14


class Occasion(StrEnum):
    """Occasions of notifications: the state a run ended in, a late start, a deadline, a pause."""

    SUCCEEDED = "succeeded"
    FAILED = "failed"
    TIMED_OUT = "timed_out"
    CANCELLED = "cancelled"
    SKIPPED = "skipped"
    DEAD_LETTERED = "dead_lettered"
    #: It has not started ``late_after_seconds`` after it was due.
    LATE = "late"
    #: Its forecast says that it will end after its deadline.
    WILL_BE_LATE = "will_be_late"
    #: It had not ended at its deadline.
    MISSED_DEADLINE = "missed_deadline"
    #: Its failure was the last of ``pause_after_failures`` in a row, and paused its job.
    PAUSED = "paused"
    #: No run of its job has succeeded for ``absent_after_seconds``.
    ABSENT = "absent"
    #: Only DAGs: an approval of a run waits for a person.
    NEEDS_DECISION = "needs_decision"

    @property
    def is_end(self) -> bool:
        """Tell if it is the state that a run ended in."""
        others = {Occasion.LATE, Occasion.WILL_BE_LATE, Occasion.MISSED_DEADLINE, Occasion.PAUSED}
        return self not in others | OF_NO_RUN

    @property
    def is_of_deadline(self) -> bool:
        """Tell if it is about the deadline of a run."""
        return self in {Occasion.WILL_BE_LATE, Occasion.MISSED_DEADLINE}


def with_given_up(on: Collection[Occasion]) -> frozenset[Occasion]:
    """Return occasions, with what they include: a run that is given up has failed as well."""
    given_up = {Occasion.DEAD_LETTERED} if Occasion.FAILED in on else set[Occasion]()
    return frozenset({*on, *given_up})


#: No change of a run brings these: runs do not carry that a channel hears of them.
OF_NO_RUN = frozenset({Occasion.ABSENT, Occasion.NEEDS_DECISION})


@dataclass(frozen=True, kw_only=True, slots=True)
class NoticeMark:
    """Attempt, occasion and hook of a notification."""

    #: Origin of the run, with the text that tells it from others of the same instant.
    origin: str
    attempt: int
    occasion: Occasion
    hook: str

    def __str__(self) -> str:
        """Return the text with which the notification's run id ends."""
        return f"{self.origin}{self.attempt}-{self.occasion}-{self.hook}"


def parse_notice_mark(text: str) -> NoticeMark | None:
    """Read a mark back; ``None``: it is none."""
    match = NOTICE_MARK.fullmatch(text)
    if match is None or match[3] not in set(Occasion):
        return None
    return NoticeMark(
        origin=match[1], attempt=int(match[2]), occasion=Occasion(match[3]), hook=match[4]
    )


@dataclass(frozen=True, kw_only=True, slots=True)
class RuleMark:
    """Message and channel of a notification that a rule sends."""

    message: str
    hook: str

    def __str__(self) -> str:
        """Return the text with which the notification's run id ends."""
        return f"r{self.message}-{self.hook}"


def parse_rule_mark(text: str) -> RuleMark | None:
    """Read a mark back; ``None``: no rule sent it."""
    match = RULE_MARK.fullmatch(text)
    return RuleMark(message=match[1], hook=match[2]) if match is not None else None


def hook_told(text: str) -> str | None:
    """Return the hook that a notification is for, by the mark in its id; ``None``: it has none."""
    mark = parse_notice_mark(text) or parse_rule_mark(text)
    return mark.hook if mark is not None else None


def own_trace(tenant: TenantId, run: RunId) -> str:
    """Return the id of a run's own trace; for a notification, of the run that it tells of."""
    return hashed(f"trace\n{tenant}\n{_traced(run)}", 16)


def read_trace(traceparent: str | None) -> str | None:
    """Return the trace of a caller's ``traceparent``, with the caller's flag behind its id.

    ``None``: there is none that is valid. W3C: a header that cannot be read is as one that was not
    sent, and no error.
    """
    found = _PARENT.fullmatch(traceparent.strip()) if traceparent is not None else None
    if found is None:
        return None
    version, trace, span, flags, more = found.groups()
    is_plain = version != "00" or more is None
    is_known = version != _FORBIDDEN_VERSION and trace != _NONE and span != _NO_SPAN
    flag = _SAMPLED if int(flags, 16) & 1 else _NOT_SAMPLED
    return f"{trace}-{flag}" if is_plain and is_known else None


def trace_id(trace: str) -> str:
    """Return the id of a trace that may have its caller's flag behind it."""
    return trace[:_DIGITS]


def trace_flag(trace: str, percent: float) -> str:
    """Return the flag of a trace: if its spans are recorded.

    A caller's flag holds. This share of the traces that the stage begins is recorded, by their ids
    alone: OpenTelemetry's consistent sampling decides so, and samplers agree on a trace.
    """
    given = trace[_DIGITS + 1 :]
    threshold = round((100 - percent) / 100 * 16**_RANDOM)
    return given or (_SAMPLED if int(trace[-_RANDOM:], 16) >= threshold else _NOT_SAMPLED)


def hashed(seed: str, size: int) -> str:
    """Return so many bytes of a digest, as hexadecimal digits."""
    return sha256(seed.encode()).digest()[:size].hex()


def _traced(run: RunId) -> RunId:
    """Return the run whose trace this is: for a notification, the run that it tells of."""
    mark = parse_notice_mark(run.about) if run.origin is Origin.NOTIFICATION else None
    if mark is None:
        return run
    return RunId(
        job_id=run.job_id,
        origin=Origin(mark.origin[0]),
        scheduled_at=run.scheduled_at,
        about=mark.origin[1:],
    )
