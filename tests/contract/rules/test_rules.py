"""``RuleStore``: a rule and the watch over it change together, and a streak with its message."""

from dataclasses import replace
from datetime import timedelta

import pytest

from tests.support.factories import (
    JOB_ID,
    NOW,
    OTHER_TENANT,
    TENANT,
    after,
    attempt_factory,
    attempt_id,
)
from tests.support.ruling import CHANNEL, rule_factory
from tests.support.stores.contract_stores import Stores, race
from timegate.domain.channels.slack import SlackChannel
from timegate.domain.channels.webhook import WebhookChannel
from timegate.domain.jobs.job_filter import Selection
from timegate.domain.rules.errors import RuleNotFound, RuleVersionMismatch, TooManyRules
from timegate.domain.rules.messages import rule_notices
from timegate.domain.rules.quiet_hours import QuietHours, QuietWindow
from timegate.domain.rules.rule import (
    MAX_RULES,
    Absence,
    Rule,
    RuleName,
    StreakCondition,
    When,
)
from timegate.domain.rules.streak import Streak, StreakId
from timegate.domain.rules.watch import RuleWatch
from timegate.domain.runs.run import RunState
from timegate.domain.values.instant_range import InstantRange
from timegate.domain.values.secrets import SecretRef
from timegate.ports.stores import AttemptRef

WHOLE = rule_factory(
    description="All of it.",
    tags={"owner": "ann"},
    enabled=False,
    jobs=Selection(job_id=JOB_ID, name="nightly*", tags={"team": "ops"}),
    when=When(
        failures_in_a_row=3,
        dead_letter=True,
        quota_refused=True,
        late_after_seconds=600,
        absent=Absence(
            for_seconds=93_600, at="07:00", timezone="Europe/Berlin", weekdays=frozenset({0, 4})
        ),
        recovered=True,
    ),
    channels=(
        CHANNEL,
        WebhookChannel(url="https://b.example", signing_secret=SecretRef(ssm_parameter="/p")),
        SlackChannel(url_secret=SecretRef(ssm_parameter="/q")),
    ),
    quiet_hours=QuietHours(windows=(QuietWindow(opens="22:00", closes="06:00"),)),
)


def put(stores: Stores, rule: Rule | None = None, *, expected: int | None = None) -> Rule:
    """Store a rule, given now."""
    return stores.rules.put_rule(rule or rule_factory(), expected_version=expected, now=NOW)


def watch(stores: Stores) -> RuleWatch:
    """The watch over the rules, as it is."""
    at_hand = stores.rules.rules_at_hand(TENANT)
    assert at_hand is not None
    return at_hand.watch


def streak_factory(rule: Rule, condition: StreakCondition = StreakCondition.FAILURES) -> Streak:
    """A streak that is told of now."""
    return Streak(
        tenant=TENANT,
        id=StreakId(rule_id=rule.rule_id, condition=condition, job_id=JOB_ID),
        job_name="report",
        until=NOW,
        runs_from=NOW,
        told_at=NOW,
        run=attempt_id().run,
    )


def test_what_is_written_is_read_back(stores: Stores) -> None:
    """Every field, alone, in the list and at hand; none of another tenant."""
    stored = put(stores, WHOLE)
    at_hand = stores.rules.rules_at_hand(TENANT)
    page = stores.rules.list_rules(TENANT, limit=10, cursor=None)

    assert stored == replace(WHOLE, version=1)
    assert stores.rules.get_rule(TENANT, WHOLE.name) == stored
    assert at_hand is not None
    assert at_hand.rules == page.rows == (stored,)
    assert stores.rules.rules_at_hand(OTHER_TENANT) is None
    with pytest.raises(RuleNotFound):
        stores.rules.get_rule(OTHER_TENANT, WHOLE.name)


