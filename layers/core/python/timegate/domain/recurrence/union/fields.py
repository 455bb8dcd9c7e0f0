"""Names of the fields of a union's members: ``schedule.any_of.1.cron``."""

from collections.abc import Iterator
from contextlib import contextmanager

from timegate.domain.recurrence.kinds.kind import BOUNDS
from timegate.domain.recurrence.schedule import MEMBER_KINDS
from timegate.domain.values.errors import InvalidInput

#: Said of such a field in a member.
BESIDE_ANY_OF = "It belongs to the union as a whole. Write it beside any_of."
#: Said of a member that runs once, and of a union within a union.
NOT_A_MEMBER = f"A member recurs, and is no union itself: {', '.join(sorted(MEMBER_KINDS))}."


@contextmanager
def within_member(number: int) -> Iterator[None]:
    """Name the member in what is refused, by its field; members are counted from 0.

    A field that the union has for all keeps its name, and the detail names the member.
    """
    member = f"any_of.{number}"
    try:
        yield
    except InvalidInput as refused:
        name = refused.field.removeprefix("schedule").removeprefix(".")
        if name in BOUNDS:
            detail = f"{member}: {refused.detail}"
            raise InvalidInput(refused.field, refused.code, detail) from refused
        field = ".".join(filter(None, ("schedule", member, name)))
        raise InvalidInput(field, refused.code, refused.detail) from refused
