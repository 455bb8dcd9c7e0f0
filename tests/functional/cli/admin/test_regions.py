"""``timegate admin region``, and what it refuses."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import partial

import pytest

from infra.admin import region_pair
from infra.admin.region_pair import latest_now
from infra.admin.regions import PairAccess
from tests.functional.cli.conftest import Outcome
from tests.support.factories import NOW, job_id
from tests.support.moving.moves import minutes
from tests.support.regions.operator import OPERATOR, operating, with_open_shards
from tests.support.regions.pair import HOME, OTHER, TwoRegions
from timegate.domain.recurrence.schedule import Schedule, ScheduleKind
from timegate.domain.regions.region_record import FENCED_AFTER
from timegate.domain.values.instants import rfc3339

Timegate = Callable[..., Outcome]
STAGE = ("--stage", "prod", "--region")


@pytest.fixture
def pair(monkeypatch: pytest.MonkeyPatch) -> TwoRegions:
    """A pair at work."""
    found = with_open_shards(TwoRegions())
    found.run_until(minutes(3))

    @contextmanager
    def connected_pair(stage: str, name: str) -> Iterator[PairAccess]:
        yield replace(operating(found, name), stage=stage)

    monkeypatch.setattr(region_pair, "connected_pair", connected_pair)
    return found


def between_ticks(number: int) -> datetime:
    """An instant between two ticks: the last one has arrived."""
    return minutes(number) + timedelta(seconds=30)


def test_the_status_shows_both_records(timegate: Timegate, pair: TwoRegions) -> None:
    """For programs and people; a record that is out of reach says why."""
    shown = timegate("admin", "region", "status", *STAGE, OTHER, "--json").json
    words = timegate("admin", "region", "status", *STAGE, OTHER).out
    pair.replication.is_cut = True
    cut = timegate("admin", "region", "status", *STAGE, OTHER).out

    assert shown["ticks_seen_until"] is not None
    assert [each["active"] for each in shown["regions"].values()] == [HOME, HOME]
    assert [shown["regions"][name]["acts_now"] for name in (HOME, OTHER)] == [True, False]
    assert f"{HOME}: acts; epoch 1" in words
    assert f"{OTHER}: does not act" in words
    assert f"{HOME}: The record of the other region is out of reach" in cut


def test_a_promotion_fences_the_other_region_first(timegate: Timegate, pair: TwoRegions) -> None:
    """It says when it acts, and may be repeated."""
    done = timegate("admin", "region", "promote", *STAGE, OTHER, "--yes", "--json").json
    again = timegate("admin", "region", "promote", *STAGE, OTHER, "--yes", "--json").json
    fenced, record = pair.home.records.read(), pair.other.records.read()

    assert done == again
    assert (done["region"], done["active"], done["epoch"]) == (OTHER, OTHER, 2)
    assert fenced is not None
    assert record is not None
    assert fenced.fenced
    assert record.lost_until == fenced.acts_until == pair.now + FENCED_AFTER


def test_the_status_shows_how_far_the_walk_over_all_jobs_came(
    timegate: Timegate, pair: TwoRegions
) -> None:
    """The region that takes over owes it; the one that was active first owes none."""
    status = partial(timegate, "admin", "region", "status", *STAGE, OTHER)
    before = status("--json").json["regions"]
    yearly = Schedule(kind=ScheduleKind.RATE, every_seconds=365 * 86_400)
    pair.home.add_job(job_id=job_id("yearly"), schedule=yearly, anchored_at=NOW)
    pair.run_until(minutes(4))
    timegate("admin", "region", "promote", *STAGE, OTHER, "--yes")
    owed, words = status("--json").json["regions"], status().out
    pair.run_until(minutes(8))
    done, in_the_end = status("--json").json["regions"], status().out
    none = {"done": False, "shares_done": 0, "shares": 0, "jobs": 0, "mended": 0}

    assert [each["jobs_checked"] for each in before.values()] == [None, None]
    assert (owed[OTHER]["jobs_checked"], owed[HOME]["jobs_checked"]) == (none, None)
    assert "0 jobs were checked and 0 mended, and 0 of ? shares are done" in words
    assert done[OTHER]["jobs_checked"] == none | {
        "done": True,
        "shares_done": 1,
        "shares": 1,
        "jobs": 1,
    }
    assert "1 jobs were checked and 0 mended, which are all" in in_the_end


def test_a_dry_run_writes_nothing(timegate: Timegate, pair: TwoRegions) -> None:
    """It shows the record that a promotion would write, and calls no stage."""
    before = [each.records.read() for each in pair.regions]
    shown = timegate("admin", "region", "promote", *STAGE, OTHER, "--dry-run", "--json").json

    assert (shown["active"], shown["epoch"]) == (OTHER, 2)
    assert [each.records.read() for each in pair.regions] == before


def test_a_region_out_of_reach_is_waited_for_if_that_is_said(
    timegate: Timegate, pair: TwoRegions
) -> None:
    """Otherwise nothing is written."""
    pair.replication.is_cut = True
    refused = timegate("admin", "region", "promote", *STAGE, OTHER, "--yes")
    before = pair.other.records.read()
    done = timegate("admin", "region", "promote", *STAGE, OTHER, "--yes", "--unreachable", "--json")
    assert before is not None
    assert before.acts_until is not None

    assert refused.code == 1
    assert "region_unreached" in refused.err
    assert before.active == HOME
    assert done.json["epoch"] == 2
    assert done.json["in_doubt_before"] == f"{before.acts_until:%Y-%m-%dT%H:%M:%S}.000Z"


def test_a_region_takes_over_again_when_it_has_caught_up(
    timegate: Timegate, pair: TwoRegions
) -> None:
    """A promise alone is not enough: what the other region did must have arrived."""
    timegate("admin", "region", "promote", *STAGE, OTHER, "--yes")
    early = timegate("admin", "region", "fail-back", *STAGE, HOME, "--yes")
    pair.run_until(between_ticks(9))
    pair.replication.lag = timedelta(minutes=3)
    pair.run_until(between_ticks(11))
    behind = timegate("admin", "region", "fail-back", *STAGE, HOME, "--yes")
    pair.replication.lag = timedelta()
    pair.run_until(between_ticks(15))
    before = [each.records.read() for each in pair.regions]
    shown = timegate("admin", "region", "fail-back", *STAGE, HOME, "--dry-run", "--json").json
    assert [each.records.read() for each in pair.regions] == before
    done = timegate("admin", "region", "fail-back", *STAGE, HOME, "--yes", "--json").json
    pair.replication.is_cut = True
    again = timegate("admin", "region", "fail-back", *STAGE, HOME, "--yes", "--json").json
    pair.replication.is_cut = False
    pair.run_until(minutes(20))

    assert [early.code, behind.code] == [1, 1]
    assert "has not reached this one" in early.err
    assert "of ticks behind" in behind.err
    assert shown == done == again
    assert (done["active"], done["epoch"]) == (HOME, 3)
    assert [each.at_hand.acts() for each in pair.regions] == [True, False]


def test_a_region_out_of_reach_gives_nothing_back(timegate: Timegate, pair: TwoRegions) -> None:
    """The other one is promoted without it, by its own command."""
    timegate("admin", "region", "promote", *STAGE, OTHER, "--yes")
    pair.run_until(between_ticks(9))
    pair.replication.is_cut = True
    refused = timegate("admin", "region", "fail-back", *STAGE, HOME, "--yes")

    assert (refused.code, "region_unreached" in refused.err) == (1, True)


def test_each_step_says_who_took_it(timegate: Timegate, pair: TwoRegions) -> None:
    """In the region whose record it changed; what changed nothing is no step."""
    nothing = timegate("admin", "region", "history", *STAGE, OTHER).out
    timegate("admin", "region", "promote", *STAGE, OTHER, "--dry-run")
    for _ in range(2):
        timegate("admin", "region", "promote", *STAGE, OTHER, "--yes")
    at = pair.now
    pair.run_until(at + timedelta(seconds=2))
    timegate("admin", "region", "look-again", *STAGE, OTHER)
    pair.run_until(between_ticks(9))
    timegate("admin", "region", "fail-back", *STAGE, HOME, "--yes")
    told = timegate("admin", "region", "history", *STAGE, OTHER, "--json").json["regions"]
    pair.replication.is_cut = True
    words = timegate("admin", "region", "history", *STAGE, OTHER).out
    commands = {name: [each["command"] for each in steps] for name, steps in told.items()}

    assert nothing.splitlines() == [f"{each}: no operator changed it" for each in (OTHER, HOME)]
    assert commands[HOME] == ["fail-back", "promote"]
    assert commands[OTHER] == ["fail-back", "look-again", "promote"]
    assert {each["by"] for steps in told.values() for each in steps} == {OPERATOR}
    assert told[HOME][-1]["fenced"]
    assert (told[OTHER][-1]["at"], told[OTHER][-1]["epoch"]) == (rfc3339(at), 2)
    assert f"promote by {OPERATOR}: does not act; epoch 2" in words
    assert f"{HOME}: The record of the other region is out of reach" in words


@pytest.mark.parametrize("command", ["promote", "fail-back", "fence", "alone"])
def test_they_are_asked_for(
    timegate: Timegate, pair: TwoRegions, agreed: Callable[[], None], command: str
) -> None:
    """A script says ``--yes``."""
    agreed()
    before = [each.records.read() for each in pair.regions]

    assert timegate("admin", "region", command, *STAGE, HOME).code != 0
    assert [each.records.read() for each in pair.regions] == before


def test_the_active_region_goes_on_alone_and_is_fenced(
    timegate: Timegate, pair: TwoRegions
) -> None:
    """A fence ends that time as well."""
    alone = timegate("admin", "region", "alone", *STAGE, HOME, "--yes", "--json").json
    fenced = timegate("admin", "region", "fence", *STAGE, HOME, "--yes", "--json").json
    refused = timegate("admin", "region", "alone", *STAGE, OTHER, "--yes")

    assert alone["acts_until"] == "without an end"
    assert (alone["fenced"], fenced["fenced"]) == (False, True)
    assert refused.code == 1
    assert "promotion_refused" in refused.err


def test_another_look_is_owed(timegate: Timegate, pair: TwoRegions) -> None:
    """The second look finds records that arrived late."""
    timegate("admin", "region", "promote", *STAGE, OTHER, "--yes")
    before = pair.other.records.read()
    outcome = timegate("admin", "region", "look-again", *STAGE, OTHER)
    record = pair.other.records.read()

    assert outcome.code == 0
    assert before is not None
    assert record is not None
    assert record.looks == before.looks + 1


def test_the_later_one_of_two_clocks_counts() -> None:
    """AWS's answer has whole seconds; a second more covers what it leaves out."""
    past, future = datetime(2000, 1, 1, tzinfo=UTC), datetime(2200, 1, 1, tzinfo=UTC)
    written = "%a, %d %b %Y %H:%M:%S GMT"

    assert latest_now(future.strftime(written)) == future + timedelta(seconds=1)
    assert latest_now(past.strftime(written)) > past + timedelta(days=365)
