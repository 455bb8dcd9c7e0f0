"""Freezes of a whole stage are its own, and move to no other stage."""

import re
from pathlib import Path

import pytest

from infra.admin.moving import export_stage, import_stage
from tests.support.factories import NOW, TENANT, after, freeze_factory, stage_freeze_factory
from tests.support.moving.stages import held, opened, reached
from tests.support.world import World
from timegate.adapters.moving import item_kinds
from timegate.domain.values.tenant import ADMINISTRATION, TenantId

OTHER = TenantId("other")


@pytest.fixture
def frozen() -> World:
    """A stage that is frozen as a whole, and a tenant of it that froze itself as well."""
    world = opened()
    world.restrictions.put_freeze(ADMINISTRATION, stage_freeze_factory(), now=NOW)
    world.restrictions.put_freeze(TENANT, freeze_factory(), now=NOW)
    return world


@pytest.mark.parametrize("history", [False, True])
def test_a_freeze_of_a_stage_holds_no_other_stage_back(
    frozen: World, tmp_path: Path, history: bool
) -> None:
    """Tenants of the other one fire on; a tenant's own freeze goes with it."""
    new = opened()
    export_stage(reached(frozen), tmp_path / "all", tenant=None, history=history, now=NOW)
    import_stage(reached(new, "prod-b"), tmp_path / "all", now=NOW)
    in_force = new.restrictions.in_force([TENANT, OTHER])

    assert in_force[OTHER].freezes == ()
    assert in_force[TENANT].freezes == (freeze_factory(),)
    assert held(new, tenant=ADMINISTRATION) == {}


def test_an_earlier_export_with_a_freeze_of_its_stage_is_imported_without_it(
    frozen: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each tenant has its own freezes alone, and those of this stage."""
    new = opened()
    of_new = stage_freeze_factory(starts_at=after(60))
    new.restrictions.put_freeze(ADMINISTRATION, of_new, now=NOW)
    with monkeypatch.context() as earlier:
        earlier.setattr(item_kinds, "TENANT_NAME", re.compile(".*"))
        export_stage(reached(frozen), tmp_path / "all", tenant=None, history=False, now=NOW)
    assert "_stage#restrictions" in (tmp_path / "all").read_text()
    import_stage(reached(new, "prod-b"), tmp_path / "all", now=NOW)
    in_force = new.restrictions.in_force([TENANT, OTHER])

    assert in_force[OTHER].freezes == (of_new.seen_by(OTHER),)
    assert in_force[TENANT].freezes == (freeze_factory(), of_new.seen_by(TENANT))
