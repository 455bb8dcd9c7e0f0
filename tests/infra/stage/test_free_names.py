"""A stage of a new name: the templates of the stage that it is like, but for the name."""

import json
import re
from typing import Any

import pytest

from infra.stage.given.choices import CHOICES_OUTPUT
from tests.infra.conftest import Synthesise
from tests.infra.stage_template import StageTemplate

pytestmark = pytest.mark.wide

#: Digests in logical ids: of the paths that have the stage's name, and of versions of functions.
DIGEST = re.compile("(?<=CurrentVersion[0-9A-F]{8})[0-9a-f]{32}|(?<=[A-Za-z0-9])[0-9A-F]{8}")


def templates(stage: StageTemplate) -> dict[str, Any]:
    """Each template by its name, both without what tells the stages apart."""
    found = {
        each.name.replace("zebra", "prod"): json.loads(
            DIGEST.sub("", each.read_text().replace("zebra", "prod"))
        )
        for each in stage.files
    }
    for each in found.values():
        each.get("Outputs", {}).pop(CHOICES_OUTPUT, None)
    return found


def test_a_stage_of_a_new_name_is_the_other_but_for_its_name(synthesise: Synthesise) -> None:
    """So no resource of the one has a name of the other: each of them has its stage's."""
    ours, theirs = synthesise(stage="prod"), synthesise(stage="zebra", like="prod")

    assert templates(theirs) == templates(ours)
    assert all("timegate-prod-*" not in each.read_text() for each in ours.files)
