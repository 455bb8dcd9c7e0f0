"""What requests and responses look like, as Pydantic models: shape only, no rule of the domain."""
