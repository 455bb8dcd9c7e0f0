"""Targets that a tenant's jobs may invoke; all others are refused."""

import re
from dataclasses import dataclass
from urllib.parse import SplitResult, urlsplit

from timegate.domain.actions.addresses import is_exempt
from timegate.domain.actions.port_ranges import WEB_PORTS
from timegate.domain.actions.target_names import matches, matches_any, patterns_for
from timegate.domain.values.secrets import SecretRef
from timegate.domain.values.tenant import TenantId

#: The hosts of SQS, in AWS's partitions for the world and for China.
_AWS_HOST = re.compile(r"sqs\.([a-z0-9-]+)\.amazonaws\.com(?:\.cn)?")


@dataclass(frozen=True, kw_only=True, slots=True)
class TargetRules:
    """Patterns with ``*``: ARNs as in the policy that grants each tenant's session its calls.

    ``{tenant}`` stands for the tenant whose job it is, in the form of ``name_form``. A pattern
    without it is shared by all tenants.
    """

    allowed_lambda_targets: tuple[str, ...] = ()
    allowed_queue_targets: tuple[str, ...] = ()
    allowed_topic_targets: tuple[str, ...] = ()
    allowed_bus_targets: tuple[str, ...] = ()
    allowed_state_machine_targets: tuple[str, ...] = ()
    #: ARNs of secrets and parameters.
    allowed_secrets: tuple[str, ...] = ()
    #: Host names that web hooks may reach although their addresses are private.
    private_hosts: tuple[str, ...] = ()
    #: Ports that web hooks may reach, on any host.
    allowed_ports: tuple[range, ...] = WEB_PORTS

    def allows_port(self, port: int) -> bool:
        """Tell whether web hooks may reach the port."""
        return any(port in ports for ports in self.allowed_ports)

    def allows_function(self, tenant: TenantId, arn: str) -> bool:
        """Tell if the function may be invoked for the tenant."""
        return matches_any(arn, patterns_for(tenant, self.allowed_lambda_targets))

    def allows_topic(self, tenant: TenantId, arn: str) -> bool:
        """Tell if the topic may be published to for the tenant."""
        return matches_any(arn, patterns_for(tenant, self.allowed_topic_targets))

    def allows_bus(self, tenant: TenantId, arn: str) -> bool:
        """Tell if events may be put on the bus for the tenant."""
        return matches_any(arn, patterns_for(tenant, self.allowed_bus_targets))

    def allows_state_machine(self, tenant: TenantId, arn: str) -> bool:
        """Tell if executions of the state machine may be started for the tenant."""
        return matches_any(arn, patterns_for(tenant, self.allowed_state_machine_targets))

    def allows_secret(self, tenant: TenantId, ref: SecretRef) -> bool:
        """Tell if a job of this tenant may name the secret."""
        patterns = patterns_for(tenant, self.allowed_secrets)
        if ref.secret_arn is not None:
            return matches_any(ref.secret_arn, patterns)
        # A parameter is named without account and region, which are the stage's own.
        resource = f"parameter{ref.ssm_parameter}"
        fields = [pattern.split(":", 5) for pattern in patterns]
        return any(f[2:3] == ["ssm"] and matches(resource, f[-1]) for f in fields)

    def allows_queue(self, tenant: TenantId, url: str) -> bool:
        """Tell if the queue behind the URL may be sent to for the tenant."""
        queue = QueueName.of(url, self.private_hosts)
        return queue is not None and any(
            queue.matches(pattern) for pattern in patterns_for(tenant, self.allowed_queue_targets)
        )


@dataclass(frozen=True, kw_only=True, slots=True)
class QueueName:
    """Parts of a queue's URL."""

    #: ``None`` where the host does not tell, as with a local cloud's.
    region: str | None
    account: str
    name: str

    @classmethod
    def of(cls, url: str, private_hosts: tuple[str, ...] = ()) -> "QueueName | None":
        """Read ``https://sqs.<region>.amazonaws.com/<account>/<name>``; ``None`` if it is none.

        The host is one of AWS's own for SQS, or one that the stage names, as a local cloud's.
        """
        parts = urlsplit(url)
        account, _, name = parts.path.removeprefix("/").partition("/")
        is_local = is_exempt(parts.hostname or "", private_hosts)
        region = None if is_local else _region(parts)
        if not (region or (is_local and parts.scheme in {"http", "https"})):
            return None
        if not account.isdigit():
            return None
        if not name or "/" in name or parts.query or parts.fragment or "@" in parts.netloc:
            return None
        return cls(region=region, account=account, name=name)

    def matches(self, pattern: str) -> bool:
        """Tell if an ARN pattern covers it; a Region that the URL omits counts as covered."""
        fields = pattern.split(":", 5)
        own = ["arn", "*", "sqs", self.region, self.account, self.name]
        if len(fields) != len(own):
            return pattern == "*"
        return all(
            value in {None, "*"} or matches(str(value), allowed)
            for value, allowed in zip(own, fields, strict=True)
        )


def _region(url: SplitResult) -> str | None:
    """Return the region of a queue at AWS; ``None``: the URL is none of SQS's own."""
    found = _AWS_HOST.fullmatch(url.netloc)
    return found[1] if found and url.scheme == "https" else None
