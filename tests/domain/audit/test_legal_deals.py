"""No legal deal gives a finding, under any rule set, however it is recorded."""

import random
import sys

import pytest

from domain.match.audit.findings import derived
from tests.kit.audit.legal import legal_deal
from tests.kit.games.strategies import FORM_IDS, FORMS

DEALS = 3000
SEEDS = range(-(-DEALS // (3 * len(FORMS))))
RECORDED = {"cards known": (True, False), "cards unknown": (False, False), "draws recorded": (False, True)}


@pytest.mark.parametrize("form", FORMS, ids=FORM_IDS)
def test_a_legal_deal_gives_no_finding(form):
    start = random.Random(str(form)).randrange(10**6)
    sys.stdout.write(f"seeds {start} to {start + SEEDS[-1]}\n")
    for seed in SEEDS:
        for how, (known, draws) in RECORDED.items():
            found = derived(legal_deal(form, start + seed, known, draws))
            assert found == (), (how, start + seed)
