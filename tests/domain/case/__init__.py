"""Tests of the room of cases."""
