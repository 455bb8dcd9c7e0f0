"""The cut-over of a tenant from one stage to another: one instant, and who plans which side of it.

The stage that the tenant leaves holds the record that decides: instants before ``at`` are its own,
from ``at`` on they are the other stage's. Both hold instants back as by a freeze, which planners
read anyhow, and which lets runs that exist go on.
"""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

from timegate.domain.moving.errors import MoveRefused
from timegate.domain.restrictions.freeze import (
    NO_END,
    Freeze,
    FreezeKind,
    FreezeScope,
    ThawPolicy,
    freeze_id_for,
)
from timegate.domain.tenants.tenant_settings import MoveState, TenantMove, TenantSettings
from timegate.domain.values.instants import rfc3339
from timegate.domain.values.tenant import TenantId

#: Planners that read what is in force before the record was written plan no further ahead.
NOTICE = timedelta(minutes=15)
#: From here on every instant before the cut-over has been planned: a frequent job waits until four
#: minutes before its next instant, and a tick comes each minute.
CLOSES_BEFORE = timedelta(minutes=3)
#: Functions that read a tenant's settings or freezes before it closed are done with them: a tick
#: holds its shard for 55 seconds, and settings are read again after ten.
SETTLES = timedelta(seconds=90)
_EVERYTHING = FreezeScope(kind=FreezeKind.TENANT)
#: Before any instant that a schedule names.
_EVER = datetime(1970, 1, 1, tzinfo=UTC)


def leaving(settings: TenantSettings, *, to: str, at: datetime, now: datetime) -> TenantSettings:
    """The settings of a tenant that leaves at an instant; raises ``MoveRefused``."""
    _check_stays(settings)
    if at - now < NOTICE:
        earliest = rfc3339(now + NOTICE)
        raise MoveRefused(f"The cut-over is at the earliest at {earliest}: runs are planned ahead.")
    return replace(settings, move=TenantMove(state=MoveState.LEAVING, stage=to, at=at, since=now))


def closed(settings: TenantSettings, *, now: datetime) -> TenantSettings:
    """The settings of a leaving tenant of which nothing is planned or changed any more."""
    move = in_state(settings, MoveState.LEAVING)
    if now < move.at - CLOSES_BEFORE:
        earliest = rfc3339(move.at - CLOSES_BEFORE)
        raise MoveRefused(f"It closes at the earliest at {earliest}: instants are still planned.")
    return replace(settings, move=replace(move, state=MoveState.CLOSED, since=now))


def arriving(
    settings: TenantSettings, *, from_stage: str, at: datetime, now: datetime
) -> TenantSettings:
    """The settings of a tenant that arrives: nothing of it is planned until it is opened.

    A cut-over that was withdrawn is not taken up again.
    """
    move = settings.move
    if move is not None and move.state is MoveState.WITHDRAWN and move.at != at:
        settings = replace(settings, move=None)
    _check_stays(settings)
    arrival = TenantMove(state=MoveState.ARRIVING, stage=from_stage, at=at, since=now)
    return replace(settings, move=arrival)


def arrived(settings: TenantSettings, *, now: datetime) -> TenantSettings:
    """The settings of a tenant whose instants are planned here. Raises ``MoveRefused``."""
    move = in_state(settings, MoveState.ARRIVING)
    return replace(settings, move=replace(move, state=MoveState.ARRIVED, since=now))


def not_arriving(
    settings: TenantSettings, *, from_stage: str, at: datetime, now: datetime
) -> TenantSettings:
    """The settings of a tenant that will not arrive at this cut-over. Raises ``MoveRefused``.

    The record that ``arrived`` changes as well: one of the two is refused.
    """
    move = settings.move
    # An earlier cut-over that was withdrawn arrives as little as this one, which may not have begun
    # here.
    if move is not None and move.state not in {MoveState.ARRIVING, MoveState.WITHDRAWN}:
        raise MoveRefused(f"The tenant is {move.words}: it cannot be withdrawn any more.")
    refused = TenantMove(state=MoveState.WITHDRAWN, stage=from_stage, at=at, since=now)
    return replace(settings, move=refused)


def staying(settings: TenantSettings, *, now: datetime) -> TenantSettings:
    """The settings of a tenant one step back, from closed to leaving and from there to staying."""
    move = settings.move
    if move is not None and move.state is MoveState.CLOSED:
        return replace(settings, move=replace(move, state=MoveState.LEAVING, since=now))
    in_state(settings, MoveState.LEAVING)
    return replace(settings, move=None)


def check_settled(settings: TenantSettings, *, now: datetime) -> None:
    """Refuse a closed tenant that functions may still be at work on; raises ``MoveRefused``."""
    settled = in_state(settings, MoveState.CLOSED).since + SETTLES
    if now < settled:
        raise MoveRefused(f"The tenant was closed lately: wait until {rfc3339(settled)}.")


def in_state(settings: TenantSettings, state: MoveState) -> TenantMove:
    """Return the tenant's move, which is in this state; raises ``MoveRefused``."""
    move = settings.move
    if move is None or move.state is not state:
        found = move.words if move is not None else "not on the move"
        raise MoveRefused(f"The tenant is {found}, and not {state}.")
    return move


def freeze_from_cut_over(tenant: TenantId, move: TenantMove, *, now: datetime) -> Freeze:
    """Hold back what is due from the cut-over on."""
    return _freeze(tenant, move, starts_at=move.at, now=now)


def freeze_of_everything(tenant: TenantId, move: TenantMove, *, now: datetime) -> Freeze:
    """Hold back whatever has no run yet."""
    return _freeze(tenant, move, starts_at=_EVER, now=now)


def until_cut_over(freeze: Freeze, at: datetime) -> Freeze:
    """The freeze of an arriving tenant, once it is opened: instants before are not its stage's.

    The other stage has decided about them, or they have moved with their jobs: these are left to
    the jobs' own catch-up policies.
    """
    return replace(freeze, ends_at=at)


def _freeze(tenant: TenantId, move: TenantMove, *, starts_at: datetime, now: datetime) -> Freeze:
    thaw = ThawPolicy.JOB
    return Freeze(
        tenant=tenant,
        freeze_id=freeze_id_for(
            tenant, _EVERYTHING, starts_at=starts_at, ends_at=NO_END, thaw=thaw
        ),
        scope=_EVERYTHING,
        starts_at=starts_at,
        ends_at=NO_END,
        thaw=thaw,
        reason=f"The tenant is {move.words}.",
        created_at=now,
        by_stage=True,
        spares_runs=True,
    )


def _check_stays(settings: TenantSettings) -> None:
    """Refuse a tenant that is on the move, or erased; one that has arrived may move on."""
    if settings.erased_at is not None:
        raise MoveRefused("The tenant was erased.")
    move = settings.move
    if move is not None and move.state is not MoveState.ARRIVED:
        raise MoveRefused(f"The tenant is {move.words}.")
