"""Collapsing: triggers of one key that come close together are one run."""

import re
from datetime import datetime, timedelta
from enum import StrEnum
from hashlib import sha256
from typing import Any, Self

from timegate.domain.values.errors import InvalidInput
from timegate.domain.values.identity import JobId, RunId
from timegate.domain.values.payload import json_text
from timegate.domain.values.tenant import TenantId
from timegate.value_classes import dataclass

#: A trigger waits for later ones at most a day, and all of them together at most a week.
MAX_SPAN_SECONDS = 86_400
MAX_WAIT_SECONDS = 604_800
#: Without a maximum of its own, a window is open for so many spans.
DEFAULT_SPANS = 10
MAX_KEY_LENGTH = 256
#: Pattern of a JSON pointer to a member.
POINTER = r"^(?:/[^/]*)+$"
MAX_POINTER_LENGTH = 128
#: An index of an array in a pointer; int() reads other digits and leading zeros as well.
_INDEX = re.compile("0|[1-9][0-9]*")
#: A record says so much of a key.
_KEY_KEPT = 64


class CollapseMode(StrEnum):
    """Runs that stand for the triggers of a window."""

    #: The last one's: a trigger takes the place of the run that waits.
    LAST = "last"
    #: The first one's: a trigger joins the run while that waits.
    FIRST = "first"
    #: The same, and while it runs.
    SINGLE = "single"


@dataclass(frozen=True, kw_only=True, slots=True)
class Collapse:
    """A rule by which triggers of a job collapse into one run."""

    mode: CollapseMode = CollapseMode.LAST
    #: A run is due so long after its trigger.
    span_seconds: int = 0
    #: Longest wait of ``last`` after the first trigger, whatever comes; ``None``: ten spans.
    max_wait_seconds: int | None = None
    #: A JSON pointer into the payload; triggers with the same value there collapse. ``None``: all.
    key_from: str | None = None

    @property
    def span(self) -> timedelta:
        """Return how long a trigger waits for later ones."""
        return timedelta(seconds=self.span_seconds)

    @property
    def max_wait(self) -> timedelta:
        """Return how long triggers may take the place of a run that waits."""
        return timedelta(seconds=self.max_wait_seconds or DEFAULT_SPANS * self.span_seconds)

    @property
    def takes_over(self) -> bool:
        """Tell if a trigger's run takes the place of the one that waits."""
        return self.mode is CollapseMode.LAST

    def due_at(self, now: datetime, since: datetime) -> datetime:
        """Return when the run of a trigger of ``now`` is due, in a window that began ``since``."""
        due = now + self.span
        return min(due, since + self.max_wait) if self.mode is CollapseMode.LAST else due

    def admits(self, window: "CollapseWindow", standing: "WindowState", *, now: datetime) -> bool:
        """Tell if a trigger collapses in the window, by what has become of its run."""
        match self.mode:
            case CollapseMode.LAST:
                return standing is WindowState.PENDING and now < window.since + self.max_wait
            case CollapseMode.FIRST:
                return standing is WindowState.PENDING
            case CollapseMode.SINGLE:
                return standing is not WindowState.ENDED


class WindowState(StrEnum):
    """States of the run of a window, as triggers see it."""

    #: No worker has claimed it.
    PENDING = "pending"
    BEGUN = "begun"
    ENDED = "ended"


@dataclass(frozen=True, kw_only=True, slots=True)
class CollapseKey:
    """A key of triggers of one job, as it is stored."""

    #: A hash of tenant, job and key.
    digest: str
    #: Its beginning, for people; ``None``: the triggers have no key.
    shown: str | None = None

    @classmethod
    def of(cls, tenant: TenantId, job_id: JobId, key: str | None) -> Self:
        """Return the stored form of a key; ``None``: that of triggers without one."""
        seed = f"{tenant}\n{job_id}" if key is None else f"{tenant}\n{job_id}\n{key}"
        digest = sha256(f"collapse\n{seed}".encode()).hexdigest()[:26]
        return cls(digest=digest, shown=None if key is None else key[:_KEY_KEPT])


@dataclass(frozen=True, kw_only=True, slots=True)
class CollapseWindow:
    """Triggers of one key that are one run."""

    key: CollapseKey
    #: Windows of a key are counted.
    number: int
    #: The run that stands for all of them.
    run: RunId
    #: The instant of the first trigger.
    since: datetime
    #: How many there are.
    triggers: int


def check_collapse(rule: Collapse | None, *, field: str = "collapse") -> None:
    """Refuse rules that no trigger could follow; raises ``InvalidInput``."""
    if rule is None:
        return
    if rule.mode is CollapseMode.LAST and rule.span_seconds < 1:
        detail = "Say how long a trigger waits for a later one."
        raise InvalidInput(f"{field}.span_seconds", "required", detail)
    if rule.max_wait_seconds is None:
        return
    if rule.mode is not CollapseMode.LAST:
        detail = f"A run of mode {rule.mode} is due once, whatever comes; leave it out."
        raise InvalidInput(f"{field}.max_wait_seconds", "not_for_this_policy", detail)
    if rule.max_wait_seconds < rule.span_seconds:
        detail = f"It is shorter than span_seconds ({rule.span_seconds})."
        raise InvalidInput(f"{field}.max_wait_seconds", "too_small", detail)


def key_in(payload: Any, pointer: str) -> str | None:  # noqa: ANN401 - any JSON
    """Read the key at a JSON pointer (RFC 6901): a text as it is, other values as JSON.

    ``None``: nothing is there, or null.
    """
    found = payload
    for part in pointer.split("/")[1:]:
        name = part.replace("~1", "/").replace("~0", "~")
        found = _member(found, name)
    if found is None or isinstance(found, str):
        return found
    return json_text(found, sort_keys=True)


def _member(value: Any, name: str) -> Any:  # noqa: ANN401 - any JSON
    if isinstance(value, dict):
        return value.get(name)
    if isinstance(value, list) and _INDEX.fullmatch(name) and int(name) < len(value):
        return value[int(name)]
    return None
