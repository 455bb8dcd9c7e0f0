"""Names that declarations know: the tag of a set, and fields with data of the tenant's own."""

#: The tag of what was declared; its value is the name of the set.
TAG = "timegate-apply"

#: Data of the tenant's own, which refers to nothing here: any JSON, or texts by names of its own.
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
