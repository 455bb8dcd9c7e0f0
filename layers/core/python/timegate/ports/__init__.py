"""What the use cases need of the world, as protocols; the adapters fulfil them."""
