"""From values to JSON: pages, instants and payloads."""

import json
from collections.abc import Callable
from datetime import datetime
from typing import Any

from timegate.domain.values.instants import rfc3339
from timegate.domain.values.payload import Payload
from timegate.ports.stores import NamedPage, Page, Row

View = dict[str, Any]


def page_view(page: Page[Row], view: Callable[[Row], View]) -> View:
    """A page of a listing, and the names of what it leaves out since it cannot be read."""
    shown = {"items": [view(row) for row in page.rows], "next_cursor": page.cursor}
    if not isinstance(page, NamedPage) or not page.damaged:
        return shown
    names = [name for name, _ in page.damaged]
    return {**shown, "damaged": {"count": len(names), "names": names}}


def payload_view(payload: Payload, fetched: str | None) -> object:
    """Show a payload as JSON, where its text is at hand."""
    text = payload.inline if fetched is None else fetched
    return None if text is None else json.loads(text)


def instant_view(instant: datetime | None) -> str | None:
    """Show an instant, or none."""
    return None if instant is None else rfc3339(instant)
