"""Event triggers as items, in a partition of their tenant; and addresses of web hooks."""

from collections.abc import Mapping
from datetime import datetime, timedelta

from timegate.adapters.dynamo.tables.codec import Part
from timegate.adapters.dynamo.tables.keys import Key
from timegate.adapters.dynamo.tables.reading import Fields, mapping, number, reader_of, text
from timegate.adapters.dynamo.tables.values import Plain
from timegate.domain.event_triggers.event_trigger import (
    EventTrigger,
    EventTriggerName,
    Hook,
    HookId,
    HookPlace,
)
from timegate.domain.values.tenant import TenantId

NAMES_SK = "names"
TRIGGER_PREFIX = "trigger#"
#: A new trigger of a deleted one's name goes on counting versions for so long.
KEPT_DELETED = timedelta(days=1)
_TRIGGER = Part(EventTrigger, without=("tenant",), always=("version",))
_HOOK = Part(Hook)


def triggers_pk(tenant: TenantId) -> str:
    """The partition of a tenant's event triggers; no job's id is such a word."""
    return f"{tenant}#event-triggers"


def names_key(tenant: TenantId) -> Key:
    """The key of the record of all names, which every change replaces."""
    return Key(pk=triggers_pk(tenant), sk=NAMES_SK)


def trigger_key(tenant: TenantId, name: str) -> Key:
    """The key of a trigger."""
    return Key(pk=triggers_pk(tenant), sk=f"{TRIGGER_PREFIX}{name}")


def hook_key(hook_id: HookId) -> Key:
    """The key of an address: a partition of its own. No tenant's name begins with a ``#``."""
    return Key(pk=f"#hooks#{hook_id}", sk="hook")


def names_to_fields(
    tenant: TenantId, names: Mapping[str, int], *, revision: int
) -> dict[str, Plain]:
    """Build the record of all names, with the version of each."""
    key = names_key(tenant)
    return {"pk": key.pk, "sk": key.sk, "revision": revision, "names": dict(names)}


@reader_of("names of event triggers")
def names_from_fields(fields: Fields) -> dict[str, int]:
    """Read the names back; raises ``Malformed``."""
    return {name: number(version) for name, version in mapping(fields["names"]).items()}


def trigger_to_fields(trigger: EventTrigger) -> dict[str, Plain]:
    """The whole item of a trigger."""
    key = trigger_key(trigger.tenant, trigger.name)
    return {"pk": key.pk, "sk": key.sk, **_TRIGGER.fields(trigger)}


def deleted_to_fields(
    tenant: TenantId, name: str, *, version: int, now: datetime
) -> dict[str, Plain]:
    """Build the record of a deleted trigger: functions delete no item themselves."""
    key = trigger_key(tenant, name)
    expires_at = int((now + KEPT_DELETED).timestamp())
    return {
        "pk": key.pk,
        "sk": key.sk,
        "version": version,
        "deleted": True,
        "expires_at": expires_at,
    }


def trigger_from_fields(tenant: TenantId, fields: Fields) -> EventTrigger:
    """Read a trigger back; raises ``Malformed``."""

    @reader_of("event trigger")
    def read(fields: Fields) -> EventTrigger:
        return _TRIGGER.read(fields, tenant=tenant)

    return read(fields)


def hook_to_fields(hook_id: HookId, place: HookPlace) -> dict[str, Plain]:
    """Build the item of an address."""
    key = hook_key(hook_id)
    return {
        "pk": key.pk,
        "sk": key.sk,
        "tenant": place.tenant,
        "trigger": place.name,
        "hook": _HOOK.map(place.hook),
    }


def forgotten_hook_to_fields(hook_id: HookId, *, now: datetime) -> dict[str, Plain]:
    """Build the item of an address that leads nowhere any more."""
    key = hook_key(hook_id)
    return {"pk": key.pk, "sk": key.sk, "expires_at": int(now.timestamp())}


@reader_of("address of a web hook")
def hook_from_fields(fields: Fields) -> HookPlace | None:
    """Read an address back; ``None``: it leads nowhere. Raises ``Malformed``."""
    if "trigger" not in fields:
        return None
    return HookPlace(
        tenant=TenantId(text(fields["tenant"])),
        name=EventTriggerName(text(fields["trigger"])),
        hook=_HOOK.read(fields["hook"]),
    )
