"""Lines and views of a plan and of its results."""

from collections.abc import Iterator, Sequence

from timegate.cli.apply.costs import cost_line, sum_line
from timegate.cli.apply.instants import instants_lines
from timegate.cli.terminal.wording import compact_json, plain
from timegate.client import JsonObject, ProblemError
from timegate.declaring.plan import ApplyStep, StepResult, Verb

_SIGNS = {Verb.CREATE: "+", Verb.CHANGE: "~", Verb.KEEP: "=", Verb.PRUNE: "-"}
_PLANNED = {
    Verb.CREATE: "would be created",
    Verb.CHANGE: "would be changed",
    Verb.KEEP: "unchanged",
    Verb.PRUNE: "would be pruned",
}
_DONE = {
    Verb.CREATE: "created",
    Verb.CHANGE: "changed",
    Verb.KEEP: "unchanged",
    Verb.PRUNE: "pruned",
}


def planned_lines(steps: Sequence[ApplyStep]) -> Iterator[str]:
    """Each step, with what differs field by field, old → new; and how many of each."""
    for step in steps:
        yield f"{_SIGNS[step.verb]} {plain(step.key)} {_PLANNED[step.verb]}"
        for each in step.differences:
            new = compact_json(each.new)
            change = new if step.verb is Verb.CREATE else f"{compact_json(each.old)} → {new}"
            yield f"    {plain(each.field)}: {change}"
        if step.instants is not None:
            yield from (f"    {line}" for line in instants_lines(step.instants))
        yield from (f"    {line}" for line in cost_line(step))
        for problem in step.problems:
            yield f"    ! {plain(problem.field)} [{plain(problem.code)}]: {plain(problem.detail)}"
    yield _counted(steps)
    yield from sum_line(steps)


def done_line(done: StepResult) -> str:
    """Return the line of one step's result."""
    name = plain(done.step.key)
    if done.missing:
        waits = "ends after" if done.step.verb is Verb.PRUNE else "needs"
        return f"{name} left out: it {waits} {', '.join(map(plain, done.missing))}"
    if done.error is not None:
        return f"{name} failed [{plain(done.error.code)}]: {plain(done.error.detail)}"
    return f"{name} {_DONE[done.step.verb]}"


def planned_view(steps: Sequence[ApplyStep]) -> JsonObject:
    """The same for programs."""
    return {"steps": [_step_view(step) for step in steps]}


def done_view(results: Sequence[StepResult]) -> JsonObject:
    """Return the result of each step, for programs."""
    return {
        "steps": [
            {
                **_step_view(each.step),
                "done": each.error is None and not each.missing,
                "missing": list(each.missing),
                "error": _error_view(each),
            }
            for each in results
        ]
    }


def _step_view(step: ApplyStep) -> JsonObject:
    kind, _, name = step.key.partition("/")
    return {
        "kind": kind,
        "name": name,
        "verb": str(step.verb),
        "differences": [
            {"field": each.field, "old": each.old, "new": each.new} for each in step.differences
        ],
        "problems": [
            {"field": each.field, "code": each.code, "detail": each.detail}
            for each in step.problems
        ],
        "instants": step.instants,
        "cost": step.cost,
    }


def _error_view(done: StepResult) -> JsonObject | None:
    if done.error is None:
        return None
    status = done.error.status if isinstance(done.error, ProblemError) else None
    return {"code": done.error.code, "detail": done.error.detail, "status": status}


def _counted(steps: Sequence[ApplyStep]) -> str:
    counts = {verb: sum(step.verb is verb for step in steps) for verb in Verb}
    return (
        f"{counts[Verb.CREATE]} to create, {counts[Verb.CHANGE]} to change, "
        f"{counts[Verb.PRUNE]} to prune, {counts[Verb.KEEP]} unchanged."
    )
