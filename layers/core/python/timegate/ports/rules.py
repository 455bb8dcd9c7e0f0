"""Notification rules, their watch and their streaks, as the use cases see them."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import field
from datetime import datetime
from typing import Protocol

from timegate.domain.jobs.rules.absence_watch import AbsenceWatch
from timegate.domain.rules.held_events import HeldEvents
from timegate.domain.rules.rule import Rule
from timegate.domain.rules.streak import Streak, StreakId
from timegate.domain.rules.watch import RuleWatch
from timegate.domain.runs.run import Attempt
from timegate.domain.values.identity import AbsenceRef, JobId
from timegate.domain.values.instant_range import InstantRange
from timegate.domain.values.tenant import TenantId
from timegate.ports.stores import NamedPage
from timegate.value_classes import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class RulesAtHand:
    """Everything that a look reads first: one query."""

    watch: RuleWatch
    rules: tuple[Rule, ...]
    held: Mapping[JobId, HeldEvents] = field(default_factory=dict)
    #: Damage of unreadable rules, in words.
    damaged: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class DamagedStreak:
    """A streak whose record cannot be read: its place, and its damage in words."""

    position: str
    reason: str


class RuleStore(Protocol):
    """Rules, tenant by tenant. Throttling raises ``Throttled`` everywhere."""

    def put_rule(self, rule: Rule, *, expected_version: int | None, now: datetime) -> Rule:
        """Store a rule in place of the one of its name; returns it with its new version.

        Puts the watch into the index of looks by the same transaction. Raises
        ``RuleVersionMismatch`` and ``TooManyRules``.
        """

    def get_rule(self, tenant: TenantId, name: str) -> Rule:
        """A rule, strongly consistent; raises ``RuleNotFound``."""

    def delete_rule(
        self, tenant: TenantId, name: str, *, expected_version: int | None, now: datetime
    ) -> Rule:
        """Forget a rule; returns it. Raises ``RuleNotFound`` and ``RuleVersionMismatch``."""

    def list_rules(self, tenant: TenantId, *, limit: int, cursor: str | None) -> NamedPage[Rule]:
        """The rules of a tenant, by name; raises ``InvalidInput`` for a cursor that is none."""

    def rules_at_hand(self, tenant: TenantId) -> RulesAtHand | None:
        """Rules, watch and held events, strongly consistent; ``None``: it never had a rule."""

    def advance(self, before: RuleWatch, after: RuleWatch) -> bool:
        """Store how far a look came; ``False``: another look did. More work brings the next one."""

    def rest(self, watch: RuleWatch) -> bool:
        """Let no look follow: no rule is enabled. ``False``: a rule or a look came in between."""

    def streaks(
        self, tenant: TenantId, wanted: Collection[StreakId], *, now: datetime
    ) -> Mapping[StreakId, Streak | DamagedStreak]:
        """Streaks that are on record by now, strongly consistent: a read for each hundred."""

    def open_streaks(
        self, tenant: TenantId, *, limit: int, after: str | None, now: datetime
    ) -> tuple[tuple[Streak | DamagedStreak, ...], str | None]:
        """Open streaks behind a place, and the place behind which others are."""


class AbsenceStore(Protocol):
    """Watches over jobs that are to succeed within a span. Throttling raises ``Throttled``."""

    def watch(self, ref: AbsenceRef) -> AbsenceWatch | None:
        """The watch over a job, strongly consistent; ``None``: it is awaited no more."""

    def looked(
        self,
        before: AbsenceWatch,
        after: AbsenceWatch,
        notices: Sequence[Attempt],
        *,
        next_look: datetime,
    ) -> bool:
        """Store what a look found, with the runs that tell of it: all of it, or nothing.

        ``False``: the job, or another look, changed the watch meanwhile.
        """

    def successes(
        self, tenant: TenantId, job_id: JobId, *, within: InstantRange
    ) -> Iterator[Attempt]:
        """Yield runs of a job that are named within and succeeded, latest instant first.

        Others are read and left out, page by page as taken; so are damaged ones.
        """

    def rest(self, watch: AbsenceWatch) -> bool:
        """Let no look follow: the job ended. ``False``: it was changed, or looked at, meanwhile."""


class RuleMessages(Protocol):
    """The one write that tells of streaks."""

    def tell(
        self,
        tenant: TenantId,
        *,
        streaks: Sequence[Streak] = (),
        held: HeldEvents | None = None,
        notices: Sequence[Attempt] = (),
    ) -> bool:
        """Store streaks, and messages or held events: all of it, or nothing.

        ``False``: a streak or the held events are not as they were read. Raises ``Throttled``.
        """
