"""Pages of cases: the call, the queue, the case for whoever may see it, and the way to a ruling."""

import hashlib
import json
import re

import pytest

from domain import codec
from domain.log.decider import Refusal
from service.cli.case_clerk import export_case, verify_case
from service.desk.cases.filing import sealed
from tests.conftest import with_pool
from tests.kit.service.asking import House, squeezed
from tests.kit.service.revoke_scene import RevokeScene

HTML = {"Accept": "text/html"}


@pytest.fixture(scope="module")
def house(client, database):
    with House(client, database, public=True) as found:
        yield found


@pytest.fixture
def scene(house):
    return Pages(RevokeScene(house))


class Pages:
    """What people see of a scene on their phones, and what they tap."""

    def __init__(self, scene):
        self.scene, self.house = scene, scene.house
        self.annie, self.benny, self.dora, self.dirk = (
            scene.phone(each) for each in (scene.annie, scene.benny, scene.dora, scene.dirk)
        )

    def get(self, phone, path, status=200):
        self.house.client.cookies.clear()
        headers = {**HTML, **(phone.header if phone else {})}
        answer = self.house.client.get(path, headers=headers, follow_redirects=False)
        assert answer.status_code == status, answer.text[:600]
        return squeezed(re.sub("[\u2068\u2069]|</?bdi>", "", answer.text))

    def tap(self, phone, path, status=303, **form):
        answer = phone.post(path, **form)
        assert answer.status_code == status, answer.text[:800]
        return answer

    def call(self, phone=None, **form):
        """A call from the table; the path of the case."""
        said = {"reason": "A rule was broken", **form}
        return self.tap(phone or self.annie, f"/matches/{self.scene.match}/call", **said).headers["location"]

    def of_finding(self):
        """The case that the director opens of the finding."""
        found = self.scene.finding()
        about = {"matter": "finding", "deal": 1, "at": found["version"], "code": "REV", "reason": ""}
        return self.call(self.dora, **about)


def test_a_player_calls_from_the_table_in_two_taps(scene):
    table = scene.get(scene.annie, f"/matches/{scene.scene.match}")
    assert "Call the director" in table
    case = scene.call()
    assert re.fullmatch(r"/cases/[0-9a-f-]{36}", case)
    page = scene.get(scene.annie, case)
    assert "the director was called" in page


def test_a_dispute_takes_no_more_than_its_two_taps(scene):
    scene.tap(scene.annie, f"/matches/{scene.scene.match}/dispute", deal="1", reason="")
    assert "deal 1 is disputed" in scene.get(scene.benny, f"/matches/{scene.scene.match}").replace("Deal", "deal")


def test_who_only_keeps_the_score_is_told_that_the_director_comes(scene, house):
    scorer = scene.scene.phone(scene.scene.named("Sam"))
    match = scene.scene.match
    scorer.sits(match)
    where = scene.tap(scorer, f"/matches/{match}/call", reason="They play too slowly").headers["location"]
    assert where == f"/matches/{match}?called=1"
    assert "The director has been called to this table." in scene.get(scorer, where)


def test_a_reason_that_is_none_is_refused_on_the_table(scene):
    answer = scene.tap(scene.annie, f"/matches/{scene.scene.match}/call", 400, reason="Fire!")
    assert "choose why the director is called" in answer.text


def test_a_stranger_gets_the_same_404_for_any_case(scene):
    case = scene.call()
    stranger, nowhere = scene.scene.phone(scene.scene.named("Zoe")), "/cases/00000000-0000-4000-8000-000000000000"
    for phone in (stranger, None):
        for what in ("", "/file"):
            assert scene.get(phone, f"{case}{what}", 404) == scene.get(phone, f"{nowhere}{what}", 404)
    mine, none = (scene.tap(stranger, f"{each}/statement", 404, words="I saw it").text for each in (case, nowhere))
    assert mine == none


