"""Headers that change what a request means."""

import re

from api.http.exchange import Exchange
from api.http.refusals import InvalidHeader
from timegate.usecases.dags.definition import DagRef
from timegate.usecases.jobs.change_job import JobRef

_KEY = re.compile(r"[\x21-\x7e]{1,255}")
_ETAG = re.compile(r'(?:W/)?"(\d{1,9})"')


def idempotency_key(exchange: Exchange) -> str | None:
    """The ``Idempotency-Key``, if any; raises ``InvalidHeader``."""
    key = exchange.header("Idempotency-Key")
    if key is not None and not _KEY.fullmatch(key):
        detail = "It must be 1 to 255 printable ASCII characters without spaces."
        raise InvalidHeader("Idempotency-Key", "invalid_idempotency_key", detail)
    return key


def caller_trace(exchange: Exchange) -> str | None:
    """The trace of the caller's ``traceparent``; one that is not valid is as none (W3C)."""
    header = exchange.header("traceparent")
    if header is None:
        return None
    # Imported here: few callers have one.
    from timegate.domain.jobs.notification import read_trace  # noqa: PLC0415

    return read_trace(header)


def refuse_if_match(exchange: Exchange) -> None:
    """A condition that would be ignored is refused: its sender relies on it."""
    if exchange.header("If-Match") is not None:
        detail = "A trigger runs the job as it is, whatever its version."
        raise InvalidHeader("If-Match", "if_match_unsupported", detail)


def job_ref(exchange: Exchange) -> JobRef:
    """The job to change, in the version ``If-Match`` asks for; raises ``InvalidHeader``."""
    return JobRef(tenant=exchange.tenant, job_id=exchange.job_id, version=_if_match(exchange))


def dag_ref(exchange: Exchange) -> DagRef:
    """The DAG to change, in the version ``If-Match`` asks for; raises ``InvalidHeader``."""
    return DagRef(tenant=exchange.tenant, dag_id=exchange.dag_id, version=_if_match(exchange))


def expected_version(exchange: Exchange) -> int | None:
    """The version to replace: that of ``If-Match``, 0 for ``If-None-Match: *``, or ``None``: any.

    Raises ``InvalidHeader``.
    """
    unless = exchange.header("If-None-Match")
    if unless is None:
        return _if_match(exchange)
    if unless != "*" or exchange.header("If-Match") is not None:
        detail = "It can only be *: create it, and replace nothing. If-Match contradicts it."
        raise InvalidHeader("If-None-Match", "invalid_if_none_match", detail)
    return 0


def etag(version: int) -> str:
    """The entity tag of a version."""
    return f'"{version}"'


def _if_match(exchange: Exchange) -> int | None:
    text = exchange.header("If-Match")
    if text is None or text == "*":
        return None
    match = _ETAG.fullmatch(text)
    if match is None:
        detail = 'It must be a quoted version, such as "3", or *.'
        raise InvalidHeader("If-Match", "invalid_if_match", detail)
    return int(match[1])
