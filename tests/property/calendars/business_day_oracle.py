"""Business days by walking from day to day, from the rule in ``docs/guides/calendars.md`` alone."""

from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

from timegate.domain.calendars.calendar import Calendar, DayRange

DAY = timedelta(days=1)


def days_of(first: str, last: str | None = None) -> DayRange:
    return DayRange(first=date.fromisoformat(first), last=date.fromisoformat(last or first))


#: Golden Week of 2025 with its bridge days, and Obon: https://www8.cao.go.jp/chosei/shukujitsu
JAPAN = (
    days_of("2024-12-28", "2025-01-05"),
    days_of("2025-04-26", "2025-05-06"),
    days_of("2025-08-09", "2025-08-17"),
    days_of("2025-12-27", "2026-01-04"),
)
#: A works holiday from Christmas to New Year; public holidays of Germany around it.
GERMANY = (
    days_of("2024-12-24", "2025-01-01"),
    days_of("2025-04-18"),
    days_of("2025-04-21"),
    days_of("2025-05-01"),
    days_of("2025-10-03"),
    days_of("2025-12-24", "2026-01-02"),
)
#: No business works in August, nor around it.
CLOSED_AUGUST = (days_of("2025-07-28", "2025-09-03"),)


def is_business(calendar: Calendar, day: date) -> bool:
    """No weekend, no covered weekday, no covered day."""
    if day.weekday() in calendar.weekend | calendar.weekdays:
        return False
    return not any(each.first <= day <= each.last for each in calendar.days)


def month_of(day: date) -> list[date]:
    """Every day of its month, in order."""
    found, each = [], day.replace(day=1)
    while each.month == day.month:
        found.append(each)
        each += DAY
    return found


def business_days_of_month(calendar: Calendar, day: date) -> list[date]:
    return [each for each in month_of(day) if is_business(calendar, each)]


def is_nth(calendar: Calendar, day: date, number: int) -> bool:
    """Return whether a day is the n-th business day of its month, or from the end the -n-th."""
    found = business_days_of_month(calendar, day)
    place = number - 1 if number > 0 else number
    return -len(found) <= place < len(found) and found[place] == day


def shown(calendar: Calendar, instant: datetime) -> datetime:
    """The local clock, without its zone."""
    return instant.astimezone(ZoneInfo(calendar.timezone)).replace(tzinfo=None)


def every_day(year: int, hour: int, minute: int, zone: str) -> list[datetime]:
    """The instant of a local time on every day of a year that has it, as UTC."""
    found, day = [], date(year, 1, 1)
    while day.year == year:
        local = datetime(year, day.month, day.day, hour, minute, tzinfo=ZoneInfo(zone))
        instant = local.astimezone(UTC)
        if instant.astimezone(ZoneInfo(zone)).replace(tzinfo=None) == local.replace(tzinfo=None):
            found.append(instant)
        day += DAY
    return found


def rolled(calendar: Calendar, day: date, roll: str) -> date | None:
    """The business day to which a day rolls, by the words of the page; ``None``: none is near."""
    near = range(1, 32)
    after = next((day + n * DAY for n in near if is_business(calendar, day + n * DAY)), None)
    before = next((day - n * DAY for n in near if is_business(calendar, day - n * DAY)), None)
    if roll == "next":
        return after
    if roll == "previous":
        return before
    if roll == "modified_following":
        own = [each for each in (after, before) if each and each.month == day.month]
        return own[0] if own else None
    if after is None or before is None:
        return after or before
    if after - day == day - before:
        return after if day.strftime("%a") in {"Sun", "Mon"} else before
    return after if after - day < day - before else before


def moment_on(calendar: Calendar, instant: datetime, day: date) -> datetime:
    """The first instant at which the clock shows that time of that day, or later."""
    zone = ZoneInfo(calendar.timezone)
    wanted = datetime.combine(day, shown(calendar, instant).time())
    around = wanted.replace(tzinfo=zone, fold=0).astimezone(UTC)
    if around.astimezone(zone).replace(tzinfo=None) == wanted:
        return around
    at = around - timedelta(hours=3)
    while at.astimezone(zone).replace(tzinfo=None) < wanted:
        at += timedelta(minutes=1)
    return at


def runs_of(calendar: Calendar, instants: list[datetime], roll: str) -> dict[datetime, datetime]:
    """Return the run instant of each of these that runs, in one pass; no other instant exists."""
    named, meeting = set(instants), dict[datetime, list[datetime]]()
    for instant in instants:
        day = shown(calendar, instant).date()
        to = day if is_business(calendar, day) else rolled(calendar, day, roll)
        if to is not None:
            at = instant if to == day else moment_on(calendar, instant, to)
            meeting.setdefault(at, []).append(instant)
    chosen = {}
    for at, met in meeting.items():
        if at in named:
            chosen[at] = at
        else:
            chosen[min(met, key=lambda each: (abs(each - at), each))] = at
    return chosen
