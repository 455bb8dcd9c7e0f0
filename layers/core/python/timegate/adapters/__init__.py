"""Every AWS call, and what stands for AWS in memory."""
