"""Targets that jobs may reach: resources by their names, and hosts on private addresses."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from aws_cdk import ArnFormat, Stack, Token
from constructs import Construct, IConstruct

from infra.acknowledge import acknowledge_wildcard
from infra.stage.given.target_regions import check_arn_region, check_own_partition, in_regions
from infra.stage.settings import StageSettings
from infra.stage.target_kinds import TARGET_LISTS, Right, TargetList
from infra.stage.target_patterns import PRINCIPAL_TENANT, TENANT

_COLON = ArnFormat.COLON_RESOURCE_NAME
_SLASH = ArnFormat.SLASH_RESOURCE_NAME


@dataclass(frozen=True, kw_only=True)
class Granted:
    """One action of a tenant's session, and the resources that it is for."""

    action: str
    arns: tuple[str, ...]
    conditions: Mapping[str, Mapping[str, Any]]


@dataclass(frozen=True, kw_only=True)
class AllowedTargets:
    """ARN patterns: what jobs are validated against is what the targets' role is granted.

    ``{tenant}`` in them is the tenant whose job it is.
    """

    #: By the names of kinds of actions.
    listed: Mapping[str, tuple[str, ...]]
    secret_arns: tuple[str, ...]
    parameter_arns: tuple[str, ...]
    private_hosts: tuple[str, ...]
    #: Ports of web hooks.
    ports: tuple[str, ...]
    #: Regions that jobs may call: the stage's own, and those beside it.
    regions: tuple[str, ...]

    @classmethod
    def of(cls, reader: Construct, settings: StageSettings) -> "AllowedTargets":
        """The stage's allow-lists; a bare name means this account, and each region of calls.

        Raises ``TargetRegionError`` for an ARN of any other region, where the own one is known.
        """
        stack = Stack.of(reader)
        further = settings.further_regions
        _check_regions(stack, settings)
        anywhere = "*" if further else None
        return cls(
            listed={
                each.listed: tuple(_arns_of(stack, each, settings.targets[each.listed], anywhere))
                for each in TARGET_LISTS
            },
            secret_arns=tuple(
                _arns(
                    stack,
                    "secretsmanager",
                    "secret",
                    _of(settings.secrets, "secretsmanager"),
                    region=anywhere,
                )
            ),
            parameter_arns=tuple(
                _arns(
                    stack,
                    "ssm",
                    "parameter",
                    _of(settings.secrets, "ssm"),
                    form=_SLASH,
                    region=anywhere,
                )
            ),
            private_hosts=settings.private_hosts,
            ports=settings.webhook_ports,
            regions=(stack.region, *(each for each in further if each != stack.region)),
        )

    @property
    def grants(self) -> tuple[Granted, ...]:
        """Return the rights of a tenant's session, with their ARNs: AWS puts its tag into them."""
        rights = (
            (right, self.listed[each.listed]) for each in TARGET_LISTS for right in each.rights
        )
        return (*(self._granted(right, arns) for right, arns in rights), *self.secret_grants)

    @property
    def secret_grants(self) -> tuple[Granted, ...]:
        """Return the rights of a session that reads a tenant's secrets, and does nothing else."""
        rights = (
            (Right(action="secretsmanager:GetSecretValue"), self.secret_arns),
            (Right(action="ssm:GetParameter"), self.parameter_arns),
        )
        return tuple(self._granted(right, arns) for right, arns in rights)

    def _granted(self, right: Right, arns: Iterable[str]) -> Granted:
        conditions: dict[str, dict[str, Any]] = {}
        if right.within is not None:
            key, listed = right.within
            conditions["ArnLike"] = {key: [*_tagged(self._in_regions(self.listed[listed]))]}
        if right.where:
            conditions["StringEquals"] = dict(right.where)
        return Granted(
            action=right.action,
            arns=tuple(dict.fromkeys(_tagged(map(right.of, self._in_regions(arns))))),
            conditions=conditions,
        )

    def _in_regions(self, arns: Iterable[str]) -> Iterable[str]:
        return in_regions(arns, self.regions)

    def environment(self, reader: Construct) -> dict[str, str]:
        """Return the variables of API and executors."""
        stack = Stack.of(reader)
        secrets = (*self.secret_arns, *self.parameter_arns)
        return {
            "ALLOWED_TARGETS": stack.to_json_string(
                {listed: [*arns] for listed, arns in self.listed.items()}
            ),
            "ALLOWED_SECRETS": stack.to_json_string([*secrets]),
            "ALLOWED_PRIVATE_HOSTS": json.dumps(self.private_hosts),
            "ALLOWED_PORTS": json.dumps(self.ports),
            **({"TARGET_REGIONS": ",".join(self.regions[1:])} if self.regions[1:] else {}),
        }

    @staticmethod
    def acknowledge(role: IConstruct, grants: Iterable[Granted]) -> None:
        """The patterns are the allow-list itself."""
        for arn in {arn: None for granted in grants for arn in granted.arns}:
            if "*" in arn:
                acknowledge_wildcard(
                    role,
                    arn,
                    "The stage's allow-list of job targets: users name their resources by this "
                    "pattern, and jobs are validated against the same list.",
                )


def _tagged(arns: Iterable[str]) -> Iterable[str]:
    """Put the session's tag where a pattern has the tenant."""
    return (arn.replace(TENANT, PRINCIPAL_TENANT) for arn in arns)


def _check_regions(stack: Stack, settings: StageSettings) -> None:
    """Refuse regions, and ARNs of regions, that no call could go to; ``TargetRegionError``."""
    own = None if Token.is_unresolved(stack.region) else stack.region
    if own is not None:
        check_own_partition(own, settings.further_regions)
    lists = {each.setting: settings.targets[each.listed] for each in TARGET_LISTS}
    for setting, names in {**lists, "secrets": settings.secrets}.items():
        for name in names:
            if name.startswith("arn:"):
                check_arn_region(setting, name, own, settings.further_regions)


def _arns_of(
    stack: Stack, kind: TargetList, names: Iterable[str], anywhere: str | None
) -> Iterable[str]:
    """``anywhere``: the region of bare names; ``None``: the stage's own."""
    form = _SLASH if kind.separator == "/" else _COLON
    region = anywhere if kind.is_regional else ""
    return _arns(stack, kind.service, kind.resource, names, form=form, region=region)


def _of(names: Iterable[str], service: str) -> Iterable[str]:
    """Bare names, and the ARNs of one service."""
    return (n for n in names if not n.startswith("arn:") or n.split(":")[2] == service)


def _arns(
    stack: Stack,
    service: str,
    resource: str | None,
    names: Iterable[str],
    *,
    form: ArnFormat = _COLON,
    region: str | None = None,
) -> Iterable[str]:
    for name in names:
        if name.startswith("arn:"):
            yield name
        elif resource:
            yield stack.format_arn(
                service=service,
                region=region,
                resource=resource,
                resource_name=name,
                arn_format=form,
            )
        else:
            yield stack.format_arn(service=service, region=region, resource=name)