def test_the_queue_is_for_directors_and_shows_waiting_times(scene, house):
    case, queue = scene.call(), f"/clubs/{house.id}/cases"
    scene.get(scene.annie, queue, 403)
    page = scene.get(scene.dora, queue)
    assert f'href="{case}"' in page
    assert "Waits for 0:0" in page
    scene.tap(scene.dora, f"{case}/take", version="1", instead="")
    page = scene.get(scene.dora, queue)
    assert "Answered after 0:0" in page
    assert "Dora rules" in page
    scene.tap(scene.dora, f"{case}/close", version="2", ended="unfounded")
    assert "there was nothing in it" in scene.get(scene.dora, queue)


def test_a_director_with_a_conflict_reads_only_that_a_case_exists(scene, house):
    case = scene.call()
    near = scene.scene.phone(scene.scene.benny)
    scene.scene.directs(scene.scene.benny)
    page = scene.get(near, case)
    assert "you are of Benny" in page
    assert "Rule on something else" not in page
    friend = scene.scene.named("Fred")
    scene.scene.directs(friend)
    house.done(f"{house.path}/friends", {"one": friend, "other": scene.scene.annie}, "director")
    close = scene.scene.phone(friend)
    assert "close to somebody in this case" in scene.get(close, case, 403)
    queue = scene.get(close, f"/clubs/{house.id}/cases")
    assert f'href="{case}"' not in queue
    assert "you are too near to it" in queue


def test_the_director_opens_a_case_from_a_finding(scene):
    page = scene.get(scene.dora, scene.of_finding())
    assert "⚑ Revoke</b>" in page
    assert "Not proven: or two entries of Annie exchanged: entries 40 and 50" in page
    assert "That was not legal" in page
    legal = page[page.index("Legal was:") :]
    assert legal.index("Three of hearts") < legal.index("On the table")
    assert "held at least (rebuilt from what fell later)" in page
    assert page.count("the finding rests on it") >= 4, "the place that is shown, and each of the three in the timeline"


def test_every_entry_is_one_step_from_the_next_and_one_trick(scene):
    case = scene.of_finding()
    page = scene.get(scene.dora, case)
    for key, at in (("back", 39), ("on", 41), ("trick_back", 39), ("trick_on", 41), ("last", 0)):
        assert re.search(rf'data-step="{key}"\s+href="[^"]*&(amp;)?at={at}#', page), key
    end = scene.get(scene.dora, f"{case}?at=0")
    assert "The end of the deal" in end


def test_a_party_reads_no_sealed_words_and_states_its_own(scene):
    case = scene.call()
    scene.tap(scene.annie, f"{case}/statement", version="1", words="He looked at\r\nmy cards.")
    assert "my cards" in scene.get(scene.annie, case)
    for phone in (scene.benny, scene.dora):
        page = scene.get(phone, case)
        assert "my cards" not in page
        assert "<i>sealed</i>" in page
    scene.tap(scene.benny, f"{case}/statement", words="I did not.")
    for phone in (scene.annie, scene.benny, scene.dora):
        page = scene.get(phone, case)
        assert "my cards" in page
        assert "I did not." in page


def test_the_director_opens_the_statements_and_hears_a_witness(scene):
    case = scene.call()
    scene.tap(scene.annie, f"{case}/statement", words="He looked at my cards.")
    assert "Open the statements now" not in scene.get(scene.benny, case)
    scene.tap(scene.dora, f"{case}/open")
    assert "He looked at my cards." in scene.get(scene.benny, case)
    scene.tap(scene.dora, f"{case}/witness", person=scene.scene.dirk, words="I saw nothing.")
    assert "Witness Dirk: “I saw nothing.”" in scene.get(scene.dora, case)


def test_a_finding_is_called_proven_only_after_its_proof_everywhere(scene):
    case, match = scene.of_finding(), f"/matches/{scene.scene.match}"

    def told():
        view = scene.scene.read(f"/api/v1{case}", scene.scene.as_dora)["view"]
        grades = [each.get("grade", "C") for each in view["matches"][0]["deals"][0]["findings"]]
        page, own = scene.get(scene.dora, case), scene.get(scene.dora, match)
        return grades, "Proven: the entries are settled" in page, ", proven by the entries" in own

    assert told() == (["C"], False, False)
    assert ", or two entries of Annie exchanged" in scene.get(scene.dora, match)
    versions = re.search(r'name="versions" value="([\d ]+)"', scene.get(scene.dora, case))[1]
    here = {"match": scene.scene.match, "deal": "1", "finding": "0"}
    scene.tap(scene.dora, f"{case}/affirm", **here, versions=versions, inspected="1")
    assert told() == (["P"], True, True)


