"""Traces of runs: one of its own for each, computed from its id, unless it belongs to another's."""

import re
from hashlib import sha256

from timegate.domain.jobs.notification import parse_notice_mark
from timegate.domain.values.identity import Origin, RunId
from timegate.domain.values.tenant import TenantId

_NONE = "0" * 32
_NO_SPAN = "0" * 16
#: W3C Trace Context: a later version may have more fields behind these.
_PARENT = re.compile(r"([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}(-.*)?")
_FORBIDDEN_VERSION = "ff"


def own_trace(tenant: TenantId, run: RunId) -> str:
    """Return the id of a run's own trace; for a notification, of the run that it tells of."""
    return hashed(f"trace\n{tenant}\n{_traced(run)}", 16)


def read_trace(traceparent: str | None) -> str | None:
    """Return the trace of a caller's ``traceparent``; ``None``: there is none that is valid.

    W3C: a header that cannot be read is as one that was not sent, and no error.
    """
    found = _PARENT.fullmatch(traceparent.strip()) if traceparent is not None else None
    if found is None:
        return None
    version, trace, span, more = found.groups()
    is_plain = version != "00" or more is None
    is_known = version != _FORBIDDEN_VERSION and trace != _NONE and span != _NO_SPAN
    return trace if is_plain and is_known else None


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
