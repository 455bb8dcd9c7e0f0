"""Targets that a tenant's jobs may invoke, by place and by name; all others are refused."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import field

from timegate.domain.actions.port_ranges import WEB_PORTS
from timegate.domain.actions.target_names import matches, matches_any, patterns_for
from timegate.domain.values.secrets import SecretRef
from timegate.domain.values.tenant import TenantId
from timegate.value_classes import dataclass

_ARN_FIELDS = 5
#: Partitions whose regions have names of their own; regions of all others begin otherwise.
_PARTITIONS = {
    "cn-": "aws-cn",
    "us-gov-": "aws-us-gov",
    "us-iso-": "aws-iso",
    "us-isob-": "aws-iso-b",
    "us-isof-": "aws-iso-f",
    "eu-isoe-": "aws-iso-e",
    "eusc-": "aws-eusc",
}
_REGION = re.compile(r"[a-z]{2,4}(-[a-z]+)+-\d{1,2}")


def is_region(name: str) -> bool:
    """Tell if a text has the form of a region's name."""
    return _REGION.fullmatch(name) is not None


def partition_of(region: str) -> str:
    """Return the partition that a region is in, by its name."""
    found = (each for begin, each in _PARTITIONS.items() if region.startswith(begin))
    return next(found, "aws")


@dataclass(frozen=True, kw_only=True, slots=True)
class TargetPlace:
    """Partition, region and account of a target or a secret."""

    partition: str
    region: str
    account: str

    @classmethod
    def of(cls, arn: str) -> "TargetPlace":
        """Read the place in an ARN, whose form was checked."""
        _, partition, _, region, account, _ = arn.split(":", _ARN_FIELDS)
        return cls(partition=partition, region=region, account=account)


@dataclass(frozen=True, slots=True)
class Unreachable:
    """An objection to a place: the refusal's code, and its words."""

    code: str
    detail: str


@dataclass(frozen=True, kw_only=True, slots=True)
class ReachablePlaces:
    """The stage's own place, and the regions that its operator allows beside the own one."""

    own: TargetPlace
    regions: frozenset[str] = frozenset()

    @property
    def all_regions(self) -> tuple[str, ...]:
        """Return the regions that jobs may call, the stage's own first."""
        return (self.own.region, *sorted(self.regions - {self.own.region}))

    def objection(self, place: TargetPlace, *, crosses_accounts: bool = True) -> Unreachable | None:
        """Say why a place cannot be called; ``None``: it can.

        ``crosses_accounts``: a policy of the resource may let another account's session call it.
        """
        own, region = self.own, place.region
        if not place.partition == partition_of(region) == own.partition:
            detail = f"It is not in partition {own.partition}, which the stage cannot leave."
            return Unreachable("partition_mismatch", detail)
        if region != own.region and region not in self.regions:
            detail = f"Region {region} is not among those that jobs of this stage may call."
            return Unreachable("region_not_allowed", detail)
        if place.account != own.account and not crosses_accounts:
            detail = "AWS lets no other account call it: it must be in the stage's own account."
            return Unreachable("account_not_reachable", detail)
        return None


@dataclass(frozen=True, kw_only=True, slots=True)
class TargetRules:
    """Patterns with ``*``: ARNs as in the policy that grants each tenant's session its calls.

    ``{tenant}`` stands for the tenant whose job it is, in the form of ``name_form``. A pattern
    without it is shared by all tenants.
    """

    #: Each list has the name of the kind of action that it is for.
    allowed: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    #: ARNs of secrets and parameters.
    allowed_secrets: tuple[str, ...] = ()
    #: Host names that web hooks may reach although their addresses are private.
    private_hosts: tuple[str, ...] = ()
    #: Ports that web hooks may reach, on any host.
    allowed_ports: tuple[range, ...] = WEB_PORTS
    #: ``None``: the lists alone decide about regions and accounts, and no call leaves the own one.
    places: ReachablePlaces | None = None

    def allows_port(self, port: int) -> bool:
        """Tell whether web hooks may reach the port."""
        return any(port in ports for ports in self.allowed_ports)

    def allows(self, listed: str, tenant: TenantId, arn: str) -> bool:
        """Tell if the tenant's jobs may name the resource; ``listed``: the list's name."""
        return matches_any(arn, self.patterns(listed, tenant))

    def patterns(self, listed: str, tenant: TenantId) -> list[str]:
        """Return the patterns of a list, for the tenant."""
        return patterns_for(tenant, self.allowed.get(listed, ()))

    @property
    def regions(self) -> tuple[str, ...]:
        """Return the regions that jobs may call, the stage's own first; none are known: none."""
        return () if self.places is None else self.places.all_regions

    def objection(
        self, place: TargetPlace | None, *, crosses_accounts: bool = True
    ) -> Unreachable | None:
        """Say why no job may call a place, whatever is listed; ``None``: a job may."""
        if self.places is None or place is None:
            return None
        return self.places.objection(place, crosses_accounts=crosses_accounts)

    def other_region(self, place: TargetPlace | None) -> str | None:
        """Return the region of a place; ``None``: the stage's own one is called."""
        if self.places is None or place is None or place.region == self.places.own.region:
            return None
        return place.region

    def is_own_account(self, place: TargetPlace | None) -> bool:
        """Tell if a place is in the stage's own account, as far as that is known."""
        return place is None or (
            self.places is not None and place.account == self.places.own.account
        )

    def allows_secret(self, tenant: TenantId, ref: SecretRef) -> bool:
        """Tell if a job of this tenant may name the secret."""
        patterns = patterns_for(tenant, self.allowed_secrets)
        if ref.arn is not None:
            return matches_any(ref.arn, patterns)
        # Such a parameter is named without account and region, which are the stage's own.
        resource = f"parameter{ref.ssm_parameter}"
        fields = [pattern.split(":", 5) for pattern in patterns]
        return any(
            f[2:3] == ["ssm"] and self._is_own_place(f[3:5]) and matches(resource, f[-1])
            for f in fields
        )

    def _is_own_place(self, listed: Sequence[str]) -> bool:
        """Tell if patterns of a region and an account cover the stage's own."""
        if self.places is None:
            return True
        own = self.places.own
        return all(map(matches, (own.region, own.account), listed))


def secret_place(ref: SecretRef) -> TargetPlace | None:
    """Return the place in its ARN; ``None``: a parameter by its name, in the stage's own place."""
    return None if ref.arn is None else TargetPlace.of(ref.arn)
