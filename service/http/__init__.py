"""Shared by both web doors: the caller of a request, problems, frames of event streams, cookies."""
