"""Errors of calls to AWS services, as failures of a target."""

from collections.abc import Iterator
from contextlib import contextmanager

from botocore.exceptions import (
    BotoCoreError,
    ClientError,
    ParamValidationError,
    ReadTimeoutError,
)

from timegate.adapters.targets.failures import not_permitted, permanent, retryable, timed_out

#: Codes of any service for a right that is missing, or not known everywhere yet.
NOT_PERMITTED = frozenset(
    {
        "AccessDenied",
        "AccessDeniedException",
        "AuthorizationError",
        "AuthorizationErrorException",
        "EC2AccessDeniedException",
        # Regions that the account has not enabled know no session of it.
        "InvalidClientTokenId",
        "KMS.AccessDeniedException",
        "KMSAccessDenied",
        "KMSAccessDeniedException",
        "KmsAccessDenied",
        "KmsAccessDeniedException",
        "OptInRequired",
        "UnrecognizedClientException",
    }
)
#: Codes of any service for a request that it will not take tomorrow either.
_PERMANENT = frozenset(
    {
        "InvalidParameter",
        "InvalidParameterException",
        "InvalidParameterValue",
        "InvalidParameterValueException",
        "InvalidSecurity",
        # Each service writes the codes of KMS in a way of its own.
        "KMS.DisabledException",
        "KMS.InvalidKeyUsageException",
        "KMS.NotFoundException",
        "KMS.OptInRequired",
        "KMSDisabled",
        "KMSDisabledException",
        "KMSNotFound",
        "KMSNotFoundException",
        "KMSOptInRequired",
        "KmsDisabled",
        "KmsInvalidKeyUsage",
        "KmsNotFound",
        "KmsOptInRequired",
        "NotFound",
        "NotFoundException",
        "ResourceNotFoundException",
        "ValidationError",
        "ValidationException",
    }
)


@contextmanager
def classified(service: str, *, permanent_codes: frozenset[str] = frozenset()) -> Iterator[None]:
    """Raise ``TargetFailed`` for what goes wrong inside.

    Missing targets are permanent, as is what ``permanent_codes`` adds; throttles, outages and
    broken connections may pass, and a right that is missing may have been given a moment ago.
    """
    try:
        yield
    except ReadTimeoutError as error:
        raise timed_out(f"{service} did not answer in time.") from error
    except ClientError as error:
        code = error.response["Error"]["Code"]
        if code in NOT_PERMITTED:
            raise not_permitted(f"{service}_refused", code, str(error)) from error
        if code in _PERMANENT | permanent_codes:
            raise permanent(f"{service}_refused", code, str(error)) from error
        raise retryable(f"{service}_unavailable", code, str(error)) from error
    except ParamValidationError as error:
        raise permanent(f"{service}_refused", type(error).__name__, str(error)) from error
    except BotoCoreError as error:
        raise retryable("connection_failed", type(error).__name__, str(error)) from error
