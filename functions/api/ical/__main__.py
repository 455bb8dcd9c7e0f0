"""``python -m api.ical CPU_SECONDS FIRST LAST ZONE < FILE``: what the file says, as JSON.

FIRST and LAST are instants; ZONE may be empty.
"""

import json
import sys
from datetime import datetime

from api.ical.bounds import bind
from api.ical.events import read_events
from api.ical.refusal import InvalidIcal
from api.ical.spans import ReadWindow, gather


def main() -> None:
    """Answer; a file that cannot be taken is an answer as well."""
    seconds, first, last, timezone = sys.argv[1:]
    bind(float(seconds))
    try:
        answer = _read(sys.stdin.buffer.read().decode(), first, last, timezone)
    except InvalidIcal as refusal:
        answer = {"code": refusal.code, "detail": refusal.detail}
    except MemoryError:
        answer = {"code": "too_complex", "detail": "Its events take too much memory."}
    json.dump(answer, sys.stdout)


def _read(text: str, first: str, last: str, timezone: str) -> dict[str, object]:
    document = read_events(text, timezone or None)
    window = ReadWindow(
        first=datetime.fromisoformat(first),
        last=datetime.fromisoformat(last),
        zone=document.zone,
    )
    found = gather(document.events, window)
    return {
        "timezone": document.zone.key,
        "days": [[start.isoformat(), end.isoformat()] for start, end in found.days],
        "periods": [[start.isoformat(), end.isoformat()] for start, end in found.periods],
        "events": len(document.events),
        "occurrences": found.occurrences,
    }


main()
