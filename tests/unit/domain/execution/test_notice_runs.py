"""Runs that carry notices: one maker for those of runs, absences, decisions and rules."""

import json
from datetime import timedelta

import pytest

from tests.support.factories import NOW, TENANT, after
from timegate.domain.execution.notices import (
    mark_without_run,
    notice_id,
    notice_run,
    notice_text,
)
from timegate.domain.jobs.notification import Occasion, parse_notice_mark
from timegate.domain.runs.run import Attempt
from timegate.domain.values.identity import JobId, Origin

JOB = JobId("a" * 26)
MARK = mark_without_run("absence", Occasion.ABSENT, hook="k3jx52mq")
NOTICE = notice_id(JOB, MARK, scheduled_at=NOW)


def made(*, late_by: float = 0) -> Attempt:
    """A notice of something at the tests' instant, made some time later."""
    return notice_run(TENANT, NOTICE, "{}", job_version=3, at=NOW, now=after(late_by))


def test_it_is_due_at_its_occasion_and_watched_from_its_making() -> None:
    """A notice made after an outage keeps its instant, and is looked at as late as a new one."""
    prompt, late = made(), made(late_by=3_600)

    assert (late.due_at, late.opened_at, late.created_at) == (NOW, NOW, after(3_600))
    assert prompt.watch_at is not None
    assert late.watch_at == prompt.watch_at + timedelta(hours=1)
    assert late.id == prompt.id


def test_a_mark_without_a_run_is_read_back() -> None:
    """It is of an origin that no job's runs have, and differs by what it is about."""
    other = mark_without_run("another", Occasion.ABSENT, hook="k3jx52mq")

    assert parse_notice_mark(str(MARK)) == MARK
    assert MARK.origin[0] == Origin.FOLLOW_UP
    assert other != MARK


@pytest.mark.parametrize("fields", [{}, {"text": "It is away."}], ids=["bare", "telling"])
def test_every_document_has_one_head(fields: dict[str, object]) -> None:
    """Version, type, id and instant come first, and what is told stands behind them."""
    document = json.loads(notice_text("job.absent", NOTICE, fields, at=NOW))

    assert list(document)[:4] == ["version", "type", "notification_id", "at"]
    assert (document["version"], document["notification_id"]) == (1, str(NOTICE))
    assert {name: document[name] for name in list(document)[4:]} == fields
