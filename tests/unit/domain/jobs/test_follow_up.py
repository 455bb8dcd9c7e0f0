"""Follow-ups: what a job may ask for, and which chains of jobs come to an end."""

from collections.abc import Mapping

import pytest

from tests.support.factories import JOB_ID, after, attempt_factory, job_factory, run_id
from timegate.domain.execution.follow_ups import (
    following,
    is_too_deep,
    parent_of,
    payload_for,
    triggered,
    triggered_run,
)
from timegate.domain.execution.notices import heard_of
from timegate.domain.jobs.follow_up import (
    MAX_CHAINED_JOBS,
    MAX_DEPTH,
    MAX_FOLLOW_UPS,
    Ending,
    FollowUp,
    Given,
    check_chain,
    check_follow_ups,
)
from timegate.domain.jobs.notification import Occasion
from timegate.domain.runs.run import Reason
from timegate.domain.values.errors import InvalidInput
from timegate.domain.values.identity import JobId, Origin, RunId, job_id_from
from timegate.domain.values.payload import Payload

SUCCEEDED = (Ending.SUCCEEDED,)


def job(name: str) -> JobId:
    """The id of a job of that name."""
    return job_id_from(name.encode())


def after_success(name: str) -> FollowUp:
    """It follows what succeeds."""
    return FollowUp(job_id=job(name), on=SUCCEEDED)


def chain_of(jobs: Mapping[str, str]) -> None:
    """Check a job ``a``, where after each job those follow whose letters are given."""
    named = {job(name): [job(each) for each in after] for name, after in jobs.items()}
    asked = [after_success(each) for each in jobs["a"]]
    check_chain(job("a"), asked, lambda each: named.get(each, []))


@pytest.mark.parametrize(
    ("follow_ups", "field", "code"),
    [
        pytest.param([FollowUp(job_id=JOB_ID, on=SUCCEEDED)], "0.job_id", "cycle", id="itself"),
        pytest.param([after_success("b")] * 2, "1.job_id", "repeated", id="twice"),
        pytest.param([FollowUp(job_id=job("b"), on=())], "0.on", "required", id="never"),
        pytest.param(
            [FollowUp(job_id=job("b"), on=SUCCEEDED * 2)], "0.on", "repeated", id="end-twice"
        ),
        pytest.param(
            [FollowUp(job_id=job("b"), on=(Ending.FINISHED, Ending.FAILED))],
            "0.on",
            "without_effect",
            id="finished-and-more",
        ),
    ],
)
def test_what_cannot_follow_is_refused(follow_ups: list[FollowUp], field: str, code: str) -> None:
    """Naming the place."""
    with pytest.raises(InvalidInput) as refused:
        check_follow_ups(follow_ups, JOB_ID)

    assert (refused.value.field, refused.value.code) == (f"then.{field}", code)


def test_ten_jobs_may_follow_and_eleven_not() -> None:
    """Each is a run of its own."""
    many = [after_success(f"b{number}") for number in range(MAX_FOLLOW_UPS + 1)]
    check_follow_ups(many[:-1], JOB_ID)
    with pytest.raises(InvalidInput) as refused:
        check_follow_ups(many, JOB_ID)

    assert (refused.value.field, refused.value.code) == ("then", "too_long")


@pytest.mark.parametrize(
    "jobs",
    [
        pytest.param({"a": "b", "b": "a"}, id="back"),
        pytest.param({"a": "b", "b": "c", "c": "a"}, id="around"),
        pytest.param({"a": "b", "b": "c", "c": "b"}, id="further-on"),
        pytest.param({"a": "bc", "b": "d", "c": "d", "d": "c"}, id="behind-a-join"),
    ],
)
def test_a_cycle_is_refused_and_named(jobs: Mapping[str, str]) -> None:
    """A cycle anywhere is named from a job back to itself."""
    with pytest.raises(InvalidInput) as refused:
        chain_of(jobs)
    around = refused.value.detail.rsplit(": ", 1)[1].rstrip(".").split(" → ")

    assert refused.value.code == "cycle"
    assert around[0] == around[-1]
    assert len(around) == len(set(around)) + 1


def test_what_joins_is_no_cycle() -> None:
    """Two ways to one job: it runs twice, and that is all."""
    chain_of({"a": "bc", "b": "d", "c": "d", "d": "e"})


