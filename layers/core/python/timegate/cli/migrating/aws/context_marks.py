"""Context attributes of EventBridge Scheduler, and the marks that stand for them here."""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from timegate.cli.migrating.entries import Note
from timegate.domain.jobs.rules.mark_grammar import escaped
from timegate.domain.values.payload import json_text

#: EventBridge Scheduler writes values of the invocation in place of these.
_CONTEXT = re.compile(r"<aws\.scheduler\.[a-z-]++>")
_MARKS: Final[Mapping[str, str]] = {
    "<aws.scheduler.scheduled-time>": "{{run.scheduled_at}}",
    "<aws.scheduler.execution-id>": "{{run.id}}",
    "<aws.scheduler.attempt-number>": "{{run.attempt}}",
}


def with_marks(payload: Any) -> dict[str, Any]:  # noqa: ANN401 - any JSON
    """Return the fields of a payload, with a mark for each attribute that has one.

    Other texts of the payload are sent as they were.
    """
    if not any(name in text for text in _texts(payload) for name in _MARKS):
        return {"payload": payload}
    escapes = json.loads(escaped(json_text(payload)))
    return {"payload": _marked(escapes), "payload_marks": {}}


def notes_of_context(text: str) -> Iterator[Note]:
    """Yield a note of the attributes in a text that stay as they are written."""
    names = sorted(set(_CONTEXT.findall(text)))
    if names:
        detail = (
            f"EventBridge replaces {', '.join(names)} in Input; here it stays as it is written. "
            "The run's instant and ids reach the target beside the payload."
        )
        yield Note(code="context_attributes", detail=detail)


def _marked(value: Any) -> Any:  # noqa: ANN401 - any JSON
    match value:
        case str():
            return _CONTEXT.sub(lambda found: _MARKS.get(found[0], found[0]), value)
        case list():
            return [_marked(each) for each in value]
        case dict():
            return {name: _marked(each) for name, each in value.items()}
        case _:
            return value


def _texts(value: object) -> Iterator[str]:
    match value:
        case str():
            yield value
        case list():
            for each in value:
                yield from _texts(each)
        case dict():
            for each in value.values():
                yield from _texts(each)
        case _:
            return
