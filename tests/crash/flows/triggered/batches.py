"""Batches of triggers, as a caller sends them who takes no failure of the service for an end."""

from tests.crash.services.cloud import ASKS
from tests.crash.story import Story
from tests.support.api import Answer


def send_whole(story: Story, path: str, body: object, key: str) -> Answer:
    """Send a batch under a key, and again while one of its triggers met a fault of ours."""
    for _ in range(ASKS):
        answer = story.send("POST", path, body, Idempotency_Key=key)
        if all(each["status"] < 500 for each in answer.body["items"]):
            return answer
    raise AssertionError(f"{path} fails in parts: {answer.body}")
