"""Whole definitions of what is named by its owner, as the stage would show them."""

from collections.abc import Mapping
from typing import Any

from timegate.domain.channels.webhook import WebhookChannel
from timegate.domain.dags.definition import SAID_OF_OWN_JOB

_WEEKDAYS = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]
_CALENDAR: Mapping[str, Any] = {
    "timezone": "UTC",
    "description": "",
    "tags": {},
    "weekend": ["sat", "sun"],
    "days": [],
    "weekdays": [],
    "windows": [],
    "periods": [],
}

_RULE: Mapping[str, Any] = {
    "description": "",
    "tags": {},
    "enabled": True,
    "quiet_hours": None,
}
_WHEN: Mapping[str, Any] = {
    "failures_in_a_row": None,
    "dead_letter": False,
    "quota_refused": False,
    "late_after_seconds": None,
    "absent": None,
    "recovered": False,
}


def whole_calendar(spec: dict[str, Any]) -> dict[str, Any]:
    """With everything that was left out, as the stage would show it."""
    whole = {**_CALENDAR, **spec}
    return whole | {
        "windows": [_with(each, weekdays=_WEEKDAYS) for each in whole["windows"] or []],
        "days": [
            _with(each, last=each.get("first")) if isinstance(each, dict) else each
            for each in whole["days"] or []
        ],
    }


def wants_job(dag: Mapping[str, Any]) -> bool:
    """Tell if a DAG's definition says something that a job of its own does."""
    return any(dag.get(name) for name in SAID_OF_OWN_JOB)


def _with(entry: object, **defaults: object) -> object:
    return defaults | entry if isinstance(entry, dict) else entry


def whole_rule(spec: dict[str, Any]) -> dict[str, Any]:
    """With everything that was left out, as the stage would show it."""
    whole = {**_RULE, "jobs": {}, **spec}
    whole["jobs"] = _with(whole["jobs"], job_id=None, name=None, tags={})
    when = _with(whole.get("when"), **_WHEN)
    if isinstance(when, dict) and isinstance(when.get("absent"), dict):
        when["absent"] = _with(
            when["absent"], for_seconds=None, at=None, timezone="UTC", weekdays=_WEEKDAYS
        )
    quiet = whole["quiet_hours"]
    if isinstance(quiet, dict):
        windows = [_with(each, weekdays=_WEEKDAYS) for each in quiet.get("windows") or []]
        whole["quiet_hours"] = {"timezone": "UTC", **quiet, "windows": windows}
    channels = [_whole_channel(each) for each in whole.get("channels") or []]
    return whole | {"when": when, "channels": channels}


def _whole_channel(channel: object) -> object:
    """A channel without a type is a web hook; places of secrets have three fields."""
    if not isinstance(channel, dict):
        return channel
    whole = {"type": WebhookChannel.type, **channel}
    if whole["type"] == WebhookChannel.type:
        whole.setdefault("signing_secret", None)
    place = {"secret_arn": None, "ssm_parameter": None, "json_key": None}
    return {
        name: _with(each, **place) if name.endswith("secret") else each
        for name, each in whole.items()
    }
