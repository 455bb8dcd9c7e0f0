"""Text and JSON that attack their readers, and where each string of a body stands."""

import json
from collections.abc import Iterator, Mapping
from copy import deepcopy
from itertools import pairwise
from pathlib import Path
from typing import Any

DESCRIPTION = json.loads(
    (Path(__file__).resolve().parents[3] / "docs" / "reference" / "openapi.json").read_text()
)
SCHEMAS: Mapping[str, Any] = DESCRIPTION["components"]["schemas"]

#: Each aims at a reader: of keys, paths, headers, statements, expressions, terminals, mark-up.
TEXTS = {
    "key separators": "acme#job#1",
    "path": "../../../../etc/passwd",
    "line breaks of headers": "x\r\nX-Tenant: globex\r\n\r\nHTTP/1.1 200 OK",
    "PartiQL": "'; DELETE FROM \"jobs\" WHERE pk='acme' --",
    "expression": "attribute_exists(pk) OR :v = :v",
    "JMESPath": "@ | [*].keys(@) && `1`",
    "format": "{0.__class__.__mro__} %s %n ${jndi:ldap://x/a} {{7*7}}",
    "NUL": "a\u0000b",
    "right to left": "\u202eecilA\u202c",
    "zero width": "ad\u200bmin\ufeff",
    "full width": "\uff41\uff44\uff4d\uff49\uff4e",
    "combining": "e\u0301" * 40,
    "terminal": "\u001b]0;x\u0007\u001b[2J",
    "mark-up": "<script>alert(1)</script>",
    "formula": '=HYPERLINK("http://x","y")',
    "long": "x" * 20_000,
    "empty": "",
    "blank": " ",
}
#: Numbers and other things that JSON can write where a number, or anything else, is expected.
VALUES: dict[str, object] = {
    "huge": 10**400,
    "double": 1.7e308,
    "negative": -(2**63) - 1,
    "fraction": 0.1 + 0.2,
    "true": True,
    "null": None,
    "list": [],
    "object": {"$ref": "#"},
    "deep": [[[[[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]]]]],
}

Place = tuple[str | int, ...]


def places(schema: Mapping[str, Any], seen: frozenset[str] = frozenset()) -> Iterator[Place]:
    """Yield the places of values in a body of this schema; a map's key is a place too."""
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        if name not in seen:
            yield from places(SCHEMAS[name], seen | {name})
        return
    for choice in ("anyOf", "oneOf", "allOf"):
        for each in schema.get(choice, ()):
            yield from places(each, seen)
    for name, field in schema.get("properties", {}).items():
        yield (name,)
        yield from ((name, *rest) for rest in places(field, seen))
    if isinstance(schema.get("items"), dict):
        yield (0,)
        yield from ((0, *rest) for rest in places(schema["items"], seen))
    if isinstance(schema.get("additionalProperties"), dict):
        yield ("key",)


def put(body: Any, place: Place, value: object) -> Any:  # noqa: ANN401 - JSON
    """The body with a value at a place; whatever has to be around it is made."""
    changed = deepcopy(body) if isinstance(body, dict) else {}
    current: Any = changed
    for here, following in pairwise(place):
        wanted: Any = [] if isinstance(following, int) else {}
        if isinstance(current, list):
            if not current or type(current[0]) is not type(wanted):
                current[:] = [wanted]
            current = current[0]
        else:
            if not isinstance(current.get(here), type(wanted)):
                current[here] = wanted
            current = current[here]
    if isinstance(current, list):
        current[:] = [value]
    elif place:
        current[place[-1]] = value
    return changed
