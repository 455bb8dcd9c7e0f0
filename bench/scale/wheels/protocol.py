"""A sheaf's writes in every order: two executors, a caller who revokes, and a sweeper.

Each step is one conditional write of DynamoDB, or a call of a target. An executor may die, or stand
still for any time, between two steps. ``explore`` visits every state that can be reached, and
returns those that break a promise.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace

RUNS = (0, 1)


@dataclass(frozen=True, slots=True)
class Rules:
    """Conditions of the writes; a test leaves each out and sees the promise break."""

    seal_names_revocations: bool = True
    revoke_names_phase: bool = True
    end_names_fence: bool = True


@dataclass(frozen=True, slots=True)
class Executor:
    """One invocation: where it stands, and what it has read."""

    at: str = "idle"
    fence: int = 0
    seen: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class State:
    """Records of a sheaf, and the memory of those who work on it."""

    phase: str = "staged"
    fence: int = 0
    revoked: frozenset[int] = frozenset()
    #: Runs whose end is on record.
    ended: tuple[int, ...] = ()
    #: Runs that a take-over stored as plain attempts, which today's executors begin.
    handed: tuple[int, ...] = ()
    #: Calls of targets, by run and fence.
    fired: tuple[tuple[int, int], ...] = ()
    executors: tuple[Executor, ...] = (Executor(), Executor())
    #: Answer to the caller who revokes run 0: ``None`` before it is given.
    promised: bool | None = None
    sweeper: str = "idle"
    deaths: int = 1


def explore(rules: Rules = Rules()) -> tuple[int, dict[str, State]]:
    """Return the number of states, and one that breaks each promise that is broken."""
    waiting, known = [State()], {State()}
    broken: dict[str, State] = {}
    while waiting:
        state = waiting.pop()
        following = list(_steps(state, rules))
        for name in _broken(state, is_last=not following):
            broken.setdefault(name, state)
        fresh = set(following) - known
        known |= fresh
        waiting += fresh
    return len(known), broken


def _broken(state: State, *, is_last: bool) -> Iterator[str]:
    settled = [*state.ended, *state.handed]
    if len(settled) != len(set(settled)):
        yield "one run has two outcomes"
    if state.promised and any(run == 0 for run, _ in state.fired):
        yield "a run was called although its cancellation was confirmed"
    if len(state.fired) != len(set(state.fired)):
        yield "one lease called a target twice"
    if is_last and {*settled, *state.revoked} != {*RUNS}:
        yield "a run was lost"


def _steps(state: State, rules: Rules) -> Iterator[State]:
    for number, executor in enumerate(state.executors):
        for moved, own in _executor(state, executor, rules):
            yield _with(moved, number, own)
        if state.deaths and executor.at not in {"idle", "dead", "done"}:
            yield _with(replace(state, deaths=state.deaths - 1), number, Executor(at="dead"))
    yield from _revoke(state, rules)
    yield from _sweep(state)


def _with(state: State, number: int, own: Executor) -> State:
    executors = tuple(own if n == number else each for n, each in enumerate(state.executors))
    return replace(state, executors=executors)


def _executor(state: State, own: Executor, rules: Rules) -> Iterator[tuple[State, Executor]]:
    match own.at:
        case "idle":
            step = "read" if state.phase == "staged" else "done"
            yield state, replace(own, at=step, seen=state.revoked)
        case "read":
            yield _sealed(state, own, rules)
        case "fire 0" | "fire 1":
            yield _fired(state, own)
        case "end 0" | "end 1":
            yield _ended(state, own, rules)
        case "close":
            is_own = state.fence == own.fence
            yield replace(state, phase="over") if is_own else state, replace(own, at="done")
        case _:
            return


def _sealed(state: State, own: Executor, rules: Rules) -> tuple[State, Executor]:
    """Seal and lease in one write: nothing was revoked since it was read."""
    if state.phase != "staged":
        return state, replace(own, at="done")
    if rules.seal_names_revocations and state.revoked != own.seen:
        return state, replace(own, at="idle")
    fence = state.fence + 1
    return replace(state, phase="sealed", fence=fence), replace(own, at="fire 0", fence=fence)


def _fired(state: State, own: Executor) -> tuple[State, Executor]:
    run = int(own.at[-1])
    after = replace(own, at="fire 1" if run == 0 else "end 0")
    if run in own.seen:
        return state, after
    return replace(state, fired=(*state.fired, (run, own.fence))), after


def _ended(state: State, own: Executor, rules: Rules) -> tuple[State, Executor]:
    run = int(own.at[-1])
    after = replace(own, at="end 1" if run == 0 else "close")
    if rules.end_names_fence and state.fence != own.fence:
        return state, replace(own, at="done")
    if run in own.seen:
        return state, after
    return replace(state, ended=(*state.ended, run)), after


def _revoke(state: State, rules: Rules) -> Iterator[State]:
    """Cancel run 0: only a sheaf that is not sealed takes it."""
    if state.promised is not None:
        return
    if state.phase == "staged" or not rules.revoke_names_phase:
        yield replace(state, revoked=state.revoked | {0}, promised=True)
    else:
        yield replace(state, promised=False)


def _sweep(state: State) -> Iterator[State]:
    """Send a message again that was lost; take over a sheaf whose lease is over."""
    dead = all(each.at in {"dead", "done"} for each in state.executors)
    if state.phase == "staged" and dead:
        yield _with(state, 0, Executor())
    if state.sweeper == "idle" and state.phase == "sealed":
        yield replace(state, fence=state.fence + 1, sweeper="taken")
    if state.sweeper == "taken":
        left = [run for run in RUNS if run not in {*state.ended, *state.revoked}]
        yield replace(state, handed=(*state.handed, *left), phase="over", sweeper="done")
