"""Reading keys of runs: the values that payloads have at the pointers of a job."""

import hashlib
import json
import re
from collections.abc import Iterable

from timegate.domain.limits.collapse import key_in
from timegate.domain.limits.overlap import Overlap, RunKeys
from timegate.domain.limits.rate_limit import RateLimit
from timegate.domain.values.payload import Payload

#: Values that are shown as they are; records name the others by a hash.
_SHOWN = re.compile(r"[A-Za-z0-9._@:/+=-]{1,64}")
_HASH_LENGTH = 26


def keys_of_run(
    payload: Payload, overlap: Overlap, limit: RateLimit | None, *, named: str | None
) -> RunKeys:
    """Return the keys of a run by its payload and the policies of its job.

    ``named``: the key of its slots that its trigger names, whatever the payload says.
    """
    slots = _key_at(payload, overlap.key_from) if named is None else stored_key(named)
    return RunKeys(slots=slots, calls=_key_at(payload, limit.key_from if limit else None))


def stored_key(value: str) -> str:
    """Return a value as records name it: as it is, or its hash where it is long or unusual."""
    if _SHOWN.fullmatch(value):
        return value
    return "~" + hashlib.sha256(value.encode("utf-8", "surrogatepass")).hexdigest()[:_HASH_LENGTH]


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
