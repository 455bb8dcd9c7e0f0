"""Streaks of a tenant's rules as items: a partition for each tenant, sorted by rule."""

from collections.abc import Mapping

from timegate.adapters.dynamo.tables.codec import Part
from timegate.adapters.dynamo.tables.keys import Key
from timegate.adapters.dynamo.tables.reading import reader_of, text
from timegate.adapters.dynamo.tables.values import Plain
from timegate.adapters.dynamo.tables.writes import Insert, Replace
from timegate.domain.rules.rule import StreakCondition
from timegate.domain.rules.streak import Streak, StreakId
from timegate.domain.values.identity import JobId, RunId
from timegate.domain.values.tenant import TenantId

_STREAK = Part(Streak, without=("tenant", "id"), always=("revision",))
#: Open streaks have it: a query names it.
_OPEN = "open"


def streaks_pk(tenant: TenantId) -> str:
    """The partition of a tenant's streaks; no job's id is such a word."""
    return f"{tenant}#rules#streaks"


def streak_key(tenant: TenantId, streak: StreakId) -> Key:
    """The key of a streak."""
    return Key(pk=streaks_pk(tenant), sk=streak_position(streak))


def streak_position(streak: StreakId) -> str:
    """The sort key of a streak."""
    run = f"#{streak.run}" if streak.run is not None else ""
    return f"{streak.rule_id}#{streak.condition}#{streak.job_id}{run}"


def streak_write(table: str, streak: Streak) -> Insert | Replace:
    """Build the one write that decides about a streak: it is as it was read, or nothing."""
    key = streak_key(streak.tenant, streak.id)
    fields = {
        "pk": key.pk,
        "sk": key.sk,
        "tenant": streak.tenant,
        **_STREAK.fields(streak),
        "state": _OPEN if streak.is_open else "ended",
        "expires_at": int(streak.forgotten_at.timestamp()),
    }
    if streak.revision == 1:
        return Insert(table=table, fields=fields, as_of=streak.told_at)
    return Replace(table=table, fields=fields, where={"revision": streak.revision - 1})


@reader_of("streak of a rule")
def streak_from_fields(fields: Mapping[str, Plain]) -> Streak:
    """Read a streak back; raises ``Malformed``."""
    rule_id, condition, job_id, *run = text(fields["sk"]).split("#")
    its_id = StreakId(
        rule_id=JobId(rule_id),
        condition=StreakCondition(condition),
        job_id=JobId(job_id),
        run=RunId.parse(run[0]) if run else None,
    )
    return _STREAK.read(fields, tenant=TenantId(text(fields["tenant"])), id=its_id)


#: The filter of open streaks.
ONLY_OPEN = {"state": [_OPEN]}
