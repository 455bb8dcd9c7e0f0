"""Advice: deadlines that a job's definition, or its history, cannot hold."""

from typing import Any

import pytest

from tests.support.factories import NOW, after, job_factory
from timegate.domain.actions.kinds.webhook import WebhookAction
from timegate.domain.calendars.calendar_rule import CalendarAction, CalendarRule
from timegate.domain.channels.sns import SnsChannel
from timegate.domain.channels.webhook import WebhookChannel
from timegate.domain.jobs.condition import Condition
from timegate.domain.jobs.delivery import DeliveryMode
from timegate.domain.jobs.finish_by import FinishBy
from timegate.domain.jobs.hook import Subscription
from timegate.domain.jobs.notification import Occasion
from timegate.domain.jobs.retry import Backoff, RetryPolicy
from timegate.domain.jobs.slices import LongRun
from timegate.domain.previews.advice import INSTANTS_LOOKED_AT, AdviceCode, advise
from timegate.domain.recurrence.schedule import Schedule, ScheduleKind

#: One try, so that retries are no part of what is asked.
ONCE = RetryPolicy(max_attempts=1, breaker=None)
TOPIC = "arn:aws:sns:eu-central-1:000000000000:told"
WITHIN_A_MINUTE = FinishBy(within_seconds=60)


def advised(
    usual_ms: int | None = None,
    **fields: Any,  # noqa: ANN401 - the factory checks them
) -> list[tuple[str, str]]:
    """Field and code of each piece of advice about a job of short, single tries."""
    job = job_factory(**({"timeout_seconds": 1, "retry": ONCE} | fields))
    return [(each.field, each.code) for each in advise(job, now=NOW, usual_ms=usual_ms)]


def cron(text: str, zone: str = "UTC") -> Schedule:
    """A schedule of such times."""
    return Schedule(kind=ScheduleKind.CRON, cron=text, timezone=zone)


def test_a_job_without_a_deadline_is_given_no_advice() -> None:
    """However long its runs take."""
    assert advised(10**9, timeout_seconds=800) == []


@pytest.mark.parametrize(("usual_ms", "is_too_long"), [(60_000, False), (60_001, True)])
def test_history_that_takes_longer_than_a_run_may_is_pointed_out(
    usual_ms: int, *, is_too_long: bool
) -> None:
    """To the millisecond: an end at the deadline is in time."""
    found = advised(usual_ms, finish_by=WITHIN_A_MINUTE)

    assert (found == [("finish_by", "usually_too_long")]) is is_too_long
    assert len(found) == is_too_long


@pytest.mark.parametrize(("seconds", "is_too_long"), [(60, False), (61, True)])
def test_a_try_that_may_last_beyond_the_deadline_is_pointed_out(
    seconds: int, *, is_too_long: bool
) -> None:
    """Before there is any history; of a long run, by all of its slices."""
    tried = advised(finish_by=WITHIN_A_MINUTE, timeout_seconds=seconds)
    sliced = advised(finish_by=WITHIN_A_MINUTE, long_run=LongRun(max_duration_seconds=seconds))
    code = "timeout_beyond_deadline"

    assert tried == [("timeout_seconds", code)] * is_too_long
    assert sliced == [("long_run.max_duration_seconds", code)] * is_too_long


@pytest.mark.parametrize(
    ("retry", "is_too_late"),
    [
        pytest.param({"initial_delay_seconds": 57, "max_attempts": 2}, False, id="58-s"),
        pytest.param({"initial_delay_seconds": 59, "max_attempts": 2}, False, id="60-s"),
        pytest.param({"initial_delay_seconds": 60, "max_attempts": 2}, True, id="61-s"),
        pytest.param({"initial_delay_seconds": 29, "max_attempts": 3}, False, id="two-of-30-s"),
        pytest.param({"initial_delay_seconds": 30, "max_attempts": 3}, True, id="two-of-31-s"),
        pytest.param({"initial_delay_seconds": 60, "window_seconds": 60}, False, id="window-of-60"),
        pytest.param({"initial_delay_seconds": 60, "window_seconds": 61}, True, id="window-of-61"),
        pytest.param({"initial_delay_seconds": 600, "max_attempts": 1}, False, id="no-retry"),
    ],
)
def test_a_retry_that_may_begin_beyond_the_deadline_is_pointed_out(
    retry: dict[str, Any], *, is_too_late: bool
) -> None:
    """The tries before it and the delays between them add up; a window ends them."""
    policy = RetryPolicy(backoff=Backoff.FIXED, jitter=False, max_delay_seconds=600, **retry)
    found = advised(finish_by=WITHIN_A_MINUTE, retry=policy)

    assert found == [("retry.window_seconds", "retries_beyond_deadline")] * is_too_late


