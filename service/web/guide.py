"""Pages of the guide: which roles there are, and the steps of one."""

from litestar import Response, get
from litestar.params import FromPath

from domain.log.decider import Refusal
from service.http.caller import AnyRequest
from service.http.cookies import caller_of
from service.web.guide_text import ROLES
from service.web.render import page


@get("/guide", include_in_schema=False)
async def guide_page(request: AnyRequest) -> Response[str]:
    """Lists the roles."""
    return page("guide.html", await caller_of(request), roles=[each.labelled for each in ROLES], role=None)


@get("/guide/{role:str}", include_in_schema=False)
async def guide_of_role(request: AnyRequest, role: FromPath[str]) -> Response[str]:
    """The page of one role."""
    found = next((each for each in ROLES if each.key == role), None)
    if found is None:
        raise Refusal("not-found", f"the guide is for {', '.join(each.key for each in ROLES)}")
    return page("guide.html", await caller_of(request), roles=[each.labelled for each in ROLES], role=found.labelled)
