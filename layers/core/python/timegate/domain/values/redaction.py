"""Redaction: what is logged, told and kept for others to read has no credentials in it."""

import re
from collections.abc import Mapping
from typing import TypeVar, cast

from timegate.domain.values.credential_rules import CREDENTIALS, HIDDEN, CredentialForm, found_by
from timegate.domain.values.secret_names import is_secret_name

REDACTED = "[redacted]"
#: Fields whose JSON callers make up, and a place in one.
_MADE_UP = re.compile(
    r"(?<![^.])(payload|payload_patch|payload_schema|parameters|input|data|result|checkpoint)[./].*",
    re.DOTALL,
)

Value = TypeVar("Value")


def redact(value: Value) -> Value:
    """The same without credentials; maps, lists and tuples are looked through, others stay.

    Texts of a map under a name that says secret go as a whole, unless they only say where one is
    kept. Any text loses parts that look like a credential, and those that follow a word such as
    ``password=``. For logs, problems, and records of changes: redacting twice changes nothing.
    """
    return cast("Value", _redacted(value))


def without_credentials(text: str) -> str:
    """A text without what looks like a credential and nothing else: what users' programs said.

    JSON stays JSON, and what follows ``password=`` stays: it may be a link that expires.
    """
    return _replaced(text, CREDENTIALS)


def logged_field(field: str) -> str:
    """Return a field as operators' logs name it: without names that are in a payload.

    They may be data, such as addresses of people, and as long as the payload.
    """
    return _MADE_UP.sub(r"\1", field)


def is_reference(text: str) -> bool:
    """Tell if a text is no secret but names its place, or the lack of one."""
    arn = text.startswith("arn:aws") and (":secretsmanager:" in text or ":ssm:" in text)
    return arn or not text or text == REDACTED or _is_parameter(text)


def _is_parameter(text: str) -> bool:
    # Base64 may begin with a slash as well; a parameter has two parts at least.
    return text.startswith("/") and text.count("/") > 1 and not text.endswith("=")


def _redacted(value: object) -> object:
    match value:
        case str():
            return _replaced(value, HIDDEN)
        case None | int() | float():
            return value
        case dict() | Mapping():
            return {name: _member(name, inner) for name, inner in value.items()}
        case list():
            return [_redacted(inner) for inner in value]
        case tuple() if type(value) is tuple:
            return tuple(_redacted(inner) for inner in value)
        case _:
            return value


def _member(name: object, value: object) -> object:
    if isinstance(value, str) and isinstance(name, str) and is_secret_name(name):
        return value if is_reference(value) else REDACTED
    return _redacted(value)


def _replaced(text: str, rules: tuple[CredentialForm, ...]) -> str:
    spans = [(found.start, found.end) for found in found_by(rules, text)]
    if not spans:
        return text
    spans.sort()
    parts: list[str] = []
    done = 0
    for start, end in spans:
        if start >= done:
            parts += [text[done:start], REDACTED]
        done = max(done, end)
    return "".join([*parts, text[done:]])
