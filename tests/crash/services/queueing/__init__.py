"""SQS in virtual time, and its event sources."""
