"""Invocations: each has a name of its own, under which it takes leases."""

from secrets import token_hex

from aws_lambda_powertools.utilities.typing import LambdaContext


def owner_of(context: LambdaContext) -> str:
    """Name this invocation and no other: the owner of every lease that it takes.

    Lambda repeats a failed asynchronous invocation under the same request id. A repetition must
    not take the lease of the invocation before it, which may still be at work.
    """
    return f"{context.aws_request_id}#{token_hex(4)}"
