"""Tokens and sign-ins: kept as hashes, good once or until they are ended, and then ended everywhere at once."""

import hashlib
import threading
import time
from datetime import datetime, timedelta
from http.cookies import SimpleCookie

import psycopg
import pytest
from litestar.testing import TestClient
from psycopg.conninfo import make_conninfo

from service.run.app import create_app
from service.run.pool import make_pool
from service.run.settings import Settings
from service.store import doorkeeper, tokens
from service.store.credentials import of_cookie, of_token
from service.store.doorkeeper import Doorkeeper
from tests.conftest import with_pool
from tests.kit.service.asking import FORM, House, sign_in

COOKIE = "lurch_sign_in"


@pytest.fixture
def owner(client, database):
    return sign_in(client, database)


def soon(true, wait=60.0):
    """Wait until a condition holds; return False if it does not within the time."""
    end = time.monotonic() + wait
    while not true():
        if time.monotonic() > end:
            return False
        time.sleep(0.01)
    return True


@pytest.fixture
def long_kept(monkeypatch):
    """Remember what was looked up for so long that only a notice makes it forgotten."""
    monkeypatch.setattr(doorkeeper, "KEPT_SECONDS", 600)


def row_of(database, token):
    with psycopg.connect(database.url) as connection:
        hashed = hashlib.sha256(token.encode()).digest()
        found = connection.execute("select id::text, last_used, tokens.* from tokens where hash = %s", [hashed])
        return found.fetchone()


def knows(client, cookie):
    """Return True if the service knows this sign-in."""
    return client.get("/me", headers=cookie, follow_redirects=False).status_code == 200


def redeem(client, link, **headers):
    answer = client.post("/sign-in", data={"link": link}, headers={**FORM, **headers}, follow_redirects=False)
    client.cookies.clear()
    return answer


class AnHourAgo(datetime):
    """The machine's clock, put back."""

    @classmethod
    def now(cls, tz=None):
        return datetime.now(tz) - timedelta(hours=1)


def test_a_token_is_forgotten_though_the_clock_is_put_back(database, house, monkeypatch):
    monkeypatch.setattr(doorkeeper, "KEPT_SECONDS", 0.2)
    token = house.token("scorer")
    assert house.get("/api/v1/me", token).status_code == 200
    with psycopg.connect(database.url) as connection:  # of which no notice comes
        hashed = hashlib.sha256(token.encode()).digest()
        connection.execute("update tokens set revoked_at = now() where hash = %s", [hashed])
    monkeypatch.setattr(doorkeeper, "datetime", AnHourAgo)
    assert soon(lambda: house.get("/api/v1/me", token).status_code == 401)


def test_of_a_token_only_the_hash_is_kept(database, house):
    token = house.token("scorer")
    assert token.startswith("lurch_")
    assert len(token) >= 6 + 43
    assert token.removeprefix("lurch_") not in repr(row_of(database, token))
    assert house.get("/api/v1/me", token).json()["name"] == "scorer"


def test_a_token_is_its_letters_and_nothing_else(house):
    token = house.token("owner")
    hashed = hashlib.sha256(token.encode()).hexdigest()
    for wrong in (token[:-1], token + "A", token.upper(), token.removeprefix("lurch_"), hashed, "%", "' or true --"):
        house.refused("GET", "/api/v1/me", None, 401, "unauthorised", wrong)


def test_a_token_remembers_when_it_was_last_used_but_not_each_time(database, house):
    token = house.token("scorer")
    assert row_of(database, token)[1] is None
    assert house.get("/api/v1/me", token).status_code == 200
    first = row_of(database, token)[1]
    assert first is not None
    for _ in range(3):
        house.get("/api/v1/me", token)
    assert row_of(database, token)[1] == first


def revoke(database, token):
    """As the command line does it: in another process."""
    assert with_pool(database, lambda pool: tokens.revoke_token(pool, row_of(database, token)[0]))


def test_a_revoked_token_stops_at_once(database, house, long_kept):
    token = house.token("scorer")
    match = house.match()
    assert house.post(f"{match}/deals", {}, token).status_code == 201
    revoke(database, token)
    assert soon(lambda: house.get("/api/v1/me", token).status_code == 401)
    house.refused("POST", f"{match}/undo", {}, 401, "unauthorised", token)
    assert not with_pool(database, lambda pool: tokens.revoke_token(pool, row_of(database, token)[0])), "twice"


