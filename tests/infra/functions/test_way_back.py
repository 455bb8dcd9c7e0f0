"""The way back of aliases, by the operator's command."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, cast

from infra.admin.rollout import go_back
from infra.rollout_choice import LIVE
from tests.support.factories import NOW

HOUR = timedelta(hours=1)
API, PLANNER = "timegate-prod-api", "timegate-prod-planner"


class NotFoundError(Exception):
    """The stage has no function of the name."""


@dataclass
class Functions:
    """Functions with the instants of their versions; the alias of each invokes the newest."""

    versions: dict[str, list[datetime]]
    moved: dict[str, str] = field(default_factory=dict)
    exceptions: Any = field(
        default_factory=lambda: type("Names", (), {"ResourceNotFoundException": NotFoundError})
    )

    def list_aliases(self, *, FunctionName: str) -> dict[str, Any]:  # noqa: N803 - as boto3 has it
        """The alias of a function, as Lambda lists it."""
        if FunctionName not in self.versions:
            raise NotFoundError(FunctionName)
        newest = str(len(self.versions[FunctionName]))
        return {"Aliases": [{"Name": LIVE, "FunctionVersion": newest}]}

    def get_paginator(self, _operation: str) -> "Functions":
        """Only versions are listed by pages."""
        return self

    def paginate(self, *, FunctionName: str) -> Iterator[dict[str, Any]]:  # noqa: N803 - see above
        """All versions of a function, as one page."""
        found = enumerate(self.versions[FunctionName], start=1)
        listed = [{"Version": str(n), "LastModified": at.isoformat()} for n, at in found]
        yield {"Versions": [{"Version": "$LATEST", "LastModified": NOW.isoformat()}, *listed]}

    def update_alias(self, **given: Any) -> None:  # noqa: ANN401 - as boto3 has it
        """Keep what an alias invokes from now on."""
        self.moved[given["FunctionName"]] = given["FunctionVersion"]


def taken_back(functions: Functions, before: datetime) -> tuple[bool, list[str]]:
    """Go back; whether it is done, and what is said about it."""
    said: list[str] = []
    return go_back(cast("Any", functions), "prod", said.append, before=before), said


def test_a_function_that_the_release_added_stays() -> None:
    """All others go back; one that has no other version is named and left."""
    functions = Functions({API: [NOW, NOW + HOUR], PLANNER: [NOW + HOUR]})

    is_done, said = taken_back(functions, NOW + HOUR)

    assert is_done
    assert functions.moved == {API: "1"}
    assert said == [
        f"{PLANNER}: stays, it came after 2026-11-21T08:00:00Z",
        f"{API}: 2 -> 1",
    ]


def test_nothing_goes_back_to_before_the_first_deployment() -> None:
    """An instant at which no function had a version moves no alias."""
    functions = Functions({API: [NOW, NOW + HOUR], PLANNER: [NOW]})

    is_done, said = taken_back(functions, NOW)

    assert not is_done
    assert functions.moved == {}
    assert len(said) == 1


def test_what_is_invoked_alone_is_not_moved() -> None:
    """The command may be repeated."""
    functions = Functions({API: [NOW], PLANNER: [NOW, NOW + HOUR]})

    assert taken_back(functions, NOW + 2 * HOUR) == (True, [])
    assert functions.moved == {}
