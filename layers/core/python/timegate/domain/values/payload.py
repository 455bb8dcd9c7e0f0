"""A job's payload: small ones live in the job, large ones in the blob store by reference."""

import hashlib
import json
from collections.abc import Sequence
from typing import Any

from timegate.domain.values.errors import InvalidInput
from timegate.domain.values.identity import AttemptId
from timegate.value_classes import dataclass

#: Requirement J11; also what SQS and Step Functions long held a message to.
MAX_PAYLOAD_BYTES = 256 * 1024
#: Every write bills the whole item by the kilobyte, so only small payloads ride in it.
MAX_INLINE_BYTES = 1024
#: Folders of the blob store. Texts of runs and DAG runs are apart, for the store forgets them; no
#: tenant has such a name.
JOB_PAYLOADS = "payloads"
RUN_PAYLOADS = f"{JOB_PAYLOADS}/_runs"

_PLAIN, _SORTED = (
    json.JSONEncoder(
        ensure_ascii=False, allow_nan=False, separators=(",", ":"), sort_keys=sort_keys
    )
    for sort_keys in (False, True)
)


@dataclass(frozen=True, kw_only=True, slots=True)
class Payload:
    """JSON text, inline or by reference; both empty means no payload was given."""

    inline: str | None = None
    #: Blob path of a payload too large to ride in the item.
    blob: str | None = None
    size_bytes: int = 0
    #: Keys of runs in a large one, which its job reads: their JSON pointers, and what is there.
    keys: tuple[tuple[str, str], ...] = ()
    #: Marks in a run's own are filled, as its job wished when it was stored.
    marks: bool = False

    @property
    def is_given(self) -> bool:
        """Tell if there is one."""
        return self.inline is not None or self.blob is not None


@dataclass(frozen=True, kw_only=True, slots=True)
class PayloadMarks:
    """A job's wish that marks in its payload are filled at each call."""

    #: IANA name of the zone whose days are named; ``None``: the zone of the job's schedule.
    timezone: str | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class PayloadSchema:
    """A job's JSON Schema of the payloads that its runs are triggered with."""

    #: JSON text.
    text: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Filling:
    """The run that fills a payload, which may be one that triggered the run that is called."""

    attempt: AttemptId
    job_name: str
    #: IANA name of the zone whose days are named.
    timezone: str


class PayloadMismatch(InvalidInput):
    """The payload does not fit its job's ``payload_schema``; each place that does not is named."""

    code = "payload_mismatch"

    def __init__(self, problems: Sequence[InvalidInput], field: str = "payload") -> None:
        more = f" There are {len(problems)} such places." if len(problems) > 1 else ""
        first = problems[0]
        super().__init__(field, self.code, f"At {first.field}: {first.detail}{more}")
        self.problems = tuple(problems)


def check_payload_size(text: str) -> int:
    """The size of a payload in bytes; raises ``InvalidInput`` beyond the limit."""
    size = len(text.encode())
    if size > MAX_PAYLOAD_BYTES:
        raise InvalidInput(
            "payload",
            "payload_too_large",
            f"The payload has {size} bytes; the limit is {MAX_PAYLOAD_BYTES}.",
        )
    return size


def json_text(value: object, *, sort_keys: bool = False) -> str:
    """JSON as it is stored: the text of a value that was read from a body."""
    return (_SORTED if sort_keys else _PLAIN).encode(value)


def merged(target: Any, patch: Any) -> Any:  # noqa: ANN401 - any JSON
    """Return a JSON value after a merge patch (RFC 7396); neither argument is changed.

    Null takes a member away, an object is merged, anything else replaces.
    """
    if not isinstance(patch, dict):
        return patch
    result = dict(target) if isinstance(target, dict) else {}
    for name, value in patch.items():
        if value is None:
            result.pop(name, None)
        else:
            result[name] = merged(result.get(name), value)
    return result


def digest_of(payload: Payload) -> dict[str, Any] | None:
    """Return what tells a payload without showing it; ``None``: there is none."""
    if payload.inline is not None:
        return digest(payload.inline)
    if payload.blob is not None:
        # It is stored under its digest.
        return {"sha256": payload.blob.rpartition("/")[2], "size_bytes": payload.size_bytes}
    return None


def digest(text: str) -> dict[str, Any]:
    """Return what tells a text without showing it."""
    data = text.encode()
    return {"sha256": hashlib.sha256(data).hexdigest(), "size_bytes": len(data)}
