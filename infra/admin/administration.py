"""``timegate admin keys``: API keys with which the stage's administration asks."""

from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from datetime import datetime

from infra.admin.account.operator_session import operator_session
from infra.admin.stage_access import OPERATOR, StageAccess, access_needed, described_stage
from timegate.adapters.dynamo.tenants.api_key_store import DynamoApiKeyStore
from timegate.domain.tenants.api_key import MAX_KEYS, ApiKey, free_slot, slot_of
from timegate.domain.values.instants import rfc3339
from timegate.domain.values.tenant import ADMINISTRATION
from timegate.domain.values.tenant_errors import ApiKeyNotFound, TenantChanged, TooManyApiKeys
from timegate.usecases.tenants.api_keys import Issuing, MadeKey, NewKey, issue

RIGHTS = (
    "cloudformation:DescribeStacks, dynamodb:Query and BatchGetItem on the stage's table of jobs,"
    " and dynamodb:PutItem to make or revoke a key"
)


@dataclass(frozen=True, kw_only=True, slots=True)
class AdministrationKeys:
    """Keys of a stage's administration, in its table."""

    access: StageAccess

    @property
    def store(self) -> DynamoApiKeyStore:
        """Keys on record, to be read."""
        return DynamoApiKeyStore(self.access.engine, table=self.access.jobs_table)

    def on_record(self, *, now: datetime) -> Sequence[ApiKey]:
        """Return all keys that can be read; ended ones for 30 days more."""
        return self.store.list_keys(ADMINISTRATION, now=now).keys

    def make(self, name: str, new_seed: Callable[[], bytes], *, now: datetime) -> MadeKey:
        """Make a key; raises ``TooManyApiKeys``, and ``TenantChanged`` after losing a race."""
        found = self.store.list_keys(ADMINISTRATION, now=now)
        there = {key.slot: key for key in found.keys}
        unreadable = [slot for slot, _ in found.damaged]
        slot = free_slot(there.values(), now=now, unreadable=unreadable)
        if slot is None:
            raise TooManyApiKeys(MAX_KEYS)
        asked, issuing = NewKey(name=name, scopes=()), Issuing(by=OPERATOR, new_seed=new_seed)
        made = issue(ADMINISTRATION, slot, asked, issuing, now=now)
        if not self._changed("create", now).put(there.get(slot), made.key):
            raise TenantChanged(ADMINISTRATION)
        return made

    def found(self, key_id: str) -> ApiKey:
        """Return a key; raises ``ApiKeyNotFound``."""
        slot = slot_of(key_id)
        key = self.store.get(ADMINISTRATION, slot) if slot is not None else None
        if key is None or key.key_id != key_id:
            raise ApiKeyNotFound(key_id)
        return key

    def revoke(self, key_id: str, *, now: datetime) -> ApiKey:
        """Let a key open nothing more; one that was revoked stays as it is.

        Raises ``ApiKeyNotFound``, and ``TenantChanged`` after losing a race.
        """
        key = self.found(key_id)
        if key.revoked_at is not None:
            return key
        revoked = replace(key, revoked_at=now)
        if not self._changed("revoke", now).put(key, revoked):
            raise TenantChanged(ADMINISTRATION)
        return revoked

    def _changed(self, command: str, now: datetime) -> DynamoApiKeyStore:
        """Keys whose changes leave entries in the stage's audit trail."""
        access = self.access
        trail = access.trail(f"keys.{command}", by=access.principal(), now=now)
        return DynamoApiKeyStore(access.engine, table=access.jobs_table, audit=trail)


def api_url(stage: str) -> str:
    """Return the address of a stage's API; raises ``NoAccess`` and ``NoStage``."""
    with access_needed(RIGHTS), closing(operator_session().client("cloudformation")) as stacks:
        return described_stage(stacks, stage, part="Api").outputs["ApiUrl"]


def key_answer(key: ApiKey, *, now: datetime) -> dict[str, object]:
    """Return a key as the API answers it, without what proves it."""
    ended = "expired" if key.has_ended(now) else "active"
    return {
        "key_id": key.key_id,
        "name": key.name,
        "status": "revoked" if key.revoked_at is not None else ended,
        "scopes": ["admin"],
        "created_at": rfc3339(key.created_at),
        "created_by": key.created_by,
        "expires_at": rfc3339(key.ends_at),
        "revoked_at": None if key.revoked_at is None else rfc3339(key.revoked_at),
    }
