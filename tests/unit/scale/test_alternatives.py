"""The bench beside alternatives: its page, and its reading of processor time."""

import json
import os
import time

from bench.alternatives.processor_time import of_process
from bench.alternatives.table import BEGIN, END, LACKS, PAGE, RESULTS, section
from bench.scale import calibration


def test_the_page_has_the_results_that_are_kept() -> None:
    """``python -m bench.alternatives.table`` writes it anew."""
    text = PAGE.read_text()
    kept = text[text.index(BEGIN) : text.index(END) + len(END)]

    assert kept == section(json.loads(RESULTS.read_text()))


def test_every_contender_has_its_lacks_named() -> None:
    """A ratio alone would compare unlike things."""
    assert [*json.loads(RESULTS.read_text())["contenders"]] == [*LACKS]


def test_the_calibration_is_that_of_these_results() -> None:
    """``python -m bench.scale.calibration`` writes it anew."""
    kept = json.loads(calibration.RESULTS.read_text())

    assert kept == calibration.compared(json.loads(RESULTS.read_text()))


def test_processor_time_of_a_process_grows_as_it_works() -> None:
    """Those of this very process, and none of one that is gone."""
    before = of_process(os.getpid())
    until = time.process_time() + 0.05
    while time.process_time() < until:
        pass

    assert of_process(os.getpid()) >= before + 0.03
    assert of_process(2**22) == 0
