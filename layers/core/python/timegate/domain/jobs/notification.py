"""Notifications a job asks for: which address hears of its runs, and on which occasions."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from timegate.domain.values.errors import InvalidInput
from timegate.domain.values.identity import job_id_from
from timegate.domain.values.secrets import SecretRef

#: What is told is a run of its own, for each of them.
MAX_HOOKS = 5
_HOOK_ID_LENGTH = 8
#: What a run's id ends in that is a notification: the run's origin and attempt, occasion and hook.
NOTICE_MARK = re.compile(
    r"(s|t(?:[a-z2-7]{16})?|f[a-z2-7]{16})([1-9]\d{0,8})-([a-z_]{1,16})-([a-z2-7]{8})", re.ASCII
)


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

    @property
    def is_end(self) -> bool:
        """Tell if it is the state that a run ended in."""
        others = {Occasion.LATE, Occasion.WILL_BE_LATE, Occasion.MISSED_DEADLINE, Occasion.PAUSED}
        return self not in others

    @property
    def is_of_deadline(self) -> bool:
        """Tell if it is about the deadline of a run."""
        return self in {Occasion.WILL_BE_LATE, Occasion.MISSED_DEADLINE}


@dataclass(frozen=True, kw_only=True, slots=True)
class Hook:
    """An address that is told of a job's runs on some occasions."""

    url: str
    on: tuple[Occasion, ...]
    #: What it is told is signed with its keys.
    signing_secret: SecretRef | None = None

    @property
    def id(self) -> str:
        """The same as long as the address is: part of the identity of what it is told."""
        return job_id_from(f"hook\n{self.url}".encode())[:_HOOK_ID_LENGTH]


@dataclass(frozen=True, kw_only=True, slots=True)
class NoticeMark:
    """Attempt, occasion and hook of a notification."""

    #: Of the run, with what tells it from others of the same instant.
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


def check_hooks(
    hooks: Sequence[Hook],
    late_after_seconds: int | None,
    *,
    has_deadline: bool = False,
    pauses: bool = False,
) -> None:
    """Refuse hooks that contradict each other or could never be told anything.

    Raises ``InvalidInput`` naming the field.
    """
    if len(hooks) > MAX_HOOKS:
        detail = f"A job may notify {MAX_HOOKS} addresses."
        raise InvalidInput("notifications", "too_long", detail)
    seen: set[str] = set()
    for number, hook in enumerate(hooks):
        field = f"notifications.{number}"
        if hook.id in seen:
            raise InvalidInput(f"{field}.url", "repeated", "The address is given twice.")
        seen.add(hook.id)
        if not hook.on:
            raise InvalidInput(f"{field}.on", "required", "It would never hear of anything.")
        if len(set(hook.on)) != len(hook.on):
            raise InvalidInput(f"{field}.on", "repeated", "An occasion is given twice.")
        if Occasion.LATE in hook.on and late_after_seconds is None:
            detail = "A run is late after late_after_seconds, which the job does not have."
            raise InvalidInput(f"{field}.on", "never_late", detail)
        _check_job_occasions(hook, f"{field}.on", has_deadline=has_deadline, pauses=pauses)


def _check_job_occasions(hook: Hook, field: str, *, has_deadline: bool, pauses: bool) -> None:
    if any(occasion.is_of_deadline for occasion in hook.on) and not has_deadline:
        detail = "A run has its deadline from finish_by, which the job does not have."
        raise InvalidInput(field, "no_deadline", detail)
    if Occasion.PAUSED in hook.on and not pauses:
        detail = "Failures pause a job with pause_after_failures, which this one does not have."
        raise InvalidInput(field, "never_paused", detail)


def occasions_heard(hooks: Sequence[Hook]) -> tuple[Occasion, ...]:
    """Every occasion on which any of them is told, in a fixed order."""
    heard = {occasion for hook in hooks for occasion in hook.on}
    return tuple(occasion for occasion in Occasion if occasion in heard)
