"""Many items in requests that the API takes, and their answers as one."""

import json
from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from typing import Any

#: Triggers, jobs and events that the API takes in one request.
MOST_TRIGGERS = 1000
MOST_JOBS = 100
MOST_EVENTS = 100
#: About so many bytes of them; the API takes a megabyte with what is around them.
MOST_BYTES = 900_000
#: Characters that the API takes in an idempotency key.
_LONGEST_KEY = 255


def parts_of(items: Sequence[Any], *, most: int) -> Iterator[list[Any]]:
    """Yield parts as large as the API takes at once, of ``most`` items or fewer."""
    part: list[Any] = []
    size = 0
    for each in items:
        length = len(json.dumps(each))
        if part and (len(part) == most or size + length > MOST_BYTES):
            yield part
            part, size = [], 0
        part.append(each)
        size += length
    if part:
        yield part


def keyed_parts(
    items: Sequence[Any], key: str | None, *, most: int
) -> Iterator[tuple[list[Any], str | None]]:
    """Yield parts, each with an idempotency key of its own if there is one."""
    for number, part in enumerate(parts_of(items, most=most)):
        yield part, None if key is None else _part_key(key, number)


def joined(answers: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Return one answer about all items, with places among all of them and counts added up."""
    items: list[Any] = []
    for answer in answers:
        begin = len(items)
        items += [{**each, "index": begin + each["index"]} for each in answer["items"]]
    counted = [name for name in (answers[0] if answers else ()) if name != "items"]
    return {"items": items, **{name: sum(each[name] for each in answers) for name in counted}}


def _part_key(key: str, number: int) -> str:
    """Return the key of a part: a long one is shortened, and one that is too long stays so."""
    named = f"{key}-{number}"
    if len(key) <= _LONGEST_KEY < len(named):
        return f"{sha256(key.encode()).hexdigest()}-{number}"
    return named
