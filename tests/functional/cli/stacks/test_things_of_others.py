"""Calendars, rules and event triggers that a stack declares, and that are there by their names."""

from collections.abc import Mapping
from typing import Any

import pytest

from tests.functional.cli.served import served
from tests.functional.cli.stacks.stack_requests import STACK, Asked, asked, asking, job, request
from timegate.client import TimegateClient
from timegate.declaring.cloudformation import set_name

__all__ = ["asked", "served"]

SPEC: dict[str, Any] = {"timezone": "UTC", "days": [{"first": "2026-12-24", "last": "2026-12-26"}]}
OTHER = STACK.replace("Shop", "Other")


def closed(**changed: object) -> Mapping[str, object]:
    """A document of a calendar."""
    return {"kind": "Calendar", "name": "closed", "spec": {**SPEC, **changed}}


def test_a_thing_that_people_made_stays_theirs(asked: Asked, client: TimegateClient) -> None:
    """A failure rolls the stack back: what it had taken over would go with it."""
    client.put_calendar("closed", SPEC, version=0)  # type: ignore[arg-type]
    answer = asked("Create", closed(days=[]), job("nightly"))

    assert answer["Reason"].startswith("there_already: Calendar/closed: It is there, and people")
    assert asked("Delete")["Status"] == "SUCCESS"
    assert client.get_calendar("closed")["days"] == SPEC["days"]


def test_a_second_resource_is_refused_what_a_first_one_declares(
    asked: Asked, client: TimegateClient
) -> None:
    """Each deployment of one would undo that of the other; the first one's end would end both."""
    asked("Create", closed())
    second = asking(client, StackId=OTHER)
    answer = second("Create", closed(days=[]))

    assert answer["Status"] == "FAILED"
    assert f"the set {set_name(request('Create'))} declares it" in answer["Reason"]
    assert client.get_calendar("closed")["days"] == SPEC["days"]


def test_an_update_is_refused_it_as_well_and_goes_back(
    asked: Asked, client: TimegateClient
) -> None:
    asked("Create", closed())
    second = asking(client, StackId=OTHER)
    second("Create", job("hourly"))

    assert second("Update", job("hourly"), closed(days=[]))["Status"] == "FAILED"
    assert second("Update", job("hourly"))["Status"] == "SUCCESS"
    assert client.get_calendar("closed")["days"] == SPEC["days"]


def test_a_thing_that_people_made_anew_is_the_resources(
    asked: Asked, client: TimegateClient
) -> None:
    """It was declared all the time: a rollback may not stop at it."""
    asked("Create", closed())
    client.delete_calendar("closed")
    client.put_calendar("closed", SPEC, version=0)  # type: ignore[arg-type]

    assert asked("Update", closed(), job("nightly"))["Status"] == "SUCCESS"
    assert client.get_calendar("closed")["tags"] == {"timegate-apply": set_name(request("Create"))}


@pytest.mark.parametrize("text", ["[", "[{}]"])
def test_a_rollback_from_a_text_that_cannot_be_read_stops_at_nothing(
    asked: Asked, client: TimegateClient, text: str
) -> None:
    asked("Create", closed())
    client.delete_calendar("closed")
    client.put_calendar("closed", SPEC, version=0)  # type: ignore[arg-type]
    made = set_name(request("Create"))
    former: Any = {"Documents": text}
    back = asking(client, PhysicalResourceId=made, OldResourceProperties=former)

    assert back("Update", closed())["Status"] == "SUCCESS"
