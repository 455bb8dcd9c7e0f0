"""Page cursors: opaque to callers, and good only for the listing they came from."""

import base64
import binascii
import hashlib
import re

from timegate.domain.values.errors import InvalidInput

_DIGEST_LENGTH = 12
_POSITION = re.compile(r"[\x21-\x7e]{1,200}")


def write_cursor(listing: str, position: str) -> str:
    """A URL-safe cursor for a position in a listing, such as ``jobs#acme``."""
    raw = f"{_digest(listing)}{position}".encode()
    return base64.urlsafe_b64encode(raw).decode().rstrip("=")


def read_cursor(listing: str, cursor: str) -> str:
    """The position; raises ``InvalidInput`` for one of another listing, or of none.

    The digest keeps honest callers from mixing cursors up. It is no secret and guards nothing:
    every query names its tenant's own key, so a forged position finds the tenant's own rows.
    """
    try:
        text = base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)).decode()
    except (binascii.Error, ValueError) as error:
        raise invalid_cursor() from error
    digest, position = text[:_DIGEST_LENGTH], text[_DIGEST_LENGTH:]
    if digest != _digest(listing) or not _POSITION.fullmatch(position):
        raise invalid_cursor()
    return position


def read_number(listing: str, cursor: str) -> int:
    """The position, of a listing whose positions are numbers; raises ``InvalidInput`` likewise."""
    position = read_cursor(listing, cursor)
    if not position.isdigit():
        raise invalid_cursor()
    return int(position)


def _digest(listing: str) -> str:
    return hashlib.sha256(listing.encode()).hexdigest()[:_DIGEST_LENGTH]


def invalid_cursor() -> InvalidInput:
    """Refuse a cursor whose position is none of its listing."""
    return InvalidInput("cursor", "invalid_cursor", "This is no cursor of this listing.")
