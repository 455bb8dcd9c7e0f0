"""Calendars and freezes as items, beside their tenant's jobs; and what is in force, as one."""

from collections.abc import Iterator, Mapping
from datetime import date, datetime, time, timedelta
from functools import partial
from zlib import crc32

from timegate.adapters.dynamo.tables.codec import Part
from timegate.adapters.dynamo.tables.keys import Key
from timegate.adapters.dynamo.tables.reading import listed, mapping, number, reader_of, text
from timegate.adapters.dynamo.tables.values import Plain
from timegate.domain.calendars.calendar import Calendar, DailyWindow, DayRange, Period
from timegate.domain.restrictions.freeze import Freeze, FreezeScope
from timegate.domain.restrictions.restrictions import (
    NOTHING_IN_FORCE,
    LateBound,
    RestrictionsInForce,
    with_stage,
)
from timegate.domain.values.instants import compact, from_compact
from timegate.domain.values.tenant import ADMINISTRATION, TenantId

Fields = Mapping[str, Plain]

#: Copies of what is in force at the whole stage, in as many partitions: each claim of runs reads
#: one, and a partition gives 3,000 reads a second.
STAGE_COPIES = 8
IN_FORCE_SK = "in_force"
CALENDAR_PREFIX = "calendar#"
FREEZE_PREFIX = "freeze#"
#: The others are lines: a calendar may have thousands.
_CALENDAR = Part(
    Calendar,
    without=("days", "weekdays", "weekend", "windows", "periods"),
    always=("version",),
)
_FREEZE = Part(Freeze, without=("tenant", "scope"))
_SCOPE = Part(FreezeScope)
_BOUND = Part(LateBound)


def restrictions_pk(tenant: TenantId) -> str:
    """The partition of a tenant's calendars and freezes; no job's id is such a word."""
    return f"{tenant}#restrictions"


def in_force_key(tenant: TenantId) -> Key:
    """The key of what is in force."""
    return Key(pk=restrictions_pk(tenant), sk=IN_FORCE_SK)


def stage_in_force_key(tenant: TenantId) -> Key:
    """Return the key of what is in force at the whole stage, in the copy that a tenant reads."""
    return _stage_copy_key(crc32(tenant.encode()) % STAGE_COPIES)


def _stage_copy_key(copy: int) -> Key:
    name = TenantId(f"{ADMINISTRATION}.{copy}") if copy else ADMINISTRATION
    return in_force_key(name)


def in_force_copies(tenant: TenantId, fields: Fields) -> list[dict[str, Plain]]:
    """Return the other items of what is in force: the stage has copies, a tenant has none."""
    if tenant != ADMINISTRATION:
        return []
    keys = [_stage_copy_key(copy) for copy in range(1, STAGE_COPIES)]
    return [{**fields, "pk": key.pk, "sk": key.sk} for key in keys]


def calendar_key(tenant: TenantId, name: str) -> Key:
    """The key of a calendar."""
    return Key(pk=restrictions_pk(tenant), sk=f"{CALENDAR_PREFIX}{name}")


def freeze_key(tenant: TenantId, freeze_id: str) -> Key:
    """The key of a freeze: a tenant's freezes sort by the instant at which they start."""
    return Key(pk=restrictions_pk(tenant), sk=f"{FREEZE_PREFIX}{freeze_id}")


def in_force_to_fields(
    tenant: TenantId, in_force: RestrictionsInForce, *, revision: int
) -> dict[str, Plain]:
    """The whole item; every write raises the revision."""
    key = in_force_key(tenant)
    return {
        "pk": key.pk,
        "sk": key.sk,
        "revision": revision,
        "freezes": [
            {**_FREEZE.map(freeze), **_SCOPE.map(freeze.scope)} for freeze in in_force.freezes
        ],
        "calendars": dict(in_force.calendars),
        "late_bounds": [_BOUND.map(each) for each in in_force.late_bounds] or None,
    }


def in_force_from_fields(tenant: TenantId, fields: Fields) -> RestrictionsInForce:
    """Read it back; raises ``Malformed``."""
    return reader_of("record of what is in force")(partial(_in_force, tenant))(fields)


def in_force_at(
    tenant: TenantId, fields: Fields | None, stage: Fields | None
) -> RestrictionsInForce:
    """Read a tenant's item and the stage's, where they exist; raises ``Malformed``."""
    own = NOTHING_IN_FORCE if fields is None else in_force_from_fields(tenant, fields)
    if stage is None:
        return own
    return with_stage(own, in_force_from_fields(ADMINISTRATION, stage), tenant)


