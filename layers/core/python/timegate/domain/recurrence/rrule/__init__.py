"""Recurrence rules of RFC 5545 (iCalendar), section 3.3.10, as wall times and as instants."""
