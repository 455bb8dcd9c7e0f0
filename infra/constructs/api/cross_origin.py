"""Cross-origin requests: what pages of other origins may send to the API, and read of it."""

METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE")
#: Headers of requests and answers beside their bodies; a browser's page may use named ones alone.
REQUEST_HEADERS = ("Idempotency-Key", "If-Match", "If-None-Match", "traceparent")
ANSWER_HEADERS = (
    *("ETag", "Location", "Idempotency-Replayed", "Retry-After", "WWW-Authenticate", "Allow"),
    *("RateLimit", "RateLimit-Policy"),
    *("X-Request-Id", "Apigw-Requestid"),
    # The console goes by the API's clock: that of its machine may be wrong.
    "Date",
)
ALLOWED_HEADERS = ("Authorization", "Content-Type", *REQUEST_HEADERS)
#: For how long a browser need not ask again.
MAX_AGE_SECONDS = 3_600