def test_a_proven_revoke_is_ruled_on(scene):
    case = scene.of_finding()
    page = scene.get(scene.dora, case)
    versions = re.search(r'name="versions" value="([\d ]+)"', page)[1]
    here = {"match": scene.scene.match, "deal": "1", "finding": "0"}
    scene.tap(scene.dora, f"{case}/affirm", **here, versions=versions, inspected="1")
    page = scene.get(scene.dora, case)
    assert "Proven: the entries are settled" in page
    assert re.search(r"Tricks pass</a>.*?offered first.*?40–56", page)
    page = scene.get(scene.dora, f"{case}?finding=0&remedy=tricks-pass")
    assert "48–49 → 40–56" in page
    form = dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', page[page.index("/rule") :]))
    reason = re.search(r'<textarea name="reason"[^>]*>(.*?)</textarea>', page)[1]
    assert "1 trick of phase 2 passes to Benny" in reason
    form |= {"reason": reason, "rule": re.search(r'name="rule"[^>]* value="([^"]*)"', page)[1]}
    asked = scene.tap(scene.dora, f"{case}/rule", 200, **form)
    assert "Deal 1 is ruled 40–56" in asked.text
    assert scene.house.get(scene.scene.path).json()["rulings"] == []
    scene.tap(scene.dora, f"{case}/rule", **form, sure="1")
    (ruling,) = scene.house.get(scene.scene.path).json()["rulings"]
    assert ruling["scores"] == [40, 56]
    page = scene.get(scene.benny, case)
    assert "Revoke, CP.5: 40–56" in page
    assert reason in page
    assert "proven then" in page
    assert "<s>48–49</s> <b>40–56</b>, ruled" in page


def test_a_ruling_names_its_case_and_another_director_decides_its_appeal(scene):
    case = scene.of_finding()
    here = {"match": scene.scene.match, "deal": "1", "finding": "0", "code": "REV", "remedy": "tricks-pass"}
    offence = str(scene.scene.finding()["version"])
    scene.tap(scene.dora, f"{case}/rule", **here, offence=offence, reason="It was a revoke.", sure="1")
    page = scene.get(scene.annie, case)
    assert "We accept it" in page
    ruling = re.search(r'name="ruling" value="(\d+)"', page)[1]
    scene.tap(scene.benny, f"{case}/accept", match=scene.scene.match, deal="1", side="1", ruling=ruling)
    scene.tap(scene.annie, f"{case}/appeal", appealed=scene.scene.match, ruling=ruling, words="I had no heart.")
    page = scene.get(scene.dora, case)
    assert "under appeal" in page
    assert "Decide the appeal" not in page, "who ruled first does not hear the appeal"
    page = scene.get(scene.dirk, case)
    appeal = re.search(r'name="appeal" value="(\d+)"', page)[1]
    person = scene.scene.dirk
    form = {"appeal": appeal, "outcome": "stands", f"panel_{person}": "yes", "words": "The three fell later."}
    scene.tap(scene.dirk, f"{case}/decide", **form)
    page = scene.get(scene.annie, case)
    assert "On appeal: the ruling stands (Dirk)" in page
    assert "The three fell later." in page
    assert "accepted by Benny" in page


def test_a_party_is_offered_no_ruling_form_and_its_ruling_is_refused(scene):
    case = scene.of_finding()
    page = scene.get(scene.benny, f"{case}?remedy=tricks-pass")
    assert "What if" not in page
    form = {"match": scene.scene.match, "deal": "1", "code": "REV", "remedy": "stands", "reason": "x", "sure": "1"}
    scene.tap(scene.benny, f"{case}/rule", 403, **form)
    assert scene.house.get(scene.scene.path).json()["rulings"] == []


