"""Copies of everything a service knows: one file of rows, taken while it serves, read whole before it is believed."""
