"""A job that cannot be read keeps no other from moving."""

from pathlib import Path

from infra.admin.moving import export_stage, import_stage
from tests.support.factories import NOW, OTHER_TENANT, TENANT, job_id
from tests.support.moving.stages import opened, reached


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
