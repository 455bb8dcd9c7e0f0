"""Requirements on the members of a union."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from tests.unit.domain.recurrence.schedules import at, cron, rate, union, utc
from timegate.domain.recurrence.schedule import (
    CronDialect,
    DstPolicy,
    FoldPolicy,
    GapPolicy,
    Schedule,
    ScheduleKind,
)
from timegate.domain.recurrence.validation import validate_schedule
from timegate.domain.values.errors import InvalidInput
from timegate.domain.values.instants import MILLISECOND

NOW = utc("2026-11-21 12:00")
NINE = cron("0 9 * * *", "Europe/Berlin")
RULE = Schedule(kind=ScheduleKind.RRULE, rrule="FREQ=DAILY")
OWN_BOUNDS: dict[str, dict[str, Any]] = {
    "starts_at": {"starts_at": NOW},
    "ends_at": {"ends_at": NOW},
    "max_runs": {"max_runs": 1},
    "jitter_seconds": {"jitter_seconds": 1},
}
DATES = tuple(NOW + timedelta(days=number) for number in range(1, 502))


def refusal(*members: Schedule, **fields: object) -> tuple[str, str] | None:
    """The field and the code; ``None`` for what is accepted."""
    try:
        validate_schedule(union(*members, **fields), now=NOW)
    except InvalidInput as refused:
        return refused.field, refused.code
    return None


@pytest.mark.parametrize(
    ("members", "field", "code"),
    [
        pytest.param((), "any_of", "required", id="none"),
        pytest.param((NINE,), "any_of", "too_short", id="one"),
        pytest.param(tuple(map(rate, range(61, 70))), "any_of", "too_long", id="nine"),
        pytest.param((NINE, at(NOW)), "any_of.1.kind", "invalid_choice", id="once"),
        pytest.param((NINE, cron("at(2026-12-01T09:00:00)")), "any_of.1.kind", "invalid_choice"),
        pytest.param((union(NINE, rate(60)), NINE), "any_of.0.kind", "invalid_choice", id="nested"),
        pytest.param((NINE, cron("61 * * * *")), "any_of.1.cron", "invalid_cron"),
        pytest.param((cron("rate(0 minutes)"), NINE), "any_of.0.cron", "invalid_cron"),
        pytest.param((NINE, cron("0 0 31 2 *")), "any_of.1.cron", "never_fires"),
        pytest.param((NINE, cron("0 0 0 1 1 ? 2026")), "any_of.1.cron", "never_fires"),
        pytest.param((NINE, cron("@daily", "Mars")), "any_of.1.timezone", "unknown_timezone"),
        pytest.param(
            (rate(60), cron("0 * * * *", "Europe/Berlin", gap=GapPolicy.SKIP)),
            *("any_of.1.gap", "without_effect"),
        ),
        pytest.param((NINE, rate(0)), "any_of.1.every_seconds", "out_of_range"),
        pytest.param(
            (NINE, replace(rate(60), timezone="Europe/Berlin")),
            *("any_of.1.timezone", "not_for_this_kind"),
        ),
        *(
            pytest.param((NINE, replace(rate(60), **own)), f"any_of.1.{name}", "not_for_this_kind")
            for name, own in OWN_BOUNDS.items()
        ),
        pytest.param((NINE, RULE), "starts_at", "required", id="rule without a beginning"),
        pytest.param(
            (NINE, replace(RULE, rrule="DTSTART:20261121T000000Z\nRRULE:FREQ=DAILY")),
            *("any_of.1.starts_at", "not_for_this_kind"),
        ),
    ],
)
def test_what_is_refused(members: tuple[Schedule, ...], field: str, code: str) -> None:
    """Each names its field, as the caller wrote it."""
    assert refusal(*members) == (f"schedule.{field}", code)


@pytest.mark.parametrize(
    ("fields", "field", "code"),
    [
        ({"starts_at": NOW, "ends_at": NOW - MILLISECOND}, "ends_at", "ends_before_start"),
        ({"ends_at": NOW + timedelta(minutes=2)}, "ends_at", "never_fires"),
        ({"max_runs": 0}, "max_runs", "out_of_range"),
        ({"jitter_seconds": 61}, "jitter_seconds", "out_of_range"),
        ({"cron": "@daily"}, "cron", "not_for_this_kind"),
        ({"timezone": "Europe/Berlin"}, "timezone", "not_for_this_kind"),
    ],
    ids=str,
)
def test_bounds_of_the_union_are_its_own_fields(
    fields: dict[str, object], field: str, code: str
) -> None:
    """A member that names nothing within them is named in the detail."""
    assert refusal(NINE, rate(60), **fields) == (f"schedule.{field}", code)


def test_a_member_without_an_instant_is_named() -> None:
    """The rate fires in time, the pattern does not."""
    with pytest.raises(InvalidInput, match=r"^schedule\.ends_at: any_of\.0: It names no instant"):
        validate_schedule(union(NINE, rate(60), ends_at=NOW + timedelta(minutes=2)), now=NOW)


def test_the_jitter_may_be_the_shortest_interval() -> None:
    """And no more: see above."""
    assert refusal(NINE, rate(60), rate(90), jitter_seconds=60) is None


def test_a_rule_begins_on_a_whole_second_with_its_union() -> None:
    """The field is the union's."""
    assert refusal(NINE, RULE, starts_at=NOW) is None
    assert refusal(NINE, RULE, starts_at=NOW + MILLISECOND) == (
        "schedule.starts_at",
        "not_a_whole_second",
    )


