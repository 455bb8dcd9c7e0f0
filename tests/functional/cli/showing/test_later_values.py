"""Answers of a later API, which has kinds and states that this command line does not know.

A deployment changes the API, and people change their command line when they come to it.
"""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.functional.cli.conftest import Outcome
from tests.functional.cli.fake_api import FakeApi, placeholder
from tests.functional.cli.showing.test_presentation import ANSWERS, DRAWN, NOT_ALONE
from tests.functional.cli.terminal.test_every_operation import COMMANDS, DOCUMENT
from timegate.cli.doctor.stuck_runs import stuck
from timegate.cli.restrictions.restriction_tables import freeze_details
from timegate.cli.terminal.channel_words import address_of
from timegate.domain.approvals.link import terms_in
from timegate.domain.values.tenant import TenantId

Timegate = Callable[..., Outcome]

LATER = "hibernating"


def members(schema: Any) -> Iterator[str]:  # noqa: ANN401 - any JSON
    """Yield every value of an enumeration of the API's description."""
    if isinstance(schema, dict):
        yield from map(str, schema.get("enum", [schema[c] for c in ("const",) if c in schema]))
    inner = schema.values() if isinstance(schema, dict) else schema
    for each in inner if isinstance(schema, dict | list) else ():
        yield from members(each)


MEMBERS = frozenset(members(DOCUMENT))


def later(value: Any) -> Any:  # noqa: ANN401 - any JSON
    """Return an answer with new members in place of those of enumerations."""
    match value:
        case dict():
            return {name: later(each) for name, each in value.items()}
        case list():
            return [later(each) for each in value]
        case str() if value in MEMBERS:
            return LATER
    return value


@pytest.mark.parametrize("name", sorted(COMMANDS.keys() - DRAWN - NOT_ALONE))
def test_a_later_answer_is_shown(
    api: FakeApi, timegate: Timegate, tmp_path: Path, name: str
) -> None:
    """A change was made: a command that cannot show it would say that it failed."""
    described = ANSWERS["operations"][name]
    api.will(placeholder(later(described["answer"]), described["status"]))
    (tmp_path / "list.json").write_text("[{}]")
    words = COMMANDS[name].replace("LIST", str(tmp_path / "list.json")).split()
    outcome = timegate(*words, stdin="{}")

    assert outcome.unexpected is None, outcome.err
    assert "not_understood" not in outcome.err


def test_a_freeze_of_a_later_scope_is_not_said_to_hold_everything() -> None:
    """It is named by its kind."""
    freeze = ANSWERS["operations"]["getFreeze"]["answer"]
    shown = str(_cells(freeze_details({**freeze, "scope": {"kind": "pool", "pool": "reports"}})))

    assert "everything" not in shown
    assert "pool" in shown


def test_a_channel_of_a_later_kind_is_named_by_it() -> None:
    """And a secret is named by its place, whatever a later API says beside it."""
    chat = {"type": "slack", "url_secret": {"ssm_parameter": "/a/b", "later": 1}}

    assert address_of({"type": "pager", "on": ["failed"]}) == "pager"
    assert address_of(chat) == "slack /a/b"


def test_a_run_of_a_later_state_is_said_to_be_in_it() -> None:
    """The doctor names the state and does not fail itself."""
    assert "The run is hibernating." in stuck({"state": LATER}, "job", 60).detail


def test_a_notice_of_a_later_release_leads_to_its_link() -> None:
    """The earlier release tells it in a canary."""
    asked = {
        "link_secret": {"ssm_parameter": "/a/b", "later": 1},
        "task": "a",
        "round": 1,
        "ends": "20261121T070000000Z",
        "receiver": "ann",
    }
    notice = {"approval": asked, "dag_run": {"dag_run_id": "d" * 26}}
    terms = terms_in(json.dumps(notice), TenantId("acme"))

    assert terms is not None
    assert terms.secret.place == "/a/b"


def _cells(shown: Any) -> list[str]:  # noqa: ANN401 - whatever a terminal can show
    """Return the texts of a table."""
    return [str(cell) for column in shown.columns for cell in column.cells]
