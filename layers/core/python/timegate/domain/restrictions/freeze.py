"""Freezes: for a while nothing of a tenant, of a tag or of a job starts, and then it thaws."""

import re
from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from hashlib import sha256
from typing import NewType

from timegate.domain.values.errors import FreezeNotFound, InvalidInput
from timegate.domain.values.identity import JobId, parse_job_id
from timegate.domain.values.instants import compact
from timegate.domain.values.tenant import TenantId
from timegate.domain.values.tenant_errors import FreezeIsOfStage
from timegate.value_classes import dataclass

FreezeId = NewType("FreezeId", str)

_FREEZE_ID = re.compile(r"\d{8}T\d{9}Z-[0-9a-f]{12}", re.ASCII)
#: No freeze is for ever: it would be forgotten.
MAX_DAYS = 366
#: A run is held back so long by one freeze, and its records last as long.
LONGEST = timedelta(days=MAX_DAYS)
MAX_REASON = 200
#: The end of a freeze that lasts until the stage ends it; the last year instants can be of.
NO_END = datetime(9000, 1, 1, tzinfo=UTC)
#: Tenants that a freeze of the stage spares.
MAX_SPARED = 20
#: Freezes of one tenant's own, that have not ended.
MAX_FREEZES = 50


class FreezeKind(StrEnum):
    """Kinds of freezes."""

    TENANT = "tenant"
    TAG = "tag"
    JOB = "job"
    #: Every job of every tenant; the administration of the stage alone makes such a freeze.
    STAGE = "stage"


@dataclass(frozen=True, kw_only=True, slots=True)
class FreezeScope:
    """Jobs that a freeze stops."""

    kind: FreezeKind
    #: Tag ``key=value``, or ``key`` alone for any value; a job's id; else empty. A freeze of the
    #: stage spares jobs with this tag.
    value: str = ""

    def holds(self, job_id: JobId, tags: Mapping[str, str]) -> bool:
        """Tell if a job with these tags is stopped."""
        match self.kind:
            case FreezeKind.TENANT:
                return True
            case FreezeKind.JOB:
                return self.value == job_id
            case FreezeKind.TAG:
                return self._is_tagged(tags)
            case FreezeKind.STAGE:
                return not self.value or not self._is_tagged(tags)

    def _is_tagged(self, tags: Mapping[str, str]) -> bool:
        key, equals, value = self.value.partition("=")
        return key in tags and (not equals or tags[key] == value)


class ThawPolicy(StrEnum):
    """Instants that run after the end of the freeze that held them back."""

    SKIP = "skip"
    #: The last one of each job.
    LATEST = "latest"
    ALL = "all"
    #: The job's own catch-up policy decides.
    JOB = "job"


@dataclass(frozen=True, kw_only=True, slots=True)
class Freeze:
    """A span of time in which nothing starts: ``starts_at`` belongs to it, its end does not."""

    tenant: TenantId
    freeze_id: FreezeId
    scope: FreezeScope
    starts_at: datetime
    ends_at: datetime
    thaw: ThawPolicy = ThawPolicy.JOB
    #: For people: why.
    reason: str = ""
    created_at: datetime
    #: A caller ended it early.
    lifted_at: datetime | None = None
    #: The stage made it, and ends it; the tenant cannot.
    by_stage: bool = False
    #: It holds back instants that have no run yet, and lets runs that exist go on.
    spares_runs: bool = False
    #: Tenants that a freeze of the stage does not hold back, by name.
    spared_tenants: tuple[str, ...] = ()
    #: The Idempotency-Key of its request, as a digest; empty: it had none.
    asked_as: str = ""
    #: Fingerprint of that request.
    request_hash: str = ""

    @property
    def thaws_at(self) -> datetime:
        """Return its end; a freeze that was lifted before it began never was."""
        if self.lifted_at is None:
            return self.ends_at
        return max(self.starts_at, min(self.ends_at, self.lifted_at))

    def is_asked_anew_by(self, other: "Freeze") -> bool:
        """Tell if another request plans it again after it was lifted before it began."""
        never_was = self.thaws_at == self.starts_at
        return never_was and other.asked_as not in {"", self.asked_as}

    def has_ended(self, now: datetime) -> bool:
        """It stops nothing any more; also one that was lifted before it began."""
        return self.lifted_at is not None or self.ends_at <= now

    def is_active(self, now: datetime) -> bool:
        """It stops what would start at ``now``."""
        return self.starts_at <= now < self.thaws_at

    def suspends(self, now: datetime) -> bool:
        """Tell if its tenant is suspended at ``now``, and so changes nothing."""
        is_suspension = self.by_stage and self.scope.kind is FreezeKind.TENANT
        return is_suspension and not self.spares_runs and self.is_active(now)

    def seen_by(self, tenant: TenantId) -> "Freeze":
        """Return a freeze of the stage as one of its tenants sees it: without other tenants."""
        return replace(self, tenant=tenant, by_stage=True, spared_tenants=())


