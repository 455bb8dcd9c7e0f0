"""Freezing: from its start to its end, nothing of its scope starts."""

from datetime import datetime

from timegate.domain.restrictions.freeze import Freeze, FreezeKind, check_freeze
from timegate.domain.restrictions.restrictions import freeze_asked_as
from timegate.domain.values.errors import (
    FreezeNotFound,
    IdempotencyConflict,
    InvalidInput,
    JobNotFound,
)
from timegate.domain.values.identity import JobId
from timegate.ports.telemetry import service_events
from timegate.usecases.services.api_services import ApiServices


def create_freeze(freeze: Freeze, services: ApiServices, *, now: datetime) -> Freeze:
    """Store a freeze; asking for the same one again gives what is stored.

    Raises ``InvalidInput``, ``TooManyFreezes`` and, for an Idempotency-Key that was used with
    another body, ``IdempotencyConflict``.
    """
    try:
        check_freeze(freeze, now=now)
        if freeze.starts_at < now:
            # A start in the past holds back nothing; only a repeated request may have one.
            stored = _existing(freeze, services)
        else:
            _check_job(freeze, services)
            stored = services.restrictions.put_freeze(freeze.tenant, freeze, now=now)
    except InvalidInput:
        # A freeze that was valid when it was asked for may have passed since.
        in_force = services.restrictions.in_force([freeze.tenant])[freeze.tenant]
        asked = freeze_asked_as(in_force, freeze.asked_as)
        if asked is None:
            raise
        stored = asked
    if freeze.asked_as and stored.asked_as == freeze.asked_as:
        _check_request(stored, freeze)
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


def _check_request(stored: Freeze, freeze: Freeze) -> None:
    if stored.request_hash != freeze.request_hash:
        raise IdempotencyConflict


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
