"""Rules by which triggers collapse: keys, rules of a trigger's own, and contradictions."""

import pytest

from tests.functional.api.runs.test_collapse import FIRST, LAST, at, create, given
from tests.support.api import Api, new_job


@pytest.mark.parametrize(
    ("collapse", "bodies", "expected"),
    [
        pytest.param(
            {"span_seconds": 10, "key_from": "/customer"},
            [{"payload": {"customer": c, "n": n}} for n, c in enumerate(["a", "b", "a"])],
            [{"customer": "a", "n": 2}, {"customer": "b", "n": 1}],
            id="of-the-payload",
        ),
        pytest.param(
            {"span_seconds": 10, "key_from": "/customer"},
            [{"payload": {"n": 0}}, {"payload": {"customer": None, "n": 1}}, {"payload": [1]}],
            [[1]],
            id="none-there",
        ),
        pytest.param(
            {"span_seconds": 10},
            [{"payload": n, "collapse_key": key} for n, key in enumerate(["a", "b", "a"])],
            [1, 2],
            id="of-the-request",
        ),
        pytest.param(
            {"span_seconds": 10, "key_from": "/0"},
            [{"payload": [42]}, {"payload": [1], "collapse_key": "42"}],
            [[1]],
            id="the-same-as-text",
        ),
    ],
)
def test_triggers_of_one_key_collapse(
    api: Api, collapse: object, bodies: list[object], expected: list[object]
) -> None:
    """Triggers of another key run beside them."""
    job_id = create(api, collapse)
    for body in bodies:
        api.trigger(job_id, body)

    at(api, 20)
    assert given(api) == expected


def test_the_job_s_own_payload_has_a_key_as_well(api: Api) -> None:
    """A trigger without a payload collapses with those that bring the same value."""
    job_id = create(api, {"span_seconds": 9, "key_from": "/x"}, payload={"x": 1, "y": "a" * 2000})
    api.trigger(job_id)
    answer = api.trigger(job_id, {"payload_patch": {"y": 2}})

    assert (answer.body["collapse"]["key"], answer.body["collapse"]["triggers"]) == ("1", 2)


def test_a_trigger_may_collapse_by_a_rule_of_its_own(api: Api) -> None:
    """Also where its job has none; and be a run of its own where its job has one."""
    plain, collapsing = create(api), create(api, LAST)
    for number in range(2):
        api.trigger(plain, {"payload": number, "collapse": {"span_seconds": 5}})
        api.trigger(collapsing, {"payload": number, "collapse": None})

    at(api, 9)
    assert sorted(given(api)) == [0, 1, 1]


@pytest.mark.parametrize(
    ("collapse", "body", "field", "code"),
    [
        (LAST, {"at": "2027-01-01T00:00:00Z"}, "at", "contradictory"),
        (LAST, {"delay_seconds": 5}, "delay_seconds", "contradictory"),
        (None, {"collapse_key": "a"}, "collapse_key", "without_effect"),
        (LAST, {"collapse": None, "collapse_key": "a"}, "collapse_key", "without_effect"),
        (None, {"collapse": {}}, "collapse.span_seconds", "required"),
        (None, {"collapse": {**FIRST, "max_wait_seconds": 20}}, "collapse.max_wait_seconds",
         "not_for_this_policy"),
        (None, {"collapse": {"span_seconds": 9, "max_wait_seconds": 8}},
         "collapse.max_wait_seconds", "too_small"),
        (None, {"collapse": {"span_seconds": 86_401}}, "collapse.span_seconds", "too_large"),
        (None, {"collapse": {**LAST, "key_from": "x"}}, "collapse.key_from", "invalid_format"),
        (LAST, {"collapse_key": ""}, "collapse_key", "too_short"),
    ],
)  # fmt: skip
def test_contradictions_are_refused(
    api: Api, collapse: object, body: object, field: str, code: str
) -> None:
    """Nothing is stored."""
    job_id = create(api, collapse)
    answer = api.trigger(job_id, body)

    assert answer.status == 400
    assert answer.fields == [(field, code)]
    assert api.world.attempts() == []


def test_a_rule_without_a_wait_is_refused_with_its_job(api: Api) -> None:
    """A trigger's own rule is refused alike."""
    answer = api.send("POST", "/v1/jobs", new_job(collapse={"mode": "last"}))

    assert answer.status == 400
    assert answer.body["errors"][0]["field"] == "collapse.span_seconds"
