"""Reading notification rules."""

from timegate.domain.rules.rule import Rule
from timegate.domain.values.tenant import TenantId
from timegate.ports.stores import NamedPage
from timegate.usecases.services.api_services import ApiServices


def read_rule(tenant: TenantId, name: str, services: ApiServices) -> Rule:
    """One rule; raises ``RuleNotFound``."""
    return services.rules.get_rule(tenant, name)


def list_rules(
    tenant: TenantId, services: ApiServices, *, limit: int, cursor: str | None
) -> NamedPage[Rule]:
    """The tenant's rules, by name; raises ``InvalidInput`` for a cursor that is none."""
    return services.rules.list_rules(tenant, limit=limit, cursor=cursor)
