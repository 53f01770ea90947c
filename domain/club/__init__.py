"""The club: how it was founded, who is registered, and what that means for what people may see."""
