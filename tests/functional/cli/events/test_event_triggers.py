"""``timegate event-triggers``: what a terminal shows of a trigger."""

from collections.abc import Callable

import pytest

from tests.functional.cli.conftest import Outcome
from tests.functional.cli.fake_api import API_URL, FakeApi, ok
from tests.functional.cli.samples import answered

Timegate = Callable[..., Outcome]
HOOK = answered("getEventTrigger", "hook", path="/v1/hooks/f3q5")


@pytest.mark.parametrize("command", ["get", "pause", "resume"])
def test_a_web_hook_has_its_whole_address(api: FakeApi, timegate: Timegate, command: str) -> None:
    """A sender is given it as it is shown."""
    api.will(ok(answered("getEventTrigger", hook=HOOK)))
    shown = timegate("event-triggers", command, "deployments", "--wide").out

    assert f"{API_URL}/v1/hooks/f3q5 ({HOOK['scheme']})" in " ".join(shown.split())


def test_data_are_those_of_the_api(api: FakeApi, timegate: Timegate) -> None:
    """A program gets the path, as the API answers it."""
    trigger = answered("getEventTrigger", hook=HOOK)
    api.will(ok(trigger))

    assert timegate("event-triggers", "get", "deployments", "--json").json == trigger
