"""Flows: kinds of attempts, each with the usage that was measured of it."""

from enum import StrEnum


class Flow(StrEnum):
    """A flow, by the name that the page of costs gives it."""

    MINUTELY = "minutely run"
    DAILY = "daily run"
    ONE_SHOT = "one-shot through the API"
    TRIGGERED = "run by a trigger"
    RETRY = "retry of a run"
    POOL = "run of a pool"
    NOTICE = "notification of a run"
    TASK = "task of a DAG"
