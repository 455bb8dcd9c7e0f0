"""Trace contexts of calls (W3C Trace Context, version 00): a run's trace, and a span of its own."""

from timegate.domain.execution.call import Call
from timegate.domain.jobs.notification import hashed, own_trace, trace_flag, trace_id


def traceparent(call: Call) -> str:
    """Return the header of a call: its run's trace, and a span of the attempt and lease.

    The samplers of targets follow its flag: without it most would record no run.
    """
    span = f"span\n{call.tenant}\n{call.message_id}\n{call.attempt.number}\n{call.fence}"
    trace = call.trace or own_trace(call.tenant, call.attempt.run)
    return f"00-{trace_id(trace)}-{hashed(span, 8)}-{trace_flag(trace, call.trace_percent)}"
