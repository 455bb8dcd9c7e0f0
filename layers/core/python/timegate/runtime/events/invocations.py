"""Invocations: each has a name of its own, under which it takes leases."""

from collections.abc import Callable
from secrets import token_hex

from aws_lambda_powertools.utilities.typing import LambdaContext

#: An invocation with less time left begins no further part of its batch: Lambda may end it.
_LAST_MS = 20_000


def time_left(context: LambdaContext) -> Callable[[], bool]:
    """Tell if there is time for another part of a batch, whenever it is asked."""
    return lambda: context.get_remaining_time_in_millis() > _LAST_MS


def owner_of(context: LambdaContext) -> str:
    """Name this invocation and no other: the owner of every lease that it takes.

    Lambda repeats a failed asynchronous invocation under the same request id. A repetition must
    not take the lease of the invocation before it, which may still be at work.
    """
    return f"{context.aws_request_id}#{token_hex(4)}"
