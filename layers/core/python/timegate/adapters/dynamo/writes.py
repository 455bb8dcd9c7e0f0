"""Conditional writes of one item, before they are put into DynamoDB's words."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from timegate.adapters.dynamo.keys import Key
from timegate.adapters.dynamo.values import Plain

#: What a write that was refused by its condition found, if it asked.
Found: TypeAlias = dict[str, Plain] | None


@dataclass(frozen=True, kw_only=True, slots=True)
class Insert:
    """Store a new item; refused when its key exists."""

    table: str
    #: ``None`` and empty maps are left out.
    fields: Mapping[str, Plain]


@dataclass(frozen=True, kw_only=True, slots=True)
class Update:
    """Set and remove fields of an item that is as ``where`` says."""

    table: str
    key: Key
    #: ``None`` removes a field.
    fields: Mapping[str, Plain]
    removed: Sequence[str] = ()
    #: Numbers that are taken out of sets.
    taken: Mapping[str, frozenset[int]] = field(default_factory=dict)
    #: ``None``: the field is missing.
    where: Mapping[str, Plain]
    #: Report the item that the condition refused.
    shows_refused: bool = False
    #: Numbers that grow by one.
    raised: Sequence[str] = ()

    @property
    def kept(self) -> dict[str, Plain]:
        """The fields that are set."""
        return {name: value for name, value in self.fields.items() if value is not None}

    @property
    def gone(self) -> list[str]:
        """The fields that are removed."""
        return [*self.removed, *(name for name, value in self.fields.items() if value is None)]


@dataclass(frozen=True, kw_only=True, slots=True)
class Replace:
    """Store an item in the place of one that is as ``where`` says."""

    table: str
    #: The whole item; ``None`` and empty maps are left out.
    fields: Mapping[str, Plain]
    #: ``None``: the field is missing.
    where: Mapping[str, Plain]


@dataclass(frozen=True, kw_only=True, slots=True)
class Put:
    """Store an item, whatever is there; within a transaction, where another write is guarded."""

    table: str
    #: The whole item; ``None`` and empty maps are left out.
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


@dataclass(frozen=True, kw_only=True, slots=True)
class Result:
    """Whether a write took effect, and what was there if it did not."""

    done: bool
    found: Found = None
