"""Secrets, read when they are needed and remembered for a moment."""

import json
from collections.abc import Callable
from concurrent.futures import Future
from datetime import datetime, timedelta
from threading import Lock
from typing import TYPE_CHECKING, Generic, TypeVar

from botocore.exceptions import BotoCoreError, ClientError

from timegate.adapters.targets.aws.aws_failures import NOT_PERMITTED
from timegate.adapters.targets.aws.tenant_sessions import acting_for
from timegate.adapters.targets.failures import not_permitted, permanent, retryable
from timegate.domain.actions.target_rules import TargetRules, secret_place
from timegate.domain.values.secrets import SecretRef
from timegate.domain.values.tenant import TenantId
from timegate.ports.clock import Clock
from timegate.value_classes import dataclass

if TYPE_CHECKING:
    from mypy_boto3_secretsmanager import SecretsManagerClient
    from mypy_boto3_ssm import SSMClient

#: A secret that was rotated is used so much later at the latest; until then the old one must do.
CACHE_FOR = timedelta(seconds=60)
#: A target's refusal has a secret read anew, which a hostile target orders this often at most.
RENEWED_AFTER = timedelta(seconds=1)
#: Secrets that a worker remembers; it reads those of further targets again.
_MAX_REMEMBERED = 1_000

_NOT_FOUND = frozenset(
    {
        "InvalidRequestException",  # marked for deletion
        "ParameterNotFound",
        "ParameterVersionNotFound",
        "ResourceNotFoundException",
    }
)
_NOT_READABLE = frozenset(
    {
        "DecryptionFailure",
        "InvalidKeyId",
        "InvalidParameterException",
        "ValidationException",
    }
)


Client = TypeVar("Client")

#: A tenant, and the ARN or the parameter that keeps a secret of it.
_Key = tuple[TenantId, str | None, str | None]


@dataclass(frozen=True, kw_only=True, slots=True)
class _Read:
    text: str
    at: datetime


class _Clients(Generic[Client]):
    """Clients by region, of which the stage's operator allows a few; ``None``: the own one."""

    def __init__(self, build: "Callable[[str | None], Client]") -> None:
        self._build = build
        self._built: dict[str | None, Client] = {}
        self._lock = Lock()

    def of(self, region: str | None) -> Client:
        """Return the client of a region, which is built at its first read."""
        with self._lock:
            if region not in self._built:
                self._built[region] = self._build(region)
            return self._built[region]


