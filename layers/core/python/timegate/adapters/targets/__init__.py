"""What runs call: web hooks, Lambda functions, queues."""
