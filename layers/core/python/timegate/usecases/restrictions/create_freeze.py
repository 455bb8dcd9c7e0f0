"""Freezing: from its start to its end, nothing of its scope starts."""

from datetime import datetime

from timegate.domain.restrictions.freeze import Freeze, FreezeKind, check_freeze
from timegate.domain.values.errors import FreezeNotFound, InvalidInput, JobNotFound
from timegate.domain.values.identity import JobId
from timegate.ports.telemetry import service_events
from timegate.usecases.services.api_services import ApiServices


def create_freeze(freeze: Freeze, services: ApiServices, *, now: datetime) -> Freeze:
    """Store a freeze; asking for the same one again gives what is stored.

    Raises ``InvalidInput`` and ``TooManyFreezes``.
    """
    check_freeze(freeze, now=now)
    if freeze.starts_at < now:
        # What has begun cannot be held back any more; only a repeated request may say so.
        return _existing(freeze, services)
    _check_job(freeze, services)
    stored = services.restrictions.put_freeze(freeze.tenant, freeze, now=now)
    services.telemetry.event(
        service_events.FREEZE_CREATED
        if stored.created_at == now
        else service_events.FREEZE_CREATE_REPLAYED,
        tenant_id=stored.tenant,
        freeze_id=stored.freeze_id,
        scope=stored.scope.kind,
        starts_at=stored.starts_at,
        ends_at=stored.ends_at,
        thaw=stored.thaw,
    )
    return stored


def _existing(freeze: Freeze, services: ApiServices) -> Freeze:
    try:
        return services.restrictions.get_freeze(freeze.tenant, freeze.freeze_id)
    except FreezeNotFound as error:
        detail = "It has passed; leave it out for a freeze from now on."
        raise InvalidInput("starts_at", "in_the_past", detail) from error


def _check_job(freeze: Freeze, services: ApiServices) -> None:
    """A freeze of a job that is not there would be believed to stop something."""
    if freeze.scope.kind is FreezeKind.JOB:
        try:
            services.jobs.get(freeze.tenant, JobId(freeze.scope.value))
        except JobNotFound as error:
            raise InvalidInput("scope.job_id", "unknown_job", str(error)) from error
