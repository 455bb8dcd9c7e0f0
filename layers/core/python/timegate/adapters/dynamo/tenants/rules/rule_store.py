"""Notification rules in the jobs table, changed together with the watch over them."""

import random
import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import datetime, timedelta

from timegate.adapters.dynamo.audit_trail.audit_writes import AuditWrites
from timegate.adapters.dynamo.tables.engine import Engine
from timegate.adapters.dynamo.tables.keys import RULE_PREFIX, rule_key, watch_key
from timegate.adapters.dynamo.tables.transactions import write_together
from timegate.adapters.dynamo.tables.writes import Insert, Put, Replace, Update, Write
from timegate.adapters.dynamo.tenants.rules.bound_writes import bound_writes
from timegate.adapters.dynamo.tenants.rules.rule_items import (
    deleted_rule_to_fields,
    held_to_fields,
    placed,
    rule_from_fields,
    rule_to_fields,
    watch_fields,
)
from timegate.adapters.dynamo.tenants.rules.rule_reading import ReadRules, read_rules
from timegate.adapters.dynamo.tenants.rules.rule_watches import DynamoRuleWatches
from timegate.adapters.page_cursor import read_cursor, write_cursor
from timegate.domain.rules.errors import RuleNotFound, RuleVersionMismatch, TooManyRules
from timegate.domain.rules.held_events import HeldEvents
from timegate.domain.rules.rule import MAX_DELETED_RULES, MAX_RULES, Rule, rule_id_of
from timegate.domain.rules.watch import RuleWatch
from timegate.domain.values.errors import Throttled
from timegate.domain.values.identity import JobId
from timegate.domain.values.tenant import TenantId
from timegate.ports.stores import NamedPage
from timegate.value_classes import dataclass

#: Lost races before the caller hears of it. One of those who race always wins.
TRIES = 10
_LONGEST_PAUSE_SECONDS = 0.2


@dataclass(frozen=True, kw_only=True, slots=True)
class _Change:
    """A rule that is put or deleted."""

    outcome: Rule
    writes: list[Write | Put]
    #: The tenant's rules after it.
    rules: Mapping[JobId, Rule]


