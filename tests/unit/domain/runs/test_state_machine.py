"""The life of an attempt: one table, drawn once."""

import re
from itertools import product
from pathlib import Path

import pytest

from timegate.domain.runs.run import TERMINAL, RunState
from timegate.domain.runs.run_states import TRANSITIONS, check_transition

PICTURE = Path(__file__).parents[4] / "docs" / "concepts" / "state_machine.md"
ARROW = re.compile(r"^ {4}(\w+) --> (\w+)", re.MULTILINE)


def test_the_picture_and_the_table_show_the_same_arrows() -> None:
    """Every arrow drawn is allowed, and every allowed one is drawn."""
    drawn = {(RunState(a), RunState(b)) for a, b in ARROW.findall(PICTURE.read_text())}
    allowed = {(a, b) for a, following in TRANSITIONS.items() for b in following}

    assert allowed == drawn


@pytest.mark.parametrize(("before", "after"), list(product(RunState, RunState)))
def test_a_step_outside_the_table_is_refused(before: RunState, after: RunState) -> None:
    """No code path can invent a transition."""
    if after in TRANSITIONS[before]:
        check_transition(before, after)
    else:
        with pytest.raises(ValueError, match=f"from {before} to {after}"):
            check_transition(before, after)


def test_terminal_states_are_those_of_the_ledger() -> None:
    """An attempt ends in one of six ways, and none of them is left again."""
    expected = {"succeeded", "failed", "timed_out", "cancelled", "skipped", "dead_lettered"}

    assert expected == set(TERMINAL)
