"""Logs: a worker's own, one event a line as JSON; and what handlers log, into their runs' logs."""

import json
import logging
from datetime import UTC, datetime

from timegate.worker.context import CURRENT


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


#: Logs about sending logs would never end.
_OURS = ("timegate.worker", "httpx", "httpcore")


class RunLogHandler(logging.Handler):
    """Carries what a handler logs while it works into the log of its run; anything else nowhere.

    ``logging.getLogger().addHandler(RunLogHandler())`` once, where the handlers are defined. A
    program without other handlers has its warnings on standard error, as it had without this one.
    """

    def emit(self, record: logging.LogRecord) -> None:
        """Say it, if a run is at work here."""
        last = logging.lastResort
        if last is not None and record.levelno >= last.level and not _is_taken(record):
            last.handle(record)
        context = CURRENT.get()
        if context is None or record.name.startswith(_OURS):
            return
        try:
            context.log(self.format(record), _level(record.levelno))
        except Exception:  # noqa: BLE001 - as every handler of the standard library
            self.handleError(record)


def _is_taken(record: logging.LogRecord) -> bool:
    """Tell if a handler that is none of ours takes the record."""
    logger: logging.Logger | None = logging.getLogger(record.name)
    while logger is not None:
        if not all(isinstance(each, RunLogHandler) for each in logger.handlers):
            return True
        logger = logger.parent if logger.propagate else None
    return False


def _level(number: int) -> str:
    if number >= logging.ERROR:
        return "error"
    if number >= logging.WARNING:
        return "warning"
    return "info" if number >= logging.INFO else "debug"
