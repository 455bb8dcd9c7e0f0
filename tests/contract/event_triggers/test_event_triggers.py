"""``EventTriggerStore``: triggers by name, and addresses of web hooks, on every engine."""

from dataclasses import replace

import pytest

from tests.support.event_triggers.triggering import HOOK_ID, hook_trigger, trigger_factory
from tests.support.factories import NOW, OTHER_TENANT, TENANT, after
from tests.support.stores.contract_stores import Stores, race
from timegate.domain.event_triggers.errors import (
    EventTriggerNotFound,
    EventTriggerVersionMismatch,
    TooManyEventTriggers,
)
from timegate.domain.event_triggers.event_trigger import (
    MAX_EVENT_TRIGGERS,
    EventTrigger,
    EventTriggerName,
    EventTriggerStatus,
    HookId,
    HookPlace,
    StartsDagRun,
    StartsJob,
)
from timegate.domain.jobs.demands import Priority
from timegate.domain.values.errors import InvalidInput
from timegate.domain.values.identity import DagId

FULL = hook_trigger(
    pattern='{"type":["a"]}',
    starts=StartsJob(
        job_id="key:nightly",
        payload_patch='{"a":{"$ref":"event.id"}}',
        priority=Priority.HIGH,
        tags=(("a", "b"), ("c", "d")),
    ),
    description="Deployments.",
    tags={"team": "ops"},
)


def put(stores: Stores, trigger: EventTrigger, expected: int | None = None) -> EventTrigger:
    """Store a trigger."""
    return stores.event_triggers.put(trigger.tenant, trigger, expected_version=expected)


def named(name: str) -> EventTrigger:
    """A trigger of another name."""
    return trigger_factory(name=EventTriggerName(name))


def test_a_trigger_is_read_as_it_was_written(stores: Stores) -> None:
    """All its parts, at its first version; another tenant has none of that name."""
    written = put(stores, FULL)

    assert written == replace(FULL, version=1)
    assert stores.event_triggers.get(TENANT, "deployments") == written
    assert stores.event_triggers.all_of(TENANT).rows == (written,)
    assert stores.event_triggers.all_of(OTHER_TENANT).rows == ()
    with pytest.raises(EventTriggerNotFound):
        stores.event_triggers.get(OTHER_TENANT, "deployments")


def test_a_trigger_of_a_dag_is_read_back(stores: Stores) -> None:
    """With its parameters, or without."""
    starts = StartsDagRun(dag_id=DagId("a" * 26), parameters='{"a":1}')
    put(stores, trigger_factory(starts=starts))

    assert stores.event_triggers.get(TENANT, "orders").starts == starts


def test_a_replacement_keeps_what_it_does_not_say(stores: Stores) -> None:
    """Its standing, its creation, and the address of its web hook."""
    put(stores, hook_trigger())
    stores.event_triggers.set_status(TENANT, "deployments", EventTriggerStatus.PAUSED, now=after(1))
    other = HookId("b" * 26)
    again = hook_trigger(hook_id=other, created_at=after(2), updated_at=after(2), pattern="{}")
    after_all = put(stores, again, expected=2)

    assert after_all == replace(
        again, version=3, status=EventTriggerStatus.PAUSED, hook_id=HOOK_ID, created_at=NOW
    )
    assert stores.event_triggers.place_of(other) is None


def test_a_trigger_is_replaced_at_the_version_that_was_read(stores: Stores) -> None:
    """0: only if there is none."""
    put(stores, named("a"), expected=0)
    for expected in (0, 2):
        with pytest.raises(EventTriggerVersionMismatch, match="version 1"):
            put(stores, named("a"), expected=expected)

    assert put(stores, named("a"), expected=1).version == 2


def test_an_address_leads_to_its_trigger_until_that_is_gone(stores: Stores) -> None:
    """Deleted, or replaced by one without a web hook."""
    own = hook_trigger()
    assert own.hook is not None
    place = HookPlace(tenant=TENANT, name=own.name, hook=own.hook)
    put(stores, own)
    found = stores.event_triggers.place_of(HOOK_ID)
    stores.event_triggers.delete(TENANT, "deployments", expected_version=1, now=after(1))
    gone = stores.event_triggers.place_of(HOOK_ID)
    other = HookId("c" * 26)
    put(stores, hook_trigger(hook_id=other))
    put(stores, trigger_factory(name=place.name))

    assert (found, gone) == (place, None)
    assert stores.event_triggers.place_of(other) is None
    assert stores.event_triggers.place_of(HookId("d" * 26)) is None


