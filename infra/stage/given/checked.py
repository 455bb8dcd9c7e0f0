"""Values of the context that AWS, or a function that starts, would refuse or misread later."""

import re
from collections.abc import Callable, Sequence

from infra.stage.given.lists import listed
from timegate.domain.values.tenant import TENANT_NAME

#: An entry of the audit trail is in the archive by then, also while that is behind.
LEAST_RETENTION_DAYS = 30
MOST_RETENTION_DAYS = 36_500
_HOST = r"[a-z0-9-]+(\.[a-z0-9-]+)*"
_PORT = r"(:[1-9]\d{0,4})?"
_ORIGIN = re.compile(rf"https?://{_HOST}{_PORT}")
#: A browser signs in without TLS there alone.
_SIGN_IN_ORIGIN = re.compile(rf"(https://{_HOST}|http://(localhost|127\.0\.0\.1)){_PORT}")
_ANY_ORIGIN = "*"


class RetentionError(ValueError):
    """``auditRetentionDays`` is no number of days for which entries can be kept."""


class TenantNameError(ValueError):
    """``tenants`` names what no tenant can be called, or one of them twice."""


class OriginError(ValueError):
    """``corsOrigins`` or ``consoleOrigins`` names what is no origin of a page."""


def audit_retention_days(context: Callable[[str], object], default: int) -> int:
    """Read ``auditRetentionDays``; raises ``RetentionError``."""
    given = context("auditRetentionDays")
    if given in (None, ""):
        return default
    # ``cdk.json`` may say it as a number.
    text = str(given)
    if not re.fullmatch(r"[0-9]{1,6}", text) or not (
        LEAST_RETENTION_DAYS <= int(text) <= MOST_RETENTION_DAYS
    ):
        raise RetentionError(
            f"auditRetentionDays: {text!r} is no number of days from {LEAST_RETENTION_DAYS} to"
            f" {MOST_RETENTION_DAYS:,}; entries are in the archive by the first"
        )
    return int(text)


def check_names(context: Callable[[str], object]) -> None:
    """Refuse ``tenants``, ``corsOrigins`` and ``consoleOrigins`` that cannot be.

    Raises ``TenantNameError`` and ``OriginError``.
    """
    _check_tenants(listed(context("tenants")))
    for each in listed(context("corsOrigins")):
        if each != _ANY_ORIGIN and not _ORIGIN.fullmatch(each):
            raise _no_origin("corsOrigins", each)
    for each in listed(context("consoleOrigins")):
        if not _SIGN_IN_ORIGIN.fullmatch(each):
            raise _no_origin("consoleOrigins", each)


def _check_tenants(names: Sequence[str]) -> None:
    for each in names:
        if not TENANT_NAME.fullmatch(each):
            raise TenantNameError(
                f"tenants: {each!r} is no name of a tenant: a letter or digit, and up to 127"
                " letters, digits and _.@|:-"
            )
        if names.count(each) > 1:
            raise TenantNameError(f"tenants: {each!r} is there twice")


def _no_origin(setting: str, given: str) -> OriginError:
    return OriginError(
        f"{setting}: {given!r} is no origin such as https://console.example.com, in lower case and"
        " without a path; http is for localhost, and for pages that only call the API"
    )