def test_a_run_that_is_never_tried_again_has_no_late_retry() -> None:
    """The default policy's delay does not count under at_most_once."""
    late = RetryPolicy(initial_delay_seconds=90, max_delay_seconds=90)
    once = DeliveryMode.AT_MOST_ONCE

    assert advised(finish_by=WITHIN_A_MINUTE, retry=late) != []
    assert advised(finish_by=WITHIN_A_MINUTE, retry=late, delivery=once) == []


@pytest.mark.parametrize(("seconds", "is_too_late"), [(60, False), (61, True)])
def test_a_start_that_may_come_beyond_the_deadline_is_pointed_out(
    seconds: int, *, is_too_late: bool
) -> None:
    """A run may begin late, or its instant be spread."""
    hourly = Schedule(kind=ScheduleKind.RATE, every_seconds=3600, jitter_seconds=seconds)
    started = advised(finish_by=WITHIN_A_MINUTE, start_within_seconds=seconds)
    spread = advised(finish_by=WITHIN_A_MINUTE, schedule=hourly)
    code = "start_beyond_deadline"

    assert started == [("start_within_seconds", code)] * is_too_late
    assert spread == [("schedule.jitter_seconds", code)] * is_too_late


def test_a_calendar_that_defers_is_pointed_out() -> None:
    """By its place; one that leaves out moves nothing."""
    rules = (
        CalendarRule(calendar="market"),
        CalendarRule(calendar="holidays", action=CalendarAction.DEFER),
    )

    assert advised(finish_by=WITHIN_A_MINUTE, calendars=rules[:1]) == []
    assert advised(finish_by=WITHIN_A_MINUTE, calendars=rules) == [
        ("calendars.1.action", "deferral_beyond_deadline")
    ]


@pytest.mark.parametrize(
    ("schedule", "usual_minutes", "is_too_long"),
    [
        pytest.param(cron("0 5 * * *"), 60, False, id="an-hour"),
        pytest.param(cron("0 5 * * *"), 61, True, id="more-than-an-hour"),
        pytest.param(cron("0 5,6 * * *"), 60, False, id="at-the-time-a-day"),
        pytest.param(cron("0 5 * * *", "Asia/Tokyo"), 61, True, id="in-the-zone-of-the-schedule"),
        pytest.param(cron("0 22 * * *"), 480, False, id="over-midnight"),
        pytest.param(cron("30 5 30 11 *"), 31, True, id="one-instant-in-nine-days"),
    ],
)
def test_of_a_time_of_day_the_shortest_span_counts(
    schedule: Schedule, usual_minutes: int, *, is_too_long: bool
) -> None:
    """One coming instant with too short a span is enough for advice."""
    found = advised(usual_minutes * 60_000, schedule=schedule, finish_by=FinishBy(time="06:00"))

    assert found == [("finish_by", "usually_too_long")] * is_too_long


def test_a_clock_that_jumps_shortens_the_span() -> None:
    """On the night of the change an hour is missing, and that night is among those looked at."""
    night = cron("0 1 * * *", "Europe/Berlin")
    change = after(86_400 * 126)
    job = job_factory(
        schedule=night, finish_by=FinishBy(time="06:00"), retry=ONCE, timeout_seconds=1
    )
    five_hours = 5 * 3_600_000

    assert advise(job, now=NOW, usual_ms=five_hours) == ()
    assert [each.code for each in advise(job, now=change, usual_ms=five_hours)] == [
        AdviceCode.USUALLY_TOO_LONG
    ]
    assert advise(job, now=change, usual_ms=five_hours - 3_600_000) == ()


