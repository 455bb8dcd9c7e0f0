"""Imports of calendar files, while other writers change the calendar."""

from dataclasses import replace

import pytest

from tests.support.api import api_services
from tests.support.execution.restricting import a_world, closed, put
from tests.support.factories import NOW, TENANT
from tests.support.world import World
from timegate.domain.values.errors import CalendarVersionMismatch
from timegate.usecases.restrictions.import_calendar import (
    Imported,
    ImportInto,
    Read,
    import_calendar,
)

BEFORE = closed(0, 60)


def read_while_others_write(world: World) -> Read:
    """Another writer puts the calendar while the file is read."""

    def read(_: str | None) -> Imported:
        put(world, replace(BEFORE, description="meanwhile"))
        return Imported(timezone="UTC", days=(), periods=(), events=0, occurrences=0)

    return read


def test_an_import_keeps_what_another_writer_changed_meanwhile() -> None:
    """Its days and periods replace those of the version that is stored by then."""
    world = a_world()
    put(world, BEFORE)
    into = ImportInto(tenant=TENANT, name=BEFORE.name)
    stored, _ = import_calendar(into, read_while_others_write(world), api_services(world), now=NOW)

    assert (stored.version, stored.periods, stored.description) == (3, (), "meanwhile")


def test_an_import_of_one_version_replaces_no_other() -> None:
    """The writer in between stays."""
    world = a_world()
    put(world, BEFORE)
    into = ImportInto(tenant=TENANT, name=BEFORE.name, expected_version=1)
    with pytest.raises(CalendarVersionMismatch):
        import_calendar(into, read_while_others_write(world), api_services(world), now=NOW)

    assert world.restrictions.get_calendar(TENANT, BEFORE.name).version == 2
