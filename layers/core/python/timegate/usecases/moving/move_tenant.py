"""Steps of a tenant's move: each is one conditional write of its settings and its freezes.

A step that was taken is taken again without an effect, so a command that died is repeated.
"""

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from functools import partial
from typing import Protocol

from timegate.domain.moving.cut_over import (
    arrived,
    arriving,
    closed,
    freeze_from_cut_over,
    freeze_of_everything,
    leaving,
    not_arriving,
    staying,
    until_cut_over,
)
from timegate.domain.restrictions.freeze import Freeze
from timegate.domain.tenants.tenant_settings import MoveState, TenantMove, TenantSettings
from timegate.domain.values.tenant import TenantId
from timegate.domain.values.tenant_errors import TenantChanged
from timegate.ports.tenants.tenant_store import TenantStore
from timegate.value_classes import dataclass

#: Lost races before the operator is told.
TRIES = 5


@dataclass(frozen=True, kw_only=True, slots=True)
class _Step:
    """Settings and the freeze that is stored with them."""

    settings: TenantSettings
    freeze: Freeze | None


_Decide = Callable[[TenantSettings], _Step | None]


class _MakeFreeze(Protocol):
    """Make the freeze that a step of a move stores."""

    def __call__(self, tenant: TenantId, move: TenantMove, *, now: datetime) -> Freeze: ...


def begin_leaving(
    tenant: TenantId, tenants: TenantStore, *, to: str, at: datetime, now: datetime
) -> TenantMove:
    """From ``at`` on nothing of the tenant is planned here; until then all goes on.

    This record decides which stage an instant belongs to. Raises ``MoveRefused``.
    """

    def is_taken(move: TenantMove) -> bool:
        return _leaves(move) and (move.stage, move.at) == (to, at)

    change = partial(leaving, to=to, at=at, now=now)
    return _held(tenant, tenants, is_taken, change, freeze_from_cut_over, now=now)


def close_leaving(tenant: TenantId, tenants: TenantStore, *, now: datetime) -> TenantMove:
    """Plan and change nothing of the tenant here any more; its runs end. Raises ``MoveRefused``."""

    def is_taken(move: TenantMove) -> bool:
        return move.state is MoveState.CLOSED

    change = partial(closed, now=now)
    return _held(tenant, tenants, is_taken, change, freeze_of_everything, now=now)


def begin_arriving(
    tenant: TenantId, tenants: TenantStore, *, from_stage: str, at: datetime, now: datetime
) -> TenantMove:
    """Let records of the tenant come in, and nothing of it be planned. Raises ``MoveRefused``."""

    def is_taken(move: TenantMove) -> bool:
        begun = (MoveState.ARRIVING, from_stage, at)
        return (move.state, move.stage, move.at) == begun

    change = partial(arriving, from_stage=from_stage, at=at, now=now)
    return _held(tenant, tenants, is_taken, change, freeze_of_everything, now=now)


def open_arrived(tenant: TenantId, tenants: TenantStore, *, now: datetime) -> TenantMove:
    """Let the tenant's instants from the cut-over on be planned here. Raises ``MoveRefused``."""

    def decide(settings: TenantSettings) -> _Step | None:
        if settings.move is not None and settings.move.state is MoveState.ARRIVED:
            return None
        after = arrived(settings, now=now)
        move = _move(settings)
        freeze = freeze_of_everything(tenant, move, now=move.since)
        return _Step(settings=after, freeze=until_cut_over(freeze, move.at))

    return _move(_taken(tenant, tenants, decide, now))


def refuse_arrival(
    tenant: TenantId, tenants: TenantStore, *, from_stage: str, at: datetime, now: datetime
) -> None:
    """Let the tenant never arrive at this cut-over; what came in rests. Raises ``MoveRefused``."""

    def decide(settings: TenantSettings) -> _Step | None:
        move = settings.move
        if move is not None and (move.state, move.at) == (MoveState.WITHDRAWN, at):
            return None
        after = not_arriving(settings, from_stage=from_stage, at=at, now=now)
        return _Step(settings=after, freeze=None)

    _taken(tenant, tenants, decide, now)


def stay(tenant: TenantId, tenants: TenantStore, *, now: datetime) -> None:
    """Let the tenant stay: what was held back is left to its jobs' catch-up policies.

    Two writes, each of which may be the last of a command that dies. Its arrival in the other stage
    was refused before. Raises ``MoveRefused``.
    """

    def decide(settings: TenantSettings) -> _Step | None:
        move = settings.move
        if move is None:
            return None
        after = staying(settings, now=now)
        was_closed = move.state is MoveState.CLOSED
        make = freeze_of_everything if was_closed else freeze_from_cut_over
        freeze = replace(make(tenant, move, now=move.since), lifted_at=now)
        return _Step(settings=after, freeze=freeze)

    while _taken(tenant, tenants, decide, now).move is not None:
        pass


def _held(
    tenant: TenantId,
    tenants: TenantStore,
    is_taken: Callable[[TenantMove], bool],
    change: Callable[[TenantSettings], TenantSettings],
    make_freeze: _MakeFreeze,
    *,
    now: datetime,
) -> TenantMove:
    """Take a step that holds instants back by a freeze, unless it was taken."""

    def decide(settings: TenantSettings) -> _Step | None:
        if settings.move is not None and is_taken(settings.move):
            return None
        after = change(settings)
        return _Step(settings=after, freeze=make_freeze(tenant, _move(after), now=now))

    return _move(_taken(tenant, tenants, decide, now))


def _taken(
    tenant: TenantId, tenants: TenantStore, decide: _Decide, now: datetime
) -> TenantSettings:
    """Take a step on what is stored; raises ``TenantChanged`` after losing every race."""
    for _ in range(TRIES):
        before = tenants.get(tenant)
        step = decide(before)
        if step is None:
            return before
        after = replace(step.settings, created_at=before.created_at or now, updated_at=now)
        if tenants.put(tenant, before, after, freeze=step.freeze):
            return replace(after, version=before.version + 1)
    raise TenantChanged(tenant)


def _move(settings: TenantSettings) -> TenantMove:
    assert settings.move is not None
    return settings.move


def _leaves(move: TenantMove) -> bool:
    return move.state in {MoveState.LEAVING, MoveState.CLOSED}
