"""OpenAPI: cards by hand, problem details on every route, and docs pages that work without the internet."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, Final

import msgspec
from litestar import Litestar
from litestar.openapi.spec import (
    OpenAPIHeader,
    OpenAPIMediaType,
    OpenAPIResponse,
    Operation,
    Parameter,
    Reference,
    RequestBody,
    Schema,
)
from litestar.openapi.spec.enums import OpenAPIFormat, OpenAPIType
from litestar.plugins import OpenAPISchemaPlugin
from litestar.typing import FieldDefinition

from domain.cards.card import Card
from domain.games import all_games
from domain.log.event import JsonObject
from projections.games import card_schema, fact_schemas
from service.api.links import link, operations_of
from service.api.straightening import straighten
from service.desk import bodies
from service.http.kinds import KINDS

STANDING: Final = (
    "RecordedAnswer",
    "SteppedAnswer",
    "SettingsAnswer",
    "RulesAnswer",
    "Erased",
    "TakenPeople",
)  # answers that are also given where nothing was recorded
PROBLEMS: Final = (400, 401, 403, 404, 409, 413, 422, 429, 503)
A_TIME: Final = Schema(type=OpenAPIType.STRING, format=OpenAPIFormat.DATE_TIME)
A_COUNT: Final = Schema(type=OpenAPIType.STRING, pattern=r"^[0-9]{1,10}(?![\s\S])")
A_MOMENT: Final = {"any_of": [A_COUNT, A_TIME]}  # of a parameter: what the text of it may be
# nothing is recorded by these, or again does no harm: they look at no key
WITHOUT_KEY: Final = frozenset(
    (
        *("planPush", "previewRuling", "previewCorrection"),
        *("changeCode", "letIn", "throwOut", "testWebhook", "enableWebhook"),
    )
)
# no blank at either end, which nobody hears of
A_KEY: Final = Schema(
    type=OpenAPIType.STRING, min_length=1, max_length=128, pattern=r"^[!-~]([ -~]{0,126}[!-~])?(?![\s\S])"
)
KEYED: Final = "a name of this request, once and for ever: sent again with it, it is answered as the first time"
AN_ID: Final = {"format": OpenAPIFormat.UUID}
AN_INSTANT: Final = {"format": OpenAPIFormat.DATE_TIME}


class CardSchema(OpenAPISchemaPlugin):
    """A card is text like `SA`."""

    @staticmethod
    def is_plugin_supported_type(value: Any) -> bool:
        """Cards only."""
        return value is Card

    def to_openapi_schema(self, field_definition: FieldDefinition, schema_creator: Any) -> Schema:
        """The schema of a card."""
        plain = card_schema(Card)
        return Schema(type=OpenAPIType.STRING, pattern=plain["pattern"], examples=plain["examples"])


def problem_schema() -> Schema:
    """RFC 9457 with our members."""
    text, number = Schema(type=OpenAPIType.STRING), Schema(type=OpenAPIType.INTEGER)
    numbers = Schema(type=OpenAPIType.ARRAY, items=number)
    place = Schema(type=OpenAPIType.OBJECT, required=["path", "detail"], properties={"path": text, "detail": text})
    return Schema(
        type=OpenAPIType.OBJECT,
        title="Problem",
        required=["type", "title", "status", "detail"],
        properties={
            "type": text,
            "title": text,
            "status": number,
            "detail": text,
            "rule": text,
            "code": text,
            "current_version": number,
            "errors": Schema(type=OpenAPIType.ARRAY, items=place),
            "recorded": numbers,
            "yours": numbers,
            "changed": Schema(type=OpenAPIType.OBJECT),
            "misfits": numbers,
            "accepts": number,
            "versions": numbers,
        },
    )


def _kinds_of(status: int) -> str:
    return "; ".join(f"`{slug}`: {kind.title}" for slug, kind in KINDS.items() if kind.status == status)


def body_schemas() -> JsonObject:
    """The schemas of all bodies as msgspec checks them; Litestar leaves out the bounds inside lists."""
    every = [*bodies.Body.__subclasses__(), *bodies.Write.__subclasses__()]
    kinds = [kind for kind in every if kind is not bodies.Write]
    template = "#/components/schemas/{name}"
    found = msgspec.json.schema_components(kinds, schema_hook=card_schema, ref_template=template)[1]
    facts = {kind for game in all_games().values() for kind in (*game.facts, *game.remarks)}
    return {**found, **fact_schemas(sorted(facts, key=lambda kind: kind.__name__), template)}


def taking(media: str, limit: int) -> type[Operation]:
    """The documentation of a route that takes a text as it is, of so many bytes at most."""

    @dataclass
    class Taking(Operation):
        def __post_init__(self) -> None:
            schema = Schema(type=OpenAPIType.STRING, max_length=limit)
            told = f"At most {limit:,} bytes, in UTF-8."
            self.request_body = RequestBody({media: OpenAPIMediaType(schema=schema)}, told, True)

    return Taking


def also(media: str) -> type[Operation]:
    """The documentation of a route that answers a text of another kind too, where it is asked for."""

    @dataclass
    class Also(Operation):
        def __post_init__(self) -> None:
            told = (self.responses or {}).get("200")
            if isinstance(told, OpenAPIResponse):
                told.content = {**(told.content or {}), media: OpenAPIMediaType(Schema(type=OpenAPIType.STRING))}

    return Also


def _bound(schema: Any) -> None:
    """The bounds of a number that may be left out, with the number itself: Litestar puts them beside the choice."""
    if isinstance(schema, Schema) and schema.one_of and schema.maximum is not None:
        schema.one_of = [
            replace(each, minimum=schema.minimum, maximum=schema.maximum)
            if isinstance(each, Schema) and each.type == OpenAPIType.INTEGER
            else each
            for each in schema.one_of
        ]


def _prefer(operation: Operation) -> None:
    """The header that asks for a short answer, where there is one."""
    told = (operation.responses or {}).get("201")
    if isinstance(told, OpenAPIResponse) and "RecordedShortly" in _answers(told):
        text = Schema(type=OpenAPIType.STRING)  # what is not known is passed over, however long it is
        how = "`return=minimal`: the short answer, without table and match"
        operation.parameters = [
            *(each for each in operation.parameters or [] if getattr(each, "name", "") != "Prefer"),
            Parameter(name="Prefer", param_in="header", schema=text, description=how, required=False),
        ]


def _keyed(operation: Operation) -> None:
    """The header by which a write is known when it is sent again."""
    if operation.operation_id not in WITHOUT_KEY:
        key = Parameter(name="Idempotency-Key", param_in="header", schema=A_KEY, description=KEYED, required=False)
        operation.parameters = [*(operation.parameters or []), key]


def _standing(operation: Operation) -> None:
    """A 200 beside the 201 of an answer that can also say that nothing was recorded."""
    responses = operation.responses or {}
    told = responses.get("201")
    if isinstance(told, OpenAPIResponse) and any(name in STANDING for name in _answers(told)):
        responses["200"] = replace(told, description="Nothing was recorded: it stands already, or was only asked for")


def _answers(told: OpenAPIResponse) -> Iterator[str]:
    """The names of what an answer may hold."""
    for body in (told.content or {}).values():
        for each in (body.schema, *(getattr(body.schema, "one_of", None) or ())):
            if isinstance(each, Reference):
                yield each.ref.rpartition("/")[2]


def documented(app: Litestar) -> None:
    """Every operation says which problems it may answer, every answer where it leads; bodies refuse unknown members."""
    schema = app.openapi_schema
    components = schema.components
    assert components is not None
    components.schemas["Problem"] = problem_schema()
    media = {"application/problem+json": OpenAPIMediaType(schema=Reference("#/components/schemas/Problem"))}
    straighten(components.schemas.values())
    components.schemas.update(body_schemas())
    wait = OpenAPIHeader(schema=Schema(type=OpenAPIType.INTEGER), description="seconds until another try")
    for _, method, operation in operations_of(schema):
        for parameter in operation.parameters or []:
            _bound(getattr(parameter, "schema", None))
        _prefer(operation)
        if method == "post":
            _keyed(operation)
        _standing(operation)
        responses = operation.responses or {}
        for status in PROBLEMS:
            headers: dict[str, OpenAPIHeader | Reference] | None = (
                {"Retry-After": wait} if status in (429, 503) else None
            )
            responses[str(status)] = OpenAPIResponse(description=_kinds_of(status), content=media, headers=headers)
        operation.responses = responses
    link(app, schema)
    for name, component in components.schemas.items():
        if isinstance(component, Schema) and name != "Problem" and component.properties:
            component.additional_properties = False
