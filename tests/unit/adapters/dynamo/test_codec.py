"""The codec writes and reads any value of a type by its hints."""

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from enum import StrEnum
from typing import ClassVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.unit.adapters.dynamo.job_strategies import drawn
from timegate.adapters.dynamo.tables.codec import Part, codec_of
from timegate.adapters.dynamo.tables.values import Plain, from_attribute, to_attribute
from timegate.domain.actions.action import Action
from timegate.domain.actions.kinds.aws_lambda import LambdaAction
from timegate.domain.dag_runs.progress import DagRun, Intervention
from timegate.domain.dags.definition import Task
from timegate.domain.dispatch.shards import OpenShards
from timegate.domain.jobs.definition import PlanDefinition
from timegate.domain.ledger.ledger import Gap
from timegate.domain.ledger.worker_log import LogBatch
from timegate.domain.operations.operation import Operation
from timegate.domain.restrictions.freeze import Freeze
from timegate.domain.runs.resolution import Resolution
from timegate.domain.tenants.audit_trail import Stamp
from timegate.domain.tenants.tenant_settings import TenantSettings
from timegate.domain.values.errors import Malformed

STORED = [
    *(DagRun, Freeze, Gap, Intervention, LogBatch, Operation, OpenShards, Resolution),
    *(Stamp, Task, TenantSettings),
]
NINE = datetime(2026, 11, 21, 9, tzinfo=UTC)


class Colour(StrEnum):
    """Colours of a box."""

    RED = "red"
    BLUE = "blue"


@dataclass(frozen=True, kw_only=True)
class Box:
    """A value with a field of each kind."""

    type: ClassVar[str] = "box"
    name: str
    made_at: datetime | None
    colour: Colour = Colour.RED
    weight: float = 1.0
    is_open: bool = False
    #: A box without one is something else than a box with the usual one.
    day: date | None = date(2026, 1, 1)
    times: tuple[datetime, ...] = ()
    places: frozenset[int] = frozenset({1})
    inner: "Box | None" = None
    labels: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class Bag:
    """Another member of a union."""

    type: ClassVar[str] = "bag"
    size: int = 1


BOX = Box(name="a", made_at=None)
write_box, read_box = codec_of(Box)
write_thing, read_thing = codec_of(Box | Bag)


def stored(value: Plain) -> Plain:
    """The value as DynamoDB gives it back."""
    return from_attribute(to_attribute(value))


@pytest.mark.parametrize("kind", STORED, ids=lambda kind: kind.__name__)
@given(data=st.data())
def test_every_stored_type_is_read_as_it_was_written(kind: Hashable, data: st.DataObject) -> None:
    """The codec of a type reads back every value that it wrote."""
    value = data.draw(drawn(kind))
    write, read = codec_of(kind)

    assert value == read(stored(write(value)))


@given(drawn(Box))
def test_defaults_and_none_are_told_apart(box: Box) -> None:
    """A map holds ``None`` where a field has another default."""
    assert box == read_box(stored(write_box(box)))


def test_a_field_at_its_default_is_left_out() -> None:
    """A record is billed by its bytes."""
    assert write_box(BOX) == {"name": "a"}
    assert write_box(Box(name="a", made_at=NINE, day=None, places=frozenset())) == {
        "name": "a",
        "made_at": "20261121T090000000Z",
        "day": None,
        "places": [],
    }


def test_an_unknown_attribute_is_ignored() -> None:
    """A later version of the code may have written it."""
    assert read_box({"name": "a", "smell": "sweet"}) == BOX


def test_instants_are_one_text_of_seconds() -> None:
    """Milliseconds are written where there are any."""
    times = (NINE, NINE + timedelta(milliseconds=7))

    assert write_box(Box(name="a", made_at=None, times=times)) == {
        "name": "a",
        "times": "1795251600 1795251600.007",
    }


def test_a_member_of_a_union_is_named_by_its_type() -> None:
    """Members share no other mark."""
    assert write_thing(Bag(size=2)) == {"type": "bag", "size": 2}
    assert read_thing({"type": "bag"}) == Bag()
    assert read_thing({"type": "box", "name": "a"}) == BOX


