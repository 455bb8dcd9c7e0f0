"""Tokens of a person who has signed in: one file, readable by its owner alone."""

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from secrets import token_hex
from typing import Any

#: A token is renewed so long before its end.
EARLY_SECONDS = 60.0


@dataclass(frozen=True, kw_only=True, slots=True)
class PersonTokens:
    """An access token, and the one that renews it."""

    access: str = field(repr=False)
    refresh: str | None = field(repr=False)
    #: Seconds since 1970.
    expires_at: float

    def is_good(self, now: float) -> bool:
        """Tell if the access token lets its holder in for a while."""
        return now < self.expires_at - EARLY_SECONDS

    @classmethod
    def granted(
        cls, body: Mapping[str, Any], *, now: float, refresh: str | None
    ) -> "PersonTokens | None":
        """Read the answer of a token endpoint; ``None`` for any other text.

        An issuer that does not rotate refresh tokens leaves the present one out.
        """
        access, lasts = body.get("access_token"), body.get("expires_in")
        if not (isinstance(access, str) and access and isinstance(lasts, int | float)):
            return None
        renewing = body.get("refresh_token")
        known = renewing if isinstance(renewing, str) else refresh
        return cls(access=access, refresh=known, expires_at=now + lasts)


def read_tokens(path: Path) -> PersonTokens | None:
    """Return the tokens in a file; ``None``: no person has signed in."""
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
        return PersonTokens(
            access=str(content["access_token"]),
            refresh=content["refresh_token"],
            expires_at=float(content["expires_at"]),
        )
    except (OSError, ValueError, KeyError, TypeError):
        return None


def write_tokens(path: Path, tokens: PersonTokens) -> None:
    """Replace the tokens in a file at once: another command reads the old ones or the new."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    content = {
        "access_token": tokens.access,
        "refresh_token": tokens.refresh,
        "expires_at": tokens.expires_at,
    }
    beside = path.with_name(f".{path.name}.{token_hex(8)}")
    handle = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(handle, "w", encoding="utf-8") as file:
        file.write(json.dumps(content) + "\n")
    beside.replace(path)


def forget_tokens(path: Path) -> None:
    """Remove the file, if there is one."""
    path.unlink(missing_ok=True)
