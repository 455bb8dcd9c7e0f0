"""A stage is deployed in any partition: ARNs name that of the deployment."""

from tests.infra.stage_template import StageTemplate


def test_no_template_names_a_partition(stage: StageTemplate, telling: StageTemplate) -> None:
    """Step Functions knows ``arn:aws-us-gov:states:::lambda:invoke`` in GovCloud, and no other."""
    for each in (*stage.files, *telling.files):
        assert "arn:aws:" not in each.read_text(), each.name
