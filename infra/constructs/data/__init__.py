"""Tables, buckets and queues, and the key that encrypts them."""
