"""Items of an earlier release are read, and what a later one adds is left alone.

During a canary both write the same tables: each reads what the other has written.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.contract.shapes.known_kinds import KINDS
from tests.contract.shapes.written_items import HERE, fields_of, stored, written

SHAPES = sorted(HERE.glob("*.json"))
#: An attribute and a part of a map that no code knows.
LATER: dict[str, Any] = {"later": {"kind": "unknown", "count": 3}}


def cases() -> list[Any]:
    """Every item of every shape."""
    return [
        pytest.param(kind, fields_of(item), id=f"{shape.stem}-{kind}-{number}")
        for shape in SHAPES
        for kind, items in sorted(stored(shape).items())
        for number, item in enumerate(items)
    ]


@pytest.mark.parametrize(("kind", "fields"), cases())
def test_an_item_of_an_earlier_release_is_read(kind: str, fields: Mapping[str, Any]) -> None:
    """And written anew by this one, it is read as the same record."""
    found = KINDS[kind]
    record = found.read(fields)
    again = record
    if kind in {"jobs", "attempts", "dag_runs"}:
        fresh = {name: each for name, each in found.to_fields(record).items() if each is not None}
        again = found.read({**fields, **fresh})

    assert again == record


@pytest.mark.parametrize(("kind", "fields"), cases())
def test_an_attribute_of_a_later_release_is_passed_over(
    kind: str, fields: Mapping[str, Any]
) -> None:
    """Beside the attributes that are known, and within maps."""
    found = KINDS[kind]
    within = {
        name: {**value, **LATER}
        for name, value in fields.items()
        if isinstance(value, dict) and name not in OPEN_MAPS
    }

    assert found.read({**fields, **LATER}) == found.read(fields)
    assert found.read({**fields, **within}) == found.read(fields)


def latest(kind: str) -> list[dict[str, Any]]:
    """The items of a kind in the last shape that has it."""
    return next(found[kind] for found in map(stored, reversed(SHAPES)) if kind in found)


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_attributes_that_an_earlier_release_needs_are_still_written(kind: str) -> None:
    """Attributes that every earlier item has are written in the same type."""
    before = latest(kind)
    needed = set(before[0]).intersection(*before)
    types = {(name, form) for item in before for name, value in item.items() for form in value}
    known = {name for name, _ in types}

    for item in written().get(kind, []):
        found = {(name, form) for name, value in item.items() if name in known for form in value}
        assert needed <= item.keys()
        assert found <= types


#: Maps whose keys are data: a further key is a further entry.
OPEN_MAPS = {"tags", "metadata", "holders", "headers", "calendars"}


def test_a_shape_has_every_kind_of_record() -> None:
    """A kind that is new is in the next shape; one that is gone has still to be read."""
    named = {kind for shape in SHAPES for kind in stored(shape)}

    assert set(written()) <= named <= set(KINDS)


def test_shapes_are_numbered() -> None:
    """One for each release whose items may still lie in a table."""
    assert [Path(shape).stem for shape in SHAPES] == [str(n + 1) for n in range(len(SHAPES))]
