"""The first request of the API's function: code for an interpreter with nothing but its layers."""

from tests.support.api import gateway_event
from tests.support.deployed.bare_functions import VARIABLES

_CODE = """
import os
os.environ.update(AWS_ACCESS_KEY_ID="test", AWS_SECRET_ACCESS_KEY="test")
from io import BytesIO
from types import SimpleNamespace
from api.handler import handle
from botocore.awsrequest import AWSResponse
from botocore.httpsession import URLLib3Session
from urllib3.response import HTTPResponse

def empty(session, request):
    body = BytesIO(b'{{"Responses": {{}}, "Items": [], "Count": 0}}')
    return AWSResponse(request.url, 200, {{}}, HTTPResponse(body, preload_content=False))

URLLib3Session.send = empty
names = ("function_name", "memory_limit_in_mb", "invoked_function_arn", "aws_request_id")
reply = handle({event!r}, SimpleNamespace(**dict.fromkeys(names, "1")))
assert reply["statusCode"] == 200, reply
"""


def first_request(target: str) -> str:
    """Import the handler and read a target; each table answers that it holds nothing."""
    claims = {"client_id": "acme", "scope": "timegate/read", "iss": VARIABLES["TOKEN_ISSUER"]}
    return _CODE.format(event=gateway_event("GET", target, claims=claims))
