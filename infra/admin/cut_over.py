"""``timegate admin move``: a live stage's tenants go to another stage at one instant."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from infra.admin.stage_access import OPERATOR, StageAccess
from timegate.adapters.dynamo.jobs.job_items import timing_from_fields
from timegate.adapters.dynamo.tables.values import from_item
from timegate.adapters.dynamo.tenants.tenant_store import DynamoTenantStore
from timegate.adapters.moving.record_source import MovedScope
from timegate.domain.jobs.job import Timing
from timegate.domain.moving.cut_over import arriving, check_settled, in_state
from timegate.domain.moving.errors import JobsAnnounce, JobsDiffer, MoveRefused
from timegate.domain.moving.moved_kinds import MovedKind
from timegate.domain.moving.taken_over import completed_elsewhere
from timegate.domain.tenants.tenant_settings import MoveState, TenantMove, TenantSettings
from timegate.domain.values.identity import JobId
from timegate.domain.values.tenant import TenantId
from timegate.usecases.moving.move_tenant import (
    begin_arriving,
    begin_leaving,
    close_leaving,
    open_arrived,
    refuse_arrival,
    stay,
)

RIGHTS = (
    "cloudformation:DescribeStacks, dynamodb:Scan, Query, GetItem, BatchGetItem, PutItem and"
    " UpdateItem on the tables of both stages"
)
_PAGE = 1_000


@dataclass(frozen=True, kw_only=True)
class TenantMoving:
    """One tenant between two stages."""

    tenant: TenantId
    old: StageAccess
    new: StageAccess

    def begin(self, *, at: datetime, now: datetime) -> TenantMove:
        """Write down which instants are whose, here first and then there."""
        if self.old.name == self.new.name:
            raise MoveRefused("A tenant moves from one stage to another one.")
        there = self._standing(self.new)
        # A tenant that has arrived there from a third stage is at home as well.
        is_at_home = there.move is None or there.move.state is MoveState.ARRIVED
        if is_at_home and self.new.usage.usage(self.tenant).jobs:
            detail = "has jobs of its own in the stage that it moves to: cancel them first"
            raise MoveRefused(f"The tenant {detail}.")
        if there.move is None or (there.move.state, there.move.at) != (MoveState.ARRIVING, at):
            # Refused before anything is written.
            arriving(there, from_stage=self.old.name, at=at, now=now)
        left, arrived = (self._changed(each, "begin", now) for each in (self.old, self.new))
        move = begin_leaving(self.tenant, left, to=self.new.name, at=at, now=now)
        begin_arriving(self.tenant, arrived, from_stage=self.old.name, at=move.at, now=now)
        return move

    def close(self, *, now: datetime) -> TenantMove:
        """End planning and changes in the stage that it leaves."""
        self._leaving()
        return close_leaving(self.tenant, self._changed(self.old, "close", now), now=now)

    def open(self, *, now: datetime) -> TenantMove:
        """Begin planning in the other one, once each job is there as it stands here."""
        left = self._leaving()
        move = in_state(left, MoveState.CLOSED)
        arrival = self._standing(self.new).move
        if arrival is None or (arrival.stage, arrival.at) != (self.old.name, move.at):
            raise MoveRefused("The stage that it moves to knows nothing of this cut-over.")
        if arrival.state is MoveState.ARRIVING:
            check_settled(left, now=now)
            self._compare()
        return open_arrived(self.tenant, self._changed(self.new, "open", now), now=now)

    def withdraw(self, *, now: datetime) -> None:
        """Let the tenant stay; the other stage's record refuses its arrival first."""
        move = self._leaving().move
        if move is None:
            return
        old, new = (self._changed(each, "withdraw", now) for each in (self.old, self.new))
        refuse_arrival(self.tenant, new, from_stage=self.old.name, at=move.at, now=now)
        stay(self.tenant, old, now=now)

    def standing(self) -> dict[str, Any]:
        """Return how far the move is, as either stage has it."""
        moves = {each.name: self._standing(each).move for each in (self.old, self.new)}
        told = {
            name: move.words if move is not None else "not on the move"
            for name, move in moves.items()
        }
        return {"tenant": self.tenant, "stages": told}

    def _leaving(self) -> TenantSettings:
        """The settings in the stage that it leaves, which is on its way to this one or to none."""
        found = self._standing(self.old)
        if found.move is not None and found.move.stage != self.new.name:
            raise MoveRefused(f"The tenant is {found.move.words}, and not to {self.new.name}.")
        return found

    def _changed(self, access: StageAccess, step: str, now: datetime) -> DynamoTenantStore:
        """The settings, whose changes leave entries in the tenant's audit trail."""
        return access.changed_tenants(access.trail(f"move.{step}", by=OPERATOR, now=now))

    def _standing(self, access: StageAccess) -> TenantSettings:
        return access.tenants.get(self.tenant)

    def _compare(self) -> None:
        here, there = _jobs(self.old, self.tenant), _jobs(self.new, self.tenant)
        announcing = [job_id for job_id, each in here.items() if each.announced is not None]
        if announcing:
            raise JobsAnnounce(announcing)
        differing = [
            job_id
            for job_id, each in here.items()
            if job_id not in there or _told(there[job_id]) != _told(each)
        ]
        if differing:
            raise JobsDiffer(differing)


def _told(stored: Timing) -> tuple[object, ...]:
    """Return what planners move, and callers change; an end of a last run changes none of it."""
    timing = completed_elsewhere(stored)
    return (
        timing.version,
        timing.status,
        timing.next_run_at,
        timing.runs_planned,
        timing.decided_until,
    )


def _jobs(access: StageAccess, tenant: TenantId) -> Mapping[JobId, Timing]:
    """Every job of the tenant, by a scan."""
    scope = MovedScope(tenant=tenant, history=False)
    source = access.records(scope, taken_over=lambda each: each, page=_PAGE)
    return {
        timing.job_id: timing
        for page in source.pages(after=None)
        for record in page.records
        if record.kind is MovedKind.JOB
        for timing in [timing_from_fields(from_item(record.item))]
    }