def test_a_token_revoked_during_its_look_up_is_not_remembered(database, house):
    token, doors = house.token("scorer"), house.client.app.state.services.doors
    with psycopg.connect(database.url) as revoking, psycopg.connect(database.url, autocommit=True) as telling:
        revoking.execute("update tokens set revoked_at = now() where id = %s", [row_of(database, token)[0]])
        asking = threading.Thread(target=house.get, args=("/api/v1/me", token))
        asking.start()
        waits = "select 1 from pg_stat_activity where %s = any(pg_blocking_pids(pid))"
        # it has read the row and waits to write when it was last used
        assert soon(lambda: telling.execute(waits, [revoking.info.backend_pid]).fetchone())
        heard = doors._forgotten
        telling.execute("select pg_notify('lurch_tokens', '')")
        assert soon(lambda: doors._forgotten > heard)
        revoking.commit()
        asking.join()
    assert house.get("/api/v1/me", token).status_code == 401


def test_an_unknown_token_is_asked_for_again_once_any_is_made(database, house, long_kept):
    house.refused("GET", "/api/v1/me", None, 401, "unauthorised", "lurch_later")
    hashed = hashlib.sha256(b"lurch_later").digest()
    with psycopg.connect(database.url) as connection:
        connection.execute("delete from tokens where hash = %s", [hashed])
        connection.execute(
            "insert into tokens (id, club_id, hash, name, role, created_at)"
            " values (gen_random_uuid(), %s, %s, 'later', 'player', now())",
            [house.id, hashed],
        )
        connection.execute("select pg_notify('lurch_tokens', '')")
    assert soon(lambda: house.get("/api/v1/me", "lurch_later").status_code == 200)
    assert house.get("/api/v1/me", "lurch_later").json()["role"] == "player"


def test_a_link_works_once_and_viewing_it_does_not_count(client, database):
    link = with_pool(database, tokens.make_link)
    assert link in client.get(f"/sign-in?link={link}").text
    assert link in client.get(f"/sign-in?link={link}").text
    first, again = redeem(client, link), redeem(client, link)
    assert (first.status_code, again.status_code) == (303, 403)
    assert "set-cookie" not in again.headers
    assert "used already" in again.text


def test_a_sign_in_ends_the_browsers_earlier_one_and_no_other(client, database):
    def cookie_of(answer):
        return {"Cookie": answer.headers["set-cookie"].partition(";")[0]}

    mine, elsewhere = (cookie_of(redeem(client, with_pool(database, tokens.make_link))) for _ in range(2))
    refused = redeem(client, "no link", **mine)
    assert refused.status_code == 403
    assert knows(client, mine), "a link that is no good ends nothing"
    again = cookie_of(redeem(client, with_pool(database, tokens.make_link), **mine))
    assert not knows(client, mine)
    assert knows(client, again) and knows(client, elsewhere)
    spare = with_pool(database, tokens.make_link)
    redeem(client, with_pool(database, tokens.make_link), Cookie=f"{COOKIE}={spare}")
    assert redeem(client, spare).status_code == 303, "a link is no sign-in, and is not used up as one"


