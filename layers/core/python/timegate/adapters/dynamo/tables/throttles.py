"""Throttles: the one kind of DynamoDB error that is translated; the others are bugs or outages."""

from collections.abc import Iterator
from contextlib import contextmanager

from botocore.exceptions import ClientError

from timegate.domain.values.errors import Throttled

#: As calls report them.
CALL_CODES = frozenset(
    {
        "ProvisionedThroughputExceededException",
        "ThrottlingException",
        "RequestLimitExceeded",
        "TransactionConflictException",
        "TransactionInProgressException",
        "InternalServerError",
    }
)


@contextmanager
def throttles_translated() -> Iterator[None]:
    """Turn a throttle that outlasted the client's own retries into ``Throttled``."""
    try:
        yield
    except ClientError as error:
        if error.response["Error"]["Code"] in CALL_CODES:
            raise Throttled(str(error)) from error
        raise
