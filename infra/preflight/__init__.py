"""What is checked before a deployment changes anything."""
