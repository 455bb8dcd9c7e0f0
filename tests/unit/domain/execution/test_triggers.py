"""Triggers: instants, tags, and what a key names."""

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
    job_id,
)
from timegate.domain.execution.triggers import (
    MAX_AHEAD,
    MAX_TAGS_BYTES,
    PLAIN,
    Trigger,
    TriggerKey,
    check_tags,
    mark_from,
)
from timegate.domain.jobs.demands import Priority
from timegate.domain.runs.gate import has_expired
from timegate.domain.runs.parent import MatchedEvent
from timegate.domain.runs.run import TriggerTerms
from timegate.domain.values.errors import InvalidInput

MILLISECOND = timedelta(milliseconds=1)


@pytest.mark.parametrize(
    ("trigger", "due"),
    [
        pytest.param(PLAIN, NOW, id="now"),
        pytest.param(Trigger(at=NOW), NOW, id="this-very-instant"),
        pytest.param(Trigger(at=NOW + MAX_AHEAD), NOW + MAX_AHEAD, id="as-late-as-can-be"),
        pytest.param(Trigger(delay_seconds=0.5), after(0.5), id="delay"),
    ],
)
def test_a_run_is_due_when_its_trigger_says(trigger: Trigger, due: object) -> None:
    """Without an instant or a delay, at once."""
    assert trigger.due_at(NOW) == due


@pytest.mark.parametrize(
    ("at", "code"),
    [(NOW - MILLISECOND, "in_the_past"), (NOW + MAX_AHEAD + MILLISECOND, "out_of_range")],
)
def test_an_instant_has_bounds(at: object, code: str) -> None:
    """One millisecond beyond either is refused."""
    with pytest.raises(InvalidInput) as refused:
        Trigger(at=at).due_at(NOW)  # type: ignore[arg-type]
    assert (refused.value.field, refused.value.code) == ("at", code)


def test_tags_have_a_size() -> None:
    """Names and values together, in bytes of UTF-8."""
    check_tags((("a", "x" * (MAX_TAGS_BYTES - 1)),))
    for value in ("x" * MAX_TAGS_BYTES, "é" * (MAX_TAGS_BYTES // 2)):
        with pytest.raises(InvalidInput, match="limit is 1024"):
            check_tags((("a", value),))


def test_a_trigger_that_sets_nothing_has_no_terms() -> None:
    """So that the record of a plain run is what it was."""
    assert PLAIN.terms(NOW) is None
    assert Trigger(payload="1", at=NOW).terms(NOW) is None
    assert Trigger(priority=Priority.HIGH).terms(NOW) == TriggerTerms(priority=Priority.HIGH)
    event = MatchedEvent(event_trigger="paid", source="shop", id="e1")
    assert Trigger(event=event).terms(NOW) == TriggerTerms(event=event)


def test_a_run_expires_so_long_after_it_is_due() -> None:
    """At that instant it may start; a millisecond later it may not. A retry has started."""
    terms = Trigger(expires_after_seconds=60).terms(after(30))
    assert terms == TriggerTerms(start_by=after(90))
    run = attempt_factory(terms=terms)

    assert not has_expired(run, after(90))
    assert has_expired(run, after(90) + MILLISECOND)
    assert not has_expired(replace(run, fence=1), after(91))
    assert not has_expired(replace(run, opened_at=after(80)), after(91))
    assert not has_expired(replace(run, terms=None), after(91))


def test_a_key_is_its_tenant_s_and_its_job_s() -> None:
    """The same for the same three, whatever the request; it ends the run's id."""
    keys = {
        TriggerKey.of(tenant, job, key, request_hash="h").digest
        for tenant in (TENANT, OTHER_TENANT)
        for job in (JOB_ID, job_id("other"))
        for key in ("a", "b")
    }
    first, second = (TriggerKey.of(TENANT, JOB_ID, "a", request_hash=each) for each in "hi")

    assert len(keys) == 8
    assert (first.digest, first.mark) == (second.digest, first.digest[:16])
    assert len(mark_from(b"seed")) == 16
