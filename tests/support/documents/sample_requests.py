"""The request of each operation, as its sample event in ``events`` has it."""

import base64
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from api.http.route import Route

EVENTS = Path(__file__).resolve().parents[3] / "events"


@dataclass(frozen=True, kw_only=True)
class Sample:
    """A caller's request."""

    path: str
    query: str
    #: JSON that was read, or text of another media type; ``None``: no body.
    body: Any
    headers: Mapping[str, str]
    #: Type of its body; ``application/json`` without one.
    media_type: str = "application/json"
    #: Everything the caller said in headers, their names in small letters.
    own: Mapping[str, str] = field(default_factory=dict)

    @property
    def text(self) -> str | None:
        """The body as it is sent."""
        return self.body if self.body is None or isinstance(self.body, str) else _json(self.body)


def sample_of(route: Route) -> Sample:
    """The sample of an operation; every route has one (``test_events.py``)."""
    name = re.sub(r"[A-Z]", lambda letter: f"_{letter[0].lower()}", route.operation)
    event = json.loads((EVENTS / f"api_{name}.json").read_text())
    text = event.get("body")
    if text is not None and event["isBase64Encoded"]:
        text = base64.b64decode(text).decode()
    media_type = event["headers"].get("content-type", "application/json")
    is_json = media_type.partition(";")[0] == "application/json"
    return Sample(
        path=event["rawPath"],
        query=event["rawQueryString"],
        body=json.loads(text) if text is not None and is_json else text,
        headers={} if text is None else {"content-type": media_type},
        media_type=media_type.partition(";")[0],
        own=event["headers"],
    )


def _json(body: object) -> str:
    return json.dumps(body, ensure_ascii=False)
