"""Retries, triggers that are one run, and marks in payloads, in a few words."""

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from timegate.cli.terminal.wording import plain
from timegate.domain.jobs.retry import Breaker
from timegate.domain.limits.collapse import DEFAULT_SPANS

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


def filling(marks: Mapping[str, Any] | None) -> str:
    """Tell if marks in a payload are filled, and whose days they name."""
    if marks is None:
        return _ABSENT
    return plain(f"filled, with days of {marks['timezone'] or 'its schedule'}")


def holding(schema: Mapping[str, Any] | None) -> str:
    """A schema of payloads in a few words: the members that it names, those required marked."""
    if schema is None:
        return _ABSENT
    members = schema.get("properties") or {}
    required = schema.get("required") or ()
    if not members:
        kinds = schema.get("type", "any")
        return plain(" or ".join([kinds] if isinstance(kinds, str) else kinds))
    return plain(", ".join(f"{name}*" if name in required else name for name in members))


def _delays(retry: Mapping[str, Any]) -> str:
    """Delays that are listed, or the limits of those that are computed."""
    # A stage of an earlier release lists none.
    if listed := retry.get("delays_seconds"):
        return f"after {', '.join(f'{each:g}' for each in listed)} s"
    spread = f"{retry['initial_delay_seconds']:g} to {retry['max_delay_seconds']:g} s"
    return f"{retry['backoff']} {spread}"


def collapsing(rule: Mapping[str, Any] | None) -> str:
    """A rule; empty for a job whose triggers are runs of their own."""
    if rule is None:
        return ""
    span, longest = rule["span_seconds"], rule["max_wait_seconds"]
    key = f", by {rule['key_from']}" if rule["key_from"] is not None else ""
    within = f", {longest or DEFAULT_SPANS * span} s at most" if rule["mode"] == "last" else ""
    return plain(f"{rule['mode']} within {span} s{within}{key}")


def collapsed(mark: Mapping[str, Any] | None) -> str:
    """The run that stands for a trigger, or the triggers that a run stands for."""
    if mark is None:
        return ""
    if mark["into"] is not None:
        return plain(f"into {mark['into']}")
    return f"{mark['triggers']} triggers" if mark["triggers"] > 1 else "1 trigger"
