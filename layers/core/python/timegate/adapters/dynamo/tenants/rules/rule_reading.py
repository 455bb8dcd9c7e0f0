"""The partition of a tenant's rules, read as a whole: one query."""

from dataclasses import field

from timegate.adapters.dynamo.tables.engine import Engine, Query, rows
from timegate.adapters.dynamo.tables.keys import RULE_PREFIX, WATCH_SK, rules_pk
from timegate.adapters.dynamo.tables.reading import number
from timegate.adapters.dynamo.tenants.rules.rule_items import (
    HELD_PREFIX,
    held_from_fields,
    rule_from_fields,
    watch_from_fields,
)
from timegate.domain.rules.held_events import HeldEvents
from timegate.domain.rules.rule import Rule
from timegate.domain.rules.watch import RuleWatch
from timegate.domain.values.errors import Malformed
from timegate.domain.values.identity import JobId
from timegate.domain.values.tenant import TenantId
from timegate.value_classes import dataclass


@dataclass(kw_only=True, slots=True)
class ReadRules:
    """Everything of the partition."""

    watch: RuleWatch | None = None
    rules: dict[JobId, Rule] = field(default_factory=dict)
    held: dict[JobId, HeldEvents] = field(default_factory=dict)
    #: Versions of deleted rules: a new one of the name goes on counting.
    deleted: dict[JobId, int] = field(default_factory=dict)
    #: By sort key: the damage of records that cannot be read.
    damaged: dict[str, str] = field(default_factory=dict)

    def rule(self, rule_id: JobId) -> Rule | None:
        """Return a rule, before it is changed.

        Raises ``Malformed`` where it, or the watch over it, is there and cannot be read.
        """
        for sk in (f"{RULE_PREFIX}{rule_id}", WATCH_SK):
            if sk in self.damaged:
                raise Malformed(self.damaged[sk])
        return self.rules.get(rule_id)


def read_rules(engine: Engine, table: str, tenant: TenantId) -> ReadRules:
    """Read the partition, strongly consistent. A record that is damaged hides no other."""
    read = ReadRules()
    query = Query(table=table, of=rules_pk(tenant), consistent=True)
    for fields in rows(engine, query):
        sk = str(fields["sk"])
        try:
            if sk == WATCH_SK:
                read.watch = watch_from_fields(fields)
            elif sk.startswith(HELD_PREFIX):
                held = held_from_fields(fields)
                read.held[held.rule_id] = held
            elif "deleted" in fields:
                read.deleted[JobId(sk.removeprefix(RULE_PREFIX))] = number(fields["version"])
            else:
                rule = rule_from_fields(fields)
                read.rules[rule.rule_id] = rule
        except Malformed as malformed:
            read.damaged[sk] = f"{sk}: {malformed}"
    return read
