"""Cases on pages: calling the director, the queue, a case from the call to the end of an appeal, and its file."""