def test_of_many_who_redeem_a_link_at_once_one_is_signed_in(client, database):
    link = with_pool(database, tokens.make_link)
    sent = []
    threads = [threading.Thread(target=lambda: sent.append(redeem(client, link).status_code)) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(sent) == [303] + [403] * 7


@pytest.mark.parametrize("what", ["one_time", "not one_time"])
def test_links_and_sign_ins_expire(client, database, what):
    link = with_pool(database, tokens.make_link)
    cookie = None if what == "one_time" else redeem(client, link).headers["set-cookie"].partition(";")[0]
    secret = cookie.partition("=")[2] if cookie else link
    with psycopg.connect(database.url) as connection:
        hashed = hashlib.sha256(secret.encode()).digest()
        (left,) = connection.execute(
            f"select expires_at - now() from sign_ins where hash = %s and {what}", [hashed]
        ).fetchone()
        connection.execute("update sign_ins set expires_at = now() - interval '1 second' where hash = %s", [hashed])
    if cookie is None:
        assert 14 * 60 < left.total_seconds() <= 15 * 60
        assert redeem(client, link).status_code == 403
    else:
        assert 89 < left.days + 1 <= 90
        assert not knows(client, {"Cookie": cookie})


def test_of_sign_ins_only_hashes_are_kept(client, database):
    link = with_pool(database, tokens.make_link)
    cookie = redeem(client, link).headers["set-cookie"].partition(";")[0].partition("=")[2]
    with psycopg.connect(database.url) as connection:
        kept = repr(connection.execute("select * from sign_ins").fetchall())
    assert link not in kept
    assert cookie not in kept
    assert len(cookie) >= 43


@pytest.mark.parametrize("link", ["", "x" * 400, "x" * 5000, "' or true --", "%00", "\ud7ff"])
def test_a_link_that_is_none_signs_nobody_in(client, link):
    answer = redeem(client, link)
    assert answer.status_code in (400, 403)
    assert "set-cookie" not in answer.headers


def test_the_cookie_is_not_for_scripts_nor_for_other_sites(client, database):
    link = with_pool(database, tokens.make_link)
    said = redeem(client, link).headers["set-cookie"]
    flags = SimpleCookie(said)[COOKIE]
    assert (flags["httponly"], flags["samesite"].lower(), flags["path"], flags["domain"]) == (True, "lax", "/", "")
    assert int(flags["max-age"]) == 90 * 86_400
    assert not flags["secure"]


def test_behind_tls_the_cookie_is_secure(database):
    with TestClient(create_app(database, Settings(secure_cookies=True))) as client:
        said = redeem(client, with_pool(database, tokens.make_link)).headers["set-cookie"]
    flags = SimpleCookie(said)[f"__Host-{COOKIE}"]
    assert (flags["secure"], flags["path"], flags["domain"]) == (True, "/", "")


def test_a_sign_in_from_before_tls_stays_valid(database, owner):
    with TestClient(create_app(database, Settings(secure_cookies=True))) as client:
        assert knows(client, owner)
        said = client.get("/", headers=owner).headers["set-cookie"]
        assert said.startswith(f"__Host-{owner['Cookie']}")


def test_a_planted_cookie_is_not_kept_through_sign_in(client, database):
    planted = {"Cookie": f"{COOKIE}=attackers-choice"}
    link = with_pool(database, tokens.make_link)
    said = redeem(client, link, **planted).headers["set-cookie"]
    assert "attackers-choice" not in said
    assert not knows(client, planted)


def test_the_three_secrets_do_not_stand_in_for_each_other(client, database, house, owner):
    link, token = with_pool(database, tokens.make_link), house.token("owner")
    cookie = owner["Cookie"].partition("=")[2]
    assert knows(client, owner)
    for secret in (link, token):
        assert not knows(client, {"Cookie": f"{COOKIE}={secret}"})
    for secret in (cookie, token):
        assert redeem(client, secret).status_code == 403
    for secret in (cookie, link):
        house.refused("GET", "/api/v1/me", None, 401, "unauthorised", secret)


def sign_out(client, cookie):
    answer = client.post("/sign-out", headers={**FORM, **cookie}, follow_redirects=False)
    client.cookies.clear()
    return answer


def test_a_sign_out_ends_this_sign_in_and_no_other(client, database, owner):
    second = sign_in(client, database)
    assert knows(client, owner)
    answer = sign_out(client, owner)
    assert (answer.status_code, answer.headers["location"]) == (303, "/")
    gone = SimpleCookie(answer.headers["set-cookie"])[COOKIE]
    assert (gone.value, gone["max-age"]) == ("", "0") or "1970" in gone["expires"]
    assert not knows(client, owner)
    assert knows(client, second)


def test_a_sign_out_is_heard_by_the_other_processes_at_once(client, database, owner, long_kept):
    with TestClient(create_app(database)) as another:
        assert knows(another, owner)
        sign_out(client, owner)
        assert soon(lambda: not knows(another, owner))


def test_signing_out_again_or_as_nobody_does_no_harm(client, owner):
    for cookie in (owner, owner, {}, {"Cookie": f"{COOKIE}=%00"}):
        assert sign_out(client, cookie).status_code == 303


def test_known_credentials_work_while_the_database_is_read_only(client, database):
    with House(client, database) as house:
        token, cookie = of_token(house.tokens["owner"]), of_cookie(sign_in(client, database)["Cookie"].split("=", 1)[1])

        async def reads(_):
            url = make_conninfo(database.url, options="-c default_transaction_read_only=on")
            async with make_pool(url) as pool:
                doors = Doorkeeper(pool, lambda club: nobody())
                return await doors.held(token), await doors.held(cookie)

        async def nobody():
            return None

        assert None not in with_pool(database, reads)
        assert row_of(database, house.tokens["owner"])[1] is None