@pytest.mark.parametrize(
    ("number", "is_seen"), [(INSTANTS_LOOKED_AT, True), (INSTANTS_LOOKED_AT + 1, False)]
)
def test_so_many_coming_instants_are_looked_at(number: int, *, is_seen: bool) -> None:
    """The last of them is 30 s before the deadline, and the others are further away."""
    ends = NOW.replace(hour=0) + (after(86_400) - NOW)
    starts_at = ends - (after(30 * number) - NOW)
    schedule = Schedule(kind=ScheduleKind.RATE, every_seconds=30, starts_at=starts_at)
    found = advised(31_000, schedule=schedule, finish_by=FinishBy(time="00:00"))

    assert bool(found) is is_seen


@pytest.mark.parametrize(("days", "is_seen"), [(365, True), (366, False)])
def test_instants_of_a_year_are_looked_at(days: int, *, is_seen: bool) -> None:
    """A second after so many days the span is a second shorter; rare instants are dear to find."""
    later = after(86_400 * days + 1)
    schedule = Schedule(
        kind=ScheduleKind.RRULE, rrule="FREQ=DAILY;COUNT=1", starts_at=NOW, rdates=(later,)
    )
    found = advised(5 * 3_600_000 - 1, schedule=schedule, finish_by=FinishBy(time="12:00"))

    assert bool(found) is is_seen


def test_the_next_instant_is_looked_at_however_far_away_it_is() -> None:
    """It is known anyway."""
    schedule = Schedule(kind=ScheduleKind.AT, at=after(86_400 * 3_000))

    assert advised(5 * 3_600_000, schedule=schedule, finish_by=FinishBy(time="12:00")) == []
    assert advised(5 * 3_600_000 + 1, schedule=schedule, finish_by=FinishBy(time="12:00")) != []


def test_a_schedule_that_is_over_has_no_span() -> None:
    """A schedule that is over gets no advice."""
    over = Schedule(kind=ScheduleKind.AT, at=after(-1))

    assert advised(10**9, schedule=over, finish_by=FinishBy(time="06:00")) == []


def test_advice_says_both_numbers() -> None:
    """The advice names the usual duration and the time that a run may take."""
    job = job_factory(finish_by=WITHIN_A_MINUTE, retry=ONCE, timeout_seconds=90)
    usual, longest = advise(job, now=NOW, usual_ms=61_500)

    assert usual.detail == (
        "95 of 100 recent runs took up to 61.5 s; the shortest time to a deadline is 60 s."
    )
    assert longest.detail == "A run may take 90 s; the shortest time to a deadline is 60 s."


@pytest.mark.parametrize(
    ("query", "is_seen"),
    [
        ("api_key=k1", True),
        ("page=2&access%5Ftoken=k1", True),
        ("page_token=k1", False),
        ("token=", False),
        ("token=${TOKEN}", False),
        ("q=api_key", False),
    ],
)
def test_a_secret_in_the_query_of_a_web_hook_is_pointed_out(query: str, *, is_seen: bool) -> None:
    """By its name, for a job without a deadline; references and placeholders are no secrets."""
    action = WebhookAction(url=f"https://a.example/in?{query}")

    assert advised(action=action) == [("action.url", "secret_in_url")] * is_seen


def test_the_advice_on_a_secret_names_it_and_hides_its_value() -> None:
    """Each name once; the value is quoted nowhere."""
    action = WebhookAction(url="https://a.example/in?token=k-1&api_key=k-2&token=k-3")
    (advice,) = advise(job_factory(action=action), now=NOW)

    assert "'token', 'api_key' in" in advice.detail
    assert "k-" not in advice.detail


def test_a_secret_in_every_address_of_a_job_is_pointed_out() -> None:
    """That of a channel and that of a condition, each by its own field; others are no addresses."""
    leaks, plain = "https://a.example/in?token=k-1", "https://a.example/in?page=2"
    channels = (WebhookChannel(url=plain), WebhookChannel(url=leaks), SnsChannel(topic_arn=TOPIC))
    told = tuple(Subscription(channel=each, on=(Occasion.FAILED,)) for each in channels)
    job = job_factory(notifications=told, before=Condition(url=leaks))
    found = advise(job, now=NOW)

    assert [each.field for each in found] == ["notifications.1.url", "before.url"]
    assert {each.code for each in found} == {AdviceCode.SECRET_IN_URL}
    assert all("'token'" in each.detail and "signing_secret" in each.detail for each in found)
    assert not any("k-" in each.detail for each in found)
