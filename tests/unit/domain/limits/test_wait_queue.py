"""Waits for slots, in words."""

import pytest

from timegate.domain.limits.overlap import base_of, name_within
from timegate.domain.limits.wait_queue import Queueing, WaitQueue, parts_of


@pytest.mark.parametrize(("key", "said"), [(None, "the key reports"), ("acme", "its key acme")])
def test_a_wait_names_the_key_as_the_name_of_its_slots_has_it(key: str | None, said: str) -> None:
    """The words and the name part alike."""
    name = name_within("reports", key)
    waiting = Queueing(line=WaitQueue.KEY, slots=1, fence=0, key=name)

    assert waiting.explanation == f"It was due, and waits for the slot of {said}."
    assert parts_of(name) == ("reports", key)
    assert base_of(name) == "reports"
