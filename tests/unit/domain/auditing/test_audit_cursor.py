"""A check is due by its job's instants; a lot chooses among too many."""

from dataclasses import replace
from datetime import datetime, timedelta

import pytest

from tests.support.factories import JOB_ID, NOW, TENANT, after, job_id
from timegate.domain.auditing.audit_cursor import (
    CHECK_EVERY,
    LOOK_AGAIN,
    AuditCursor,
    drawn,
    horizon,
    next_check,
    opening_cursor,
)
from timegate.domain.values.instants import MILLISECOND

RETENTION = timedelta(days=30)
SETTLED = timedelta(minutes=5)


def a_cursor(name: str, *, check_at: datetime = NOW) -> AuditCursor:
    return replace(
        opening_cursor(TENANT, job_id(name), NOW, now=NOW, since=after(-86_400)),
        check_at=check_at,
    )


@pytest.mark.parametrize(
    ("following", "expected"),
    [
        pytest.param(after(1), NOW + CHECK_EVERY, id="frequent"),
        pytest.param(NOW + CHECK_EVERY - SETTLED, NOW + CHECK_EVERY, id="just as frequent"),
        pytest.param(after(3600), after(3600) + SETTLED, id="hourly"),
        pytest.param(NOW + LOOK_AGAIN - MILLISECOND, NOW + LOOK_AGAIN, id="nearly daily"),
        pytest.param(NOW + LOOK_AGAIN, NOW + LOOK_AGAIN, id="daily"),
        pytest.param(after(400 * 86_400), NOW + LOOK_AGAIN, id="rarer"),
        pytest.param(None, NOW + LOOK_AGAIN, id="never"),
    ],
)
def test_a_check_is_due_once_an_instant_is_settled(
    following: datetime | None, expected: datetime
) -> None:
    """Together with those around it, and not later than in a day."""
    assert next_check(following, now=NOW, settled_after=SETTLED) == expected


def test_the_first_check_begins_with_the_job() -> None:
    """Or where its oldest records have expired; then no rule can count its runs."""
    since = horizon(NOW, RETENTION)
    young = opening_cursor(TENANT, JOB_ID, since + MILLISECOND, now=NOW, since=since)
    old = opening_cursor(TENANT, JOB_ID, since, now=NOW, since=since)

    assert (young.checked_until, young.counted) == (since, 0)
    assert (old.checked_until, old.counted) == (since, None)
    assert young.check_at == NOW


def test_too_many_jobs_are_drawn_by_lot() -> None:
    """Each tick draws others, and a tick that is repeated draws the same."""
    due = [a_cursor(str(number)) for number in range(50)]
    draws = [drawn(due, 10, now=after(second)) for second in range(50)]

    assert draws[0] == drawn(list(reversed(due)), 10, now=NOW)
    assert {each.job_id for draw in draws for each in draw} == {each.job_id for each in due}
    assert len({tuple(draw) for draw in draws}) == 50


def test_who_has_waited_for_an_hour_goes_first() -> None:
    """So a lot delays no tenant for ever."""
    late = [a_cursor(f"late-{number}", check_at=after(-3600)) for number in range(3)]
    due = [a_cursor(str(number), check_at=after(-3599)) for number in range(50)]

    assert set(drawn([*due, *late], 3, now=NOW)) == set(late)