def test_scores_that_no_deal_gives_are_asked_for_once_more(scene):
    case = scene.of_finding()
    here = {"match": scene.scene.match, "deal": "1", "code": "REV", "remedy": "assigned", "reason": "A fair score."}
    asked = scene.tap(scene.dora, f"{case}/rule", 200, **here, score0="1", score1="1", sure="1")
    assert "Is that meant?" in asked.text
    scene.tap(scene.dora, f"{case}/rule", **here, score0="1", score1="1", sure="1", exceptional="1")
    assert scene.house.get(scene.scene.path).json()["rulings"][0]["scores"] == [1, 1]


IMPOSSIBLE = [
    ("statement", 400, {"words": "x" * 4001}),
    ("statement", 400, {"words": ""}),
    ("witness", 400, {"person": "nobody", "words": "I saw it."}),
    ("ruler", 400, {"person": "\x00"}),
    ("close", 400, {"ended": "badly"}),
    ("decide", 409, {"appeal": "7", "outcome": "stands"}),
    ("appeal", 409, {"ruling": "999999", "side": "0", "words": "No!"}),
    ("rule", 400, {"deal": "1"}),
    ("rule", 409, {"deal": "99", "match": "…"}),
    ("affirm", 409, {"deal": "1", "match": "00000000-0000-4000-8000-000000000000", "versions": "40"}),
    ("nothing", 404, {}),
]


def test_forms_with_impossible_values_are_refused_in_words(scene):
    case = scene.call()
    for step, status, form in IMPOSSIBLE:
        sent = {name: value.replace("…", scene.scene.match) for name, value in form.items()}
        answer = scene.tap(scene.dora, f"{case}/{step}", status, **sent)
        assert 'role="alert"' in answer.text or status == 404, (step, form)


def test_a_case_file_is_sealed_and_holds_what_its_audience_may_read(scene):
    case = scene.call()
    scene.tap(scene.annie, f"{case}/statement", words="He looked at my cards.")
    files = {}
    for name, phone in (("annie", scene.annie), ("benny", scene.benny), ("dora", scene.dora)):
        scene.house.client.cookies.clear()
        answer = scene.house.client.get(f"{case}/file", headers=phone.header)
        assert answer.status_code == 200
        files[name] = answer.content
        told = json.loads(answer.content)
        seal = told.pop("seal")
        assert seal == hashlib.sha256(codec.encode(told)).hexdigest()
    assert b"my cards" in files["annie"]
    assert b"my cards" not in files["benny"]
    assert json.loads(files["benny"])["audience"] == {"kind": "party", "side": 1}


def test_a_silent_policy_hides_findings_from_the_sides(house):
    pages = Pages(RevokeScene(house, signals="silent"))
    case = pages.call()
    assert "Revoke" in pages.get(pages.dora, case)
    for phone in (pages.annie, pages.benny):
        page = pages.get(phone, case)
        assert "Revoke" not in page
        assert "told to nobody at the table yet" in page


def test_a_silent_policy_hides_a_directors_case_about_a_finding(house):
    pages = Pages(RevokeScene(house, signals="silent"))
    case = pages.of_finding()
    assert "Revoke" in pages.get(pages.dora, case)
    nowhere = pages.get(pages.annie, "/cases/00000000-0000-4000-8000-000000000000", 404)
    assert pages.get(pages.annie, case, 404) == nowhere


def test_a_silent_policy_keeps_findings_out_of_a_sides_case_view(house):
    scene = RevokeScene(house, signals="silent")
    case = scene.call()
    deal = scene.read(case, scene.as_annie)["view"]["matches"][0]["deals"][0]
    assert deal["findings"] == []
    assert scene.read(case, scene.as_dora)["view"]["matches"][0]["deals"][0]["findings"]


def test_a_side_that_calls_does_not_see_a_finding_in_its_case(house):
    pages = Pages(RevokeScene(house, signals="silent"))
    found, case = pages.of_finding(), pages.call()
    assert case != found
    page = pages.get(pages.annie, case)
    for told in ("was found", "REV", "Revoke", "Dora"):
        assert told not in page
    view = pages.scene.read(f"/api/v1{case}", pages.scene.as_annie)["view"]
    assert [each["matter"] for each in view["calls"]] == ["call"]
    assert "REV" not in str(view["procedure"])