class SecretReader:
    """Reads what a stage lets jobs name, in its region; nothing it reads is stored or logged."""

    def __init__(
        self,
        secrets: "Callable[[str | None], SecretsManagerClient]",
        parameters: "Callable[[str | None], SSMClient]",
        rules: TargetRules,
        clock: Clock,
    ) -> None:
        self._secrets = _Clients(secrets)
        self._parameters = _Clients(parameters)
        self._rules = rules
        self._clock = clock
        self._lock = Lock()
        self._remembered: dict[_Key, _Read] = {}
        self._under_way: dict[_Key, Future[str]] = {}

    def read(self, tenant: TenantId, ref: SecretRef) -> str:
        """The secret's text without blanks around it; raises ``TargetFailed``."""
        return self._read(tenant, ref, CACHE_FOR)

    def read_anew(self, tenant: TenantId, ref: SecretRef) -> str:
        """Return the text as it is now, to within a second; raises ``TargetFailed``."""
        return self._read(tenant, ref, RENEWED_AFTER)

    def _read(self, tenant: TenantId, ref: SecretRef, cache_for: timedelta) -> str:
        objection = self._rules.objection(secret_place(ref))
        if objection is not None:
            raise permanent(objection.code, "NotAllowed", f"{_name(ref)}: {objection.detail}")
        if not self._rules.allows_secret(tenant, ref):
            raise permanent("secret_not_allowed", "NotAllowed", f"{_name(ref)} is not allowed.")
        text = self._text(tenant, ref, cache_for).strip()
        if ref.json_key is not None:
            text = _member(text, ref).strip()
        if not text:
            raise _unusable(ref, "is empty")
        return text

    def _text(self, tenant: TenantId, ref: SecretRef, cache_for: timedelta) -> str:
        # Each tenant's by itself: AWS was asked for it with the rights of that tenant.
        key, now = (tenant, ref.secret_arn, ref.ssm_parameter), self._clock.now()
        with self._lock:
            read = self._remembered.get(key)
            if read is not None and now - read.at < cache_for:
                return read.text
            begun = self._under_way.get(key)
            if begun is None:
                own = self._under_way[key] = Future()
        # Runs that begin together ask AWS once: Parameter Store answers 40 times a second.
        return begun.result() if begun is not None else self._read_once(own, key, ref, now)

    def _read_once(self, outcome: "Future[str]", key: _Key, ref: SecretRef, now: datetime) -> str:
        """Read a secret for all calls that wait for its outcome, and remember it."""
        try:
            with acting_for(key[0]):
                text = self._fetch(ref)
        except BaseException as error:
            self._forget_read(key)
            outcome.set_exception(error)
            raise
        self._remember(key, _Read(text=text, at=now))
        outcome.set_result(text)
        return text

    def _remember(self, key: _Key, read: _Read) -> None:
        with self._lock:
            if len(self._remembered) >= _MAX_REMEMBERED:
                self._remembered.clear()
            self._remembered[key] = read
            del self._under_way[key]

    def _forget_read(self, key: _Key) -> None:
        with self._lock:
            del self._under_way[key]

    def _fetch(self, ref: SecretRef) -> str:
        try:
            region = self._rules.other_region(secret_place(ref))
            if ref.ssm_parameter is not None:
                return self._parameter(ref, region)
            return self._secret(ref, region)
        except ClientError as error:
            raise _refused(ref, error) from error
        except BotoCoreError as error:
            kind = type(error).__name__
            raise retryable("secret_unavailable", kind, f"{_name(ref)}: {error}") from error

    def _secret(self, ref: SecretRef, region: str | None) -> str:
        answer = self._secrets.of(region).get_secret_value(SecretId=ref.secret_arn or "")
        if "SecretString" not in answer:
            raise _unusable(ref, "is no text")
        return answer["SecretString"]

    def _parameter(self, ref: SecretRef, region: str | None) -> str:
        # Another account's parameter is found by its ARN alone.
        is_own = self._rules.is_own_account(secret_place(ref))
        name = ref.parameter_name if is_own else ref.ssm_parameter or ""
        answer = self._parameters.of(region).get_parameter(Name=name, WithDecryption=True)
        return answer["Parameter"].get("Value", "")


def _member(text: str, ref: SecretRef) -> str:
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        found = None
    value = found.get(ref.json_key) if isinstance(found, dict) else None
    if not isinstance(value, str):
        # Never what it has instead: that is a secret as well.
        raise _unusable(ref, f"is no JSON object with text under {ref.json_key!r}")
    return value


def _refused(ref: SecretRef, error: ClientError) -> Exception:
    code = error.response["Error"]["Code"]
    if code in _NOT_FOUND:
        return permanent("secret_not_found", code, f"There is no {_name(ref)}.")
    if code in NOT_PERMITTED:
        return not_permitted("secret_not_readable", code, f"{_name(ref)} may not be read.")
    if code in _NOT_READABLE:
        return permanent("secret_not_readable", code, f"{_name(ref)} may not be read.")
    return retryable("secret_unavailable", code, f"{_name(ref)} cannot be read now.")


def _unusable(ref: SecretRef, why: str) -> Exception:
    return permanent("secret_unusable", "SecretUnusable", f"{_name(ref)} {why}.")


def _name(ref: SecretRef) -> str:
    if ref.ssm_parameter is not None:
        return f"parameter {ref.ssm_parameter}"
    return f"secret {ref.secret_arn}"
