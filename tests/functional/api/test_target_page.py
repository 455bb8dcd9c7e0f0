"""``docs/guides/targets.md``: every type of target, and a snippet that checks signatures."""

import re
import time
from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, get_args

import pytest

from infra.constructs.targeting.targets import AllowedTargets
from infra.stage.target_kinds import TARGET_LISTS
from tests.support.factories import NOW
from timegate.domain.actions.action import Action
from timegate.domain.actions.signatures import signature

PAGE = (Path(__file__).resolve().parents[3] / "docs" / "guides" / "targets.md").read_text()
BODY = '{"ü": 1}'.encode()

Check = Callable[[str, bytes, str], bool]


@pytest.fixture
def is_timegate(monkeypatch: pytest.MonkeyPatch) -> Check:
    """The snippet, at the tests' moment."""
    (code,) = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    names: dict[str, Check] = {}
    exec(code, names)
    monkeypatch.setattr(time, "time", NOW.timestamp)
    return names["is_timegate"]


def signed(*keys: str, at: datetime = NOW) -> str:
    """The header of a request with the tests' body."""
    return signature(keys, BODY, now=at)


@pytest.mark.parametrize("kind", [each.type for each in get_args(Action)])
def test_every_type_of_target_has_its_section(kind: str) -> None:
    """With an example, and the rights that it takes."""
    section = PAGE.split(f"\n## {kind}\n", 1)[1].split("\n## ", 1)[0]

    assert f'"type": "{kind}"' in section
    assert "*Sessions may*" in section


def test_every_right_is_on_the_page() -> None:
    """What a tenant's session is granted on users' resources, and nothing else."""
    none: dict[str, Any] = dict.fromkeys(AllowedTargets.__dataclass_fields__, ())
    listed = {each.listed: () for each in TARGET_LISTS}
    granted = set(AllowedTargets(**none | {"listed": listed}).grants)
    named = set(re.findall(r"`([a-z]+:[A-Z]\w+)`", PAGE))

    assert granted == {name for name in named if not name.startswith("kms:")}


@pytest.mark.parametrize("keys", [("k",), ("new", "k"), ("k", "old")], ids="-".join)
def test_the_snippet_knows_timegate(is_timegate: Check, keys: tuple[str, ...]) -> None:
    """By any of the active keys."""
    assert is_timegate(signed(*keys), BODY, "k")


@pytest.mark.parametrize(
    ("header", "body"),
    [
        pytest.param(signed("other"), BODY, id="another-key"),
        pytest.param(signed("k"), BODY + b" ", id="another-body"),
        pytest.param(signed("k").replace("t=", "t=1"), BODY, id="another-instant"),
        pytest.param(signed("k").replace("v1=", "v0="), BODY, id="another-version"),
        pytest.param(signed("k").partition(",")[0], BODY, id="no-signature"),
        pytest.param(signed("k").partition(",")[2], BODY, id="no-instant"),
        pytest.param("", BODY, id="nothing"),
        pytest.param("t=²,v1=ü", BODY, id="nonsense"),
    ],
)
def test_the_snippet_refuses_everybody_else(is_timegate: Check, header: str, body: bytes) -> None:
    """Without an exception: whoever sends nonsense learns nothing."""
    assert not is_timegate(header, body, "k")


@pytest.mark.parametrize(
    ("seconds", "accepted"), [(-301, False), (-300, True), (0, True), (300, True), (301, False)]
)
def test_the_snippet_refuses_what_was_overheard(
    is_timegate: Check, seconds: int, *, accepted: bool
) -> None:
    """Five minutes, either way: clocks differ."""
    header = signed("k", at=NOW + timedelta(seconds=seconds))

    assert is_timegate(header, BODY, "k") is accepted
