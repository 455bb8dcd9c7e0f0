"""Port ranges: the ports that web hooks may reach, as an operator writes them."""

import re
from collections.abc import Iterable

_RANGE = re.compile(r"(\d{1,5})(?:-(\d{1,5}))?")
_MAX_PORT = 65_535

#: The ports that belong to ``https`` and ``http``.
WEB_PORTS = (range(443, 444), range(80, 81))


class InvalidPortRange(ValueError):
    """A text is neither a port nor a range of ports."""


def port_ranges(texts: Iterable[str]) -> tuple[range, ...]:
    """Read ``443`` and ``8000-8999``; raises ``InvalidPortRange``."""
    return tuple(_port_range(text) for text in texts)


def _port_range(text: str) -> range:
    found = _RANGE.fullmatch(text)
    first = int(found[1]) if found else 0
    last = int(found[2] or found[1]) if found else 0
    if not 1 <= first <= last <= _MAX_PORT:
        raise InvalidPortRange(f"{text!r} is neither a port from 1 to {_MAX_PORT} nor a range")
    return range(first, last + 1)
