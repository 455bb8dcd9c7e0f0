"""Regions that jobs may call beside the stage's own, and ARNs on lists that name regions."""

from collections.abc import Iterable, Sequence

from infra.region_choice import RegionChoice
from timegate.domain.actions.target_rules import is_region, partition_of

#: A process may have a client of each kind of target for each of them.
MOST_REGIONS = 10
_ANY = "*"
_ARN_FIELDS = 5


class TargetRegionError(ValueError):
    """``targetRegions``, or an ARN on a list, names a region that calls cannot go to."""


def further_regions(pair: RegionChoice | None, named: Sequence[str]) -> tuple[str, ...]:
    """Return the regions beside the own one: jobs of a pair name targets in both of its regions."""
    if pair is None:
        return (*named,)
    every = dict.fromkeys((pair.home, pair.other, *named))
    return tuple(each for each in every if each != pair.here)


def check_regions(regions: Sequence[str]) -> None:
    """Refuse names that are no regions, or regions of two partitions; ``TargetRegionError``."""
    for each in regions:
        if not is_region(each):
            raise TargetRegionError(f"targetRegions: {each!r} is no name of a region")
    if len(set(regions)) != len(regions):
        raise TargetRegionError("targetRegions: a region is there twice")
    if len(regions) > MOST_REGIONS:
        raise TargetRegionError(
            f"targetRegions: {len(regions)} are named; {MOST_REGIONS} is the most"
        )
    if len(set(map(partition_of, regions))) > 1:
        raise TargetRegionError(
            "targetRegions: they are in two partitions of AWS, and no call crosses to another one"
        )


def check_own_partition(own: str, regions: Iterable[str]) -> None:
    """Refuse regions of another partition than the stage's; raises ``TargetRegionError``."""
    for each in regions:
        if partition_of(each) != partition_of(own):
            raise TargetRegionError(
                f"targetRegions: {each} is in another partition of AWS than the stage's {own}"
            )


def check_arn_region(setting: str, arn: str, own: str | None, regions: Sequence[str]) -> None:
    """Refuse a listed ARN that jobs could not call; raises ``TargetRegionError``.

    ``own``: the stage's region; ``None``: it is known at the deployment alone. An ARN without a
    region, as those of IAM are, is taken.
    """
    region = _region(arn)
    if region in {"", _ANY}:
        return
    if not is_region(region):
        raise TargetRegionError(f"{setting}: {arn!r} names neither a region nor {_ANY} as its own")
    if own is not None and region not in {own, *regions}:
        raise TargetRegionError(
            f"{setting}: {arn!r} is in a region that jobs may not call: name {region} in"
            " targetRegions as well, or leave the ARN out"
        )


def in_regions(arns: Iterable[str], regions: Sequence[str]) -> Iterable[str]:
    """Write an ARN of any region once for each that may be called: rights name every region."""
    for arn in arns:
        if arn != _ANY and _region(arn) == _ANY:
            before, partition, service, _, rest = arn.split(":", _ARN_FIELDS - 1)
            yield from (f"{before}:{partition}:{service}:{each}:{rest}" for each in regions)
        else:
            yield arn


def _region(arn: str) -> str:
    return arn.split(":", _ARN_FIELDS)[3]
