"""Schedules and payloads as maps within a job's item."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta

from timegate.adapters.dynamo.tables.values import Plain
from timegate.domain.jobs.catch_up import CatchUp, CatchUpPolicy
from timegate.domain.limits.overlap import Overlap, OverlapPolicy
from timegate.domain.recurrence.schedule import (
    CronDialect,
    DstPolicy,
    FoldPolicy,
    GapPolicy,
    Schedule,
    ScheduleKind,
)
from timegate.domain.values.errors import Malformed
from timegate.domain.values.instants import compact, from_compact
from timegate.domain.values.payload import Payload

Fields = Mapping[str, Plain]
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_SECOND = timedelta(seconds=1)


def schedule_to_fields(schedule: Schedule) -> Fields:
    """Build the fields that differ from a plain schedule of its kind."""
    fields: dict[str, Plain] = {
        "kind": schedule.kind,
        "at": _written(schedule.at),
        "delay_seconds": schedule.delay_seconds,
        "cron": schedule.cron,
        "dialect": schedule.dialect if schedule.dialect is not CronDialect.TIMEGATE else None,
        "timezone": schedule.timezone if schedule.names_wall_times else None,
        "every_seconds": schedule.every_seconds,
        "starts_at": _written(schedule.starts_at),
        "ends_at": _written(schedule.ends_at),
        "max_runs": schedule.max_runs,
        "dst": schedule.dst,
        "gap": schedule.gap if schedule.gap is not GapPolicy.RUN_AFTER else None,
        "fold": schedule.fold if schedule.fold is not FoldPolicy.FIRST else None,
        "jitter_seconds": schedule.jitter_seconds or None,
        "rrule": schedule.rrule,
        "exdates": _dates(schedule.exdates),
        "rdates": _dates(schedule.rdates),
        "any_of": [schedule_to_fields(each) for each in schedule.any_of] or None,
    }
    return {name: value for name, value in fields.items() if value is not None}


def schedule_from_fields(fields: Fields) -> Schedule:
    """Read a schedule back."""
    return Schedule(
        kind=ScheduleKind(text(fields["kind"])),
        at=_read(fields.get("at")),
        delay_seconds=_optional_float(fields.get("delay_seconds")),
        cron=optional_text(fields.get("cron")),
        dialect=CronDialect(text(fields.get("dialect", CronDialect.TIMEGATE))),
        timezone=text(fields.get("timezone", "UTC")),
        every_seconds=optional_number(fields.get("every_seconds")),
        starts_at=_read(fields.get("starts_at")),
        ends_at=_read(fields.get("ends_at")),
        max_runs=optional_number(fields.get("max_runs")),
        dst=DstPolicy(text(fields["dst"])) if "dst" in fields else None,
        gap=GapPolicy(text(fields.get("gap", GapPolicy.RUN_AFTER))),
        fold=FoldPolicy(text(fields.get("fold", FoldPolicy.FIRST))),
        jitter_seconds=number(fields.get("jitter_seconds", 0)),
        rrule=optional_text(fields.get("rrule")),
        exdates=_read_dates(fields.get("exdates")),
        rdates=_read_dates(fields.get("rdates")),
        any_of=tuple(schedule_from_fields(mapping(each)) for each in listed(fields.get("any_of"))),
    )


def catch_up_to_fields(catch_up: CatchUp) -> Fields:
    """Build the fields that differ from the default."""
    default = CatchUp()
    fields: dict[str, Plain] = {
        "policy": catch_up.policy if catch_up.policy is not default.policy else None,
        "limit": catch_up.limit if catch_up.limit != default.limit else None,
        "window_seconds": (
            catch_up.window_seconds if catch_up.window_seconds != default.window_seconds else None
        ),
        "grace_seconds": (
            catch_up.grace_seconds if catch_up.grace_seconds != default.grace_seconds else None
        ),
    }
    return {name: value for name, value in fields.items() if value is not None}


def catch_up_from_fields(fields: Fields) -> CatchUp:
    """Read a catch-up policy back."""
    default = CatchUp()
    return CatchUp(
        policy=CatchUpPolicy(text(fields.get("policy", default.policy))),
        limit=number(fields.get("limit", default.limit)),
        window_seconds=number(fields.get("window_seconds", default.window_seconds)),
        grace_seconds=number(fields.get("grace_seconds", default.grace_seconds)),
    )


def overlap_to_fields(overlap: Overlap) -> Fields:
    """Build the fields that differ from the default."""
    default = Overlap()
    fields: dict[str, Plain] = {
        "policy": overlap.policy if overlap.policy is not default.policy else None,
        "max_concurrent": (
            overlap.max_concurrent if overlap.max_concurrent != default.max_concurrent else None
        ),
        "concurrency_key": overlap.concurrency_key,
    }
    return {name: value for name, value in fields.items() if value is not None}


def overlap_from_fields(fields: Fields) -> Overlap:
    """Read an overlap policy back."""
    default = Overlap()
    return Overlap(
        policy=OverlapPolicy(text(fields.get("policy", default.policy))),
        max_concurrent=number(fields.get("max_concurrent", default.max_concurrent)),
        concurrency_key=optional_text(fields.get("concurrency_key")),
    )


def payload_to_fields(payload: Payload) -> Fields:
    """A payload, inline or by reference."""
    fields: dict[str, Plain] = {
        "inline": payload.inline,
        "blob": payload.blob,
        "size_bytes": payload.size_bytes or None,
    }
    return {name: value for name, value in fields.items() if value is not None}


def payload_from_fields(fields: Fields) -> Payload:
    """Read a payload back."""
    return Payload(
        inline=optional_text(fields.get("inline")),
        blob=optional_text(fields.get("blob")),
        size_bytes=number(fields.get("size_bytes", 0)),
    )


def text(value: Plain) -> str:
    """A value that must be text; raises ``Malformed``."""
    if isinstance(value, str):
        return value
    raise Malformed(f"{value!r} is no text.")


def number(value: Plain) -> int:
    """A value that must be a whole number; raises ``Malformed``."""
    if isinstance(value, int):
        return value
    raise Malformed(f"{value!r} is no whole number.")


def mapping(value: Plain) -> Fields:
    """A value that must be a map; an absent one is empty; raises ``Malformed``."""
    if value is None:
        return {}
    if isinstance(value, Mapping):
        return value
    raise Malformed(f"{value!r} is no map.")


def listed(value: Plain) -> Sequence[Plain]:
    """A list; an absent one is empty; raises ``Malformed``."""
    if value is None:
        return ()
    if isinstance(value, Sequence) and not isinstance(value, str):
        return value
    raise Malformed(f"{value!r} is no list.")


def texts(value: Plain) -> dict[str, str]:
    """A map from text to text; an absent one is empty."""
    return {name: text(inner) for name, inner in mapping(value).items()}


def _written(instant: datetime | None) -> str | None:
    return compact(instant) if instant is not None else None


def _read(value: Plain) -> datetime | None:
    return from_compact(text(value)) if value is not None else None


def _dates(instants: Sequence[datetime]) -> str | None:
    """Write whole seconds as numbers: a thousand of them stay within 11 KB of the item."""
    return " ".join(str((each - _EPOCH) // _SECOND) for each in instants) or None


def _read_dates(value: Plain) -> tuple[datetime, ...]:
    if value is None:
        return ()
    try:
        return tuple(_EPOCH + int(seconds) * _SECOND for seconds in text(value).split())
    except (ValueError, OverflowError) as error:
        raise Malformed(f"{value!r} is no list of seconds.") from error


def real(value: Plain) -> float:
    """A value that must be a number; raises ``Malformed``."""
    if isinstance(value, int | float):
        return value
    raise Malformed(f"{value!r} is no number.")


def _optional_float(value: Plain) -> float | None:
    return real(value) if value is not None else None


def optional_number(value: Plain) -> int | None:
    """A number that may be absent."""
    return number(value) if value is not None else None


def optional_text(value: Plain) -> str | None:
    """Text that may be absent."""
    return text(value) if value is not None else None
