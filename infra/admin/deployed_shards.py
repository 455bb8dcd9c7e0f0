"""Deployed shard counts: each function's setting, and since when it has it."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from infra.rollout_choice import LIVE
from infra.stage.settings import FUNCTION_NAMES

if TYPE_CHECKING:
    from mypy_boto3_lambda import LambdaClient
    from mypy_boto3_lambda.type_defs import FunctionConfigurationResponseTypeDef

#: A rollout takes a version away fifteen minutes after it began at the latest, and the stack's
#: update some more; an invocation of that version is over after another fifteen.
SETTLES_AFTER = timedelta(minutes=45)


@dataclass(frozen=True, kw_only=True)
class Deployed:
    """One function that writes."""

    name: str
    shards: int
    changed_at: datetime
    #: Its last update is complete, and it is invoked by one version.
    is_current: bool


def deployed(client: "LambdaClient", stage: str) -> list[Deployed]:
    """Every function of a stage that is told a number of shards."""
    found = []
    for name in FUNCTION_NAMES:
        function = f"timegate-{stage}-{name}"
        alias = client.get_alias(FunctionName=function, Name=LIVE)
        invoked = [alias["FunctionVersion"]]
        invoked += alias.get("RoutingConfig", {}).get("AdditionalVersionWeights", {})
        # A deployed version may not have been published yet.
        answers = [client.get_function_configuration(FunctionName=function)]
        answers += [
            client.get_function_configuration(FunctionName=function, Qualifier=version)
            for version in invoked
        ]
        told = [number for each in answers if (number := _told(each)) is not None]
        if told:
            found.append(
                Deployed(
                    name=name,
                    shards=max(told),
                    changed_at=max(
                        datetime.fromisoformat(each["LastModified"]) for each in answers
                    ),
                    is_current=_is_updated(answers[0]) and len(invoked) == 1,
                )
            )
    return found


def _told(answer: "FunctionConfigurationResponseTypeDef") -> int | None:
    told = answer.get("Environment", {}).get("Variables", {}).get("SHARDS")
    return None if told is None else int(told)


def _is_updated(answer: "FunctionConfigurationResponseTypeDef") -> bool:
    return answer.get("LastUpdateStatus", "Successful") == "Successful"


def in_use(functions: Sequence[Deployed]) -> int:
    """The most shards that any of them writes to."""
    return max(function.shards for function in functions)


def objections(
    functions: Sequence[Deployed],
    *,
    keep: int,
    now: datetime,
    settles_after: timedelta = SETTLES_AFTER,
) -> list[str]:
    """List the reasons for which a function may still write to more than ``keep`` shards."""
    found = []
    for function in functions:
        if function.shards > keep:
            found.append(f"{function.name}: writes to {function.shards} shards")
        elif not function.is_current:
            found.append(f"{function.name}: its last update is not complete")
        elif now - function.changed_at < settles_after:
            ready = function.changed_at + settles_after
            found.append(f"{function.name}: was updated lately; wait until {ready:%H:%M:%S} UTC")
    return found