def _in_force(tenant: TenantId, fields: Fields) -> RestrictionsInForce:
    calendars = mapping(fields.get("calendars"))
    return RestrictionsInForce(
        freezes=tuple(_freeze(tenant, mapping(each)) for each in listed(fields.get("freezes"))),
        calendars={name: number(version) for name, version in calendars.items()},
        late_bounds=tuple(_BOUND.read(each) for each in listed(fields.get("late_bounds"))),
    )


class InForceRecords(Mapping[TenantId, RestrictionsInForce]):
    """Records of several tenants, read once they are asked for: a damaged one hides no other."""

    def __init__(
        self, found: Mapping[TenantId, Fields | None], stage: Fields | None = None
    ) -> None:
        """``found``: each tenant with its item; ``stage``: the stage's; ``None``: it has none."""
        self._found = found
        self._stage = stage
        self._read: dict[TenantId, RestrictionsInForce] = {}

    def __getitem__(self, tenant: TenantId) -> RestrictionsInForce:
        """Return the restrictions in force at a tenant; raises ``Malformed``, and ``KeyError``."""
        known = self._read.get(tenant)
        if known is None:
            fields = self._found[tenant]
            known = in_force_at(tenant, fields, self._stage)
            self._read[tenant] = known
        return known

    def __iter__(self) -> Iterator[TenantId]:
        """Yield the tenants."""
        return iter(self._found)

    def __len__(self) -> int:
        """Count the tenants."""
        return len(self._found)


def calendar_to_fields(calendar: Calendar) -> dict[str, Plain]:
    """The whole item of a calendar: a line for each entry."""
    key = calendar_key(calendar.tenant, calendar.name)
    return {
        "pk": key.pk,
        "sk": key.sk,
        **_CALENDAR.fields(calendar),
        "days": [f"{days.first}/{days.last}" for days in calendar.days],
        "weekdays": _digits(calendar.weekdays),
        "weekend": _digits(calendar.weekend),
        "windows": [f"{_digits(w.weekdays)}/{w.opens}/{w.closes}" for w in calendar.windows],
        "periods": [f"{compact(p.start)}/{compact(p.end)}" for p in calendar.periods],
    }


def deleted_calendar_to_fields(
    tenant: TenantId, name: str, *, version: int, expires_at: datetime
) -> dict[str, Plain]:
    """Build the record of a deleted calendar: a new one of its name goes on counting versions."""
    key = calendar_key(tenant, name)
    return {
        "pk": key.pk,
        "sk": key.sk,
        "version": version,
        "deleted": True,
        "expires_at": int(expires_at.timestamp()),
    }


@reader_of("calendar")
def calendar_from_fields(fields: Fields) -> Calendar:
    """Read a calendar back; raises ``Malformed``."""
    return _CALENDAR.read(
        fields,
        days=tuple(_days(text(each)) for each in listed(fields.get("days"))),
        weekdays=_weekdays(text(fields["weekdays"])),
        weekend=_weekdays(text(fields["weekend"])),
        windows=tuple(_window(text(each)) for each in listed(fields.get("windows"))),
        periods=tuple(_period(text(each)) for each in listed(fields.get("periods"))),
    )


def freeze_to_fields(freeze: Freeze, *, retention: timedelta) -> dict[str, Plain]:
    """The whole item of a freeze: kept as long as the records that it explains."""
    key = freeze_key(freeze.tenant, freeze.freeze_id)
    return {
        "pk": key.pk,
        "sk": key.sk,
        "tenant": freeze.tenant,
        **_FREEZE.fields(freeze),
        **_SCOPE.fields(freeze.scope),
        "expires_at": int((freeze.thaws_at + retention).timestamp()),
    }


@reader_of("freeze")
def freeze_from_fields(fields: Fields) -> Freeze:
    """Read a freeze back; raises ``Malformed``."""
    return _freeze(TenantId(text(fields["tenant"])), fields)


def _freeze(tenant: TenantId, fields: Fields) -> Freeze:
    return _FREEZE.read(fields, tenant=tenant, scope=_SCOPE.read(fields))


def _days(line: str) -> DayRange:
    first, last = line.split("/")
    return DayRange(first=date.fromisoformat(first), last=date.fromisoformat(last))


def _window(line: str) -> DailyWindow:
    weekdays, opens, closes = line.split("/")
    return DailyWindow(
        weekdays=_weekdays(weekdays),
        opens=time.fromisoformat(opens),
        closes=time.fromisoformat(closes),
    )


def _period(line: str) -> Period:
    start, end = line.split("/")
    return Period(start=from_compact(start), end=from_compact(end))


def _weekdays(digits: str) -> frozenset[int]:
    return frozenset(int(digit) for digit in digits)


def _digits(weekdays: frozenset[int]) -> str:
    return "".join(str(day) for day in sorted(weekdays))
