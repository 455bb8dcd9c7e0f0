"""Rooms of the API build on one another, as subjects of the domain do."""

import re
from pathlib import Path

from tests.architecture.sources import ROOT, name_of, text_of

API = ROOT / "functions" / "api"
#: A room imports rooms of later lines. Rooms of one line import none of each other.
ORDER = (
    {"openapi", "tenants", "events"},
    {"dag_runs", "ledger", "metering", "operations", "pools", "rules", "simulation"},
    {"dags", "previews", "restrictions", "runs"},
    {"ical", "jobs"},
    {"values"},
    {"http"},
)
LEVELS = {room: level for level, rooms in enumerate(ORDER) for room in rooms}
_IMPORTED = re.compile(r"^\s*(?:from|import) api\.(\w+)", re.MULTILINE)


def imported(room: str) -> dict[Path, set[str]]:
    """Other rooms that modules of a room import."""
    modules = (API / room).rglob("*.py")
    return {path: set(_IMPORTED.findall(text_of(path))) & set(LEVELS) - {room} for path in modules}


def test_every_room_has_its_place() -> None:
    """A room without one could import any other."""
    assert {path.parent.name for path in API.glob("*/__init__.py")} == set(LEVELS)


def test_a_room_builds_on_rooms_below_it() -> None:
    """A circle of rooms is one room."""
    upward = {
        (name_of(path), other)
        for room, level in LEVELS.items()
        for path, others in imported(room).items()
        for other in others
        if LEVELS[other] <= level
    }

    assert upward == set()
