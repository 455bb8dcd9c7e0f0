"""Overlap: how many runs may work at the same time, and what becomes of one too many."""

import re
from enum import StrEnum

from timegate.domain.limits.wait_queue import MARK, parts_of
from timegate.domain.values.errors import InvalidInput
from timegate.domain.values.identity import part_of
from timegate.domain.values.tenant import TenantId
from timegate.value_classes import dataclass

#: A claim reads every place of its key.
MAX_CONCURRENT = 1_000
#: Form of a key's name.
CONCURRENCY_KEY = re.compile(r"[\x21-\x7e]{1,128}")
#: Name of the slots of a tenant's quota, with a number: no key of a job has a space.
QUOTA_KEY = " runs "
#: Slots of a quota under one key.
QUOTA_PART = 100


class OverlapPolicy(StrEnum):
    """Fates of a run that is due while its job's slots are taken."""

    #: It runs as well; there are no slots.
    ALLOW = "allow"
    #: It does not run: it is recorded as skipped.
    FORBID = "forbid"
    #: It runs as soon as its turn has come, by due time.
    QUEUE = "queue"
    #: Like ``queue``, and the oldest run that is in its way is asked to stop.
    REPLACE = "replace"


@dataclass(frozen=True, kw_only=True, slots=True)
class Overlap:
    """A job's policy, decided when a run is due, not when it was planned."""

    policy: OverlapPolicy = OverlapPolicy.ALLOW
    #: So many runs may work at once.
    max_concurrent: int = 1
    #: Jobs of a tenant that name the same key share its slots; ``None``: the job has its own.
    concurrency_key: str | None = None
    #: A JSON pointer into the payload: runs with the same value there have slots of their own.
    key_from: str | None = None

    @property
    def has_slots(self) -> bool:
        """Tell if runs need a slot."""
        return self.policy is not OverlapPolicy.ALLOW


@dataclass(frozen=True, kw_only=True, slots=True)
class SlotKey:
    """Key of slots: of a job, by its id, or of all jobs that name it; perhaps of a run's key."""

    tenant: TenantId
    name: str


@dataclass(frozen=True, kw_only=True, slots=True)
class RunKeys:
    """Keys of one run beside those of its job, as records name them."""

    #: The key whose slots it takes; ``None``: it takes those of its job, or of its job's key.
    slots: str | None = None
    #: The key with whose calls its own are counted; ``None``: its job's rate limit has them all.
    calls: str | None = None

    def slots_within(self, base: str) -> str:
        """Return the name of its slots among those of a job, by its id, or of a shared key."""
        return name_within(base, self.slots)

    def calls_within(self, base: str) -> str:
        """Return the name of its calls among those of a target, or of a shared key."""
        return name_within(base, self.calls)


NO_KEYS = RunKeys()


def name_within(base: str, key: str | None) -> str:
    """Return the name of the slots, or calls, of a key among those of a job or a shared name."""
    return base if key is None else f"{base}{MARK}{key}"


def base_of(name: str) -> str:
    """Return a name without the key of the run: logs of the stage hold no values of payloads."""
    return parts_of(name)[0]


def quota_overlap(runs: int, run: str) -> Overlap:
    """Return the policy by which a tenant's quota of concurrent runs governs a run.

    A large quota is kept in parts, and the run takes a slot of one of them: a claim reads few
    slots, and not all writers meet in one partition.
    """
    parts = max(1, -(-runs // QUOTA_PART))
    part = part_of(run, parts)
    share, rest = divmod(runs, parts)
    return Overlap(
        policy=OverlapPolicy.QUEUE,
        max_concurrent=share + (part < rest),
        concurrency_key=f"{QUOTA_KEY}{part}",
    )


def check_overlap(overlap: Overlap) -> None:
    """Refuse limits that cannot be kept and keys that cannot be read; raises ``InvalidInput``."""
    if not 1 <= overlap.max_concurrent <= MAX_CONCURRENT:
        raise InvalidInput(
            "overlap.max_concurrent", "out_of_range", f"It is between 1 and {MAX_CONCURRENT}."
        )
    key = overlap.concurrency_key
    if key is not None and not CONCURRENCY_KEY.fullmatch(key):
        raise InvalidInput(
            "overlap.concurrency_key",
            "invalid_format",
            "It has 1 to 128 printable ASCII characters and no space.",
        )
