"""Choices of a stage, typed: each has a key in the CDK's context, and a field for other apps.

The keys, their record and their completion follow from the fields.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields


class PropError(ValueError):
    """A field of the props has what no text of a context can say."""


@dataclass(frozen=True, kw_only=True)
class TimegateProps:
    """Choices of one stage; ``None`` and empty lists leave the stage's own.

    ``docs/operations/deploying.md`` says what each does, by its key in the context:
    ``alertEmail`` for ``alert_email``.
    """

    #: The stage's name; one that has no settings of its own takes ``like``.
    stage: str = "dev"
    like: str | None = None
    # Concurrency and size.
    capacity: str | None = None
    account_concurrency: int | None = None
    shards: int | None = None
    warm_writes: int | None = None
    pollers: Mapping[str, int] | None = None
    # Tenants and tokens.
    tenants: Sequence[str] = ()
    admin_client: bool | None = None
    quotas: Mapping[str, int | None] | None = None
    tenant_claim: str | None = None
    issuer: str | None = None
    audience: Sequence[str] = ()
    roles_claim: str | None = None
    # The console, and other pages that call the API.
    console: bool | None = None
    console_domain: str | None = None
    console_certificate: str | None = None
    console_client: str | None = None
    console_origins: Sequence[str] = ()
    authorize_url: str | None = None
    token_url: str | None = None
    logout_url: str | None = None
    trace_url: str | None = None
    cors_origins: Sequence[str] = ()
    # Resources that jobs may target.
    lambda_targets: Sequence[str] = ()
    queue_targets: Sequence[str] = ()
    topic_targets: Sequence[str] = ()
    bus_targets: Sequence[str] = ()
    state_machine_targets: Sequence[str] = ()
    task_definition_targets: Sequence[str] = ()
    cluster_targets: Sequence[str] = ()
    task_roles: Sequence[str] = ()
    #: Regions that jobs may call beside the stage's own.
    target_regions: Sequence[str] = ()
    webhook_ports: Sequence[int | str] = ()
    secrets: Sequence[str] = ()
    # Events, in both directions.
    events: bool | None = None
    event_sampling: Sequence[Mapping[str, object]] = ()
    dag_events: Sequence[Mapping[str, object]] = ()
    # Alarms, and who hears of them.
    alert_email: str | None = None
    runbooks_url: str | None = None
    objectives: bool | None = None
    heartbeat_url: str | None = None
    # Data at rest.
    archive: bool | None = None
    audit_retention_days: int | None = None
    kms_key: str | None = None
    seals: bool | None = None
    # Two Regions, of which one acts.
    region_pair: Sequence[str] = ()
    region: str | None = None
    region_seconds: int | None = None
    replica_streams: Sequence[str] = ()
    #: Percent of the traces that the stage begins which are recorded.
    trace_percent: float | None = None
    #: How functions move to their new versions.
    rollout: str | None = None


#: Numbers that may have decimals.
_SHARES = frozenset({"trace_percent"})


def context_key(name: str) -> str:
    """Name the key of a field: ``alertEmail`` of ``alert_email``."""
    first, *others = name.split("_")
    return first + "".join(map(str.capitalize, others))


#: Every key of the context that is about a stage.
CONTEXT_KEYS = tuple(context_key(each.name) for each in fields(TimegateProps))


def as_context(props: TimegateProps) -> Callable[[str], str | None]:
    """Say the props as the context would; raises ``PropError``."""
    return {
        context_key(each.name): _text(each.name, getattr(props, each.name))
        for each in fields(props)
    }.get


def _text(name: str, value: object) -> str | None:
    match value:
        case None:
            return None
        case bool():
            return "on" if value else "off"
        case str() | int() | float() if name in _SHARES or not isinstance(value, float):
            return str(value)
        case Mapping():
            pairs = value.items()
            return _listed(name, [f"{key}={'none' if n is None else n}" for key, n in pairs])
        case [Mapping(), *_]:
            return json.dumps([*value])
        case Sequence():
            return _listed(name, [_name(name, each) for each in value])
        case _:
            raise PropError(f"{name}: {value!r} is no value of a stage's choice")


def _name(name: str, given: object) -> str:
    """Read a member of a list: a name, or a port."""
    if isinstance(given, str | int) and not isinstance(given, bool):
        return str(given)
    raise PropError(f"{name}: {given!r} is no text; say the name, as jobs will")


def _listed(name: str, texts: Sequence[str]) -> str | None:
    for text in texts:
        if "," in text:
            raise PropError(f"{name}: {text!r} has a comma; give two names, or one without")
    return ",".join(texts) or None
