"""Classes of failures of targets: a retry can help, or cannot."""

from timegate.domain.jobs.retry import Failure, FailureKind
from timegate.ports.call_runner import TargetFailed

#: Answers that ask to be tried again; all other 4xx would refuse the same request again.
RETRYABLE_STATUSES = frozenset({408, 425, 429})
_SERVER_ERROR = 500
#: IAM and KMS are eventually consistent: a right that was given is known everywhere within a minute
#: or so. Two retries that are so far apart wait for that.
RIGHTS_SPREAD_FOR_SECONDS = 30.0


def retryable(
    code: str,
    kind: str,
    message: str,
    *,
    retry_after_seconds: float | None = None,
    spreads_for_seconds: float | None = None,
) -> TargetFailed:
    """A failure that may pass."""
    return TargetFailed(
        Failure(
            kind=FailureKind.RETRYABLE,
            code=code,
            type=kind,
            message=message,
            retry_after_seconds=retry_after_seconds,
            spreads_for_seconds=spreads_for_seconds,
        )
    )


def permanent(code: str, kind: str, message: str) -> TargetFailed:
    """A failure that the same request would meet again."""
    return TargetFailed(Failure(kind=FailureKind.PERMANENT, code=code, type=kind, message=message))


def not_permitted(code: str, kind: str, message: str) -> TargetFailed:
    """A missing right: perhaps it was given a moment ago, so the call is tried again later."""
    return retryable(code, kind, message, spreads_for_seconds=RIGHTS_SPREAD_FOR_SECONDS)


def timed_out(message: str) -> TargetFailed:
    """No answer in time; the target may or may not have acted."""
    return TargetFailed(
        Failure(kind=FailureKind.TIMEOUT, code="timeout", type="TimedOut", message=message)
    )


def http_failure(status: int, excerpt: str, retry_after_seconds: float | None) -> TargetFailed:
    """The failure an HTTP status stands for."""
    code, message = f"http_{status}", f"The target answered {status}: {excerpt}"
    if status in RETRYABLE_STATUSES or status >= _SERVER_ERROR:
        return retryable(code, "HttpStatus", message, retry_after_seconds=retry_after_seconds)
    return permanent(code, "HttpStatus", message)
