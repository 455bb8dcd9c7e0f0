"""Callbacks: a target that works on by itself gets a URL for its progress and its end."""

from timegate.domain.execution.call import Call, ReportTerms
from timegate.domain.values.instants import rfc3339

#: Its bearer speaks for the lease.
PROOF_HEADER = "Timegate-Callback-Token"
#: Reports about a run, each at an address of its own.
WORDS = ("heartbeat", "complete", "fail", "release", "continue", "logs")


def callback_url(api_url: str, call: Call) -> str:
    """Below it is an address for each of ``WORDS``."""
    return f"{api_url}/v1/callbacks/{call.attempt.run}"


def told(callback: ReportTerms, url: str) -> dict[str, object]:
    """Build the callback's part of an event."""
    return {
        "token": callback.token,
        "url": url,
        "heartbeat_seconds": callback.silence_seconds,
        "deadline_at": rfc3339(callback.deadline_at),
        **{f"{word}_url": f"{url}/{word}" for word in WORDS},
    }


def headers(callback: ReportTerms, url: str) -> dict[str, str]:
    """In a request."""
    return {
        PROOF_HEADER: callback.token,
        "Timegate-Callback-Url": url,
        "Timegate-Heartbeat-Seconds": str(callback.silence_seconds),
        "Timegate-Deadline-At": rfc3339(callback.deadline_at),
    }
