"""S3 in memory, as far as it is used."""

from urllib.parse import parse_qs, unquote, urlsplit

from botocore.awsrequest import AWSPreparedRequest, AWSResponse

from tests.support.stores.dynamodb_inside import answer, body_of

#: So short that every listing of a story has several pages.
PAGE_ENTRIES = 2


class MemoryBucket:
    """S3, as far as it is used."""

    def __init__(self) -> None:
        self.blobs: dict[str, bytes] = {}

    def send(self, request: AWSPreparedRequest) -> AWSResponse:
        """Serve one request."""
        path = urlsplit(request.url).path
        asked = parse_qs(urlsplit(request.url).query)
        if "list-type" in asked:
            return self._list(request, asked)
        if request.method == "PUT" and path in self.blobs and "If-None-Match" in request.headers:
            exists = b"<Error><Code>PreconditionFailed</Code><Message>It is.</Message></Error>"
            return answer(request, 412, {"content-type": "application/xml"}, exists)
        if request.method == "PUT":
            self.blobs[path] = _unchunked(request)
            return answer(request, 200, {"ETag": '"stored"'}, b"")
        if path in self.blobs:
            return answer(request, 200, {}, self.blobs[path])
        missing = b"<Error><Code>NoSuchKey</Code><Message>None.</Message></Error>"
        return answer(request, 404, {"content-type": "application/xml"}, missing)

    def _list(self, request: AWSPreparedRequest, asked: dict[str, list[str]]) -> AWSResponse:
        """Serve one page of a listing: S3 may end it before a thousand entries.

        https://docs.aws.amazon.com/AmazonS3/latest/API/API_ListObjectsV2.html
        """
        given = ("prefix", "start-after", "continuation-token")
        prefix, after, token = (asked.get(name, [""])[0] for name in given)
        names = [unquote(path).lstrip("/") for path in self.blobs]
        found = sorted(each for each in names if each.startswith(prefix) and each > after)
        keys = found if "delimiter" not in asked else []
        folders = {
            f"{prefix}{each.removeprefix(prefix).partition('/')[0]}/"
            for each in found
            if "delimiter" in asked and "/" in each.removeprefix(prefix)
        }
        entries = [f"<Contents><Key>{each}</Key></Contents>" for each in keys]
        entries += [
            f"<CommonPrefixes><Prefix>{each}</Prefix></CommonPrefixes>" for each in sorted(folders)
        ]
        start = int(token or 0)
        following = start + PAGE_ENTRIES
        more = f"<NextContinuationToken>{following}</NextContinuationToken>"
        is_truncated = following < len(entries)
        body = "".join(
            (
                f"<ListBucketResult><IsTruncated>{str(is_truncated).lower()}</IsTruncated>",
                more if is_truncated else "",
                *entries[start:following],
                "</ListBucketResult>",
            )
        )
        return answer(request, 200, {"content-type": "application/xml"}, body.encode())


def _unchunked(request: AWSPreparedRequest) -> bytes:
    """The body without the chunks that carry its checksum."""
    body = body_of(request)
    if "X-Amz-Decoded-Content-Length" not in request.headers:
        return body
    whole = b""
    while body:
        size, _, body = body.partition(b"\r\n")
        length = int(size, 16)
        if not length:
            break
        whole, body = whole + body[:length], body[length + 2 :]
    return whole
