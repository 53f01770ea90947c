"""Pages of table doors: coming in by a code, who is in, and the sheet of all codes."""
