"""Every state, reason and ground has its sentence, and the documents show the same ones."""

import re
from dataclasses import replace
from pathlib import Path

import pytest

from tests.support.factories import NOW, after, attempt_factory, gap_factory
from timegate.domain.auditing.explain_instant import Verdict
from timegate.domain.ledger.explanations import (
    GROUNDS,
    REASONS,
    STATES,
    Ground,
    explain_attempt,
    explain_gap,
    explain_run,
)
from timegate.domain.runs.run import Reason, RunState
from timegate.domain.values.instants import rfc3339

DOCS = Path(__file__).resolve().parents[4] / "docs"


def test_the_tables_are_closed() -> None:
    """A new reason, state or ground comes with its explanation."""
    assert set(REASONS) == set(Reason)
    assert set(STATES) == set(RunState)
    assert set(GROUNDS) == set(Ground)


@pytest.mark.parametrize("sentence", [*REASONS.values(), *STATES.values(), *GROUNDS.values()])
def test_an_explanation_is_a_sentence(sentence: str) -> None:
    """It begins and ends like one, and names no code."""
    assert re.fullmatch(r"[A-Z][^.]*\.", sentence)


def test_a_reason_says_more_than_a_state() -> None:
    """A record without one is explained by its state."""
    plain = attempt_factory(state=RunState.SKIPPED)
    late = attempt_factory(state=RunState.SKIPPED, reason=Reason.LATE)

    assert explain_run(plain) == STATES[RunState.SKIPPED]
    assert explain_run(late) == REASONS[Reason.LATE]
    assert explain_gap(gap_factory()) == REASONS[Reason.MISSED_WINDOW]


def test_a_run_in_no_line_is_not_said_to_wait_for_a_slot() -> None:
    """A queue gave its message up; one that waits in a line names the line."""
    given_up = attempt_factory(state=RunState.WAITING)

    assert "slot" not in explain_run(given_up)
    assert "queued again" in explain_run(given_up)


def test_a_run_that_had_begun_was_not_simply_left_out() -> None:
    """Its worker died before the job was paused."""
    left = attempt_factory(state=RunState.CANCELLED, reason=Reason.PAUSED)
    begun = attempt_factory(state=RunState.CANCELLED, reason=Reason.PAUSED, fence=1)

    assert explain_run(left) == REASONS[Reason.PAUSED]
    assert "worker died" in explain_run(begun)


def test_a_run_that_a_freeze_holds_back_says_so() -> None:
    """Also in its queue, where it is when the freeze is to end within minutes."""
    words = "It was due during a freeze, and "
    queued = attempt_factory(state=RunState.QUEUED, due_at=after(300))
    waiting = attempt_factory(state=RunState.WAITING, due_at=after(3600), frozen_since=NOW)

    assert explain_run(waiting) == f"{words}waits for that to end."
    assert explain_run(replace(queued, frozen_since=NOW)) == (
        f"{words}is due again when that is to end, at {rfc3339(after(300))}."
    )
    assert explain_run(queued) == STATES[RunState.QUEUED]


def test_a_replaced_run_names_the_run_that_replaced_it() -> None:
    """Also where it had failed by then, and its end has words of its own."""
    other = attempt_factory().id.run
    ended = attempt_factory(
        state=RunState.CANCELLED,
        reason=Reason.REPLACED,
        replaced_by=other,
        explanation="not tried again: a cancel was requested",
    )

    assert explain_attempt(ended) == explain_run(ended)
    assert explain_run(ended) == f"{REASONS[Reason.REPLACED]} That run is {other}."


def test_the_page_on_the_ledger_knows_every_reason() -> None:
    """With the words in which it is explained."""
    page = (DOCS / "concepts" / "ledger.md").read_text()
    heading, *rows = re.findall(r"^\| `(\w+)` \| [^|]+ \| (.+) \|$", page, re.MULTILINE)

    assert heading == ("reason", "meaning")
    assert dict(rows) == {str(reason): sentence for reason, sentence in REASONS.items()}


def test_the_page_on_the_api_knows_every_verdict() -> None:
    """No more and no less."""
    table = (
        (DOCS / "reference" / "api.md").read_text().split("| `verdict` |", 1)[1].split("\n\n", 1)[0]
    )

    assert set(re.findall(r"^\| `(\w+)` \|", table, re.MULTILINE)) == set(Verdict)
