"""Estimated costs of jobs in a plan, and their sum."""

from collections.abc import Iterable, Iterator

from timegate.cli.terminal.wording import plain
from timegate.client import JsonObject
from timegate.declaring.plan import ApplyStep, Verb

#: Dollars; less is not worth a line.
_LEAST = 0.1


def cost_line(step: ApplyStep) -> Iterator[str]:
    """Yield the estimate of a job that is new, or whose runs cost more or less than before.

    A job of less than ten cents a month has none.
    """
    if step.cost is None or step.problems:
        return
    before = None if step.verb is Verb.CREATE else _before(step)
    most = max(each["usd"]["high"] for each in (before, step.cost) if each is not None)
    after = plain(step.cost["description"])
    if most < _LEAST:
        return
    if step.verb is Verb.CREATE:
        yield f"cost: {after}"
    elif before is not None and before["usd"] != step.cost["usd"]:
        yield f"cost: {plain(before['description'])} → {after}"


def sum_line(steps: Iterable[ApplyStep]) -> Iterator[str]:
    """Yield the change of a month's bill, where a plan changes it."""
    changes = [change for step in steps if (change := _change(step)) is not None]
    low, high = (sum(each[n] for each in changes) for n in (0, 1))
    if max(abs(low), abs(high)) >= _LEAST:
        yield f"Runs would cost {_signed(low)} to {_signed(high)} USD a month."


def _signed(usd: float) -> str:
    return f"{usd:+,.2f}"


def _change(step: ApplyStep) -> tuple[float, float] | None:
    """Return the dollars that a step adds to a month, at least and at most."""
    if step.verb is Verb.KEEP or step.problems:
        return None
    before = _monthly(_before(step))
    after = (0.0, 0.0) if step.verb is Verb.PRUNE else _monthly(step.cost)
    if step.verb is Verb.CREATE:
        return after
    return None if _before(step) is None else (after[0] - before[0], after[1] - before[1])


def _before(step: ApplyStep) -> JsonObject | None:
    """Return the estimate of the job as it is; only previews have one."""
    preview = None if step.instants is None else step.instants["preview"]
    cost = None if preview is None else preview.get("cost")
    found: JsonObject | None = None if cost is None else cost["before"]
    return found


def _monthly(cost: JsonObject | None) -> tuple[float, float]:
    if cost is None or not cost["recurs"]:
        return (0.0, 0.0)
    return (cost["usd"]["low"], cost["usd"]["high"])
