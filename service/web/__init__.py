"""The pages: a door that parses, calls the desk and answers in HTML; everything that they need is vendored."""
