"""Requirements on the members of a union, before a job is created with it."""

from collections.abc import Callable

from timegate.domain.recurrence.kinds.kind import BOUNDS, MemberKind
from timegate.domain.recurrence.kinds.registry import kind_of
from timegate.domain.recurrence.schedule import MAX_DATES, MEMBER_KINDS, Schedule, ScheduleKind
from timegate.domain.recurrence.union.fields import (
    BESIDE_ANY_OF,
    NOT_A_MEMBER,
    within_member,
)
from timegate.domain.values.errors import InvalidInput

#: One schedule needs no union. Each question to a union is put to every member, and the job's
#: record, which each advance writes whole, holds them all.
MIN_MEMBERS, MAX_MEMBERS = 2, 8

_NUMBER = f"A union has {MIN_MEMBERS} to {MAX_MEMBERS} members."
_DEFAULT = Schedule(kind=ScheduleKind.UNION)


def check_members(union: Schedule, *, check_member: Callable[[Schedule], None]) -> None:
    """Refuse members that do not recur, have fields of the union, or name nothing of their own.

    ``check_member`` judges a member by itself, within the bounds of the union. Raises
    ``InvalidInput`` naming the field.
    """
    if len(union.any_of) < MIN_MEMBERS:
        raise InvalidInput("schedule.any_of", "too_short", _NUMBER)
    if len(union.any_of) > MAX_MEMBERS:
        raise InvalidInput("schedule.any_of", "too_long", _NUMBER)
    for at, (written, bounded) in enumerate(zip(union.any_of, union.members, strict=True)):
        _check_fields(at, written)
        with within_member(at):
            check_member(bounded)
    if sum(len(each.exdates) + len(each.rdates) for each in union.any_of) > MAX_DATES:
        detail = f"All members together may have {MAX_DATES} dates in exdates and rdates."
        raise InvalidInput("schedule.any_of", "too_complex", detail)
    for at, member in enumerate(union.members):
        with within_member(at):
            _check_effect(union, at, member)


def _check_fields(at: int, member: Schedule) -> None:
    if member.kind not in MEMBER_KINDS:
        raise InvalidInput(f"schedule.any_of.{at}.kind", "invalid_choice", NOT_A_MEMBER)
    for name in BOUNDS:
        if getattr(member, name) != getattr(_DEFAULT, name):
            field = f"schedule.any_of.{at}.{name}"
            raise InvalidInput(field, "not_for_this_kind", BESIDE_ANY_OF)


def _check_effect(union: Schedule, at: int, member: Schedule) -> None:
    """Refuse a member whose instants another one names as well, as far as that can be told."""
    for other_at, other in enumerate(union.members):
        if other_at == at or not _names_all_of(other, member):
            continue
        if not _names_all_of(member, other):
            detail = f"any_of.{other_at} names each of its instants. Leave it out."
            raise InvalidInput("schedule", "without_effect", detail)
        if other_at < at:
            detail = f"It names the same instants as any_of.{other_at}. Leave one of them out."
            raise InvalidInput("schedule", "duplicate_member", detail)


def _names_all_of(wide: Schedule, narrow: Schedule) -> bool:
    kind = kind_of(wide.kind)
    if wide.kind is not narrow.kind or not isinstance(kind, MemberKind):
        return False
    return kind.names_all_of(wide, narrow)