class DynamoRuleStore(DynamoRuleWatches):
    """One item each; a change raises the revision of the watch, or writes nothing."""

    def __init__(
        self,
        engine: Engine,
        *,
        table: str,
        retention_days: int,
        audit: AuditWrites | None = None,
        pause: Callable[[float], None] = time.sleep,
    ) -> None:
        super().__init__(engine, table=table)
        self._retention = timedelta(days=retention_days)
        self._audit = audit or AuditWrites(table=table)
        self._pause = pause

    def put_rule(self, rule: Rule, *, expected_version: int | None, now: datetime) -> Rule:
        """Store a rule in place of the one of its name; returns it with its new version.

        Raises ``Malformed`` for one that cannot be read: an operator repairs it.
        """

        def decide(read: ReadRules) -> _Change:
            before = read.rule(rule.rule_id)
            _check_version(rule.name, before, expected_version)
            if before is None:
                _check_room(rule.rule_id, read)
            stored = read.deleted.get(rule.rule_id, 0) if before is None else before.version
            succeeding = rule if before is None else rule.succeeding(before)
            after = replace(succeeding, version=stored + 1)
            told = self._audit.rule(rule.tenant, rule.name, before, after)
            return _Change(
                outcome=after,
                writes=[_in_place(self._table, after, stored), *told],
                rules={**read.rules, after.rule_id: after},
            )

        return self._change(rule.tenant, decide, now)

    def get_rule(self, tenant: TenantId, name: str) -> Rule:
        """A rule, strongly consistent; raises ``RuleNotFound``."""
        found = self._engine.get(self._table, rule_key(tenant, rule_id_of(tenant, name)))
        if found is None or "deleted" in found:
            raise RuleNotFound(name)
        return rule_from_fields(found)

    def delete_rule(
        self, tenant: TenantId, name: str, *, expected_version: int | None, now: datetime
    ) -> Rule:
        """Forget a rule; returns it. ``RuleNotFound`` comes before ``RuleVersionMismatch``.

        Raises ``Malformed`` as ``put_rule``.
        """

        def decide(read: ReadRules) -> _Change:
            before = read.rule(rule_id_of(tenant, name))
            if before is None:
                raise RuleNotFound(name)
            _check_version(name, before, expected_version)
            until = now + self._retention
            fields = deleted_rule_to_fields(before, expires_at=until)
            gone = Replace(table=self._table, fields=fields, where={"version": before.version})
            forgotten = _forgotten(self._table, before, read, until)
            told = self._audit.rule(tenant, name, before, None)
            others = {key: rule for key, rule in read.rules.items() if key != before.rule_id}
            return _Change(outcome=before, writes=[gone, *forgotten, *told], rules=others)

        return self._change(tenant, decide, now)

    def list_rules(self, tenant: TenantId, *, limit: int, cursor: str | None) -> NamedPage[Rule]:
        """The rules of a tenant, by name: one query. The last page has those that are damaged."""
        listing = f"rules#{tenant}"
        first = read_cursor(listing, cursor) if cursor is not None else ""
        read = read_rules(self._engine, self._table, tenant)
        found = sorted(read.rules.values(), key=lambda rule: rule.name)
        rest = [rule for rule in found if rule.name >= first]
        more = rest[limit].name if len(rest) > limit else None
        damaged = {
            each: told for each, told in read.damaged.items() if each.startswith(RULE_PREFIX)
        }
        return NamedPage(
            rows=tuple(rest[:limit]),
            # Its name is within the record.
            damaged=tuple(damaged.items()) if more is None else (),
            cursor=write_cursor(listing, more) if more is not None else None,
        )

    def _change(
        self,
        tenant: TenantId,
        decide: Callable[[ReadRules], _Change],
        now: datetime,
    ) -> Rule:
        """Decide about what is there, and store it if that is there still; else decide again."""
        for attempt in range(TRIES):
            read = read_rules(self._engine, self._table, tenant)
            change = decide(read)
            watch = self._watching(tenant, read, now)
            bounds = bound_writes(self._engine, self._table, tenant, read.rules, change.rules)
            if write_together(self._engine, [*change.writes, *bounds, watch]):
                return change.outcome
            longest = min(0.01 * 2**attempt, _LONGEST_PAUSE_SECONDS)
            self._pause(random.uniform(0, longest))  # noqa: S311 - spreads contenders
        raise Throttled("The tenant's rules are fought over.")

    def _watching(self, tenant: TenantId, read: ReadRules, now: datetime) -> Update:
        """Build the write of the watch: looks go on, or begin anew after a rest."""
        before = read.watch
        if before is not None and any(rule.enabled for rule in read.rules.values()):
            fields = {"revision": before.revision + 1, **placed(now)}
        else:
            # No rule tells of events from the time while none was enabled.
            step, revision = (before.step, before.revision) if before is not None else (0, 0)
            begun = RuleWatch(
                tenant=tenant,
                step=step + 1,
                revision=revision + 1,
                seen_until=now,
                walked_at=now,
            )
            fields = {**watch_fields(begun), **placed(now)}
        return Update(
            table=self._table,
            key=watch_key(tenant),
            fields=fields,
            where={"revision": before.revision if before is not None else None},
            creates=before is None,
        )


def _forgotten(table: str, rule: Rule, read: ReadRules, until: datetime) -> list[Write]:
    """Forget what a rule holds back: it is none of a later one's of its name.

    A look that read the rule before cannot store more of it: the revision is another one.
    """
    before = read.held.get(rule.rule_id)
    if before is None and rule.quiet_hours is None:
        return []
    empty = (before or HeldEvents(rule_id=rule.rule_id)).told()
    fields = {**held_to_fields(rule.tenant, empty), "expires_at": int(until.timestamp())}
    if before is None:
        return [Insert(table=table, fields=fields)]
    return [Replace(table=table, fields=fields, where={"revision": before.revision})]


def _check_version(name: str, stored: Rule | None, expected: int | None) -> None:
    version = stored.version if stored is not None else 0
    if expected not in {None, version}:
        raise RuleVersionMismatch(name, version)


def _check_room(new: JobId, read: ReadRules) -> None:
    """Refuse one rule too many; raises ``TooManyRules``."""
    if len(read.rules) + len(read.damaged) >= MAX_RULES:
        raise TooManyRules(MAX_RULES)
    # A name that was used before adds no record.
    if new not in read.deleted and len(read.deleted) >= MAX_DELETED_RULES:
        raise TooManyRules(MAX_RULES, deleted=len(read.deleted))


def _in_place(table: str, rule: Rule, stored: int) -> Insert | Replace:
    fields = rule_to_fields(rule)
    if stored == 0:
        return Insert(table=table, fields=fields)
    return Replace(table=table, fields=fields, where={"version": stored})
