"""Deals declared void as of November 2026, with the window in which that was done, a sealed record, and rulings that
name their case: one that the desk found, one on appeal."""

from tests.kit.service.case_scene import RESULT, CaseScene


def play(stage):
    """A void deal at the table, one by ruling; a case, its ruling, an appeal and what was decided."""
    house = stage.house()
    voided(house)
    appealed(house)
    sealed(house)


def voided(house):
    """A deal that the scorer declares void and brings back, and one that a director declares void by ruling."""
    match = house.match()
    house.done(f"{match}/results", {"entry": RESULT})
    house.done(f"{match}/void-deal", {"reason": "a foul pack"})
    house.done(f"{match}/restore-deal", {})
    house.done(f"{match}/results", {"entry": RESULT})
    house.done(f"{match}/rulings", {"code": "DUP", "deal": 1, "remedy": "void", "reason": "a foul pack"}, "director")


def appealed(house):
    """A ruling in a case, and the one that took its place on appeal."""
    scene = CaseScene(house)
    case = scene.call()
    body = {"code": "REV", "deal": 1, "reason": "It was a revoke."}
    house.done(f"{scene.path}/rulings", {**body, "scores": [0, 20]}, scene.as_dora)
    version = house.get(scene.path, "director").json()["rulings"][-1]["version"]
    appeal = scene.step(case, "appeals", scene.as_annie, ruling=version, grounds="Two tricks.")["version"]
    decision = {"panel": [scene.dirk], "outcome": "changed"}
    scene.step(case, f"appeals/{appeal}/decision", scene.as_dirk, **decision)
    body |= {"scores": [0, 22], "supersedes": version, "instance": 2, "case": case.rpartition("/")[2]}
    house.done(f"{scene.path}/rulings", body, scene.as_dirk)


def sealed(house):
    """A record that a director seals before its time."""
    match = house.match(deals=1)
    house.done(f"{match}/results", {"entry": RESULT})
    house.done(f"{match}/seal", {"reason": "the season is over"}, "director")
