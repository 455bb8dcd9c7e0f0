"""Instants of a job with ``max_runs`` that begin, said from the documentation, not from the code.

The rules stand in ``docs/concepts/schedules.md`` (``max_runs``), ``docs/reference/api.md``
(``catch_up``, ``resume``), ``docs/concepts/ledger.md`` (edits) and ``docs/guides/calendars.md``.
Instants are whole milliseconds after the creation of the job; nothing is known here of a
look-ahead, of ticks or of places.
"""

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from enum import StrEnum

from tests.property.planning.catch_up_oracle import decide, passed
from timegate.domain.jobs.catch_up import CatchUp
from timegate.domain.runs.run import Reason


class Trouble(StrEnum):
    """Something that keeps instants of a span from running, or delays them."""

    #: Paused, and resumed from now on.
    PAUSE = "pause"
    #: Paused, and resumed to catch up.
    PAUSE_CAUGHT_UP = "pause caught up"
    #: No planner ticks.
    NO_PLANNER = "no planner"
    #: No executor claims.
    NO_EXECUTOR = "no executor"
    #: A calendar of the job leaves the span out.
    CLOSED = "closed"


@dataclass(frozen=True, kw_only=True)
class Spell:
    """A span of trouble: ``first`` belongs to it, ``end`` does not."""

    trouble: Trouble
    first: int
    end: int

    def holds(self, instant: int) -> bool:
        """Return whether an instant lies in it."""
        return self.first <= instant < self.end


@dataclass(frozen=True, kw_only=True)
class Bounded:
    """A job, and what happens to it: spells that do not touch, and perhaps an edit."""

    period: int
    policy: CatchUp
    max_runs: int | None
    spells: tuple[Spell, ...]
    #: When it is given which other period; the bound stays.
    edited_at: int | None = None
    new_period: int | None = None

    def named(self, until: int) -> list[int]:
        """The instants that its schedules name while they are in force, up to ``until``."""
        if self.edited_at is None or self.new_period is None:
            return passed(self.period, after=0, until=until)
        before = passed(self.period, after=0, until=self.edited_at - 1)
        return before + passed(self.new_period, after=self.edited_at, until=until)

    def left_out(self, until: int) -> dict[int, Collection[Reason]]:
        """The instants that do not run whatever places are free, each with what may be said of it.

        One that is planned ahead is a run with a reason of its own, one that is not is in a gap.
        """
        named = self.named(until)
        return {
            at: reasons for spell in self.spells for at, reasons in self._kept_from(spell, named)
        }

    def begun(self, until: int) -> list[int]:
        """Return the oldest instants that may begin, up to the bound."""
        left_out = self.left_out(until)
        return [at for at in self.named(until) if at not in left_out][: self.max_runs]

    def _kept_from(
        self, spell: Spell, named: list[int]
    ) -> Iterator[tuple[int, Collection[Reason]]]:
        inside = [at for at in named if spell.holds(at)]
        match spell.trouble:
            case Trouble.CLOSED:
                yield from ((at, [Reason.EXCLUDED]) for at in inside)
            case Trouble.PAUSE:
                yield from ((at, [Reason.PAUSED, *self._before_edit(spell, at)]) for at in inside)
            case Trouble.PAUSE_CAUGHT_UP:
                # An old schedule's instants of the pause are neither caught up nor reopened.
                old = [at for at in inside if self._before_edit(spell, at)]
                decided = decide(inside[len(old) :], self.policy, at=spell.end)
                yield from ((at, [Reason.PAUSED, Reason.SUPERSEDED]) for at in old)
                missed = [Reason.PAUSED, Reason.MISSED_WINDOW]
                yield from ((at, missed) for at in decided.left_out)
            case Trouble.NO_PLANNER | Trouble.NO_EXECUTOR:
                # Jobs of these stories catch up all, and have no start limit.
                pass

    def _before_edit(self, spell: Spell, at: int) -> list[Reason]:
        edited_at = self.edited_at
        is_old = edited_at is not None and spell.holds(edited_at) and at < edited_at
        return [Reason.SUPERSEDED] if is_old else []
