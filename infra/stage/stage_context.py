"""The stage of a deployment and its overrides, read from the CDK's context."""

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from infra.alarm_choice import alarm_choice
from infra.region_choice import region_choice
from infra.rollout_choice import rollout_choice
from infra.stage.capacity import CAPACITIES, Capacity
from infra.stage.console_choice import console_choice
from infra.stage.dag_events import dag_events
from infra.stage.default_quotas import with_quotas
from infra.stage.event_choice import event_choice
from infra.stage.given.checked import audit_retention_days, check_names
from infra.stage.given.choices import given_choices
from infra.stage.given.lists import listed
from infra.stage.given.trace_choice import trace_percent
from infra.stage.issuer import Issuer
from infra.stage.peak_choice import peak_choice
from infra.stage.settings import (
    LEAVE_KEY,
    OWN_KEY,
    QUEUE_KEYS,
    STAGES,
    ShardCountError,
    StageSettings,
)
from infra.stage.target_kinds import TARGET_LISTS


class UnknownStageError(ValueError):
    """The ``stage`` context names no stage, and ``like`` none whose settings it has."""


class StageNameError(ValueError):
    """The ``stage`` context is no name that resources can have."""


class CapacityError(ValueError):
    """The ``capacity`` context names no profile, or ``accountConcurrency`` is no number."""


class KeyArnError(ValueError):
    """The ``kmsKey`` context is neither ``own`` nor the ARN of a key."""


class PortError(ValueError):
    """``webhookPorts`` names what is neither a port nor a range of ports."""


class SwitchError(ValueError):
    """``adminClient``, ``archive`` or ``seals`` is neither ``on`` nor ``off``."""


class HeartbeatUrlError(ValueError):
    """``heartbeatUrl`` is no address that the auditor can call."""


_MAX_PORT = 65_535
#: ``timegate-NAME-traces`` names a group of X-Ray, by 32 characters; no other name has so few left.
_LONGEST_NAME = 16
#: Cognito takes no domain with one of these words in it, and that of tokens has the stage's name.
_RESERVED = ("amazon", "aws", "cognito")
_STAGE_NAME = re.compile(rf"[a-z](-?[a-z0-9]){{0,{_LONGEST_NAME - 1}}}")
_HEARTBEAT = re.compile(
    r"https://[A-Za-z0-9.-]+(:[1-9]\d{0,4})?(/([\w.~!$&'()*+,;=:@%/?-]|\{group\})*)?"
)
_PORTS = re.compile(r"[1-9]\d{0,4}(-[1-9]\d{0,4})?")
_KEY_ARN = re.compile(r"arn:aws[a-z-]*:kms:[a-z0-9-]+:\d{12}:key/[A-Za-z0-9-]{1,128}")

#: Settings that are lists of names, and how the context calls them.
_LISTED = {
    "tenants": "tenants",
    "secrets": "secrets",
    "console_origins": "consoleOrigins",
    "cors_origins": "corsOrigins",
    "target_regions": "targetRegions",
    "webhook_ports": "webhookPorts",
}


def stage_settings(context: Callable[[str], str | None]) -> StageSettings:
    """The stage that ``context`` asks for (``stage``, default ``dev``), with its overrides.

    ``like`` names the stage whose settings one of a new name has.

    ``shards``, ``issuer`` with ``audience``, ``consoleClient`` and ``rolesClaim``,
    ``tenantClaim``, ``tenants``, the lists of targets (``infra.stage.target_kinds``) and
    ``secrets`` override the stage, as ``targetRegions``, ``webhookPorts``, ``corsOrigins`` and
    ``consoleOrigins`` do; lists are separated by commas. ``quotas`` is such a list:
    ``jobs=1000,concurrent_runs=none``; ``dagEvents`` and ``eventSampling`` are JSON,
    ``adminClient``, ``archive`` and ``seals`` ``on`` or ``off``, ``auditRetentionDays`` a number,
    ``kmsKey`` ``own``, an ARN or ``leave``, ``capacity`` a profile of ``infra.stage.capacity``,
    ``accountConcurrency`` the account's quota, ``heartbeatUrl`` the address of a dead man's switch,
    ``tracePercent`` a share of a hundred, ``warmWrites`` and ``pollers`` what
    ``infra.stage.peak_choice`` reads, ``rollout`` one of ``infra.rollout_choice``, ``regionPair``,
    ``region``, ``regionSeconds`` and ``replicaStreams`` what ``infra.region_choice`` reads, and
    ``alertEmail``, ``runbooksUrl`` and ``objectives`` what ``infra.alarm_choice`` does.
    """
    stage = _stage(context("stage") or "dev", context("like"))
    key = context("kmsKey")
    lists: dict[str, Any] = {name: listed(context(key)) for name, key in _LISTED.items()}
    _check_ports(lists["webhook_ports"])
    check_names(context)
    capacity = _capacity(context("capacity"), stage.capacity)
    sized = replace(stage, capacity=capacity)
    return replace(
        sized,
        peak=peak_choice(context, {str(key): sized.max_concurrency(key) for key in QUEUE_KEYS}),
        shards=_shards(context("shards"), stage.shards),
        issuer=_issuer(context),
        console=console_choice(context),
        dag_events=dag_events(context("dagEvents")),
        events=event_choice(context),
        admin_client=_switch(context, "adminClient", default=stage.admin_client),
        archive=_switch(context, "archive", default=stage.archive),
        seals=_switch(context, "seals", default=stage.seals),
        alarms=alarm_choice(context, stage.alarms),
        choices=given_choices(context),
        rollout=rollout_choice(context, stage.rollout),
        regions=region_choice(context),
        kms_key=_key(key),
        kms_leaving=key is not None and key.startswith(LEAVE_KEY),
        account_concurrency=_account(context("accountConcurrency"), stage.account_concurrency),
        trace_percent=trace_percent(context, stage.trace_percent),
        heartbeat_url=_heartbeat(context("heartbeatUrl"), stage.heartbeat_url),
        tenant_claim=context("tenantClaim") or stage.tenant_claim,
        audit_retention_days=audit_retention_days(context, stage.audit_retention_days),
        targets={**stage.targets, **_targets(context)},
        quotas=with_quotas(stage.quotas, listed(context("quotas"))),
        **{name: names for name, names in lists.items() if names},
    )


