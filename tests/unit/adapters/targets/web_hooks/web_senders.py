"""Senders of web hooks, with what they know of secrets."""

from collections.abc import Iterator
from contextlib import contextmanager

from tests.support.factories import NOW
from timegate.adapters.memory.clock import MemoryClock
from timegate.adapters.targets.kinds.webhook import WebhookTarget
from timegate.adapters.targets.webhook_credentials import ReadSecret
from timegate.domain.actions.target_rules import TargetRules
from timegate.domain.values.secrets import SecretRef
from timegate.domain.values.tenant import TenantId

ANY_PORT = (range(1, 65_536),)


def knowing(**secrets: str) -> ReadSecret:
    """Reads secrets from here: ``crm="…"`` is the parameter ``/crm``."""

    def read(tenant: TenantId, ref: SecretRef) -> str:
        del tenant
        return secrets[(ref.ssm_parameter or "").removeprefix("/")]

    return read


def private_rules(*hosts: str) -> TargetRules:
    """Let these hosts be reached, on any port."""
    return TargetRules(private_hosts=hosts, allowed_ports=ANY_PORT)


@contextmanager
def sender(*private_hosts: str, **secrets: str) -> Iterator[WebhookTarget]:
    """One that closes its connections, and knows these secrets."""
    webhook = WebhookTarget(
        MemoryClock(NOW),
        knowing(**secrets),
        private_rules(*private_hosts),
        api_url="https://api.example.com",
    )
    try:
        yield webhook
    finally:
        webhook.close()
