"""Several schedules in one: which instants they name together, and in which words."""

from datetime import timedelta

import pytest

from tests.unit.domain.recurrence.schedules import cron, fires, rate, rrule, union, utc, written
from timegate.domain.recurrence.clock_notes import next_clock_changes
from timegate.domain.recurrence.fires import next_fire, nominates, preview
from timegate.domain.recurrence.schedule import FoldPolicy, GapPolicy, Schedule, ScheduleKind
from timegate.domain.recurrence.spelling import as_written
from timegate.domain.recurrence.validation import validate_schedule
from timegate.domain.recurrence.words import describe
from timegate.domain.values.instants import MILLISECOND

NOON = utc("2026-11-21 12:00")
MARKETS = union(cron("0 9 * * *", "Europe/Berlin"), cron("0 9 * * *", "America/New_York"))


def test_members_keep_their_zones() -> None:
    """Three weeks in March only one of the two has changed its clock."""
    assert fires(MARKETS, "2027-03-13 00:00", "2027-03-15 00:00") == [
        *("2027-03-13 08:00", "2027-03-13 14:00"),
        *("2027-03-14 08:00", "2027-03-14 13:00"),
    ]


def test_an_instant_of_several_members_is_one() -> None:
    """Every third and every second quarter of an hour meet each six."""
    both = union(rate(900 * 2), rate(900 * 3), starts_at=NOON)

    assert fires(both, "2026-11-21 11:59", "2026-11-21 14:00") == [
        *("2026-11-21 12:00", "2026-11-21 12:30", "2026-11-21 12:45", "2026-11-21 13:00"),
        *("2026-11-21 13:30", "2026-11-21 14:00"),
    ]


def test_members_keep_their_policies_of_clock_changes() -> None:
    """The one is left out in the gap, the other runs right after it."""
    skipping = cron("30 2 * * *", "Europe/Berlin", gap=GapPolicy.SKIP)
    twice = cron("15 2 * * *", "Europe/Berlin", fold=FoldPolicy.BOTH)
    both = union(skipping, twice)

    assert fires(both, "2027-03-28 00:00", "2027-03-28 12:00") == ["2027-03-28 01:00"]
    assert fires(both, "2027-10-31 00:00", "2027-10-31 12:00") == [
        *("2027-10-31 00:15", "2027-10-31 00:30", "2027-10-31 01:15"),
    ]


def test_bounds_hold_for_all_members_and_include_both_ends() -> None:
    """A millisecond further in, the instant at the bound is gone."""
    members = (cron("0 * * * *"), rate(5_400))
    ends = utc("2026-11-21 15:00")
    whole = union(*members, starts_at=NOON, ends_at=ends)
    cut = union(*members, starts_at=NOON, ends_at=ends - MILLISECOND)
    later = union(*members, starts_at=NOON + MILLISECOND, ends_at=ends)

    found = fires(whole, "2026-11-21 00:00", "2026-11-22 00:00")
    assert found == [f"2026-11-21 {time}" for time in ("12:00", "13:00", "13:30", "14:00", "15:00")]
    assert fires(cut, "2026-11-21 00:00", "2026-11-22 00:00") == found[:-1]
    assert fires(later, "2026-11-21 00:00", "2026-11-21 13:00") == [
        "2026-11-21 12:00:00.001000",
        "2026-11-21 13:00",
    ]


def test_rates_are_anchored_as_rates_are() -> None:
    """At the beginning of the union, else at the creation of the job, with its fraction."""
    created = NOON + 250 * MILLISECOND
    schedule = union(rate(3_600), cron("0 13 * * *"))
    found = fires(schedule, "2026-11-21 12:00", "2026-11-21 14:30", created_at=created)

    assert found == [
        *("2026-11-21 13:00", "2026-11-21 13:00:00.250000", "2026-11-21 14:00:00.250000"),
    ]
    assert nominates(schedule, created_at=created, instant=NOON + timedelta(hours=1))
    assert not nominates(schedule, created_at=created, instant=created)


def test_a_rule_is_counted_from_the_beginning_of_the_union() -> None:
    """With its own dates; COUNT is its own as well."""
    rule = Schedule(
        kind=ScheduleKind.RRULE, rrule="FREQ=DAILY;COUNT=3", exdates=(utc("2026-11-22 12:00"),)
    )
    schedule = union(rule, cron("0 0 * * *"), starts_at=NOON)

    assert fires(schedule, "2026-11-21 00:00", "2026-11-25 00:00") == [
        *("2026-11-21 12:00", "2026-11-22 00:00", "2026-11-23 00:00", "2026-11-23 12:00"),
        *("2026-11-24 00:00", "2026-11-25 00:00"),
    ]


