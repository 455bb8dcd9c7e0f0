"""A job that cannot be read keeps no other from moving."""

from pathlib import Path

import pytest

from infra.admin.erasing import erase
from infra.admin.moving import export_stage, import_stage
from tests.support.factories import NOW, OTHER_TENANT, TENANT, job_id
from tests.support.moving.stages import opened, reached
from tests.unit.infra.test_export_file import Cut
from timegate.domain.moving.erasure import SETTLES_AFTER, ExportOutdated
from timegate.domain.restrictions.freeze import ThawPolicy
from timegate.domain.tenants.suspension import suspended, suspension_freeze


@pytest.mark.parametrize("pages", [None, 1])
def test_what_an_export_left_out_is_not_erased_by_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, pages: int | None
) -> None:
    """Also if the export was cut short behind it and went on: it is named again."""
    world, file = opened(), tmp_path / "file"
    monkeypatch.setattr("infra.admin.moving.PAGE", 1_000 if pages is None else 1)
    for name in ("sound", "damaged"):
        world.add_job(job_id=job_id(name))
    freeze = suspension_freeze(TENANT, thaw=ThawPolicy.JOB, reason="", now=NOW)
    before = world.tenants.get(TENANT)
    assert world.tenants.put(TENANT, before, suspended(before, freeze), freeze=freeze)
    world.tables.damaged.add((TENANT, job_id("damaged")))
    while True:
        engine = world.tables.engine if pages is None else Cut(world.tables.engine, pages)
        try:
            done = export_stage(
                reached(world, engine=engine), file, tenant=TENANT, history=True, now=NOW
            )
            break
        except SystemExit:
            pages = (pages or 0) + 1
    (named,) = done.data()["unknown"]

    assert job_id("damaged") in named
    with pytest.raises(ExportOutdated, match="left 1 records out"):
        erase(reached(world), TENANT, exported=file, even_at_work=False, now=NOW + SETTLES_AFTER)


def test_an_unreadable_job_is_named_and_left_out(tmp_path: Path) -> None:
    """Jobs of its tenant and of others move."""
    old, new = opened(), opened()
    for tenant, name in ((TENANT, "sound"), (TENANT, "damaged"), (OTHER_TENANT, "other")):
        old.add_job(tenant=tenant, job_id=job_id(name))
    old.tables.damaged.add((TENANT, job_id("damaged")))
    done = export_stage(reached(old), tmp_path / "file", tenant=None, history=False, now=NOW)
    import_stage(reached(new, "prod-b"), tmp_path / "file", now=NOW)
    (named,) = done.counts.unknown

    assert job_id("damaged") in named
    assert "cannot be read" in named
    assert {each.job_id for each in new.tables.jobs.values()} == {job_id("sound"), job_id("other")}
