"""Logs: one event a line, as JSON; whoever wants them otherwise installs a handler of their own."""

import json
import logging
from datetime import UTC, datetime


class JsonLines(logging.Formatter):
    """Events of ``timegate.worker`` with their fields; anything else as text."""

    def format(self, record: logging.LogRecord) -> str:
        """A line of JSON."""
        fields = getattr(record, "fields", {})
        line = {
            "at": datetime.fromtimestamp(record.created, tz=UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "event": record.getMessage(),
            **fields,
        }
        if record.exc_info:
            line["trace"] = self.formatException(record.exc_info)
        return json.dumps(line, default=str, ensure_ascii=False)
