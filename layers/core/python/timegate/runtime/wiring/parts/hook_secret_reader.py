"""Wiring of what reads the secrets of web hooks."""

from timegate.adapters.targets.hook_secrets import ReadHookSecrets
from timegate.adapters.targets.secret_reader import SecretReader
from timegate.ports.clock import Clock
from timegate.runtime.settings import Targets
from timegate.runtime.wiring.parts.target_rules import target_rules
from timegate.runtime.wiring.parts.targets import TenantClients


def hook_secret_reader(targets: Targets, clock: Clock, *, role_arn: str) -> ReadHookSecrets:
    """Read secrets with a tenant's session of the role; none of its clients is built yet."""
    acting = TenantClients(clock, role_arn=role_arn)
    reader = SecretReader(
        secrets=lambda region: acting.client("secretsmanager", region=region),
        parameters=lambda region: acting.client("ssm", region=region),
        rules=target_rules(targets, role_arn=role_arn),
        clock=clock,
    )
    return ReadHookSecrets(reader, clock)
