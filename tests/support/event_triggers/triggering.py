"""Event triggers to begin with, and messages as senders sign them."""

import hmac
import json
from base64 import b64encode
from collections.abc import Mapping
from datetime import datetime
from hashlib import sha256
from typing import Any

from tests.support.factories import NOW, TENANT
from tests.support.world import World
from timegate.domain.actions import signatures
from timegate.domain.event_triggers.event_trigger import (
    EventTrigger,
    EventTriggerName,
    Hook,
    HookId,
    HookScheme,
    StartsJob,
)
from timegate.domain.values.identity import JobId
from timegate.domain.values.secrets import SecretRef
from timegate.domain.values.tenant import TenantId


def key_of(tenant: TenantId) -> str:
    """A tenant's key; of no stage, as every key in the repository."""
    return f"whsec_{b64encode(sha256(f'hook of {tenant}'.encode()).digest()).decode()}"


KEY = key_of(TENANT)
#: GitHub's keys are any text.
PLAIN_KEY = "the one of the sample"
HOOK_ID = HookId("hkq5w2m7d3v6xjz4nthe2pyrba")
JOB = JobId("f45yzns2tqd44elwkoh3t4kpiq")


def secret_of(tenant: TenantId) -> SecretRef:
    """The place of a tenant's secret, which the stage's lists allow."""
    return SecretRef(ssm_parameter=f"/timegate-target/{tenant}/hook")


def trigger_factory(**given: Any) -> EventTrigger:  # noqa: ANN401 - any field
    """A trigger for paid orders."""
    fields: dict[str, Any] = {
        "tenant": TENANT,
        "name": EventTriggerName("orders"),
        "pattern": '{"type":["order.paid"]}',
        "starts": StartsJob(job_id=JOB),
        "created_at": NOW,
        "updated_at": NOW,
    }
    return EventTrigger(**{**fields, **given})


def hook_trigger(tenant: TenantId = TENANT, **given: Any) -> EventTrigger:  # noqa: ANN401
    """A trigger with a web hook that takes everything."""
    hook = Hook(scheme=HookScheme.STANDARD, secret=secret_of(tenant))
    fields = {"name": EventTriggerName("deployments"), "pattern": "{}", "hook_id": HOOK_ID}
    return trigger_factory(**{"tenant": tenant, "hook": hook, **fields, **given})


def settle(world: World, *triggers: EventTrigger) -> None:
    """Put triggers there, and their secrets."""
    for trigger in triggers:
        world.event_triggers.put(trigger.tenant, trigger, expected_version=None)
        if trigger.hook is not None:
            is_standard = trigger.hook.scheme is HookScheme.STANDARD
            key = key_of(trigger.tenant) if is_standard else PLAIN_KEY
            world.hook_secrets.texts[trigger.tenant, trigger.hook.secret] = key


def signed(
    body: str, *, message_id: str = "msg_1", key: str = KEY, at: datetime = NOW
) -> Mapping[str, str]:
    """The headers of a message that its sender signs then."""
    return signatures.headers(message_id, body.encode(), [key], now=at)


def signed_by_github(
    body: str, *, message_id: str = "d1", key: str = PLAIN_KEY, event: str = "push"
) -> Mapping[str, str]:
    """The headers of a delivery of GitHub's."""
    made = hmac.new(key.encode(), body.encode(), sha256).hexdigest()
    return {
        "X-GitHub-Delivery": message_id,
        "X-GitHub-Event": event,
        "X-Hub-Signature-256": f"sha256={made}",
    }


def cloud_event(**given: Any) -> dict[str, Any]:  # noqa: ANN401 - any JSON
    """An event of a paid order."""
    fields: dict[str, Any] = {
        "specversion": "1.0",
        "id": "e1",
        "source": "shop",
        "type": "order.paid",
        "data": {"order": "o-17", "total": 120},
    }
    return {**fields, **given}


def as_body(value: object) -> str:
    """JSON text."""
    return json.dumps(value)
