"""``schedule convert``: templates of jobs of Kubernetes, which no schedule has."""

from collections.abc import Callable

from tests.functional.cli.conftest import Outcome
from tests.functional.cli.converting import converted, entries, warned

__all__ = ["converted"]


def test_a_template_of_kubernetes_is_not_dropped_silently(
    converted: Callable[..., Outcome],
) -> None:
    """Its fields go with an action, which no conversion knows."""
    spec = 'schedule: "0 9 * * *", timeZone: UTC, jobTemplate: {spec: {%s}}'
    text = "".join(
        f"---\nkind: CronJob\nmetadata: {{name: {name}}}\nspec: {{{spec % says}}}\n"
        for name, says in {
            "bounded": "activeDeadlineSeconds: 600, backoffLimit: 0",
            "wide": "completions: 3, parallelism: 2",
            "plain": "template: {}",
        }.items()
    )
    bounded, wide, plain = entries(converted("kubernetes", text))

    assert [warned(each) for each in (bounded, wide, plain)] == [
        ["job_template"],
        ["job_template"],
        [],
    ]
    assert bounded["warnings"][0]["detail"] == (
        "Its jobTemplate has activeDeadlineSeconds, backoffLimit. "
        "With the action here goes timeout_seconds, retry.max_attempts."
    )
    assert wide["warnings"][0]["detail"].endswith("goes a fan-out of a DAG.")
