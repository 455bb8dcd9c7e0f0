"""``RunStore``: where the whole of an answer lies is kept with the end of its attempt."""

from dataclasses import replace

from tests.support.factories import after, running
from tests.support.stores.contract_stores import Stores
from timegate.domain.runs.conclusion import succeed
from timegate.domain.runs.run_result import StoredResult


def test_an_end_keeps_where_its_whole_answer_lies(stores: Stores) -> None:
    """And a later reader finds it; one without a long answer has none."""
    held = stores.add(running())
    ended = succeed(held, started_at=after(1), now=after(2), result="x…")
    stored = StoredResult(blob="results/acme/run.1.1", size_bytes=2000)
    stores.runs.finish_all([replace(ended, stored_result=stored)])

    assert held.stored_result is None
    assert stores.stored(held).stored_result == stored
    assert stores.stored(held).result == "x…"
