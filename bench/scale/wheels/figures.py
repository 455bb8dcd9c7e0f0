"""Sizes and times of the studied design, each with the measurement or choice behind it."""

#: Processor seconds of a run, step by step: ``python -m bench.scale.wheels.fire_cpu``, two shared
#: cores, 2026-11: 0.038 ms, 0.066 ms and 0.030 ms.
STAGE_CPU = 0.000038
RECORD_CPU = 0.000030
#: The measured request has neither TLS nor a signature. Over a connection that is open, four times
#: as much is taken; over a fresh one, a handshake on both ends of the key exchange beside it.
FIRE_CPU_OPEN = 0.0003
FIRE_CPU_FRESH = 0.0015
#: A body of a sheaf in S3, read or written: AWS says 100 to 200 ms for small objects.
BODY_SECONDS = 0.15
#: Members of a wheel that one page of a query has, and its time.
PAGE_MEMBERS = 1_000
PAGE_SECONDS = 0.03
#: Sheaves that one transaction stores with the move of their wheel: 100 items by DynamoDB's limit.
SHEAVES_A_MOVE = 99
#: From the seal to the instant: as executors claim today.
SEAL_AHEAD_SECONDS = 0.25
#: Bytes of a run's end in the record of its sheaf: its place, state, status and times.
END_BYTES = 40
#: Ends that one item of such a record has.
ENDS_AN_ITEM = 100
#: Bytes of a member's line in the body, and of its item in the table.
MEMBER_BYTES = 1_024
#: Requests to S3 (price list of 2026-09, us-east-1).
PUT_USD = 5e-6
GET_USD = 0.4e-6
