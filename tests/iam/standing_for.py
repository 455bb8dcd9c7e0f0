"""Calls of one run queue stand for the same calls of the others, which differ in nothing else.

The flows use the queues ``normal-short`` and ``normal-long``. Every lane has to be allowed alike.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace

from infra.stage.settings import FUNCTION_NAMES, QUEUE_KEYS
from tests.iam.evaluator import Request

_QUEUE = re.compile(r"Queues/[a-z-]+/(\w+)\.Arn")
_EXECUTORS = [f"executor-{key}" for key in QUEUE_KEYS]


def everywhere(asked: Mapping[str, set[Request]]) -> dict[str, set[Request]]:
    """An executor does on its queue what any does on its own; others do on all what they do."""
    by_executors = {each for name in _EXECUTORS for each in asked.get(name, ())}
    own = {name: {_on(each, name[9:]) for each in by_executors} for name in _EXECUTORS}
    others = {
        name: {alike for each in asked.get(name, ()) for alike in _on_all(each)}
        for name in FUNCTION_NAMES
        if name not in own
    }
    return own | others


def _on_all(request: Request) -> Iterator[Request]:
    return (_on(request, str(key)) for key in QUEUE_KEYS)


def _on(request: Request, key: str) -> Request:
    return replace(request, resource=_QUEUE.sub(rf"Queues/{key}/\1.Arn", request.resource))
