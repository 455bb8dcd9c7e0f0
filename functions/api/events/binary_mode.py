"""Events in the binary mode of CloudEvents over HTTP: attributes in headers, data as the body.

https://github.com/cloudevents/spec/blob/v1.0.2/cloudevents/bindings/http-protocol-binding.md
"""

import re
from collections.abc import Iterator
from typing import Any
from urllib.parse import unquote

from api.http.exchange import Exchange
from api.http.refusals import FieldError, InvalidFields, UnsupportedMediaType

_PREFIX = "ce-"
#: A body of these media types is a whole event, or several, whatever the headers say.
_STRUCTURED = "application/cloudevents"
#: The body and its media type have their own places.
_ELSEWHERE = {"data": "the body", "datacontenttype": "Content-Type"}
_JSON_TYPE = re.compile(r"application/([\w.-]+\+)?json", re.IGNORECASE)
_QUOTED = re.compile(r'"(.*)"')
_ESCAPED = re.compile(r"\\(.)")


def binary_event(exchange: Exchange) -> dict[str, Any] | None:
    """Return the event of a request in binary mode, as the JSON format has it.

    ``None``: the request is of another mode. Raises ``InvalidFields``, ``MalformedBody``,
    ``BodyTooLarge`` and ``UnsupportedMediaType``.
    """
    said = exchange.header("Content-Type")
    media_type = (said or "application/json").partition(";")[0].strip().lower()
    attributes = dict(_attributes(exchange))
    if not attributes or media_type.startswith(_STRUCTURED):
        return None
    for name, place in _ELSEWHERE.items():
        if name in attributes:
            detail = f"In binary mode it is {place}."
            raise InvalidFields([FieldError(field=name, code="unknown_field", detail=detail)])
    if not exchange.has_body:
        return attributes
    if said is not None:
        attributes["datacontenttype"] = said
    return {**attributes, "data": _data(exchange, media_type)}


def _attributes(exchange: Exchange) -> Iterator[tuple[str, str]]:
    for name, text in exchange.event.headers.items():
        if name.lower().startswith(_PREFIX):
            yield name.lower().removeprefix(_PREFIX), _read(text)


def _read(text: str) -> str:
    """Read a header: quotes are taken off, and one round of percent encoding."""
    quoted = _QUOTED.fullmatch(text.strip())
    plain = text if quoted is None else _ESCAPED.sub(r"\1", quoted[1])
    return unquote(plain, errors="replace")


def _data(exchange: Exchange, media_type: str) -> Any:  # noqa: ANN401 - any JSON
    if _JSON_TYPE.fullmatch(media_type):
        return exchange.body(checked=False, also=(media_type,), references=False).value
    if media_type.startswith("text/"):
        return exchange.text(media_type)
    raise UnsupportedMediaType
