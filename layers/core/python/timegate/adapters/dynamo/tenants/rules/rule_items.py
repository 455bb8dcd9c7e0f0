"""Rules of a tenant, and the watch over them, as items of one partition."""

from collections.abc import Mapping
from datetime import datetime

from timegate.adapters.dynamo.tables.codec import Part
from timegate.adapters.dynamo.tables.keys import (
    WATCH_BUCKET,
    Key,
    parse_watch_key,
    rule_key,
    rules_pk,
)
from timegate.adapters.dynamo.tables.reading import reader_of, text
from timegate.adapters.dynamo.tables.values import Plain
from timegate.domain.rules.held_events import HeldEvents
from timegate.domain.rules.rule import Rule, rule_id_of
from timegate.domain.rules.watch import RuleWatch
from timegate.domain.values.identity import JobId
from timegate.domain.values.instants import compact
from timegate.domain.values.tenant import TenantId

Fields = Mapping[str, Plain]

HELD_PREFIX = "held#"
_RULE = Part(Rule, always=("version", "enabled"))
_WATCH = Part(RuleWatch, without=("tenant",), always=("step", "revision"))
_HELD = Part(HeldEvents, without=("rule_id",), always=("revision",))


def rule_to_fields(rule: Rule) -> dict[str, Plain]:
    """The whole item of a rule."""
    key = rule_key(rule.tenant, rule.rule_id)
    return {"pk": key.pk, "sk": key.sk, **_RULE.fields(rule)}


@reader_of("notification rule")
def rule_from_fields(fields: Fields) -> Rule:
    """Read a rule back; raises ``Malformed``."""
    return _RULE.read(fields)


def deleted_rule_to_fields(rule: Rule, *, expires_at: datetime) -> dict[str, Plain]:
    """Build the record of a deleted rule: a new one of its name goes on counting versions."""
    key = rule_key(rule.tenant, rule_id_of(rule.tenant, rule.name))
    return {
        "pk": key.pk,
        "sk": key.sk,
        "version": rule.version,
        "deleted": True,
        "expires_at": int(expires_at.timestamp()),
    }


def watch_fields(watch: RuleWatch) -> dict[str, Plain]:
    """Build the fields that a look may change; ``None`` removes a field."""
    return _WATCH.fields(watch)


def placed(due_at: datetime) -> dict[str, Plain]:
    """The attributes of the index ``due``."""
    return {"due_bucket": WATCH_BUCKET, "due_at": compact(due_at)}


@reader_of("watch over rules")
def watch_from_fields(fields: Fields) -> RuleWatch:
    """Read a watch back; raises ``Malformed``."""
    tenant = parse_watch_key(text(fields["pk"]), text(fields["sk"]))
    return _WATCH.read(fields, tenant=tenant)


def held_key(tenant: TenantId, rule_id: JobId) -> Key:
    """The key of what a rule holds back."""
    return Key(pk=rules_pk(tenant), sk=f"{HELD_PREFIX}{rule_id}")


def held_to_fields(tenant: TenantId, held: HeldEvents) -> dict[str, Plain]:
    """The whole item of held events."""
    key = held_key(tenant, held.rule_id)
    return {"pk": key.pk, "sk": key.sk, **_HELD.fields(held)}


@reader_of("held events of a rule")
def held_from_fields(fields: Fields) -> HeldEvents:
    """Read held events back; raises ``Malformed``."""
    return _HELD.read(fields, rule_id=JobId(text(fields["sk"]).removeprefix(HELD_PREFIX)))
