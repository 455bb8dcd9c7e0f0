"""Records leave one pair of tables and arrive in another, on every engine."""

from dataclasses import replace
from typing import Any

import pytest

from tests.support.execution.placing import placed
from tests.support.factories import (
    NOW,
    OTHER_TENANT,
    TENANT,
    after,
    calendar_factory,
    freeze_factory,
    job_id,
)
from tests.support.ruling import rule_factory
from tests.support.stores.contract_stores import SHARDS, Stores, memory_stores
from timegate.adapters.moving.record_source import DynamoRecordSource, MovedScope
from timegate.adapters.moving.record_target import DynamoRecordTarget
from timegate.domain.moving.moved_kinds import MovedKind
from timegate.domain.restrictions.restrictions import LateBound
from timegate.domain.rules.rule import When
from timegate.domain.values.instants import compact
from timegate.ports.tenants.moving import MovedRecord, StoreEffect
from timegate.usecases.moving.move_tenant import begin_arriving

EVERYTHING = MovedScope(tenant=None, history=True)


def tables(stores: Stores) -> dict[str, str]:
    """Names of the two tables."""
    jobs: Any = stores.jobs
    runs: Any = stores.runs
    return {"jobs_table": jobs._table, "runs_table": runs._table}


def records(stores: Stores, *, page: int = 3) -> dict[tuple[str, str], MovedRecord]:
    """Everything that moves out of them, by key."""
    source = DynamoRecordSource(
        stores.engine, **tables(stores), scope=EVERYTHING, taken_over=lambda each: each, page=page
    )
    found = [each for page_of in source.pages(after=None) for each in page_of.records]
    return {(each.item["pk"]["S"], each.item["sk"]["S"]): each for each in found}


def fill(stores: Stores) -> None:
    """Jobs, one of them changed, a calendar and a freeze."""
    for name in ("a", "b", "c"):
        stores.add_job(job_id=job_id(name))
    job = stores.jobs.get(TENANT, job_id("a"))
    stores.jobs.update(job, replace(job, name="renamed"))
    calendar = calendar_factory(name="holidays")
    stores.restrictions.put_calendar(TENANT, calendar, expected_version=None)
    stores.restrictions.put_freeze(TENANT, freeze_factory(), now=NOW)


def target(stores: Stores) -> DynamoRecordTarget:
    """The stage that records move to."""
    cursors: Any = stores.audit_cursors
    return DynamoRecordTarget(
        stores.engine,
        **tables(stores),
        shards=lambda: placed(SHARDS),
        cursors=cursors,
    )


def move(found: dict[tuple[str, str], MovedRecord], stores: Stores) -> list[StoreEffect]:
    """Store them kind by kind, as an import does."""
    into = target(stores)
    kinds = [[each for each in found.values() if each.kind is kind] for kind in MovedKind]
    return [effect for each in kinds if each for effect in into.store(each, now=NOW)]


def test_what_leaves_arrives(stores: Stores) -> None:
    """Record by record as it left, and readable by the stores; jobs are awaited anew."""
    old = memory_stores()
    fill(old)
    effects = move(records(old), stores)

    assert set(effects) == {StoreEffect.STORED}
    expected = _without_places(records(old))
    for fields in expected.values():
        if fields["sk"] == {"S": "job"}:
            fields["resumed_at"] = {"S": compact(NOW)}
    assert _without_places(records(stores)) == expected
    before = old.jobs.get(TENANT, job_id("a"))
    assert stores.jobs.get(TENANT, job_id("a")) == replace(before, resumed_at=NOW)
    assert stores.restrictions.get_calendar(TENANT, "holidays").version == 1


def test_what_left_is_all_there_was(stores: Stores) -> None:
    """Pages of any size have the same records."""
    fill(stores)

    assert records(stores, page=2) == records(stores, page=1_000)
    assert {each.kind for each in records(stores).values()} >= {
        *(MovedKind.JOB, MovedKind.CALENDAR, MovedKind.FREEZE, MovedKind.IN_FORCE),
    }


@pytest.mark.parametrize("page", [1, 2, 5, 1_000])
def test_a_place_names_a_record_that_moves(stores: Stores, page: int) -> None:
    """It stands in the tenant's file; from each one the rest follows, as from the beginning."""
    fill(stores)
    for name in ("d", "e", "f"):
        stores.add_job(job_id=job_id(name), tenant=OTHER_TENANT)
    source = DynamoRecordSource(
        stores.engine,
        **tables(stores),
        scope=MovedScope(tenant=TENANT, history=True),
        taken_over=lambda each: each,
        page=page,
    )
    pages = list(source.pages(after=None))
    whole = [each for found in pages for each in found.records]

    for number, found in enumerate(pages):
        assert OTHER_TENANT not in str(found.after)
        if found.after is not None:
            rest = [each for behind in pages[number + 1 :] for each in behind.records]
            again = [each for behind in source.pages(after=found.after) for each in behind.records]
            assert again == rest
    assert {each.kind for each in whole} >= {MovedKind.JOB, MovedKind.CALENDAR, MovedKind.FREEZE}
    assert pages[-1].after is None


def test_a_repetition_stores_nothing(stores: Stores) -> None:
    """And replaces nothing that has changed since."""
    old = memory_stores()
    fill(old)
    move(records(old), stores)
    job = stores.jobs.get(TENANT, job_id("b"))
    stores.jobs.update(job, replace(job, name="changed here"))
    again = move(records(old), stores)

    assert StoreEffect.STORED not in again
    assert again.count(StoreEffect.DIFFERENT) == 1
    assert stores.jobs.get(TENANT, job_id("b")).name == "changed here"


def test_bounds_of_an_arriving_tenants_rules_are_replaced(stores: Stores) -> None:
    """Runs are marked late by the present bound of a rule alone that changed since an import."""
    here = memory_stores()
    begin_arriving(TENANT, here.tenants, from_stage="blue", at=after(3600), now=NOW)
    bounds = []
    for seconds in (600, 1200):
        rule = rule_factory(when=When(late_after_seconds=seconds))
        stores.rules.put_rule(rule, expected_version=None, now=NOW)
        move(records(stores), here)
        bounds.append(here.restrictions.in_force([TENANT])[TENANT].late_bounds)

    assert bounds == [(LateBound(after_seconds=600),), (LateBound(after_seconds=1200),)]


def _without_places(found: dict[tuple[str, str], MovedRecord]) -> dict[tuple[str, str], Any]:
    """Return records without revisions and without the places that each stage chooses."""
    chosen = {"due_bucket", "due_at", "revision"}
    return {
        key: {name: value for name, value in each.item.items() if name not in chosen}
        for key, each in found.items()
    }
