"""Retries and breakers, in a few words."""

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from timegate.cli.terminal.wording import plain
from timegate.domain.jobs.retry import Breaker

_ABSENT = "-"
_DEFAULT_BREAKER = asdict(Breaker())


def patience(retry: Mapping[str, Any]) -> str:
    """A retry policy in a few words."""
    if retry["max_attempts"] == 1:
        return "none: one attempt"
    jitter = "with jitter" if retry["jitter"] else "without jitter"
    window = retry["window_seconds"]
    within = f", within {window} s" if window is not None else ""
    return plain(f"{retry['max_attempts']} attempts, {_delays(retry)}, {jitter}{within}")


def breaking(breaker: Mapping[str, Any] | None) -> str:
    """A breaker in a few words; nothing for the default."""
    if breaker is None:
        return "off"
    if breaker == _DEFAULT_BREAKER:
        return _ABSENT
    return plain(f"{breaker['failures']} failures within {breaker['window_seconds']:g} s")


def _delays(retry: Mapping[str, Any]) -> str:
    """Delays that are listed, or the limits of those that are computed."""
    # A stage of an earlier release lists none.
    if listed := retry.get("delays_seconds"):
        return f"after {', '.join(f'{each:g}' for each in listed)} s"
    spread = f"{retry['initial_delay_seconds']:g} to {retry['max_delay_seconds']:g} s"
    return f"{retry['backoff']} {spread}"
