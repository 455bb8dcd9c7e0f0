"""Conditional writes of one item, before an engine puts them into its own words."""

from collections.abc import Mapping, Sequence
from dataclasses import field
from datetime import datetime
from typing import TypeAlias

from timegate.adapters.dynamo.tables.keys import Key
from timegate.adapters.dynamo.tables.values import Plain
from timegate.value_classes import dataclass

#: The item that a refused write met, if the write asked for it.
Found: TypeAlias = dict[str, Plain] | None


@dataclass(frozen=True, kw_only=True, slots=True)
class Compared:
    """A comparison with a field; bounds that are not given are not compared."""

    equal: Plain = None
    above: Plain = None
    below: Plain = None
    at_most: Plain = None
    #: Holds for an item without the field as well.
    or_missing: bool = False


#: Fields that all have to be so. ``None``: the field is missing; a plain value: it is equal.
Where: TypeAlias = Mapping[str, "Plain | Compared"]


@dataclass(frozen=True, kw_only=True, slots=True)
class Insert:
    """Store a new item; refused when its key exists.

    DynamoDB deletes an expired item days late: until then it stands there, and counts as gone.
    """

    table: str
    #: ``None`` is left out.
    fields: Mapping[str, Plain]
    #: An item that has expired by then is replaced; ``None``: every item that is there counts.
    as_of: datetime | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Update:
    """Set and remove fields of an item that is as ``where`` says."""

    table: str
    key: Key
    #: ``None`` removes a field.
    fields: Mapping[str, Plain]
    #: The map within the item that ``fields``, ``removed`` and ``where`` speak of; none: the item.
    within: tuple[str, ...] = ()
    removed: Sequence[str] = ()
    #: Numbers that are taken out of sets.
    taken: Mapping[str, frozenset[int]] = field(default_factory=dict)
    #: Amounts that are added to numbers, and numbers that are put into sets, missing ones included.
    added: Mapping[str, int | frozenset[int]] = field(default_factory=dict)
    #: Fields that are set where they are missing.
    first: Mapping[str, Plain] = field(default_factory=dict)
    #: Texts that are put behind those of a list, a missing one included.
    appended: Mapping[str, Sequence[str]] = field(default_factory=dict)
    where: Where
    #: Holds instead of ``where``.
    or_where: Where = field(default_factory=dict)
    #: Store a new item where there is none; ``where`` must allow it.
    creates: bool = False
    #: Report the item that the condition refused.
    shows_refused: bool = False
    #: Report the item as the write leaves it.
    shows_stored: bool = False

    @property
    def kept(self) -> dict[str, Plain]:
        """Return the fields that are set."""
        return {name: value for name, value in self.fields.items() if value is not None}

    @property
    def gone(self) -> list[str]:
        """Return the fields that are removed."""
        return [*self.removed, *(name for name, value in self.fields.items() if value is None)]


@dataclass(frozen=True, kw_only=True, slots=True)
class Replace:
    """Store an item in the place of one that is as ``where`` says."""

    table: str
    #: The whole item; ``None`` is left out.
    fields: Mapping[str, Plain]
    where: Where
    #: Report the item that the condition refused.
    shows_refused: bool = False


@dataclass(frozen=True, kw_only=True, slots=True)
class Put:
    """Store an item, whatever is there; within a transaction, where another write is guarded."""

    table: str
    #: The whole item; ``None`` is left out.
    fields: Mapping[str, Plain]


@dataclass(frozen=True, kw_only=True, slots=True)
class Count:
    """Count one more, as long as that makes no more than ``at_most``."""

    table: str
    key: Key
    at_most: int | None = None
    by: int = 1
    #: When the record is forgotten, in seconds of Unix; ``None``: never.
    expires_at: int | None = None


Write: TypeAlias = Insert | Update | Replace | Count
#: Writes of a batch of statements.
Statement: TypeAlias = Insert | Update


@dataclass(frozen=True, kw_only=True, slots=True)
class WriteResult:
    """A write's effect, and the item that it met or left, if the write asked for it."""

    done: bool
    found: Found = None
    stored: Found = None
