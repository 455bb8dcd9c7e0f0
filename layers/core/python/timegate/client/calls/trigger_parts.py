"""Many triggers in requests that the API takes, and their answers as one."""

import json
from collections.abc import Iterator, Sequence
from typing import Any

from timegate.client.schemas import TriggeredMany

#: Triggers that the API takes in one request, and about so many bytes of them.
MOST_AT_ONCE = 1000
MOST_BYTES = 900_000


def trigger_parts(
    triggers: Sequence[Any], key: str | None
) -> Iterator[tuple[list[Any], str | None]]:
    """Yield parts as large as the API takes, each with a key of its own if there is one."""
    part: list[Any] = []
    size = number = 0
    for each in triggers:
        length = len(json.dumps(each))
        if part and (len(part) == MOST_AT_ONCE or size + length > MOST_BYTES):
            yield part, None if key is None else f"{key}-{number}"
            part, size, number = [], 0, number + 1
        part.append(each)
        size += length
    if part:
        yield part, None if key is None else f"{key}-{number}"


def joined_answers(answers: Sequence[TriggeredMany]) -> TriggeredMany:
    """Return one answer about all triggers, with places among all of them."""
    whole: TriggeredMany = {"items": [], "triggered": 0, "replayed": 0, "failed": 0}
    for answer in answers:
        begin = len(whole["items"])
        whole["items"] += [{**each, "index": begin + each["index"]} for each in answer["items"]]
        whole["triggered"] += answer["triggered"]
        whole["replayed"] += answer["replayed"]
        whole["failed"] += answer["failed"]
    return whole
