"""No credentials in what a function prints: by its logger, by those of others, or as it fails."""

import json
import logging
from datetime import datetime
from typing import Any

from timegate.domain.values.instants import rfc3339
from timegate.domain.values.redaction import redact

#: Characters of a text in a line. An item that cannot be read has up to 400 KB, and is quoted.
LONGEST_TEXT = 16_384
_KEPT_AT_EACH_END = LONGEST_TEXT // 2


def log_json(line: dict[str, Any]) -> str:
    """A structured log line as text.

    CloudWatch cuts a line of more than a megabyte, and what is left of it is no JSON.
    """
    # Redacted first: a cut may leave half of a credential, which no rule would know.
    plain = _shortened(redact(line))
    return json.dumps(plain, default=_readable, separators=(",", ":"), ensure_ascii=False)


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
        record.msg, record.args = _shortened(redact(record.getMessage())), None
        return True


def _readable(value: object) -> str:
    return rfc3339(value) if isinstance(value, datetime) else str(_shortened(redact(str(value))))


def _shortened(value: object) -> object:
    """Leave out the midst of long texts: an error is named at the end of its trace."""
    match value:
        case str() if len(value) > LONGEST_TEXT:
            head, tail = value[:_KEPT_AT_EACH_END], value[-_KEPT_AT_EACH_END:]
            return f"{head} [{len(value) - LONGEST_TEXT} characters left out] {tail}"
        case dict():
            return {name: _shortened(inner) for name, inner in value.items()}
        case list() | tuple():
            return [_shortened(inner) for inner in value]
    return value
