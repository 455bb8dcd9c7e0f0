"""Events that a task of a DAG waits for: their type, their key, and their looks."""

import json
from collections.abc import Iterator
from datetime import datetime, timedelta

from timegate.domain.events.event import KEPT, MAX_NAME, ReceivedEvent
from timegate.domain.events.patterns import check_pattern
from timegate.domain.values.errors import InvalidInput
from timegate.value_classes import dataclass

#: So long before its DAG run began an event may have come, at most.
MAX_LOOKBACK_SECONDS = int(KEPT.total_seconds())
#: JSON text of a pattern over an event's data.
MAX_PATTERN_BYTES = 2_048
#: Characters that no name of an event has.
_CONTROLS = frozenset(map(chr, (*range(0x20), *range(0x7F, 0xA0))))
_HALVES = range(0xD800, 0xE000)
#: JSON text of a correlation before its references are looked up.
MAX_CORRELATION = 1_200


@dataclass(frozen=True, kw_only=True, slots=True)
class AwaitedEvent:
    """An event that ends a task."""

    type: str
    #: JSON text, a reference or a text: what the event has as its key.
    correlation: str
    #: ``None``: of any source.
    source: str | None = None
    #: JSON text of a pattern over its data; ``None``: any data.
    match: str | None = None
    #: An event counts that came so long before its DAG run began.
    lookback_seconds: int = 0

    def counts(
        self, received: ReceivedEvent, *, begun_at: datetime, until: datetime | None
    ) -> bool:
        """Tell if an event ends a task of a DAG run that began at an instant.

        It came before the wait ended, and not too long before the DAG run. One that takes too many
        steps to compare does not count.
        """
        if received.received_at < self.since(begun_at):
            return False
        if until is not None and received.received_at >= until:
            return False
        event = received.event
        if event.type != self.type or self.source not in {None, event.source}:
            return False
        if self.match is None:
            return True
        # Most functions know of waits, and few compare.
        from timegate.domain.events.matching import StepBudget, matches  # noqa: PLC0415

        data = json.loads(event.data) if event.data is not None else None
        fields = data if isinstance(data, dict) else {}
        try:
            return matches(json.loads(self.match), fields, StepBudget())
        except InvalidInput:
            return False

    def since(self, begun_at: datetime) -> datetime:
        """Return the first instant at which an event counts."""
        return begun_at - timedelta(seconds=self.lookback_seconds)


def correlation_text(found: object) -> str:
    """Return a correlation as the key of an event has it; raises ``InvalidInput``."""
    text = json.dumps(found) if isinstance(found, bool | int | float) else found
    if isinstance(text, str) and 1 <= len(text) <= MAX_NAME and _can_be_sent(text):
        return text
    detail = f"A correlation is a text of 1 to {MAX_NAME} printable characters, or a number."
    raise InvalidInput("correlation", "wrong_type", detail)


def _can_be_sent(text: str) -> bool:
    """Tell if an event may have the key; half a surrogate pair, as JSON writes it, has no bytes."""
    return not any(each in _CONTROLS or ord(each) in _HALVES for each in text)


def awaited_problems(awaited: AwaitedEvent, field: str) -> Iterator[InvalidInput]:
    """List what is wrong with an event to wait for, its references left out."""
    if len(awaited.correlation) > MAX_CORRELATION:
        detail = f"It has at most {MAX_CORRELATION} characters."
        yield InvalidInput(f"{field}.correlation", "too_long", detail)
    else:
        yield from _correlation_problems(awaited, field)
    if not 0 <= awaited.lookback_seconds <= MAX_LOOKBACK_SECONDS:
        detail = f"It is between 0 and {MAX_LOOKBACK_SECONDS}: events are kept as long."
        yield InvalidInput(f"{field}.lookback_seconds", "out_of_range", detail)
    if awaited.match is None:
        return
    if len(awaited.match.encode()) > MAX_PATTERN_BYTES:
        detail = f"A pattern has at most {MAX_PATTERN_BYTES} bytes."
        yield InvalidInput(f"{field}.match", "too_long", detail)
        return
    try:
        check_pattern(json.loads(awaited.match), f"{field}.match")
    except InvalidInput as error:
        yield error


def _correlation_problems(awaited: AwaitedEvent, field: str) -> Iterator[InvalidInput]:
    written = json.loads(awaited.correlation)
    if isinstance(written, dict) and "$ref" in written:
        return
    try:
        correlation_text(written)
    except InvalidInput as error:
        detail = f'{error.detail} Or a reference: {{"$ref": "parameters.order_id"}}.'
        yield InvalidInput(f"{field}.correlation", "wrong_type", detail)
