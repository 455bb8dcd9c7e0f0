"""The bench beside alternatives: its results, and its reading of processor time."""

import json
import os
import time

from bench.alternatives.processor_time import of_process
from bench.page.alternatives import LACKS
from bench.page.performance import PARTS
from bench.scale import calibration

RESULTS = dict(PARTS["alternatives"].read())


def test_every_contender_has_its_lacks_named() -> None:
    """A ratio alone would compare unlike things."""
    assert [*RESULTS["contenders"]] == [*LACKS]


def test_the_calibration_is_that_of_these_results() -> None:
    """``python -m bench.scale.calibration`` writes it anew."""
    kept = json.loads(calibration.RESULTS.read_text())

    assert kept == calibration.compared(RESULTS)


def test_processor_time_of_a_process_grows_as_it_works() -> None:
    """It counts the process itself; a process that is gone has none."""
    before = of_process(os.getpid())
    until = time.process_time() + 0.05
    while time.process_time() < until:
        pass

    assert of_process(os.getpid()) >= before + 0.03
    assert of_process(2**22) == 0
