"""Writes to a case, from the call to the appeal."""

from tests.kit.service.case_scene import RESULT, CaseScene


def play(posts):
    """Take one case through ruling, appeal, close and reopening."""
    scene = CaseScene(posts.house, deals=0)
    posts.done(f"{scene.path}/results", {"entry": RESULT})
    further = posts.house.match(sides=[[{"id": scene.annie}], [{"id": scene.benny}]])
    call = {"reason": "He revoked.", "matter": "call", "deal": 1, "code": "REV"}
    case = posts.done(f"{scene.path}/cases", call, scene.as_annie)["case"]
    path = f"/api/v1/cases/{case}"
    posts.done(f"{path}/statements", {"words": "He had the ten."}, scene.as_annie)
    posts.done(f"{path}/open-statements", {"reason": "Both are here."}, scene.as_dora)
    posts.done(f"{path}/witnesses", {"person": scene.person(), "words": "I saw it."}, scene.as_dora)
    posts.done(f"{path}/ruler", {"person": scene.dirk}, scene.as_dirk)
    posts.done(f"{path}/recusals", {"person": scene.dirk, "because": "asked"}, scene.as_dirk)
    posts.done(f"{path}/ruler", {"person": scene.dora}, scene.as_dora)
    posts.done(f"{path}/join", {"match": further.rpartition("/")[2], "reason": "The same cards."}, scene.as_dora)
    ruling = {"code": "REV", "deal": 1, "scores": [0, 20], "case": case, "reason": "It was a revoke."}
    posts.done(f"{scene.path}/rulings/preview", ruling, scene.as_dora)
    ruled = posts.done(f"{scene.path}/rulings", ruling, scene.as_dora)["version"]
    appeal = {"ruling": ruled, "grounds": "The rule is another."}
    appeal = posts.done(f"{path}/appeals", appeal, scene.as_annie)["version"]
    third = scene.person()
    as_third = scene.directs(third)
    decision = {"outcome": "stands", "panel": [third], "grounds": "One trick."}
    posts.done(f"{path}/appeals/{appeal}/decision", decision, as_third)
    posts.done(f"{path}/close", {"ended": "ruled", "reason": "It is decided."}, scene.as_dora)
    posts.done(f"{path}/reopen", {"reason": "A card was found."}, scene.as_dora)
