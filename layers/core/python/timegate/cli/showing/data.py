"""Data for programs that is also shown in terminals: JSON and pictures."""

import json
import re

_TURNING = "\u202a-\u202e\u2066-\u2069"
#: Controls beyond those that JSON escapes by itself, and marks that turn the direction of text.
#: Terminals obey U+009B as the beginning of a command.
_STEERING = re.compile(f"[\x7f-\x9f{_TURNING}]")
_STEERING_LINES = re.compile(f"[\x00-\x08\x0b-\x1f\x7f-\x9f{_TURNING}]")


def json_data(value: object, *, indent: int | None = None) -> str:
    """Write JSON that steers no terminal: targets write their own messages and results.

    Programs read the same from it: what is escaped stands in texts alone.
    """
    text = json.dumps(value, indent=indent, ensure_ascii=False)
    return _STEERING.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def steady(text: str) -> str:
    """Return lines of text with a mark in place of each character that would steer a terminal."""
    return _STEERING_LINES.sub("\N{REPLACEMENT CHARACTER}", text)
