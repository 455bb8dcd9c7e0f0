"""``timegate admin rollout``: versions of functions that are invoked, and the way back."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from infra.rollout_choice import LIVE
from infra.stage.deployed_functions import CLOUD_EVENTS
from infra.stage.settings import FUNCTION_NAMES

if TYPE_CHECKING:
    from mypy_boto3_lambda import LambdaClient

RIGHTS = (
    "lambda:ListAliases and ListVersionsByFunction on the stage's functions, cloudformation:"
    "DescribeStacks, and lambda:UpdateAlias to go back"
)
Say = Callable[[str], None]


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
    #: Shares of invocations that a rollout gives to other versions.
    shares: Mapping[str, float]
    versions: Sequence[Version]

    def before(self, instant: datetime) -> Version | None:
        """Return the version that was the newest one at an instant."""
        return next((each for each in reversed(self.versions) if each.changed_at < instant), None)


def invoked(client: "LambdaClient", stage: str) -> Iterator[Invoked]:
    """Yield the functions of a stage that have the alias."""
    for name in (f"timegate-{stage}-{each}" for each in (*FUNCTION_NAMES, CLOUD_EVENTS)):
        try:
            aliases = client.list_aliases(FunctionName=name)["Aliases"]
        except client.exceptions.ResourceNotFoundException:
            # A stage without events has no function that tells of them.
            continue
        for alias in (each for each in aliases if each["Name"] == LIVE):
            yield Invoked(
                function=name,
                live=alias["FunctionVersion"],
                shares=alias.get("RoutingConfig", {}).get("AdditionalVersionWeights", {}),
                versions=_versions(client, name),
            )


def report(client: "LambdaClient", stage: str, say: Say) -> bool:
    """Say which version of each function is invoked, and when the last ones came.

    ``True``: each by one version alone.
    """
    functions = list(invoked(client, stage))
    for each in functions:
        shared = "".join(f", {number} has {share:.0%}" for number, share in each.shares.items())
        last = [f"{one.number} of {_written(one.changed_at)}" for one in each.versions[-3:]]
        say(f"{each.function}: {each.live}{shared} ({', '.join(last)})")
    return bool(functions) and not any(each.shares for each in functions)


def go_back(client: "LambdaClient", stage: str, say: Say, *, before: datetime) -> bool:
    """Let each function's newest version of before an instant be invoked; ``True``: they are.

    A function that came later has none, and stays; if all did, nothing is moved.
    """
    functions = list(invoked(client, stage))
    found = [(each, version) for each in functions if (version := each.before(before))]
    if not found:
        say(f"nothing is moved: no version of any function came before {_written(before)}")
        return False
    known = {each.function for each, _ in found}
    for function in sorted(each.function for each in functions if each.function not in known):
        say(f"{function}: stays, it came after {_written(before)}")
    for each, version in found:
        if version.number != each.live or each.shares:
            move(client, each.function, version.number)
            say(f"{each.function}: {each.live} -> {version.number}")
    return True


def move(client: "LambdaClient", function: str, version: str) -> None:
    """Let the alias invoke a version alone, at once."""
    client.update_alias(
        FunctionName=function,
        Name=LIVE,
        FunctionVersion=version,
        RoutingConfig={"AdditionalVersionWeights": {}},
    )


def _written(instant: datetime) -> str:
    return f"{instant:%Y-%m-%dT%H:%M:%SZ}"


def _versions(client: "LambdaClient", function: str) -> list[Version]:
    pages = client.get_paginator("list_versions_by_function").paginate(FunctionName=function)
    found = [
        Version(number=each["Version"], changed_at=datetime.fromisoformat(each["LastModified"]))
        for page in pages
        for each in page["Versions"]
        if each["Version"] != "$LATEST"
    ]
    return sorted(found, key=lambda each: int(each.number))
