"""Event sources on queues grow from five batches at once, by five more a second."""

from infra.local.invoking.source_ramp import Ramp


class Stopped:
    """A clock that is set by hand, in seconds."""

    now = 100.0

    def __call__(self) -> float:
        return self.now


def test_a_source_begins_with_five_and_grows_while_it_has_batches_in_flight() -> None:
    clock = Stopped()
    ramp = Ramp(clock)
    allowed = [ramp.allowed("source", in_flight=0)]
    for seconds in (0.1, 0.9, 1.0, 60.0):
        clock.now = 100.0 + seconds
        allowed.append(ramp.allowed("source", in_flight=5))
    assert allowed == [5, 5, 9, 10, 305]


def test_a_source_without_batches_begins_anew_and_another_is_not_touched() -> None:
    clock = Stopped()
    ramp = Ramp(clock)
    ramp.allowed("idle", in_flight=0)
    ramp.allowed("busy", in_flight=1)
    clock.now += 10
    assert ramp.allowed("idle", in_flight=0) == 5
    assert ramp.allowed("busy", in_flight=1) == 55
    clock.now += 1
    assert ramp.allowed("idle", in_flight=1) == 10
