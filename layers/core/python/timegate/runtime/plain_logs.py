"""No credentials in what a function prints: by its logger, by those of others, or as it fails."""

import json
import logging
from datetime import datetime
from typing import Any

from timegate.domain.values.instants import rfc3339
from timegate.domain.values.redaction import redact


def log_json(line: dict[str, Any]) -> str:
    """A structured log line as text."""
    return json.dumps(redact(line), default=_readable, separators=(",", ":"), ensure_ascii=False)


def redact_other_loggers() -> None:
    """Libraries log to the handlers that Lambda gave the root logger: URLs, and what they quote."""
    for handler in logging.getLogger().handlers:
        if not any(isinstance(each, _Plain) for each in handler.filters):
            handler.addFilter(_Plain())


def redact_error(error: BaseException) -> None:
    """Take credentials out of an error and its causes: the runtime prints what a handler raises."""
    seen: set[int] = set()
    each: BaseException | None = error
    while each is not None and id(each) not in seen:
        seen.add(id(each))
        each.args = redact(each.args)
        each = each.__cause__ or each.__context__


class _Plain(logging.Filter):
    def filter(self, record: logging.LogRecord) -> bool:
        record.msg, record.args = redact(record.getMessage()), None
        return True


def _readable(value: object) -> str:
    return rfc3339(value) if isinstance(value, datetime) else redact(str(value))
