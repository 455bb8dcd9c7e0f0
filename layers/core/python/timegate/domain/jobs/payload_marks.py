"""Marks in payloads: places in texts that a run's own values fill (decision 213)."""

from timegate.domain.recurrence.zones.zone_clock import load_zone
from timegate.domain.values.errors import InvalidInput
from timegate.value_classes import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class PayloadMarks:
    """A job's wish that marks in its payload are filled at each call."""

    #: IANA name of the zone whose days are named; ``None``: the zone of the job's schedule.
    timezone: str | None = None


def check_payload_marks(marks: PayloadMarks | None) -> None:
    """Refuse days of an unknown zone; raises ``InvalidInput`` naming the field."""
    if marks is None or marks.timezone is None:
        return
    try:
        load_zone(marks.timezone)
    except InvalidInput as unknown:
        raise InvalidInput("payload_marks.timezone", unknown.code, unknown.detail) from unknown
