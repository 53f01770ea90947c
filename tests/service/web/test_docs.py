"""The document of the API is written for whoever asks first, and one failure is not kept."""

from litestar import Litestar
from litestar.openapi.config import OpenAPIConfig
from litestar.testing import TestClient

from service.web.docs import SwaggerPage, docs_router


def test_a_document_that_failed_is_written_on_the_next_request():
    tried = []

    def document(app):
        tried.append(app)
        if len(tried) == 1:
            raise RuntimeError("can't start new thread")

    config = OpenAPIConfig("a", "1", path="/docs", render_plugins=[SwaggerPage()], openapi_router=docs_router(document))
    with TestClient(Litestar([], openapi_config=config), raise_server_exceptions=False) as client:
        assert client.get("/docs/openapi.json").status_code == 500
        assert client.get("/docs/openapi.json").status_code == 200
        assert client.get("/docs/openapi.json").status_code == 200
    assert len(tried) == 2
