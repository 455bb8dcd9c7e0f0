"""Kinds are plug-ins: a kind is a few files, and a registry lists it."""

import re
from collections.abc import Iterable
from dataclasses import fields
from importlib import import_module
from typing import get_args, get_type_hints

import pytest

from tests.architecture.sources import ROOT, name_of, text_of
from timegate.adapters.targets.action_target import ActionTarget
from timegate.adapters.targets.router import file_name
from timegate.domain.actions.action import KINDS, Action
from timegate.domain.channels.channel import CHANNELS, Channel
from timegate.domain.recurrence.kinds.kind import BOUNDS, MemberKind
from timegate.domain.recurrence.kinds.registry import kind_of
from timegate.domain.recurrence.kinds.wall import WallKind
from timegate.domain.recurrence.schedule import MEMBER_KINDS, Schedule, ScheduleKind

PACKAGE = ROOT / "layers" / "core" / "python" / "timegate"


def test_every_file_of_actions_is_in_the_registry() -> None:
    """A kind that the registry lacks could be neither stored nor asked for."""
    room = PACKAGE / "domain" / "actions" / "kinds"
    files = {path.stem for path in room.glob("*.py")} - {"__init__", "message_groups"}

    assert {file_name(kind) for kind in KINDS.values()} == files
    assert tuple(KINDS.values()) == get_args(Action)


def test_every_kind_that_is_called_has_a_target_of_its_file_name() -> None:
    """The router imports it at the first call: nothing else would miss it before that."""
    room = PACKAGE / "adapters" / "targets" / "kinds"
    called = {file_name(kind) for kind in KINDS.values() if kind.is_called} | of_channels()

    assert called == {path.stem for path in room.glob("*.py")} - {"__init__"}
    for name in called:
        build = import_module(f"timegate.adapters.targets.kinds.{name}").build

        assert issubclass(get_type_hints(build)["return"], ActionTarget)


def of_channels() -> set[str]:
    """File names of the actions that tell channels something."""
    hints = [get_type_hints(kind.action.fget)["return"] for kind in CHANNELS.values()]  # type: ignore[attr-defined]
    return {file_name(hint) for hint in hints}


def test_every_file_of_channels_is_in_the_registry() -> None:
    """A kind that the registry lacks could be neither stored nor asked for."""
    room = PACKAGE / "domain" / "channels"
    ground = {"__init__", "channel", "channel_kind", "chat", "notice"}
    files = {path.stem for path in room.glob("*.py")} - ground

    assert {kind.__module__.rpartition(".")[2] for kind in CHANNELS.values()} == files
    assert set(CHANNELS) == files
    assert tuple(CHANNELS.values()) == get_args(Channel)


def test_every_kind_of_schedule_has_a_module_of_its_name() -> None:
    """The registry imports it with the first schedule of the kind: nothing else would miss it."""
    room = PACKAGE / "domain" / "recurrence" / "kinds"
    ground = {"__init__", "kind", "once", "registry", "wall"}
    named = {field.name for field in fields(Schedule)}

    assert {path.stem for path in room.glob("*.py")} - ground == set(ScheduleKind)
    for kind in ScheduleKind:
        assert set(kind_of(kind).fields) <= named, kind
        assert isinstance(kind_of(kind), MemberKind) is (kind in MEMBER_KINDS), kind
        assert isinstance(kind_of(kind), WallKind) is _of(kind).names_wall_times, kind
        assert (set(BOUNDS) <= set(kind_of(kind).fields)) is _of(kind).is_recurring, kind


def _of(kind: ScheduleKind) -> Schedule:
    return Schedule(kind=kind)


@pytest.mark.parametrize(
    ("kinds", "place"),
    [
        (KINDS, "layers/core/python/timegate/cli/options/action_options.py"),
        (KINDS, "tests/unit/adapters/dynamo/action_strategies.py"),
        (KINDS, "docs/guides/targets.md"),
        (ScheduleKind, "layers/core/python/timegate/cli/options/schedule_options.py"),
        (ScheduleKind, "tests/unit/adapters/dynamo/job_strategies.py"),
        (ScheduleKind, "docs/concepts/schedules.md"),
    ],
)
def test_every_kind_has_its_place_in_files_that_derive_nothing(
    kinds: Iterable[str], place: str
) -> None:
    """A recipe lists them, and a kind would work without: by the API alone, and untried."""
    text = text_of(ROOT / place)
    forgotten = [kind for kind in kinds if not re.search(rf"\b{kind}", text, re.IGNORECASE)]

    assert forgotten == [], f"{place} says nothing of them"


def naming(word: str) -> set[str]:
    """Source files that name a kind; what is generated or built follows from them.

    The patches of the emulator are of the services that it gets wrong, and of no kind. Importers
    are of what other programs write: a kind needs none, and works without.
    """
    roots = (PACKAGE, ROOT / "functions", ROOT / "infra")
    others = {ROOT / "infra" / "local", PACKAGE / "cli" / "migrating"}
    files = (path for root in roots for path in root.rglob("*.py") if not others & {*path.parents})
    named = re.compile(rf"\b{word}", re.IGNORECASE)
    found = {name_of(path) for path in files if named.search(text_of(path))}
    return found - {"layers/core/python/timegate/client/schemas.py"}


def test_a_kind_of_action_touches_five_source_files() -> None:
    """A sixth place would be a second description of the kind."""
    package = "layers/core/python/timegate"

    assert naming("ecs") == {
        f"{package}/domain/actions/action.py",
        f"{package}/domain/actions/kinds/ecs.py",
        f"{package}/adapters/targets/kinds/ecs.py",
        f"{package}/cli/options/action_options.py",
        "infra/stage/target_kinds.py",
    }


def test_a_kind_of_schedule_touches_five_source_files() -> None:
    """A sixth place would be a second description of the kind.

    Modules of the kind's own text are its own. The worker's package lists the function's name, and
    calendars in iCalendar have a property of the kind's name.
    """
    package = "layers/core/python/timegate"
    own = f"{package}/domain/recurrence/rrule/"
    others = {f"{package}/worker/__init__.py"}
    others |= {f"functions/api/ical/{name}.py" for name in ("events", "recurrence")}

    assert {path for path in naming("rrule") if not path.startswith(own)} - others == {
        f"{package}/domain/recurrence/schedule.py",
        f"{package}/domain/recurrence/kinds/rrule.py",
        f"{package}/contracts/recurrence.py",
        f"{package}/cli/options/schedule_options.py",
        f"{package}/worker/declared/schedules.py",
    }
