"""Members of requests that hold data of the tenant's own, in which no id is looked for."""

#: Any JSON, or texts by names that the tenant chooses.
TENANT_DATA = frozenset(
    {
        "checkpoint",
        "correlation",
        "data",
        "default",
        "headers",
        "input",
        "match",
        "merge",
        "metadata",
        "parameters",
        "pattern",
        "payload",
        "payload_patch",
        "payload_schema",
        "result",
        "secret_headers",
        "tags",
    }
)
