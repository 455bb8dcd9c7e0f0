"""A tenant is erased: nothing of it is left but its name, which stands for nothing again."""

from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from infra.admin.erasing import erase
from infra.admin.moving import export_stage, import_stage, restored
from tests.support.factories import NOW, after, attempt_factory
from tests.support.moving.stages import opened, reached
from tests.support.stores.records import JOBS_TABLE, RUNS_TABLE
from tests.support.tenants.sample_tenant import inhabit
from tests.support.world import World
from timegate.adapters.dynamo.tables.engine import Rows, Scan
from timegate.adapters.dynamo.tables.writes import Insert
from timegate.domain.moving.erasure import (
    SETTLES_AFTER,
    ExportOutdated,
    NotErased,
    TenantAtWork,
    TenantNotSuspended,
)
from timegate.domain.restrictions.freeze import ThawPolicy
from timegate.domain.runs.run_states import RunState
from timegate.domain.tenants.suspension import suspended, suspension_freeze
from timegate.domain.tenants.tenant_settings import TenantSettings, TenantStatus
from timegate.domain.values.tenant import TenantId

ACME, OTHER = TenantId("acme"), TenantId("other")
LATER = NOW + SETTLES_AFTER


@pytest.fixture
def stage() -> World:
    """A stage with two tenants that have everything, texts in the bucket among it."""
    world = opened()
    inhabit(world, ACME)
    inhabit(world, OTHER, pool="other", calendars=("feasts",))
    for tenant in (ACME, OTHER, TenantId("acme-eu")):
        for place in ("payloads", "payloads/_runs", "results", "checkpoints"):
            world.blobs.put(f"{place}/{tenant}/job/digest", "{}")
    return world


def suspend(world: World, tenant: TenantId = ACME, at: datetime = NOW) -> None:
    """Suspend a tenant like the administration."""
    before = world.tenants.get(tenant)
    freeze = suspension_freeze(tenant, thaw=ThawPolicy.JOB, reason="", now=at)
    assert world.tenants.put(tenant, before, suspended(before, freeze), freeze=freeze)


def left(world: World, word: str) -> list[tuple[str, str]]:
    """Every item that a whole scan meets in which the word stands anywhere."""
    return [
        (str(item["pk"]), str(item["sk"]))
        for table in (JOBS_TABLE, RUNS_TABLE)
        for item in world.tables.engine.items(table)
        if word in str(item)
    ]


def erased(world: World, now: datetime = LATER, **options: Any) -> Any:  # noqa: ANN401
    """Erase the first tenant, with its runs at work."""
    asked: dict[str, Any] = {"exported": None, "even_at_work": True} | options
    return erase(reached(world), ACME, now=now, **asked)


def test_nothing_is_left_but_the_name(stage: World) -> None:
    """Proven by a scan of both tables and of the bucket; the other tenant has what it had."""
    suspend(stage)
    others = left(stage, OTHER)
    there = left(stage, ACME)
    done = erased(stage)

    assert len(there) > 60
    assert left(stage, ACME) == [("tenants", ACME)]
    assert done.records >= len(there) - 1
    assert left(stage, OTHER) == others
    assert sorted({path.split("/")[-3] for path in stage.blobs.blobs}) == ["acme-eu", OTHER]
    assert done.blobs == 4


def test_the_record_refuses_the_tenant_from_then_on(stage: World) -> None:
    """It has the time and nothing else; a repetition changes nothing."""
    suspend(stage)
    erased(stage)
    record = stage.tenants.get(ACME)
    again = erased(stage, now=LATER + timedelta(days=1))

    assert record == TenantSettings(tenant=ACME, version=2, erased_at=LATER, updated_at=LATER)
    assert record.status is TenantStatus.ERASED
    assert (again.records, again.blobs) == (0, 0)
    assert stage.tenants.get(ACME) == record


