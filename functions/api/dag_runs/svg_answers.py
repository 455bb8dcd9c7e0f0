"""Answers that are pictures: SVG that a browser shows, and of which it runs nothing."""

from base64 import b64encode
from hashlib import sha256
from typing import Annotated
from zoneinfo import ZoneInfo

from pydantic import Field

from api.http.exchange import Reply
from timegate.domain.recurrence.zones.zone_clock import load_zone
from timegate.domain.values.errors import InvalidInput

SVG = "image/svg+xml"
Picture = Annotated[str, Field(description="SVG that needs nothing else and runs nothing.")]


def picture(svg: str, style: str) -> Reply:
    """Answer with a picture, whose one style sheet is all that a browser may apply."""
    digest = b64encode(sha256(style.encode()).digest()).decode()
    policy = f"sandbox; default-src 'none'; style-src 'sha256-{digest}'"
    headers = {"Content-Security-Policy": policy, "X-Content-Type-Options": "nosniff"}
    return Reply(body=svg, headers=headers)


def zone_asked(tz: str | None) -> ZoneInfo | None:
    """Return the zone that a request names, if any; raises ``InvalidInput``."""
    try:
        return None if tz is None else load_zone(tz)
    except InvalidInput as unknown:
        raise InvalidInput("tz", unknown.code, unknown.detail) from unknown


def zone_shown(name: str) -> ZoneInfo:
    """Return the zone of a chart; UTC for one that the database has no more."""
    try:
        return load_zone(name)
    except InvalidInput:
        return load_zone("UTC")
