"""Trace contexts (W3C Trace Context, version 00): one trace for each run, computed from its id."""

from hashlib import sha256

from timegate.domain.execution.call import Call
from timegate.domain.jobs.notification import parse_notice_mark
from timegate.domain.values.identity import Origin, RunId
from timegate.domain.values.tenant import TenantId

#: The targets' own samplers follow it: without it most would record no run.
_SAMPLED = "01"


def traceparent(call: Call) -> str:
    """Return the header of a call: its run's trace, and a span of the attempt and lease."""
    span = f"span\n{call.tenant}\n{call.message_id}\n{call.attempt.number}\n{call.fence}"
    trace = trace_id(call.tenant, call.attempt.run)
    return f"00-{trace}-{_hex(span, 8)}-{_SAMPLED}"


def trace_id(tenant: TenantId, run: RunId) -> str:
    """Return the id of a run's trace, 32 hexadecimal digits."""
    return _hex(f"trace\n{tenant}\n{_traced(run)}", 16)


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


def _hex(seed: str, size: int) -> str:
    return sha256(seed.encode()).digest()[:size].hex()
