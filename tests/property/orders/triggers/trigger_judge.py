"""Triggers held to ``docs/concepts/collapse.md`` and not to the code: each is in one run."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import product

from tests.property.orders.slots import Held
from tests.support.stores.records import JOBS_TABLE
from tests.support.world import World
from timegate.domain.limits.collapse import Collapse, CollapseMode
from timegate.domain.runs.run import TERMINAL, Attempt, Reason, RunState
from timegate.domain.values.identity import RunId

#: Answers without a run: there is none, and there may be one.
REFUSED, UNKNOWN = "refused", "unknown"


@dataclass(frozen=True, kw_only=True)
class Came:
    """A request of a caller, and what had happened by then."""

    name: str
    payload: str
    at: datetime
    key: str | None = None
    claimed: frozenset[RunId] = frozenset()
    over: frozenset[RunId] = frozenset()
    #: Callers that had their answers.
    after: frozenset[str] = frozenset()
    #: Runs of its triggers, or why there are none; nothing: it has no answer yet.
    answer: tuple[RunId, ...] | str = ()


@dataclass(frozen=True, kw_only=True)
class TriggerFacts:
    """Facts that the game remembers beside the items."""

    came: tuple[Came, ...] = ()
    held: tuple[Held, ...] = ()
    claimed: frozenset[RunId] = frozenset()
    #: Runs that have ended, or were asked to stop.
    over: frozenset[RunId] = frozenset()
    #: Runs of which a caller asked the cancel.
    stopped: frozenset[RunId] = frozenset()
    #: A caller asked that the job be deleted.
    deleted: bool = False

    def with_answer(self, name: str, answer: object) -> "TriggerFacts":
        """Return the facts with an answer to a caller."""
        assert isinstance(answer, tuple | str), answer
        came = (replace(c, answer=answer) if c.name == name else c for c in self.came)
        return replace(self, came=tuple(came))


def judge(
    world: World, attempts: Sequence[Attempt], facts: TriggerFacts, rule: Collapse | None
) -> None:
    """Hold a state to what always holds."""
    by_run = {attempt.id.run: attempt for attempt in attempts if attempt.id.number == 1}
    stands = _stands_for(world, by_run, rule)
    for came in facts.came:
        _judge_answer(came, facts, by_run)
        if isinstance(came.answer, tuple):
            for run in came.answer:
                _judge_time(came, run, by_run[stands.get(run, run)], rule)
            if rule is not None and rule.takes_over and came.key is None:
                _judge_window(came, [by_run[run] for run in came.answer], rule)
    _judge_order(facts, stands, rule)
    _judge_pending(by_run.values(), rule, world.clock.now())


def judge_ends(attempts: Sequence[Attempt], facts: TriggerFacts) -> None:
    """Each accepted trigger is in one run, which was executed or says why not."""
    last = {attempt.id.run: attempt for attempt in attempts}
    succeeded = [a.id.run for a in attempts if a.state is RunState.SUCCEEDED]
    assert len(succeeded) == len(set(succeeded)), f"a run succeeded twice: {succeeded}"
    for run, attempt in last.items():
        assert attempt.state in TERMINAL, f"{run} is {attempt.state} for ever"
        if attempt.state is RunState.SUCCEEDED or attempt.reason is Reason.COLLAPSED:
            continue
        why = attempt.reason
        may = {
            Reason.JOB_CANCELLED: facts.deleted,
            Reason.CANCEL_REQUESTED: run in facts.stopped,
            Reason.EXPIRED: attempt.terms is not None and attempt.terms.start_by is not None,
        }
        assert why is not None, f"{run} is {attempt.state} for no reason"
        assert may.get(why), f"{run} is {attempt.state}: {why}"


def _stands_for(
    world: World, by_run: dict[RunId, Attempt], rule: Collapse | None
) -> dict[RunId, RunId]:
    """Return the run that stands for each one of a window, by its item; hold windows to records."""
    members = defaultdict(list)
    for run, attempt in by_run.items():
        assert (attempt.collapse is None) is (rule is None), f"{run} is in no window"
        if attempt.collapse is not None:
            members[attempt.collapse.window].append(run)
    stands = {}
    windows = dict(_windows(world))
    assert windows.keys() == members.keys()
    for number, (standing, triggers) in windows.items():
        left = [run for run in members[number] if by_run[run].reason is not Reason.COLLAPSED]
        assert left == [standing], f"{left} stand for window {number}, and not {standing}"
        count = len(members[number])
        assert triggers == count, f"window {number} counts {triggers} of {count} triggers"
        stands.update(dict.fromkeys(members[number], standing))
    return stands


def _windows(world: World) -> Iterator[tuple[int, tuple[RunId, int]]]:
    for key, item in world.tables.engine._tables[JOBS_TABLE]._items.items():
        if key.sk.startswith("collapse#"):
            standing = RunId.parse(str(item["run"]))
            yield int(key.sk.rpartition("#")[2]), (standing, int(str(item["triggers"])))


def _judge_answer(came: Came, facts: TriggerFacts, by_run: dict[RunId, Attempt]) -> None:
    """An accepted trigger has its record with its data; a refused one has none."""
    own = [run for run, a in by_run.items() if a.payload and a.payload.inline == came.payload]
    if came.answer == REFUSED:
        alike = [c for c in facts.came if c.payload == came.payload and c.answer != REFUSED]
        assert alike or not own, f"{came.name} was refused, and has {own}"
    elif isinstance(came.answer, tuple) and came.answer:
        assert set(came.answer) <= set(own), f"{came.name} got {came.answer} and has {own}"
        if came.key is not None:
            assert sorted(own) == sorted(came.answer), f"{came.key} names {own}"


def _judge_time(came: Came, run: RunId, standing: Attempt, rule: Collapse | None) -> None:
    """The run that stands for a trigger begins after it came; of ``single``, it ends after it."""
    if came.key is not None:
        # A request that comes again meets what its first one made.
        return
    # Nor was it asked to stop before.
    is_single = rule is not None and rule.mode is CollapseMode.SINGLE
    before = came.over if is_single else came.over | came.claimed
    assert standing.id.run not in before, f"{came.name} got {run}, for which {standing.id} stood"
    start_by = standing.terms.start_by if standing.terms is not None else None
    assert start_by is None or start_by >= came.at, f"{standing.id} had expired"


def _judge_window(came: Came, runs: Sequence[Attempt], rule: Collapse) -> None:
    """A window takes no trigger that came after its end."""
    for attempt in runs:
        mark = attempt.collapse
        assert mark is not None
        assert came.at < mark.since + rule.max_wait, f"{came.name} came after its window"


def _judge_order(facts: TriggerFacts, stands: dict[RunId, RunId], rule: Collapse | None) -> None:
    """Hold that of two in one window, one after the other, the last or the first one stands."""
    for earlier, later in product(facts.came, repeat=2):
        if rule is None or earlier.name not in later.after or later.key is not None:
            continue
        if isinstance(earlier.answer, str) or isinstance(later.answer, str):
            continue
        for one, two in product(earlier.answer, later.answer):
            wrong = one if rule.takes_over else two
            together = stands[one] == stands[two]
            assert not together or stands[one] != wrong, f"{wrong} stands for {one} and {two}"


def _judge_pending(runs: Iterable[Attempt], rule: Collapse | None, now: datetime) -> None:
    """At most one run of the key is open to triggers."""
    if rule is None:
        return
    pending = []
    for attempt in runs:
        mark, terms = attempt.collapse, attempt.terms
        assert mark is not None
        expired = terms is not None and terms.start_by is not None and terms.start_by < now
        if attempt.state in TERMINAL or attempt.cancel_requested or expired:
            continue
        if rule.mode is CollapseMode.LAST:
            latest = mark.since + rule.max_wait
            assert attempt.due_at <= latest, f"{attempt.id} is due after {latest}"
            if now >= latest:
                continue
        if attempt.fence == 0 or rule.mode is CollapseMode.SINGLE:
            pending.append(attempt.id)
    assert len(pending) <= 1, f"{pending} are open to triggers at once"