@pytest.mark.parametrize(
    ("item", "reason"),
    [
        ({}, "name is missing."),
        ({"name": 5}, "name: 5 is no text."),
        ({"name": "a", "weight": True}, "weight: True is no number."),
        ({"name": "a", "is_open": 1}, "is_open: 1 is no truth value."),
        ({"name": "a", "colour": "pink"}, "colour: 'pink' is not a valid Colour"),
        ({"name": "a", "made_at": "9 h"}, "made_at: instant: '9 h' is no instant."),
        ({"name": "a", "day": "1 May"}, "day: Invalid isoformat string: '1 May'"),
        ({"name": "a", "times": "1 x"}, "times: invalid literal for int() with base 10: 'x'"),
        ({"name": "a", "places": "1"}, "places: '1' is no set of numbers."),
        ({"name": "a", "labels": {"x": 1.5}}, "labels: 1.5 is no whole number."),
        ({"name": "a", "labels": ["x"]}, "labels: ['x'] is no map."),
        ({"name": "a", "inner": {"name": "b", "colour": 1}}, "inner: colour: 1 is not a valid"),
        ("box", "'box' is no map."),
    ],
    ids=str,
)
def test_damage_is_named_by_its_path(item: Plain, reason: str) -> None:
    """An operator repairs the attribute that the reason names."""
    with pytest.raises(Malformed) as malformed:
        read_box(item)

    assert str(malformed.value).startswith(reason)


@pytest.mark.parametrize("tag", [None, "jar", 5, ["box"]], ids=str)
def test_an_unknown_member_is_damage(tag: Plain) -> None:
    """After a rollback there may be records of a later version."""
    with pytest.raises(Malformed, match=r"is no type of box, bag\."):
        read_thing({"type": tag})


def test_a_part_has_the_attributes_that_it_names() -> None:
    """The other fields are given by who reads the item."""
    part = Part(Box, only=("name", "colour"), names={"colour": "tint"}, always=("colour",))

    assert part.fields(BOX) == {"name": "a", "tint": "red"}
    assert part.field("colour", Colour.BLUE) == {"tint": "blue"}
    assert part.unset == {"name": None, "tint": None}
    assert part.read({"name": "a", "tint": "red"}, made_at=NINE) == Box(name="a", made_at=NINE)


def test_an_attribute_at_its_default_is_removed() -> None:
    """An update must leave no older value."""
    part = Part(Bag)

    assert part.fields(Bag()) == {"size": None}
    assert part.field("size", 1) == {"size": None}


def test_a_part_within_a_map_is_one_attribute() -> None:
    """Damage in it is named with the map."""
    part = Part(PlanDefinition, within="plan")

    assert Part(Bag, within="bag").fields(Bag(size=2)) == {"bag": {"size": 2}}
    assert Part(Bag, within="bag").arguments({}) == {}
    with pytest.raises(Malformed, match=r"^plan: schedule: kind is missing\.$"):
        part.arguments({"plan": {"schedule": {}}})


def test_an_item_cannot_tell_none_from_another_default() -> None:
    """Such a field is stored within a map, or always written."""
    with pytest.raises(TypeError, match="day may be None"):
        Part(Box).fields(BOX)
    part = Part(Box, only=("day",), always=("day",))

    assert part.fields(Box(name="a", made_at=None, day=None)) == {"day": None}
    assert part.arguments({}) == {"day": None}


@pytest.mark.parametrize("hint", [object, Mapping[int, str], frozenset[str]], ids=str)
def test_a_type_that_items_do_not_hold_is_refused(hint: Hashable) -> None:
    """A new field finds out in its first test."""
    with pytest.raises(TypeError, match="Items hold no"):
        codec_of(hint)


def test_an_action_names_its_type() -> None:
    """Its fields follow from its class."""
    write, read = codec_of(Action)
    action = LambdaAction(function_arn="arn")

    assert write(action) == {"type": "lambda", "function_arn": "arn"}
    assert read({"type": "lambda", "function_arn": "arn"}) == action
