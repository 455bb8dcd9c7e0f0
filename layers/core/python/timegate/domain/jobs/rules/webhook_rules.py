"""Rules of a job's web hooks."""

import re
from collections.abc import Iterator, Mapping, Sequence
from urllib.parse import SplitResult, urlsplit

from timegate.domain.actions.action import Wait, WebhookAction
from timegate.domain.actions.addresses import NoHost, check_host, is_exempt
from timegate.domain.actions.target_rules import TargetRules
from timegate.domain.jobs.condition import Condition
from timegate.domain.jobs.notification import Hook
from timegate.domain.values.errors import InvalidInput
from timegate.domain.values.secrets import SecretRef, check_secret_ref
from timegate.domain.values.tenant import TenantId

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

HTTPS_REQUIRED = "Secret headers, signatures and callback tokens are sent over https:// only."
_DEFAULT_PORTS = {"http": 80, "https": 443}

#: RFC 9110: a token.
_HEADER_NAME = re.compile(r"[!#$%&'*+\-.^_`|~0-9A-Za-z]+")
#: Printable ASCII and tabs: no CR or LF that would begin a header of its own.
_HEADER_VALUE = re.compile(r"[\t\x20-\x7e]*")
_URL = re.compile(r"[\x21-\x7e]+")


def check_webhook(action: WebhookAction, rules: TargetRules, tenant: TenantId) -> None:
    """Refuse what could never be sent; raises ``InvalidInput`` naming the field."""
    check_url(action.url, "action.url", rules)
    if action.secret_headers or action.signing_secret or action.wait is Wait.CALLBACK:
        check_secrecy(action.url, "action.url", rules)
    _check_headers(action.headers)
    _check_secret_headers(action)
    for field, ref in _secrets(action):
        check_secret(ref, field, rules, tenant)
    if len(set(action.success_statuses)) != len(action.success_statuses):
        raise InvalidInput("action.success_statuses", "repeated", "A status is given twice.")


def check_addresses(hooks: Sequence[Hook], rules: TargetRules, tenant: TenantId) -> None:
    """Refuse addresses and secrets of notifications as those of actions; ``InvalidInput``."""
    for number, hook in enumerate(hooks):
        field = f"notifications.{number}"
        check_url(hook.url, f"{field}.url", rules)
        if hook.signing_secret is not None:
            check_secrecy(hook.url, f"{field}.url", rules)
            check_secret(hook.signing_secret, f"{field}.signing_secret", rules, tenant)


def check_question(condition: Condition | None, rules: TargetRules, tenant: TenantId) -> None:
    """Refuse the address and secret of a condition as those of actions; ``InvalidInput``."""
    if condition is None:
        return
    check_url(condition.url, "before.url", rules)
    if condition.signing_secret is not None:
        check_secrecy(condition.url, "before.url", rules)
        check_secret(condition.signing_secret, "before.signing_secret", rules, tenant)


def check_secret(ref: SecretRef, field: str, rules: TargetRules, tenant: TenantId) -> None:
    """Refuse a secret that the tenant's jobs may not name; raises ``InvalidInput``."""
    check_secret_ref(ref, field)
    if not rules.allows_secret(tenant, ref):
        # The same words whether it exists or not, and whoever's it is.
        detail = "This secret is not among those that this tenant's jobs may name."
        raise InvalidInput(field, "secret_not_allowed", detail)


def _secrets(action: WebhookAction) -> Iterator[tuple[str, SecretRef]]:
    for name, ref in action.secret_headers.items():
        yield f"action.secret_headers.{name}", ref
    if action.signing_secret is not None:
        yield "action.signing_secret", action.signing_secret


def check_url(url: str, field: str, rules: TargetRules) -> None:
    """Refuse an address that could never be called; raises ``InvalidInput`` naming ``field``."""
    # ``urlsplit`` silently drops tabs and newlines, so they are looked for first.
    if len(url) > MAX_URL_LENGTH or not _URL.fullmatch(url):
        raise _invalid_url(field, f"It must be 1 to {MAX_URL_LENGTH} printable ASCII characters.")
    parts = _split(url, field)
    if parts.scheme not in {"http", "https"}:
        raise _invalid_url(field, "It must begin with https:// or http://.")
    if "@" in parts.netloc:
        detail = "A user name or password in a URL can be read by anybody who reads the job."
        raise InvalidInput(field, "plaintext_secret", detail)
    try:
        objection = check_host(parts.hostname or "", rules.private_hosts)
    except NoHost as error:
        raise _invalid_url(field, str(error)) from error
    if objection is not None:
        raise InvalidInput(field, "address_not_allowed", objection)
    port = port_of(parts)
    if not rules.allows_port(port):
        detail = f"Port {port} is not among those that web hooks of this stage may reach."
        raise InvalidInput(field, "port_not_allowed", detail)


def check_secrecy(url: str, field: str, rules: TargetRules) -> None:
    """Refuse to send credentials where they can be read on the way; ``InvalidInput``."""
    if is_readable(urlsplit(url), rules):
        raise InvalidInput(field, "https_required", HTTPS_REQUIRED)


def is_readable(url: SplitResult, rules: TargetRules) -> bool:
    """Tell whether others can read what is sent: plain HTTP, and not within a network of one's own.

    The operator of a stage vouches for the network in which a private host is.
    """
    return url.scheme == "http" and not is_exempt(url.hostname or "", rules.private_hosts)


def port_of(url: SplitResult) -> int:
    """Return the port of a checked URL."""
    return url.port or _DEFAULT_PORTS[url.scheme]


def _split(url: str, field: str) -> SplitResult:
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError as error:
        raise _invalid_url(field, "Its host or port cannot be read.") from error
    if port == 0:
        raise _invalid_url(field, "Its port must be 1 to 65535.")
    return parts


def _invalid_url(field: str, detail: str) -> InvalidInput:
    return InvalidInput(field, "invalid_url", detail)


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
