"""Parts of requests of other programs that web hooks have."""

import json
from collections.abc import Mapping
from typing import Any

from timegate.cli.migrating.entries import Note
from timegate.declaring.json_reading import check_portable
from timegate.domain.actions.kinds.webhook import (
    RESERVED_HEADERS,
    RESERVED_PREFIXES,
    SECRET_HEADERS,
)

#: Seconds that a call may take, of the class long.
LONGEST_CALL = 840
_SHORT = 60
#: Programs set it themselves, and show it as if it were given.
_OF_PROGRAMS = frozenset({"user-agent"})


def headers_of(given: Mapping[str, Any]) -> tuple[dict[str, str], tuple[Note, ...]]:
    """Return the headers that a web hook may have, and name the others."""
    kept: dict[str, str] = {}
    secret, reserved = [], []
    for name, value in given.items():
        low = name.lower()
        if low in SECRET_HEADERS:
            secret.append(name)
        elif low in RESERVED_HEADERS or low.startswith(RESERVED_PREFIXES):
            reserved.append(name)
        elif low not in _OF_PROGRAMS:
            kept[name] = str(value)
    notes = []
    if secret:
        detail = f"{', '.join(secret)}: a credential is kept as a secret, in secret_headers."
        notes.append(Note(code="secret_headers", detail=detail))
    if reserved:
        detail = f"{', '.join(reserved)}: left out, as the executor sets it or the connection does."
        notes.append(Note(code="reserved_headers", detail=detail))
    return kept, tuple(notes)


def payload_of(text: str) -> tuple[dict[str, Any], tuple[Note, ...]]:
    """Return the payload of a body; one that is no JSON becomes a text, with a note."""
    try:
        value = json.loads(text)
        check_portable(value)
    except (ValueError, RecursionError):
        detail = "Its body is no JSON: here it is sent as a text of JSON, in quotes."
        return {"payload": text}, (Note(code="body", detail=detail),)
    return {"payload": value}, ()


def timeout_of_call(seconds: float) -> dict[str, Any]:
    """Return the timeout of a call, at most the longest: a long one has the class for it."""
    whole = max(min(int(seconds), LONGEST_CALL), 1)
    fields: dict[str, Any] = {"timeout_seconds": whole}
    if whole > _SHORT:
        fields["resource_class"] = "long"
    return fields
