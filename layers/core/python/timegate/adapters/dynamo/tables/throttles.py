"""Throttles: the one kind of AWS's errors that is translated; the others are bugs or outages."""

from collections.abc import Iterator
from contextlib import contextmanager

from botocore.exceptions import BotoCoreError, ClientError

from timegate.domain.values.errors import Throttled

#: Codes that calls of DynamoDB report.
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
def throttles_translated(codes: frozenset[str] = CALL_CODES) -> Iterator[None]:
    """Turn a throttle that outlasted the client's own retries into ``Throttled``.

    ``codes``: as another service reports them.
    """
    try:
        yield
    except ClientError as error:
        if error.response["Error"]["Code"] in codes:
            raise Throttled(str(error)) from error
        raise


@contextmanager
def reached() -> Iterator[None]:
    """Turn whatever keeps a caller from another region's table into ``RegionUnreached``."""
    try:
        yield
    except (BotoCoreError, ClientError, Throttled) as error:
        from timegate.domain.regions.region_errors import RegionUnreached  # noqa: PLC0415

        raise RegionUnreached(str(error)) from error
