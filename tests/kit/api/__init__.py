"""The API as whoever reads its document sees it: asked by Schemathesis, over HTTP, in a club for each role."""
