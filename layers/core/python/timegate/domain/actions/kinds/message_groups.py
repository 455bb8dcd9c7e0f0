"""Groups of messages, as queues and topics have them."""

from timegate.domain.actions.field_limits import Text

#: How AWS has the names of queues and topics end that keep order.
FIFO_SUFFIX = ".fifo"
GROUP_ID = Text(min_length=1, max_length=128, pattern=r"^[\x21-\x7e]*$")
