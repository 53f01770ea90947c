"""Roles over HTTP: given, listed and ended; they count from the next request, and a club keeps a secretary."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.kit.service.asking import FORM, House
from tests.kit.service.callers_cast import CallersCast

CUP = {"name": "Cup", "stages": [{"format": {"kind": "single"}, "game": "parity"}]}


def entered(house, *names):
    body = {**CUP, "entries": [{"do": "enter", "players": [name]} for name in names]}
    made = house.done(f"{house.path}/tournaments", body, "owner")["tournament"]["id"]
    done = house.done(f"/api/v1/tournaments/{made}/actions", {"actions": [{"do": "pair_round"}]}, "owner")
    return made, done["tournament"]["rounds"][0]["pairings"][0]["match"]


@pytest.fixture(scope="module")
def cast(client, database):
    with House(client, database) as house:
        cup, match = entered(house, "Uma", "Vera")
        yield CallersCast(house, match, cup)


@pytest.fixture
def house(cast):
    return cast.house


def person(house):
    return house.done(f"{house.path}/players", {"name": house.next_name()}, "owner")["id"]


def roles_of(house, who, token="owner"):
    rows = house.get(f"{house.path}/roles", token).json()["items"]
    return [(row["role"], row["tournament"], row["match"]) for row in rows if row["person"] == who]


def paged(client, cookie, path, **form):
    sent = {**FORM, **cookie}
    answer = client.post(path, data=form, headers=sent, follow_redirects=False)
    client.cookies.clear()
    return answer


def test_a_role_is_given_listed_and_ended(house):
    nora = person(house)
    body = {"person": nora, "role": "director"}
    first = house.done(f"{house.path}/roles", body, "secretary")
    assert [row["role"] for row in first["items"]] == ["director"]
    again = house.done(f"{house.path}/roles", body, "secretary")
    assert again["version"] == first["version"], "held already, nothing is recorded"
    assert roles_of(house, nora) == [("director", None, None)]
    ended = house.done(f"{house.path}/roles/revoke", body, "secretary")
    assert (ended["items"], roles_of(house, nora)) == ([], [])
    house.refused("POST", f"{house.path}/roles/revoke", body, 409, "misfit", "secretary")
    late = {**body, "expected_version": first["version"]}
    house.refused("POST", f"{house.path}/roles", late, 409, "lost-race", "secretary")


def test_what_a_role_is_for_is_the_clubs_own(client, database, house, cast):
    nora, nowhere = person(house), "01a1fea4-0000-7000-8000-000000000000"
    with House(client, database) as other:
        cup, match = entered(other, "Annie", "Benny")
        for scope in ({"tournament": cup}, {"match": match}, {"tournament": nowhere}, {"match": nowhere}):
            role = "deputy" if "tournament" in scope else "scorer"
            body = {"person": nora, "role": role, **scope}
            house.refused("POST", f"{house.path}/roles", body, 400, "malformed", "owner")
    for scope in ({}, {"match": cast.match}):
        body = {"person": nora, "role": "deputy", **scope}
        house.refused("POST", f"{house.path}/roles", body, 400, "malformed", "owner")


def test_a_match_of_a_tournament_names_it_and_ends_by_either(house, cast):
    nora = person(house)
    body = {"person": nora, "role": "scorer", "match": cast.match}
    house.done(f"{house.path}/roles", body, "director")
    assert roles_of(house, nora) == [("scorer", cast.tournament, cast.match)]
    house.done(f"{house.path}/roles/revoke", body, "director")
    assert roles_of(house, nora) == []


def test_a_deputy_gives_a_scorer_at_a_table_of_the_own_tournament(client, house, cast):
    nora, path = person(house), f"/clubs/{house.id}/roles"
    cup, match = entered(house, "Will", "Xena")
    other = cast.cookie("d", match, cup)
    form = {"person": nora, "role": "scorer", "where": f"match {cast.match}"}
    assert paged(client, other, path, **form).status_code == 403
    assert paged(client, other, path, **{**form, "where": f"match {match}"}).status_code == 303
    assert roles_of(house, nora) == [("scorer", cup, match)]


def test_everybody_reads_the_own_roles_and_who_gives_them_reads_all(client, house, cast):
    page = f"/clubs/{house.id}/roles"
    shown = client.get(page, headers=cast.cookie("S", None, None)).text
    assert "Dagny" in shown
    assert "Kaisa" in shown
    own = client.get(page, headers=cast.cookie("k", None, None)).text
    assert "Kaisa" in own
    assert "Dagny" not in own
    assert "Give the role" not in own
    assert "You hold no role" in client.get(page, headers=cast.cookie("q", None, None)).text
    assert house.get(f"{house.path}/roles", "player").json()["items"] == []


def test_a_role_counts_from_the_next_request_and_ends_with_it(client, house, cast):
    nora, page = person(house), f"/clubs/{house.id}/tournaments/new"
    device = cast.signed_in(nora)
    body = {"person": nora, "role": "director"}
    for path, status in (("/roles", 200), ("/roles/revoke", 403), ("/roles", 200)):
        house.done(f"{house.path}{path}", body, "owner")
        assert client.get(page, headers=device).status_code == status
        client.cookies.clear()


def test_the_page_offers_no_end_that_would_be_refused(client, house, cast):
    shown = client.get(f"/clubs/{house.id}/roles", headers=cast.cookie("S", None, None)).text
    assert 'aria-label="End: Solveig' not in shown, "the last secretary"
    assert 'aria-label="End: Dagny' in shown
    directors = client.get(f"/clubs/{house.id}/roles", headers=cast.cookie("D", None, None)).text
    assert 'aria-label="End: Solveig' not in directors
    assert '<option value="secretary"' not in directors
    assert '<option value="deputy"' in directors


def test_the_last_secretary_is_ended_by_the_owner_only(client, database):
    with House(client, database) as house:
        sue = person(house)
        body = {"person": sue, "role": "secretary"}
        house.done(f"{house.path}/roles", body, "owner")
        problem = house.refused("POST", f"{house.path}/roles/revoke", body, 403, "forbidden", "secretary")
        assert "last secretary" in problem["detail"]
        house.done(f"{house.path}/roles/revoke", body, "owner")


def test_two_who_end_each_other_at_once_leave_a_secretary(client, database):
    with House(client, database) as house:
        for _ in range(3):
            people = [person(house) for _ in range(2)]
            for each in people:
                house.done(f"{house.path}/roles", {"person": each, "role": "secretary"}, "owner")
            bodies = [{"person": each, "role": "secretary"} for each in people]
            with ThreadPoolExecutor(2) as both:
                answers = list(
                    both.map(lambda body: house.post(f"{house.path}/roles/revoke", body, "secretary"), bodies)
                )
            assert sorted(each.status_code for each in answers) == [201, 403]
            left = [each for each in people if roles_of(house, each)]
            assert len(left) == 1
            house.done(f"{house.path}/roles/revoke", {"person": left[0], "role": "secretary"}, "owner")


def test_a_deputy_is_appointed_on_the_spot_and_directs_this_tournament_only(client, house, cast):
    nora = person(house)
    device, director = cast.signed_in(nora), cast.cookie("D", None, None)
    cup, match = entered(house, "Yves", "Zoe")
    board = f"/tournaments/{cup}/director"
    assert f'name="person" value="{nora}"' in client.get(board, headers=director).text
    assert client.get(board, headers=device).status_code == 403
    answer = paged(client, director, f"/clubs/{house.id}/roles", person=nora, role="deputy", tournament=cup, board=cup)
    assert (answer.status_code, answer.headers["location"]) == (303, board)
    assert "Deputies" in client.get(board, headers=director).text
    assert client.get(board, headers=device).status_code == 200
    assert "Appoint a deputy" not in client.get(board, headers=device).text
    assert client.get(f"/tournaments/{cast.tournament}/director", headers=device).status_code == 403
    assert paged(client, device, f"/matches/{match}/deals", dealer="0").status_code == 303
    assert paged(client, device, f"/matches/{cast.match}/deals", dealer="0").status_code == 403
    assert client.get(f"/clubs/{house.id}/new", headers=device).status_code == 403
    events = house.get(f"/api/v1/matches/{match}/events", "director").text.splitlines()
    assert f'"role":"deputy","actor":"{nora}"' in events[-1].replace(" ", "")


def test_people_are_declared_close_for_directors_only(client, house, cast):
    one, other, path = person(house), person(house), f"{house.path}/friends"
    made = house.done(path, {"one": one, "other": other}, "director")
    version = made["items"][-1]["version"]
    assert sorted(made["items"][-1]["people"]) == sorted([one, other])
    for role in ("secretary", "scorer", "player", "spectator"):
        house.refused("GET", path, None, 403, "forbidden", role)
    public = house.get(f"{house.path}/events", "secretary").text
    declared = [line for line in public.splitlines() if "FriendDeclared" in line]
    assert declared
    assert not any(one in line or other in line for line in declared)
    page = client.get(f"/clubs/{house.id}/friends", headers=cast.cookie("D", None, None)).text
    assert "They are close" in page
    assert house.done(f"{path}/end", {"version": version}, "director")["items"] == made["items"][:-1]
    house.refused("POST", f"{path}/end", {"version": version}, 409, "misfit", "director")


def test_me_says_every_role_with_what_it_is_for(house, cast):
    token = cast.token("d", None, cast.tournament)
    me = house.get("/api/v1/me", token).json()
    assert me["roles"] == [
        {
            "role": "deputy",
            "club": house.id,
            "tournament": cast.tournament,
            "match": None,
            "person": None,
            "strength": "token",
        }
    ]