def test_a_version_is_replaced_once(stores: Stores) -> None:
    """A caller who knows an older one is told so; a deletion goes on counting."""
    put(stores, expected=0)
    put(stores, expected=1)
    for expected in (0, 1, 3):
        with pytest.raises(RuleVersionMismatch):
            put(stores, expected=expected)
    deleted = stores.rules.delete_rule(TENANT, "failures", expected_version=2, now=NOW)
    again = put(stores, rule_factory(created_at=after(9)), expected=0)

    assert (deleted.version, again.version, again.created_at) == (2, 3, after(9))


@pytest.mark.parametrize("expected", [None, 0, 1])
def test_a_rule_that_is_missing_is_not_deleted(stores: Stores, expected: int | None) -> None:
    """It is missing, and not at another version, whichever version its caller names."""
    with pytest.raises(RuleNotFound):
        stores.rules.delete_rule(TENANT, "failures", expected_version=expected, now=NOW)


def test_racing_callers_store_one_version_each(stores: Stores) -> None:
    """None is lost, and all are counted."""
    versions = race(*[lambda: put(stores).version] * 4)

    assert sorted(versions) == [1, 2, 3, 4]
    assert watch(stores).revision == 4


def test_a_tenant_has_fifty_rules_and_no_more(stores: Stores) -> None:
    """One that exists can still be replaced; the list has them by name, page by page."""
    for number in range(MAX_RULES):
        put(stores, rule_factory(name=RuleName(f"rule-{number:02}")))
    with pytest.raises(TooManyRules):
        put(stores)
    put(stores, rule_factory(name=RuleName("rule-07")))
    first = stores.rules.list_rules(TENANT, limit=30, cursor=None)
    second = stores.rules.list_rules(TENANT, limit=30, cursor=first.cursor)

    assert [each.name for each in (*first.rows, *second.rows)] == [
        f"rule-{number:02}" for number in range(MAX_RULES)
    ]
    assert second.cursor is None


def test_a_watch_is_overdue_until_it_is_touched(stores: Stores) -> None:
    """By one of those who found it; a rule that is put brings it back at once."""
    put(stores)
    later = after(60)

    assert list(stores.rules.overdue_rules(until=NOW)) == [TENANT]
    assert stores.rules.touch_rules(TENANT, now=NOW, due_at=later)
    assert not stores.rules.touch_rules(TENANT, now=NOW, due_at=later)
    assert list(stores.rules.overdue_rules(until=after(59))) == []
    assert list(stores.rules.overdue_rules(until=later)) == [TENANT]

    put(stores)

    assert list(stores.rules.overdue_rules(until=NOW)) == [TENANT]


def test_a_look_advances_a_watch_once(stores: Stores) -> None:
    """The second of two looks at the same step changes nothing."""
    put(stores)
    before = watch(stores)
    moved = replace(
        before,
        seen_until=after(60),
        pass_until=after(90),
        pass_after="place",
        streaks_after="streak",
        walk_from=after(80),
        walk_after="job",
    )

    assert stores.rules.advance(before, moved)
    assert not stores.rules.advance(before, replace(before, seen_until=after(1)))
    assert watch(stores) == replace(moved, step=before.step + 1)


def test_a_watch_rests_unless_a_rule_came_in_between(stores: Stores) -> None:
    """It begins anew with the next rule: what passed meanwhile is none of that one's."""
    put(stores)
    before = watch(stores)
    put(stores)

    assert not stores.rules.rest(before)
    assert stores.rules.rest(watch(stores))
    assert list(stores.rules.overdue_rules(until=after(999))) == []

    stores.rules.delete_rule(TENANT, "failures", expected_version=None, now=NOW)
    later = after(86_400)
    stores.rules.put_rule(rule_factory(), expected_version=0, now=later)

    assert watch(stores).seen_until == later
    assert list(stores.rules.overdue_rules(until=later)) == [TENANT]


