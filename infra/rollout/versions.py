"""Versions of a stage's functions: which are invoked, and which were at an instant."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from infra.rollout.choice import LIVE

if TYPE_CHECKING:
    from mypy_boto3_lambda import LambdaClient


@dataclass(frozen=True, kw_only=True)
class Version:
    """One published version, and when its code or variables came."""

    number: str
    changed_at: datetime


@dataclass(frozen=True, kw_only=True)
class Invoked:
    """A function with its versions, oldest first, and what its alias gives each."""

    function: str
    live: str
    #: Of the invocations, what a rollout gives to other versions.
    shares: Mapping[str, float]
    versions: Sequence[Version]

    def before(self, instant: datetime) -> Version | None:
        """Return the version that was the newest one at an instant."""
        return next((each for each in reversed(self.versions) if each.changed_at < instant), None)


def invoked(client: "LambdaClient", stage: str) -> Iterator[Invoked]:
    """Yield the functions of a stage that have the alias, by name."""
    pages = client.get_paginator("list_functions").paginate()
    names = [each["FunctionName"] for page in pages for each in page["Functions"]]
    for name in sorted(each for each in names if each.startswith(f"timegate-{stage}-")):
        aliases = client.list_aliases(FunctionName=name)["Aliases"]
        for alias in (each for each in aliases if each["Name"] == LIVE):
            yield Invoked(
                function=name,
                live=alias["FunctionVersion"],
                shares=alias.get("RoutingConfig", {}).get("AdditionalVersionWeights", {}),
                versions=_versions(client, name),
            )


def move(client: "LambdaClient", function: str, version: str) -> None:
    """Let the alias invoke a version alone, at once."""
    client.update_alias(
        FunctionName=function,
        Name=LIVE,
        FunctionVersion=version,
        RoutingConfig={"AdditionalVersionWeights": {}},
    )


def _versions(client: "LambdaClient", function: str) -> list[Version]:
    pages = client.get_paginator("list_versions_by_function").paginate(FunctionName=function)
    found = [
        Version(number=each["Version"], changed_at=datetime.fromisoformat(each["LastModified"]))
        for page in pages
        for each in page["Versions"]
        if each["Version"] != "$LATEST"
    ]
    return sorted(found, key=lambda each: int(each.number))
