"""``timegate admin erase``, and what it refuses."""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta

import pytest

from infra.admin import stage_access
from infra.admin.stage_access import StageAccess
from tests.functional.cli.conftest import Outcome
from tests.support.factories import NOW
from tests.support.moving.stages import held, opened, reached
from tests.support.tenants.sample_tenant import inhabit
from tests.support.world import World
from timegate.domain.moving.erasure import SETTLES_AFTER
from timegate.domain.restrictions.freeze import ThawPolicy
from timegate.domain.tenants.suspension import suspended, suspension_freeze
from timegate.domain.values.tenant import TenantId

Timegate = Callable[..., Outcome]
ACME = TenantId("acme")
ERASE = ("admin", "erase", "acme", "--stage", "prod")


@pytest.fixture
def stage(monkeypatch: pytest.MonkeyPatch) -> World:
    """A stage with a tenant that was suspended long enough ago."""
    world = opened()
    inhabit(world, ACME)
    since = NOW - SETTLES_AFTER - timedelta(minutes=1)
    before = world.tenants.get(ACME)
    freeze = suspension_freeze(ACME, thaw=ThawPolicy.JOB, reason="", now=since)
    world.tenants.put(ACME, before, suspended(before, freeze), freeze=freeze)

    @contextmanager
    def connected(stage: str, *, rights: str) -> Iterator[StageAccess]:
        assert "DeleteItem" in rights
        yield reached(world, stage)

    monkeypatch.setattr(stage_access, "connected", connected)
    return world


def test_a_tenant_is_erased(timegate: Timegate, stage: World) -> None:
    """Counts for programs; one record stays."""
    there = len(held(stage, tenant=ACME))
    outcome = timegate(*ERASE, "--not-exported", "--at-work", "--json")

    # Its settings stay; the address of its web hook lies in a partition of the stage's.
    assert outcome.json == {"tenant": "acme", "records": there - 1 + 1, "blobs": 0}
    assert [key[1:] for key in held(stage, tenant=ACME)] == [("tenants", "acme")]


def test_a_person_reads_how_much_was_erased(timegate: Timegate, stage: World) -> None:
    """Without ``--json``, by name."""
    outcome = timegate(*ERASE, "--not-exported", "--at-work")

    assert outcome.code == 0
    assert re.search(r"records\s+\d+", outcome.out)
    assert len(held(stage, tenant=ACME)) == 1


@pytest.mark.parametrize(
    ("words", "why"),
    [
        ((), "--exported FILE, or say --not-exported"),
        (("--not-exported",), "tenant_at_work"),
    ],
)
def test_what_is_not_said_is_not_erased(
    timegate: Timegate, stage: World, words: tuple[str, ...], why: str
) -> None:
    """The export, and runs at work."""
    there = held(stage, tenant=ACME)
    outcome = timegate(*ERASE, *words)

    assert outcome.code != 0
    assert why in " ".join(outcome.err.split())
    assert held(stage, tenant=ACME) == there


def test_it_is_asked_for(timegate: Timegate, stage: World, agreed: Callable[[], None]) -> None:
    """A script says ``--yes``."""
    agreed()
    there = held(stage, tenant=ACME)

    assert timegate(*ERASE, "--not-exported", "--at-work").code != 0
    assert held(stage, tenant=ACME) == there
