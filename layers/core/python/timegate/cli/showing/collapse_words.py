"""Triggers that are one run, in a few words."""

from collections.abc import Mapping
from typing import Any

from timegate.cli.terminal.wording import plain
from timegate.domain.limits.collapse import DEFAULT_SPANS


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