def _stage(name: str, like: str | None) -> StageSettings:
    """The settings of a name, or those of another stage under a new one."""
    known = ", ".join(STAGES)
    if like is None:
        if name not in STAGES:
            raise UnknownStageError(
                f"unknown stage {name!r}: choose one of {known}, or give -c like= one of them"
            )
        return STAGES[name]
    if like not in STAGES:
        raise UnknownStageError(f"like: unknown stage {like!r}: choose one of {known}")
    if name in STAGES and name != like:
        raise UnknownStageError(f"like: stage {name!r} has settings of its own")
    if not _STAGE_NAME.fullmatch(name):
        raise StageNameError(
            f"stage: {name!r} is no name of a letter and up to {_LONGEST_NAME - 1} letters,"
            " digits and hyphens"
        )
    taken = [word for word in _RESERVED if word in name]
    if taken:
        raise StageNameError(
            f"stage: {name!r} has {taken[0]!r} in it, which Cognito takes in no domain: choose a"
            " name without it"
        )
    return replace(STAGES[like], name=name)


def _targets(context: Callable[[str], str | None]) -> dict[str, tuple[str, ...]]:
    """Return the names on the lists that the context has."""
    names = {each.listed: listed(context(each.setting)) for each in TARGET_LISTS}
    return {name: given for name, given in names.items() if given}


def _check_ports(ports: tuple[str, ...]) -> None:
    """Refuse what no function could read when it starts."""
    for text in ports:
        first, _, last = text.partition("-")
        if not _PORTS.fullmatch(text) or not int(first) <= int(last or first) <= _MAX_PORT:
            raise PortError(f"webhookPorts: {text!r} is neither a port nor a range of ports")


def _shards(text: str | None, default: int) -> int:
    if text is None:
        return default
    # ``cdk.json`` may say it as a number.
    if not str(text).isdecimal():
        raise ShardCountError(f"shards: {text!r} is no whole number")
    return int(text)


def _capacity(text: str | None, default: Capacity) -> Capacity:
    if text and text not in CAPACITIES:
        raise CapacityError(f"capacity: {text!r} is none of {', '.join(CAPACITIES)}")
    return CAPACITIES[text] if text else default


def _account(text: str | None, default: int) -> int:
    if text is None:
        return default
    if not str(text).isdecimal():
        raise CapacityError(f"accountConcurrency: {text!r} is no whole number")
    return int(text)


def _key(text: str | None) -> str | None:
    """``leave`` leaves the stack's own key, ``leave:ARN`` another one."""
    named = OWN_KEY if text == LEAVE_KEY else (text or "").removeprefix(f"{LEAVE_KEY}:")
    if named and named != OWN_KEY and not _KEY_ARN.fullmatch(named):
        raise KeyArnError(
            f"kmsKey: {text!r} is neither {OWN_KEY}, nor the ARN of a key, nor {LEAVE_KEY} with one"
        )
    return named or None


def _heartbeat(text: str | None, default: str) -> str:
    if text and not _HEARTBEAT.fullmatch(text):
        raise HeartbeatUrlError(f"heartbeatUrl: {text!r} is no address that begins with https://")
    return text or default


def _switch(context: Callable[[str], str | None], name: str, *, default: bool) -> bool:
    text = context(name)
    if text not in {None, "", "on", "off"}:
        raise SwitchError(f"{name}: {text!r} is neither on nor off")
    return default if not text else text == "on"


def _issuer(context: Callable[[str], str | None]) -> Issuer | None:
    url, audience = context("issuer"), listed(context("audience"))
    if bool(url) != bool(audience):
        raise ValueError("issuer and audience go together: set both, or neither")
    if not url:
        return None
    if not url.startswith("https://"):
        raise ValueError(f"issuer: {url!r} is no address that begins with https://")
    if context("consoleClient") and not context("tenantClaim"):
        raise ValueError("consoleClient: name the claim of people's tenant as well (tenantClaim)")
    return Issuer(
        url=url,
        audience=audience,
        console_client=context("consoleClient") or "",
        roles_claim=context("rolesClaim") or "",
    )
