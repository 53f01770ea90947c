"""Mutated files through `import`, on a real Postgres: what can be read is recorded, the rest is named."""

import pytest

from service.cli import intake, seals
from tests.conftest import new_database, with_pool
from tests.kit.notation.mutation_run import KINDS, record

NAMED = '[Game "parity"] [A "Ida{0}Holm"] [B "Per"] [Event "a{0}b"]\n' + (
    '[Deal "1"] [Dealer "B"] {{no{0}te}} [Odd "{0}"]\nR A 1\n'
)


@pytest.fixture(scope="module")
def database():
    """A database that no service follows: it would read each of these matches too."""
    with new_database() as found:
        yield found


async def imported(pool, data, kind):
    """What is told of each match or fault of a file; what is not text never comes so far."""
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return []
    told = []
    take = intake.import_ctn if kind == "ctn" else intake.import_histories
    await take(pool, "Mutated", True, text, told.append)
    return told


async def comes_out_again(pool, match):
    """A match that was imported is exported, and what comes out is taken."""
    again = await seals.export_ctn(pool, match)
    assert all(back.good for back in await imported(pool, again.encode(), "ctn") if back.match == match)


@pytest.mark.parametrize("kind", KINDS)
def test_a_mutated_file_is_imported_or_named_and_comes_out_again(database, kind):
    async def act(pool):
        good = 0
        for seed in range(7000, 7040):
            for each in await imported(pool, record(kind, seed), kind):
                assert each.text
                if each.good:
                    good += 1
                    await comes_out_again(pool, each.match)
        return good

    assert with_pool(database, act) > 5


@pytest.mark.parametrize("odd", ["\x00", "\x1f", "\x7f", "\u2028", "\ufeff", "\U0010ffff", "\x85"])
def test_characters_that_a_database_may_not_hold_are_named_or_kept(database, odd):
    assert with_pool(database, lambda pool: imported(pool, NAMED.format(odd).encode(), "ctn"))
