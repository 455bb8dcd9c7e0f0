"""Retries of Cloud Scheduler, written down as a list of delays.

Source: its page about retries. The delay doubles a number of times, then grows by as much as it was
then, up to a maximum: from 10 s with three doublings it is 10, 20, 40, 80, 160, 240 and 300 s.
"""

import re
from collections.abc import Iterator, Mapping
from itertools import count, islice
from typing import Any

from timegate.cli.migrating.entries import Note, part_of, whole_number
from timegate.domain.values.errors import InvalidInput

_DURATION = re.compile(r"(\d{1,12}(?:\.\d{1,9})?)s", re.ASCII)
_MIN_BACKOFF, _MAX_BACKOFF, _MAX_DOUBLINGS = 5.0, 3600.0, 5
#: Those of a policy here.
_MOST_RETRIES, _LONGEST_DELAY = 49, 86_400.0
_LONGEST_WINDOW = 31_536_000


def seconds_of(given: Mapping[str, Any], name: str, default: float) -> float:
    """Return a duration such as ``3.5s`` in seconds.

    Raises ``InvalidInput`` with code ``wrong_type``.
    """
    value = given.get(name)
    if value is None:
        return default
    match = _DURATION.fullmatch(str(value))
    if match is None:
        raise InvalidInput(name, "wrong_type", f"{name} is {value!r}: it must be like 180s.")
    return float(match[1])


def retries_of(job: Mapping[str, Any]) -> tuple[dict[str, Any], tuple[Note, ...]]:
    """Map ``retryConfig`` to the policy of a job; raises ``InvalidInput`` for values of none.

    Each answer but 2xx is tried again there, at once after another: no breaker ends a run.
    """
    given = part_of(job, "retryConfig")
    retries = whole_number(given, "retryCount")
    span = seconds_of(given, "maxRetryDuration", 0.0)
    wanted = max(retries, _within(given, span))
    if wanted == 0:
        return {"max_attempts": 1}, ()
    delays = list(islice(_delays(given), min(wanted, _MOST_RETRIES)))
    policy: dict[str, Any] = {
        "max_attempts": len(delays) + 1,
        "delays_seconds": _shortened(delays),
        "jitter": False,
        "breaker": None,
        "retry_on": ["http_4xx"],
    }
    if retries == 0 and delays[0] <= span:
        policy["window_seconds"] = min(int(span), _LONGEST_WINDOW)
    detail = f"Google retries for {span:g} s; here there are {_MOST_RETRIES} retries at most."
    notes = (Note(code="retry_duration", detail=detail),) if wanted > _MOST_RETRIES else ()
    return policy, notes


def _within(given: Mapping[str, Any], span: float) -> int:
    """Number of retries that begin within a duration, and one too many to be told from others."""
    if span == 0:
        return 0
    total, found = 0.0, 0
    for delay in islice(_delays(given), _MOST_RETRIES + 1):
        total += delay
        if total > span:
            break
        found += 1
    return found


def _delays(given: Mapping[str, Any]) -> Iterator[float]:
    first = seconds_of(given, "minBackoffDuration", _MIN_BACKOFF)
    most = min(seconds_of(given, "maxBackoffDuration", _MAX_BACKOFF), _LONGEST_DELAY)
    doublings = min(whole_number(given, "maxDoublings", _MAX_DOUBLINGS), 64)
    for number in count():
        grown = first * 2.0 ** min(number, doublings)
        beyond = max(number - doublings, 0)
        # After the last doubling it grows by as much as it is then.
        yield min(grown * (1 + beyond), most)


def _shortened(delays: list[float]) -> list[float]:
    """Leave out the repetitions of the last delay: it stands for all that follow."""
    kept = len(delays)
    while kept > 1 and delays[kept - 2] == delays[-1]:
        kept -= 1
    return delays[:kept]
