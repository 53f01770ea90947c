"""The audit: findings, what they rest on, and what is not found."""