def line(length: int) -> dict[JobId, list[JobId]]:
    """So many jobs, one after the other."""
    return {job(f"j{n}"): [job(f"j{n + 1}")] for n in range(1, length)}


@pytest.mark.parametrize(("length", "is_accepted"), [(MAX_DEPTH, True), (MAX_DEPTH + 1, False)])
def test_a_chain_has_an_end(length: int, *, is_accepted: bool) -> None:
    """Sixteen jobs may follow one another, and no seventeenth, whichever way is looked at first."""
    jobs = line(length)
    shortcut = [FollowUp(job_id=job(f"j{length - 1}"), on=SUCCEEDED), after_success("j1")]
    for asked in ([after_success("j1")], shortcut):
        if is_accepted:
            check_chain(job("a"), asked, lambda each: jobs.get(each, []))
            continue
        with pytest.raises(InvalidInput) as refused:
            check_chain(job("a"), asked, lambda each: jobs.get(each, []))
        assert refused.value.code == "chain_too_long"


def test_a_chain_is_read_so_far_and_no_further() -> None:
    """A wide one is refused before every job of it was read."""
    read: list[JobId] = []

    def wide(each: JobId) -> list[JobId]:
        read.append(each)
        return [job_id_from(f"{each}{number}".encode()) for number in range(10)]

    with pytest.raises(InvalidInput) as refused:
        check_chain(job("a"), [after_success("b")], wide)

    assert refused.value.code == "chain_too_long"
    assert len(read) <= MAX_CHAINED_JOBS


def test_finished_is_every_end() -> None:
    """And lateness is none."""
    every = FollowUp(job_id=job("b"), on=(Ending.FINISHED,))

    assert every.occasions == tuple(each for each in Occasion if each.is_end)
    assert after_success("b").occasions == (Occasion.SUCCEEDED,)
    assert heard_of(job_factory(then=(after_success("b"),))) == (Occasion.SUCCEEDED,)


def test_an_id_says_which_end_and_which_job() -> None:
    """The same for the same, and another for any other attempt or job; it is read back."""
    parent = attempt_factory().id
    run = triggered_run(parent, job("b"), ended_at=after(5))

    assert run == triggered_run(parent, job("b"), ended_at=after(5))
    assert run != triggered_run(parent.next(), job("b"), ended_at=after(5))
    assert (run.job_id, run.origin, run.scheduled_at) == (job("b"), Origin.FOLLOW_UP, after(5))
    assert RunId.parse(str(run)) == run


@pytest.mark.parametrize("gives", Given)
def test_what_follows_is_given_what_it_asked_for(gives: Given) -> None:
    """Its own payload, that of its parent, or how that ended; a correction goes before all."""
    follow_up = FollowUp(job_id=job("b"), on=SUCCEEDED, payload=gives)
    before = job_factory(payload=Payload(inline='{"of":"parent"}', size_bytes=15))
    own = job_factory(job_id=job("b"), payload=Payload(inline='{"of":"own"}', size_bytes=12))
    ended = attempt_factory(ended_at=after(5), result="done")
    parent = parent_of(follow_up, before, ended, Occasion.SUCCEEDED)
    run = triggered(follow_up, own.timing, parent, ended_at=after(5), now=after(5))
    given = {Given.OWN: '{"of":"own"}', Given.PARENT: '{"of":"parent"}'}
    given[Given.RESULT] = parent.document

    assert payload_for(own, run).inline == given[gives]
    assert '"result":"done"' in parent.document
    assert f'"run_id":"{run_id()}"' in parent.document


def test_a_chain_that_came_about_is_cut() -> None:
    """Seventeen deep it does not run, and nothing follows it."""
    follow_up = FollowUp(job_id=job("b"), on=(Ending.FINISHED,))
    before, ended = job_factory(then=(follow_up,)), attempt_factory(ended_at=after(5))
    for depth in range(1, MAX_DEPTH + 2):
        parent = parent_of(follow_up, before, ended, Occasion.SUCCEEDED)
        ended = triggered(follow_up, before.timing, parent, ended_at=after(5), now=after(5))
        assert parent.depth == depth
        assert is_too_deep(ended) is (depth > MAX_DEPTH)
    cut = attempt_factory(reason=Reason.CHAIN_TOO_LONG)

    assert following(before, cut, Occasion.SKIPPED) == ()
    assert following(before, ended, Occasion.SKIPPED) == (follow_up,)
