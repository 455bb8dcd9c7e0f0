"""Web hooks: an HTTP request, and the rules of its headers."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from enum import StrEnum
from typing import Annotated, Any, ClassVar
from urllib.parse import urlsplit

from timegate.domain.actions.callbacks import check_silence, given_or_default
from timegate.domain.actions.field_limits import Entries, Meaning, Number, OneOf, Seconds, Text
from timegate.domain.actions.kind import ActionKind
from timegate.domain.actions.target_rules import TargetRules
from timegate.domain.actions.web_addresses import (
    MAX_URL_LENGTH,
    check_secrecy,
    check_secret,
    check_url,
    secret_parameters,
)
from timegate.domain.values.errors import InvalidInput
from timegate.domain.values.secrets import SecretRef
from timegate.domain.values.tenant import TenantId
from timegate.value_classes import dataclass

#: Credentials do not belong in a definition, which every caller with the read scope can read.
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
        "traceparent",
        "trailer",
        "transfer-encoding",
        "upgrade",
    }
)
RESERVED_PREFIXES = ("timegate-", "webhook-")

#: RFC 9110: a token.
_HEADER_NAME = re.compile(r"[!#$%&'*+\-.^_`|~0-9A-Za-z]+")
#: Printable ASCII and tabs: no CR or LF that would begin a header of its own.
_HEADER_VALUE = re.compile(r"[\t\x20-\x7e]*")
_HeaderName = Annotated[str, Text(min_length=1, max_length=64)]
_HeaderValue = Annotated[str, Text(max_length=1024)]
_METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE")


class Wait(StrEnum):
    """End of a web hook's run."""

    #: When it answers.
    ANSWER = "answer"
    #: When it calls back, if it answers 202; else when it answers.
    CALLBACK = "callback"


@dataclass(frozen=True, kw_only=True, slots=True)
class WebhookAction(ActionKind):
    """An HTTP request; redirects are not followed."""

    type: ClassVar[str] = "webhook"
    url: Annotated[str, Text(max_length=MAX_URL_LENGTH)]
    method: Annotated[str, OneOf(texts=_METHODS)] = "POST"
    headers: Annotated[
        Mapping[_HeaderName, _HeaderValue],
        Entries(at_most=20),
        Meaning("Without credentials, and without the headers Timegate sets itself."),
    ] = field(default_factory=dict)
    secret_headers: Annotated[
        Mapping[_HeaderName, SecretRef],
        Entries(at_most=10),
        Meaning("Headers whose values are secrets, read when the request is made."),
    ] = field(default_factory=dict)
    signing_secret: Annotated[
        SecretRef | None,
        Meaning("Requests are signed with each of its keys: one on a line, as whsec_ and Base64."),
    ] = None
    success_statuses: Annotated[
        tuple[Annotated[int, Number(at_least=200, at_most=599)], ...],
        Entries(at_most=20),
        Meaning("The answers that are successes; without any, every 2xx."),
    ] = ()
    wait: Annotated[
        Wait,
        Meaning("answer: the run ends with it; callback: after 202, as the target says, later."),
    ] = Wait.ANSWER
    heartbeat_seconds: Annotated[
        Annotated[int, Seconds()] | None,
        Meaning("How long a target that calls back may be silent; 60 without."),
    ] = None

    def __post_init__(self) -> None:
        """A target that calls back may be silent for a minute, unless the job says otherwise."""
        seconds = given_or_default(self.heartbeat_seconds, calls_back=self._calls_back)
        object.__setattr__(self, "heartbeat_seconds", seconds)

    @property
    def address(self) -> str:
        """Return the host, with its port."""
        return urlsplit(self.url).netloc.rpartition("@")[2].lower()

    @property
    def silence_seconds(self) -> int | None:
        """Return how long a target that calls back may be silent."""
        return self.heartbeat_seconds if self._calls_back else None

    @property
    def readable_secrets(self) -> tuple[str, ...]:
        """Return the names of the query's parameters that hold secrets, by their names."""
        return secret_parameters(self.url)

    @property
    def may_continue(self) -> bool:
        """Tell that a web hook answers."""
        return True

    @property
    def _calls_back(self) -> bool:
        return self.wait is Wait.CALLBACK

    def check(self, rules: TargetRules, tenant: TenantId) -> None:
        """Refuse what could never be sent; raises ``InvalidInput`` naming the field."""
        check_url(self.url, "action.url", rules)
        if self.secret_headers or self.signing_secret or self._calls_back:
            check_secrecy(self.url, "action.url", rules)
        _check_headers(self.headers)
        _check_secret_headers(self)
        for name, ref in _secrets(self):
            check_secret(ref, name, rules, tenant)
        if len(set(self.success_statuses)) != len(self.success_statuses):
            raise InvalidInput("action.success_statuses", "repeated", "A status is given twice.")
        check_silence(self.heartbeat_seconds, calls_back=self._calls_back)

    @classmethod
    def words(cls, shown: Mapping[str, Any]) -> Sequence[str | None]:
        """Name method and URL, and a call back."""
        how = shown["wait"]
        return [shown["method"], shown["url"], how if how != Wait.ANSWER else None]


def _secrets(action: WebhookAction) -> Iterator[tuple[str, SecretRef]]:
    for name, ref in action.secret_headers.items():
        yield f"action.secret_headers.{name}", ref
    if action.signing_secret is not None:
        yield "action.signing_secret", action.signing_secret


def _check_headers(headers: Mapping[str, str]) -> None:
    seen: set[str] = set()
    for name, value in headers.items():
        _check_header_name(name, "action.headers")
        _check_header_value(name, value)
        if name.lower() in SECRET_HEADERS:
            detail = "Every reader of the job would see it: name a secret in secret_headers."
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
    if lower in RESERVED_HEADERS or lower.startswith(RESERVED_PREFIXES):
        detail = "Timegate sets this header itself."
        raise InvalidInput(f"{field}.{name}", "reserved_header", detail)


def _check_header_value(name: str, value: str) -> None:
    if not _HEADER_VALUE.fullmatch(value):
        detail = "A header value is printable ASCII, without line breaks."
        raise InvalidInput(f"action.headers.{name}", "invalid_header", detail)
