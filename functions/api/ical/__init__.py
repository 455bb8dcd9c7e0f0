"""Reading iCal files (RFC 5545): a stranger's text, read by a process that can be given up.

``isolated`` starts that process and is all that the API imports. ``__main__`` is what it runs:
``events`` reads, ``recurrence`` repeats, ``spans`` gathers. No other module may import these, for
the packages they need would cost every cold start.
"""
