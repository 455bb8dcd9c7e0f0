"""Targets that a tenant's jobs may invoke; all others are refused."""

from collections.abc import Mapping
from dataclasses import field

from timegate.domain.actions.port_ranges import WEB_PORTS
from timegate.domain.actions.target_names import matches, matches_any, patterns_for
from timegate.domain.values.secrets import SecretRef
from timegate.domain.values.tenant import TenantId
from timegate.value_classes import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class TargetRules:
    """Patterns with ``*``: ARNs as in the policy that grants each tenant's session its calls.

    ``{tenant}`` stands for the tenant whose job it is, in the form of ``name_form``. A pattern
    without it is shared by all tenants.
    """

    #: Each list has the name of the kind of action that it is for.
    allowed: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    #: ARNs of secrets and parameters.
    allowed_secrets: tuple[str, ...] = ()
    #: Host names that web hooks may reach although their addresses are private.
    private_hosts: tuple[str, ...] = ()
    #: Ports that web hooks may reach, on any host.
    allowed_ports: tuple[range, ...] = WEB_PORTS

    def allows_port(self, port: int) -> bool:
        """Tell whether web hooks may reach the port."""
        return any(port in ports for ports in self.allowed_ports)

    def allows(self, listed: str, tenant: TenantId, arn: str) -> bool:
        """Tell if the tenant's jobs may name the resource; ``listed``: the list's name."""
        return matches_any(arn, self.patterns(listed, tenant))

    def patterns(self, listed: str, tenant: TenantId) -> list[str]:
        """Return the patterns of a list, for the tenant."""
        return patterns_for(tenant, self.allowed.get(listed, ()))

    def allows_secret(self, tenant: TenantId, ref: SecretRef) -> bool:
        """Tell if a job of this tenant may name the secret."""
        patterns = patterns_for(tenant, self.allowed_secrets)
        if ref.secret_arn is not None:
            return matches_any(ref.secret_arn, patterns)
        # A parameter is named without account and region, which are the stage's own.
        resource = f"parameter{ref.ssm_parameter}"
        fields = [pattern.split(":", 5) for pattern in patterns]
        return any(f[2:3] == ["ssm"] and matches(resource, f[-1]) for f in fields)