@pytest.mark.parametrize("since", [None, LATER - SETTLES_AFTER + timedelta(milliseconds=1)])
def test_a_tenant_that_may_write_is_not_erased(stage: World, since: datetime | None) -> None:
    """An active one, and one of whose suspension an invocation may not have heard."""
    if since is not None:
        suspend(stage, at=since)
    before = left(stage, ACME)

    with pytest.raises(TenantNotSuspended, match="is active" if since is None else "wait until"):
        erased(stage)
    assert left(stage, ACME) == before


def test_runs_at_work_are_waited_for(stage: World) -> None:
    """Unless the operator says otherwise."""
    suspend(stage)
    before = left(stage, ACME)

    with pytest.raises(TenantAtWork, match="has 1 runs at work"):
        erased(stage, even_at_work=False)
    assert left(stage, ACME) == before


@pytest.mark.parametrize(
    ("history", "one_job", "why"),
    [(False, False, "it has no history"), (True, True, "no more than 1 jobs")],
)
def test_a_part_of_a_tenant_does_not_stand_for_it(
    stage: World, tmp_path: Path, history: bool, one_job: bool, why: str
) -> None:
    """An export of some jobs, or without history, lacks what the erasure deletes."""
    suspend(stage)
    jobs = [str(each.job_id) for each in stage.jobs.list_jobs(ACME, limit=1, cursor=None).rows]
    file, chosen = tmp_path / "part", jobs if one_job else []
    export_stage(reached(stage), file, tenant=ACME, history=history, now=NOW, jobs=chosen)
    before = left(stage, ACME)

    with pytest.raises(ExportOutdated, match=why):
        erased(stage, exported=file)
    assert left(stage, ACME) == before


def test_an_export_is_checked_first(stage: World, tmp_path: Path) -> None:
    """An erasure takes only an export of this stage and tenant that began after the suspension."""
    suspend(stage)
    files = {name: tmp_path / name for name in ("early", "other", "elsewhere", "good", "all")}
    for name, of, tenant, at in (
        ("early", "prod", ACME, NOW - timedelta(milliseconds=1)),
        ("other", "prod", OTHER, NOW),
        ("elsewhere", "prod-b", ACME, NOW),
        ("good", "prod", ACME, NOW),
        ("all", "prod", None, NOW),
    ):
        export_stage(reached(stage, of), files[name], tenant=tenant, history=True, now=at)
    for name, why in (
        ("early", "before the tenant was suspended"),
        ("other", "of the tenant other"),
        ("elsewhere", "of the stage prod-b"),
    ):
        with pytest.raises(ExportOutdated, match=why):
            erased(stage, exported=files[name])

    assert len(left(stage, ACME)) > 60
    assert erased(stage, exported=files["good"]).records > 60
    assert erased(stage, exported=files["all"]).records == 0


@pytest.mark.parametrize("table", [JOBS_TABLE, RUNS_TABLE])
def test_an_export_of_a_backup_does_not_stand_for_the_stage(
    stage: World, tmp_path: Path, table: str
) -> None:
    """It is read later, and lacks what came after the point in time."""
    suspend(stage)
    engine, file = stage.tables.engine, tmp_path / "past"
    for item in engine.items(table):
        engine.write(Insert(table="past", fields=item))
    past = {"jobs_table": "past"} if table == JOBS_TABLE else {"runs_table": "past"}
    access = restored(reached(stage), **{"jobs_table": None, "runs_table": None, **past})
    export_stage(access, file, tenant=ACME, history=True, now=NOW)
    before = left(stage, ACME)

    with pytest.raises(ExportOutdated, match=r"read from .*past.*, and not from the tables"):
        erased(stage, exported=file)
    assert left(stage, ACME) == before


def test_a_run_that_ended_after_the_export_is_not_lost(stage: World, tmp_path: Path) -> None:
    """It was at work when the file was begun; a later file has its end."""
    suspend(stage)
    for name, at in (("early", NOW), ("late", after(2))):
        export_stage(reached(stage), tmp_path / name, tenant=ACME, history=True, now=at)
        if name == "early":
            ended = replace(attempt_factory(tenant=ACME, state=RunState.FAILED), ended_at=after(1))
            stage.tables.put_attempt(ended)

    with pytest.raises(ExportOutdated, match=r"ended at 2026-11-21T07:00:01.000Z, after it was"):
        erased(stage, exported=tmp_path / "early")
    assert len(left(stage, ACME)) > 60
    assert erased(stage, exported=tmp_path / "late").records > 60


