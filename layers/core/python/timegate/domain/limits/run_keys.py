"""Keys of runs: those whose payloads have the same value at a pointer share slots, or calls."""

import hashlib
import json
import re
from collections.abc import Iterable
from typing import Self

from timegate.domain.limits.collapse import key_in
from timegate.domain.limits.overlap import Overlap
from timegate.domain.limits.rate_limit import RateLimit
from timegate.domain.values.payload import Payload
from timegate.value_classes import dataclass

#: Values that are shown as they are; records name the others by a hash.
_SHOWN = re.compile(r"[A-Za-z0-9._@:/+=-]{1,64}")
#: Stands between the name of slots and the key of a run. No concurrency key has a space.
_MARK = " "
_HASH_LENGTH = 26


@dataclass(frozen=True, kw_only=True, slots=True)
class RunKeys:
    """Keys of one run beside those of its job, as records name them."""

    #: Whose slots it takes; ``None``: those of its job, or of its job's key.
    slots: str | None = None
    #: With whose calls its own are counted; ``None``: with all of its job's rate limit.
    calls: str | None = None

    @classmethod
    def of(
        cls, payload: Payload, overlap: Overlap, limit: RateLimit | None, *, named: str | None
    ) -> Self:
        """Return the keys of a run by its payload and the policies of its job.

        ``named``: the key of its slots that its trigger names, whatever the payload says.
        """
        slots = _key_at(payload, overlap.key_from) if named is None else stored_key(named)
        return cls(slots=slots, calls=_key_at(payload, limit.key_from if limit else None))


NO_KEYS = RunKeys()


def stored_key(value: str) -> str:
    """Return a value as records name it: as it is, or its hash where it is long or unusual."""
    if _SHOWN.fullmatch(value):
        return value
    return "~" + hashlib.sha256(value.encode("utf-8", "surrogatepass")).hexdigest()[:_HASH_LENGTH]


def name_within(base: str, key: str | None) -> str:
    """Return the name of the slots, or calls, of a key among those of a job or a shared name."""
    return base if key is None else f"{base}{_MARK}{key}"


def base_of(name: str) -> str:
    """Return a name without the key of the run: logs of the stage hold no values of payloads."""
    return name.partition(_MARK)[0]


def pointers_of(overlap: Overlap, limit: RateLimit | None) -> frozenset[str]:
    """Return the pointers at which the policies of a job read keys of its runs."""
    given = (overlap.key_from, limit.key_from if limit is not None else None)
    return frozenset(each for each in given if each is not None)


def keys_at(text: str, pointers: Iterable[str]) -> tuple[tuple[str, str], ...]:
    """Return what a payload has at pointers, as records name it, in the order of the pointers."""
    whole = json.loads(text)
    found = ((pointer, key_in(whole, pointer)) for pointer in sorted(set(pointers)))
    return tuple((pointer, stored_key(value)) for pointer, value in found if value is not None)


def _key_at(payload: Payload, pointer: str | None) -> str | None:
    """Read a key from a payload at hand, or from what was read when a large one was stored."""
    if pointer is None:
        return None
    known = payload.keys if payload.inline is None else keys_at(payload.inline, [pointer])
    return dict(known).get(pointer)
