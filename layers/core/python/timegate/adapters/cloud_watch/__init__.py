"""Amazon CloudWatch: what the stage says of itself."""
