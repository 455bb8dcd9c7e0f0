"""Rotated secrets: a refusal of the old one, which a worker remembers, is no verdict on the job."""

from collections.abc import Callable
from dataclasses import replace

from timegate.domain.jobs.retry import FailureKind
from timegate.ports.call_runner import TargetFailed

#: Answers to a request whose credentials the target does not take; API Gateway says 403 to a key.
REFUSED_CREDENTIALS = frozenset({"http_401", "http_403"})
#: Chats say so as well of an address that was replaced.
REFUSED_ADDRESSES = REFUSED_CREDENTIALS | {"http_404", "http_410"}


def after_rotation(
    refused: TargetFailed, sent: object, read_anew: Callable[[], object]
) -> TargetFailed:
    """Return the refusal, retryable if the secret is another one by now.

    The request is not sent again here: the job's retry policy decides about that. A secret that
    cannot be read now changes nothing about the refusal.
    """
    try:
        current = read_anew()
    except TargetFailed:
        return refused
    if current == sent:
        return refused
    failure = refused.failure
    message = f"{failure.message} The secret has been rotated: the next attempt uses the new one."
    return TargetFailed(replace(failure, kind=FailureKind.RETRYABLE, message=message))