def test_it_ends_when_its_last_member_ends() -> None:
    """The other one may end before."""
    schedule = union(cron("0 0 0 1 1 ? 2027"), cron("0 0 0 1 1 ? 2028"))
    first = next_fire(schedule, created_at=NOON, after=NOON)

    assert first == utc("2027-01-01 00:00")
    second = next_fire(schedule, created_at=NOON, after=first)
    assert second == utc("2028-01-01 00:00")
    assert next_fire(schedule, created_at=NOON, after=second) is None


def test_max_runs_counts_instants_once() -> None:
    """Two members that meet at noon use one of three places."""
    schedule = union(cron("0 */6 * * *"), cron("0 */4 * * *"), max_runs=3)
    found = preview(schedule, created_at=NOON, after=NOON - MILLISECOND, count=10)

    assert [written(at) for at in found] == [
        *("2026-11-21 12:00", "2026-11-21 16:00", "2026-11-21 18:00"),
    ]


def test_other_spellings_are_read_in_members() -> None:
    """They become rates; a rule comes back in its canonical form."""
    schedule = union(
        cron("rate(5 minutes)"),
        cron("@every 7m"),
        Schedule(kind=ScheduleKind.RRULE, rrule="rrule:byday=mo;freq=weekly"),
        starts_at=NOON,
    )

    assert schedule.any_of[:2] == (rate(300), rate(420))
    assert schedule.any_of[2].rrule == "FREQ=WEEKLY;BYDAY=MO"
    assert as_written(schedule) == schedule


def test_its_words_are_those_of_its_members_and_then_its_bounds() -> None:
    """Bounds are said of all of it."""
    members = (cron("0 9 * * 1-5", "Europe/Berlin"), rate(7_200))
    plain = "At 09:00 on Monday to Friday, Europe/Berlin time; and every 2 hours"

    assert describe(union(*members)) == plain
    assert describe(union(*members, starts_at=NOON, max_runs=5, jitter_seconds=60)) == (
        f"{plain}; all of it, from 2026-11-21T12:00:00.000Z, at most 5 times, "
        "each up to 1 minute late"
    )


def test_clock_changes_name_the_members_that_meet_them() -> None:
    """Members that meet one alike are told together; zones in order of time."""
    schedule = union(
        cron("30 2 * * *", "Europe/Berlin"),
        cron("45 2 * * *", "Europe/Berlin"),
        cron("30 2 * * *", "America/New_York"),
        rate(60),
    )
    changes = next_clock_changes(schedule, after=NOON)

    assert [(str(each.kind), f"{each.at:%m-%d}", each.any_of) for each in changes] == [
        *(("gap", "03-14", (2,)), ("gap", "03-28", (0, 1))),
        *(("fold", "10-31", (0, 1)), ("fold", "11-07", (2,))),
    ]
    assert changes[1].description == (
        "any_of.0, any_of.1: The clock skips 02:00 to 03:00 on Sun 2027-03-28. "
        "A time within runs once, at 03:00."
    )
    assert changes[1].fields()["any_of"] == [0, 1]


def test_clock_changes_end_with_the_union() -> None:
    """Its end is that of each member."""
    ended = union(cron("30 2 * * *", "Europe/Berlin"), rate(60), ends_at=utc("2027-03-28 00:59"))

    assert next_clock_changes(ended, after=NOON) == ()


@pytest.mark.parametrize(
    ("schedule", "zone"),
    [
        (union(cron("0 9 * * *", "Europe/Berlin"), rate(60)), "Europe/Berlin"),
        (
            union(cron("0 9 * * *", "Europe/Berlin"), cron("1 9 * * *", "Europe/Berlin")),
            "Europe/Berlin",
        ),
        (MARKETS, None),
        (union(rate(60), rate(61)), None),
        (cron("0 9 * * *", "Asia/Tokyo"), "Asia/Tokyo"),
        (rate(60), None),
    ],
    ids=str,
)
def test_its_wall_clock_is_that_of_its_members_if_they_have_one(
    schedule: Schedule, zone: str | None
) -> None:
    """Deadlines at a time of day, and previews, go by it."""
    assert schedule.wall_timezone == zone


def test_a_union_of_each_kind_is_accepted() -> None:
    """Two members suffice, and eight are allowed."""
    pair = union(cron("0 9 * * *"), rate(3_600))
    eight = union(*(rate(seconds) for seconds in range(61, 69)))
    rule = rrule("FREQ=DAILY", starts_at=None)
    with_rule = union(rule, rate(3_600), starts_at=NOON)

    for schedule in (pair, eight, with_rule, MARKETS):
        validate_schedule(schedule, now=NOON)
