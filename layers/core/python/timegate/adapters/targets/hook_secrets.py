"""Secrets of web hooks, read as those of targets are."""

from datetime import datetime

from timegate.adapters.targets.secret_reader import CACHE_FOR, SecretReader
from timegate.domain.values.secrets import SecretRef
from timegate.domain.values.tenant import TenantId
from timegate.domain.values.tenant_errors import HookUnavailable
from timegate.ports.call_runner import TargetFailed
from timegate.ports.clock import Clock
from timegate.value_classes import dataclass

#: Failures that a process remembers; then it forgets them all.
MAX_FAILURES = 1_000


@dataclass(frozen=True, kw_only=True, slots=True)
class _Failed:
    error: TargetFailed
    at: datetime


class ReadHookSecrets:
    """Reads secrets in a session of their tenant; each is remembered for a minute.

    So is the failure to read one: the requests that cause the reads are not proven yet.
    """

    def __init__(self, reader: SecretReader, clock: Clock) -> None:
        self._reader = reader
        self._clock = clock
        self._failures: dict[tuple[TenantId, SecretRef], _Failed] = {}

    def read(self, tenant: TenantId, secret: SecretRef) -> str:
        """Return a secret's text; raises ``HookUnavailable`` where it cannot be read."""
        now = self._clock.now()
        failed = self._failures.get((tenant, secret))
        if failed is not None and now - failed.at < CACHE_FOR:
            raise HookUnavailable from failed.error
        try:
            return self._reader.read(tenant, secret)
        except TargetFailed as error:
            if len(self._failures) >= MAX_FAILURES:
                self._failures.clear()
            self._failures[tenant, secret] = _Failed(error=error, at=now)
            raise HookUnavailable from error
