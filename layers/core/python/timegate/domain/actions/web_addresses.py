"""Rules of addresses and secrets of web hooks, of actions as of notifications and conditions."""

import re
from urllib.parse import SplitResult, parse_qsl, urlsplit

from timegate.domain.actions.addresses import NoHost, check_host, is_exempt
from timegate.domain.actions.target_rules import TargetRules, secret_place
from timegate.domain.values.errors import InvalidInput
from timegate.domain.values.redaction import is_reference
from timegate.domain.values.secret_names import is_placeholder, is_secret_name
from timegate.domain.values.secrets import SecretRef, check_secret_ref
from timegate.domain.values.tenant import TenantId

MAX_URL_LENGTH = 2048
HTTPS_REQUIRED = "Secret headers, signatures and callback tokens are sent over https:// only."
_DEFAULT_PORTS = {"http": 80, "https": 443}
_URL = re.compile(r"[\x21-\x7e]+")
#: A host and its port. ``urlsplit`` sees ``[::1]`` alone in ``a.example[::1]b``.
_PLACE = re.compile(r"(\[[^\[\]]*:[^\[\]]*\]|[^\[\]:]+)(:\d*)?")


def check_secret(ref: SecretRef, field: str, rules: TargetRules, tenant: TenantId) -> None:
    """Refuse a secret that the tenant's jobs may not name; raises ``InvalidInput``."""
    check_secret_ref(ref, field)
    found = rules.objection(secret_place(ref))
    if found is not None:
        name = "secret_arn" if ref.secret_arn is not None else "ssm_parameter"
        raise InvalidInput(f"{field}.{name}", found.code, found.detail)
    if not rules.allows_secret(tenant, ref):
        # The same words whether it exists or not, and for every owner.
        detail = "This secret is not among those that this tenant's jobs may name."
        raise InvalidInput(field, "secret_not_allowed", detail)


def check_url(url: str, field: str, rules: TargetRules) -> None:
    """Refuse an address that could never be called; raises ``InvalidInput`` naming ``field``."""
    # ``urlsplit`` silently drops tabs and newlines, so they are looked for first.
    if len(url) > MAX_URL_LENGTH or not _URL.fullmatch(url):
        raise _invalid_url(field, f"It must be 1 to {MAX_URL_LENGTH} printable ASCII characters.")
    parts = _split(url, field)
    if parts.scheme not in {"http", "https"}:
        raise _invalid_url(field, "It must begin with https:// or http://.")
    if "@" in parts.netloc:
        detail = "A user name or password in a URL can be read by every reader of the job."
        raise InvalidInput(field, "plaintext_secret", detail)
    if not _PLACE.fullmatch(parts.netloc):
        raise _invalid_url(field, "It must name one host, as in https://example.com/path.")
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


def secret_parameters(url: str) -> tuple[str, ...]:
    """Return the names of a query's parameters that hold secrets, each once, in order.

    References and placeholders are no secrets.
    """
    named = {
        name: None
        for name, value in parse_qsl(urlsplit(url).query)
        if is_secret_name(name) and not is_reference(value) and not is_placeholder(value)
    }
    return tuple(named)


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
