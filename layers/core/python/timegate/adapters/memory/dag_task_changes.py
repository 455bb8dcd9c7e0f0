"""What a write leaves of a task of a DAG run, in memory."""

from collections.abc import Collection
from dataclasses import replace

from timegate.domain.dag_runs.progress import Members, TaskProgress


def changed_task(stored: TaskProgress, before: TaskProgress, after: TaskProgress) -> TaskProgress:
    """What came meanwhile stays: edges and members, unless another round begins, and tokens."""
    if after.round != before.round:
        after = replace(after, members=_going_on(stored.members, after.members))
        return after if before.tokens and not after.tokens else replace(after, tokens=stored.tokens)
    members, ends = after.members, stored.members
    if members is not None and ends is not None:
        members = replace(members, succeeded=ends.succeeded, failed=ends.failed)
    return replace(
        after,
        satisfied=stored.satisfied,
        unsatisfied=stored.unsatisfied,
        members=members,
        tokens=stored.tokens,
    )


def _going_on(stored: Members | None, after: Members | None) -> Members | None:
    """Ends of members that keep their runs count on, also those that came meanwhile."""
    if stored is None or after is None:
        return after
    succeeded, failed = (ends.intersection(after.earlier) for ends in _ends(stored))
    return replace(after, succeeded=succeeded, failed=failed)


def _ends(members: Members) -> tuple[frozenset[int], frozenset[int]]:
    return members.succeeded, members.failed


def with_token(tokens: tuple[str, ...], token: str) -> tuple[str, ...]:
    """Once each, in the order in which they came."""
    return tuple(dict.fromkeys((*tokens, token)))


def with_ends(members: Members, indices: Collection[int], *, succeeded: bool) -> Members:
    """Members of which these have ended."""
    if succeeded:
        return replace(members, succeeded=members.succeeded.union(indices))
    return replace(members, failed=members.failed.union(indices))
