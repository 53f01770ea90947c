"""The club: its foundation, its members and visitors, the devices it knows."""