def test_the_directors_board_has_its_cases_on_top(house):
    names = [{"id": house.done(f"{house.path}/players", {"name": house.next_name()}, "owner")["id"]} for _ in range(2)]
    entries = [{"do": "enter", "players": [each]} for each in names]
    stage = {"format": {"kind": "single"}, "game": "parity"}
    body = {"name": "Cup", "stages": [stage], "entries": entries}
    cup = house.done(f"{house.path}/tournaments", body, "director")["tournament"]["id"]
    pair = {"actions": [{"do": "pair_round"}]}
    house.done(f"/api/v1/tournaments/{cup}/actions", pair, "director")
    house.done(
        f"/api/v1/tournaments/{cup}/cases", {"fixture": "W1.1", "reason": "he is late", "matter": "slow"}, "owner"
    )
    pages = Pages(RevokeScene(house))
    page = pages.get(pages.dora, f"/tournaments/{cup}/director")
    assert "Called, disputed, under appeal" in page
    assert "slow play" in page
    assert "called <b>1</b>" in page
    assert f'data-news="/clubs/{house.id}/cases/live"' in page


def test_a_case_without_a_record_has_a_page(house):
    names = [{"id": house.done(f"{house.path}/players", {"name": house.next_name()}, "owner")["id"]} for _ in range(4)]
    stage = {"format": {"kind": "single"}, "game": "parity"}
    body = {"name": "Cup", "stages": [stage], "entries": [{"do": "enter", "players": [each]} for each in names]}
    cup = house.done(f"{house.path}/tournaments", body, "director")["tournament"]["id"]
    house.done(f"/api/v1/tournaments/{cup}/actions", {"actions": [{"do": "pair_round"}]}, "director")
    called = house.done(f"/api/v1/tournaments/{cup}/cases", {"fixture": "W1.2", "reason": "nobody came"}, "owner")
    pages = Pages(RevokeScene(house))
    page = pages.get(pages.dora, f"/cases/{called['case']}")
    assert "nobody came" in page
    assert ">Cup</a>" in page


def test_the_replay_shows_hands_rebuilt_from_the_play_and_marks_them(scene):
    page = scene.get(scene.dora, f"/matches/{scene.scene.match}/replay?at=30")
    assert page.count("held at least (rebuilt from what fell later)") == 2
    last = scene.scene.house.get(scene.scene.path).json()["version"]
    assert "rebuilt" not in scene.get(scene.dora, f"/matches/{scene.scene.match}/replay?at={last}")


def test_the_page_of_a_case_takes_any_query_that_can_be_typed(scene):
    case = scene.of_finding()
    for query in ("at=99999", "deal=99", "finding=7", "finding=-1", "match=nothing", "remedy=none", "offence=999999"):
        scene.get(scene.dora, f"{case}?{query}")
    scene.get(scene.dora, f"{case}?at=x", 400)


def test_the_terminal_exports_a_case_and_verify_compares_it(scene, database):
    case = scene.call().rpartition("/")[2]
    scene.tap(scene.annie, f"/cases/{case}/statement", words="He looked at my cards.")
    text = with_pool(database, lambda pool: export_case(pool, case, "1"))
    assert "my cards" not in text
    assert "my cards" in with_pool(database, lambda pool: export_case(pool, case, "0"))
    (found,) = with_pool(database, lambda pool: verify_case(pool, text))
    assert found.good, found.text
    told = json.loads(text)
    told["audience"]["side"] = 0
    (changed,) = with_pool(database, lambda pool: verify_case(pool, json.dumps(told)))
    assert not changed.good
    told.pop("seal")
    (other,) = with_pool(database, lambda pool: verify_case(pool, sealed(told).decode()))
    assert (other.good, other.text) == (False, "the log says something else")
    for wrong in ("{}", '{"lurch":"case"}', "not"):
        assert not with_pool(database, lambda pool, text=wrong: verify_case(pool, text))[0].good
    for audience in ("7", "nobody"):
        with pytest.raises(Refusal):
            with_pool(database, lambda pool, audience=audience: export_case(pool, case, audience))
