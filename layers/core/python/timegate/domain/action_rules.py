"""What an action must be before a job may carry it."""

import re
from collections.abc import Mapping
from urllib.parse import SplitResult, urlsplit

from timegate.domain.action import Action, LambdaAction, SqsAction, WebhookAction
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
_LABEL = re.compile(r"(?!-)[A-Za-z0-9_-]{1,63}(?<!-)")
_FUNCTION_ARN = re.compile(
    r"arn:aws[a-z-]*:lambda:[a-z0-9-]+:\d{12}:function:[A-Za-z0-9_-]{1,64}(:[A-Za-z0-9_$-]{1,128})?"
)


def check_action(action: Action, rules: TargetRules) -> None:
    """Refuse what could never be carried out; raises ``InvalidInput`` naming the field."""
    match action:
        case WebhookAction():
            _check_url(action.url)
            _check_headers(action.headers)
        case LambdaAction():
            _check_function(action.function_arn, rules)
        case SqsAction():
            _check_queue(action.queue_url, rules)


def _check_url(url: str) -> None:
    # ``urlsplit`` silently drops tabs and newlines, so they are looked for first.
    if len(url) > MAX_URL_LENGTH or not _URL.fullmatch(url):
        raise _invalid_url(f"It must be 1 to {MAX_URL_LENGTH} printable ASCII characters.")
    parts = _split(url)
    if parts.scheme not in {"http", "https"}:
        raise _invalid_url("It must begin with https:// or http://.")
    if "@" in parts.netloc:
        detail = "A user name or password in a URL can be read by anybody who reads the job."
        raise InvalidInput("action.url", "plaintext_secret", detail)
    if not _is_host(parts.hostname or ""):
        raise _invalid_url("It names no valid host.")


def _split(url: str) -> SplitResult:
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError as error:
        raise _invalid_url("Its host or port cannot be read.") from error
    if port == 0:
        raise _invalid_url("Its port must be 1 to 65535.")
    return parts


def _is_host(host: str) -> bool:
    if ":" in host:
        return True  # an IPv6 address, which ``urlsplit`` has checked
    return all(_LABEL.fullmatch(label) for label in host.removesuffix(".").split("."))


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


def _check_function(arn: str, rules: TargetRules) -> None:
    if not _FUNCTION_ARN.fullmatch(arn):
        detail = "It must be the ARN of a Lambda function, with or without a version or alias."
        raise InvalidInput("action.function_arn", "invalid_arn", detail)
    if not rules.allows_function(arn):
        raise _not_allowed("action.function_arn", "function")


def _check_queue(url: str, rules: TargetRules) -> None:
    try:
        allowed = bool(_URL.fullmatch(url)) and rules.allows_queue(url)
    except ValueError:
        allowed = False
    if not allowed:
        raise _not_allowed("action.queue_url", "queue")


def _not_allowed(field: str, kind: str) -> InvalidInput:
    # The same words whether the target exists or not: the list is the operator's business.
    detail = f"This {kind} is not among those that jobs of this stage may target."
    return InvalidInput(field, "target_not_allowed", detail)