def test_a_deleted_trigger_is_there_no_more(stores: Stores) -> None:
    """A new one of its name goes on counting versions."""
    put(stores, named("a"))
    deleted = stores.event_triggers.delete(TENANT, "a", expected_version=None, now=NOW)

    assert deleted == replace(named("a"), version=1)
    assert stores.event_triggers.all_of(TENANT).rows == ()
    with pytest.raises(EventTriggerNotFound):
        stores.event_triggers.get(TENANT, "a")
    with pytest.raises(EventTriggerNotFound):
        stores.event_triggers.delete(TENANT, "a", expected_version=None, now=NOW)
    with pytest.raises(EventTriggerNotFound):
        stores.event_triggers.set_status(TENANT, "a", EventTriggerStatus.PAUSED, now=NOW)
    assert put(stores, named("a"), expected=0).version == 2


def test_a_wrong_version_is_not_deleted(stores: Stores) -> None:
    """It stays as it is."""
    put(stores, named("a"))
    with pytest.raises(EventTriggerVersionMismatch):
        stores.event_triggers.delete(TENANT, "a", expected_version=2, now=NOW)

    assert stores.event_triggers.get(TENANT, "a").version == 1


def test_pausing_twice_changes_once(stores: Stores) -> None:
    """The second changes no version."""
    put(stores, named("a"))
    paused = [
        stores.event_triggers.set_status(TENANT, "a", EventTriggerStatus.PAUSED, now=after(number))
        for number in (1, 2)
    ]

    assert [(each.version, each.updated_at) for each in paused] == [(2, after(1))] * 2
    assert not paused[0].is_active


@pytest.mark.parametrize("limit", [1, 2, 3, 100])
def test_triggers_are_listed_by_name_page_by_page(stores: Stores, limit: int) -> None:
    """Names that begin alike among them; a deleted one takes no place."""
    names = ["a", "a-b", "a0", "ab", "b"]
    for name in [*names[::-1], "a-a"]:
        put(stores, named(name))
    stores.event_triggers.delete(TENANT, "a-a", expected_version=None, now=NOW)
    found: list[str] = []
    cursor: str | None = None
    while not found or cursor is not None:
        page = stores.event_triggers.page(TENANT, limit=limit, cursor=cursor)
        assert len(page.rows) <= limit
        found += [each.name for each in page.rows]
        cursor = page.cursor

    assert found == names


def test_a_cursor_is_of_one_tenant(stores: Stores) -> None:
    """Another tenant's is refused."""
    for name in "ab":
        put(stores, named(name))
    page = stores.event_triggers.page(TENANT, limit=1, cursor=None)
    with pytest.raises(InvalidInput):
        stores.event_triggers.page(OTHER_TENANT, limit=1, cursor=page.cursor)


def test_a_tenant_has_a_hundred_triggers_and_no_more(stores: Stores) -> None:
    """An existing trigger can still be replaced, and a freed place be taken."""
    for number in range(MAX_EVENT_TRIGGERS):
        put(stores, named(f"t-{number}"))
    with pytest.raises(TooManyEventTriggers):
        put(stores, named("one-more"))
    put(stores, named("t-7"))
    stores.event_triggers.delete(TENANT, "t-7", expected_version=None, now=NOW)
    put(stores, named("one-more"))

    assert len(stores.event_triggers.all_of(TENANT).rows) == MAX_EVENT_TRIGGERS


def test_writers_that_race_are_both_written(stores: Stores) -> None:
    """Or one of two that name the same version."""

    def contend(expected: int | None) -> str:
        try:
            return str(put(stores, named("raced"), expected=expected).version)
        except EventTriggerVersionMismatch:
            return "refused"

    created = race(lambda: contend(0), lambda: contend(0))
    replaced = race(lambda: contend(None), lambda: contend(None))

    assert sorted(created) == ["1", "refused"]
    assert sorted(replaced) == ["2", "3"]
