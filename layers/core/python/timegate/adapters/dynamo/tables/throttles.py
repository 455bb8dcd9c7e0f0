"""Throttles, and faults of a service or of the way to it that may pass: no other error of AWS."""

from collections.abc import Iterator
from contextlib import contextmanager

from botocore.exceptions import (
    BotoCoreError,
    ClientError,
    ConnectionError,  # noqa: A004 - botocore's own
    HTTPClientError,
    IncompleteReadError,
)

from timegate.domain.values.errors import Throttled

#: Codes of any service for too many requests: of its own, or of its key in KMS.
_THROTTLES = frozenset(
    {
        "KMS.ThrottlingException",
        "KmsThrottled",
        "KmsThrottlingException",
        "RequestLimitExceeded",
        "RequestThrottled",
        "Throttling",
        "ThrottlingException",
        "TooManyRequestsException",
    }
)
#: Codes that calls of DynamoDB report besides.
CALL_CODES = frozenset(
    {
        "ProvisionedThroughputExceededException",
        "TransactionConflictException",
        "TransactionInProgressException",
        "InternalServerError",
    }
)
#: No answer, or half of one, that outlasted the client's own retries.
_OUT_OF_REACH = (ConnectionError, HTTPClientError, IncompleteReadError)
#: The first status by which a service says that it, and not the call, is at fault.
_SERVER_ERROR = 500


@contextmanager
def throttles_translated(codes: frozenset[str] = CALL_CODES) -> Iterator[None]:
    """Turn a throttle that outlasted the client's own retries into ``Throttled``.

    So does an answer that the service is at fault, whatever its code, and no answer at all: both
    may pass as well. Neither says that nothing was written. ``codes``: what another service
    reports besides throttles.
    """
    try:
        yield
    except ClientError as error:
        if error.response["Error"]["Code"] in _THROTTLES | codes or _is_at_fault(error):
            raise Throttled(str(error)) from error
        raise
    except _OUT_OF_REACH as error:
        raise Throttled(f"The service did not answer: {error}") from error


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
