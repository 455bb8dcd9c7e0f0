"""Secrets of web hooks, in memory."""

from timegate.domain.values.secrets import SecretRef
from timegate.domain.values.tenant import TenantId
from timegate.domain.values.tenant_errors import HookUnavailable


class MemoryHookSecrets:
    """The twin of ``ReadHookSecrets``: has the secrets that it is given."""

    def __init__(self) -> None:
        self.texts: dict[tuple[TenantId, SecretRef], str] = {}
        #: Each question.
        self.asked: list[tuple[TenantId, SecretRef]] = []

    def read(self, tenant: TenantId, secret: SecretRef) -> str:
        """Return a secret's text; raises ``HookUnavailable`` for one that is not there."""
        self.asked.append((tenant, secret))
        text = self.texts.get((tenant, secret))
        if text is None:
            raise HookUnavailable
        return text
