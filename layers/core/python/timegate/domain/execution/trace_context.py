"""Trace contexts (W3C, version 00): a run's trace, and a span of each call and lease."""

from timegate.domain.execution.call import Call
from timegate.domain.jobs.notification import hashed, own_trace, trace_flag, trace_id
from timegate.domain.runs.run import Attempt


def traceparent(call: Call) -> str:
    """Return the header of a call: its run's trace, and a span of the attempt and lease.

    The samplers of targets follow its flag: without it most would record no run.
    """
    span = f"span\n{call.tenant}\n{call.message_id}\n{call.attempt.number}\n{call.fence}"
    trace = call.trace or own_trace(call.tenant, call.attempt.run)
    return _header(trace, span, call.trace_percent)


def lease_traceparent(attempt: Attempt, fence: int, *, percent: float) -> str:
    """Return the header of a pool worker: its run's trace, and a span of its lease and slice.

    ``percent``: the share of the stage's own traces that are recorded.
    """
    slice_number = attempt.slices.ended + 1
    span = f"lease\n{attempt.tenant}\n{attempt.id}\n{fence}\n{slice_number}"
    return _header(attempt.any_trace, span, percent)


def _header(trace: str, span: str, percent: float) -> str:
    return f"00-{trace_id(trace)}-{hashed(span, 8)}-{trace_flag(trace, percent)}"
