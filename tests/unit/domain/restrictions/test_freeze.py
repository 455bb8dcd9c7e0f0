"""Freezes: whom they stop, from when to when, and what is none."""

from dataclasses import replace
from typing import Any

import pytest

from tests.support.factories import (
    JOB_ID,
    NOW,
    after,
    freeze_factory,
    job_id,
    stage_freeze_factory,
)
from timegate.domain.restrictions.freeze import (
    MAX_DAYS,
    FreezeKind,
    FreezeScope,
    ThawPolicy,
    check_freeze,
    lifted,
    parse_freeze_id,
)
from timegate.domain.values.errors import FreezeNotFound, InvalidInput

TAGS = {"team": "ops", "tier": ""}


@pytest.mark.parametrize(
    ("kind", "value", "expected"),
    [
        pytest.param(FreezeKind.TENANT, "", True, id="tenant"),
        pytest.param(FreezeKind.JOB, JOB_ID, True, id="this-job"),
        pytest.param(FreezeKind.JOB, job_id("other"), False, id="other-job"),
        pytest.param(FreezeKind.TAG, "team=ops", True, id="tag"),
        pytest.param(FreezeKind.TAG, "team", True, id="any-value"),
        pytest.param(FreezeKind.TAG, "team=", False, id="empty-value"),
        pytest.param(FreezeKind.TAG, "tier=", True, id="value-is-empty"),
        pytest.param(FreezeKind.TAG, "team=dev", False, id="other-value"),
        pytest.param(FreezeKind.TAG, "ops", False, id="other-key"),
    ],
)
def test_a_scope_holds_jobs(kind: FreezeKind, value: str, expected: bool) -> None:
    """All of the tenant, those with a tag, or one."""
    assert FreezeScope(kind=kind, value=value).holds(JOB_ID, TAGS) is expected


def test_a_freeze_begins_with_its_start_and_is_over_at_its_end() -> None:
    """On both sides of either."""
    freeze = freeze_factory()

    assert [freeze.is_active(after(s)) for s in (-0.001, 0, 3599.999, 3600)] == [
        *(False, True, True, False)
    ]


def test_a_lifted_freeze_is_over() -> None:
    """From that moment; lifted before it began, it never was."""
    freeze = freeze_factory()

    assert lifted(freeze, now=after(60)).thaws_at == after(60)
    assert not lifted(freeze, now=after(60)).is_active(after(60))
    assert lifted(freeze, now=after(-60)).thaws_at == freeze.starts_at
    assert lifted(freeze, now=after(3600)) == freeze
    again = lifted(freeze, now=after(60))
    assert lifted(again, now=after(120)) == again


def test_only_the_suspension_of_a_tenant_suspends() -> None:
    """Neither a tenant's own freeze nor one of the whole stage stops changes."""
    suspension = freeze_factory(by_stage=True)

    assert suspension.suspends(NOW)
    assert not suspension.suspends(after(3600))
    assert not freeze_factory(by_stage=True, spares_runs=True).suspends(NOW)
    assert not freeze_factory().suspends(NOW)
    assert not stage_freeze_factory(by_stage=True).suspends(NOW)


def test_a_freeze_that_never_was_is_planned_anew_by_another_request() -> None:
    """One that held runs back stays as it ended."""
    freeze = freeze_factory(asked_as="first")
    never, ended = lifted(freeze, now=after(-60)), lifted(freeze, now=after(60))
    another = freeze_factory(asked_as="second")

    assert never.is_asked_anew_by(another)
    assert not never.is_asked_anew_by(freeze)
    assert not ended.is_asked_anew_by(another)
    assert not freeze.is_asked_anew_by(another)


def test_the_same_freeze_has_the_same_id() -> None:
    """Its reason aside; ids sort by the instant at which freezes start."""
    freeze, later = freeze_factory(), freeze_factory(starts_at=after(1))

    assert freeze.freeze_id == freeze_factory(reason="the move").freeze_id
    assert freeze.freeze_id != freeze_factory(ends_at=after(3601)).freeze_id
    assert freeze.freeze_id != freeze_factory(thaw=ThawPolicy.SKIP).freeze_id
    scopes = [FreezeScope(kind=FreezeKind.TAG, value=value) for value in ("team=ops", "team")]
    assert len({freeze.freeze_id, *(freeze_factory(scope=s).freeze_id for s in scopes)}) == 3
    assert freeze.freeze_id < later.freeze_id
    assert parse_freeze_id(freeze.freeze_id) == freeze.freeze_id


@pytest.mark.parametrize("text", ["", "x", "20261121T070000000Z-xyz", "a" * 26])
def test_other_text_is_no_id(text: str) -> None:
    """Other text answers like an unknown id."""
    with pytest.raises(FreezeNotFound):
        parse_freeze_id(text)


@pytest.mark.parametrize(
    ("fields", "field", "code"),
    [
        pytest.param({"ends_at": NOW}, "ends_at", "range_reversed", id="empty"),
        pytest.param(
            {"starts_at": after(-60), "ends_at": after(-30)}, "ends_at", "in_the_past", id="past"
        ),
        pytest.param(
            {"ends_at": after(MAX_DAYS * 86_400 + 0.001)}, "ends_at", "range_too_long", id="long"
        ),
        pytest.param({"reason": "x" * 201}, "reason", "too_long", id="reason"),
        pytest.param(
            {"scope": FreezeScope(kind=FreezeKind.TENANT, value="x")},
            "scope.value",
            "not_for_this_kind",
            id="tenant",
        ),
        pytest.param(
            {"scope": FreezeScope(kind=FreezeKind.TAG, value="=x")},
            "scope.value",
            "missing",
            id="tag",
        ),
        pytest.param(
            {"scope": FreezeScope(kind=FreezeKind.TAG, value="")},
            "scope.value",
            "missing",
            id="no-tag",
        ),
        pytest.param(
            {"scope": FreezeScope(kind=FreezeKind.STAGE, value="=x")},
            "scope.value",
            "missing",
            id="stage",
        ),
        pytest.param(
            {"scope": FreezeScope(kind=FreezeKind.JOB, value="x")},
            "scope.value",
            "invalid_format",
            id="job",
        ),
    ],
)
def test_what_is_no_freeze_is_refused(fields: dict[str, Any], field: str, code: str) -> None:
    """With the field and a code."""
    with pytest.raises(InvalidInput) as refused:
        check_freeze(freeze_factory(**fields), now=NOW)

    assert (refused.value.field, refused.value.code) == (field, code)


def test_the_longest_freeze_is_one() -> None:
    """A year and a day, with the longest reason."""
    check_freeze(freeze_factory(ends_at=after(MAX_DAYS * 86_400), reason="x" * 200), now=NOW)
    check_freeze(replace(freeze_factory(), starts_at=after(-60)), now=NOW)