def test_a_streak_is_stored_with_its_message_or_not_at_all(stores: Stores) -> None:
    """One of two messages about a streak is stored."""
    rule = put(stores)
    streak = streak_factory(rule)
    event = {"type": "failures", "text": "it failed"}
    (notice,) = rule_notices(rule, [event], seed="1", now=NOW)
    (other,) = rule_notices(rule, [event], seed="2", now=NOW)

    assert stores.rule_messages.tell(TENANT, streaks=[streak], notices=[notice])
    assert not stores.rule_messages.tell(TENANT, streaks=[streak], notices=[other])
    assert stores.rules.streaks(TENANT, [streak.id], now=NOW) == {streak.id: streak}
    assert [stores.exists(each) for each in (notice, other)] == [True, False]


def test_a_rule_governs_its_messages_until_it_is_deleted(stores: Stores) -> None:
    """A loaded message has a job with the rule's channels."""
    rule = put(stores)
    (notice,) = rule_notices(rule, [{"type": "late"}], seed="1", now=NOW)
    stores.rule_messages.tell(TENANT, notices=[notice])
    ref = AttemptRef(tenant=TENANT, id=notice.id)
    (loaded,) = stores.runs.load_all([ref])
    stores.rules.delete_rule(TENANT, "failures", expected_version=None, now=NOW)
    (later,) = stores.runs.load_all([ref])

    assert loaded.attempt == notice
    assert loaded.job is not None
    assert [each.channel for each in loaded.job.notifications] == [*rule.channels]
    assert (later.job, later.unreadable) == (None, None)


def test_open_streaks_are_found_and_ended_ones_are_not(stores: Stores) -> None:
    """Page by page; an end is one conditional write."""
    rule = put(stores)
    streaks = [
        streak_factory(rule, each)
        for each in (StreakCondition.ABSENT, StreakCondition.DEAD_LETTER, StreakCondition.FAILURES)
    ]
    stores.rule_messages.tell(TENANT, streaks=streaks)
    ending = attempt_factory(state=RunState.SUCCEEDED, ended_at=after(60))
    ended = streaks[1].ended_by(ending, now=after(61))

    assert stores.rule_messages.tell(TENANT, streaks=[ended])
    assert not stores.rule_messages.tell(TENANT, streaks=[ended])

    first, place = stores.rules.open_streaks(TENANT, limit=2, after=None, now=NOW)
    rest, end = stores.rules.open_streaks(TENANT, limit=2, after=place, now=NOW)

    assert [*first, *rest] == [streaks[0], streaks[2]]
    assert end is None
    assert stores.rules.open_streaks(OTHER_TENANT, limit=2, after=None, now=NOW) == ((), None)


@pytest.mark.parametrize(("seconds", "is_known"), [(-1, True), (0, False)])
def test_a_streak_that_is_forgotten_begins_anew(
    stores: Stores, seconds: float, *, is_known: bool
) -> None:
    """DynamoDB deletes its record days later; no success ends it then, and it is told of anew."""
    streak = streak_factory(put(stores))
    stores.rule_messages.tell(TENANT, streaks=[streak])
    now = streak.forgotten_at + timedelta(seconds=seconds)
    anew = replace(streak, until=now, told_at=now)
    known = (streak,) if is_known else ()

    assert tuple(stores.rules.streaks(TENANT, [streak.id], now=now).values()) == known
    assert stores.rules.open_streaks(TENANT, limit=9, after=None, now=now) == (known, None)
    assert stores.rule_messages.tell(TENANT, streaks=[anew]) is not is_known


def test_failures_are_read_from_the_first_to_the_last(stores: Stores) -> None:
    """Each once, page by page; those that ended outside are left out."""
    ended = [after(seconds) for seconds in (0, 10, 20, 30, 40)]
    for instant in ended:
        failed = attempt_factory(
            id=attempt_id(scheduled_at=instant),
            state=RunState.FAILED,
            ended_at=instant,
            watch_at=None,
        )
        stores.add(failed)
    within = InstantRange(start=ended[1], end=ended[3])
    found, place = [], None
    while True:
        refs, place = stores.failures.failures_since(TENANT, within=within, limit=2, after=place)
        found += [ref.id.run.scheduled_at for ref in refs]
        if place is None:
            break

    assert found == ended[1:4]
    assert timedelta(seconds=20) == found[-1] - found[0]
