"""Looks at a tenant's rules: the watch over them, and their streaks."""

from collections.abc import Collection, Mapping
from datetime import datetime

from timegate.adapters.dynamo.tables.engine import Query
from timegate.adapters.dynamo.tables.keys import LOOK_DONE, LOOK_DUE, watch_key
from timegate.adapters.dynamo.tables.reading import Fields, unexpired
from timegate.adapters.dynamo.tables.writes import Update
from timegate.adapters.dynamo.tenants.rules.rule_items import (
    watch_fields,
)
from timegate.adapters.dynamo.tenants.rules.rule_looks import DynamoRuleLooks
from timegate.adapters.dynamo.tenants.rules.rule_reading import read_rules
from timegate.adapters.dynamo.tenants.rules.streak_items import (
    ONLY_OPEN,
    streak_from_fields,
    streak_key,
    streaks_pk,
)
from timegate.domain.rules.streak import Streak, StreakId
from timegate.domain.rules.watch import RuleWatch
from timegate.domain.values.errors import Malformed
from timegate.domain.values.tenant import TenantId
from timegate.ports.rules import DamagedStreak, RulesAtHand


class DynamoRuleWatches(DynamoRuleLooks):
    """The part of the store that looks use."""

    def rules_at_hand(self, tenant: TenantId) -> RulesAtHand | None:
        """Rules, watch and held events: one query."""
        read = read_rules(self._engine, self._table, tenant)
        if read.watch is None:
            return None
        return RulesAtHand(
            watch=read.watch,
            rules=tuple(sorted(read.rules.values(), key=lambda rule: rule.name)),
            held=read.held,
            damaged=tuple(read.damaged.values()),
        )

    def advance(self, before: RuleWatch, after: RuleWatch) -> bool:
        """Store how far a look came; one that has more work shows the watch again."""
        fields = watch_fields(after)
        del fields["revision"]
        update = Update(
            table=self._table,
            key=watch_key(before.tenant),
            fields={
                **fields,
                "step": before.step + 1,
                "look": LOOK_DUE if after.has_more else LOOK_DONE,
            },
            where={"step": before.step},
        )
        return self._engine.write(update).done

    def rest(self, watch: RuleWatch) -> bool:
        """Take the watch out of the index ``due``."""
        update = Update(
            table=self._table,
            key=watch_key(watch.tenant),
            fields={"step": watch.step + 1, "look": LOOK_DONE, "due_bucket": None, "due_at": None},
            where={"step": watch.step, "revision": watch.revision},
        )
        return self._engine.write(update).done

    def streaks(
        self, tenant: TenantId, wanted: Collection[StreakId], *, now: datetime
    ) -> Mapping[StreakId, Streak | DamagedStreak]:
        """Streaks that are on record."""
        keys = {each: streak_key(tenant, each) for each in wanted}
        there = self._engine.get_all({self._table: [*keys.values()]})[self._table] if keys else {}
        found = unexpired(there, now)
        return {each: _read(found[key]) for each, key in keys.items() if key in found}

    def open_streaks(
        self, tenant: TenantId, *, limit: int, after: str | None, now: datetime
    ) -> tuple[tuple[Streak | DamagedStreak, ...], str | None]:
        """Open streaks behind a place, and the place behind which others are."""
        pk = streaks_pk(tenant)
        page = self._engine.query(
            Query(
                table=self._table,
                of=pk,
                only=ONLY_OPEN,
                as_of=now,
                limit=limit,
                after={"pk": pk, "sk": after} if after is not None else None,
                consistent=True,
            )
        )
        read = tuple(_read(fields) for fields in page.items)
        return read, str(page.last["sk"]) if page.last is not None else None


def _read(fields: Fields) -> Streak | DamagedStreak:
    try:
        return streak_from_fields(fields)
    except Malformed as damage:
        return DamagedStreak(position=str(fields["sk"]), reason=str(damage))
