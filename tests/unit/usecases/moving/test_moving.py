"""A tenant with one of everything moves, and is there what it was here."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from infra.admin.moving import export_stage, import_stage
from tests.support.factories import NOW, after, job_id
from tests.support.moving.dying import Dying
from tests.support.moving.stages import held, opened, reached
from tests.support.stores.records import JOBS_TABLE, RUNS_TABLE
from tests.support.tenants.sample_tenant import inhabit
from tests.support.world import World
from timegate.adapters.dynamo.tables.engine import Fields
from timegate.adapters.moving.item_kinds import kind_of, owner_of
from timegate.domain.moving.moved_kinds import MovedKind
from timegate.domain.recurrence.schedule import Schedule, ScheduleKind
from timegate.domain.values.instants import compact
from timegate.domain.values.payload import Payload
from timegate.domain.values.tenant import TenantId

ACME, OTHER = TenantId("acme"), TenantId("other")
#: Records that stay, by the partition behind the tenant.
STAYING = {"quota", "operation", "events", "api-keys"}


@pytest.fixture
def old() -> World:
    """A stage with two tenants that have everything."""
    world = opened()
    inhabit(world, ACME)
    inhabit(world, OTHER, pool="other", calendars=("feasts",))
    return world


def moved(old: World, new: World, path: Path, *, history: bool = False) -> None:
    """Move all tenants."""
    export_stage(reached(old), path, tenant=None, history=history, now=NOW)
    counts = import_stage(reached(new, "prod-b"), path, now=NOW)
    assert (counts.different, counts.uncounted) == (0, [])


def as_arrived(fields: Fields) -> Fields:
    """A record as it is there: a job that waits for its last run alone has completed.

    Jobs are awaited from the import on.
    """
    if fields["sk"] != "job":
        return fields
    arrived = {**fields, "resumed_at": compact(NOW)}
    waits = fields["status"] == "active" and "next_run_at" not in fields
    return {**arrived, "status": "completed", "version": 2} if waits else arrived


def test_every_record_of_a_tenant_is_of_a_known_kind(old: World) -> None:
    """Records that stay behind are listed."""
    items = [i for table in (JOBS_TABLE, RUNS_TABLE) for i in old.tables.engine.items(table)]
    found = {str(each["pk"]): kind_of(each) for each in items if owner_of(each) is not None}
    staying = {pk.partition("#")[2].partition("#")[0] for pk, kind in found.items() if not kind}

    assert staying == STAYING


def test_definitions_are_there_what_they_were_here(old: World, tmp_path: Path) -> None:
    """Ids, versions, keys, calendars, freezes, rules, triggers and addresses of web hooks."""
    new = opened(shards=2)
    moved(old, new, tmp_path / "all")
    before, after = held(old), held(new)
    kept = {place: each for place, each in after.items() if place in before}

    for place, each in kept.items():
        if "#quota" not in place[1] and place[1] != "shards":
            assert each == as_arrived(before[place]), place
    assert {kind_of(each) for each in kept.values() if owner_of(each)} >= {
        *(MovedKind.JOB, MovedKind.DAG, MovedKind.DAG_VERSION, MovedKind.CALENDAR),
        *(MovedKind.FREEZE, MovedKind.IN_FORCE, MovedKind.RULE, MovedKind.EVENT_TRIGGER),
        *(MovedKind.EVENT_TRIGGER_NAMES, MovedKind.HOOK, MovedKind.RULE_WATCH),
    }
    assert all(table == JOBS_TABLE for table, _, _ in after)


def test_quotas_count_what_moved(old: World, tmp_path: Path) -> None:
    """They are counted anew; the job whose last run is at work has completed there."""
    new = opened()
    moved(old, new, tmp_path / "all")
    here = old.usage.usage(ACME)

    assert new.usage.usage(ACME) == replace(here, jobs=here.jobs - 1)


def test_history_moves_if_it_is_asked_for(old: World, tmp_path: Path) -> None:
    """Ended runs, and none that is under way: it ends where it began."""
    new = opened()
    moved(old, new, tmp_path / "all", history=True)
    kinds = {kind_of(each) for each in held(new).values() if owner_of(each)}
    states = {each.get("state") for each in held(new).values()} - {None}

    assert kinds >= {MovedKind.RUN, MovedKind.DAG_RUN, MovedKind.DAG_TASK, MovedKind.AUDIT}
    assert states & {"queued", "running", "waiting"} == set()
    assert [each for each in held(new).values() if {"follow", "watch_at"} & each.keys()] == []


def test_one_tenant_moves_alone(old: World, tmp_path: Path) -> None:
    """Nothing of another one is in the file."""
    path, new = tmp_path / "acme", opened()
    export_stage(reached(old), path, tenant=ACME, history=True, now=NOW)
    import_stage(reached(new, "prod-b"), path, now=NOW)

    assert {owner_of(each) for each in held(new).values()} - {None} == {ACME}
    assert "other" not in path.read_text().replace("another", "")


def test_jobs_that_moved_fire(old: World, tmp_path: Path) -> None:
    """They lie in buckets of the shards that the other stage has."""
    new = opened(shards=1)
    moved(old, new, tmp_path / "all")
    new.tick()

    assert new.tables.attempts


def test_an_import_may_be_repeated(old: World, tmp_path: Path) -> None:
    """Nothing is stored twice, and what went on meanwhile is left alone."""
    new = opened(shards=1)
    moved(old, new, tmp_path / "all")
    new.tick()
    before = held(new)
    counts = import_stage(reached(new), tmp_path / "all", now=NOW)

    assert held(new) == before
    assert (sum(counts.stored.values()) - counts.stored[MovedKind.BLOB], counts.different) == (0, 0)
    assert counts.present > 20


def test_the_auditor_misses_nothing_of_a_job_that_moved(tmp_path: Path) -> None:
    """The stage answers for instants from where it took the job over, and for all of them."""
    old, new = opened(shards=1), opened(shards=1)
    for number, seconds in enumerate((60, 240, 86_400)):
        schedule = Schedule(kind=ScheduleKind.RATE, every_seconds=seconds)
        created = after(-3_600)
        old.add_job(
            job_id=job_id(f"j{number}"), schedule=schedule, created_at=created, next_run_at=NOW
        )
    old.tick()
    moved(old, new, tmp_path / "all")
    found = []
    for _ in range(12):
        new.clock.advance(300)
        new.tick()
        found.append(new.audit())

    assert [(each.unaccounted, each.lost) for each in found] == [(0, 0)] * 12
    assert sum(each.instants for each in found) > 40


def test_runs_of_max_runs_that_stay_hold_their_places(tmp_path: Path) -> None:
    """Three of five are planned there: two are left here."""
    old, new = opened(shards=1), opened(shards=1)
    schedule = Schedule(kind=ScheduleKind.RATE, every_seconds=240, max_runs=5)
    job = old.add_job(schedule=schedule, next_run_at=NOW)
    old.tick()
    there = len(old.tables.attempts)
    moved(old, new, tmp_path / "all")
    for _ in range(30):
        new.clock.advance(60)
        new.tick()
    here = [each.run.scheduled_at for _, each in new.tables.attempts]

    assert 0 < there < 5
    assert len(here) == 5 - there
    assert min(here) > max(each.run.scheduled_at for _, each in old.tables.attempts)
    assert job.job_id in {each.run.job_id for _, each in new.tables.attempts}


def test_large_payloads_move_with_their_jobs(old: World, tmp_path: Path) -> None:
    """A text that has expired is told, and the rest moves."""
    new = opened()
    for number, path in enumerate(("payloads/acme/a", "payloads/acme/b")):
        payload = Payload(blob=path, size_bytes=4)
        old.add_job(tenant=ACME, job_id=job_id(f"large{number}"), payload=payload)
    old.blobs.put("payloads/acme/a", '"a"')
    done = export_stage(reached(old), tmp_path / "f", tenant=ACME, history=False, now=NOW)
    import_stage(reached(new, "prod-b"), tmp_path / "f", now=NOW)

    assert new.blobs.get("payloads/acme/a") == '"a"'
    assert done.counts.lost == ["payloads/acme/b"]


def test_a_job_costs_two_writes(tmp_path: Path) -> None:
    """Its audit cursor and itself; the count of its tenant is set right once."""
    old, new = opened(), opened()
    for number in range(5):
        old.add_job(job_id=job_id(f"j{number}"))
    export_stage(reached(old), tmp_path / "f", tenant=None, history=False, now=NOW)
    engine = Dying(new.tables.engine, 1_000, after=False)
    import_stage(reached(new, engine=engine), tmp_path / "f", now=NOW)

    assert engine.writes == 2 * 5 + 1


def test_what_is_there_and_differs_is_left_and_told(old: World, tmp_path: Path) -> None:
    """A job of the same id that another caller has changed."""
    new = opened()
    moved(old, new, tmp_path / "all")
    (place, job), *_ = new.tables.jobs.items()
    new.tables.jobs[place] = replace(job, name="renamed")
    counts = import_stage(reached(new), tmp_path / "all", now=NOW)

    assert (counts.different, len(counts.told)) == (1, 1)
    assert new.tables.jobs[place].name == "renamed"


@pytest.mark.parametrize(
    "after",
    [
        # The same, but for what it does between two writes.
        pytest.param(False, id="before a write", marks=pytest.mark.wide),
        pytest.param(True, id="after a write"),
    ],
)
def test_an_import_that_dies_anywhere_goes_on(old: World, tmp_path: Path, *, after: bool) -> None:
    """At every write; repeated, it leaves what one that did not die leaves."""
    whole = opened(shards=1)
    moved(old, whole, tmp_path / "all", history=True)
    deaths = 0
    while True:
        new = opened(shards=1)
        engine = Dying(new.tables.engine, deaths + 1, after=after)
        try:
            import_stage(reached(new, engine=engine), tmp_path / "all", now=NOW)
        except SystemExit:
            deaths += 1
        else:
            break
        counts = import_stage(reached(new), tmp_path / "all", now=NOW)
        assert counts.different == 0
        assert without_keys(new) == without_keys(whole)

    assert deaths > 60


def without_keys(world: World) -> dict[tuple[str, str, str], Any]:
    """Return a stage's items without its placement key and the shards it leads to."""
    return {
        (table, pk.rstrip("0123456789"), sk): {**each, "pk": ""}
        for (table, pk, sk), each in held(world).items()
        if pk != "shards" and not pk.endswith("#quota")
    }
