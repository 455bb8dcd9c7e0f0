"""``docs/guides/targets.md``: every type of target, and the snippets that check signatures."""

import json
import re
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, get_args

import pytest
import time_machine
from standardwebhooks import WebhookVerificationError

from infra.constructs.targeting.targets import AllowedTargets
from infra.stage.target_kinds import TARGET_LISTS
from tests.support.factories import NOW
from tests.support.values.signing import OLD_KEY, OTHER_KEY, SIGNING_KEY
from timegate.domain.actions.action import Action
from timegate.domain.actions.signatures import headers

PAGE = (Path(__file__).resolve().parents[4] / "docs" / "guides" / "targets.md").read_text()
BODY = '{"ü": 1}'.encode()
ID = "wr3yhndwd4n2aifoevtherqsl2_s20261121T070000000Z"

Check = Callable[[dict[str, str], bytes, str], bool]


def snippet(name: str) -> Any:  # noqa: ANN401 - a function of the page
    """The function of this name, from the page's code."""
    names: dict[str, Any] = {}
    (code,) = (
        each
        for each in re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
        if f"def {name}(" in each
    )
    exec(code, names)
    return names[name]


def package_accepts(headers: dict[str, str], body: bytes, key: str) -> bool:
    """Return whether the package's snippet returns the payload."""
    try:
        return bool(snippet("read")(headers, body, key) == json.loads(body))
    except WebhookVerificationError:
        return False


@pytest.fixture(params=["is_timegate", "read"])
def is_timegate(request: pytest.FixtureRequest) -> Iterator[Check]:
    """Each snippet, at the tests' moment."""
    with time_machine.travel(NOW, tick=False):
        yield package_accepts if request.param == "read" else snippet("is_timegate")


def signed(*keys: str, at: datetime = NOW, **changes: str) -> dict[str, str]:
    """The headers of a request with the tests' body; ``webhook_id=…`` replaces one."""
    sent = headers(ID, BODY, keys, now=at)
    return {**sent, **{name.replace("_", "-"): text for name, text in changes.items()}}


@pytest.mark.parametrize("kind", [each.type for each in get_args(Action)])
def test_every_type_of_target_has_its_section(kind: str) -> None:
    """With an example, and the rights that it takes."""
    section = PAGE.split(f"\n## {kind}\n", 1)[1].split("\n## ", 1)[0]

    assert f'"type": "{kind}"' in section
    assert "*Sessions may*" in section


def test_every_right_is_on_the_page() -> None:
    """The page lists exactly the rights of a tenant's session on users' resources."""
    none: dict[str, Any] = dict.fromkeys(AllowedTargets.__dataclass_fields__, ())
    listed = {each.listed: () for each in TARGET_LISTS}
    granted = {each.action for each in AllowedTargets(**none | {"listed": listed}).grants}
    named = set(re.findall(r"`([a-z]+:[A-Z]\w+)`", PAGE))

    assert granted == {name for name in named if not name.startswith("kms:")}


@pytest.mark.parametrize(
    "keys",
    [(SIGNING_KEY,), (OTHER_KEY, SIGNING_KEY), (SIGNING_KEY, OLD_KEY)],
    ids=["only", "last", "first"],
)
def test_the_snippet_knows_timegate(is_timegate: Check, keys: tuple[str, ...]) -> None:
    """By any of the active keys, however a server spells the headers' names."""
    sent = signed(*keys)

    assert is_timegate(sent, BODY, SIGNING_KEY)
    assert is_timegate({name.title(): text for name, text in sent.items()}, BODY, SIGNING_KEY)


SENT = signed(SIGNING_KEY)


@pytest.mark.parametrize(
    ("sent", "body"),
    [
        pytest.param(signed(OTHER_KEY), BODY, id="another-key"),
        pytest.param(SENT, BODY + b" ", id="another-body"),
        pytest.param(signed(SIGNING_KEY, webhook_id=f"{ID}~2"), BODY, id="another-id"),
        pytest.param(
            signed(SIGNING_KEY, webhook_timestamp=str(int(NOW.timestamp()) + 1)),
            BODY,
            id="another-second",
        ),
        pytest.param(
            {**SENT, "webhook-signature": SENT["webhook-signature"].replace("v1,", "v1a,")},
            BODY,
            id="another-version",
        ),
        pytest.param(signed(), BODY, id="no-signature"),
        pytest.param(signed(SIGNING_KEY, webhook_timestamp=""), BODY, id="no-second"),
        pytest.param({}, BODY, id="nothing"),
        pytest.param(signed(SIGNING_KEY, webhook_timestamp="²"), BODY, id="nonsense"),
        pytest.param(signed(SIGNING_KEY, webhook_timestamp="9" * 5000), BODY, id="long"),
    ],
)
def test_the_snippet_refuses_every_other_sender(
    is_timegate: Check, sent: dict[str, str], body: bytes
) -> None:
    """Without another exception: a caller that sends nonsense learns nothing."""
    assert not is_timegate(sent, body, SIGNING_KEY)


@pytest.mark.parametrize(
    ("seconds", "accepted"), [(-301, False), (-300, True), (0, True), (300, True), (301, False)]
)
def test_the_snippet_refuses_what_was_overheard(
    is_timegate: Check, seconds: int, *, accepted: bool
) -> None:
    """Five minutes, either way: clocks differ."""
    sent = signed(SIGNING_KEY, at=NOW + timedelta(seconds=seconds))

    assert is_timegate(sent, BODY, SIGNING_KEY) is accepted
