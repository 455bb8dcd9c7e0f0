"""What a web hook must be before a job may carry it."""

import re
from collections.abc import Iterator, Mapping
from urllib.parse import SplitResult, urlsplit

from timegate.domain.action import WebhookAction
from timegate.domain.addresses import NoHost, check_host
from timegate.domain.errors import InvalidInput
from timegate.domain.secrets import SecretRef, check_secret_ref
from timegate.domain.target_rules import TargetRules
from timegate.domain.tenant import TenantId

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


def check_webhook(action: WebhookAction, rules: TargetRules, tenant: TenantId) -> None:
    """Refuse what could never be sent; raises ``InvalidInput`` naming the field."""
    _check_url(action.url, rules)
    _check_headers(action.headers)
    _check_secret_headers(action)
    for field, ref in _secrets(action):
        check_secret_ref(ref, field)
        if not rules.allows_secret(tenant, ref):
            # The same words whether it exists or not, and whoever's it is.
            detail = "This secret is not among those that this tenant's jobs may name."
            raise InvalidInput(field, "secret_not_allowed", detail)
    if len(set(action.success_statuses)) != len(action.success_statuses):
        raise InvalidInput("action.success_statuses", "repeated", "A status is given twice.")


def _secrets(action: WebhookAction) -> Iterator[tuple[str, SecretRef]]:
    for name, ref in action.secret_headers.items():
        yield f"action.secret_headers.{name}", ref
    if action.signing_secret is not None:
        yield "action.signing_secret", action.signing_secret


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
        _check_header_name(name, "action.headers")
        _check_header_value(name, value)
        if name.lower() in SECRET_HEADERS:
            detail = "Whoever reads the job would read it: name a secret in secret_headers."
            raise InvalidInput(f"action.headers.{name}", "plaintext_secret", detail)
        if name.lower() in seen:
            detail = "Header names do not differ by case alone: it is given twice."
            raise InvalidInput(f"action.headers.{name}", "duplicate_header", detail)
        seen.add(name.lower())


def _check_secret_headers(action: WebhookAction) -> None:
    seen = {name.lower() for name in action.headers}
    for name in action.secret_headers:
        _check_header_name(name, "action.secret_headers")
        if name.lower() in seen:
            detail = "Header names do not differ by case alone: it is given twice."
            raise InvalidInput(f"action.secret_headers.{name}", "duplicate_header", detail)
        seen.add(name.lower())


def _check_header_name(name: str, field: str) -> None:
    lower = name.lower()
    if not _HEADER_NAME.fullmatch(name):
        raise InvalidInput(field, "invalid_header", f"{name!r} is no header name.")
    if lower in RESERVED_HEADERS or lower.startswith(RESERVED_PREFIX):
        detail = "Timegate sets this header itself."
        raise InvalidInput(f"{field}.{name}", "reserved_header", detail)


def _check_header_value(name: str, value: str) -> None:
    if not _HEADER_VALUE.fullmatch(value):
        detail = "A header value is printable ASCII, without line breaks."
        raise InvalidInput(f"action.headers.{name}", "invalid_header", detail)