def freeze_id_for(
    tenant: TenantId,
    scope: FreezeScope,
    *,
    starts_at: datetime,
    ends_at: datetime,
    thaw: ThawPolicy,
    spared_tenants: tuple[str, ...] = (),
) -> FreezeId:
    """The id of a freeze: the same for the same freeze, and in the order in which they start."""
    said = [tenant, scope.kind, scope.value, compact(ends_at), thaw, *spared_tenants]
    seed = "\n".join(said).encode()
    return FreezeId(f"{compact(starts_at)}-{sha256(seed).hexdigest()[:12]}")


def parse_freeze_id(text: str) -> FreezeId:
    """The id when ``text`` has the shape of one; any other raises ``FreezeNotFound``."""
    if _FREEZE_ID.fullmatch(text) is None:
        raise FreezeNotFound(text)
    return FreezeId(text)


def check_freeze(freeze: Freeze, *, now: datetime) -> None:
    """Refuse what contradicts itself or is too much; raises ``InvalidInput`` naming the field."""
    if freeze.ends_at <= freeze.starts_at:
        raise InvalidInput("ends_at", "range_reversed", "It is not later than starts_at.")
    if freeze.ends_at <= now:
        raise InvalidInput("ends_at", "in_the_past", "It has passed.")
    if freeze.ends_at - freeze.starts_at > LONGEST:
        raise InvalidInput("ends_at", "range_too_long", f"A freeze lasts at most {MAX_DAYS} days.")
    if len(freeze.reason) > MAX_REASON:
        raise InvalidInput("reason", "too_long", f"It may have {MAX_REASON} characters.")
    _check_scope(freeze.scope)


def _check_scope(scope: FreezeScope) -> None:
    match scope.kind:
        case FreezeKind.TENANT:
            if scope.value:
                detail = "A freeze of the whole tenant takes no value."
                raise InvalidInput("scope.value", "not_for_this_kind", detail)
        case FreezeKind.TAG | FreezeKind.STAGE:
            spares_none = scope.kind is FreezeKind.STAGE and not scope.value
            if not spares_none and not scope.value.partition("=")[0]:
                raise InvalidInput("scope.value", "missing", "Write key=value, or key.")
        case FreezeKind.JOB:
            if parse_job_id(scope.value) is None:
                detail = "It has not the shape of a job's id."
                raise InvalidInput("scope.value", "invalid_format", detail)


def lifted(freeze: Freeze, *, now: datetime) -> Freeze:
    """The freeze, ended at ``now``; one that has ended stays as it is.

    Raises ``FreezeIsOfStage``.
    """
    if freeze.by_stage:
        raise FreezeIsOfStage(freeze.freeze_id)
    return freeze if freeze.has_ended(now) else replace(freeze, lifted_at=now)
