"""Secrets of web hooks, read as those of targets are."""

from timegate.adapters.targets.secret_reader import SecretReader
from timegate.domain.values.secrets import SecretRef
from timegate.domain.values.tenant import TenantId
from timegate.domain.values.tenant_errors import HookUnavailable
from timegate.ports.call_runner import TargetFailed


class ReadHookSecrets:
    """Reads secrets in a session of their tenant; each is remembered for a minute."""

    def __init__(self, reader: SecretReader) -> None:
        self._reader = reader

    def read(self, tenant: TenantId, secret: SecretRef) -> str:
        """Return a secret's text; raises ``HookUnavailable`` where it cannot be read."""
        try:
            return self._reader.read(tenant, secret)
        except TargetFailed as error:
            raise HookUnavailable from error
