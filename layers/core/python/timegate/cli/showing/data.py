"""Data for programs that is also shown in terminals: JSON and pictures."""

import json
from typing import TextIO

from timegate.cli.streams import writes_unicode

#: Controls beyond those that JSON escapes by itself: terminals obey U+009B as the beginning of a
#: command.
_CONTROLS = range(0x7F, 0xA0)
#: Marks that turn the direction of text.
_TURNING = (*range(0x202A, 0x202F), *range(0x2066, 0x206A))
_ESCAPED = {code: f"\\u{code:04x}" for code in (*_CONTROLS, *_TURNING)}
#: Tabs and ends of lines stay.
_MARKED = dict.fromkeys(
    {*range(0x20), *_CONTROLS, *_TURNING} - {ord("\t"), ord("\n")}, "\N{REPLACEMENT CHARACTER}"
)


def json_data(value: object, *, to: TextIO, indent: int | None = None) -> str:
    """Write JSON that steers no terminal: targets write their own messages and results.

    It is ASCII for a stream ``to`` without every character of Unicode. Programs read the same from
    it: what is escaped stands in texts alone.
    """
    text = json.dumps(value, indent=indent, ensure_ascii=not writes_unicode(to))
    return text.translate(_ESCAPED)


def steady(text: str) -> str:
    """Return lines of text with a mark in place of each character that would steer a terminal."""
    return text.translate(_MARKED)
