"""Late bounds of a tenant's rules, kept with what is in force, which each claim reads anyway."""

from collections.abc import Mapping
from dataclasses import replace

from timegate.adapters.dynamo.restrictions.in_force_writes import in_force_write
from timegate.adapters.dynamo.restrictions.restriction_items import (
    in_force_from_fields,
    in_force_key,
)
from timegate.adapters.dynamo.tables.engine import Engine
from timegate.adapters.dynamo.tables.writes import Insert, Replace
from timegate.domain.restrictions.restrictions import NOTHING_IN_FORCE, LateBound
from timegate.domain.rules.rule import Rule
from timegate.domain.values.identity import JobId
from timegate.domain.values.tenant import TenantId

Rules = Mapping[JobId, Rule]


def bound_writes(
    engine: Engine, table: str, tenant: TenantId, before: Rules, after: Rules
) -> list[Insert | Replace]:
    """Build the write of the bounds, part of the transaction of a rule; none if they stay.

    Rules that ask for no late runs cost neither the read nor the write. A calendar or freeze that
    changes meanwhile refuses the transaction.
    """
    wanted = _bounds(after)
    if not wanted and not _bounds(before):
        return []
    stored = engine.get(table, in_force_key(tenant))
    known = in_force_from_fields(tenant, stored) if stored is not None else NOTHING_IN_FORCE
    if known.late_bounds == wanted:
        return []
    return [in_force_write(table, tenant, stored, replace(known, late_bounds=wanted))]


def _bounds(rules: Rules) -> tuple[LateBound, ...]:
    found = [rules[each].late_bound for each in sorted(rules)]
    return tuple(each for each in found if each is not None)
