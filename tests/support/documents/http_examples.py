"""Requests and answers as documents show them: fenced blocks of ``http``, in pairs."""

import json
import re
from dataclasses import dataclass
from typing import Any

#: Stands for whatever is left out of an example.
LEFT_OUT = "…"


@dataclass(frozen=True)
class Message:
    """A request or an answer."""

    first: str
    headers: dict[str, str]
    body: Any


def read_examples(document: str) -> list[tuple[Message, Message]]:
    """Every request of a document with the answer that follows it."""
    messages = [_read(text) for text in re.findall(r"```http\n(.*?)```", document, re.DOTALL)]
    return list(zip(messages[::2], messages[1::2], strict=True))


def agrees(shown: object, real: object) -> bool:
    """Tell if an example is true; a part that it leaves out may be anything."""
    match shown, real:
        case dict(), dict():
            if LEFT_OUT not in shown and shown.keys() != real.keys():
                return False
            return all(
                name in real and agrees(inner, real[name])
                for name, inner in shown.items()
                if name != LEFT_OUT
            )
        case list(), list():
            return len(shown) == len(real) and all(map(agrees, shown, real))
    return shown in (LEFT_OUT, real)


def _read(text: str) -> Message:
    head, _, body = text.partition("\n\n")
    first, *lines = head.strip().splitlines()
    headers = dict(line.split(": ", 1) for line in lines)
    return Message(first=first, headers=headers, body=json.loads(body) if body.strip() else None)
