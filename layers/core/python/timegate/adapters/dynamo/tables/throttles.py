"""Throttles, and faults of a service that may pass: no other error of AWS is translated."""

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
#: The first status by which a service says that it, and not the call, is at fault.
_SERVER_ERROR = 500


@contextmanager
def throttles_translated(codes: frozenset[str] = CALL_CODES) -> Iterator[None]:
    """Turn a throttle that outlasted the client's own retries into ``Throttled``.

    So does an answer that the service is at fault, whatever its code: it may pass as well.
    ``codes``: as another service reports them.
    """
    try:
        yield
    except ClientError as error:
        if error.response["Error"]["Code"] in codes or _is_at_fault(error):
            raise Throttled(str(error)) from error
        raise


def _is_at_fault(error: ClientError) -> bool:
    return error.response.get("ResponseMetadata", {}).get("HTTPStatusCode", 0) >= _SERVER_ERROR


@contextmanager
def reached() -> Iterator[None]:
    """Turn whatever keeps a caller from another region's table into ``RegionUnreached``."""
    try:
        yield
    except (BotoCoreError, ClientError, Throttled) as error:
        from timegate.domain.regions.region_errors import RegionUnreached  # noqa: PLC0415

        raise RegionUnreached(str(error)) from error
