"""The languages of pages: their catalogues, and the one that is spoken now."""
