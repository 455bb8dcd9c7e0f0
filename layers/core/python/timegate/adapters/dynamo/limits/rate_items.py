"""Rate limits within a job's item, and the turns they gave within an attempt's."""

from timegate.adapters.dynamo.recurrence.schedule_items import mapping, number, optional_text, text
from timegate.adapters.dynamo.tables.values import Plain
from timegate.domain.limits.rate_limit import RateLimit, RatePeriod
from timegate.domain.limits.rate_reservation import Pace
from timegate.domain.values.instants import compact, from_compact


def rate_limit_to_field(limit: RateLimit | None) -> Plain:
    """A limit; nothing for a job without one."""
    if limit is None:
        return None
    fields: dict[str, Plain] = {"calls": limit.calls, "per": limit.per, "burst": limit.burst}
    if limit.key is not None:
        fields["key"] = limit.key
    return fields


def rate_limit_from_field(value: Plain) -> RateLimit | None:
    """Read a limit back."""
    if value is None:
        return None
    fields = mapping(value)
    return RateLimit(
        calls=number(fields["calls"]),
        per=RatePeriod(text(fields["per"])),
        burst=number(fields["burst"]),
        key=optional_text(fields.get("key")),
    )


def pace_to_field(pace: Pace | None) -> Plain:
    """A turn; nothing for an attempt that no limit has held up."""
    if pace is None:
        return None
    return {
        "key": pace.key,
        "since": compact(pace.since),
        "turn_at": compact(pace.turn_at),
        "fence": pace.fence,
        "missed": pace.missed,
    }


def pace_from_field(value: Plain) -> Pace | None:
    """Read a turn back."""
    if value is None:
        return None
    fields = mapping(value)
    return Pace(
        key=text(fields["key"]),
        since=from_compact(text(fields["since"])),
        turn_at=from_compact(text(fields["turn_at"])),
        fence=number(fields["fence"]),
        missed=number(fields["missed"]),
    )
