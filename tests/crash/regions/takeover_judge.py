"""Judge the promises of a pair after any fate of its first region."""

from collections import Counter
from collections.abc import Iterator
from datetime import datetime, timedelta
from itertools import takewhile
from typing import Any

from tests.crash.regions.pair import HOME, OTHER
from tests.crash.regions.takeover import WORKS, Takeover, Work, instants_from
from tests.crash.services.targets import Effect
from timegate.domain.values.instants import rfc3339

#: A run due so shortly before is under way.
SETTLED = timedelta(seconds=60)
#: From an instant to the end of its run, retries included.
RUNS_END_WITHIN = timedelta(seconds=60)
_MINUTE = timedelta(minutes=1)
Entry = dict[str, Any]


class TakeoverJudge:
    """Holds a story to what is promised."""

    def __init__(self, story: Takeover) -> None:
        self._story = story
        self._pair = story.pair

    def judge(self) -> None:
        """Judge what fired, and what the second region has on record of it."""
        story = self._story
        record = story.record
        assert record is not None
        assert record.lost_until is not None
        fired = Counter((each.run, each.attempt) for each in (*story.here, *story.there))
        assert max(fired.values(), default=0) <= 1, f"twice: {fired.most_common(3)}"
        assert all(each.at >= record.acts_from for each in story.there), "too early"
        until = self._pair.now - SETTLED
        for work in WORKS:
            job_id = story.jobs[work.name]
            if job_id in story.known:
                self._judge_job(work, job_id, until, record.lost_until)
            else:
                self._judge_unknown(work)

    def judge_return(self) -> None:
        """The first region is back: it begins nothing, and knows that the other one acts."""
        called = self._story.return_home()
        record = self._pair.operator(HOME).own.read()
        assert record is not None
        assert called == 0, f"the old region called {called} targets"
        assert record.active == OTHER

    def _judge_job(self, work: Work, job_id: str, until: datetime, lost_until: datetime) -> None:
        found = dict(self._entries(job_id))
        for at in work.instants(self._story.first_at, until):
            assert at in found, f"{work.name} at {at} has no record"
            if at < lost_until:
                self._judge_lost(work, job_id, at, found[at])
            else:
                state = found[at].get("state")
                there = self._called(self._story.there, job_id, at)
                assert (state, bool(there)) == ("succeeded", True), f"{work.name} at {at}: {state}"

    def _judge_lost(self, work: Work, job_id: str, at: datetime, entry: Entry) -> None:
        """An instant of the first region's time ended there, or is in doubt and stays so.

        A retry that is due behind its time is the second region's.
        """
        story = self._story
        here = {each.attempt for each in self._called(story.here, job_id, at)}
        there = {each.attempt for each in self._called(story.there, job_id, at)}
        state, reason = entry.get("state"), entry.get("reason")
        said = f"{work.name} at {at}: {entry['kind']} {state} {reason}, {here} here, {there} there"
        assert all(each - 1 in here | there and each > 1 for each in there), said
        if state == "succeeded":
            assert here, said
            return
        assert entry["kind"] == "gap" or state == "dead_lettered", said
        assert reason == "region_lost", said
        if here and story.strike is not None:
            # Recovery point: what ended, and went over, before the lag is not in doubt.
            assert at >= story.struck_at - 2 * story.strike.lag - RUNS_END_WITHIN, said

    def _judge_unknown(self, work: Work) -> None:
        """A job that was made within the lag is not known there, and has no run there."""
        story = self._story
        assert story.strike is not None
        assert story.struck_at - story.began_at <= 2 * story.strike.lag + 2 * _MINUTE, work.name
        assert story.strike.how.is_unreachable, work.name

    def _entries(self, job_id: str) -> Iterator[tuple[datetime, Entry]]:
        """The ledger of a job, an entry for each instant."""
        span = f"from={rfc3339(self._story.began_at)}&to={rfc3339(self._pair.now)}&limit=500"
        ledger = self._story.send("GET", f"/v1/jobs/{job_id}/ledger?{span}")
        for entry in ledger["items"]:
            if entry["kind"] == "run":
                yield datetime.fromisoformat(entry["instant"]), entry
                continue
            first, last = (datetime.fromisoformat(entry[each]) for each in ("first", "last"))
            within = takewhile(lambda at, last=last: at <= last, instants_from(first))  # type: ignore[misc]
            yield from ((at, entry) for at in within)

    @staticmethod
    def _called(effects: list[Effect], job_id: str, at: datetime) -> list[Effect]:
        run = f"{job_id}.s{at.strftime('%Y%m%dT%H%M%S')}"
        return [each for each in effects if each.run.startswith(run)]
