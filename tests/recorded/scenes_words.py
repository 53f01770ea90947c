"""Words beside events, and devices as ids: ScoreStated 2, and devices of tokens, browsers and programs."""

from service.cli import clerk, intake
from tests.kit.service.asking import FORM, sign_in
from tests.kit.service.club_evenings import Evening
from tests.recorded.scenes_tournaments import scored, stage_of
from tests.recorded.tables import Table

SHEET = """[Event "Thursday"] [Date "2026-11-19"] [Colour "green"]
[Game "parity"] [Rules "parity/1"] [A "Ida Holm"] [B "Per Aas"]
[Deal "1"] [Dealer "A"] [Detail "summary"]
[Entry "{\\"parity\\":\\"odd\\",\\"tricks\\":[9,6]}"] R A 19 B 0 drink=coffee {nobody disputes it}
! spilt coffee over trick seven
! seen by=Olga what="B looked at the stock"
! confirmed A
! confirmed A
[Deal "2"] [Dealer "B"] [Detail "plays"]
BID A:S B:odd 1.XB S5 2.HJ HK 3.XR S2 4.DJ DQ 5.SA ST 6.CJ CA 7.DA D5 8.HA H2 9.C2 CQ 10.HQ H5 11.CK C5 12.DK D2
! paused
"""


def play(stage):
    """A sheet of paper with remarks, an evening with several devices."""
    stage.run(lambda pool: intake.import_ctn(pool, "Lantern", True, SHEET, lambda _: None))
    stage.known(stage.run(lambda pool: clerk.club_named(pool, "Lantern")))
    house = stage.house()
    table = Table(house, "parity", [["Annie"], ["Benny"]], target=60)
    for tricks in ([9, 6], [4, 11]):
        table.entered(tricks)
        table.confirm(0, token=table.player(0))
    table.entered([8, 7], device=None)
    owner = sign_in(stage.client, stage.database)
    page = f"/matches/{table.id}/deals"
    answer = stage.client.post(page, data={"dealer": "0"}, headers={**FORM, **owner}, follow_redirects=False)
    assert answer.status_code == 303, answer.text
    stage.sits(house, table.id, table.view["sides"][0]["players"][0])
    evening = Evening(house, [stage_of("single")], players=2)
    evening.act({"do": "pair_round"})
    scored(evening)
