"""Bounds of a Job of Kubernetes: its time, its retries, its pods.

Source: the reference of ``JobSpec`` (batch/v1), and Kubernetes' page about Jobs.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from timegate.cli.migrating.entries import Note, part_of, whole_number
from timegate.cli.migrating.kubernetes.containers import list_of
from timegate.domain.jobs.rules.job_rules import MAX_WORKER_TIMEOUT_SECONDS

#: Kubernetes retries six times, 10 s after the first failure, then twice as long, up to 6 min.
_DEFAULT_RETRIES = 6
_DELAYS = (10, 20, 40, 80, 160, 320, 360)
_MOST_ATTEMPTS = 50
_LONGEST_WINDOW = 31_536_000
#: Limits of a call that answers, by its class.
_SHORT, _LONG = 60, 840
#: Actions whose runs last as long as the work.
_LASTING = frozenset({"worker", "ecs"})
_BOUND = "activeDeadlineSeconds"


def bounds_of(job: Mapping[str, Any], action: str) -> tuple[dict[str, Any], tuple[Note, ...]]:
    """Map a template to ``retry`` and ``timeout_seconds``; ``action``: the type of the action.

    Raises ``InvalidInput`` with code ``wrong_type``.
    """
    bound = _bound(job, _BOUND)
    attempts = whole_number(job, "backoffLimit", _DEFAULT_RETRIES) + 1
    if bound is not None and bound < _DELAYS[0]:
        # No retry begins before the Job ends.
        attempts = 1
    retry = _retry(min(attempts, _MOST_ATTEMPTS), bound)
    if attempts > 1 and (errors := _given_up(job, action)):
        retry["give_up_on"] = errors
    pod = _bound(part_of(part_of(job, "template"), "spec"), _BOUND)
    limit = MAX_WORKER_TIMEOUT_SECONDS if action in _LASTING else _LONG
    each = min(found for found in (bound, pod, limit) if found is not None)
    fields: dict[str, Any] = {"retry": retry, "timeout_seconds": each}
    if action not in _LASTING and each > _SHORT:
        fields["resource_class"] = "long"
    notes = (*_notes_of_time(bound, pod, limit, attempts), *_notes(job, action, attempts))
    return fields, notes


def _bound(given: Mapping[str, Any], name: str) -> int | None:
    """Return a number of seconds; ``None``: none is given."""
    if given.get(name) is None:
        return None
    return max(whole_number(given, name), 1)


def _retry(attempts: int, bound: int | None) -> dict[str, Any]:
    """Each failure is tried again there, however fast they follow: no breaker ends a run."""
    if attempts == 1:
        return {"max_attempts": 1}
    retry: dict[str, Any] = {
        "max_attempts": attempts,
        "delays_seconds": list(_DELAYS[: attempts - 1]),
        "jitter": False,
        "breaker": None,
    }
    if bound is not None:
        retry["window_seconds"] = min(bound, _LONGEST_WINDOW)
    return retry


def _given_up(job: Mapping[str, Any], action: str) -> list[str]:
    """Return the errors that rules of ``podFailurePolicy`` give up on, where a target has them."""
    if action != "ecs":
        return []
    return [
        f"exit_code/ExitCode{value}"
        for rule in _rules(job)
        if _is_carried(rule)
        for value in part_of(rule, "onExitCodes").get("values") or ()
    ]


def _rules(job: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    return list_of(part_of(job, "podFailurePolicy"), "rules")


def _is_carried(rule: Mapping[str, Any]) -> bool:
    """Tell if a rule fails the Job for exit codes that it lists."""
    codes = part_of(rule, "onExitCodes")
    values = codes.get("values")
    listed = isinstance(values, list) and all(type(each) is int for each in values)
    return rule.get("action") == "FailJob" and codes.get("operator") == "In" and listed


def _notes_of_time(bound: int | None, pod: int | None, limit: int, attempts: int) -> Iterator[Note]:
    if bound is None and pod is None:
        detail = f"Kubernetes sets no bound to its time; here an attempt ends after {limit} s."
        yield Note(code="active_deadline", detail=detail)
    elif min(found for found in (bound, pod) if found is not None) > limit:
        detail = f"{_BOUND} is cut to {limit} s."
        yield Note(code="active_deadline", detail=detail)
    if bound is not None and attempts > 1:
        detail = (
            f"Kubernetes ends the Job {bound} s after its start, retries included; here each"
            " attempt ends after so long, and no retry begins later."
        )
        yield Note(code="active_deadline", detail=detail)


def _notes(job: Mapping[str, Any], action: str, attempts: int) -> Iterator[Note]:
    if attempts > _MOST_ATTEMPTS:
        detail = f"backoffLimit is cut to {_MOST_ATTEMPTS - 1} retries."
        yield Note(code="backoff_limit", detail=detail)
    if any(not (action == "ecs" and _is_carried(rule)) for rule in _rules(job)):
        detail = (
            "podFailurePolicy: only exit codes In a list that fail the Job are carried over, to a"
            " task of ECS. Errors of other targets have names of their own: retry.give_up_on."
        )
        yield Note(code="pod_failure_policy", detail=detail)
    pods = {name: job.get(name) for name in ("completions", "parallelism")}
    if said := [f"{name}: {value}" for name, value in pods.items() if value not in (None, 1)]:
        detail = f"It has {', '.join(said)}; a run is one: a fan-out of a DAG makes several."
        yield Note(code="pods", detail=detail)