class _Lagging:
    """An engine whose eventual scans meet nothing of what was written lately."""

    def __init__(self, world: World) -> None:
        self._engine = world.tables.engine

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - everything else as it is
        return getattr(self._engine, name)

    def scan(self, scan: Scan) -> Rows:
        return self._engine.scan(scan) if scan.consistent else Rows(items=(), count=0)


def test_an_end_that_was_stored_a_moment_ago_is_erased(stage: World) -> None:
    """DynamoDB shows it to every consistent scan, and perhaps to no other one."""
    suspend(stage)
    erase(reached(stage, engine=_Lagging(stage)), ACME, exported=None, even_at_work=True, now=LATER)

    assert left(stage, ACME) == [("tenants", ACME)]


class _Dying:
    """An engine whose process dies before its n-th deletion."""

    def __init__(self, world: World, dies_before: int) -> None:
        self._engine, self.left = world.tables.engine, dies_before

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - everything else as it is
        return getattr(self._engine, name)

    def delete_all(self, table: str, keys: Any) -> None:  # noqa: ANN401 - as the engine's
        """Delete, or die."""
        if not self.left:
            raise RuntimeError(table)
        self.left -= 1
        self._engine.delete_all(table, keys)


@pytest.mark.parametrize("number", range(4))
def test_it_may_die_anywhere_and_be_repeated(stage: World, number: int) -> None:
    """The second time ends with the same; no job is ever without the freeze that holds it."""
    suspend(stage)
    dying = _Dying(stage, number)
    options: dict[str, Any] = {"exported": None, "even_at_work": True, "now": LATER}
    with pytest.raises(RuntimeError):
        erase(reached(stage, engine=dying), ACME, **options)
    held = ("acme#restrictions", "in_force") in left(stage, ACME)
    jobs = [pk for pk, sk in left(stage, ACME) if sk == "job"]

    assert held or not jobs
    assert stage.tenants.get(ACME).status is TenantStatus.ERASED
    erased(stage, now=after(3_600))
    assert left(stage, ACME) == [("tenants", ACME)]


def test_a_writer_that_goes_on_is_told_of(stage: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is not said to be erased while records appear again."""
    suspend(stage)
    engine = stage.tables.engine
    monkeypatch.setattr(type(engine), "delete_all", lambda *_: None)

    with pytest.raises(NotErased, match="are there again"):
        erased(stage)


def test_an_import_brings_nothing_of_it_back(stage: World, tmp_path: Path) -> None:
    """A file of the whole stage from before stores what others have lost, and names the erased."""
    file = tmp_path / "stage.jsonl"
    export_stage(reached(stage), file, tenant=None, history=True, now=NOW)
    suspend(stage)
    erased(stage)
    counts = import_stage(reached(stage), file, now=LATER)

    assert left(stage, ACME) == [("tenants", ACME)]
    assert {path.split("/")[-3] for path in stage.blobs.blobs} == {"acme-eu", OTHER}
    assert counts.erased[ACME] > 30
    assert counts.erased.keys() == {ACME}
    assert counts.data()["erased"] == dict(counts.erased)


def test_the_auditor_misses_nothing_of_an_erased_tenant(stage: World) -> None:
    """Its cursors named jobs that were gone: each tick reported them as lost, for a month."""
    stage.audit()
    suspend(stage, at=stage.clock.now())
    stage.clock.advance(SETTLES_AFTER.total_seconds())
    known = left(stage, OTHER)
    erased(stage, now=stage.clock.now())
    audited = [stage.audit() for _ in range(2)]

    assert [each.lost for each in audited] == [0, 0]
    assert left(stage, ACME) == [("tenants", ACME)]
    # The other tenant's jobs have their cursors.
    assert [key for key in known if key[0].startswith("#audit#")] != []
    assert {key for key in known if key[0].startswith("#audit#live#")} <= {*left(stage, OTHER)}
