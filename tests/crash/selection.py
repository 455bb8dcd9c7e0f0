"""Faults that a course tries on a flow: ``make test`` a few, the wide one three times as many.

``make crash-matrix``, of ``make test-deep``, tries each that can be told apart from the others;
``make crash-matrix-all`` all of them, in all modes.
"""

import os
from collections import defaultdict
from collections.abc import Callable, Collection, Sequence
from enum import StrEnum
from itertools import chain, zip_longest
from random import Random
from typing import TypeVar

from tests.courses import COURSE, Course
from tests.crash.faults import Call, Fault, Mode, Shape, faults_of
from tests.crash.story import Flow

Chosen = TypeVar("Chosen")


class Points(StrEnum):
    """Points of a flow that are struck; a value of ``TIMEGATE_CRASH``."""

    #: Some of each kind.
    SAMPLE = "sample"
    #: Those that can be told apart (``faults_of``), each once.
    APART = "apart"
    #: Every call in every mode, also where it makes no difference.
    ALL = "all"


#: Points that this process strikes.
POINTS = Points(os.environ.get("TIMEGATE_CRASH") or Points.SAMPLE)
EVERY = POINTS is Points.ALL
#: Each call is struck at least once.
WHOLE = POINTS is not Points.SAMPLE
_SHORT = COURSE is Course.SHORT
#: Calls that are made to try one flow: each fault lives through all calls of the flow.
CALLS = 200 if _SHORT else 600
#: Faults of a flow of many calls.
LEAST = 3 if _SHORT else 9
#: Calls before it that are struck as well in a flow about one request.
_JUST_BEFORE = 12


def chosen(flow: Flow, calls: Sequence[Call], known: set[Shape]) -> list[Fault]:
    """Choose faults of a flow that made these calls, always the same ones.

    Kinds of faults come in turn: a function, its operation and a mode. A flow of few calls is
    struck at all of them; of a longer one, each kind is struck before any is struck again.
    """
    faults = faults_of(calls, known, every=EVERY)
    if WHOLE:
        return faults
    own: list[Fault] = []
    if flow.request is not None:
        asked = sorted({call.process for call in calls if call.function == "api"})
        process = asked[flow.request - 1]
        begins = next(n for n, call in enumerate(calls) if call.process == process)
        around = set(calls[max(0, begins - _JUST_BEFORE) :])
        own = [fault for fault in faults if fault.call.process == process]
        faults = [fault for fault in faults if fault.call in around and fault not in own]
    if flow.function is not None:
        own += [fault for fault in faults if fault.call.function == flow.function]
        faults = [fault for fault in faults if fault.call.function != flow.function]
    most = max(LEAST, CALLS // len(calls))
    rest = in_turn(faults, flow.name, kind=_kind)
    found = [*own, *rest[: most if flow.most is None else flow.most]]
    return in_turn(found, flow.name, kind=_kind)[:most]


def _kind(fault: Fault) -> tuple[str, str, Mode]:
    return fault.call.function, fault.call.operation, fault.mode


def in_turn(
    found: Collection[Chosen], seed: str, *, kind: Callable[[Chosen], object]
) -> list[Chosen]:
    """All of them, each kind before any comes again; always in the same order."""
    kinds: dict[object, list[Chosen]] = defaultdict(list)
    for each in Random(seed).sample(list(found), len(found)):
        kinds[kind(each)].append(each)
    rounds = zip_longest(*kinds.values())
    return [each for each in chain.from_iterable(rounds) if each is not None]
