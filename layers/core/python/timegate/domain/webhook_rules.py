"""What a web hook must be before a job may carry it."""

import re
from collections.abc import Mapping
from urllib.parse import SplitResult, urlsplit

from timegate.domain.action import WebhookAction
from timegate.domain.addresses import NoHost, check_host
from timegate.domain.errors import InvalidInput
from timegate.domain.target_rules import TargetRules

MAX_URL_LENGTH = 2048
#: Credentials do not belong in a definition, which anybody with the read scope can read.
SECRET_HEADERS = frozenset(
    {"authorization", "proxy-authorization", "cookie", "x-api-key", "api-key", "x-auth-token"}
)
#: The executor sets these, or the connection does.
RESERVED_HEADERS = frozenset(
    {
        "connection",
        "content-length",
        "expect",
        "host",
        "idempotency-key",
        "keep-alive",
        "te",
        "trailer",
        "transfer-encoding",
        "upgrade",
    }
)
RESERVED_PREFIX = "timegate-"

#: RFC 9110: a token.
_HEADER_NAME = re.compile(r"[!#$%&'*+\-.^_`|~0-9A-Za-z]+")
#: Printable ASCII and tabs: no CR or LF that would begin a header of its own.
_HEADER_VALUE = re.compile(r"[\t\x20-\x7e]*")
_URL = re.compile(r"[\x21-\x7e]+")


def check_webhook(action: WebhookAction, rules: TargetRules) -> None:
    """Refuse what could never be sent; raises ``InvalidInput`` naming the field."""
    _check_url(action.url, rules)
    _check_headers(action.headers)


def _check_url(url: str, rules: TargetRules) -> None:
    # ``urlsplit`` silently drops tabs and newlines, so they are looked for first.
    if len(url) > MAX_URL_LENGTH or not _URL.fullmatch(url):
        raise _invalid_url(f"It must be 1 to {MAX_URL_LENGTH} printable ASCII characters.")
    parts = _split(url)
    if parts.scheme not in {"http", "https"}:
        raise _invalid_url("It must begin with https:// or http://.")
    if "@" in parts.netloc:
        detail = "A user name or password in a URL can be read by anybody who reads the job."
        raise InvalidInput("action.url", "plaintext_secret", detail)
    try:
        objection = check_host(parts.hostname or "", rules.private_hosts)
    except NoHost as error:
        raise _invalid_url(str(error)) from error
    if objection is not None:
        raise InvalidInput("action.url", "address_not_allowed", objection)


def _split(url: str) -> SplitResult:
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError as error:
        raise _invalid_url("Its host or port cannot be read.") from error
    if port == 0:
        raise _invalid_url("Its port must be 1 to 65535.")
    return parts


def _invalid_url(detail: str) -> InvalidInput:
    return InvalidInput("action.url", "invalid_url", detail)


def _check_headers(headers: Mapping[str, str]) -> None:
    seen: set[str] = set()
    for name, value in headers.items():
        _check_header_name(name)
        _check_header_value(name, value)
        if name.lower() in seen:
            detail = "Header names do not differ by case alone: it is given twice."
            raise InvalidInput(f"action.headers.{name}", "duplicate_header", detail)
        seen.add(name.lower())


def _check_header_name(name: str) -> None:
    field, lower = f"action.headers.{name}", name.lower()
    if not _HEADER_NAME.fullmatch(name):
        raise InvalidInput("action.headers", "invalid_header", f"{name!r} is no header name.")
    if lower in RESERVED_HEADERS or lower.startswith(RESERVED_PREFIX):
        raise InvalidInput(field, "reserved_header", "Timegate sets this header itself.")
    if lower in SECRET_HEADERS:
        detail = "Credentials are not kept in plain text: anybody who reads the job reads them."
        raise InvalidInput(field, "plaintext_secret", detail)


def _check_header_value(name: str, value: str) -> None:
    if not _HEADER_VALUE.fullmatch(value):
        detail = "A header value is printable ASCII, without line breaks."
        raise InvalidInput(f"action.headers.{name}", "invalid_header", detail)