def test_dates_are_bounded_together() -> None:
    """A thousand of all members."""
    half = replace(RULE, rdates=DATES[:500])
    other = replace(RULE, rrule="FREQ=WEEKLY")

    assert refusal(half, replace(other, exdates=DATES[:500]), starts_at=NOW) is None
    assert refusal(half, replace(other, exdates=DATES), starts_at=NOW) == (
        "schedule.any_of",
        "too_complex",
    )


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (NINE, NINE),
        (cron("*/30 9 * * *"), cron("0,30 9 * * 0-6")),
        (cron("0 9 * * MON"), cron("0 0 9 ? * 2", dialect=CronDialect.QUARTZ)),
        (cron("@every 1m"), cron("rate(1 minute)")),
        (cron("30 2 * * *", "Asia/Tokyo"), cron("30 2 * * *", "Asia/Tokyo", dst=DstPolicy.FIXED)),
        (RULE, RULE),
    ],
    ids=str,
)
def test_members_with_the_same_instants_are_refused(first: Schedule, second: Schedule) -> None:
    """However they are spelt; the later one is named."""
    assert refusal(first, rate(61), second, starts_at=NOW) == (
        "schedule.any_of.2",
        "duplicate_member",
    )


@pytest.mark.parametrize(
    ("narrow", "wide"),
    [
        (rate(120), rate(60)),
        (cron("0 9 * * 1-5"), cron("0 9 * * *")),
        (cron("0 9 13 * 5"), cron("0 9 * * *")),
        (cron("0 9 29 2 *"), cron("0 9 * 2 *")),
        (cron("0 0 9 * * ? 2027"), cron("0 9 * * *")),
        (cron("0 0 9 * * ? 2027"), cron("0 0 9 * * ? 2027,2028")),
        (cron("0 * * * *", "Europe/Berlin"), cron("*/15 * * * *", "Europe/Berlin")),
    ],
    ids=str,
)
def test_a_member_within_another_one_is_refused(narrow: Schedule, wide: Schedule) -> None:
    """In either order."""
    assert refusal(narrow, wide) == ("schedule.any_of.0", "without_effect")
    assert refusal(wide, narrow) == ("schedule.any_of.1", "without_effect")


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (rate(120), rate(61)),
        (cron("0 9 * * 1-5"), cron("0 10 * * *")),
        (cron("0 9 * * 1-5", "Europe/Berlin"), cron("0 9 * * *", "America/New_York")),
        (cron("0 9 13 * 5"), cron("0 9 14 * 5")),
        (cron("1 9 * * *"), cron("0 0 9 * * ? 2027")),
        (cron("30 2 * * *", "Europe/Berlin"), cron("*/30 2 * * *", "Asia/Tokyo")),
        (
            cron("30 2 * * *", "Europe/Berlin"),
            cron("30 2 * * *", "Europe/Berlin", gap=GapPolicy.SKIP),
        ),
        (
            cron("30 2 * * *", "Europe/Berlin"),
            cron("30 2 * * *", "Europe/Berlin", fold=FoldPolicy.BOTH),
        ),
        (RULE, cron("0 9 * * *")),
        (RULE, replace(RULE, timezone="Europe/Berlin")),
    ],
    ids=str,
)
def test_other_overlaps_are_accepted(first: Schedule, second: Schedule) -> None:
    """They are what unions are for."""
    assert refusal(first, second, starts_at=NOW) is None
