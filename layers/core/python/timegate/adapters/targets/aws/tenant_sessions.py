"""Rights on targets: one session of the targets' role for each tenant, which AWS binds to it.

The executor's own role may call no target. It may assume the role of the targets with a session tag
that names the tenant, and that role's policy covers the tenant's resources alone.
"""

from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import field
from datetime import UTC, datetime, timedelta
from functools import cached_property
from threading import Lock
from typing import TYPE_CHECKING

from botocore.credentials import (
    CredentialProvider,
    CredentialResolver,
    Credentials,
    ReadOnlyCredentials,
)
from botocore.exceptions import BotoCoreError, ClientError
from botocore.session import Session

from timegate.adapters.targets.failures import retryable
from timegate.domain.actions.target_names import name_form
from timegate.domain.jobs.retry import Failure
from timegate.domain.values.tenant import TenantId
from timegate.ports.call_runner import TargetFailed
from timegate.ports.clock import Clock
from timegate.value_classes import dataclass

if TYPE_CHECKING:
    from mypy_boto3_sts import STSClient

#: AWS grants a role that assumes another one no more.
SESSION_LENGTH = timedelta(hours=1)
#: A session this close to its end is replaced: clocks differ, and a retry is signed again.
_MARGIN = timedelta(minutes=1)
#: After a refusal, the calls that waited for the same session fail with it.
_REFUSED_FOR = timedelta(seconds=1)
#: The session used longest ago is forgotten first.
MAX_SESSIONS = 1_000
_NEVER = datetime.min.replace(tzinfo=UTC)
_TAG = "tenant"
_MAX_NAME = 64

_ACTING_FOR: ContextVar[TenantId | None] = ContextVar("acting_for", default=None)


@contextmanager
def acting_for(tenant: TenantId) -> Iterator[None]:
    """Sign this thread's calls of targets with the tenant's session."""
    before = _ACTING_FOR.set(tenant)
    try:
        yield
    finally:
        _ACTING_FOR.reset(before)


@dataclass(kw_only=True)
class _Slot:
    """A tenant's session in this process; its lock lets one thread ask for it."""

    lock: Lock = field(default_factory=Lock)
    credentials: ReadOnlyCredentials | None = None
    ends_at: datetime = _NEVER
    failure: Failure | None = None
    failed_until: datetime = _NEVER


class TenantSessions:
    """At most one call of STS for each tenant, process and hour."""

    def __init__(self, sts: "Callable[[], STSClient]", clock: Clock, *, role_arn: str) -> None:
        self._new_sts = sts
        self._clock = clock
        self._role_arn = role_arn
        self._slots: OrderedDict[TenantId, _Slot] = OrderedDict()
        self._lock = Lock()

    def credentials(self, tenant: TenantId) -> ReadOnlyCredentials:
        """The tenant's session, a new one shortly before the old one ends.

        Raises ``TargetFailed`` while STS refuses or does not answer.
        """
        slot = self._slot(tenant)
        with slot.lock:
            now = self._clock.now()
            if slot.credentials is not None and now < slot.ends_at - _MARGIN:
                return slot.credentials
            if slot.failure is not None and now < slot.failed_until:
                raise TargetFailed(slot.failure)
            return self._renew(slot, tenant)

    def _slot(self, tenant: TenantId) -> _Slot:
        with self._lock:
            slot = self._slots.setdefault(tenant, _Slot())
            self._slots.move_to_end(tenant)
            while len(self._slots) > MAX_SESSIONS:
                self._slots.popitem(last=False)
            return slot

    def _renew(self, slot: _Slot, tenant: TenantId) -> ReadOnlyCredentials:
        try:
            slot.credentials, slot.ends_at = self._assume(name_form(tenant))
        except (ClientError, BotoCoreError) as error:
            refused = _unavailable(error)
            slot.failure, slot.failed_until = refused.failure, self._clock.now() + _REFUSED_FOR
            raise refused from error
        return slot.credentials

    def _assume(self, form: str) -> tuple[ReadOnlyCredentials, datetime]:
        answer = self._sts.assume_role(
            RoleArn=self._role_arn,
            # CloudTrail shows this name.
            RoleSessionName=f"timegate-{form}"[:_MAX_NAME],
            Tags=[{"Key": _TAG, "Value": form}],
            DurationSeconds=int(SESSION_LENGTH.total_seconds()),
        )
        given = answer["Credentials"]
        credentials = ReadOnlyCredentials(
            given["AccessKeyId"], given["SecretAccessKey"], given["SessionToken"]
        )
        return credentials, given["Expiration"]

    @cached_property
    def _sts(self) -> "STSClient":
        return self._new_sts()


class TenantCredentials(Credentials):
    """Credentials of whichever tenant the calling thread acts for; none without one."""

    def __init__(self, sessions: TenantSessions) -> None:
        super().__init__(access_key="", secret_key="")
        self._sessions = sessions

    def get_frozen_credentials(self) -> ReadOnlyCredentials:
        """Return the credentials that sign a request."""
        tenant = _ACTING_FOR.get()
        if tenant is None:
            raise RuntimeError("a target was called for no tenant")
        return self._sessions.credentials(tenant)


class _TenantProvider(CredentialProvider):
    METHOD = "timegate-tenant"
    CANONICAL_NAME = "timegate-tenant"

    def __init__(self, credentials: TenantCredentials) -> None:
        super().__init__()
        self._credentials = credentials

    def load(self) -> TenantCredentials:
        return self._credentials


def tenant_session(sessions: TenantSessions) -> Session:
    """A session whose clients act for tenants and have no rights of the process's own."""
    session = Session()
    provider = _TenantProvider(TenantCredentials(sessions))
    session.register_component("credential_provider", CredentialResolver([provider]))
    return session


def _unavailable(error: ClientError | BotoCoreError) -> TargetFailed:
    code = (
        error.response["Error"]["Code"] if isinstance(error, ClientError) else type(error).__name__
    )
    return retryable(
        "tenant_session_unavailable",
        code,
        "AWS gave no session for the tenant's targets; the target was not called.",
    )
